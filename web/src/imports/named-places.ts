import { locations, type LocationNames } from '@inventory-manager/contract/locations'
import { placeName, places, type Place } from '@inventory-manager/contract/stock/places'

/** The place that a cell names: as the company calls it, else by its standard name or its code; null where it names none. */
export function findPlace(text: string, ownNames: LocationNames): Place | null {
  const asked = text.trim().toLowerCase()
  const isNamed = (name: string) => name.toLowerCase() === asked
  return (
    places.find((place) => isNamed(placeName(place, ownNames))) ??
    locations.find(({ code, standardName }) => isNamed(standardName) || isNamed(code))?.code ??
    null
  )
}
