import type { AccuracyFigures } from '@inventory-manager/contract/accuracy/endpoints'
import { settledReason } from '@inventory-manager/contract/discrepancies/rules'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { atLocation, boundsOf, differencesOf, monthOfPeriod, type Scope } from './scope.ts'

/** Whether the pieces of a line are its own: those of one that another count has settled are that one's, and were booked with it. */
const ownsPieces = sql`
  status <> 'matched' and (status <> 'dismissed' or reason is distinct from ${sql.lit(settledReason)})
`

/** Pieces of lines that differ, never netted. */
const pieces = sql`
  coalesce(sum(greatest(expected - counted, 0)) filter (where ${ownsPieces}), 0)::float8 as missing,
  coalesce(sum(greatest(counted - expected, 0)) filter (where ${ownsPieces}), 0)::float8 as surplus
`

/**
 * The recorded entries of a difference but its last: the first attempt of all is none, and under strict blind counts numbers
 * go on from an earlier difference.
 */
const replaced = (tx: Tx) => sql`
  case when attempts < 3 then 0 else (
    select greatest(count(distinct attempt) - 1, 0) from count_attempts made
    where made.tenant_id = ${tx.tenantId}::uuid and made.discrepancy_id = differences.id
      and attempt between 2 and differences.attempts
  ) end
`

type MonthRow = AccuracyFigures & { month: string; location: string }

/**
 * What each month and location with counts came to, newest first. Lines are the recorded entries of the roll-up, without
 * those that clients only reported, and without those that a later entry for the same difference replaced.
 */
export async function listMonths(tx: Tx, scope: Scope): Promise<MonthRow[]> {
  const { firstDay, dayAfter, start, end } = boundsOf(scope)
  const { rows } = await sql<MonthRow>`
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
        count(*) filter (where status <> 'matched' and not tolerated) as differing, ${pieces}
      from ${differencesOf(tx, scope)} differences
      group by 1, 2, 3
    ),
    different as (
      select ${monthOfPeriod(scope)} as month, location, sum(replaced) as replaced, sum(tolerated) as tolerated,
        sum(differing) as differing, sum(missing) as missing, sum(surplus) as surplus
      from periods
      group by 1, 2
    ),
    figures as (
      select month, location, coalesce(tolerated, 0)::integer as tolerated, coalesce(differing, 0)::integer as differing,
        (scanned.entries - coalesce(reported.entries, 0) - coalesce(replaced, 0))::integer as counted,
        coalesce(missing, 0) as missing, coalesce(surplus, 0) as surplus
      from scanned
      left join reported using (month, location)
      left join different using (month, location)
    ),
    -- Where the time zone was changed, a difference at a month's edge may lie beside its count.
    whole as (select *, greatest(counted, tolerated + differing) as lines from figures)
    select month, location, lines, lines - tolerated - differing as matched, tolerated, differing, missing, surplus
    from whole
    where lines > 0
    order by month desc, location
  `.execute(tx.db)
  return rows
}

type CauseRow = { status: string; reason: string | null; lines: number; missing: number; surplus: number }

/** What became of lines that differ, most first. */
export async function listCauses(tx: Tx, scope: Scope, limit: number): Promise<CauseRow[]> {
  const { rows } = await sql<CauseRow>`
    select status, case when status in ('accepted', 'dismissed') then reason end as reason, count(*)::integer as lines,
      ${pieces}
    from ${differencesOf(tx, scope)} differences
    where status <> 'matched'
    group by 1, 2
    order by lines desc, status, reason
    limit ${limit}
  `.execute(tx.db)
  return rows
}

type SkuRow = { sku: string; description: string; lines: number; missing: number; surplus: number }

/** The SKUs that differ most often, then by most pieces. */
export async function listSkus(tx: Tx, scope: Scope, limit: number): Promise<SkuRow[]> {
  const { rows } = await sql<SkuRow>`
    with top as (
      select component_id, count(*)::integer as lines, ${pieces}
      from ${differencesOf(tx, scope)} differences
      where status <> 'matched'
      group by 1
      order by lines desc, coalesce(sum(abs(counted - expected)) filter (where ${ownsPieces}), 0) desc, component_id
      limit ${limit}
    )
    select components.barcode as sku, components.description, top.lines, top.missing, top.surplus
    from top
    join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = top.component_id
    order by top.lines desc, top.missing + top.surplus desc, components.barcode
  `.execute(tx.db)
  return rows
}
