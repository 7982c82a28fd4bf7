import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { maxBarcodeLength } from '@inventory-manager/contract/values'
import type { CodeProblem } from './result-panel.tsx'

const tooLong = (code: string): CodeProblem => ({
  word: 'Too long',
  sentence: countMessages.codeTooLong(maxBarcodeLength, code.length),
  next: entryMessages.tooLongNext,
  note: 'too long',
})

const ofBin = (bin: string): CodeProblem => ({
  word: 'A bin',
  sentence: entryMessages.isBin(bin),
  next: entryMessages.tooLongNext,
  note: 'a bin',
})

const unknown = (code: string): CodeProblem => ({
  word: 'Unknown code',
  sentence: countMessages.notFound(code),
  next: entryMessages.unknownNext,
  note: 'unknown',
})

/** Where a location leaves components out, it may be one of them: whoever finds it there is right. */
const perhapsNotKept = (code: string): CodeProblem => ({
  word: 'Not in the list',
  sentence: entryMessages.notKeptHere(code),
  next: entryMessages.notKeptHereNext,
  note: 'not in the list',
})

/**
 * `bin`: which one it names, where it is no component's. `refusal`: why it is not counted here. `isKnown`: whether it is a component's
 * elsewhere; null where nobody knows.
 */
type Facts = { isListed: boolean; bin: string | undefined; refusal: string | null; isKnown: boolean | null }

/** What keeps a code from being counted, to be said at its scan; or null. */
export function problemOfCode(code: string, { isListed, bin, refusal, isKnown }: Facts): CodeProblem | null {
  if (code.length > maxBarcodeLength) return tooLong(code)
  if (bin !== undefined) return ofBin(bin)
  if (refusal === null && isListed) return null
  if (isKnown === false) return unknown(code)
  if (refusal === null) return perhapsNotKept(code)
  const next = isKnown === null ? entryMessages.perhapsUnknownNext : entryMessages.notInListNext
  return { word: 'Not in the list', sentence: refusal, next, note: 'not in the list' }
}
