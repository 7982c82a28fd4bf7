import type { LocationCode } from '@inventory-manager/contract/locations'
import type { Placement } from '@inventory-manager/contract/stock/placement-endpoints'
import { sql, type ExpressionBuilder } from 'kysely'
import { holds } from '../platform/db/containing.ts'
import { findByKeys, joinWhole, type Tx } from '../platform/db/database.ts'
import type { DB } from '../platform/db/schema.ts'

/** The bins and minimums of each component that a statement selects, by location code. */
export function placementsOfEach(tx: Tx) {
  return sql<Placement[]>`coalesce((
    select jsonb_agg(jsonb_build_object('location', location, 'bin', bin, 'minimum', minimum) order by location)
    from placements placed
    where placed.tenant_id = ${tx.tenantId}::uuid and placed.component_id = components.id
  ), '[]')`
}

export async function listPlacements(tx: Tx, componentId: string): Promise<Placement[]> {
  return await tx.db
    .selectFrom('placements')
    .select(['location', 'bin', 'minimum'])
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', componentId)
    .execute()
}

/** The bins of a location that components in use lie in, in no order. */
export async function listBins(tx: Tx, location: LocationCode): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('placements')
    .innerJoin('components', (join) =>
      join
        .onRef('components.tenant_id', '=', 'placements.tenant_id')
        .onRef('components.id', '=', 'placements.component_id'),
    )
    .select('placements.bin')
    .distinct()
    .where('placements.tenant_id', '=', tx.tenantId)
    .where('placements.location', '=', location)
    .where('placements.bin', '<>', '')
    .where('components.retired_at', 'is', null)
    .execute()
  return rows.map(({ bin }) => bin)
}

/** The components in a bin of this pattern, at any location. */
export function inBins(tx: Tx, pattern: string) {
  return tx.db
    .selectFrom('placements')
    .select('component_id')
    .where('tenant_id', '=', tx.tenantId)
    .where(holds('bin', pattern))
}

/** What is low at some locations: components with less stock there than their minimum, once for each location. */
function lowAt(tx: Tx, locations: readonly LocationCode[]) {
  return tx.db
    .selectFrom('placements')
    .leftJoin('stock', (join) =>
      join
        .onRef('stock.tenant_id', '=', 'placements.tenant_id')
        .onRef('stock.component_id', '=', 'placements.component_id')
        .onRef('stock.location', '=', 'placements.location'),
    )
    .where('placements.tenant_id', '=', tx.tenantId)
    .where('placements.location', 'in', locations)
    .where(sql<boolean>`placements.minimum > coalesce(stock.quantity, 0)`)
}

/** Whether a component is low at one of the locations. */
export function isLowAt(tx: Tx, locations: readonly LocationCode[]) {
  return (eb: ExpressionBuilder<DB, 'components'>) =>
    eb('components.id', 'in', lowAt(tx, locations).select('placements.component_id'))
}

/**
 * As isLowAt, looked for component by component: read in their order and page by page, all pages together cost one look at each,
 * where a set of all that is low would be made for every page.
 */
export function isLowEach(tx: Tx, locations: readonly LocationCode[]) {
  const ofComponent = lowAt(tx, locations)
    .select('placements.component_id')
    .where('placements.component_id', '=', sql.ref<string>('components.id'))
    // Keeps PostgreSQL from making that set.
    .offset(0)
  return (eb: ExpressionBuilder<DB, 'components'>) => eb.exists(ofComponent)
}

/** How many components in use are low at one of the locations at least. */
export async function countLow(tx: Tx, locations: readonly LocationCode[]): Promise<number> {
  await Promise.all([findByKeys(tx), joinWhole(tx)])
  const { low } = await tx.db
    .selectFrom('components')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('low'))
    .where('tenant_id', '=', tx.tenantId)
    .where('retired_at', 'is', null)
    .where(isLowAt(tx, locations))
    .executeTakeFirstOrThrow()
  return low
}

/** A component at a location, with its bin and its minimum. */
export type Placed = { componentId: string; barcode: string; bin: string; minimum: number | null }

/** How some components are placed at a location, by their ids: of those that are not yet, without a bin and a minimum. */
export async function mapPlacements(
  tx: Tx,
  { ids, location }: { ids: readonly string[]; location: LocationCode },
): Promise<Map<string, Placed>> {
  await findByKeys(tx)
  const { rows } = await sql<Placed>`
    select components.id as "componentId", barcode, coalesce(bin, '') as bin, minimum
    from components
    left join placements on placements.tenant_id = ${tx.tenantId}::uuid
      and placements.component_id = components.id and placements.location = ${location}
    where components.tenant_id = ${tx.tenantId}::uuid and components.id = any (${ids}::uuid[])
  `.execute(tx.db)
  return new Map(rows.map((row) => [row.componentId, row]))
}

/** Places components at a location; those without a bin and a minimum lose their row. */
export async function savePlacements(
  tx: Tx,
  { placed, location }: { placed: readonly Placed[]; location: LocationCode },
): Promise<void> {
  const each = <T>(value: (row: Placed) => T) => placed.map(value)
  await sql`
    with given as (
      select component_id, bin, minimum
      from unnest(
        ${each(({ componentId }) => componentId)}::uuid[], ${each(({ bin }) => bin)}::text[],
        ${each(({ minimum }) => minimum)}::integer[]
      ) as given (component_id, bin, minimum)
    ), emptied as (
      delete from placements
      where tenant_id = ${tx.tenantId}::uuid and location = ${location}
        and component_id in (select component_id from given where bin = '' and minimum is null)
    )
    insert into placements as present (tenant_id, component_id, location, bin, minimum, bin_at, minimum_at)
    select ${tx.tenantId}::uuid, component_id, ${location}, bin, minimum, statement_timestamp(), statement_timestamp()
    from given
    where bin <> '' or minimum is not null
    on conflict (tenant_id, component_id, location) do update
    set bin = excluded.bin, minimum = excluded.minimum,
      bin_at = case when present.bin = excluded.bin then present.bin_at else excluded.bin_at end,
      minimum_at = case
        when present.minimum is not distinct from excluded.minimum then present.minimum_at
        else excluded.minimum_at
      end
  `.execute(tx.db)
}
