import type { Place } from '@inventory-manager/contract/stock/places'
import { sql, type ExpressionBuilder, type RawBuilder } from 'kysely'
import { findByKeys, joinWhole, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { DB } from '../platform/db/schema.ts'

/**
 * Up to which moment what was said of costs counts at another: at one before anything was said what was said first, since a piece cost
 * something then, too, as it stood a day later, when slips of the first day are mended.
 */
export function saidUntil({
  at,
  first,
}: {
  at: RawBuilder<Date>
  first: RawBuilder<Date>
}): RawBuilder<Date> {
  return sql`case when ${at} < ${first} then ${first} + interval '1 day' else ${at} end`
}

/** What one piece of a component cost at a moment; null where no cost was said. */
export function unitCostAt(
  tx: Tx,
  { component, at }: { component: string; at: RawBuilder<Date> },
): RawBuilder<number | null> {
  const ofIt = sql`tenant_id = ${tx.tenantId}::uuid and component_id = ${sql.ref(component)}`
  return sql`(
    select costs.unit_cost from component_costs costs
    cross join lateral (select min(since) as since from component_costs where ${ofIt}) as first
    where costs.tenant_id = ${tx.tenantId}::uuid and costs.component_id = ${sql.ref(component)}
      and costs.since <= ${saidUntil({ at, first: sql`first.since` })}
    order by costs.since desc
    limit 1
  )`
}

/** What was said last of what one piece of a component costs, or no row: for a statement that joins it laterally, or has it as a value. */
export function newestCost(tx: Tx, component: string): RawBuilder<number | null> {
  return sql`(
    select unit_cost from component_costs
    where tenant_id = ${tx.tenantId}::uuid and component_id = ${sql.ref(component)}
    order by since desc
    limit 1
  )`
}

/** What one piece of a component costs now; null where that is not said. */
export async function findUnitCost(tx: Tx, componentId: string): Promise<number | null> {
  const cost = await tx.db
    .selectFrom('component_costs')
    .select(sql<number | null>`unit_cost::float8`.as('unit_cost'))
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', componentId)
    .orderBy('since', 'desc')
    .limit(1)
    .executeTakeFirst()
  return cost?.unit_cost ?? null
}

/**
 * Whether a component is in stock somewhere and nobody says what one piece of it costs, looked for component by component: read in
 * their order and page by page, all pages together cost one look at each.
 */
export function isUncostedEach(tx: Tx) {
  const ofEach = sql.ref<string>('components.id')
  const held = tx.db
    .selectFrom('stock')
    .select('component_id')
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', ofEach)
    .where('quantity', '>', 0)
    // Keeps PostgreSQL from making a set of all that is in stock.
    .offset(0)
  const cost = newestCost(tx, 'components.id')
  return (eb: ExpressionBuilder<DB, 'components'>) => eb.and([eb(cost, 'is', null), eb.exists(held)])
}

/** A component with what one piece of it costs. */
export type Costed = { componentId: string; barcode: string; unitCost: number | null }

/** What one piece of some components costs now, by their ids. */
export async function mapUnitCosts(tx: Tx, ids: readonly string[]): Promise<Map<string, Costed>> {
  await findByKeys(tx)
  const { rows } = await sql<Costed>`
    select components.id as "componentId", barcode, unit_cost::float8 as "unitCost"
    from components
    left join lateral ${newestCost(tx, 'components.id')} as costs on true
    where components.tenant_id = ${tx.tenantId}::uuid and components.id = any (${ids}::uuid[])
  `.execute(tx.db)
  return new Map(rows.map((row) => [row.componentId, row]))
}

/** Adds what components, which are locked, cost from now on; after what was said last also where the clock was put back since. */
export async function addUnitCosts(tx: Tx, costed: readonly Costed[]): Promise<void> {
  await sql`
    insert into component_costs (tenant_id, component_id, since, unit_cost)
    select ${tx.tenantId}::uuid, given.component_id,
      greatest(statement_timestamp(), last.since + interval '1 microsecond'), given.unit_cost
    from unnest(
      ${costed.map(({ componentId }) => componentId)}::uuid[], ${costed.map(({ unitCost }) => unitCost)}::numeric[]
    ) as given (component_id, unit_cost)
    cross join lateral (
      select max(since) as since from component_costs
      where tenant_id = ${tx.tenantId}::uuid and component_id = given.component_id
    ) as last
    on conflict do nothing
  `.execute(tx.db)
}

/** The currency in which costs of the company are said. */
export async function getCurrency(tx: Tx): Promise<string> {
  const { currency } = await tx.db
    .selectFrom('companies')
    .select('currency')
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirstOrThrow()
  return currency
}

/** What the stock of components in use is worth, and how much of it that says. */
export type StockValue = {
  value: number
  /** The places that hold some of what has a cost. */
  places: { place: Place; value: number }[]
  /** How many components in use have a cost, and how many have none though they are in stock. */
  withCost: number
  withoutCost: number
}

/** In one statement, because what each component costs is found once for all of it. */
export async function getStockValue(tx: Tx): Promise<StockValue> {
  await joinWhole(tx)
  const { rows } = await sql<StockValue>`
    with known as materialized (
      select components.id, costs.unit_cost
      from components
      left join (
        select distinct on (component_id) component_id, unit_cost from component_costs
        where tenant_id = ${tx.tenantId}::uuid
        -- As the key has them, read backwards.
        order by component_id desc, since desc
      ) as costs on costs.component_id = components.id
      where components.tenant_id = ${tx.tenantId}::uuid and components.retired_at is null
    ), held as not materialized (
      select known.id, known.unit_cost, stock.location, stock.quantity
      from known
      join stock on stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = known.id
      where stock.quantity > 0
    )
    select
      coalesce(sum(value), 0)::float8 as value,
      coalesce(jsonb_agg(jsonb_build_object('place', location, 'value', value) order by location), '[]') as places,
      (select count(*) from known where unit_cost is not null)::integer as "withCost",
      (select count(distinct id) from held where unit_cost is null)::integer as "withoutCost"
    from (
      select location, round(sum(quantity * unit_cost), 4) as value
      from held
      where unit_cost is not null
      group by location
    ) as valued
  `.execute(tx.db)
  return onlyRow(rows)
}
