import type { LocationNames } from '@inventory-manager/contract/locations'
import { placeName } from '@inventory-manager/contract/stock/places'

/** What a list calls a place. */
export type PlaceName = (place: string) => string

/** The names that people of the company read, or the codes that calls take. */
export function placeNameOf(names: 'codes' | undefined, own: LocationNames): PlaceName {
  return names === 'codes' ? (place) => place : (place) => placeName(place, own)
}
