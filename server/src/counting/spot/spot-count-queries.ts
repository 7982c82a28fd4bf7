import { dayAfter } from '@inventory-manager/contract/calendar'
import {
  skusNamed,
  spotDaysAhead,
  spotDaysListed,
} from '@inventory-manager/contract/counting/spot/spot-count-rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { findByKeys, type Tx } from '../../platform/db/database.ts'
import { idAhead, idBefore } from '../../platform/db/time-ids.ts'
import { isKept } from '../../stock/kept-queries.ts'

/** The first day of which spot counts are still listed. */
const firstListed = (today: string) => dayAfter(today, -spotDaysListed)

/** Which spot counts are listed: of a day, and of whom alone; null for everybody's. */
type Listed = { today: string; userId: string | null }

/** Only spot counts that are listed, of a statement that reads them: not those of people who may no longer sign in. */
function isListed(tx: Tx, { today, userId }: Listed) {
  return sql`spot.tenant_id = ${tx.tenantId}::uuid and spot.due_on >= ${firstListed(today)}::date
    and (${userId}::uuid is null or spot.user_id is null or spot.user_id = ${userId}::uuid)
    and (spot.user_id is null or exists (
      select from users
      where users.tenant_id = ${tx.tenantId}::uuid and users.id = spot.user_id and users.active
    ))`
}

/**
 * Whether the stock of a component that is asked for has a mark from since then. It is that of a count in the history that stands, and goes
 * with it.
 */
function isMarked(tx: Tx) {
  return sql`exists (
    select from stock
    where stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = asked.component_id
      and stock.location = spot.location and stock.counted_at >= spot.created_at
    offset 0
  )`
}

/**
 * Whether a component was counted where a spot count is, since that was asked for. By the history where its mark does not say so: a reset
 * or a recount that is asked for later, which clear marks, must not open what was done long ago.
 */
function isCounted(tx: Tx) {
  const from = idBefore(spotDaysListed + spotDaysAhead)
  const below = idAhead()
  return sql`(${isMarked(tx)} or exists (
    select from count_history made
    where made.tenant_id = ${tx.tenantId}::uuid and made.sku = components.barcode and made.location = spot.location
      and made.id >= ${from}::uuid and made.id < ${below}::uuid and made.counted_at >= spot.created_at
      and made.undoes is null and made.sets_mark and not exists (
        select from count_history back
        where back.tenant_id = ${tx.tenantId}::uuid and back.sku = components.barcode
          and back.location = spot.location and back.id >= ${from}::uuid and back.id < ${below}::uuid
          and back.undoes = made.id
      )
  ))`
}

/** Whether there is something in a spot count that no mark says is counted: of what is done long ago, one look at each row of the stock. */
function mayBeLeft(tx: Tx) {
  return sql`exists (
    select from unnest(spot.component_ids) as asked (component_id)
    where not ${isMarked(tx)}
    offset 0
  )`
}

/**
 * The components of a spot count that are in use and kept where it is, and whether each is counted: looked up one by one, since joined
 * with the history as a whole they take ten times as long.
 */
function askedIn(tx: Tx) {
  return sql`(
    select components.barcode, ${isCounted(tx)} as is_counted
    from unnest(spot.component_ids) as asked (component_id)
    join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = asked.component_id
      and components.retired_at is null
    where not exists (
      select from not_kept
      where not_kept.tenant_id = ${tx.tenantId}::uuid and not_kept.location = spot.location
        and not_kept.component_id = components.id
    )
    offset 0
  )`
}

type SpotCountRow = {
  id: string
  location: LocationCode
  user_id: string | null
  user_name: string | null
  due_on: string
  created_by: string
  created_at: Date
  /** The recurring spot count that asked for it; null where somebody did. */
  schedule_id: string | null
  counted: number
  total: number
  first_skus: string[]
}

/**
 * Spot counts of some locations with how far each is: those that are not done by their days, then those that are, until their day is
 * over.
 */
