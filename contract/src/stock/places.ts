import { findLocation, locations, type LocationCode, type LocationNames } from '../locations.ts'
import { adjustReasons } from './adjusting.ts'

/** Where stock lies: at a location, or set aside in quarantine, which no count looks at. */
export type Place = LocationCode | 'QUARANTINE'

export const places: readonly Place[] = [...locations.map(({ code }) => code), 'QUARANTINE']

/** The name people of a company read for a place, by its own names of locations; an unknown place is given back as it is. */
export function placeName(place: string, own: LocationNames): string {
  if (place === 'QUARANTINE') return 'Quarantine'
  const location = findLocation(place)
  return location === null ? place : (own[location.code] ?? location.standardName)
}

const causes: Record<string, string> = {
  import: 'Import',
  import_undone: 'Import undone',
  correction: 'Correction',
  discrepancy: 'Accepted difference',
  hidden: 'Not shown',
  transfer: 'Transfer',
  transfer_cancelled: 'Transfer cancelled',
  ...Object.fromEntries(Object.entries(adjustReasons).map(([cause, { name }]) => [cause, name])),
}

/** What people read for the cause of a movement; an unknown one is given back as it is. */
export function causeName(cause: string): string {
  return causes[cause] ?? cause
}
