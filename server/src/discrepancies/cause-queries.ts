import { resetReason, settledReason, takenBackReason } from '@inventory-manager/contract/discrepancies/rules'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { isFirstCount } from '../stock/recorded-differences.ts'
import { scanOfNumber, stands } from '../stock/standing-attempts.ts'

/** How far back another difference may explain one, and how far a movement may be from the scan. */
const recentDays = 45
const aroundMinutes = 60
/** Two equal entries of one person in so short a time are one entry made twice. */
const doubleSeconds = 10
const partsMinutes = 60
const mostPerKind = 2

/** Why there is an end to what was no finding of its own. */
const foundNothing = sql.join([settledReason, takenBackReason, resetReason].map((reason) => sql.lit(reason)))

/** A cause as its kind and, with `at` for the instant it names, the facts its sentence needs. */
export type CauseRow = { id: string; kind: string; facts: Record<string, unknown> & { at?: string } }

/** The differences in question, with the attempt that counts. */
function inQuestion(tx: Tx, ids: string[]) {
  return sql`
    select discrepancies.*, counted - expected as difference, latest.counted_at
    from discrepancies
    cross join lateral ${scanOfNumber(tx, 'discrepancies')} as latest
    where discrepancies.tenant_id = ${tx.tenantId}::uuid and discrepancies.id = any (${ids}::uuid[])
      and counted <> expected
  `
}

/** The opposite difference of the same component at another location, or of a SKU one digit away at this one. */
function opposites(tx: Tx) {
  const others = sql`
    other.tenant_id = ${tx.tenantId}::uuid and other.counted - other.expected = - ours.difference
      and other.id >= id_at(instant_of(ours.id) - make_interval(days => ${recentDays}::integer))
      and other.status not in ('matched', 'dismissed')
  `
  return sql`
    select ours.id, 'opposite_location' as kind, jsonb_build_object(
      'location', other.location, 'difference', other.counted - other.expected, 'at', other.updated_at
    ) as facts
    from ours
    cross join lateral (
      select * from discrepancies other
      where ${others} and other.component_id = ours.component_id and other.location <> ours.location
      order by other.id desc
      limit ${mostPerKind}
    ) as other
    union all
    select ours.id, 'opposite_sku', jsonb_build_object(
      'sku', other.sku, 'description', components.description, 'difference', other.counted - other.expected,
      'at', other.updated_at
    )
    from ours
    cross join lateral (
      select * from discrepancies other
      where ${others} and other.location = ours.location and other.sku = any (codes_one_slip_away(ours.sku))
      order by other.id desc
      limit ${mostPerKind}
    ) as other
    join components on components.tenant_id = ${tx.tenantId}::uuid and components.id = other.component_id
  `
}

/** What was booked around the time of the scan. The first stock of a component explains nothing. */
function movements(tx: Tx) {
  return sql`
    select ours.id, 'movement', jsonb_build_object(
      'delta', moved.delta, 'cause', moved.cause, 'user_name', moved.user_name, 'at', moved.created_at
    )
    from ours
    cross join lateral (
      select * from movements moved
      where moved.tenant_id = ${tx.tenantId}::uuid and moved.component_id = ours.component_id
        and moved.location = ours.location
        and moved.id >= id_at(ours.counted_at - make_interval(mins => ${aroundMinutes}::integer))
        and moved.id < id_at(ours.counted_at + make_interval(mins => ${aroundMinutes}::integer))
        and moved.cause <> 'discrepancy' and exists (
          select from movements earlier
          where earlier.tenant_id = ${tx.tenantId}::uuid and earlier.component_id = ours.component_id
            and earlier.location = ours.location and earlier.id < moved.id
        )
      order by abs(moved.delta) = abs(ours.difference) desc, moved.id desc
      limit ${mostPerKind}
    ) as moved
  `
}

/** One person's entries: the same number twice in a moment, or several numbers that together are what is expected. */
function entries(tx: Tx) {
  return sql`
    select ours.id, 'double_entry', jsonb_build_object(
      'user_name', pair.user_name, 'counted', pair.counted, 'seconds', pair.seconds
    )
    from ours
    cross join lateral (
      select later.user_name, later.counted,
        ceil(extract(epoch from later.counted_at - earlier.counted_at))::integer as seconds
      from count_attempts later
      join count_attempts earlier on earlier.tenant_id = later.tenant_id
        and earlier.discrepancy_id = later.discrepancy_id and earlier.attempt = later.attempt - 1
        and earlier.user_id = later.user_id and earlier.counted = later.counted
      where later.tenant_id = ${tx.tenantId}::uuid and later.discrepancy_id = ours.id
        and later.counted_at >= earlier.counted_at
        and later.counted_at < earlier.counted_at + make_interval(secs => ${doubleSeconds}::integer)
        and ${stands(tx, { attempt: 'later', difference: 'ours' })}
        and ${stands(tx, { attempt: 'earlier', difference: 'ours' })}
      order by later.attempt desc
      limit 1
    ) as pair
    union all
    select ours.id, 'in_parts', jsonb_build_object('user_name', parts.user_name, 'parts', parts.list)
    from ours
    cross join lateral (
      select min(user_name) as user_name, jsonb_agg(counted order by attempt) as list
      from count_attempts made
      where tenant_id = ${tx.tenantId}::uuid and discrepancy_id = ours.id and user_id = ours.user_id
        and counted > 0 and ${stands(tx, { attempt: 'made', difference: 'ours' })}
        and counted_at >= ours.counted_at - make_interval(mins => ${partsMinutes}::integer)
      having count(*) > 1 and sum(counted) = ours.expected and min(counted) <> max(counted)
    ) as parts
  `
}

/** The last difference of the component at the location that was the same. */
function repetitions(tx: Tx) {
  return sql`
    select ours.id, 'same_as_last', jsonb_build_object('status', last.status, 'at', last.updated_at)
    from ours
    cross join lateral (
      select * from discrepancies earlier
      where earlier.tenant_id = ${tx.tenantId}::uuid and earlier.component_id = ours.component_id
        and earlier.location = ours.location and earlier.id < ours.id
        and (earlier.reason is null or earlier.reason not in (${foundNothing})) and not ${isFirstCount}
      order by earlier.id desc
      limit 1
    ) as last
    where last.counted - last.expected = ours.difference
  `
}

/** By component, of how many pieces its packs are: those of its other barcodes that stand for several. */
export async function mapPacks(tx: Tx, componentIds: readonly string[]): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ component_id: string; packs: number[] }>`
    select component_id, array_agg(distinct pieces order by pieces) as packs
    from alias_barcodes
    where tenant_id = ${tx.tenantId}::uuid and component_id = any (${componentIds}::uuid[]) and pieces > 1
    group by component_id
  `.execute(tx.db)
  return new Map(rows.map(({ component_id: id, packs }) => [id, packs]))
}

/** What was found in the company's records that may explain each of the given differences. */
export async function listCauses(tx: Tx, ids: string[]): Promise<CauseRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<CauseRow>`
    with ours as materialized (${inQuestion(tx, ids)})
    ${opposites(tx)} union all ${movements(tx)} union all ${entries(tx)} union all ${repetitions(tx)}
  `.execute(tx.db)
  return rows
}
