import { readUnitCost, type CostFault } from '../amounts.ts'
import { locations, type Location, type LocationCode, type LocationNames } from '../locations.ts'
import { maxAliases } from '../stock/alias-endpoints.ts'
import { placeName, stockFields, type StockField } from '../stock/places.ts'
import { readPiecesTyped } from '../stock/typed-pieces.ts'
import { control, maxBarcodeLength, maxBinLength, maxDescriptionLength, shortenedNumber } from '../values.ts'
import type { NamedBarcode } from '../stock/other-barcode.ts'
import { readOtherBarcodes } from './other-barcodes.ts'

/** What a column of an imported file may mean. */
export const importFields = [
  'barcode',
  'description',
  'primary_quantity',
  'secondary_quantity',
  'fulfillment_quantity',
  'distribution_quantity',
  'quarantine_quantity',
  'primary_bin',
  'secondary_bin',
  'fulfillment_bin',
  'distribution_bin',
  'primary_minimum',
  'secondary_minimum',
  'fulfillment_minimum',
  'distribution_minimum',
  'unit_cost',
  'other_barcodes',
] as const

export type ImportField = (typeof importFields)[number]

/** What a file may say of a location. */
export function fieldsOf({ quantityField, binField, minimumField }: Location): ImportField[] {
  return [quantityField, binField, minimumField]
}

/** Whether several columns of a file may mean it. */
export function maySeveral(field: ImportField): boolean {
  return field === 'other_barcodes'
}

/** The most columns that are imported of a file. */
export const maxImportColumns = importFields.length - 1 + maxAliases

/** The most rows of a file. */
export const maxImportRows = 500_000

/** The most characters of a cell: more than any field takes. */
export const maxCellLength = 2_000

/** How long staged rows wait for a decision. */
export const hoursStaged = 24

/** What a row says of a component at a location; what it leaves out stays as it is. */
type StagedPlacement = { location: LocationCode; bin?: string; minimum?: number }

/**
 * A row as it is staged; `fault` says why it cannot be taken. Quantities left empty leave the stock as it is, bins, minimums and the unit
 * cost those that there are.
 */
export type StagedRow = {
  barcode: string
  description: string
  quantities: Partial<Record<StockField, number>>
  placements: StagedPlacement[]
  unitCost: number | null
  others: NamedBarcode[]
  fault: string | null
}