export async function listSpotCounts(
  tx: Tx,
  { locations, ...listed }: Listed & { locations: readonly LocationCode[] },
): Promise<SpotCountRow[]> {
  await findByKeys(tx)
  const { rows } = await sql<SpotCountRow>`
    select spot.id, spot.location, spot.user_id, users.name as user_name, spot.due_on::text as due_on,
      spot.created_by, spot.created_at, spot.schedule_id, progress.counted, progress.total, progress.first_skus
    from spot_counts spot
    left join users on users.tenant_id = ${tx.tenantId}::uuid and users.id = spot.user_id
    cross join lateral (
      select count(*)::integer as total, (count(*) filter (where of_it.is_counted))::integer as counted,
        coalesce((array_agg(of_it.barcode order by of_it.barcode))[1:${skusNamed}::integer], '{}') as first_skus
      from ${askedIn(tx)} as of_it
    ) as progress
    where ${isListed(tx, listed)} and spot.location = any (${locations}::text[])
      and (spot.due_on >= ${listed.today}::date or ${mayBeLeft(tx)})
      and (progress.counted < progress.total or spot.due_on >= ${listed.today}::date)
    order by progress.counted >= progress.total, spot.due_on, spot.id
  `.execute(tx.db)
  return rows
}

type SpotSkuRow = { barcode: string; asked_at: Date; due_on: string }

/** What is left at a location of the spot counts that somebody is asked to count, each SKU once. */
export async function listSpotSkus(
  tx: Tx,
  { location, ...listed }: Listed & { location: LocationCode },
): Promise<SpotSkuRow[]> {
  await findByKeys(tx)
  const { rows } = await sql<SpotSkuRow>`
    select of_it.barcode, max(spot.created_at) as asked_at, min(spot.due_on)::text as due_on
    from spot_counts spot
    cross join lateral ${askedIn(tx)} as of_it
    where ${isListed(tx, listed)} and spot.location = ${location} and ${mayBeLeft(tx)} and not of_it.is_counted
    group by of_it.barcode
    order by of_it.barcode
  `.execute(tx.db)
  return rows
}

type Sheet = Listed & {
  location: LocationCode
  /** Of one spot count alone; null for all. */
  id: string | null
  isPendingOnly: boolean
}

/** The barcodes of listed spot counts at a location, of all SKUs or of what is left. */
export async function listSpotBarcodes(
  tx: Tx,
  { location, id, isPendingOnly, ...listed }: Sheet,
): Promise<string[]> {
  await findByKeys(tx)
  const { rows } = await sql<{ barcode: string }>`
    select distinct of_it.barcode
    from spot_counts spot
    cross join lateral ${askedIn(tx)} as of_it
    where ${isListed(tx, listed)} and spot.location = ${location}
      and (not ${isPendingOnly}::boolean or not of_it.is_counted)
      and (${id}::uuid is null or spot.id = ${id}::uuid)
  `.execute(tx.db)
  return rows.map(({ barcode }) => barcode)
}

/** Those of some components that are in use and kept at a location, with their barcodes. */
export async function findKept(
  tx: Tx,
  { location, ids }: { location: LocationCode; ids: readonly string[] },
): Promise<{ id: string; barcode: string }[]> {
  await findByKeys(tx)
  const { rows } = await sql<{ id: string; barcode: string }>`
    select components.id, components.barcode
    from components
    where components.tenant_id = ${tx.tenantId}::uuid and components.id = any (${ids}::uuid[])
      and components.retired_at is null and ${isKept(tx, location)}
    order by components.barcode
  `.execute(tx.db)
  return rows
}

type Wanted = {
  location: LocationCode
  ids: readonly string[]
  userId: string | null
  dueOn: string
  createdBy: string
  scheduleId: string | null
}

export async function createSpotCount(
  tx: Tx,
  { location, ids, userId, dueOn, createdBy, scheduleId }: Wanted,
): Promise<string> {
  const { id } = await tx.db
    .insertInto('spot_counts')
    .values({
      tenant_id: tx.tenantId,
      location,
      component_ids: [...ids],
      user_id: userId,
      due_on: dueOn,
      created_by: createdBy,
      schedule_id: scheduleId,
      // As exact as the moments of scans: those of the same millisecond are since then.
      created_at: sql<Date>`date_trunc('milliseconds', now())`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Removed = { location: string; user_id: string | null; due_on: string; skus: number }

/** What was taken back; null where there is none of this id. */
export async function removeSpotCount(tx: Tx, id: string): Promise<Removed | null> {
  const asked = await tx.db
    .selectFrom('spot_counts')
    .select([
      'location',
      'user_id',
      sql<string>`due_on::text`.as('due_on'),
      sql<number>`cardinality(component_ids)`.as('skus'),
    ])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  // The day as text is no answer that Citus lets a delete give.
  const removed = await tx.db
    .deleteFrom('spot_counts')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return removed === undefined ? null : (asked ?? null)
}
