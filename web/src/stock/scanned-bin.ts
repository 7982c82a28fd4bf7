import { maxBinLength } from '@inventory-manager/contract/values'
import { useRef, useState, type KeyboardEvent } from 'react'
import { cleanCode } from '../scanning/codes.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { codesMeant } from '../scanning/meant.ts'
import { readScannerSettings } from '../scanning/settings.ts'
import { createWedge } from '../scanning/wedge.ts'

/** What is wrong with a bin; null where nothing is. */
export function binFault(bin: string): string | null {
  if (bin.length <= maxBinLength) return null
  return `A bin has at most ${maxBinLength} characters, this one has ${bin.length}.`
}

/** A field for the bin of a component, into which the label of the bin is scanned, or by mistake the component's own. */
export function useScannedBin(barcodes: readonly string[]) {
  const company = useScannersOfCompany()
  const asked = useRef<string | null>(null)
  const [wedge] = useState(createWedge)
  return {
    /** Follows the keys of the field, and gives what was scanned into it without what the scanner adds; null where nothing was. */
    follow: ({
      key,
      timeStamp,
      currentTarget: { value },
    }: KeyboardEvent<HTMLInputElement>): string | null => {
      const pressed = wedge.press({ key, at: timeStamp })
      const isScanned = typeof pressed === 'object' && pressed?.burst === value && value !== ''
      return isScanned ? cleanCode(value, readScannerSettings(company)) : null
    },
    /** Throws the question whether a barcode of the component is its bin, unless it was asked of it last. */
    ask: (bin: string): void => {
      const isDoubtful = codesMeant(bin, company).some((code) => barcodes.includes(code))
      if (!isDoubtful || asked.current === bin) return
      asked.current = bin
      throw new Error(`${bin} is a barcode of this component. If it is the bin, press the button once more.`)
    },
  }
}
