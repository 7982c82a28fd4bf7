import { decidedStatuses } from '@inventory-manager/contract/discrepancies/rules'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { saidUntil } from './cost-queries.ts'

/** The currency in which costs of the company are said, and whether any is: one without is asked for nothing more. */
export async function getCosting(tx: Tx): Promise<{ currency: string; hasCosts: boolean }> {
  return await tx.db
    .selectFrom('companies')
    .select([
      'currency',
      sql<boolean>`exists (select from component_costs where tenant_id = ${tx.tenantId}::uuid)`.as(
        'hasCosts',
      ),
    ])
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirstOrThrow()
}

const decided = sql.join(decidedStatuses.map((status) => sql.lit(status)))

/** The moment at whose cost a difference counts: that of its decision; while it waits for one, the end of time, so the newest cost. */
export function pricedAt(difference: string): RawBuilder<Date> {
  const status = sql.ref(`${difference}.status`)
  const decidedAt = sql.ref(`${difference}.updated_at`)
  return sql<Date>`case when ${status} in (${decided}) then ${decidedAt} else 'infinity'::timestamptz end`
}

/**
 * Joins what one piece costs of each of many differences as costs.unit_cost, with all costs at once: one by one (unitCostAt, which says
 * the same) they would take three times as long.
 */
export function joinCosts(tx: Tx, difference: string) {
  const until = saidUntil({ at: pricedAt(difference), first: sql`said.sinces[1]` })
  return sql`
    left join (
      select component_id, array_agg(since order by since) as sinces, array_agg(unit_cost order by since) as unit_costs
      from component_costs
      where tenant_id = ${tx.tenantId}::uuid
      group by component_id
    ) as said on said.component_id = ${sql.ref(`${difference}.component_id`)}
    cross join lateral (
      select said.unit_costs[width_bucket(${until}, said.sinces)] as unit_cost
    ) as costs
  `
}
