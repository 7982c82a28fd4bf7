import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { joinCosts } from '../stock/difference-costs.ts'
import { isFirstCount, isRecorded, isTolerated } from '../stock/recorded-differences.ts'

/** Months of the company's calendar, such as '2026-11', both included; at one location or everywhere. */
export type Scope = { from: string; until: string; location: LocationCode | undefined; timeZone: string }

const firstDay = (month: string) => sql<string>`to_date(${month}, 'YYYY-MM')`
const dayAfter = (month: string) => sql<string>`(to_date(${month}, 'YYYY-MM') + interval '1 month')::date`

/** A scope of a company that has said what components cost, or has not. */
export type CostedScope = Scope & { hasCosts: boolean }

/** The first day of a scope and the first one after it, and the instants at which they begin. */
export function boundsOf({ from, until, timeZone }: Scope) {
  return {
    firstDay: firstDay(from),
    dayAfter: dayAfter(until),
    start: sql<Date>`(${firstDay(from)}::timestamp at time zone ${timeZone})`,
    end: sql<Date>`(${dayAfter(until)}::timestamp at time zone ${timeZone})`,
  }
}

export function atLocation(column: string, { location }: Scope) {
  return location === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${location}`
}

/**
 * How far a period's beginning may lie from the calendar's: decided differences keep that of the time zone they were made
 * in. A week's count has a day, all others a month.
 */
const ofDay = sql`interval '12 hours'`
const ofMonth = sql`interval '15 days'`

/** The month of a difference's period: that of the nearest beginning of one. */
export function monthOfPeriod({ timeZone }: Scope) {
  return sql<string>`to_char(
    period_start at time zone ${timeZone} + case when count_type = 'weekly' then ${ofDay} else ${ofMonth} end, 'YYYY-MM'
  )`
}

type Instant = RawBuilder<Date>

function differencesWithin(tx: Tx, scope: Scope, written: (instant: Instant) => Instant) {
  const { firstDay: first, dayAfter: after } = boundsOf(scope)
  const near = (day: typeof first, reach: typeof ofDay) =>
    written(sql<Date>`((${day}::timestamp - ${reach}) at time zone ${scope.timeZone})`)
  return sql`(
    select discrepancies.*, ${isTolerated} as tolerated, ${isFirstCount} as is_first
    from discrepancies
    where tenant_id = ${tx.tenantId}::uuid and ${atLocation('location', scope)}
      and period_start >= ${near(first, ofMonth)} and period_start < ${near(after, ofDay)}
      and case when count_type = 'weekly' then period_start >= ${near(first, ofDay)}
        else period_start < ${near(after, ofMonth)} end
      and (${isRecorded(tx)} or ${isFirstCount})
  )`
}

/** Whether a count of one was other than the stock. Of a first one nobody knew what the stock was. */
export const differs = sql<boolean>`status <> 'matched' and not is_first`

/** Differences between counts that were recorded and the stock, and first counts, of the months of a scope. */
export function differencesOf(tx: Tx, scope: Scope) {
  return differencesWithin(tx, scope, (instant) => instant)
}

/**
 * The same for sums of all of them, with what one piece costs of each and what it is worth, with its sign: null where no cost is said.
 * The bounds are reckoned once, not for each row, which hides from the planner how many rows they leave.
 */
export function valuedDifferencesOf(tx: Tx, scope: CostedScope) {
  const differences = differencesWithin(tx, scope, (instant) => sql<Date>`(select ${instant})`)
  if (!scope.hasCosts) {
    return sql`(select *, null::numeric as unit_cost, null::numeric as value from ${differences} differences)`
  }
  return sql`(
    select differences.*, costs.unit_cost, round((counted - expected) * costs.unit_cost, 4) as value
    from ${differences} differences ${joinCosts(tx, 'differences')}
    -- Reckoned here: what is sorted or grouped by would else carry all costs of its component.
    offset 0
  )`
}
