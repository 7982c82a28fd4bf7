import { wholeNumber } from '../numbers.ts'
import type { LocationNames } from '../locations.ts'
import { signed } from '../signed.ts'
import { placeName } from '../stock/places.ts'
import type { CountType } from '../values.ts'
import type { PackCause } from './pack-cause.ts'
import {
  isCauseInNumbers,
  type CauseInNumbers,
  type CauseInRecords,
  type DiscrepancyStatus,
  type LikelyCause,
} from './rules.ts'

/** How it stands with a difference, in a word or two. */
export const statusWords: Record<DiscrepancyStatus, string> = {
  attempted: 'Waiting for the second count',
  open: 'To decide',
  recount: 'Recount requested',
  matched: 'Matched later',
  accepted: 'Accepted',
  dismissed: 'Dismissed',
}

/** From which kind of count a difference is. */
export const countTypeWords: Record<CountType, string> = {
  monthly: 'Monthly',
  weekly: 'Weekly',
  admin: 'Admin view',
}

const movementWords: Record<string, string> = {
  import: 'an import',
  correction: 'a correction of the stock',
  discrepancy: 'an accepted difference',
  received: 'a receipt',
  issued: 'an issue',
  damaged: 'damaged stock',
  lost: 'lost stock',
  found: 'found stock',
}

const decisionWords: Record<string, string> = {
  accepted: 'accepted then',
  dismissed: 'dismissed then',
  matched: 'gone with the next count',
}

const movementName = (cause: string) => movementWords[cause] ?? 'a movement'
const decisionName = (status: string) => decisionWords[status] ?? 'not decided'

function sentenceInNumbers(cause: CauseInNumbers): string {
  switch (cause.kind) {
    case 'extra_zero':
      return 'A zero too many may have been typed.'
    case 'missing_zero':
      return 'A zero may be missing.'
    case 'swapped_digits':
      return 'Two digits may have been swapped.'
    case 'counted_twice':
      return 'Exactly twice what is expected: it may have been counted twice.'
    case 'round_difference':
      return `The difference is a multiple of ten (${signed(cause.difference)}): a full box or layer may be missing, or counted twice.`
  }
}

function span(seconds: number): string {
  return seconds <= 1 ? 'a second' : `${seconds} seconds`
}

function sentenceInRecords(
  cause: CauseInRecords,
  formatAt: (iso: string) => string,
  ownNames: LocationNames,
): string {
  switch (cause.kind) {
    case 'opposite_location':
      return `${placeName(cause.location, ownNames)} has the opposite difference (${signed(cause.difference)}, ${formatAt(cause.timestamp)}): it may have been moved there without a booking.`
    case 'opposite_sku':
      return `${cause.sku}, one digit away, has the opposite difference (${signed(cause.difference)}, ${formatAt(cause.timestamp)}): the two may have been mixed up.`
    case 'movement':
      return `${cause.user_name} entered ${movementName(cause.cause)} (${signed(cause.delta)}) around the time of the scan, ${formatAt(cause.timestamp)}.`
    case 'double_entry':
      return `${cause.user_name} entered ${wholeNumber(cause.counted)} twice within ${span(cause.seconds)}: the second was hardly a new count.`
    case 'in_parts':
      return `${cause.user_name} entered ${cause.parts.map(wholeNumber).join(' and ')}, together what is expected: it may lie in several places.`
    case 'same_as_last':
      return `The same difference as last time (${formatAt(cause.timestamp)}, ${decisionName(cause.status)}): the stock figure itself may be wrong.`
  }
}

function sentenceInPacks({ kind, packs, pieces }: PackCause): string {
  const packsOf =
    packs === 1 ? `A pack of ${wholeNumber(pieces)}` : `${wholeNumber(packs)} packs of ${wholeNumber(pieces)}`
  switch (kind) {
    case 'packs_as_pieces':
      return `${packsOf} may have been counted as one piece${packs === 1 ? '' : ' each'}.`
    case 'pieces_as_packs':
      return packs === 1
        ? `One piece may have been counted as a pack of ${wholeNumber(pieces)}.`
        : `${wholeNumber(packs)} pieces may have been counted as packs of ${wholeNumber(pieces)}.`
    case 'packs_missed':
      return `${packsOf} may have been missed.`
    case 'packs_twice':
      return `${packsOf} may have been counted twice.`
  }
}

/** A likely cause in plain words; `formatAt` writes an instant as the reader's clock does, `ownNames` are the company's. */
export function causeSentence(
  cause: LikelyCause | PackCause,
  formatAt: (iso: string) => string,
  ownNames: LocationNames,
): string {
  if ('packs' in cause) return sentenceInPacks(cause)
  return isCauseInNumbers(cause) ? sentenceInNumbers(cause) : sentenceInRecords(cause, formatAt, ownNames)
}

export const discrepancyMessages = {
  loading: (message: string) => `Error loading differences: ${message}`,
  deciding: (message: string) => `Nothing was decided: ${message}`,
  decidingOthers: (decided: number, message: string) =>
    `${wholeNumber(decided)} were decided, the others were not: ${message}`,
  /** Where the answer is missing: the decision may have been made. */
  unanswered: (message: string) =>
    `${message} It is not known whether this arrived. The list shows the current state.`,
  unansweredOthers: (decided: number, message: string) =>
    `${wholeNumber(decided)} were decided. ${message} It is not known whether the others arrived. The list shows the current state.`,
  reopening: (message: string) => `Nothing was reopened: ${message}`,
  reopened: (sku: string, place: string, status: DiscrepancyStatus) =>
    `${sku} at ${place} waits again: ${statusWords[status].toLowerCase()}.`,
  reasonRequired: 'Choose a reason for accepting.',
  below: (sku: string, after: number) => `Accepting ${sku} would bring its stock to ${signed(after)}.`,
} as const
