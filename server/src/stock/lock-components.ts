import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

/**
 * Those of the components that are not retired, locked, so that what is said of them, such as days and bins, changes one after another;
 * by id, so that two who lock several never wait for each other.
 */
export async function lockComponents(tx: Tx, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx.db
    .selectFrom('components')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .where('retired_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}
