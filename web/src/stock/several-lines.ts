import { maxQuantity } from '@inventory-manager/contract/values'
import { withLineFeeds } from '../lib/csv.ts'
import { isDoubtfulNumber } from '../scanning/scan-form.ts'

/** What a line holds: a barcode, or several of one component, or a barcode and an amount. */
export type LineForm = 'barcode' | 'barcodes' | 'amount'

/** A line as it was given, with what is in it. */
export type Line = { text: string; cells: string[] }

/** A spreadsheet's own separator before those that people type, which may stand in a barcode. */
const separators = ['\t', ';', ',']

function cellsOf(line: string, form: LineForm): string[] {
  const separator = form === 'barcode' ? undefined : separators.find((candidate) => line.includes(candidate))
  const cells = (separator === undefined ? [line] : line.split(separator)).map((cell) => cell.trim())
  // Without an empty cell before it another column would be the barcode, or the amount.
  if (form === 'amount') return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
  return cells.filter((cell) => cell !== '')
}

/** Reads lines without the empty ones; one that stands twice is one, but where it says how much. */
export function readLines(text: string, form: LineForm): Line[] {
  const lines = withLineFeeds(text)
    .split('\n')
    .map((line) => (form === 'amount' ? line.trimEnd() : line.trim()))
    .filter((line) => line !== '')
  const distinct = form === 'amount' ? lines : [...new Set(lines)]
  return distinct.map((line) => ({ text: line, cells: cellsOf(line, form) }))
}

function isAmount(cell: string | undefined): boolean {
  return cell !== undefined && /^\d{1,10}$/.test(cell) && Number(cell) >= 1 && Number(cell) <= maxQuantity
}

const isWhole: Record<LineForm, (cells: readonly string[]) => boolean> = {
  barcode: () => true,
  barcodes: (cells) => cells.length > 1,
  amount: (cells) => cells.length === 2 && cells[0] !== '' && isAmount(cells[1]),
}

/** The lines in which something is missing. */
export function findBareLines(lines: readonly Line[], form: LineForm): Line[] {
  return lines.filter(({ cells }) => !isWhole[form](cells))
}

/** The lines whose amount may be a scanned code: by itself, as where it is counted, or because it is a code of the list. */
export function findDoubtfulLines(lines: readonly Line[], form: LineForm): Line[] {
  if (form !== 'amount') return []
  const codes = new Set(lines.map(({ cells }) => cells[0]))
  return lines.filter(({ cells: [, amount = ''] }) => isDoubtfulNumber(amount) || codes.has(amount))
}
