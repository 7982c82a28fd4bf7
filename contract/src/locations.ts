export const locationCodes = ['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION'] as const

export type LocationCode = (typeof locationCodes)[number]

export type QuantityField =
  'primary_quantity' | 'secondary_quantity' | 'fulfillment_quantity' | 'distribution_quantity'

export type BinField = 'primary_bin' | 'secondary_bin' | 'fulfillment_bin' | 'distribution_bin'

export type MinimumField =
  'primary_minimum' | 'secondary_minimum' | 'fulfillment_minimum' | 'distribution_minimum'

export type Location = {
  code: LocationCode
  name: string
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
    name: 'Primary Warehouse',
    description: 'Main storage and picking',
    requiredPlan: 'starter',
    supportsWeeklyCount: true,
    quantityField: 'primary_quantity',
    binField: 'primary_bin',
    minimumField: 'primary_minimum',
  },
  {
    code: 'SECONDARY',
    name: 'Secondary Warehouse',
    description: 'Overflow and reserve stock',
    requiredPlan: 'professional',
    supportsWeeklyCount: true,
    quantityField: 'secondary_quantity',
    binField: 'secondary_bin',
    minimumField: 'secondary_minimum',
  },
  {
    code: 'FULFILLMENT',
    name: 'Fulfillment Center',
    description: 'Packing and shipping of orders',
    requiredPlan: 'professional',
    supportsWeeklyCount: true,
    quantityField: 'fulfillment_quantity',
    binField: 'fulfillment_bin',
    minimumField: 'fulfillment_minimum',
  },
  {
    code: 'DISTRIBUTION',
    name: 'Distribution Center',
    description: 'Regional distribution',
    requiredPlan: 'enterprise',
    supportsWeeklyCount: true,
    quantityField: 'distribution_quantity',
    binField: 'distribution_bin',
    minimumField: 'distribution_minimum',
  },
]

/** What a location may be called in a request: every code and every display name. */
export const locationInputs: readonly string[] = [...locationCodes, ...locations.map(({ name }) => name)]

/** A location by its code or, as input only, by its display name; null when there is none. */
export function findLocation(codeOrName: string): Location | null {
  return locations.find((location) => location.code === codeOrName || location.name === codeOrName) ?? null
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
