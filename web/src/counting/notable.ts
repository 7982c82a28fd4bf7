import type { OwnState } from './count-entries.ts'
import { recentSize } from './count-results.ts'
import { isStored, type CountResult } from './count-verdicts.ts'
import { listWaiting } from './held-entries.ts'

/** A scan of which something may be said, and what is said of it. */
export type Notable = { id: string; barcode: string; quantity: number; timestamp: string; note: string }

type Own = Pick<OwnState, 'jobs' | 'takingBack' | 'notes'>

/** What is said of a scan, also where that waits; empty where nothing is. */
export function noteOn({ id, note = '' }: Pick<CountResult, 'id' | 'note'>, notes: Own['notes']): string {
  return notes.get(id) ?? note
}

/**
 * The scans of a count of which something may be said, newest first: those that wait to be stored, and of the last ones those that
 * are, unless they are taken back.
 */
export function listNotable(
  session: string,
  { results, jobs, takingBack, notes }: Own & { results: readonly CountResult[] },
): Notable[] {
  const waiting = listWaiting(jobs, session).map(({ id, value }) => ({ ...value, id }))
  return [...waiting.toReversed(), ...results.filter(isStored)]
    .filter(({ id }) => !takingBack.has(id))
    .slice(0, recentSize)
    .map((scan) => {
      const { id, barcode, quantity, timestamp } = scan
      return { id, barcode, quantity, timestamp, note: noteOn(scan, notes) }
    })
}
