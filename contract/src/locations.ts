export const locationCodes = ['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION'] as const

export type LocationCode = (typeof locationCodes)[number]

export type QuantityField =
  'primary_quantity' | 'secondary_quantity' | 'fulfillment_quantity' | 'distribution_quantity'

export type BinField = 'primary_bin' | 'secondary_bin' | 'fulfillment_bin' | 'distribution_bin'

export type MinimumField =
  'primary_minimum' | 'secondary_minimum' | 'fulfillment_minimum' | 'distribution_minimum'

export type Location = {
  code: LocationCode
  /** What people read where the company has given it no name of its own (location-names.ts). */
  standardName: string
  description: string
  requiredPlan: 'starter' | 'professional' | 'enterprise'
  supportsWeeklyCount: boolean
  /** What its stock, and its bins and minimums, are called in rows of a file. */
  quantityField: QuantityField
  binField: BinField
  minimumField: MinimumField
}

/** The four warehouse locations, in the order plans open them (specification 3 and 6). */
export const locations: readonly Location[] = [
  {
    code: 'PRIMARY',
    standardName: 'Primary Warehouse',
    description: 'Main storage and picking',
    requiredPlan: 'starter',
    supportsWeeklyCount: true,
    quantityField: 'primary_quantity',
    binField: 'primary_bin',
    minimumField: 'primary_minimum',
  },
  {
    code: 'SECONDARY',
    standardName: 'Secondary Warehouse',
    description: 'Overflow and reserve stock',
    requiredPlan: 'professional',
    supportsWeeklyCount: true,
    quantityField: 'secondary_quantity',
    binField: 'secondary_bin',
    minimumField: 'secondary_minimum',
  },
  {
    code: 'FULFILLMENT',
    standardName: 'Fulfillment Center',
    description: 'Packing and shipping of orders',
    requiredPlan: 'professional',
    supportsWeeklyCount: true,
    quantityField: 'fulfillment_quantity',
    binField: 'fulfillment_bin',
    minimumField: 'fulfillment_minimum',
  },
  {
    code: 'DISTRIBUTION',
    standardName: 'Distribution Center',
    description: 'Regional distribution',
    requiredPlan: 'enterprise',
    supportsWeeklyCount: true,
    quantityField: 'distribution_quantity',
    binField: 'distribution_bin',
    minimumField: 'distribution_minimum',
  },
]

/** What a company calls its locations itself; those that are left out have their standard name. */
export type LocationNames = Readonly<Partial<Record<LocationCode, string | undefined>>>

/** What a location may be called in a request: every code and every standard name. */
export const locationInputs: readonly string[] = [
  ...locationCodes,
  ...locations.map(({ standardName }) => standardName),
]

/** A location by its code or, as input only, by its standard name; null when there is none. */
export function findLocation(codeOrName: string): Location | null {
  return (
    locations.find((location) => location.code === codeOrName || location.standardName === codeOrName) ?? null
  )
}

/** Throws for anything but one of the four codes, which the type already promises. */
export function getLocation(code: LocationCode): Location {
  const location = findLocation(code)
  if (location === null) throw new Error('There is no such location.')
  return location
}

/** What is said of text that names no location. */
export const unknownLocation = 'Invalid location selected.'

/** What is said of a location that the company has not paid for. */
export const locationNotInPlan = 'Your plan does not include this location.'
