import { daysOfRisk } from '@inventory-manager/contract/counting/spot/spot-count-endpoints'
import {
  daysUntilUnknown,
  paceCounts,
  paceDays,
} from '@inventory-manager/contract/counting/spot/spot-count-rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { joinWhole, type Tx } from '../../platform/db/database.ts'
import { onlyRow } from '../../platform/db/only-row.ts'
import { idBefore } from '../../platform/db/time-ids.ts'
import { isKept } from '../../stock/kept-queries.ts'
import { isRecorded } from '../../stock/recorded-differences.ts'

type Pace = { counts: number; seconds: number | null }

/**
 * How many counts at a location followed another of the same person within five minutes, and after how many seconds in the mean. Without
 * those that were taken back, those of programs, and what was entered at once, as absences that are confirmed together.
 */
export async function measurePace(tx: Tx, location: LocationCode): Promise<Pace> {
  const { rows } = await sql<Pace>`
    with recent as (
      select id, user_id, user_type, location, undoes, least(counted_at, created_at) as made_at
      from count_history
      where tenant_id = ${tx.tenantId}::uuid and id >= ${idBefore(paceDays)}::uuid
      order by id desc
      limit ${paceCounts}
    ),
    gaps as (
      select made_at - lag(made_at) over (partition by user_id order by made_at) as gap
      from recent
      where location = ${location} and user_type <> 'api_key' and undoes is null
        and id not in (select undoes from recent where undoes is not null)
    )
    select count(*)::integer as counts, extract(epoch from avg(gap))::float8 as seconds
    from gaps
    where gap between interval '1 second' and interval '5 minutes'
  `.execute(tx.db)
  return onlyRow(rows)
}

export type RiskRow = {
  barcode: string
  description: string
  bin: string
  last_counted: Date | null
  pieces: number
  value: number | null
  differences: number
}

/** So many differences are as suspicious as can be. */
const mostDifferences = 3

type Where = {
  location: LocationCode
  timeZone: string
  /** What is asked for already, by its barcodes. */
  asked: readonly string[]
}

/** What risk is read from at a location: movements since the last count, recorded differences and unit costs. */
function signs(tx: Tx, location: LocationCode) {
  const here = sql`tenant_id = ${tx.tenantId}::uuid and location = ${location}`
  const since = sql`id_at(now() - make_interval(days => ${daysOfRisk}::integer))`
  return sql`
    standing as (
      select component_id, quantity, counted_at from stock where ${here}
    ),
    moved as (
      -- What an import or a transfer moved and moved back has not moved.
      select component_id, nullif(sum(abs(net))::bigint, 0) as pieces
      from (
        select movements.component_id, sum(movements.delta) as net
        from movements
        left join standing on standing.component_id = movements.component_id
        where movements.tenant_id = ${tx.tenantId}::uuid and movements.location = ${location}
          and movements.id >= ${since} and movements.cause <> 'discrepancy'
          and movements.created_at > coalesce(standing.counted_at, '-infinity')
        group by movements.component_id, coalesce(movements.reference, movements.id)
      ) as by_cause
      group by component_id
    ),
    differed as (
      select component_id, count(*) as differences from discrepancies
      where ${here} and id >= ${since} and status <> 'matched' and ${isRecorded(tx)}
      group by component_id
    ),
    waiting as (
      select component_id from discrepancies where ${here} and status in ('open', 'recount')
    ),
    costs as (
      select distinct on (component_id) component_id, unit_cost from component_costs
      where tenant_id = ${tx.tenantId}::uuid
      order by component_id, since desc
    )`
}

/** What can be suggested: what the location keeps that is there or moved, and is neither counted today nor asked for nor waits for a decision. */
function suggestible(tx: Tx, { location, timeZone, asked }: Where) {
  return sql`
    select components.barcode, components.description, coalesce(placements.bin, '') as bin,
      standing.counted_at as last_counted, moved.pieces, coalesce(differed.differences, 0) as differences,
      round(moved.pieces * costs.unit_cost, 4) as value
    from components
    left join standing on standing.component_id = components.id
    left join moved on moved.component_id = components.id
    left join differed on differed.component_id = components.id
    left join costs on costs.component_id = components.id
    left join placements on placements.tenant_id = ${tx.tenantId}::uuid and placements.component_id = components.id
      and placements.location = ${location}
    where components.tenant_id = ${tx.tenantId}::uuid and components.retired_at is null and ${isKept(tx, location)}
      and (standing.quantity > 0 or moved.pieces > 0)
      and coalesce(standing.counted_at < date_trunc('day', now() at time zone ${timeZone}) at time zone ${timeZone}, true)
      and components.barcode not in (select unnest(${asked}::text[]))
      and not exists (select from waiting where waiting.component_id = components.id)`
}

/**
 * What of a location is most likely not as its record says, first: by how long it was not counted, how much of its value moved since,
 * beside the others, and how often it differed lately, each from 0 to 1.
 */
export async function listRisks(tx: Tx, { limit, ...where }: Where & { limit: number }): Promise<RiskRow[]> {
  await joinWhole(tx)
  const { rows } = await sql<RiskRow>`
    with ${signs(tx, where.location)},
    ranked as (
      select *,
        case when pieces > 0
          then cume_dist() over (partition by pieces > 0 order by coalesce(value, 0), pieces) else 0 end as movement
      from (${suggestible(tx, where)}) as known
    )
    select barcode, description, bin, last_counted, coalesce(pieces, 0)::float8 as pieces, value::float8 as value,
      differences::integer as differences
    from ranked
    order by movement + least(differences, ${mostDifferences})::float8 / ${mostDifferences}
      + coalesce(least(extract(epoch from now() - last_counted)::float8 / 86400 / ${daysUntilUnknown}, 1), 1) desc,
      barcode
    limit ${limit}
  `.execute(tx.db)
  return rows
}
