import {
  createSignFinder,
  isOpenAmount,
  readUnitCost,
  type DecimalSign,
} from '@inventory-manager/contract/amounts'
import { readOtherBarcode } from '@inventory-manager/contract/stock/other-barcode'
import { maxPackPieces } from '@inventory-manager/contract/stock/packs'
import { readPiecesTyped } from '@inventory-manager/contract/stock/typed-pieces'
import { maxBinLength, maxQuantity } from '@inventory-manager/contract/values'
import { withLineFeeds } from '../lib/csv.ts'
import { ownDecimalSign } from '../lib/numbers.ts'
import { isDoubtfulNumber } from '../scanning/scan-form.ts'

/** What a line holds: a barcode, or several of one component, or a barcode and what is said of it. */
export type LineForm = 'barcode' | 'barcodes' | 'amount' | 'bin' | 'minimum' | 'cost'

/** In these the second column says something of the first. */
const inColumns = new Set<LineForm>(['amount', 'bin', 'minimum', 'cost'])

/** A line as it was given, of two where an amount was scanned or typed below its barcode, with what is in it. */
export type Line = { text: string; cells: string[] }

/** A spreadsheet's own separator before those that people type, which may stand in a barcode. */
const separators = ['\t', ';', ',']

/** Between the other barcodes in one cell of an exported list: a semicolon and a space outside of quotes. */
const betweenOthers = /; (?=[^"]*(?:"[^"]*"[^"]*)*$)/

function splitAt(line: string, form: LineForm): string[] {
  const separator = form === 'barcode' ? undefined : separators.find((candidate) => line.includes(candidate))
  if (separator === undefined) return [line]
  const cells = line.split(separator)
  const isExported = form === 'barcodes' && separator === '\t'
  return isExported ? cells.flatMap((cell) => cell.split(betweenOthers)) : cells
}

function cellsOf(line: string, form: LineForm): string[] {
  const cells = splitAt(line, form).map((cell) => cell.trim())
  // Without an empty cell before it another column would be the barcode, or what is said of it.
  if (inColumns.has(form)) return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
  return cells.filter((cell) => cell !== '')
}

/** Lines each once; of those that set something the last place counts, because what is set last holds. */
function distinctOf(lines: readonly string[], form: LineForm): string[] {
  return inColumns.has(form) ? [...new Set(lines.toReversed())].toReversed() : [...new Set(lines)]
}

/** Whether a line is a barcode alone, which waits for its amount. */
function isBare({ cells: [first, second] }: Line): boolean {
  return first !== undefined && first !== '' && second === undefined
}

/** Lines with their amounts: who scans ends each barcode, and each amount, with Enter. */
function withAmountsBelow(lines: readonly Line[]): Line[] {
  const paired: Line[] = []
  for (const line of lines) {
    const above = paired.at(-1)
    if (above !== undefined && isBare(above) && isBare(line) && readAmount(line.text) !== null) {
      paired.splice(-1, 1, { text: `${above.text}\n${line.text}`, cells: [...above.cells, ...line.cells] })
    } else {
      paired.push(line)
    }
  }
  return paired
}

/** Reads lines without the empty ones; one that stands twice is one, but where it says how much came. */
export function readLines(text: string, form: LineForm): Line[] {
  const lines = withLineFeeds(text)
    .split('\n')
    .map((line) => (inColumns.has(form) ? line.trimEnd() : line.trim()))
    .filter((line) => line !== '')
  const distinct = form === 'amount' ? lines : distinctOf(lines, form)
  const read = distinct.map((line) => ({ text: line, cells: cellsOf(line, form) }))
  return form === 'amount' ? withAmountsBelow(read) : read
}

/** The pieces of an amount: 36, or as packs of so many 3 x12; null where it is none. */
export function readAmount(cell: string): number | null {
  const [, count, each = '1'] = /^(\d{1,10})(?:\s*x\s*(\d{1,5}))?$/iu.exec(cell) ?? []
  const pieces = Number(count) * Number(each)
  return pieces >= 1 && pieces <= maxQuantity && Number(each) <= maxPackPieces ? pieces : null
}

/** Whether a line has a barcode, and behind it just what it should. */
function isPair([first, second, ...others]: readonly string[], isSaid: (cell: string) => boolean): boolean {
  return others.length === 0 && first !== '' && second !== undefined && isSaid(second)
}

/** Whether a cell names another barcode, with no wrong pieces. */
function isOther(cell: string): boolean {
  return typeof readOtherBarcode(cell) !== 'string'
}

/** Whether a cost is to be removed. */
export function isNoCost(cell: string): boolean {
  return cell.toLowerCase() === 'none'
}

const isWhole: Record<LineForm, (cells: readonly string[]) => boolean> = {
  barcode: () => true,
  barcodes: ([, ...others]) => others.length > 0 && others.every(isOther),
  amount: (cells) => isPair(cells, (amount) => readAmount(amount) !== null),
  // Without one it is a line that is not whole, rather than one that empties what was said.
  bin: (cells) => isPair(cells, (bin) => bin.length <= maxBinLength),
  minimum: (cells) => isPair(cells, (minimum) => readPiecesTyped(minimum) !== null),
  cost: (cells) => isPair(cells, (cost) => isNoCost(cost) || typeof readUnitCost(cost, '.') === 'number'),
}

/** The lines in which something is missing. */
export function findBareLines(lines: readonly Line[], form: LineForm): Line[] {
  return lines.filter(({ cells }) => !isWhole[form](cells))
}

/** The lines with what may be a scanned code in place of what belongs there: by itself, as where it is counted, or because it is a code of the list. */
export function findDoubtfulLines(lines: readonly Line[], form: LineForm): Line[] {
  if (!inColumns.has(form)) return []
  const codes = new Set(lines.map(({ cells }) => cells[0]))
  const decimals = decimalSignOf(lines)
  const isDoubtful = (said: string) => {
    if (form === 'bin') return false
    if (form !== 'cost') return isDoubtfulNumber(said)
    const cost = readUnitCost(said, decimals)
    return typeof cost === 'number' && isDoubtfulNumber(said, cost)
  }
  return lines.filter(({ cells: [, said = ''] }) => isDoubtful(said) || codes.has(said))
}

/** Two lines that were taken for a barcode and its amount, where the barcode could be an amount as well. */
export function findDoubtfulPairs(lines: readonly Line[]): Line[] {
  return lines.filter(({ text, cells: [first = ''] }) => text.includes('\n') && readAmount(first) !== null)
}

/** Which sign the costs of a list tell, each by itself; null where they do not. `isAgreed`: none of them tells the other one. */
function findSign(lines: readonly Line[]): { told: DecimalSign | null; isAgreed: boolean } {
  const finder = createSignFinder()
  for (const { cells } of lines) finder.add(cells[1] ?? '')
  return { told: finder.find(), isAgreed: finder.isAgreed() }
}

/** What stands before the decimals of the costs of a list, as most of them tell it, or else as it is where this browser is used. */
export function decimalSignOf(lines: readonly Line[]): DecimalSign {
  return findSign(lines).told ?? ownDecimalSign
}

/** The first line whose cost alone tells a sign. */
export function findTelling(lines: readonly Line[], sign: DecimalSign): Line | undefined {
  return lines.find((line) => findSign([line]).told === sign)
}

/** The lines whose cost may be thousands as well as decimals, such as 1.234. */
export function findOpenLines(lines: readonly Line[]): Line[] {
  return lines.filter(({ cells: [, cost = ''] }) => isOpenAmount(cost))
}

/** Whether the costs of a list tell what stands before decimals, all the same, and as it is where this browser is used: one that is mistyped decides for no others unasked. */
export function isSignCertain(lines: readonly Line[]): boolean {
  const { told, isAgreed } = findSign(lines)
  return told === ownDecimalSign && isAgreed
}
