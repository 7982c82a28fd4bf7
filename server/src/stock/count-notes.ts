import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'

/** What was said of counts, by their ids; null for whoever is not told. */
export type CountNotes = ReadonlyMap<string, string> | null

async function mapNotes(
  tx: Tx,
  of: 'count_id' | 'attempt_id',
  rows: readonly { id: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const found = await tx.db
    .selectFrom('count_notes')
    .select([`${of} as id`, 'note'])
    .where('tenant_id', '=', tx.tenantId)
    .where(of, '=', sql<string>`any (${ids}::uuid[])`)
    .execute()
  return new Map(found.flatMap(({ id, note }) => (id === null ? [] : [[id, note]])))
}

/** What was said of counts, by their ids in the history. */
export async function mapNotesOfCounts(
  tx: Tx,
  counts: readonly { id: string }[],
): Promise<ReadonlyMap<string, string>> {
  return await mapNotes(tx, 'count_id', counts)
}

/** What was said of attempts at differences, by their ids. */
export async function mapNotesOfAttempts(
  tx: Tx,
  attempts: readonly { id: string }[],
): Promise<ReadonlyMap<string, string>> {
  return await mapNotes(tx, 'attempt_id', attempts)
}

/** What somebody is told of the notes on counts: what others write could tell staff what is expected. */
export async function notesFor(
  tx: Tx,
  { role }: Pick<Actor, 'role'>,
  counts: readonly { id: string }[],
): Promise<CountNotes> {
  return role === 'admin' ? await mapNotesOfCounts(tx, counts) : null
}

/** What a reply says of a count's note: nothing to whoever is not told. */
export function noteOf({ id }: { id: string }, notes: CountNotes): { note?: string | null } {
  return notes === null ? {} : { note: notes.get(id) ?? null }
}
