const goneAfterMs = 1_000

export type Sightings = {
  /** Tells what the camera sees at a time, in milliseconds; gives the codes to take now. */
  see: (codes: readonly string[], at: number) => string[]
  /** Whether a code is kept until a scanner has typed. */
  isKeeping: () => boolean
}

/**
 * Makes scans of what a camera sees: a code is taken when it was seen twice, so that a misread frame is none, and not
 * again until it was out of the picture for a second. While a scanner types it is kept for later: what the scanner types into is
 * put back as it stood before.
 */
export function createSightings(isScanning: (at: number) => boolean): Sightings {
  const seen = new Map<string, { at: number; isTaken: boolean }>()
  let kept: string[] = []

  function isNew(code: string, at: number): boolean {
    const before = seen.get(code)
    seen.set(code, { at, isTaken: before !== undefined })
    return before?.isTaken === false
  }

  return {
    see(codes, at) {
      const found = [...kept, ...codes.filter((code) => isNew(code, at))]
      for (const [code, sighting] of seen) if (at - sighting.at > goneAfterMs) seen.delete(code)
      const isLater = isScanning(at)
      kept = isLater ? found : []
      return isLater ? [] : found
    },
    isKeeping: () => kept.length > 0,
  }
}
