import {
  fieldsOf,
  importFields,
  maySeveral,
  type ImportField,
} from '@inventory-manager/contract/imports/rules'
import {
  locations,
  type BinField,
  type MinimumField,
  type QuantityField,
} from '@inventory-manager/contract/locations'
import { planOffers, type PlanKey } from '@inventory-manager/contract/plans'
import { placeName } from '../session/place-names.ts'

/** What a file has a line for each location of a component for: which one it is, and what there is there. */
export const thereFields = ['location', 'quantity_there', 'bin_there', 'minimum_there'] as const

type ThereField = (typeof thereFields)[number]

/** What a column may mean. */
export type Meaning = ImportField | ThereField

export function isThere(meaning: Meaning): meaning is ThereField {
  return thereFields.some((field) => field === meaning)
}

const words: Record<Exclude<Meaning, QuantityField | BinField | MinimumField>, string> = {
  barcode: 'Barcode',
  description: 'Description',
  quarantine_quantity: 'Stock in Quarantine',
  unit_cost: 'Unit cost',
  other_barcodes: 'Other barcodes',
  location: 'Location',
  quantity_there: 'Quantity there',
  bin_there: 'Bin there',
  minimum_there: 'Minimum there',
}

const named: Partial<Record<Meaning, string>> = words

function labelOf(meaning: Meaning): string {
  const location = locations.find((each) => fieldsOf(each).some((field) => field === meaning))
  if (location === undefined) return named[meaning] ?? meaning
  const name = placeName(location.code)
  if (meaning === location.quantityField) return `Stock at ${name}`
  return meaning === location.binField ? `Bin at ${name}` : `Minimum at ${name}`
}

/** What a column may mean: nothing of a location that the plan does not have. */
export function fieldsOffered(plan: PlanKey): ImportField[] {
  const closed = locations.filter(({ code }) => !planOffers(plan, code)).flatMap(fieldsOf)
  return importFields.filter((field) => !closed.includes(field))
}

const groups = [
  { group: 'Stock', end: '_quantity' },
  { group: 'Bins', end: '_bin' },
  { group: 'Minimums', end: '_minimum' },
]

/** What is offered for each column, that of locations in groups. */
export function optionsOf(offered: readonly ImportField[]) {
  const option = (meaning: Meaning) => ({ value: meaning, label: labelOf(meaning) })
  const isOf = (end: string) => (field: ImportField) => field.endsWith(end)
  return [
    { value: '', label: 'Not imported' },
    ...offered.filter((field) => groups.every(({ end }) => !isOf(end)(field))).map(option),
    ...groups.map(({ group, end }) => ({ group, options: offered.filter(isOf(end)).map(option) })),
    { group: 'A line for each location', options: thereFields.map(option) },
  ]
}

/** What one line for each location cannot be read with; null where nothing is wrong. */
function thereFault(chosen: readonly Meaning[]): string | null {
  if (!chosen.some(isThere)) return null
  if (!chosen.includes('location')) return 'Say which column is the location.'
  const other = chosen.find((meaning) => /_(quantity|bin|minimum)$/.test(meaning))
  if (other !== undefined) return `${labelOf(other)} cannot be imported beside a location of each line.`
  if (chosen.filter(isThere).length > 1) return null
  return 'Say which column is the quantity, the bin or the minimum there.'
}

/** What is wrong with a choice of columns; null where nothing is. */
export function faultOf(fields: readonly (Meaning | null)[]): string | null {
  const chosen = fields.filter((field) => field !== null)
  if (!chosen.includes('barcode')) return 'Say which column is the barcode.'
  const mayTwice = (meaning: Meaning) => !isThere(meaning) && maySeveral(meaning)
  const twice = chosen.find((field, index) => !mayTwice(field) && chosen.indexOf(field) !== index)
  return twice === undefined ? thereFault(chosen) : `${labelOf(twice)} is chosen for two columns.`
}
