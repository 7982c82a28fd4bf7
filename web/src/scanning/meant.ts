import { control, maxBarcodeLength } from '@inventory-manager/contract/values'
import { cleanCode } from './codes.ts'
import { numbersIn } from './gs1.ts'
import { readScannerSettings, type ScannerSettings } from './settings.ts'
import { withoutIdentifier } from './symbology.ts'

const isBarcode = (code: string) => code !== '' && code.length <= maxBarcodeLength && !control.test(code)

/**
 * Which barcodes may be meant by a text where only the server knows which there are, in the order to ask for them: the text itself, it
 * without what the scanner adds around it or says of its symbol, and the trade item number of each. None where nothing of it can be one.
 */
export function codesMeant(text: string, company: ScannerSettings | undefined): string[] {
  const plain = [text, cleanCode(text, readScannerSettings(company))]
  const codes = [...plain, ...plain.map(withoutIdentifier)]
  return [...new Set([...codes, ...codes.flatMap(numbersIn)])].filter(isBarcode)
}

/** As codesMeant, for what is asked of one text: where nothing of it can be a barcode, the server says what is wrong with it. */
export function codesToAsk(text: string, company: ScannerSettings | undefined): string[] {
  const meant = codesMeant(text, company)
  return meant.length === 0 ? [text] : meant
}
