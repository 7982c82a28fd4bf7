import { locationCodes, type LocationCode } from '@inventory-manager/contract/locations'
import type { Assignment } from '@inventory-manager/contract/stock/high-volume'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import type { AssignmentRow } from './queries.ts'

/** Replaces the assignments of a component, which whoever calls has locked, to days and locations. */
export async function replaceAssignments(
  tx: Tx,
  componentId: string,
  assignments: AssignmentRow[],
): Promise<void> {
  await tx.db
    .deleteFrom('high_volume_assignments')
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', componentId)
    .execute()
  await forgetWeeklyProgress(tx, locationCodes)
  await addAssignments(tx, componentId, assignments)
}

/** Adds assignments to those a component has. */
export async function addAssignments(
  tx: Tx,
  componentId: string,
  assignments: AssignmentRow[],
): Promise<void> {
  if (assignments.length === 0) return
  await sql`
    insert into high_volume_assignments (tenant_id, component_id, day, location)
    select ${tx.tenantId}::uuid, ${componentId}::uuid, day, location
    from unnest(
      ${assignments.map(({ day }) => day)}::text[], ${assignments.map(({ location }) => location)}::text[]
    ) as assignment (day, location)
    on conflict do nothing
  `.execute(tx.db)
  await forgetWeeklyProgress(tx, locationCodes)
}

/** Has the lists of these locations counted anew by whoever counts next: after anything is put on one or taken off (migration 0322). */
async function forgetWeeklyProgress(tx: Tx, locations: readonly LocationCode[]): Promise<void> {
  await sql`select forget_weekly_progress(${tx.tenantId}::uuid, ${[...locations]}::text[])`.execute(tx.db)
}

type DayList = { componentIds: string[]; day: Assignment['day']; location: LocationCode }

/** Puts components on a day's list; gives the ids of those that were not on it yet. */
export async function addToDay(tx: Tx, { componentIds, day, location }: DayList): Promise<string[]> {
  if (componentIds.length === 0) return []
  const { rows } = await sql<{ component_id: string }>`
    insert into high_volume_assignments (tenant_id, component_id, day, location)
    select ${tx.tenantId}::uuid, component_id, ${day}, ${location}
    from unnest(${componentIds}::uuid[]) as component_id
    on conflict do nothing
    returning component_id
  `.execute(tx.db)
  await forgetWeeklyProgress(tx, [location])
  return rows.map((row) => row.component_id)
}

/** Takes components off a day's list; gives the ids of those that were on it. */
export async function removeFromDay(tx: Tx, { componentIds, day, location }: DayList): Promise<string[]> {
  if (componentIds.length === 0) return []
  const removed = await tx.db
    .deleteFrom('high_volume_assignments')
    .where('tenant_id', '=', tx.tenantId)
    .where('day', '=', day)
    .where('location', '=', location)
    .where(sql<boolean>`component_id = any (${componentIds}::uuid[])`)
    .returning('component_id')
    .execute()
  await forgetWeeklyProgress(tx, [location])
  return removed.map((row) => row.component_id)
}

/** The barcodes of components, sorted. */
export async function listBarcodes(tx: Tx, ids: string[]): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('components')
    .select('barcode')
    .where('tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .orderBy('barcode')
    .execute()
  return rows.map(({ barcode }) => barcode)
}

/** Components, some or all, whose configuration still stands in an older form, locked. */
export async function lockOlderConfigurations(tx: Tx, ids?: string[]) {
  return await tx.db
    .selectFrom('components')
    .select(['id', 'barcode', 'older_high_volume'])
    .where('tenant_id', '=', tx.tenantId)
    .where('older_high_volume', 'is not', null)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any (${ids}::uuid[])`))
    .orderBy('barcode')
    .forNoKeyUpdate()
    .execute()
}

/** Keeps what of an older form is still to be read; null where nothing is. */
export async function setOlderConfiguration(
  tx: Tx,
  componentId: string,
  rest: readonly Assignment[] | null,
): Promise<void> {
  await tx.db
    .updateTable('components')
    .set({ older_high_volume: rest === null ? null : JSON.stringify(rest) })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', componentId)
    .execute()
}
