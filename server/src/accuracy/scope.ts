import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

/** Months of the company's calendar, such as '2026-11', both included; at one location or everywhere. */
export type Scope = { from: string; until: string; location: LocationCode | undefined; timeZone: string }

/** The present month of a time zone, by the database's clock. */
export async function getThisMonth(tx: Tx, timeZone: string): Promise<string> {
  const { rows } = await sql<{ month: string }>`
    select to_char(now() at time zone ${timeZone}, 'YYYY-MM') as month
  `.execute(tx.db)
  const [row] = rows
  if (row === undefined) throw new Error('A select without from always answers.')
  return row.month
}

const firstDay = (month: string) => sql<string>`to_date(${month}, 'YYYY-MM')`
const dayAfter = (month: string) => sql<string>`(to_date(${month}, 'YYYY-MM') + interval '1 month')::date`

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
 * Differences between counts that were recorded and the stock, with the month they belong to. A first entry that nobody
 * repeated is no count yet. The nearest midnight decides the month, because decided differences keep the midnight of the
 * time zone they were made in.
 */
export function differencesOf(tx: Tx, scope: Scope) {
  const { start, end, firstDay: first, dayAfter: after } = boundsOf(scope)
  const day = sql`(period_start at time zone ${scope.timeZone} + interval '12 hours')`
  return sql`(
    select discrepancies.*, to_char(${day}, 'YYYY-MM') as month,
      status = 'accepted' and reason = 'Within tolerance' and decided_by = 'Count tolerance' as tolerated
    from discrepancies
    where tenant_id = ${tx.tenantId}::uuid and ${atLocation('location', scope)}
      and period_start >= ${start} - interval '1 day' and period_start < ${end} + interval '1 day'
      and ${day} >= ${first} and ${day} < ${after}
      and (attempts > 1 or status = 'accepted')
  )`
}
