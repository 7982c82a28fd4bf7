import { z } from '../zod.ts'
import { instant } from '../values.ts'

/** A difference waits for a decision until a person, another count or the company's settings end it. */
export const undecidedStatuses = ['attempted', 'open', 'recount'] as const
export const decidedStatuses = ['matched', 'accepted', 'dismissed'] as const
export const discrepancyStatuses = [...undecidedStatuses, ...decidedStatuses] as const

export type DiscrepancyStatus = (typeof discrepancyStatuses)[number]

/** What the expected and the counted number alone tell. */
const causeInNumbers = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('extra_zero') }),
  z.object({ kind: z.literal('missing_zero') }),
  z.object({ kind: z.literal('swapped_digits') }),
  z.object({ kind: z.literal('counted_twice') }),
  z.object({ kind: z.literal('round_difference'), difference: z.int() }),
])

/** What was found beside a difference: other differences, movements, other entries. */
export const causeInRecords = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('opposite_location'),
    location: z.string(),
    difference: z.int(),
    timestamp: instant,
  }),
  z.object({
    kind: z.literal('opposite_sku'),
    sku: z.string(),
    description: z.string(),
    difference: z.int(),
    timestamp: instant,
  }),
  z.object({
    kind: z.literal('movement'),
    delta: z.int(),
    cause: z.string(),
    user_name: z.string(),
    timestamp: instant,
  }),
  z.object({ kind: z.literal('double_entry'), user_name: z.string(), counted: z.int(), seconds: z.int() }),
  z.object({ kind: z.literal('in_parts'), user_name: z.string(), parts: z.array(z.int()) }),
  z.object({ kind: z.literal('same_as_last'), status: z.string(), timestamp: instant }),
])

/**
 * What may explain a difference; each kind carries what its sentence names. A page of the version before reads no reply with a kind
 * that it does not know: a new one goes beside the list, as that of packs does (`pack-cause.ts`).
 */
export const likelyCause = z.union([causeInNumbers, causeInRecords])

export type CauseInNumbers = z.output<typeof causeInNumbers>
export type CauseInRecords = z.output<typeof causeInRecords>
export type LikelyCause = z.output<typeof likelyCause>

const kindsInNumbers: ReadonlySet<string> = new Set<CauseInNumbers['kind']>([
  'extra_zero',
  'missing_zero',
  'swapped_digits',
  'counted_twice',
  'round_difference',
])

export function isCauseInNumbers(cause: LikelyCause): cause is CauseInNumbers {
  return kindsInNumbers.has(cause.kind)
}

/** Whether two neighbouring digits of one number, swapped, give the other. */
export function hasSwappedDigits(expected: number, counted: number): boolean {
  const [own, other] = [String(expected), String(counted)]
  if (own === other || own.length !== other.length) return false
  const first = own.split('').findIndex((digit, index) => digit !== other[index])
  const swapped = own.slice(0, first) + (own[first + 1] ?? '') + (own[first] ?? '') + own.slice(first + 2)
  return swapped === other
}

const zeros = [10, 100, 1000]

/** What the two numbers alone tell of a difference, the likeliest first. */
export function causesInNumbers(expected: number, counted: number): CauseInNumbers[] {
  const difference = counted - expected
  if (expected > 0 && zeros.some((factor) => counted === expected * factor)) return [{ kind: 'extra_zero' }]
  if (counted > 0 && zeros.some((factor) => expected === counted * factor)) return [{ kind: 'missing_zero' }]
  const causes: CauseInNumbers[] = []
  if (hasSwappedDigits(expected, counted)) causes.push({ kind: 'swapped_digits' })
  if (expected > 0 && counted === expected * 2) causes.push({ kind: 'counted_twice' })
  if (difference !== 0 && difference % 10 === 0) causes.push({ kind: 'round_difference', difference })
  return causes
}

/** The reason codes offered with accepting a difference; the call takes any text. */
export const reasonCodes = [
  'Damaged',
  'Lost or stolen',
  'Found',
  'Miscounted before',
  'Received, not booked',
  'Shipped, not booked',
  'Wrong unit or pack size',
  'Other',
] as const

/** How long a recount is kept for somebody else than the person who counted. */
export const recountForOthersMinutes = 60

export const settledReason = 'Settled by another count'
export const takenBackReason = 'Taken back'
export const resetReason = 'Count reset'
/** Of what a first count has set, which nobody decided (docs/decisions/032). */
export const firstCountReason = 'First count'
/** Of what the company's tolerance has accepted, and who is named with it. */
export const toleratedReason = 'Within tolerance'
export const decidedByTolerance = 'Count tolerance'

/** Why counts end a difference by themselves: what they say stands. Other reasons are those of persons who dismissed one. */
const reasonsOfCounts = ['Counted since', 'Counted again', settledReason, takenBackReason, resetReason]

type Decided = { status: string; reason: string | null; decided_by: string | null }

/**
 * Whether how a difference stands was decided by who is named with it. Of one that was counted again since, that is who had asked for
 * the recount.
 */
export function isAsDecided({ status }: Pick<Decided, 'status'>): boolean {
  return status === 'recount' || status === 'accepted' || status === 'dismissed'
}

/** Whether a person dismissed a difference, as far as its reason tells. */
export function isDismissedByPerson({ status, reason }: Omit<Decided, 'decided_by'>): boolean {
  return status === 'dismissed' && !reasonsOfCounts.includes(reason ?? '')
}

/** Whether a person accepted a difference, and not the company's settings in the moment of its count. */
export function isAcceptedByPerson({ status, reason, decided_by: by }: Decided): boolean {
  const isTolerated = reason === toleratedReason && by === decidedByTolerance
  const isFirst = reason === firstCountReason && by === null
  return status === 'accepted' && !isTolerated && !isFirst
}
