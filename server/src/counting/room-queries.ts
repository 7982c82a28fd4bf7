import { sql } from 'kysely'
import type { NotKeptCounts } from '../stock/kept-queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { idBefore } from '../platform/db/time-ids.ts'

export const paceMinutes = 15

export type CounterRow = {
  location: string
  user_id: string
  user_name: string
  last_sku: string
  last_at: Date
  scans: number
}

/**
 * The counts of the last minutes that were not taken back, read along the key from that moment on, and when each was made: neither
 * what a device that was offline delivers late tells of who counts now, nor what another program only reports.
 */
function recentCounts({ tenantId }: Tx) {
  const since = sql`now() - make_interval(mins => ${paceMinutes}::integer)`
  const recent = sql`tenant_id = ${tenantId}::uuid and id >= ${idBefore(0)}::uuid and id >= (select id_at(${since}))`
  return sql`(
    select *, least(counted_at, created_at) as made_at from count_history
    where ${recent} and counted_at >= ${since} and undoes is null and sets_mark
      and id not in (select undoes from count_history where ${recent} and undoes is not null)
  )`
}

/** Who counted in the last minutes, by location. */
export async function listCounters(tx: Tx): Promise<CounterRow[]> {
  const { rows } = await sql<CounterRow>`
    select location, user_id, (array_agg(user_name order by id desc))[1] as user_name,
      (array_agg(sku order by id desc))[1] as last_sku, max(made_at) as last_at, count(*)::integer as scans
    from ${recentCounts(tx)} counts
    group by location, user_id
    order by location, last_at desc
  `.execute(tx.db)
  return rows
}

export type PaceRow = { location: string; skus: number; first_at: Date }

/** How many different SKUs were counted in the last minutes at each location, and since when. */
export async function listPaces(tx: Tx): Promise<PaceRow[]> {
  const { rows } = await sql<PaceRow>`
    select location, count(distinct sku)::integer as skus, min(made_at) as first_at
    from ${recentCounts(tx)} counts
    group by location
  `.execute(tx.db)
  return rows
}

type Standing = {
  now: Date
  components: number
  not_kept: NotKeptCounts
  counted: Record<string, number>
  differences: Record<string, number>
  recounts: Record<string, number>
  unknown_codes: Record<string, number>
}

/** How much of a table has a status, by location. */
function waitingByLocation(tx: Tx, table: 'discrepancies' | 'unknown_codes', status: 'open' | 'recount') {
  return sql`coalesce((
    select jsonb_object_agg(location, waiting) from (
      select location, count(*) as waiting from ${sql.table(table)}
      where tenant_id = ${tx.tenantId}::uuid and status = ${sql.lit(status)} group by location
    ) as of_location
  ), '{}')`
}

/** The roll-ups of a company: progress of the month, and what waits for a decision, by location. */
export async function getRoomStanding(tx: Tx): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select now() as now, component_count as components, not_kept_counts as not_kept,
      coalesce((
        select jsonb_object_agg(location, counted) from count_progress
        where tenant_id = ${tx.tenantId}::uuid and month_start = start_of_month(now(), companies.time_zone)
      ), '{}') as counted,
      ${waitingByLocation(tx, 'discrepancies', 'open')} as differences,
      ${waitingByLocation(tx, 'discrepancies', 'recount')} as recounts,
      ${waitingByLocation(tx, 'unknown_codes', 'open')} as unknown_codes
    from companies
    where tenant_id = ${tx.tenantId}::uuid
  `.execute(tx.db)
  return onlyRow(rows)
}
