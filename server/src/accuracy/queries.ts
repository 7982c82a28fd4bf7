import type {
  AccuracyCause,
  AccuracyFigures,
  DifferingSku,
} from '@inventory-manager/contract/accuracy/endpoints'
import type { SkuOrder } from '@inventory-manager/contract/accuracy/rules'
import { settledReason } from '@inventory-manager/contract/discrepancies/rules'
import { sql, type RawBuilder } from 'kysely'
import { joinWhole, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { isDismissed } from '../stock/recorded-differences.ts'
import { stands } from '../stock/standing-attempts.ts'
import {
  atLocation,
  boundsOf,
  differs,
  monthOfPeriod,
  valuedDifferencesOf,
  type CostedScope,
} from './scope.ts'

/** Whether the pieces of a line are its own: those of one that another count has settled are that one's, and were booked with it. */
export const ownsPieces = sql<boolean>`
  ${differs}
    and (status <> 'dismissed' or reason is distinct from ${sql.lit(settledReason)} or ${isDismissed})
`

/** Pieces of lines that differ and what they are worth, never netted; those without a unit cost count nothing. */
const pieces = sql`
  coalesce(sum(greatest(expected - counted, 0)) filter (where ${ownsPieces}), 0)::float8 as missing,
  coalesce(sum(greatest(counted - expected, 0)) filter (where ${ownsPieces}), 0)::float8 as surplus,
  coalesce(sum(greatest(-value, 0)) filter (where ${ownsPieces}), 0)::float8 as missing_value,
  coalesce(sum(greatest(value, 0)) filter (where ${ownsPieces}), 0)::float8 as surplus_value
`

/**
 * The recorded entries of a difference but its last: the first attempt of all is none, nor is the first one after a reset, and under
 * strict blind counts numbers go on from an earlier difference.
 */
const replaced = (tx: Tx) => sql`
  case when attempts < 3 then 0 else (
    select greatest(count(*) - 1, 0) from count_attempts made
    where made.tenant_id = ${tx.tenantId}::uuid and made.discrepancy_id = differences.id
      and made.attempt > 1 and not made.starts_anew and ${stands(tx, { attempt: 'made', difference: 'differences' })}
  ) end
`

export type MonthRow = AccuracyFigures & {
  month: string
  location: string
  without_cost: number
  first_counts: number
}

/**
 * What each month and location with counts came to, newest first. Lines are the recorded entries of the roll-up, without
 * those that clients only reported, without those that a later entry for the same difference replaced, and without first
 * counts, which are told beside them.
 */
function months(tx: Tx, scope: CostedScope, differences: RawBuilder<unknown>) {
  const { firstDay, dayAfter, start, end } = boundsOf(scope)
  return sql`
    with scanned as (
      select to_char(day, 'YYYY-MM') as month, location, sum(scans) as entries
      from scan_days
      where tenant_id = ${tx.tenantId}::uuid and ${atLocation('location', scope)}
        and day >= ${firstDay} and day < ${dayAfter}
      group by 1, 2
    ),
    reported as (
      select to_char(counted_at at time zone ${scope.timeZone}, 'YYYY-MM') as month, location, count(*) as entries
      from count_history
      where tenant_id = ${tx.tenantId}::uuid and ${atLocation('location', scope)} and not sets_mark and undoes is null
        and id >= id_at(${start}) and id < id_at(${end})
      group by 1, 2
    ),
    periods as (
      select period_start, count_type, location, sum(${replaced(tx)}) as replaced,
        count(*) filter (where tolerated) as tolerated,
        count(*) filter (where ${differs} and not tolerated) as differing, count(*) filter (where is_first) as first_counts,
        count(*) filter (where ${differs} and unit_cost is null) as without_cost, ${pieces}
      from ${differences} differences
      group by 1, 2, 3
    ),
    different as (
      select ${monthOfPeriod(scope)} as month, location, sum(replaced) as replaced, sum(tolerated) as tolerated,
        sum(differing) as differing, sum(first_counts) as first_counts, sum(without_cost) as without_cost, sum(missing) as missing, sum(surplus) as surplus,
        sum(missing_value) as missing_value, sum(surplus_value) as surplus_value
      from periods
      group by 1, 2
    ),
    figures as (
      select month, location, coalesce(tolerated, 0)::integer as tolerated, coalesce(differing, 0)::integer as differing,
        (coalesce(scanned.entries, 0) - coalesce(reported.entries, 0) - coalesce(replaced, 0) - coalesce(first_counts, 0))::integer as counted,
        coalesce(first_counts, 0)::integer as first_counts, coalesce(without_cost, 0)::integer as without_cost,
        coalesce(missing, 0) as missing, coalesce(surplus, 0) as surplus,
        round(coalesce(missing_value, 0)::numeric, 4)::float8 as missing_value,
        round(coalesce(surplus_value, 0)::numeric, 4)::float8 as surplus_value
      from scanned
      left join reported using (month, location)
      full join different using (month, location)
    ),
    -- Where the time zone was changed, a difference at a month's edge may lie beside its count: it is told all the same.
    whole as (select *, greatest(counted, tolerated + differing) as lines from figures)
    select month, location, lines, lines - tolerated - differing as matched, tolerated, differing, without_cost,
      first_counts, missing, surplus, missing_value, surplus_value
    from whole
    where lines > 0 or first_counts > 0
    order by month desc, location
  `
}

export async function listMonths(tx: Tx, scope: CostedScope): Promise<MonthRow[]> {
  const { rows } = await sql<MonthRow>`${months(tx, scope, valuedDifferencesOf(tx, scope))}`.execute(tx.db)
  return rows
}

/** What became of lines that differ, most first. */
function causes(differences: RawBuilder<unknown>, limit: number) {
  return sql`
    select status, case when status in ('accepted', 'dismissed') then reason end as reason, count(*)::integer as lines,
      ${pieces}
    from ${differences} differences
    where ${differs}
    group by 1, 2
    order by lines desc, status, reason
    limit ${limit}
  `
}

/** The SKUs that differ most often or by most money; then by most pieces. */
function skus(tx: Tx, differences: RawBuilder<unknown>, { by, limit }: Named) {
  const first = by === 'value' ? sql`missing_value + surplus_value desc, ` : sql``
  return sql`
    with differing as (
      select component_id, count(*)::integer as lines, ${pieces}
      from ${differences} differences
      where ${differs}
      group by 1
    ),
    top as (
      select * from differing order by ${first}lines desc, missing + surplus desc, component_id limit ${limit}
    )
    select barcode as sku, description, lines, missing, surplus, missing_value, surplus_value
    from top
    cross join lateral (
      select barcode, description from components
      where components.tenant_id = ${tx.tenantId}::uuid and components.id = top.component_id
      offset 0
    ) as named
    order by ${first}lines desc, missing + surplus desc, barcode
  `
}

type Named = { by: SkuOrder; limit: number }

/** The rows of a query, in their order, as one value. */
function listOf(rows: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(listed), '[]') from (${rows}) as listed)`
}

type Accuracy = { locations: MonthRow[]; causes: AccuracyCause[]; skus: DifferingSku[] }

/**
 * What a scope came to by month and location, by cause and by SKU, of which so many are named. In one statement, because which differences
 * were recorded, and what each is worth, is found once for all three.
 */
export async function readAccuracy(tx: Tx, scope: CostedScope, named: Named): Promise<Accuracy> {
  // Costs are of as many components as there may be.
  if (scope.hasCosts) await joinWhole(tx)
  const found = sql.ref('found')
  const { rows } = await sql<Accuracy>`
    with found as materialized (select * from ${valuedDifferencesOf(tx, scope)} differences)
    select ${listOf(months(tx, scope, found))} as locations, ${listOf(causes(found, named.limit))} as causes,
      ${listOf(skus(tx, found, named))} as skus
  `.execute(tx.db)
  return onlyRow(rows)
}
