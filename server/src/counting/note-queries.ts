import { locationCodes } from '@inventory-manager/contract/locations'
import { countTypes } from '@inventory-manager/contract/values'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'

/** What stays known of a count under its key: of a first entry that did not match there is no row in the history. */
const keptCount = z
  .object({
    outcome: z.literal('counted'),
    component: z.object({ barcode: z.string(), counted_source: z.enum(countTypes) }),
    undo: z.object({
      entry: z.string().nullable(),
      attempt: z.string().nullable(),
      location: z.enum(locationCodes),
    }),
    undone: z.boolean().default(false),
  })
  .transform(
    ({ component: { barcode, counted_source: source }, undo: { entry, attempt, location }, undone }) => ({
      id: entry ?? attempt,
      attempt,
      sku: barcode,
      source,
      location,
      isTakenBack: undone,
    }),
  )

export type NotedCount = { id: string } & Omit<z.output<typeof keptCount>, 'id'>

/** The actor's count that was sent under a key, locked against being noted or taken back meanwhile; null without one. */
export async function lockCount(tx: Tx, actor: Actor, key: string): Promise<NotedCount | null> {
  const operation = await tx.db
    .selectFrom('operations')
    .select('reply')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', actor.userId)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  const { data: count } = keptCount.safeParse(operation?.reply)
  if (count === undefined || count.id === null) return null
  return { ...count, id: count.id }
}

/** What is said of a count; empty where nothing is. */
export async function findNote(tx: Tx, { id }: NotedCount): Promise<string> {
  const row = await tx.db
    .selectFrom('count_notes')
    .select('note')
    .where('tenant_id', '=', tx.tenantId)
    .where('count_id', '=', id)
    .executeTakeFirst()
  return row?.note ?? ''
}

export async function createNote(tx: Tx, actor: Actor, { id, attempt, note }: NotedCount & { note: string }) {
  await tx.db
    .insertInto('count_notes')
    .values({ tenant_id: tx.tenantId, count_id: id, attempt_id: attempt, note, user_id: actor.userId })
    .execute()
}

export async function updateNote(tx: Tx, { id }: NotedCount, note: string): Promise<void> {
  await tx.db
    .updateTable('count_notes')
    .set({ note, updated_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('count_id', '=', id)
    .execute()
}

export async function deleteNote(tx: Tx, { id }: NotedCount): Promise<void> {
  await tx.db
    .deleteFrom('count_notes')
    .where('tenant_id', '=', tx.tenantId)
    .where('count_id', '=', id)
    .execute()
}
