import { largestUnaskedQuantity } from '@inventory-manager/contract/counting/rules'
import { useRef } from 'react'
import { formatNumber } from '../lib/numbers.ts'

/**
 * Asks once about a quantity that may be a scanned code, as a count does: throws the question, unless the digits are what it was
 * asked of last.
 */
export function useDoubtfulQuantity(barcode: string): (digits: string) => void {
  const asked = useRef<string | null>(null)
  return (digits) => {
    const isDoubtful = Number(digits) > largestUnaskedQuantity || digits === barcode
    if (!isDoubtful || asked.current === digits) return
    asked.current = digits
    throw new Error(
      `${formatNumber(Number(digits))} may be a scanned code. If it is the quantity, press the button once more.`,
    )
  }
}
