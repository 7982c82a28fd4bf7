import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

/** When counts were taken back, by their ids in the history; of those that stand nothing. */
export async function mapTakenBack(
  tx: Tx,
  counts: readonly { id: string }[],
): Promise<ReadonlyMap<string, Date>> {
  if (counts.length === 0) return new Map()
  const ids = counts.map(({ id }) => id)
  const { rows } = await sql<{ undoes: string; counted_at: Date }>`
    select undoes, counted_at from count_history
    where tenant_id = ${tx.tenantId}::uuid and undoes = any (${ids}::uuid[])
  `.execute(tx.db)
  return new Map(rows.map(({ undoes, counted_at: at }) => [undoes, at]))
}
