import { cleanCode } from './codes.ts'
import { gtinIn } from './gs1.ts'
import { readScannerSettings, type ScannerSettings } from './settings.ts'

/**
 * What may be meant by a text where only the server knows which codes there are, in the order to ask for it: the text itself, without
 * what the scanner adds around it, and the trade item number of either.
 */
export function codesMeant(text: string, company: ScannerSettings | undefined): string[] {
  const codes = [text, cleanCode(text, readScannerSettings(company))]
  const numbers = codes.map((code) => gtinIn(code, () => true)).filter((number) => number !== null)
  return [...new Set([...codes, ...numbers])]
}
