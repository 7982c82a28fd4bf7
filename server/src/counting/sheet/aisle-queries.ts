import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { findByKeys, joinWhole, type Tx } from '../../platform/db/database.ts'
import { beginningsOf, behindAll } from './bin-beginnings.ts'

/** How many components lie in a bin of a location, '' for none, and how many of these are counted this month. */
export type BinCount = { location: LocationCode; bin: string; total: number; counted: number }

type Where = { locations: readonly LocationCode[]; timeZone: string }

/**
 * How much lies in each bin of some locations that these keep, in no order. Read is what lies in bins and what is counted, not each
 * component at each location; what lies in no bin is what is left of those that the company counts at a location.
 */
export async function countByBin(tx: Tx, { locations, timeZone }: Where): Promise<BinCount[]> {
  await joinWhole(tx)
  const there = sql`tenant_id = ${tx.tenantId}::uuid and location = any (${locations}::text[])`
  const { rows } = await sql<BinCount>`
    with lying as (
      select found.location, found.bin, (count(*) filter (where found.bin <> ''))::integer as total,
        count(found.is_counted)::integer as counted
      from (
        select component_id, location, coalesce(placed.bin, '') as bin, held.is_counted
        from (select component_id, location, bin from placements where ${there} and bin <> '') as placed
        full join (
          select component_id, location, true as is_counted from stock
          where ${there} and counted_at >= (select start_of_month(now(), ${timeZone}))
        ) as held using (component_id, location)
      ) as found
      where not exists (
        select from not_kept
        where not_kept.tenant_id = ${tx.tenantId}::uuid and not_kept.location = found.location
          and not_kept.component_id = found.component_id
      ) and not exists (
        select from components
        where components.tenant_id = ${tx.tenantId}::uuid and components.id = found.component_id and retired_at is not null
      )
      group by found.location, found.bin
    )
    select location, bin, total, counted from lying where bin <> ''
    union all
    select places.location, '', (places.kept - coalesce(sum(lying.total), 0))::integer,
      (coalesce(sum(lying.counted) filter (where lying.bin = ''), 0))::integer
    from (
      select code as location, component_count - coalesce((not_kept_counts ->> code)::integer, 0) as kept
      from companies
      cross join unnest(${locations}::text[]) as offered (code)
      where tenant_id = ${tx.tenantId}::uuid
    ) as places
    left join lying on lying.location = places.location
    group by places.location, places.kept
    having places.kept > coalesce(sum(lying.total), 0)
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
