import type { LocationCode } from '@inventory-manager/contract/locations'
import type { KeptRefusal } from '@inventory-manager/contract/stock/kept-endpoints'
import { sql, type ExpressionBuilder } from 'kysely'
import { joinWhole, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { DB } from '../platform/db/schema.ts'

/** How many components each location leaves out, by its code; nothing of one that keeps all. */
export type NotKeptCounts = Readonly<Record<string, number>>

/** How many of the components in use a location keeps. */
export function keptOf(components: number, notKept: NotKeptCounts, location: string): number {
  return components - (notKept[location] ?? 0)
}

/** Only components that a location keeps, of a statement that reads them. */
export function isKept({ tenantId }: Tx, location: LocationCode) {
  return sql`not exists (
    select from not_kept
    where not_kept.tenant_id = ${tenantId}::uuid and not_kept.location = ${location} and not_kept.component_id = components.id
  )`
}

/** Whether one of the locations leaves a component out. */
export function isNotKept(tx: Tx, locations: readonly LocationCode[]) {
  return (eb: ExpressionBuilder<DB, 'components'>) =>
    eb.exists(
      eb
        .selectFrom('not_kept')
        .select('component_id')
        .where('not_kept.tenant_id', '=', tx.tenantId)
        .where('not_kept.location', 'in', locations)
        .whereRef('not_kept.component_id', '=', 'components.id'),
    )
}

/** Which of some locations leave components out, by their ids. */
export async function mapNotKeptAt(
  tx: Tx,
  rows: readonly { id: string }[],
  at: readonly LocationCode[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = await tx.db
    .selectFrom('not_kept')
    .select(['component_id', 'location'])
    .where('tenant_id', '=', tx.tenantId)
    .where('location', 'in', at)
    .where('component_id', '=', sql<string>`any (${rows.map(({ id }) => id)}::uuid[])`)
    .execute()
  const places = new Map<string, Set<string>>()
  for (const { component_id: id, location } of found) {
    places.set(id, (places.get(id) ?? new Set()).add(location))
  }
  return places
}

/** Which locations leave a component out. */
export async function listNotKeptAt(tx: Tx, componentId: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('not_kept')
    .select('location')
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', componentId)
    .execute()
  return rows.map(({ location }) => location)
}

/**
 * What a location keeps without having anything to do with it: neither stock nor what is said of it there. By `not exists`, whose join
 * takes as many as there are; what `not in` reads is compared with each row where it is believed not to fit into memory.
 */
function emptyAt(tx: Tx, location: LocationCode) {
  const there = sql`tenant_id = ${tx.tenantId}::uuid and location = ${location}`
  return sql`(
    select id from components
    where tenant_id = ${tx.tenantId}::uuid and retired_at is null and not exists (select from (
      select component_id from not_kept where ${there}
      union all
      select component_id from stock where ${there} and quantity > 0
      union all
      select component_id from placements where ${there}
      union all
      select component_id from high_volume_assignments where ${there}
      union all
      select component_id from transfers
      where tenant_id = ${tx.tenantId}::uuid and to_location = ${location} and status = 'in_transit'
      union all
      select component_id from discrepancies where ${there} and status in ('attempted', 'open', 'recount')
    ) as known where known.component_id = components.id)
  )`
}

export async function listEmpty(tx: Tx, location: LocationCode): Promise<string[]> {
  await joinWhole(tx)
  const { rows } = await sql<{ id: string }>`select id from ${emptyAt(tx, location)} as empty`.execute(tx.db)
  return rows.map(({ id }) => id)
}

type KeptFigures = { components: number; not_kept: NotKeptCounts; empty: number }

export async function countKeptAt(tx: Tx, location: LocationCode): Promise<KeptFigures> {
  await joinWhole(tx)
  const { rows } = await sql<KeptFigures>`
    select component_count as components, not_kept_counts as not_kept,
      (select count(*)::integer from ${emptyAt(tx, location)} as empty) as empty
    from companies
    where tenant_id = ${tx.tenantId}::uuid
  `.execute(tx.db)
  return onlyRow(rows)
}

/** How many components a location leaves out. */
export async function countNotKept(tx: Tx, location: LocationCode): Promise<number> {
  const { count } = await tx.db
    .selectFrom('companies')
    .select(sql<number>`coalesce((not_kept_counts ->> ${location}::text)::integer, 0)`.as('count'))
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirstOrThrow()
  return count
}

export async function listNotKept(tx: Tx, location: LocationCode): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('not_kept')
    .select('component_id')
    .where('tenant_id', '=', tx.tenantId)
    .where('location', '=', location)
    .execute()
  return rows.map((row) => row.component_id)
}

/** Has a location keep components, and gives the ids of those that it left out before. Nothing may be locked after it. */
export async function keepAt(tx: Tx, location: LocationCode, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ kept: string[] }>`
    select keep_at(${tx.tenantId}::uuid, ${location}, ${ids}::uuid[]) as kept
  `.execute(tx.db)
  return onlyRow(rows).kept
}

type LeftOut = { id: string; barcode: string } & { outcome: 'left_out' | 'already' | 'retired' | KeptRefusal }

/** Has a location leave components out, and tells of each what came of it. */
export async function leaveOut(tx: Tx, location: LocationCode, ids: readonly string[]): Promise<LeftOut[]> {
  const { rows } = await sql<LeftOut>`
    select component_id as id, barcode, outcome from leave_out(${tx.tenantId}::uuid, ${location}, ${ids}::uuid[])
  `.execute(tx.db)
  return rows
}
