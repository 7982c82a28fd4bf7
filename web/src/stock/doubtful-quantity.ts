import { largestUnaskedQuantity } from '@inventory-manager/contract/counting/rules'
import { useRef, useState } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { createWedge, type Keystroke } from '../scanning/wedge.ts'

/**
 * Asks once about a quantity that may be a scanned code, as a count does: throws the question, unless the digits are what it was
 * asked of last. `isScanned`: they came as a scanner types.
 */
export function useDoubtfulQuantity(barcode: string): (digits: string, isScanned?: boolean) => void {
  const asked = useRef<string | null>(null)
  return (digits, isScanned = false) => {
    const isDoubtful = isScanned || Number(digits) > largestUnaskedQuantity || digits === barcode
    if (!isDoubtful || asked.current === digits) return
    asked.current = digits
    throw new Error(
      `${formatNumber(Number(digits))} may be a scanned code. If it is the quantity, press the button once more.`,
    )
  }
}

/** A burst of fewer digits is taken for a quantity, as where it is counted. */
const leastDigitsAsked = 5

/** Follows the keys of a field for an amount, and tells whether a scanner typed the end of what stands there. */
export function useScannedAmount() {
  const [wedge] = useState(createWedge)
  const burst = useRef('')
  return {
    press(stroke: Keystroke) {
      const pressed = wedge.press(stroke)
      if (typeof pressed === 'object' && pressed !== null) burst.current = pressed.burst
    },
    forget: () => (burst.current = ''),
    isScanned: () => burst.current.length >= leastDigitsAsked,
  }
}
