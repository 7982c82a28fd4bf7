import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { signal, speak } from '../scanning/feedback.ts'
import type { ScanHandlers } from '../scanning/form-state.ts'
import type { CodeProblem } from './result-panel.tsx'

function tellCode({ note, sentence }: CodeProblem): void {
  signal(note === 'unknown' ? 'unknown' : 'wrong')
  speak(sentence)
}

/** Says what somebody has to know who looks at the shelf. */
export function tellAloud(text: string): void {
  signal('wrong')
  speak(text)
}

type Hearing = {
  /** What keeps a code from being counted, or null. */
  problemOf: (code: string) => CodeProblem | null
  /** How many pieces one scan of a code stands for. */
  piecesPerScan: (code: string) => number
  /** What was wrong with the item before is not said of this one. */
  forgetProblem: () => void
}

type Heard = Pick<ScanHandlers, 'onCode' | 'onWaiting' | 'onLeft' | 'onPiece' | 'onDoubled' | 'onAsk'>

/** Lets scans be heard: what is wrong with a code at its scan, before anything is counted under it. */
export function hearScans({ problemOf, piecesPerScan, forgetProblem }: Hearing): Heard {
  return {
    onCode(code) {
      forgetProblem()
      const problem = problemOf(code)
      if (problem !== null) tellCode(problem)
    },
    onWaiting(code, behind) {
      forgetProblem()
      const problem = problemOf(code)
      if (problem !== null) {
        tellCode(problem)
        return
      }
      signal('waiting')
      // Else the next number would be taken for its quantity.
      speak(
        behind.isTyped ? entryMessages.submitFirst(behind.code) : entryMessages.quantityFirst(behind.code),
      )
    },
    onLeft({ barcode, quantity, asking }) {
      tellAloud(entryMessages.leftOut(barcode, asking ?? quantity))
    },
    onPiece(code, pieces) {
      forgetProblem()
      // What is wrong with a code was heard at its first scan.
      if (pieces === piecesPerScan(code) && problemOf(code) !== null) return
      signal('piece')
      speak(String(pieces))
    },
    onDoubled() {
      speak(entryMessages.doubled)
    },
    onAsk(number) {
      tellAloud(entryMessages.askNumber(number))
    },
  }
}
