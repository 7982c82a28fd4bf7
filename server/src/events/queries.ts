import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { idBefore } from '../platform/db/time-ids.ts'
import type { NotKeptCounts } from '../stock/kept-queries.ts'
import type { Position } from './position.ts'

export const mostAtOnce = 500

/** Where a follower stands: at a position, which a client may have named after any time away, or at the last seconds. */
export type StreamPlace = { position: Position; named?: true } | { recentSeconds: number }

/** What is committed by now, as PostgreSQL's text of a snapshot. */
export async function getSnapshot(tx: Tx): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(
    tx.db,
  )
  return onlyRow(rows).snapshot
}

/** Nothing older is told: whoever has missed it, which API keys may, loads anew. */
const daysOfNews = 1
const oldest = sql<string>`(select id_at(now() - make_interval(days => ${sql.lit(daysOfNews)})))`

function isShownBy(snapshot: string) {
  return sql<boolean>`pg_visible_in_snapshot(transaction_id, ${snapshot}::pg_snapshot)`
}

/**
 * What the snapshot `now` shows and a place has not seen, oldest first, one more than is sent at once where there is
 * more. A transaction that began early and was committed late is in it, because commits are compared, not times.
 */
export async function listNews(tx: Tx, place: StreamPlace, now: string) {
  const fresh = tx.db
    .selectFrom('audit_entries')
    .select([
      'id',
      'kind',
      'event',
      'sku',
      'location',
      'source',
      'user_id',
      'user_name',
      'metadata',
      'created_at',
    ])
    .where('tenant_id', '=', tx.tenantId)
    // What a client reported about itself changed nothing that others have loaded.
    .where('origin', '=', 'server')
    .where(isShownBy(now))
    .where('id', '>=', idBefore(daysOfNews))
    .limit(mostAtOnce + 1)
  if ('recentSeconds' in place) {
    return await fresh
      .where(
        'id',
        '>=',
        sql<string>`(select id_at(now() - make_interval(secs => ${place.recentSeconds}::integer)))`,
      )
      .orderBy('id')
      .execute()
  }
  const { seen, partly } = place.position
  const unseen = fresh
    .where('transaction_id', '>=', sql<string>`pg_snapshot_xmin(${seen}::pg_snapshot)`)
    .where('transaction_id', '<', sql<string>`pg_snapshot_xmax(${now}::pg_snapshot)`)
    .where('id', '>=', oldest)
    .where((eb) => eb.not(isShownBy(seen)))
    .$if(partly !== null, (query) =>
      query.where((eb) =>
        eb.not(eb.and([isShownBy(partly?.next ?? seen), eb('id', '<=', partly?.upTo ?? '')])),
      ),
    )
    .orderBy('transaction_id')
  // Read along the order of transactions, however many there are, and only then put in the order of time.
  const rows = await unseen.execute()
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Whether what a place has not seen begins before what is told. The first of it shows that: transactions go by time. */
export async function isTooLongAgo(tx: Tx, { seen }: Position, now: string): Promise<boolean> {
  const { rows } = await sql<{ is_old: boolean }>`
    select id < ${oldest} as is_old from audit_entries
    where tenant_id = ${tx.tenantId}::uuid and origin = 'server'
      and transaction_id >= pg_snapshot_xmin(${seen}::pg_snapshot)
      and transaction_id < pg_snapshot_xmax(${now}::pg_snapshot)
      and ${isShownBy(now)} and not ${isShownBy(seen)}
    order by transaction_id
    limit 1
  `.execute(tx.db)
  return rows[0]?.is_old ?? false
}

export type NewsEntry = Awaited<ReturnType<typeof listNews>>[number]

/** Of the given sessions those that still run: the role of their user, the company's plan, and the scopes of their API key. */
export async function listRunningSessions(tx: Tx, ids: string[]) {
  return await tx.db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'sessions.tenant_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .innerJoin('companies', 'companies.tenant_id', 'sessions.tenant_id')
    .leftJoin('api_keys', (join) =>
      join
        .onRef('api_keys.tenant_id', '=', 'sessions.tenant_id')
        .onRef('api_keys.session_id', '=', 'sessions.id'),
    )
    .select(['sessions.id', 'users.role', 'companies.plan', 'api_keys.scopes'])
    .where('sessions.tenant_id', '=', tx.tenantId)
    .where('sessions.id', '=', sql<string>`any (${ids}::uuid[])`)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .where('users.active', '=', true)
    .execute()
}

/** When the company's day and month began, and how far this month's counts are. */
export async function getStanding(tx: Tx) {
  const { rows } = await sql<{
    day_start: Date
    month_start: Date
    components: number
    not_kept: NotKeptCounts
    counted: Record<string, number>
    is_strict: boolean
  }>`
    select start_of_day(now(), time_zone) as day_start, start_of_month(now(), time_zone) as month_start,
      component_count as components, not_kept_counts as not_kept, strict_blind_counts as is_strict,
      coalesce((
        select jsonb_object_agg(location, counted) from count_progress
        where tenant_id = ${tx.tenantId}::uuid and month_start = start_of_month(now(), companies.time_zone)
      ), '{}') as counted
    from companies
    where tenant_id = ${tx.tenantId}::uuid
  `.execute(tx.db)
  const [row] = rows
  if (row === undefined) throw new Error('A company that is followed exists.')
  return row
}

export type Standing = Awaited<ReturnType<typeof getStanding>>
