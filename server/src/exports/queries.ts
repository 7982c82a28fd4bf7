import type { AuditKind } from '@inventory-manager/contract/audit/rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import type { ComponentState } from '@inventory-manager/contract/stock/component-endpoints'
import { places, type Place } from '@inventory-manager/contract/stock/places'
import { soughtWords } from '@inventory-manager/contract/stock/sought-words'
import { sql } from 'kysely'
import { filteredTrail } from '../audit/queries.ts'
import { containing } from '../platform/db/containing.ts'
import { findByWholeKeys, type Tx } from '../platform/db/database.ts'
import { firstIdAt } from '../platform/db/time-ids.ts'
import { holdingEach, othersOfEach } from '../stock/alias-queries.ts'
import { isUncostedEach } from '../stock/cost-queries.ts'
import { isNotKept } from '../stock/kept-queries.ts'
import { isLowEach, placementsOfEach } from '../stock/placement-queries.ts'

/** How many rows are read at a time, each page in a short transaction of its own. */
export const pageRows = 2_000

/** What rows of a component's stock come to at a place. */
export function heldAt(place: Place) {
  return sql<number>`coalesce(sum(quantity) filter (where location = ${sql.lit(place)}), 0)::integer`
}

export type ComponentFilter = {
  text?: string | undefined
  state?: ComponentState | undefined
  /** Where what is low or not kept is looked for. */
  at: readonly LocationCode[]
}

/** Components by barcode with stock and last count over all locations, bins and minimums, and other barcodes. */
export async function listComponents(
  tx: Tx,
  { text = '', state, at, cursor }: ComponentFilter & { cursor: Cursor | null },
) {
  await findByWholeKeys(tx)
  let page = tx.db
    .selectFrom('components')
    .select(['id', 'barcode', 'description', placementsOfEach(tx).as('placements')])
    .select(othersOfEach(tx).as('others'))
    .where('tenant_id', '=', tx.tenantId)
    .where('retired_at', state === 'retired' ? 'is not' : 'is', null)
    .orderBy('barcode')
    .limit(pageRows)
  if (state === 'low') page = page.where(isLowEach(tx, at))
  if (state === 'not_kept') page = page.where(isNotKept(tx, at))
  if (state === 'uncosted') page = page.where(isUncostedEach(tx))
  if (text !== '') page = page.where(holdingEach(tx, text))
  if (cursor !== null) page = page.where('barcode', '>', cursor.below)
  const rows = await tx.db
    .selectFrom(page.as('page'))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('stock')
          .where('stock.tenant_id', '=', tx.tenantId)
          .whereRef('stock.component_id', '=', 'page.id')
          .select(places.map((place) => heldAt(place).as(place)))
          .select([
            sql<number>`coalesce(sum(quantity), 0)::float8`.as('total'),
            sql<Date | null>`max(counted_at)`.as('counted_at'),
            sql<
              string | null
            >`(array_agg(location order by counted_at desc) filter (where counted_at is not null))[1]`.as(
              'counted_location',
            ),
          ])
          .as('held'),
      (join) => join.onTrue(),
    )
    .selectAll('held')
    .select(['page.id', 'page.barcode', 'page.description', 'page.placements', 'page.others'])
    .orderBy('page.barcode')
    .execute()
  const last = rows.at(-1)
  const isLast = last === undefined || rows.length < pageRows
  return { rows, next: isLast ? null : { below: last.barcode, look: null } }
}

