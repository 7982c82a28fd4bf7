import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { likelyReason, type Reason } from './likely-reason.ts'

/** What was chosen last for what was missing and for what was too much; empty where nothing was. */
export type LastReasons = { missing: string; surplus: string }

export const noReasons: LastReasons = { missing: '', surplus: '' }

type Way = keyof LastReasons

/** Reasons that nobody means of the other. */
const ofOne: Record<Way, readonly Reason[]> = {
  missing: ['Damaged', 'Lost or stolen', 'Shipped, not booked'],
  surplus: ['Found', 'Received, not booked'],
}

/** Whether all are missing, or all are too much; null where some are so and some so. */
function wayOf(items: readonly Discrepancy[]): Way | null {
  const [way, ...others] = new Set(items.map(({ difference }) => (difference < 0 ? 'missing' : 'surplus')))
  return way === undefined || others.length > 0 ? null : way
}

/** The reason that was chosen last for such differences; empty where none was, or it says the opposite of them. */
export function lastReasonFor(items: readonly Discrepancy[], last: LastReasons): string {
  const way = wayOf(items)
  if (way === null) return ''
  const opposite = ofOne[way === 'missing' ? 'surplus' : 'missing']
  return opposite.some((reason) => reason === last[way]) ? '' : last[way]
}

/** With the reason of an acceptance, but where it was only what fits the likely cause: that says nothing of the next one. */
export function withReason(last: LastReasons, items: readonly Discrepancy[], reason: string): LastReasons {
  const way = wayOf(items)
  return way === null || reason === likelyReason(items) ? last : { ...last, [way]: reason }
}
