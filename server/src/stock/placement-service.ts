import type { LocationCode } from '@inventory-manager/contract/locations'
import type { PlacementRow } from '@inventory-manager/contract/stock/placement-endpoints'
import type { Tx } from '../platform/db/database.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { changeSeveral, recordSeveral } from './changing-several.ts'
import { mapPlacements, savePlacements, type Placed } from './placement-queries.ts'

/** What a row makes of a placement; what it leaves out stays. */
function changedBy({ bin, minimum }: PlacementRow, before: Placed): Placed {
  return { ...before, bin: bin ?? before.bin, minimum: minimum === undefined ? before.minimum : minimum }
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
  const { changes, notFound } = await changeSeveral<PlacementRow, Placed>(tx, rows, {
    now: (ids) => mapPlacements(tx, { ids, location }),
    changedBy,
    isSame: (before, after) => before.bin === after.bin && before.minimum === after.minimum,
    save: (placed) => savePlacements(tx, { placed, location }),
  })
  await recordSeveral(tx, actor, {
    changes,
    events: { each: 'placement_changed', many: 'placements_changed' },
    valueOf: ({ bin, minimum }) => ({ bin, minimum }),
    location,
  })
  return { changed: changes.length, notFound }
}