/** What narrows a list. How it is written does not: as a part of a filter it would have all of a list looked through in pieces. */
export type ListFilter = {
  format?: never
  names?: never
  sku?: string | undefined
  location?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

type Page = ListFilter & { cursor: Cursor | null }

/** Ids from one on and below another, where given; `isCut`: there may be more rows below the first of these. */
type Span = { from: string | undefined; below: string | undefined; isCut: boolean }

/** Where a page begins: below a key, and with what is looked through already chosen where the page before did not end it. */
export type Cursor = { below: string; look: Pick<Span, 'from' | 'isCut'> | null }

type Written = 'count_history' | 'movements' | 'discrepancies' | 'audit_entries'

/** How many rows a page looks through at the most for those that pass a filter. */
const lookLength = 100_000

/** What a filter may look through of a span: all of it, or its newest hundred thousand rows. */
async function cutSpan(tx: Tx, table: Written, span: Span): Promise<Span> {
  const below = span.below === undefined ? sql`` : sql`and id < ${span.below}::uuid`
  const from = span.from === undefined ? sql`` : sql`and id >= ${span.from}::uuid`
  const { rows } = await sql<{ id: string }>`
    select id
    from ${sql.table(table)}
    where tenant_id = ${tx.tenantId}::uuid ${below} ${from}
    order by id desc
    offset ${lookLength}
    limit 1
  `.execute(tx.db)
  const end = rows[0]?.id
  return end === undefined ? span : { ...span, from: end, isCut: true }
}

const dayMs = 86_400_000

/** Counts arrive up to a week later, and clocks may be a little ahead. */
const scanned = { before: 300_000, after: 8 * dayMs }

/** By how much rows may be written before and after the moment they tell of, in ms. */
const tellingOf: Record<Written, { before: number; after: number }> = {
  count_history: scanned,
  movements: { before: 0, after: 0 },
  discrepancies: scanned,
  audit_entries: { before: 0, after: 0 },
}

/** The ids among which a page is found, which are in order of time. */
async function spanOf(tx: Tx, table: Written, page: Page): Promise<Span> {
  const { from, to, cursor, ...filter } = page
  const { before, after } = tellingOf[table]
  if (cursor?.look != null) return { ...cursor.look, below: cursor.below }
  const span = {
    from: from && firstIdAt(from.getTime() - before),
    below: cursor?.below ?? (to && firstIdAt(to.getTime() + 1 + after)),
    isCut: false,
  }
  const isFiltered = Object.values(filter).some((part) => part !== undefined && part !== '')
  return isFiltered ? await cutSpan(tx, table, span) : span
}

/** The part of a list's where that all share. */
function within(tx: Tx, table: Written, { location, from, below }: Span & Pick<ListFilter, 'location'>) {
  const parts = [sql<boolean>`${sql.ref(`${table}.tenant_id`)} = ${tx.tenantId}::uuid`]
  if (location !== undefined) parts.push(sql`${sql.ref(`${table}.location`)} = ${location}`)
  if (from !== undefined) parts.push(sql`${sql.ref(`${table}.id`)} >= ${from}::uuid`)
  if (below !== undefined) parts.push(sql`${sql.ref(`${table}.id`)} < ${below}::uuid`)
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

/** Rows of a page, and the cursor of the next one; null after the last. */
type Found<Row> = { rows: Row[]; next: Cursor | null }

function found<Row extends { id: string }>(rows: Row[], { from, isCut }: Span): Found<Row> {
  const last = rows.at(-1)
  if (last !== undefined && rows.length === pageRows)
    return { rows, next: { below: last.id, look: { from, isCut } } }
  return { rows, next: isCut && from !== undefined ? { below: from, look: null } : null }
}

export async function listCounts(tx: Tx, page: Page) {
  const span = await spanOf(tx, 'count_history', page)
  let query = tx.db
    .selectFrom('count_history')
    .selectAll()
    .where(within(tx, 'count_history', { ...span, location: page.location }))
    .orderBy('id', 'desc')
    .limit(pageRows)
  if (page.sku !== undefined) query = query.where('sku', 'ilike', containing(page.sku))
  if (page.from !== undefined) query = query.where('counted_at', '>=', page.from)
  if (page.to !== undefined) query = query.where('counted_at', '<', new Date(page.to.getTime() + 1))
  return found(await query.execute(), span)
}

export async function listMovements(tx: Tx, page: Page) {
  await findByWholeKeys(tx)
  const span = await spanOf(tx, 'movements', page)
  let query = tx.db
    .selectFrom('movements')
    .innerJoin('components', (join) =>
      join
        .onRef('components.tenant_id', '=', 'movements.tenant_id')
        .onRef('components.id', '=', 'movements.component_id'),
    )
    .selectAll('movements')
    .select(['components.barcode as sku', 'components.description'])
    .where(within(tx, 'movements', { ...span, location: page.location }))
    .orderBy('movements.id', 'desc')
    .limit(pageRows)
  if (page.sku !== undefined) query = query.where('components.barcode', 'ilike', containing(page.sku))
  return found(await query.execute(), span)
}

export type DiscrepancyFilter = ListFilter & {
  status?: string | undefined
  count_type?: string | undefined
  /** Words, each of them a part of a SKU, a description or the name of who counted. */
  search?: string | undefined
}

/** When a difference was first scanned, which may be long before it came. */
function firstCountedAt(tx: Tx) {
  return sql<Date>`coalesce((
    select min(made.counted_at)
    from count_attempts made
    where made.tenant_id = ${tx.tenantId}::uuid and made.discrepancy_id = discrepancies.id
  ), discrepancies.created_at)`
}

export async function listDiscrepancies(tx: Tx, page: DiscrepancyFilter & { cursor: Cursor | null }) {
  const span = await spanOf(tx, 'discrepancies', page)
  let query = tx.db
    .selectFrom('discrepancies')
    .innerJoin('components', (join) =>
      join
        .onRef('components.tenant_id', '=', 'discrepancies.tenant_id')
        .onRef('components.id', '=', 'discrepancies.component_id'),
    )
    .selectAll('discrepancies')
    .select('components.description')
    .select(firstCountedAt(tx).as('first_counted_at'))
    .where(within(tx, 'discrepancies', { ...span, location: page.location }))
    .orderBy('discrepancies.id', 'desc')
    .limit(pageRows)
  if (page.sku !== undefined) query = query.where('discrepancies.sku', 'ilike', containing(page.sku))
  if (page.from !== undefined) query = query.where(firstCountedAt(tx), '>=', page.from)
  if (page.to !== undefined) query = query.where(firstCountedAt(tx), '<', new Date(page.to.getTime() + 1))
  if (page.status !== undefined) query = query.where(sql<boolean>`discrepancies.status = ${page.status}`)
  if (page.count_type !== undefined) {
    query = query.where(sql<boolean>`discrepancies.count_type = ${page.count_type}`)
  }
  for (const pattern of soughtWords(page.search ?? '').map(containing)) {
    query = query.where((eb) =>
      eb.or([
        eb('discrepancies.sku', 'ilike', pattern),
        eb('discrepancies.user_name', 'ilike', pattern),
        eb('components.description', 'ilike', pattern),
      ]),
    )
  }
  return found(await query.execute(), span)
}

type AuditPage = Page & {
  kinds?: AuditKind[] | undefined
  user?: string | undefined
  id?: string | undefined
}

export async function listAudit(tx: Tx, page: AuditPage) {
  const span = await spanOf(tx, 'audit_entries', page)
  const { id, sku, location, kinds } = page
  const user = page.user === undefined ? undefined : { part: page.user, ofAccount: true }
  const rows = await filteredTrail(tx, { id, sku, location, kinds, user, unseen: [] }, span)
    .selectAll('audit_entries')
    .orderBy('id', 'desc')
    .limit(pageRows)
    .execute()
  return found(rows, span)
}
