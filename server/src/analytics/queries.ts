import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

/** Scans of each day there were any, oldest first, with the running total. */
export async function listProgress(tx: Tx, location: LocationCode | undefined) {
  let query = tx.db
    .selectFrom('scan_days')
    .select((eb) => ['day', eb.cast<number>(eb.fn.sum('scans'), 'integer').as('scans')])
    .select(sql<number>`sum(sum(scans)) over (order by day)::integer`.as('cumulative'))
    .where('tenant_id', '=', tx.tenantId)
  if (location !== undefined) query = query.where('location', '=', location)
  return await query
    .groupBy('day')
    .having((eb) => eb.fn.sum('scans'), '>', 0)
    .orderBy('day')
    .execute()
}

/** The most scanned SKUs, here or everywhere. */
export async function listTopSkus(
  tx: Tx,
  { location, limit }: { location: LocationCode | undefined; limit: number },
) {
  let counted = tx.db
    .selectFrom('stock')
    .select((eb) => ['component_id', eb.cast<number>(eb.fn.sum('scans'), 'integer').as('scans')])
    .where('tenant_id', '=', tx.tenantId)
    .where('scans', '>', 0)
  if (location !== undefined) counted = counted.where('location', '=', location)
  return await tx.db
    // Chosen before they are named; those with as many as the last are sorted by their names.
    .selectFrom(
      counted.groupBy('component_id').orderBy('scans', 'desc').fetch(limit, 'with ties').as('counted'),
    )
    .innerJoin('components', 'components.id', 'counted.component_id')
    .select(['components.id', 'components.barcode as sku', 'components.description', 'counted.scans'])
    .where('components.tenant_id', '=', tx.tenantId)
    .orderBy('counted.scans', 'desc')
    .orderBy('components.barcode')
    .limit(limit)
    .execute()
}

/** Scans of components at each location they were scanned at. */
export async function listScansByLocation(tx: Tx, componentIds: string[]) {
  if (componentIds.length === 0) return []
  return await tx.db
    .selectFrom('stock')
    .select(['component_id', 'location', 'scans'])
    .where('tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`component_id = any (${componentIds}::uuid[])`)
    .where('scans', '>', 0)
    .execute()
}

/** Every day of the last weeks, Monday first, of the company's calendar, with its scans. */
export async function listWeeks(
  tx: Tx,
  { location, weeks, timeZone }: { location: LocationCode; weeks: number; timeZone: string },
) {
  const { rows } = await sql<{ week_start: string; day: string; scans: number }>`
    with this_week as (
      select date_trunc('week', now() at time zone ${timeZone})::date as monday
    )
    select (date_trunc('week', days.day))::date as week_start, days.day::date as day, coalesce(scan_days.scans, 0) as scans
    from this_week
    -- Without a time zone: in that of the database, a midnight may be left out.
    cross join generate_series(
      (monday - 7 * (${weeks}::integer - 1))::timestamp, (monday + 6)::timestamp, interval '1 day'
    ) as days (day)
    left join scan_days on scan_days.tenant_id = ${tx.tenantId}::uuid and scan_days.location = ${location}
      and scan_days.day = days.day::date
    order by days.day
  `.execute(tx.db)
  return rows
}
