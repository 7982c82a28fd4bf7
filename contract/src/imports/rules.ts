import { control, maxBarcodeLength, maxDescriptionLength, maxQuantity, shortenedNumber } from '../values.ts'

/** What a column of an imported file may mean. */
export const importFields = [
  'barcode',
  'description',
  'primary_quantity',
  'secondary_quantity',
  'fulfillment_quantity',
  'distribution_quantity',
  'quarantine_quantity',
] as const

export type ImportField = (typeof importFields)[number]
type ImportQuantityField = Exclude<ImportField, 'barcode' | 'description'>

export const importQuantityFields = [
  'primary_quantity',
  'secondary_quantity',
  'fulfillment_quantity',
  'distribution_quantity',
  'quarantine_quantity',
] as const satisfies readonly ImportQuantityField[]

/** How long staged rows wait for a decision. */
export const hoursStaged = 24

/** A row as it is staged; `fault` says why it cannot be taken. Quantities left empty leave the stock as it is. */
export type StagedRow = {
  barcode: string
  description: string
  quantities: Partial<Record<ImportQuantityField, number>>
  fault: string | null
}

/** As dates of workbooks are given (web/src/imports/sheet-cells.ts). */
const dateCell = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/
/** What spreadsheets show where a formula failed, also in German, French and Spanish. */
const errorCell =
  /^(#(n\/[ad]|nv|getting_data|[¡¿]?(null|div\/0|value|ref|name|num|spill|calc|field|connect|blocked|unknown|wert|bezug|zahl|valeur|nom|nombre|valor|nulo)[!?])|err:\d{3})$/i
const unstorable = /[\0\p{Cs}]/gu

/** What a column is called where its cells are judged. */
type CodeName = 'barcode' | 'ID'

function errorFault(name: CodeName | 'description', text: string): string {
  return `the ${name} is ${text}, an error of the spreadsheet: mend the formula or enter the ${name} itself`
}

/** What is wrong with a code of a file or a list; null where nothing is. */
export function codeFault(code: string, name: CodeName): string | null {
  if (code === '') return `the ${name} is empty`
  if (shortenedNumber.test(code)) {
    return `the ${name} is in scientific notation: a spreadsheet has shortened it. Format the column as text and export again`
  }
  if (dateCell.test(code)) {
    return `the ${name} is a date: a spreadsheet has made one of it. Format the column as text and enter the code again`
  }
  if (errorCell.test(code)) return errorFault(name, code)
  if (code.length > maxBarcodeLength) return `the ${name} is longer than ${maxBarcodeLength} characters`
  return control.test(code) ? `the ${name} contains a control character` : null
}

const fieldNames: Record<ImportQuantityField, string> = {
  primary_quantity: 'Primary Warehouse',
  secondary_quantity: 'Secondary Warehouse',
  fulfillment_quantity: 'Fulfillment Center',
  distribution_quantity: 'Distribution Center',
  quarantine_quantity: 'Quarantine',
}

/** Pieces: a whole number from 0 up; null for anything else. */
function readQuantity(text: string): number | null {
  if (!/^\d{1,10}$/.test(text)) return null
  const quantity = Number(text)
  return quantity <= maxQuantity ? quantity : null
}

/** What of a refused row is kept, to be shown. */
function storable(text: string): string {
  return text.replaceAll(unstorable, '\uFFFD')
}

function descriptionFault(description: string): string | null {
  if (errorCell.test(description)) return errorFault('description', description)
  if (description.length > maxDescriptionLength)
    return `the description is longer than ${maxDescriptionLength} characters`
  return /\0|\p{Cs}/u.test(description) ? 'the description holds characters that cannot be stored' : null
}

type Meaning = { fields: readonly ImportField[]; closed: ReadonlySet<ImportField> }

/** One quantity of a row: null where it says nothing, else the number or what is wrong. */
function readCell(text: string, field: ImportQuantityField, { closed }: Meaning): number | string | null {
  if (text === '') return null
  const quantity = readQuantity(text)
  if (quantity === null)
    return `the quantity of ${fieldNames[field]} is not a whole number from 0 up: ${storable(text).slice(0, 40)}`
  if (!closed.has(field)) return quantity
  return quantity > 0 ? `your plan does not include ${fieldNames[field]}` : null
}

/** More cells than there are columns come of a text with separators in it: which of them is cut where, nobody knows. */
function surplusFault(cells: readonly string[], { fields }: Meaning): string | null {
  return cells.length > fields.length
    ? 'the row has more cells than the heading: put texts that hold the separator in quotes'
    : null
}

/**
 * Reads the cells of a row, which mean `fields` in their order; more cells than fields are a fault. `closed` are the fields of
 * locations that the plan does not include: stock above 0 there is a fault, 0 changes nothing.
 */
export function readImportRow(cells: readonly string[], meaning: Meaning): StagedRow {
  const cellOf = (field: ImportField) => (cells[meaning.fields.indexOf(field)] ?? '').trim()
  const barcode = cellOf('barcode')
  const description = cellOf('description')
  const quantities: StagedRow['quantities'] = {}
  let fault = surplusFault(cells, meaning) ?? codeFault(barcode, 'barcode') ?? descriptionFault(description)
  for (const field of importQuantityFields) {
    const read = readCell(cellOf(field), field, meaning)
    if (typeof read === 'string') fault ??= read
    else if (read !== null) quantities[field] = read
  }
  return {
    barcode: storable(barcode).slice(0, 100),
    description: storable(description).slice(0, maxDescriptionLength),
    quantities,
    fault,
  }
}
