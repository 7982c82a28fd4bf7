import type { LocationCode } from '@inventory-manager/contract/locations'
import type { PlacementRow } from '@inventory-manager/contract/stock/placement-endpoints'
import { mostSkusNamed, recordComponentChanges, recordConfigurationChange } from '../audit/configuration.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'
import { findComponentIds } from './component-queries.ts'
import { lockComponents } from './lock-components.ts'
import { mapPlacements, savePlacements, type Placed } from './placement-queries.ts'
import { requireLocation } from './service.ts'

type Change = { before: Placed; after: Placed }

/** What a row makes of a placement; what it leaves out stays. */
function changedBy({ bin, minimum }: PlacementRow, before: Placed): Placed {
  return { ...before, bin: bin ?? before.bin, minimum: minimum === undefined ? before.minimum : minimum }
}

const isChange = ({ before, after }: Change) => before.bin !== after.bin || before.minimum !== after.minimum

const valuesOf = ({ bin, minimum }: Placed) => ({ bin, minimum })

/** Records each of the changes, or of many at once only how many there are. */
async function recordChanges(
  tx: Tx,
  actor: Actor,
  { changes, location }: { changes: Change[]; location: LocationCode },
): Promise<void> {
  if (changes.length > mostSkusNamed) {
    await recordConfigurationChange(tx, actor, {
      event: 'placements_changed',
      source: 'screen',
      old_value: null,
      new_value: { location, changed: changes.length },
    })
    return
  }
  const entries = changes.map(({ before, after }) => ({
    sku: after.barcode,
    location,
    facts: { old_value: valuesOf(before), new_value: valuesOf(after) },
  }))
  await recordComponentChanges(tx, actor, { event: 'placement_changed', source: 'screen', entries })
}

/**
 * Sets bins and minimums at a location, row by row, so that of a component the last one holds; says how many changed, and which codes mean
 * none that is in use.
 */
export async function placeComponents(
  tx: Tx,
  actor: Actor,
  { location, components: rows }: { location: LocationCode; components: readonly PlacementRow[] },
): Promise<{ changed: number; notFound: string[] }> {
  requireLocation(actor, location)
  const meant = await findComponentIds(
    tx,
    rows.map(({ barcode }) => barcode),
  )
  const ids = await lockComponents(tx, [...new Set(meant.values())])
  const before = await mapPlacements(tx, { ids, location })
  const after = new Map(before)
  const notFound = new Set<string>()
  for (const row of rows) {
    const placed = after.get(meant.get(row.barcode) ?? '')
    if (placed === undefined) notFound.add(row.barcode)
    else after.set(placed.componentId, changedBy(row, placed))
  }
  const made = [...before].flatMap(([id, was]) => {
    const change = { before: was, after: after.get(id) ?? was }
    return isChange(change) ? [change] : []
  })
  if (made.length > 0) {
    await savePlacements(tx, { placed: made.map(({ after }) => after), location })
    await recordChanges(tx, actor, { changes: made, location })
  }
  return { changed: made.length, notFound: [...notFound] }
}
