import { sql } from 'kysely'
import { findByKeys, type Tx } from '../platform/db/database.ts'
import { newestCost, unitCostAt } from '../stock/cost-queries.ts'
import { pricedAt } from '../stock/difference-costs.ts'

/** What one piece costs, and what the pieces of a row come to at that, both in the currency of the company. */
export type Worth = { unitCost: number; value: number }

type WorthRow = Worth & { id: string }

const byId = (rows: readonly WorthRow[]) => new Map(rows.map((row) => [row.id, row]))

/** What one piece of some components costs now, and what this much of each is worth, by their ids; without those that have no cost. */
export async function mapStockWorth(
  tx: Tx,
  held: readonly { id: string; total: number }[],
): Promise<Map<string, Worth>> {
  await findByKeys(tx)
  const { rows } = await sql<WorthRow>`
    select given.id, costs.unit_cost::float8 as "unitCost", (given.total * costs.unit_cost)::float8 as value
    from unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ total }) => total)}::numeric[]) as given (id, total)
    cross join lateral ${newestCost(tx, 'given.id')} as costs
    where costs.unit_cost is not null
  `.execute(tx.db)
  return byId(rows)
}

/**
 * What one piece cost when each of some differences was decided, or costs now where it is not, and what the difference is worth, by their
 * ids; without those that have no cost.
 */
export async function mapDifferenceWorth(
  tx: Tx,
  differences: readonly { id: string }[],
): Promise<Map<string, Worth>> {
  await findByKeys(tx)
  const at = pricedAt('discrepancies')
  const { rows } = await sql<WorthRow>`
    select difference.id, unit_cost::float8 as "unitCost", (pieces * unit_cost)::float8 as value
    from (
      select id, counted::bigint - expected as pieces,
        ${unitCostAt(tx, { component: 'discrepancies.component_id', at })} as unit_cost
      from discrepancies
      where tenant_id = ${tx.tenantId}::uuid and id = any (${differences.map(({ id }) => id)}::uuid[])
      offset 0
    ) as difference
    where unit_cost is not null
  `.execute(tx.db)
  return byId(rows)
}

type Moved = { id: string; component_id: string; delta: number; created_at: Date }

/** What one piece cost when each of some movements was made, and what was moved came to, by their ids; without those that had no cost. */
export async function mapMovementWorth(tx: Tx, moved: readonly Moved[]): Promise<Map<string, Worth>> {
  await findByKeys(tx)
  const { rows } = await sql<WorthRow>`
    select priced.id, unit_cost::float8 as "unitCost", (delta * unit_cost)::float8 as value
    from (
      select given.id, given.delta,
        ${unitCostAt(tx, { component: 'given.component_id', at: sql`given.at` })} as unit_cost
      from unnest(
        ${moved.map(({ id }) => id)}::uuid[], ${moved.map((row) => row.component_id)}::uuid[],
        ${moved.map(({ delta }) => delta)}::numeric[], ${moved.map((row) => row.created_at)}::timestamptz[]
      ) as given (id, component_id, delta, at)
      offset 0
    ) as priced
    where unit_cost is not null
  `.execute(tx.db)
  return byId(rows)
}
