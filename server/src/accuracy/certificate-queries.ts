import type { CountSession } from '@inventory-manager/contract/accuracy/endpoints'
import type { LineFigures } from '@inventory-manager/contract/accuracy/rules'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { unitCostAt } from '../stock/cost-queries.ts'
import { pricedAt } from '../stock/difference-costs.ts'
import type { NotKeptCounts } from '../stock/kept-queries.ts'
import { scanOfNumber } from '../stock/standing-attempts.ts'
import { listMonths, ownsPieces } from './queries.ts'
import { atLocation, boundsOf, differencesOf, differs, type CostedScope, type Scope } from './scope.ts'

type SessionRow = Omit<CountSession, 'started_at' | 'ended_at'> & { started_at: Date; ended_at: Date }

/** A scope's recorded counts that were not taken back. A count arrives up to a week after its time. */
function standingEntries(tx: Tx, scope: Scope) {
  const { start, end } = boundsOf(scope)
  const within = sql`tenant_id = ${tx.tenantId}::uuid and ${atLocation('location', scope)} and id >= id_at(${start})`
  return sql`(
    select * from count_history
    where ${within} and id < id_at(${end} + interval '8 days')
      and counted_at >= ${start} and counted_at < ${end} and sets_mark
      and id not in (select undoes from count_history where ${within} and not sets_mark and undoes is not null)
  )`
}

