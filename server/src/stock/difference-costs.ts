import { decidedStatuses } from '@inventory-manager/contract/discrepancies/rules'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

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
 * What components cost, as spans of time: for joins of many differences, each of which would else look its cost up (unitCostAt, which
 * says the same). The first span has no beginning, since a component cost something before that was said, too.
 */
export function costSpans(tx: Tx) {
  return sql`(
    select component_id, unit_cost,
      case when row_number() over said = 1 then '-infinity'::timestamptz else since end as since,
      lead(since) over said as until
    from component_costs
    where tenant_id = ${tx.tenantId}::uuid
    window said as (partition by component_id order by since)
  )`
}

/** Whether a span, by the name of costs, is the one at whose cost a difference counts. */
export function countsAtCosts(difference: string): RawBuilder<boolean> {
  const at = pricedAt(difference)
  return sql<boolean>`
    costs.component_id = ${sql.ref(`${difference}.component_id`)}
      and costs.since <= ${at} and (costs.until is null or ${at} < costs.until)
  `
}
