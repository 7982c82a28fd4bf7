import {
  findLocation,
  locations,
  type LocationCode,
  type LocationNames,
  type QuantityField,
} from '../locations.ts'
import { planOffers, type PlanKey } from '../plans.ts'

/** Where stock lies: at a location, or set aside in quarantine, which no count looks at. */
export type Place = LocationCode | 'QUARANTINE'

export const places: readonly Place[] = [...locations.map(({ code }) => code), 'QUARANTINE']

export type StockField = QuantityField | 'quarantine_quantity'

/** What the stock of each place is called in rows of a file, and as a part of a component. */
export const stockFields: readonly { place: Place; field: StockField }[] = [
  ...locations.map(({ code, quantityField }) => ({ place: code, field: quantityField })),
  { place: 'QUARANTINE', field: 'quarantine_quantity' },
]

/** Where stock of a company lies, by its plan. */
export function placesIn(plan: PlanKey): Place[] {
  return places.filter((place) => place === 'QUARANTINE' || planOffers(plan, place))
}

/** The name people of a company read for a place, by its own names of locations; an unknown place is given back as it is. */
export function placeName(place: string, own: LocationNames): string {
  if (place === 'QUARANTINE') return 'Quarantine'
  const location = findLocation(place)
  return location === null ? place : (own[location.code] ?? location.standardName)
}
