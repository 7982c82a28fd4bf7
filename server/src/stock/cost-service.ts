import type { CostRow } from '@inventory-manager/contract/stock/cost-endpoints'
import { mostSkusNamed, recordComponentChanges, recordConfigurationChange } from '../audit/configuration.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'
import { findComponentIds } from './component-queries.ts'
import { addUnitCosts, mapUnitCosts, type Costed } from './cost-queries.ts'
import { lockComponents } from './lock-components.ts'

type Change = { before: Costed; after: Costed }

/** Records each of the changes, or of many at once only how many there are. */
async function recordChanges(tx: Tx, actor: Actor, changes: Change[]): Promise<void> {
  if (changes.length > mostSkusNamed) {
    await recordConfigurationChange(tx, actor, {
      event: 'costs_changed',
      source: 'screen',
      old_value: null,
      new_value: { changed: changes.length },
    })
    return
  }
  const entries = changes.map(({ before, after }) => ({
    sku: after.barcode,
    facts: { old_value: before.unitCost, new_value: after.unitCost },
  }))
  await recordComponentChanges(tx, actor, { event: 'cost_changed', source: 'screen', entries })
}

/**
 * Sets what one piece of components costs from now on, row by row, so that of a component the last one holds; says how many changed, and
 * which codes mean none that is in use.
 */
export async function setUnitCosts(
  tx: Tx,
  actor: Actor,
  rows: readonly CostRow[],
): Promise<{ changed: number; notFound: string[] }> {
  const meant = await findComponentIds(
    tx,
    rows.map(({ barcode }) => barcode),
  )
  const before = await mapUnitCosts(tx, await lockComponents(tx, [...new Set(meant.values())]))
  const after = new Map(before)
  const notFound = new Set<string>()
  for (const { barcode, unit_cost: unitCost } of rows) {
    const costed = after.get(meant.get(barcode) ?? '')
    if (costed === undefined) notFound.add(barcode)
    else after.set(costed.componentId, { ...costed, unitCost })
  }
  const made = [...before].flatMap(([id, was]) => {
    const change = { before: was, after: after.get(id) ?? was }
    return change.before.unitCost === change.after.unitCost ? [] : [change]
  })
  if (made.length > 0) {
    await addUnitCosts(
      tx,
      made.map(({ after }) => after),
    )
    await recordChanges(tx, actor, made)
  }
  return { changed: made.length, notFound: [...notFound] }
}
