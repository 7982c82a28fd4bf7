import type { DiscrepancyOrder } from '@inventory-manager/contract/discrepancies/endpoints'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

/** What a difference is worth at its unit cost, which the table costs beside it holds. */
export const value = sql<number | null>`
  round((discrepancies.counted - discrepancies.expected) * costs.unit_cost, 4)
`

/** The same without its sign, in ten thousandths, which are whole. */
export const worth = sql<string | null>`trunc(abs(${value}) * 10000)`

const size = sql.raw('abs(discrepancies.counted - discrepancies.expected)')

/** What each order sorts by before the id, and which way all of it runs. Without a unit cost a difference is less than one of 0. */
export const orders: Record<DiscrepancyOrder, { by: RawBuilder<unknown>[]; way: 'asc' | 'desc' }> = {
  newest: { by: [], way: 'desc' },
  oldest: { by: [], way: 'asc' },
  largest: { by: [size], way: 'desc' },
  value: { by: [sql`coalesce(${worth}, -1)`, size], way: 'desc' },
  sku: { by: [sql.raw('discrepancies.sku')], way: 'asc' },
}

type PlacedRow = { id: string; expected: number; counted: number; worth: string | null }

/**
 * The cursor for the page after this row. Of the largest it carries the size, because a recount may change it before the next
 * page is read; by value also what the row was worth, because its cost may be changed.
 */
export function cursorAfter(row: PlacedRow, sort: DiscrepancyOrder): string {
  const sized = `${Math.abs(row.counted - row.expected)}.${row.id}`
  if (sort === 'value') return row.worth === null ? sized : `${row.worth}.${sized}`
  return sort === 'largest' ? sized : row.id
}

type Place = { sort: DiscrepancyOrder; cursor: string }

/** What a cursor names of what its order sorts by. */
function placeOf(tx: Tx, { sort, cursor }: Place): RawBuilder<unknown> {
  const [id = '', pieces, tenThousandths = '-1'] = cursor.split('.').toReversed()
  if (sort === 'newest' || sort === 'oldest') return sql`${id}::uuid`
  const before = sort === 'value' ? sql`${tenThousandths}::numeric, ` : sql``
  if (sort !== 'sku' && pieces !== undefined) return sql`${before}${pieces}::bigint, ${id}::uuid`
  // Of the largest as the version before gave them.
  const same = sql.raw(sort === 'sku' ? 'last.sku' : 'abs(last.counted - last.expected)')
  return sql`
    select ${before}${same}, last.id from discrepancies last
    where last.tenant_id = ${tx.tenantId}::uuid and last.id = ${id}::uuid
  `
}

export function isAfter(tx: Tx, place: Place): RawBuilder<boolean> {
  const { by, way } = orders[place.sort]
  const own = sql.join([...by, sql.raw('discrepancies.id')])
  return sql<boolean>`(${own}) ${sql.raw(way === 'desc' ? '<' : '>')} (${placeOf(tx, place)})`
}
