import type { CostRow } from '@inventory-manager/contract/stock/cost-endpoints'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'
import { changeSeveral, recordSeveral } from './changing-several.ts'
import { addUnitCosts, mapUnitCosts, type Costed } from './cost-queries.ts'

/**
 * Sets what one piece of components costs from now on, row by row, so that of a component the last one holds; says how many changed, and
 * which codes mean none that is in use.
 */
export async function setUnitCosts(
  tx: Tx,
  actor: Actor,
  rows: readonly CostRow[],
): Promise<{ changed: number; notFound: string[] }> {
  const { changes, notFound } = await changeSeveral<CostRow, Costed>(tx, rows, {
    now: (ids) => mapUnitCosts(tx, ids),
    changedBy: ({ unit_cost: unitCost }, held) => ({ ...held, unitCost }),
    isSame: (before, after) => before.unitCost === after.unitCost,
    save: (after) => addUnitCosts(tx, after),
  })
  await recordSeveral(tx, actor, {
    changes,
    events: { each: 'cost_changed', many: 'costs_changed' },
    valueOf: ({ unitCost }) => unitCost,
  })
  return { changed: changes.length, notFound }
}
