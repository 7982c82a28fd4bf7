import { locations } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'

/** Labels used or reserved this calendar month in the company's time zone. */
export async function countLabelsUsed(tx: Tx, timeZone: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select labels_used(${tx.tenantId}::uuid, start_of_month(now(), ${timeZone})) as used
  `.execute(tx.db)
  return onlyRow(rows).used
}

/** What makes the location of a row of stock one that is in use: it holds stock there, or carries a count of what is not retired. */
function inUse(tx: Tx) {
  return sql<boolean>`(quantity > 0 or counted_at is not null and exists (
    select from components
    where components.tenant_id = ${tx.tenantId}::uuid and components.id = stock.component_id and components.retired_at is null
  ))`
}

/** How many locations are in use; of one that is, the first such row says so. */
export async function countLocationsInUse(tx: Tx): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select count(*)::integer as used
    from unnest(${locations.map(({ code }) => code)}::text[]) as offered (code)
    where exists (
      select from stock where tenant_id = ${tx.tenantId}::uuid and location = offered.code and ${inUse(tx)}
    )
  `.execute(tx.db)
  return onlyRow(rows).used
}

/** The locations in use, with their SKUs and pieces. */
export async function listLocationsInUse(tx: Tx) {
  return await tx.db
    .selectFrom('stock')
    .select([
      'location',
      sql<number>`count(*)::integer`.as('skus'),
      sql<number>`sum(quantity)::float8`.as('units'),
    ])
    .where('tenant_id', '=', tx.tenantId)
    .where('location', '<>', 'QUARANTINE')
    .where(inUse(tx))
    .groupBy('location')
    .orderBy('location')
    .execute()
}
