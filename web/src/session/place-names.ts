import type { LocationNames } from '@inventory-manager/contract/locations'
import { placeName as nameOfPlace } from '@inventory-manager/contract/stock/places'

/**
 * What the company of who is signed in calls its locations itself. Texts name places wherever they are made, also outside React; what
 * is shown is drawn anew with each change of the session, which brings the names (session.ts).
 */
let own: LocationNames = {}

/** With each change of the session, so that nobody reads the names of another company; nothing where nobody is signed in. */
export function keepLocationNames(names: LocationNames | undefined): void {
  own = names ?? {}
}

/** What locations are called that the company has named itself. */
export function ownLocationNames(): LocationNames {
  return own
}

/** The name people here read for a place; an unknown place is given back as it is. */
export function placeName(place: string): string {
  return nameOfPlace(place, own)
}
