import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { findByKeys, joinWhole, type Tx } from '../../platform/db/database.ts'
import { beginningsOf, behindAll } from './bin-beginnings.ts'

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

type Named = { location: LocationCode; names: readonly string[] }

/**
 * As countByBin, of each location at least all bins that belong to one of some names; null where a name has no beginning to look them up by,
 * as '' has none, which is what lies in no bin.
 */
export async function countByBinOf(
  tx: Tx,
  { wanted, timeZone }: { wanted: readonly Named[]; timeZone: string },
): Promise<BinCount[] | null> {
  const ranges = wanted.flatMap(({ location, names }) =>
    names.flatMap(beginningsOf).map((first) => ({ location, first })),
  )
  if (ranges.some(({ first }) => first === '')) return null
  const each = (value: (range: { location: LocationCode; first: string }) => string) => ranges.map(value)
  await findByKeys(tx)
  const { rows } = await sql<BinCount>`
    select lying.location, lying.bin, count(*)::integer as total,
      (count(*) filter (where held.counted_at >= start_of_month(now(), ${timeZone})))::integer as counted
    from (
      -- One bin may belong to several names.
      select distinct found.component_id, found.location, found.bin
      from unnest(
        ${each(({ location }) => location)}::text[], ${each(({ first }) => first)}::text[],
        ${each(({ first }) => behindAll(first))}::text[]
      ) as wanted (location, first, below)
      cross join lateral (
        select component_id, location, bin from placements
        where placements.tenant_id = ${tx.tenantId}::uuid and placements.location = wanted.location and bin <> ''
          and lower(bin collate "C") >= wanted.first and lower(bin collate "C") < wanted.below
        offset 0
      ) as found
    ) as lying
    cross join lateral (
      select id from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.id = lying.component_id and retired_at is null
      offset 0
    ) as own
    left join lateral (
      select counted_at from stock
      where stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = own.id and stock.location = lying.location
      offset 0
    ) as held on true
    where not exists (
      select from not_kept
      where not_kept.tenant_id = ${tx.tenantId}::uuid and not_kept.location = lying.location
        and not_kept.component_id = own.id
      offset 0
    )
    group by lying.location, lying.bin
  `.execute(tx.db)
  return rows
}
