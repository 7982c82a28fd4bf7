import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { joinWhole, type Tx } from '../platform/db/database.ts'

export type SheetLine = { barcode: string; description: string; bin: string }

type OfMonth = {
  location: LocationCode
  /** The components that were not counted since, or without it all of them. */
  pendingSince: Date | null
  limit: number
}

/** The components of a month's count at a location, in no order, up to a number. */
export async function listSheetLines(
  tx: Tx,
  { location, pendingSince, limit }: OfMonth,
): Promise<SheetLine[]> {
  await joinWhole(tx)
  const { rows } = await sql<SheetLine>`
    select components.barcode, components.description, coalesce(placements.bin, '') as bin
    from components
    left join stock on stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = components.id
      and stock.location = ${location}
    left join placements on placements.tenant_id = ${tx.tenantId}::uuid and placements.component_id = components.id
      and placements.location = ${location}
    where components.tenant_id = ${tx.tenantId}::uuid and components.retired_at is null
      and (${pendingSince}::timestamptz is null or coalesce(stock.counted_at < ${pendingSince}, true))
    limit ${limit}
  `.execute(tx.db)
  return rows
}
