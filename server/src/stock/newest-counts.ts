import { locationCodes, type LocationCode } from '@inventory-manager/contract/locations'
import type { CountType } from '@inventory-manager/contract/values'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import type { CountHistory } from '../platform/db/schema.ts'
import { firstIdAt, millisecondOf, newestFirst, type Span } from '../platform/db/time-ids.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/**
 * How long before its arrival, which its id tells, a count may have been made, and how long after it: record_count takes none
 * beyond seven days and five minutes. The hour is for clocks of nodes and for what waited.
 */
const lateMs = 7 * dayMs + hourMs
const earlyMs = 5 * 60_000 + hourMs
/** How far back a page is looked for at first. */
const recentMs = 100 * dayMs

type CountFilter = { location?: LocationCode | undefined; count_type?: CountType | undefined }
type OfSku = CountFilter & { sku: string }
type Page = { limit: number; cursor?: string | undefined }
type CountRow = Selectable<CountHistory>

/** The count that a page follows: its id, its moment to the millisecond, and all of that as the database knows it. */
type Place = { id: string; ms: number; at: RawBuilder<Date> }

/** Of a count that was put aside since (docs/decisions/017) its arrival is all that is known. */
async function findPlace(tx: Tx, cursor: string): Promise<Place> {
  const row = await tx.db
    .selectFrom('count_history')
    .select(['counted_at', sql<string>`counted_at::text`.as('at')])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', cursor)
    .executeTakeFirst()
  if (row !== undefined) {
    return { id: cursor, ms: row.counted_at.getTime(), at: sql<Date>`${row.at}::timestamptz` }
  }
  const ms = Math.min(millisecondOf(cursor), Date.now() + lateMs)
  return { id: cursor, ms, at: sql<Date>`to_timestamp(${ms / 1000}::double precision)` }
}

/** Moments in milliseconds: from one on and before another. */
type Time = { from?: number; below?: number }

async function listOfTime(
  tx: Tx,
  filter: CountFilter,
  { limit, after, from, below }: Time & { limit: number; after: Place | undefined },
): Promise<CountRow[]> {
  let query = tx.db.selectFrom('count_history').selectAll().where('tenant_id', '=', tx.tenantId)
  if (filter.location !== undefined) query = query.where('location', '=', filter.location)
  // As text, for the indexes of the types that are few.
  if (filter.count_type !== undefined) query = query.where('count_type', '=', sql.lit(filter.count_type))
  // The ids leave out parts that cannot have such counts.
  if (from !== undefined) {
    query = query.where('counted_at', '>=', new Date(from)).where('id', '>=', firstIdAt(from - earlyMs))
  }
  if (below !== undefined) {
    query = query.where('counted_at', '<', new Date(below)).where('id', '<', firstIdAt(below + lateMs))
  } else if (after !== undefined) {
    query = query.where('id', '<', firstIdAt(after.ms + 1 + lateMs))
  }
  if (after !== undefined) {
    query = query.where(sql<boolean>`(counted_at, id) < (${after.at}, ${after.id}::uuid)`)
  }
  return await query.orderBy('counted_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** The counts of a company, newest first by when they were made, whenever they came. */
async function listNewestCounts(tx: Tx, filter: CountFilter, { limit, cursor }: Page): Promise<CountRow[]> {
  const after = cursor === undefined ? undefined : await findPlace(tx, cursor)
  const middle = (after?.ms ?? Date.now()) - recentMs
  const recent = await listOfTime(tx, filter, { limit, after, from: middle })
  if (recent.length === limit) return recent
  const older = await listOfTime(tx, filter, { limit: limit - recent.length, after, below: middle })
  return [...recent, ...older]
}

type OfArrival = Span & { after: Place | undefined; countedFrom?: number }

/** As replies say it: those of one millisecond are in the order of their ids. */
const moment = sql<Date>`date_trunc('milliseconds', counted_at)`

/**
 * Counts of a SKU among those that came in a span: a look for each location, which the index has before the time, so that
 * they cost the same however often the SKU was counted. Those that came last, or where it is said from which moment on they
 * were made, those that were made last.
 */
async function listOfSku(tx: Tx, filter: OfSku, span: OfArrival): Promise<CountRow[]> {
  const { sku, location, count_type: type } = filter
  const { after, countedFrom } = span
  const codes = location === undefined ? locationCodes : [location]
  const order = countedFrom === undefined ? sql`id desc` : sql`${moment} desc, id desc`
  return await tx.db
    .selectFrom(sql<{ code: LocationCode }>`unnest(${codes}::text[])`.as<'places'>(sql`places (code)`))
    .innerJoinLateral(
      (eb) => {
        let counts = eb
          .selectFrom('count_history')
          .selectAll()
          .where('tenant_id', '=', tx.tenantId)
          .where('sku', '=', sku)
          .whereRef('location', '=', 'places.code')
        if (type !== undefined) counts = counts.where('count_type', '=', type)
        if (span.from !== undefined) counts = counts.where('id', '>=', span.from)
        if (span.below !== undefined) counts = counts.where('id', '<', span.below)
        if (after !== undefined)
          counts = counts.where(sql<boolean>`(${moment}, id) < (${new Date(after.ms)}, ${after.id}::uuid)`)
        if (countedFrom !== undefined) counts = counts.where('counted_at', '>=', new Date(countedFrom))
        return counts.orderBy(order).limit(span.limit).as('counts')
      },
      (join) => join.onTrue(),
    )
    .selectAll('counts')
    .orderBy(order)
    .limit(span.limit)
    .execute()
}

/** Newest first; of one millisecond by the ids, whose text has their order. */
function byMoment(a: CountRow, b: CountRow): number {
  return b.counted_at.getTime() - a.counted_at.getTime() || (a.id < b.id ? 1 : -1)
}

/**
 * The counts of a SKU, newest first by when they were made. Those that came last are read, and beside them what came before and
 * was made later than the oldest of them, which lies at most a week further back.
 */
async function listNewestOfSku(tx: Tx, filter: OfSku, { limit, cursor }: Page): Promise<CountRow[]> {
  const after = cursor === undefined ? undefined : await findPlace(tx, cursor)
  const below = after === undefined ? undefined : firstIdAt(after.ms + 1 + lateMs)
  const arrived = await newestFirst({ cursor: below, limit }, (span) =>
    listOfSku(tx, filter, { ...span, after }),
  )
  const last = arrived.at(-1)
  if (last === undefined || arrived.length < limit) return arrived.toSorted(byMoment)
  const countedFrom = Math.min(...arrived.map(({ counted_at: at }) => at.getTime()))
  const from = firstIdAt(countedFrom - earlyMs)
  const made = await listOfSku(tx, filter, { from, below: last.id, limit, after, countedFrom })
  return [...arrived, ...made].toSorted(byMoment).slice(0, limit)
}

/** Counts of a company or of one SKU, newest first by when they were made, whenever they came: one more than the limit where there are more. */
export async function listHistory(
  tx: Tx,
  { sku, limit, cursor, ...filter }: CountFilter & { sku?: string | undefined } & Page,
): Promise<CountRow[]> {
  const page = { limit: limit + 1, cursor }
  return sku === undefined
    ? await listNewestCounts(tx, filter, page)
    : await listNewestOfSku(tx, { ...filter, sku }, page)
}
