import { dayAfter, spotDaysListed } from '@inventory-manager/contract/counting/spot-count-rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { findByKeys, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { isKept } from '../stock/kept-queries.ts'

/** The first day of which spot counts are still listed. */
const firstListed = (today: string) => dayAfter(today, -spotDaysListed)

/** Which spot counts are listed: of a day, and of whom alone; null for everybody's. */
type Listed = { today: string; userId: string | null }

/** Only spot counts that are listed, of a statement that reads them. */
function isListed(tx: Tx, { today, userId }: Listed) {
  return sql`spot.tenant_id = ${tx.tenantId}::uuid and spot.due_on >= ${firstListed(today)}::date
    and (${userId}::uuid is null or spot.user_id is null or spot.user_id = ${userId}::uuid)`
}

type SpotCountRow = {
  id: string
  location: LocationCode
  user_id: string | null
  user_name: string | null
  due_on: string
  created_by: string
  created_at: Date
  counted: number
  total: number
}

/** Spot counts of some locations by their days, with how far each is; without those of people who are not active. */
export async function listSpotCounts(
  tx: Tx,
  { locations, ...listed }: Listed & { locations: readonly LocationCode[] },
): Promise<SpotCountRow[]> {
  await findByKeys(tx)
  const { rows } = await sql<SpotCountRow>`
    select spot.id, spot.location, spot.user_id, users.name as user_name, spot.due_on::text as due_on,
      spot.created_by, spot.created_at, progress.counted, progress.total
    from spot_counts spot
    left join users on users.tenant_id = ${tx.tenantId}::uuid and users.id = spot.user_id
    cross join lateral (
      select count(*)::integer as total,
        (count(*) filter (where stock.counted_at >= spot.created_at))::integer as counted
      from unnest(spot.component_ids) as asked (component_id)
      join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = asked.component_id
        and components.retired_at is null
      left join stock on stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = components.id
        and stock.location = spot.location
      where not exists (
        select from not_kept
        where not_kept.tenant_id = ${tx.tenantId}::uuid and not_kept.location = spot.location
          and not_kept.component_id = components.id
      )
      offset 0
    ) as progress
    where ${isListed(tx, listed)} and spot.location = any (${locations}::text[])
      and (spot.user_id is null or users.active)
    order by spot.due_on, spot.id
  `.execute(tx.db)
  return rows
}

/** How many spot counts of a company are listed, of whomever. */
export async function countSpotCounts(tx: Tx, today: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from spot_counts spot where ${isListed(tx, { today, userId: null })}
  `.execute(tx.db)
  return onlyRow(rows).count
}

type SpotSkuRow = { barcode: string; asked_at: Date; due_on: string }

/** What is left at a location of the spot counts that somebody is asked to count, each SKU once. */
export async function listSpotSkus(
  tx: Tx,
  { location, ...listed }: Listed & { location: LocationCode },
): Promise<SpotSkuRow[]> {
  await findByKeys(tx)
  const { rows } = await sql<SpotSkuRow>`
    select components.barcode, max(spot.created_at) as asked_at, min(spot.due_on)::text as due_on
    from spot_counts spot
    cross join lateral unnest(spot.component_ids) as asked (component_id)
    join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = asked.component_id
      and components.retired_at is null
    left join stock on stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = components.id
      and stock.location = ${location}
    where ${isListed(tx, listed)} and spot.location = ${location} and ${isKept(tx, location)}
      and coalesce(stock.counted_at < spot.created_at, true)
    group by components.barcode
    order by components.barcode
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
    select distinct components.barcode
    from spot_counts spot
    cross join lateral unnest(spot.component_ids) as asked (component_id)
    join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = asked.component_id
    left join stock on stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = components.id
      and stock.location = ${location}
    where ${isListed(tx, listed)} and spot.location = ${location}
      and (${id}::uuid is null or spot.id = ${id}::uuid)
      and (not ${isPendingOnly}::boolean or coalesce(stock.counted_at < spot.created_at, true))
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
}

export async function saveSpotCount(
  tx: Tx,
  { location, ids, userId, dueOn, createdBy }: Wanted,
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
