import type { Signal } from '../scanning/feedback.ts'
import type { CountResult } from './count-verdicts.ts'

/** Under strict blind counts what is kept for review sounds as what matched. */
const signals: Record<CountResult['verdict'], Signal> = {
  matched: 'right',
  review: 'right',
  recorded: 'recorded',
  unknown: 'unknown',
  mismatched: 'wrong',
  retired: 'wrong',
  again: 'wrong',
  refused: 'wrong',
  undone: 'wrong',
}

const gravestFirst = ['wrong', 'unknown', 'recorded', 'right'] as const

/** Which of the results that come together is heard, and as what: the last of those that ask for most; null where none came. */
export function findHeard(results: readonly CountResult[]): { heard: CountResult; as: Signal } | null {
  for (const as of gravestFirst) {
    const heard = results.findLast(({ verdict }) => signals[verdict] === as)
    if (heard !== undefined) return { heard, as }
  }
  return null
}
