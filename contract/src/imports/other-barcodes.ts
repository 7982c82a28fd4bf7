import { readOtherBarcode, type NamedBarcode } from '../stock/other-barcode.ts'
import { lookupCodes } from '../stock/rules.ts'

/**
 * What names one of them: up to a semicolon, a new line or a comma with a space, which stand in a code only within quotes. Takes no line
 * end before quotes, since each of many in a row would then be tried with all behind it.
 */
const oneOf = /[^\S\r\n]*"(?:[^"]|"")*"[^;\r\n]*|(?:,(?!\s|$)|[^;,\r\n])+/g

/**
 * The other barcodes that cells of a row name, each once, in whichever writing of a UPC; or what is wrong with them. The barcode of the
 * row itself is none of them: many lists repeat it.
 */
export function readOtherBarcodes(cells: readonly string[], own: string): NamedBarcode[] | string {
  const named = new Map<string, NamedBarcode>()
  const texts = cells.flatMap((cell) => cell.trim().match(oneOf) ?? []).map((text) => text.trim())
  for (const text of texts.filter((each) => each !== '')) {
    const read = readOtherBarcode(text)
    if (typeof read === 'string') return read
    const writings = lookupCodes(read.barcode)
    if (writings.includes(own)) continue
    const before = writings.map((code) => named.get(code)).find((each) => each !== undefined)
    if (before !== undefined && before.pieces !== read.pieces) {
      return `the other barcode ${read.barcode.slice(0, 60)} stands twice in the row, with other pieces`
    }
    if (before === undefined) named.set(read.barcode, read)
  }
  return [...named.values()]
}
