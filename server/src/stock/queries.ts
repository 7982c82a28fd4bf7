import type { LocationCode } from '@inventory-manager/contract/locations'
import type { AdjustReason } from '@inventory-manager/contract/stock/adjusting'
import { places, type Place } from '@inventory-manager/contract/stock/places'
import { sql } from 'kysely'
import { findByWholeKeys, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { Actor } from '../platform/http/identity.ts'
import { aliasesOfEach, packsOfEach } from './alias-queries.ts'
import { componentNotFound } from './component-not-found.ts'
import { keepAt } from './kept-queries.ts'
import { placementsOfEach } from './placement-queries.ts'

export type StockRow = {
  location: Place
  quantity: number
  countedAt: string | null
  countedSource: string | null
  weeklyCountedAt: string | null
}

export type AssignmentRow = { day: string; location: LocationCode }

/** Components with their stock rows and high-volume assignments, as jsonb lists built in the database. */
function selectComponents(tx: Tx) {
  return tx.db
    .selectFrom('components')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('stock')
          .where('stock.tenant_id', '=', tx.tenantId)
          .whereRef('stock.component_id', '=', 'components.id')
          .select(
            sql<StockRow[]>`coalesce(jsonb_agg(jsonb_build_object(
              'location', location, 'quantity', quantity, 'countedAt', counted_at, 'countedSource', counted_source,
              'weeklyCountedAt', weekly_counted_at
            )), '[]')`.as('stock'),
          )
          .as('held'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('high_volume_assignments as assigned')
          .where('assigned.tenant_id', '=', tx.tenantId)
          .whereRef('assigned.component_id', '=', 'components.id')
          .select(
            sql<AssignmentRow[]>`coalesce(jsonb_agg(jsonb_build_object(
              'day', day, 'location', location
            ) order by day, location), '[]')`.as('assignments'),
          )
          .as('planned'),
      (join) => join.onTrue(),
    )
    .select([
      'components.id',
      'components.barcode',
      'components.description',
      aliasesOfEach(tx).as('aliases'),
      packsOfEach(tx).as('packs'),
      placementsOfEach(tx).as('placements'),
    ])
    .select((eb) => [
      eb.ref('held.stock').$notNull().as('stock'),
      eb.ref('planned.assignments').$notNull().as('assignments'),
    ])
    .where('components.tenant_id', '=', tx.tenantId)
}

export type ComponentRow = Awaited<ReturnType<typeof listComponentsOfDay>>[number]

/**
 * The components on the list of a day and location, by barcode. With them are those on no day's list there any more of which a
 * recount waits, as record_count takes them.
 */
export async function listComponentsOfDay(
  tx: Tx,
  { day, location }: { day: string; location: LocationCode },
) {
  return await selectComponents(tx)
    .where(
      sql<boolean>`components.id in (
        select component_id from high_volume_assignments
        where tenant_id = ${tx.tenantId}::uuid and location = ${location} and day = ${day}
        union
        select component_id from discrepancies
        where tenant_id = ${tx.tenantId}::uuid and location = ${location}
          and count_type = 'weekly' and status = 'recount'
          and not exists (
            select from high_volume_assignments listed
            where listed.tenant_id = ${tx.tenantId}::uuid and listed.component_id = discrepancies.component_id
              and listed.location = ${location}
          )
      )`,
    )
    .orderBy('components.barcode')
    .execute()
}

/** A component with its stock and its weekly counts. */
export async function getComponentWithStock(tx: Tx, barcode: string): Promise<ComponentRow> {
  const row = await selectComponents(tx).where('components.barcode', '=', barcode).executeTakeFirst()
  if (row === undefined) throw componentNotFound()
  return row
}

export async function countComponents(tx: Tx): Promise<number> {
  const company = await tx.db
    .selectFrom('companies')
    .select('component_count')
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirstOrThrow()
  return company.component_count
}

type LedgerFault = { barcode: string; location: string; quantity: number; moved: number }

/** Where stock differs from the sum of its movements, also where one of them is missing: nowhere, or something is badly wrong. */
export async function listLedgerFaults(tx: Tx): Promise<LedgerFault[]> {
  const { rows } = await sql<LedgerFault>`
    select components.barcode, both_sides.location, both_sides.quantity, both_sides.moved
    from (
      select component_id, location, sum(quantity)::float8 as quantity, sum(delta)::float8 as moved
      from (
        select component_id, location, quantity, 0 as delta from stock where tenant_id = ${tx.tenantId}::uuid
        union all
        select component_id, location, 0, delta from movements where tenant_id = ${tx.tenantId}::uuid
      ) as entries
      group by component_id, location
      having sum(quantity) <> sum(delta)
    ) as both_sides
    join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = both_sides.component_id
    order by components.barcode, both_sides.location
  `.execute(tx.db)
  return rows
}

/** The stock of components by barcode and location; of one that is nowhere an empty map, of what is none nothing. */
export async function mapStock(
  tx: Tx,
  barcodes: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  await findByWholeKeys(tx)
  const rows = await tx.db
    .selectFrom('components')
    .leftJoin('stock', (join) =>
      join
        .onRef('stock.tenant_id', '=', 'components.tenant_id')
        .onRef('stock.component_id', '=', 'components.id'),
    )
    .select(['components.barcode', 'stock.location', 'stock.quantity'])
    .where('components.tenant_id', '=', tx.tenantId)
    .where('components.barcode', '=', sql<string>`any (${barcodes}::text[])`)
    .execute()
  const stock = new Map<string, Map<string, number>>()
  for (const { barcode, location, quantity } of rows) {
    const own = stock.get(barcode) ?? new Map<string, number>()
    stock.set(barcode, location === null ? own : own.set(location, quantity ?? 0))
  }
  return stock
}

export type ImportRow = {
  barcode: string
  description: string | null
  /** An older form of the high-volume configuration, kept until it is migrated. */
  high_volume: unknown
  stock: { location: Place; quantity: number }[]
}

/** How many there are of each, which descriptions changed as far as they are named, and the barcodes of those that came back. */
type ImportOutcome = {
  created: number
  updated: number
  unchanged: number
  described: number
  descriptions: { sku: string; before: string; after: string }[]
  reinstated: string[]
}

/** Creates and updates components through the ledger; each barcode once. */
export async function importRows(
  tx: Tx,
  actor: Actor,
  { rows, keepExisting }: { rows: ImportRow[]; keepExisting: boolean },
): Promise<ImportOutcome> {
  const each = <T>(value: (row: ImportRow) => T) => rows.map(value)
  const quantities = places.map(
    (place) =>
      sql`${each(({ stock }) => stock.find(({ location }) => location === place)?.quantity ?? null)}::integer[]`,
  )
  const highVolume = each((row) => (row.high_volume === null ? null : JSON.stringify(row.high_volume)))
  const result = await sql<{ outcome: ImportOutcome }>`
    select import_components(
      ${tx.tenantId}::uuid, ${each(({ barcode }) => barcode)}::text[],
      ${each(({ description }) => description ?? '')}::text[], ${sql.join(quantities)}, ${highVolume}::jsonb[],
      ${keepExisting}, ${actor.userId}::uuid, ${actor.userName}
    ) as outcome
  `.execute(tx.db)
  return onlyRow(result.rows).outcome
}

type StockMove = {
  componentId: string
  location: LocationCode
  difference: number
  cause: AdjustReason | 'discrepancy'
  note: string
}

/** Posts a difference to today's stock, whatever that is; false, and nothing done, where it would fall below 0. */
export async function moveStock(tx: Tx, actor: Actor, move: StockMove): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`
    select move_stock(
      ${tx.tenantId}::uuid, ${move.componentId}::uuid, ${move.location}, ${move.difference}, ${move.cause},
      ${move.note}, ${actor.userId}::uuid, ${actor.userName}
    ) as moved
  `.execute(tx.db)
  return onlyRow(rows).moved
}

/** Sets one stock row, posts the difference as a movement, and gives what it was; of no difference nothing is written. */
export async function setStock(
  tx: Tx,
  actor: Actor,
  change: { componentId: string; location: LocationCode; quantity: number; note: string },
): Promise<number> {
  const stockRow = { tenant_id: tx.tenantId, component_id: change.componentId, location: change.location }
  await tx.db
    .insertInto('stock')
    .values({ ...stockRow, quantity: 0 })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'component_id', 'location']).doNothing())
    .execute()
  const { quantity: before } = await tx.db
    .selectFrom('stock')
    .select('quantity')
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', change.componentId)
    .where('location', '=', change.location)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before === change.quantity) return before
  await tx.db
    .insertInto('movements')
    .values({
      ...stockRow,
      delta: change.quantity - before,
      quantity_after: change.quantity,
      cause: 'correction',
      note: change.note,
      user_id: actor.userId,
      user_name: actor.userName,
    })
    .execute()
  await tx.db
    .updateTable('stock')
    .set({ quantity: change.quantity })
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', change.componentId)
    .where('location', '=', change.location)
    .execute()
  if (change.quantity > before) await keepAt(tx, change.location, [change.componentId])
  return before
}
