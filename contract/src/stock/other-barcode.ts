import { wholeNumber } from '../numbers.ts'
import { maxPackPieces, type Pack } from './packs.ts'

/** Another barcode as a list names it; without pieces where it does not say of how many. */
export type NamedBarcode = { barcode: string; pieces?: number }

const inQuotes = /^"((?:[^"]|"")*)"(?:\s+x(\d{1,9}))?$/i
const bare = /^(.*\S)\s+x(\d{1,9})$/i

/**
 * Another barcode as lists name it, behind that of a pack its pieces. A code that has what tells it from the next one, or from its pieces,
 * stands in quotes: of each it is certain what it says.
 */
export function writeOtherBarcode({ barcode, pieces }: Pack): string {
  const code = /[\s;"]/u.test(barcode) ? `"${barcode.replaceAll('"', '""')}"` : barcode
  return pieces === 1 ? code : `${code} x${pieces}`
}

/** What a text that was written so names, also as people write it, or what is wrong with it. */
export function readOtherBarcode(text: string): NamedBarcode | string {
  const quoted = inQuotes.exec(text)
  const [, code = text, digits] = quoted ?? bare.exec(text) ?? []
  const barcode = (quoted === null ? code : code.replaceAll('""', '"')).trim()
  if (digits === undefined) return { barcode }
  const pieces = Number(digits)
  if (pieces >= 1 && pieces <= maxPackPieces) return { barcode, pieces }
  return `the pieces of the other barcode ${text.slice(0, 60)} are no number from 1 to ${wholeNumber(maxPackPieces)}`
}
