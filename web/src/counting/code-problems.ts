import { countMessages } from '@inventory-manager/contract/counting/messages'
import { maxBarcodeLength } from '@inventory-manager/contract/values'
import type { CodeProblem } from './result-panel.tsx'

const tooLong = (code: string): CodeProblem => ({
  word: 'Too long',
  sentence: countMessages.codeTooLong(maxBarcodeLength, code.length),
  next: countMessages.tooLongNext,
  note: 'too long',
})

const unknown = (code: string): CodeProblem => ({
  word: 'Unknown code',
  sentence: countMessages.notFound(code),
  next: countMessages.unknownNext,
  note: 'unknown',
})

/** `refusal`: why it is not counted here. `isKnown`: whether it is a component's elsewhere; null where nobody knows. */
type Facts = { isListed: boolean; refusal: string | null; isKnown: boolean | null }

/** What keeps a code from being counted, to be said at its scan; or null. */
export function problemOfCode(code: string, { isListed, refusal, isKnown }: Facts): CodeProblem | null {
  if (code.length > maxBarcodeLength) return tooLong(code)
  if (refusal === null) return isListed ? null : unknown(code)
  if (isKnown === false) return unknown(code)
  const next = isKnown === null ? countMessages.perhapsUnknownNext : countMessages.notInListNext
  return { word: 'Not in the list', sentence: refusal, next, note: 'not in the list' }
}