/** As dates of workbooks are given (web/src/imports/sheet-cells.ts). */
const dateCell = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/
/** What spreadsheets show where a formula failed, also in German, French and Spanish. */
const errorCell =
  /^(#(n\/[ad]|nv|getting_data|[¡¿]?(null|div\/0|value|ref|name|num|spill|calc|field|connect|blocked|unknown|wert|bezug|zahl|valeur|nom|nombre|valor|nulo)[!?])|err:\d{3})$/i
const unstorable = /[\0\p{Cs}]/gu

/** What a column is called where its cells are judged. */
type CodeName = 'barcode' | 'ID' | 'other barcode'

function errorFault(name: string, text: string): string {
  return `the ${name} is ${text}, an error of the spreadsheet: mend the formula or enter the ${name} itself`
}

function dateFault(name: string, what: 'code' | 'bin' | 'amount'): string {
  return `the ${name} is a date: a spreadsheet has made one of it. Format the column as text and enter the ${what} again`
}

/** What is wrong with a code of a file or a list; null where nothing is. */
export function codeFault(code: string, name: CodeName): string | null {
  if (code === '') return `the ${name} is empty`
  if (shortenedNumber.test(code)) {
    return `the ${name} is in scientific notation: a spreadsheet has shortened it. Format the column as text and export again`
  }
  if (dateCell.test(code)) return dateFault(name, 'code')
  if (errorCell.test(code)) return errorFault(name, code)
  if (code.length > maxBarcodeLength) return `the ${name} is longer than ${maxBarcodeLength} characters`
  return control.test(code) ? `the ${name} contains a control character` : null
}

/** What of a refused row is kept, to be shown. */
export function storable(text: string): string {
  return text.replaceAll(unstorable, '\uFFFD')
}

function descriptionFault(description: string): string | null {
  if (errorCell.test(description)) return errorFault('description', description)
  if (description.length > maxDescriptionLength)
    return `the description is longer than ${maxDescriptionLength} characters`
  return /\0|\p{Cs}/u.test(description) ? 'the description holds characters that cannot be stored' : null
}

type Meaning = {
  fields: readonly ImportField[]
  closed: ReadonlySet<ImportField>
  /** What the company calls its locations itself. */
  ownNames: LocationNames
}

/** A cell of a place, and what it is called. */
type PlaceCell = { text: string; name: string; place: string; isClosed: boolean }

const notInPlan = (place: string) => `your plan does not include ${place}`

/** One number of a row: null where it says nothing, else the number or what is wrong. */
function readNumber({ text, name, place, isClosed }: PlaceCell): number | string | null {
  if (text === '') return null
  const quantity = readPiecesTyped(text)
  if (quantity === null) return `the ${name} is not a whole number from 0 up: ${storable(text).slice(0, 40)}`
  if (!isClosed) return quantity
  return quantity > 0 ? notInPlan(place) : null
}

function binFault({ text, name, place, isClosed }: PlaceCell): string | null {
  if (text === '') return null
  if (isClosed) return notInPlan(place)
  if (dateCell.test(text)) return dateFault(name, 'bin')
  if (errorCell.test(text)) return errorFault(name, text)
  if (text.length > maxBinLength) return `the ${name} is longer than ${maxBinLength} characters`
  return control.test(text) ? `the ${name} contains a control character` : null
}

type CellOf = (field: ImportField) => string

/** What a row says of its component at a location, if it says something; or what is wrong with it. */
function readPlacement(
  cellOf: CellOf,
  { code, binField, minimumField }: Location,
  { closed, ownNames }: Meaning,
): StagedPlacement | string | null {
  const place = placeName(code, ownNames)
  const bin = cellOf(binField)
  const fault = binFault({ text: bin, name: `bin at ${place}`, place, isClosed: closed.has(binField) })
  if (fault !== null) return fault
  const minimum = readNumber({
    text: cellOf(minimumField),
    name: `minimum at ${place}`,
    place,
    isClosed: closed.has(minimumField),
  })
  if (typeof minimum === 'string') return minimum
  if (bin === '' && minimum === null) return null
  return { location: code, ...(bin === '' ? {} : { bin }), ...(minimum === null ? {} : { minimum }) }
}

const costFaults: Record<CostFault, string> = {
  no_amount: 'is not an amount',
  negative: 'is negative',
  too_small: 'is less than 0.0001',
  over: 'is over 9,999,999.9999',
}

/** The unit cost of a row: null where it says nothing, else the cost or what is wrong. What may be both, as 1.234, has decimals behind a point. */
function readCost(text: string): number | string | null {
  if (text === '') return null
  const cost = readUnitCost(text, '.')
  if (typeof cost === 'number') return cost
  if (dateCell.test(text)) return dateFault('unit cost', 'amount')
  if (errorCell.test(text)) return errorFault('unit cost', text)
  if (shortenedNumber.test(text)) {
    return 'the unit cost is in scientific notation: a spreadsheet has shortened it. Format the column as a number and export again'
  }
  return `the unit cost ${costFaults[cost]}: ${storable(text).slice(0, 40)}`
}

/** More cells than there are columns come of a text with separators in it: which of them is cut where, nobody knows. */
function surplusFault(cells: readonly string[], { fields }: Meaning): string | null {
  return cells.length > fields.length
    ? 'the row has more cells than the heading: put texts that hold the separator in quotes'
    : null
}

/** The other barcodes of a row, of all columns that mean such, and what is wrong with the first that is wrong. */
function readOthers(
  cells: readonly string[],
  barcode: string,
  { fields }: Meaning,
): Pick<StagedRow, 'others' | 'fault'> {
  const texts = fields.flatMap((field, index) => (field === 'other_barcodes' ? [cells[index] ?? ''] : []))
  const read = readOtherBarcodes(texts, barcode)
  if (typeof read === 'string') return { others: [], fault: storable(read) }
  if (read.length > maxAliases) {
    return { others: [], fault: `the row names more than ${maxAliases} other barcodes` }
  }
  const fault = read
    .map(({ barcode: code }) => codeFault(code, 'other barcode'))
    .find((each) => each !== null)
  return { others: fault === undefined ? read : [], fault: fault ?? null }
}

/** The quantities of a row, and what is wrong with the first that is wrong. */
function readQuantities(
  cellOf: CellOf,
  { closed, ownNames }: Meaning,
): Pick<StagedRow, 'quantities' | 'fault'> {
  const quantities: StagedRow['quantities'] = {}
  let fault: string | null = null
  for (const { place: code, field } of stockFields) {
    const place = placeName(code, ownNames)
    const name = `quantity of ${place}`
    const read = readNumber({ text: cellOf(field), name, place, isClosed: closed.has(field) })
    if (typeof read === 'string') fault ??= read
    else if (read !== null) quantities[field] = read
  }
  return { quantities, fault }
}

/** As readQuantities, of bins and minimums. */
function readPlacements(cellOf: CellOf, meaning: Meaning): Pick<StagedRow, 'placements' | 'fault'> {
  const placements: StagedPlacement[] = []
  let fault: string | null = null
  for (const location of locations) {
    const read = readPlacement(cellOf, location, meaning)
    if (typeof read === 'string') fault ??= read
    else if (read !== null) placements.push(read)
  }
  return { placements, fault }
}

/**
 * Reads the cells of a row, which mean `fields` in their order; more cells than fields are a fault. `closed` are the fields of
 * locations that the plan does not include: a bin, or a number above 0, is a fault there, 0 changes nothing.
 */
export function readImportRow(cells: readonly string[], meaning: Meaning): StagedRow {
  const cellOf: CellOf = (field) => (cells[meaning.fields.indexOf(field)] ?? '').trim()
  const barcode = cellOf('barcode')
  const description = cellOf('description')
  const { quantities, fault: quantityFault } = readQuantities(cellOf, meaning)
  const { placements, fault: placementFault } = readPlacements(cellOf, meaning)
  const unitCost = readCost(cellOf('unit_cost'))
  const { others, fault: othersFault } = readOthers(cells, barcode, meaning)
  return {
    barcode: storable(barcode).slice(0, 100),
    description: storable(description).slice(0, maxDescriptionLength),
    quantities,
    placements,
    unitCost: typeof unitCost === 'number' ? unitCost : null,
    others,
    fault:
      surplusFault(cells, meaning) ??
      codeFault(barcode, 'barcode') ??
      descriptionFault(description) ??
      quantityFault ??
      placementFault ??
      (typeof unitCost === 'string' ? unitCost : null) ??
      othersFault,
  }
}