/** The named counting sessions of a scope, newest first. */
export async function listSessions(tx: Tx, scope: Scope, limit: number): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select count_session as session, location, count_type, count(*)::integer as entries,
      array_agg(distinct user_name) as people, min(counted_at) as started_at, max(counted_at) as ended_at
    from ${standingEntries(tx, scope)} entries
    where count_session <> ''
    group by 1, 2, 3
    order by ended_at desc, session
    limit ${limit}
  `.execute(tx.db)
  return rows
}

type SessionScope = Scope & { session: string | undefined }

function entriesOf(tx: Tx, scope: SessionScope) {
  const entries = standingEntries(tx, scope)
  if (scope.session === undefined) return entries
  return sql`(select * from ${entries} entries where count_session = ${scope.session})`
}

/** How many of the components that a place keeps now were counted and not reset since, at each where any was entered. */
export type Coverage = {
  components: number
  notKept: NotKeptCounts
  places: { place: string; counted: number }[]
}

/**
 * Whether what an entry has counted still counts: as a mark does in the present month. Of months that are over only a place's newest
 * reset is known, as in the database's function was_reset.
 */
function stillCounts(tx: Tx, { timeZone }: Scope) {
  return sql<boolean>`
    (entries.counted_at < start_of_month(now(), ${timeZone}) or stock.counted_at >= start_of_month(now(), ${timeZone}))
    and not exists (
      select from count_resets reset
      where reset.tenant_id = ${tx.tenantId}::uuid and reset.location = entries.location and reset.count_type = 'monthly'
        and entries.counted_at < reset.reset_at
        and (entries.created_at <= reset.reset_at or entries.counted_at < entries.created_at - interval '5 minutes')
        and entries.counted_at >= start_of_month(reset.reset_at, ${timeZone})
    )
  `
}

export async function getCoverage(tx: Tx, scope: SessionScope): Promise<Coverage> {
  const { rows: places } = await sql<Coverage['places'][number]>`
    select entries.location as place,
      count(distinct entries.component_id) filter (where ${stillCounts(tx, scope)})::integer as counted
    from ${entriesOf(tx, scope)} as entries
    join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = entries.component_id
    join stock on stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = entries.component_id
      and stock.location = entries.location
    where components.retired_at is null and not exists (
      select from not_kept
      where not_kept.tenant_id = ${tx.tenantId}::uuid and not_kept.location = entries.location
        and not_kept.component_id = components.id
    )
    group by entries.location
    order by entries.location
  `.execute(tx.db)
  const company = await tx.db
    .selectFrom('companies')
    .select(['component_count as components', sql<NotKeptCounts>`not_kept_counts`.as('notKept')])
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirstOrThrow()
  return { ...company, places }
}

export type CountingPerson = { name: string; entries: number; first: Date; last: Date }

/** Who counted, and from when to when. */
export async function listPeople(tx: Tx, scope: SessionScope): Promise<CountingPerson[]> {
  const { rows } = await sql<CountingPerson>`
    select user_name as name, count(*)::integer as entries, min(counted_at) as first, max(counted_at) as last
    from ${entriesOf(tx, scope)} entries
    group by user_id, user_name
    order by first, name
  `.execute(tx.db)
  return rows
}

/** The differences, and first counts, that the entries of a session belong to, and the entries of each. */
function touched(tx: Tx, scope: SessionScope) {
  return sql`(
    select entries.id as entry_id, differences.*
    from ${entriesOf(tx, scope)} entries
    join ${differencesOf(tx, scope)} differences on differences.component_id = entries.component_id
      and differences.location = entries.location and differences.count_type = entries.count_type
    join count_attempts made on made.tenant_id = ${tx.tenantId}::uuid and made.discrepancy_id = differences.id
      and made.attempt <= differences.attempts and made.user_id = entries.user_id
      and made.counted_at = entries.counted_at
  )`
}

/** The lines of a scope, and how many first counts are none of them. */
export type Figures = LineFigures & { first_counts: number }

async function getSessionFigures(tx: Tx, scope: SessionScope): Promise<Figures> {
  const { rows } = await sql<Figures>`
    with touched as materialized (select * from ${touched(tx, scope)} touched),
    plain as (
      select count(*) - (select count(distinct entry_id) from touched) as lines from ${entriesOf(tx, scope)} entries
    ),
    different as (
      select count(distinct id) filter (where not is_first) as lines,
        count(distinct id) filter (where is_first) as first_counts,
        count(distinct id) filter (where tolerated) as tolerated,
        count(distinct id) filter (where ${differs} and not tolerated) as differing
      from touched
    )
    select (plain.lines + different.lines)::integer as lines,
      (plain.lines + different.lines - tolerated - differing)::integer as matched, tolerated::integer as tolerated,
      first_counts::integer as first_counts
    from plain cross join different
  `.execute(tx.db)
  return onlyRow(rows)
}

/** The lines of a scope: of a session from its entries, of whole months from the roll-up. */
export async function getFigures(tx: Tx, scope: SessionScope): Promise<Figures> {
  if (scope.session !== undefined) return await getSessionFigures(tx, scope)
  const months = await listMonths(tx, { ...scope, hasCosts: false })
  const sum = (key: keyof LineFigures | 'first_counts') => months.reduce((total, row) => total + row[key], 0)
  return {
    lines: sum('lines'),
    matched: sum('matched'),
    tolerated: sum('tolerated'),
    first_counts: sum('first_counts'),
  }
}

export type CertifiedDifference = {
  sku: string
  description: string
  location: string
  expected: number
  counted: number
  attempts: number
  status: string
  reason: string | null
  note: string | null
  decided_by: string | null
  user_name: string
  counted_at: Date
  /** What it is worth, with its sign. */
  value: number | null
  /** Whether its pieces are its own, as for the figures of accuracy: those of one that another count has settled are that one's. */
  owns_pieces: boolean
}

/** The lines that differ, by location and SKU. */
export async function listDifferences(
  tx: Tx,
  scope: SessionScope & CostedScope,
  limit: number,
): Promise<CertifiedDifference[]> {
  const unitCost = scope.hasCosts
    ? unitCostAt(tx, { component: 'differences.component_id', at: pricedAt('differences') })
    : sql`null::numeric`
  const chosen =
    scope.session === undefined ? sql`true` : sql`id in (select id from ${touched(tx, scope)} touched)`
  const { rows } = await sql<CertifiedDifference>`
    select components.barcode as sku, components.description, differences.location, differences.expected,
      differences.counted, differences.attempts, differences.status, differences.reason, differences.note,
      differences.decided_by, differences.user_name, differences.owns_pieces, made.counted_at,
      round((differences.counted - differences.expected) * ${unitCost}, 4)::float8 as value
    from (
      select *, ${ownsPieces} as owns_pieces from ${differencesOf(tx, scope)} every where ${differs} and ${chosen} limit ${limit}
    ) differences
    join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = differences.component_id
    cross join lateral ${scanOfNumber(tx, 'differences')} made
    order by differences.location, components.barcode, differences.id
  `.execute(tx.db)
  return rows
}
