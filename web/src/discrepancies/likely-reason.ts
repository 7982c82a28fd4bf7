import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { rankedCauses, type PackCause } from '@inventory-manager/contract/discrepancies/pack-cause'
import type { LikelyCause, reasonCodes } from '@inventory-manager/contract/discrepancies/rules'

export type Reason = (typeof reasonCodes)[number]

type Cause = LikelyCause | PackCause

/** Who accepts a difference takes its count for right: a slip that explains it was made in what was recorded before. */
const madeBefore = new Set<Cause['kind']>([
  'counted_twice',
  'extra_zero',
  'missing_zero',
  'opposite_sku',
  'packs_missed',
  'packs_twice',
  'same_as_last',
  'swapped_digits',
])

const ofWrongUnit = new Set<Cause['kind']>(['packs_as_pieces', 'pieces_as_packs'])

function reasonOf(cause: Cause, difference: number): Reason | null {
  if (madeBefore.has(cause.kind)) return 'Miscounted before'
  if (ofWrongUnit.has(cause.kind)) return 'Wrong unit or pack size'
  if (cause.kind === 'opposite_location')
    return difference < 0 ? 'Shipped, not booked' : 'Received, not booked'
  return null
}

function reasonFor(item: Discrepancy): Reason | null {
  const reasons = rankedCauses(item).map((cause) => reasonOf(cause, item.difference))
  return reasons.find((reason) => reason !== null) ?? null
}

/** The reason that fits the likely causes of all of some differences; null where there is none. */
export function likelyReason(items: readonly Discrepancy[]): Reason | null {
  const [first, ...others] = new Set(items.map(reasonFor))
  return first === undefined || others.length > 0 ? null : first
}
