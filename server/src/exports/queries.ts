import type { AuditKind } from '@inventory-manager/contract/audit/rules'
import { sql, type RawBuilder } from 'kysely'
import { containing } from '../platform/db/containing.ts'
import type { Tx } from '../platform/db/database.ts'
import { holding } from '../stock/alias-queries.ts'

/** How many rows are read at a time, each page in a short transaction of its own. */
export const pageRows = 2_000

type ComponentPage = { text?: string | undefined; cursor: string | null }

/** Components by barcode with stock and last count over all locations. */
export async function listComponents(tx: Tx, { text = '', cursor }: ComponentPage) {
  let page = tx.db
    .selectFrom('components')
    .select(['id', 'barcode', 'description'])
    .where('tenant_id', '=', tx.tenantId)
    .where('retired_at', 'is', null)
    .orderBy('barcode')
    .limit(pageRows)
  if (text !== '') page = page.where(holding(tx, text))
  if (cursor !== null) page = page.where('barcode', '>', cursor)
  const at = (location: string) =>
    sql<number>`coalesce(sum(quantity) filter (where location = ${sql.lit(location)}), 0)::integer`
  return await tx.db
    .selectFrom(page.as('page'))
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('stock')
          .where('stock.tenant_id', '=', tx.tenantId)
          .whereRef('stock.component_id', '=', 'page.id')
          .select([
            at('PRIMARY').as('primary'),
            at('SECONDARY').as('secondary'),
            at('FULFILLMENT').as('fulfillment'),
            at('DISTRIBUTION').as('distribution'),
            at('QUARANTINE').as('quarantine'),
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
    .select(['page.barcode', 'page.description'])
    .orderBy('page.barcode')
    .execute()
}

export type ListFilter = {
  sku?: string | undefined
  location?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

type Page = ListFilter & { cursor: string | null }

/** The part of a list's where that all share: newest first, ids being in order of time. */
function ownRows(tx: Tx, table: string, page: Page) {
  const parts = [sql<boolean>`${sql.ref(`${table}.tenant_id`)} = ${tx.tenantId}::uuid`]
  if (page.location !== undefined) parts.push(sql`${sql.ref(`${table}.location`)} = ${page.location}`)
  if (page.cursor !== null) parts.push(sql`${sql.ref(`${table}.id`)} < ${page.cursor}::uuid`)
  return parts
}

const all = (parts: RawBuilder<boolean>[]) => sql<boolean>`${sql.join(parts, sql` and `)}`

const from = (at: Date) => sql`${at}::timestamptz`
const after = (at: Date) => sql`${new Date(at.getTime() + 1)}::timestamptz`

/** Rows that were written within the span. */
function within(tx: Tx, table: string, page: Page) {
  const id = sql.ref(`${table}.id`)
  const parts = ownRows(tx, table, page)
  if (page.from !== undefined) parts.push(sql`${id} >= id_at(${from(page.from)})`)
  if (page.to !== undefined) parts.push(sql`${id} < id_at(${after(page.to)})`)
  return all(parts)
}

/** Counts that were made within the span: they arrive up to a week later, and clocks may be a little ahead. */
function countedWithin(tx: Tx, page: Page) {
  const parts = ownRows(tx, 'count_history', page)
  if (page.from !== undefined) {
    const start = from(page.from)
    // Ids begin in 1970.
    const first = sql`greatest(${start} - interval '5 minutes', to_timestamp(0))`
    parts.push(sql`id >= id_at(${first}) and counted_at >= ${start}`)
  }
  if (page.to !== undefined) {
    const end = after(page.to)
    parts.push(sql`id < id_at(${end} + interval '8 days') and counted_at < ${end}`)
  }
  return all(parts)
}

export async function listCounts(tx: Tx, page: Page) {
  let query = tx.db
    .selectFrom('count_history')
    .selectAll()
    .where(countedWithin(tx, page))
    .orderBy('id', 'desc')
    .limit(pageRows)
  if (page.sku !== undefined) query = query.where('sku', 'ilike', containing(page.sku))
  return await query.execute()
}

export async function listMovements(tx: Tx, page: Page) {
  let query = tx.db
    .selectFrom('movements')
    .innerJoin('components', (join) =>
      join
        .onRef('components.tenant_id', '=', 'movements.tenant_id')
        .onRef('components.id', '=', 'movements.component_id'),
    )
    .selectAll('movements')
    .select('components.barcode as sku')
    .where(within(tx, 'movements', page))
    .orderBy('movements.id', 'desc')
    .limit(pageRows)
  if (page.sku !== undefined) query = query.where('components.barcode', 'ilike', containing(page.sku))
  return await query.execute()
}

export type DiscrepancyFilter = ListFilter & {
  status?: string | undefined
  count_type?: string | undefined
  /** Part of a SKU, a description or the name of who counted. */
  search?: string | undefined
}

export async function listDiscrepancies(tx: Tx, page: DiscrepancyFilter & { cursor: string | null }) {
  let query = tx.db
    .selectFrom('discrepancies')
    .innerJoin('components', (join) =>
      join
        .onRef('components.tenant_id', '=', 'discrepancies.tenant_id')
        .onRef('components.id', '=', 'discrepancies.component_id'),
    )
    .selectAll('discrepancies')
    .select('components.description')
    .where(within(tx, 'discrepancies', page))
    .orderBy('discrepancies.id', 'desc')
    .limit(pageRows)
  if (page.sku !== undefined) query = query.where('discrepancies.sku', 'ilike', containing(page.sku))
  if (page.status !== undefined) query = query.where(sql<boolean>`discrepancies.status = ${page.status}`)
  if (page.count_type !== undefined) {
    query = query.where(sql<boolean>`discrepancies.count_type = ${page.count_type}`)
  }
  const { search = '' } = page
  if (search !== '') {
    query = query.where((eb) =>
      eb.or([
        eb('discrepancies.sku', 'ilike', containing(search)),
        eb('discrepancies.user_name', 'ilike', containing(search)),
        eb('components.description', 'ilike', containing(search)),
      ]),
    )
  }
  return await query.execute()
}

export async function listAudit(tx: Tx, page: Page & { kinds?: AuditKind[] | undefined }) {
  let query = tx.db
    .selectFrom('audit_entries')
    .selectAll()
    .where(within(tx, 'audit_entries', page))
    .orderBy('id', 'desc')
    .limit(pageRows)
  if (page.sku !== undefined) query = query.where('sku', 'ilike', containing(page.sku))
  if (page.kinds !== undefined) {
    query = query.where(sql<boolean>`kind = any (${page.kinds}::text[])`)
  }
  return await query.execute()
}
