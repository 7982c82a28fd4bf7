import { findLocation } from '@inventory-manager/contract/locations'
import { ownLocationNames } from './place-names.ts'

/** The own name of a location, and its code where there is none: a standard name is too long for some places. */
export function ownNameOrCode(code: string): string {
  const location = findLocation(code)
  return location === null ? code : (ownLocationNames()[location.code] ?? code)
}
