import { useRef, useState, type KeyboardEvent } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { isDoubtfulNumber } from '../scanning/scan-form.ts'
import { leastDigitsAsked } from '../scanning/typing.ts'
import { createWedge } from '../scanning/wedge.ts'

/** What the digits of a field are read as, and how that is written. */
type Read = { number: number; shown: string }

function wholeOf(digits: string): Read {
  return { number: Number(digits), shown: formatNumber(Number(digits)) }
}

/** Asks once about a quantity in a field, or what else the number there is, that may be a scanned code, as a count does. */
export function useDoubtfulQuantity(barcode: string, what = 'quantity') {
  const asked = useRef<string | null>(null)
  const [wedge] = useState(createWedge)
  const burst = useRef('')
  return {
    /** Throws the question, unless the digits are what it was asked of last. */
    ask: (digits: string, { number, shown }: Read = wholeOf(digits)): void => {
      const isScanned = burst.current.length >= leastDigitsAsked
      const isDoubtful = isScanned || isDoubtfulNumber(digits, number) || digits === barcode
      if (!isDoubtful || asked.current === digits) return
      asked.current = digits
      throw new Error(`${shown} may be a scanned code. If it is the ${what}, press the button once more.`)
    },
    /** Follows the keys of the field, by which is seen whether a scanner typed what stands there. */
    follow: (event: KeyboardEvent): void => {
      const { key, timeStamp } = event
      // The second of a scanner that sends two, for CR and LF, answers no question.
      if (key === 'Enter' && wedge.isEnding(timeStamp)) event.preventDefault()
      const pressed = wedge.press({ key, at: timeStamp })
      if (typeof pressed === 'object' && pressed !== null) burst.current = pressed.burst
    },
    /** Something else stands in the field. */
    forget: (): void => {
      burst.current = ''
    },
  }
}
