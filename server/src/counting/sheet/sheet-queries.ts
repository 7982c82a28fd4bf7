import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { joinWhole, type Tx } from '../../platform/db/database.ts'
import { isKept } from '../../stock/kept-queries.ts'

export type SheetLine = { barcode: string; description: string; bin: string }

type Wanted = {
  location: LocationCode
  /** Those that were not counted since. */
  pendingSince?: Date
  /** Those that the record of a cycle count does not have. */
  pendingIn?: string
  /** Only these, by their barcodes. */
  skus?: readonly string[]
  /** Those that lie in these bins, '' for none; null for all. */
  bins: readonly string[] | null
  limit: number
}

function onlyPending(tx: Tx, { pendingSince, pendingIn }: Wanted) {
  if (pendingIn !== undefined) {
    return sql`and components.barcode not in (
      select jsonb_object_keys(progress) from cycle_counts
      where tenant_id = ${tx.tenantId}::uuid and user_type = 'admin' and id = ${pendingIn}
    )`
  }
  return pendingSince === undefined ? sql`` : sql`and coalesce(stock.counted_at < ${pendingSince}, true)`
}

function onlyIn({ bins }: Wanted) {
  if (bins === null) return sql``
  return sql`and coalesce(placements.bin, '') in (select unnest(${bins}::text[]))`
}

function onlyNamed({ skus }: Wanted) {
  return skus === undefined ? sql`` : sql`and components.barcode in (select unnest(${skus}::text[]))`
}

/** The components that a location keeps, or those of them that are pending, with their bins there, in no order, up to a number. */
export async function listSheetLines(tx: Tx, wanted: Wanted): Promise<SheetLine[]> {
  const { location, limit } = wanted
  await joinWhole(tx)
  const { rows } = await sql<SheetLine>`
    select components.barcode, components.description, coalesce(placements.bin, '') as bin
    from components
    left join stock on stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = components.id
      and stock.location = ${location}
    left join placements on placements.tenant_id = ${tx.tenantId}::uuid and placements.component_id = components.id
      and placements.location = ${location}
    where components.tenant_id = ${tx.tenantId}::uuid and components.retired_at is null and ${isKept(tx, location)}
      ${onlyPending(tx, wanted)} ${onlyIn(wanted)} ${onlyNamed(wanted)}
    limit ${limit}
  `.execute(tx.db)
  return rows
}
