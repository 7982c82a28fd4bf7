import { z } from './zod.ts'
import { locations, type Location, type LocationCode, type LocationNames } from './locations.ts'
import { control } from './values.ts'

export const maxLocationNameLength = 40

const ownName = z.optional(
  z.string().check(
    z.trim(),
    z.maxLength(maxLocationNameLength),
    z.refine((value) => !control.test(value), 'must not contain control characters.'),
  ),
)

/** What a company is to call its locations itself; those that are left out stay as they are, and empty ones get the standard name. */
export const givenLocationNames = z
  .strictObject({
    PRIMARY: ownName,
    SECONDARY: ownName,
    FULFILLMENT: ownName,
    DISTRIBUTION: ownName,
  })
  .check(z.meta({ examples: [{ PRIMARY: 'Main hall' }] }))

/** As people tell names apart, who do not look at small and large letters. */
const asRead = (name: string) => name.normalize('NFKC').toLowerCase()

/** What a location is called, also where only its code is shown. */
function namesOf({ code, standardName }: Location, own: LocationNames): string[] {
  return [own[code] ?? standardName, code]
}

/** The name that would stand for two places, of all locations and the quarantine; null where each has its own. */
export function findSharedName(own: LocationNames): string | null {
  const others = (of: LocationCode) =>
    locations.filter(({ code }) => code !== of).flatMap((location) => namesOf(location, own))
  const shared = locations.find(({ code }) => {
    const name = own[code]
    return name !== undefined && ['Quarantine', ...others(code)].map(asRead).includes(asRead(name))
  })
  return shared === undefined ? null : (own[shared.code] ?? null)
}
