import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

/** Entries that began before this much earlier may still be committed later than others, and are looked for again. */
const overlapSeconds = 10

export const mostAtOnce = 500

/** Entries from a little before the given one on, oldest first; from now on without one. */
export async function listEntriesSince(tx: Tx, lastId: string | null) {
  const start =
    lastId === null
      ? sql<string>`id_at(clock_timestamp())`
      : sql<string>`id_at(instant_of(${lastId}::uuid) - make_interval(secs => ${overlapSeconds}))`
  return await tx.db
    .selectFrom('audit_entries')
    .select(['id', 'kind', 'event', 'sku', 'location', 'user_name', 'created_at'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '>=', start)
    .orderBy('id')
    .limit(mostAtOnce + 1)
    .execute()
}

/** The place a new stream starts from. */
export async function findNewestId(tx: Tx): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id_at(clock_timestamp()) as id`.execute(tx.db)
  const [row] = rows
  if (row === undefined) throw new Error('A select without from always answers.')
  return row.id
}
