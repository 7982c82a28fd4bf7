import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

/** Locks the stock of differences before they are locked, as a count does: so nobody waits in a ring. */
export async function lockStockOf(tx: Tx, ids: string[]): Promise<void> {
  await sql`
    select 1 from stock
    where stock.tenant_id = ${tx.tenantId}::uuid and exists (
      select from discrepancies
      where discrepancies.tenant_id = stock.tenant_id and discrepancies.component_id = stock.component_id
        and discrepancies.location = stock.location and discrepancies.id = any (${ids}::uuid[])
    )
    order by stock.component_id, stock.location
    for update
  `.execute(tx.db)
}
