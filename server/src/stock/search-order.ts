import type { LocationCode } from '@inventory-manager/contract/locations'
import type { ComponentSort } from '@inventory-manager/contract/stock/component-endpoints'
import { barcode as barcodeSchema, maxDescriptionLength, text } from '@inventory-manager/contract/values'
import { sql, type Expression, type RawBuilder } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'

/** What a list of components is sorted by; of what differs by location, at which. */
export type Order =
  | { sort: Exclude<ComponentSort, 'here' | 'counted'> }
  | { sort: Extract<ComponentSort, 'here' | 'counted'>; at: LocationCode }

/** Throws 'invalid_request' where the location is missing. */
export function orderOf(sort: ComponentSort, at: LocationCode | undefined): Order {
  if (sort !== 'here' && sort !== 'counted') return { sort }
  if (at !== undefined) return { sort, at }
  throw new AppError('invalid_request', { sentence: `sort_location is needed with sort=${sort}.` })
}

/** The figure of each component by which its stock is sorted; what has neither stock nor a count may have no row. */
function figuresOf(tx: Tx, order: Order): RawBuilder<unknown> {
  const ofCompany = sql`from stock where tenant_id = ${tx.tenantId}::uuid`
  if (!('at' in order)) {
    return sql`select component_id, sum(quantity) as value ${ofCompany} group by component_id`
  }
  // In microseconds, as it is kept: what a Date holds of it would be before it.
  const value = order.sort === 'here' ? sql`quantity` : sql`extract(epoch from counted_at) * 1000000`
  return sql`select component_id, (${value})::bigint as value ${ofCompany} and location = ${order.at}`
}

/**
 * A description as it is sorted, in whichever letters it is. One with an accent comes beside the same without, from which it stands
 * apart when decomposed, also where a database sorts by code points.
 */
const letters = (description: RawBuilder<unknown>) => sql`lower(normalize(${description}, nfd))`

/**
 * Some components, each with what an order sorts it by before its barcode as `value`. With `offset 0` PostgreSQL makes each value once,
 * not for each comparison.
 */
export function withValues(tx: Tx, order: Order, components: Expression<unknown>): RawBuilder<unknown> {
  if (order.sort === 'barcode') return sql`select found.*, null as value from (${components}) as found`
  if (order.sort === 'description') {
    return sql`
      select found.*, ${letters(sql.ref('found.description'))} as value from (${components}) as found
      offset 0`
  }
  return sql`
    select found.*, figures.value from (${components}) as found
    left join (${figuresOf(tx, order)}) as figures on figures.component_id = found.id
    offset 0`
}

/** Most first. */
const byAmount = (value: RawBuilder<unknown>) => [sql`-coalesce(${value}, 0)`]

/** How each order sorts by its values, all of it ascending. */
const keys: Record<ComponentSort, (value: RawBuilder<unknown>) => RawBuilder<unknown>[]> = {
  barcode: () => [],
  // Last what is empty.
  description: (value) => [sql`${value} = ''`, value],
  here: byAmount,
  total: byAmount,
  // First what is not counted.
  counted: (value) => [sql`coalesce(${value}, -1)`],
}

/** What an order sorts the rows of `components` by, which have their values. */
export function sortedBy({ sort }: Order): RawBuilder<unknown> {
  return sql.join([...keys[sort](sql.ref('components.value')), sql.ref('components.barcode')])
}

type Listed = { barcode: string; description: string; value: string | null }

/**
 * The cursor for what comes after a row. It carries what the row was sorted by, which may change before the next page is read, and
 * the order, so that it is taken for no place in another.
 */
export function cursorAfter({ barcode, description, value }: Listed, { sort }: Order): string {
  if (sort === 'barcode') return barcode
  const place = [sort, barcode, sort === 'description' ? description : (value ?? '')]
  return Buffer.from(place.join('\n')).toString('base64url')
}

/** Whole numbers of as many digits as there are microseconds until 2286. */
const figure = /^\d{0,16}$/
const description = text(maxDescriptionLength)

/** What a cursor of an order names; null for what is none. */
function readPlace(cursor: string, sort: Exclude<ComponentSort, 'barcode'>): Listed | null {
  const [of, given, ...rest] = Buffer.from(cursor, 'base64url').toString().split('\n')
  const barcode = barcodeSchema.safeParse(given)
  if (of !== sort || !barcode.success || rest.length === 0) return null
  const place = { barcode: barcode.data, description: '', value: null }
  const last = rest.join('\n')
  if (sort === 'description') {
    return description.safeParse(last).success ? { ...place, description: last } : null
  }
  return figure.test(last) ? { ...place, value: last === '' ? null : last } : null
}

function readBarcode(cursor: string): Listed | null {
  const { success, data } = barcodeSchema.safeParse(cursor)
  return success ? { barcode: data, description: '', value: null } : null
}

function placeOf(cursor: string, { sort }: Order): Listed {
  const place = sort === 'barcode' ? readBarcode(cursor) : readPlace(cursor, sort)
  if (place !== null) return place
  throw new AppError('invalid_request', {
    sentence: 'cursor must be a cursor of an earlier reply with the same sort.',
  })
}

/** Whether a row comes after what a cursor names. Throws 'invalid_request' for one of another order, or of none. */
export function isAfter(cursor: string, order: Order): RawBuilder<boolean> {
  const place = placeOf(cursor, order)
  // Selected, it is decomposed once, also by a plan that is kept.
  const value =
    order.sort === 'description'
      ? sql`(select ${letters(sql`${place.description}::text`)})`
      : sql`${place.value}::bigint`
  const named = [...keys[order.sort](value), sql`${place.barcode}::text`]
  return sql<boolean>`(${sortedBy(order)}) > (${sql.join(named)})`
}
