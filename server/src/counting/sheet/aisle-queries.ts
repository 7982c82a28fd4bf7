import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { joinWhole, type Tx } from '../../platform/db/database.ts'

/** How many components lie in a bin of a location, '' for none, and how many of these are counted this month. */
export type BinCount = { location: LocationCode; bin: string; total: number; counted: number }

type Where = { locations: readonly LocationCode[]; timeZone: string }

/** How much lies in each bin of some locations that these keep, in no order. */
export async function countByBin(tx: Tx, { locations, timeZone }: Where): Promise<BinCount[]> {
  await joinWhole(tx)
  const { rows } = await sql<BinCount>`
    select places.location, coalesce(placements.bin, '') as bin, count(*)::integer as total,
      (count(*) filter (where stock.counted_at >= start_of_month(now(), ${timeZone})))::integer as counted
    from unnest(${locations}::text[]) as places (location)
    cross join components
    left join stock on stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = components.id
      and stock.location = places.location
    left join placements on placements.tenant_id = ${tx.tenantId}::uuid and placements.component_id = components.id
      and placements.location = places.location
    where components.tenant_id = ${tx.tenantId}::uuid and components.retired_at is null and not exists (
      select from not_kept
      where not_kept.tenant_id = ${tx.tenantId}::uuid and not_kept.location = places.location
        and not_kept.component_id = components.id
    )
    group by places.location, coalesce(placements.bin, '')
  `.execute(tx.db)
  return rows
}
