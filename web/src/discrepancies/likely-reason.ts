import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import type { LikelyCause, reasonCodes } from '@inventory-manager/contract/discrepancies/rules'

export type Reason = (typeof reasonCodes)[number]

/** Who accepts a difference takes its count for right: a slip that explains it was made in what was recorded before. */
const madeBefore = new Set<LikelyCause['kind']>([
  'counted_twice',
  'extra_zero',
  'missing_zero',
  'opposite_sku',
  'same_as_last',
  'swapped_digits',
])

function reasonOf(cause: LikelyCause, difference: number): Reason | null {
  if (madeBefore.has(cause.kind)) return 'Miscounted before'
  if (cause.kind === 'opposite_location')
    return difference < 0 ? 'Shipped, not booked' : 'Received, not booked'
  return null
}

function reasonFor({ likely_causes: causes, difference }: Discrepancy): Reason | null {
  return causes.map((cause) => reasonOf(cause, difference)).find((reason) => reason !== null) ?? null
}

/** The reason that fits the likely causes of all of some differences; null where there is none. */
export function likelyReason(items: readonly Discrepancy[]): Reason | null {
  const [first, ...others] = new Set(items.map(reasonFor))
  return first === undefined || others.length > 0 ? null : first
}
