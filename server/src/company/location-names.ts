import { findSharedName } from '@inventory-manager/contract/location-names'
import { locationCodes, type LocationCode, type LocationNames } from '@inventory-manager/contract/locations'
import { placeName } from '@inventory-manager/contract/stock/places'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { updateLocationNames } from './settings-queries.ts'

type Renamed = { setting: 'location_name'; location_code: LocationCode; old_value: string; new_value: string }

function withNames(held: LocationNames, given: LocationNames): LocationNames {
  const names = Object.entries({ ...held, ...given }).filter(([, name]) => name !== '')
  return Object.fromEntries(names)
}

/**
 * Gives locations names of the company's own, or for an empty one the standard name back, and tells what people read before and
 * read now, of each that changed. Throws 'location_names_alike' where two places would read the same.
 */
export async function renameLocations(
  tx: Tx,
  { held, given }: { held: LocationNames; given: LocationNames },
): Promise<Renamed[]> {
  const names = withNames(held, given)
  const shared = findSharedName(names)
  if (shared !== null) {
    throw new AppError('location_names_alike', {
      sentence: `Two places would be called ${shared}. Give each location a name of its own.`,
    })
  }
  await updateLocationNames(tx, names)
  return locationCodes.flatMap((location): Renamed[] => {
    const [before, now] = [placeName(location, held), placeName(location, names)]
    if (before === now) return []
    return [{ setting: 'location_name', location_code: location, old_value: before, new_value: now }]
  })
}
