import { withLineFeeds } from '../lib/csv.ts'

/** A line as it was given, with the barcodes in it. */
export type BarcodeLine = { text: string; barcodes: string[] }

/** A spreadsheet's own separator before those that people type, which may stand in a barcode. */
const separators = ['\t', ';', ',']

/** Reads lines of one barcode, or of several where a line may have them; empty lines and those that stand twice are left out. */
export function readBarcodeLines(text: string, { several }: { several: boolean }): BarcodeLine[] {
  const lines = withLineFeeds(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return [...new Set(lines)].map((line) => {
    const separator = several ? separators.find((candidate) => line.includes(candidate)) : undefined
    const cells = separator === undefined ? [line] : line.split(separator)
    return { text: line, barcodes: cells.map((cell) => cell.trim()).filter((cell) => cell !== '') }
  })
}
