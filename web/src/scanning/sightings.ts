import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { numbersIn } from './gs1.ts'

const goneAfterMs = 1_000

/** What a code is on: goods may carry their number as bars and, with 12 to 14 digits, in a link or element string beside them. */
function thingOf(code: string): string {
  const number = numbersIn(code)[0] ?? code
  return lookupCodes(number).toSorted()[0] ?? number
}

export type Sightings = {
  /** Tells what the camera sees at a time, in milliseconds; gives the codes to take now. */
  see: (codes: readonly string[], at: number) => string[]
  /** Whether a code is kept until a scanner has typed. */
  isKeeping: () => boolean
}

/**
 * Makes scans of what a camera sees: a code is taken when it was seen twice, so that a misread frame is none, and not
 * again until it, and whatever else says the same, was out of the picture for a second. While a scanner types it is kept for later: what the scanner types into is
 * put back as it stood before.
 */
export function createSightings(isScanning: (at: number) => boolean): Sightings {
  const seen = new Map<string, { at: number; isTaken: boolean }>()
  let kept: string[] = []

  function isNew(thing: string, at: number): boolean {
    const before = seen.get(thing)
    seen.set(thing, { at, isTaken: before !== undefined })
    return before?.isTaken === false
  }

  return {
    see(codes, at) {
      const things = new Map(codes.map((code) => [thingOf(code), code]))
      const taken = [...things].filter(([thing]) => isNew(thing, at)).map(([, code]) => code)
      const found = [...kept, ...taken]
      for (const [thing, sighting] of seen) if (at - sighting.at > goneAfterMs) seen.delete(thing)
      const isLater = isScanning(at)
      kept = isLater ? found : []
      return isLater ? [] : found
    },
    isKeeping: () => kept.length > 0,
  }
}
