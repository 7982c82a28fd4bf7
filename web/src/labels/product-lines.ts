import { codeFault } from '@inventory-manager/contract/imports/rules'
import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { readPiecesTyped } from '@inventory-manager/contract/stock/typed-pieces'
import { maxDescriptionLength } from '@inventory-manager/contract/values'
import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { bareCell, brokenQuoteLine, csvOptions, separatorOf, separators, withLineFeeds } from '../lib/csv.ts'

export type Product = { barcode: string; description: string; quantity: number }

type Source = 'manual' | 'csv'

/** A line that cannot be taken: where it stands and why. */
export type LineFault = { source: Source; line: number; reason: string }

export type ReadProducts = { products: Product[]; faults: LineFault[] }

type Line = { line: number; fields: string[] }
type NumberedProduct = Product & { source: Source; line: number }

function unwrap(text: string): string {
  return text.replaceAll(/^[ \t]*\((.*)\)[ \t]*$/gm, '$1')
}

/** Whether the first record, taken apart by a separator, is a product or a heading of products. */
function fits(text: string, separator: string): boolean {
  try {
    const [first]: string[][] = parse(text, { bom: true, ...csvOptions(separator), to: 1 })
    const line = { line: 1, fields: first ?? [] }
    // Without a quantity it may be a line that ends with another separator.
    return isHeader(line) || (line.fields.at(-1) !== '' && !('reason' in readProduct(line)))
  } catch (error) {
    if (error instanceof CsvError) return false
    throw error
  }
}

/**
 * The separator of lines of two or three fields. A quantity of 5,00 behind what separates from the ID, too, is no 00 behind a comma;
 * else the one by which alone the first record is a product.
 */
function separatorIn(text: string): string {
  const first = text.split('\n').find((line) => line.trim() !== '') ?? ''
  const beforeDecimal = /^[^,;\t]*([;\t])(?:.*\1)?\s*\d+,\d+\s*$/.exec(first)?.[1]
  if (beforeDecimal !== undefined) return beforeDecimal
  const [only, ...others] = separators.filter((separator) => fits(text, separator))
  return only !== undefined && others.length === 0 ? only : separatorOf(text)
}

function readLines(given: string): { lines: Line[]; brokenAt: number | null } {
  const text = withLineFeeds(given)
  const separator = separatorIn(text)
  const lines: Line[] = []
  try {
    parse(text, {
      bom: true,
      ...csvOptions(separator),
      on_record: (record, context) => {
        lines.push({ fields: record, line: context.lines })
        return null
      },
    })
    return { lines, brokenAt: null }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { lines, brokenAt: brokenQuoteLine(text, separator) }
  }
}

/** As readLines, of what programs and spreadsheets write around a cell the cell. */
function readFile(text: string): ReturnType<typeof readLines> {
  const { lines, brokenAt } = readLines(text)
  return { lines: lines.map(({ line, fields }) => ({ line, fields: fields.map(bareCell) })), brokenAt }
}

const headerCode = /^(id|sku|bar ?code|code|item|article|product|component)([ _-]?(id|code|no\.?|number))?$/i
const headerQuantity = /^(quantity|qty\.?|stock|count|amount|pieces|on[ _-]?hand)$/i

function isHeader({ fields }: Line): boolean {
  return headerCode.test(fields[0] ?? '') && headerQuantity.test(fields.at(-1) ?? '')
}

/** Whole number from 0 up; only a two-field line's empty quantity counts as 0. */
function readQuantity(text: string, mayBeEmpty: boolean): number | null {
  return text === '' && mayBeEmpty ? 0 : readPiecesTyped(text)
}

function readProduct(line: Line): Product | { reason: string } {
  // What stands in quotes is padded in many exports.
  const fields = line.fields.map((field) => field.trim())
  if (fields.length !== 2 && fields.length !== 3) return { reason: 'it has neither two nor three fields' }
  const [barcode = ''] = fields
  const description = fields.length === 3 ? (fields[1] ?? '') : ''
  const quantity = readQuantity(fields.at(-1) ?? '', fields.length === 2)
  const fault = codeFault(barcode, 'ID')
  if (fault !== null) return { reason: fault }
  if (description.length > maxDescriptionLength)
    return { reason: `the description is longer than ${maxDescriptionLength} characters` }
  return quantity === null
    ? { reason: 'the quantity is not a whole number from 0 up' }
    : { barcode, description, quantity }
}

/** What the typed lines, or a file, have in them, without a look at the other. */
export type ReadSource = { products: NumberedProduct[]; faults: LineFault[] }

export function readSource(text: string, source: Source): ReadSource {
  const { lines, brokenAt } = source === 'manual' ? readLines(unwrap(text)) : readFile(text)
  const [first] = lines
  const body = first !== undefined && isHeader(first) ? lines.slice(1) : lines
  const products: NumberedProduct[] = []
  const faults: LineFault[] = []
  for (const line of body) {
    const product = readProduct(line)
    if ('reason' in product) faults.push({ source, line: line.line, reason: product.reason })
    else products.push({ ...product, source, line: line.line })
  }
  if (brokenAt !== null) faults.push({ source, line: brokenAt, reason: 'its quotes do not match' })
  return { products, faults }
}

const sourceNames: Record<Source, string> = { manual: 'the typed lines', csv: 'the file' }

type Firsts = ReadonlyMap<string, NumberedProduct>

/** The products by their codes, in their order; of one that stands twice the first. */
function firstsOf(products: NumberedProduct[]): Firsts {
  const firsts = new Map<string, NumberedProduct>()
  for (const product of products) {
    if (!firsts.has(product.barcode)) firsts.set(product.barcode, product)
  }
  return firsts
}

function duplicateFaults(products: NumberedProduct[], firsts: Firsts): LineFault[] {
  return products.flatMap((product) => {
    const first = firsts.get(product.barcode)
    if (first === undefined || first === product) return []
    const reason = `the ID stands already at line ${first.line} of ${sourceNames[first.source]}`
    return [{ source: product.source, line: product.line, reason }]
  })
}

/** Typed lines first, each source from the top. */
function byPlace(a: LineFault, b: LineFault): number {
  return b.source.localeCompare(a.source) || a.line - b.line
}

/** What is in typed lines and a CSV file together: what can be taken and every line that cannot. */
export function allProducts({ typed, file }: { typed: ReadSource; file: ReadSource }): ReadProducts {
  const products = [...typed.products, ...file.products]
  const firsts = firstsOf(products)
  const taken = Array.from(firsts.values())
  return {
    products: taken.map(({ barcode, description, quantity }) => ({ barcode, description, quantity })),
    faults: [...typed.faults, ...file.faults, ...duplicateFaults(products, firsts)].toSorted(byPlace),
  }
}

/** The specified sentence for the first line that cannot be taken. */
export function faultMessage(fault: LineFault): string {
  return fault.source === 'csv'
    ? labelMessages.badCsvLine(fault.line)
    : labelMessages.badManualLine(fault.line)
}
