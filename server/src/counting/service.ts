import type { BillingProvider } from '@inventory-manager/contract/company/subscription'
import type { CountReply, recordCount as endpoint } from '@inventory-manager/contract/counting/endpoints'
import { countReplies } from '@inventory-manager/contract/counting/messages'
import { maxClockAheadMinutes, maxCountAgeDays } from '@inventory-manager/contract/counting/rules'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { planKeys, planOffers } from '@inventory-manager/contract/plans'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { AppError } from '../platform/http/app-error.ts'
import { requestHash } from '../platform/http/idempotency.ts'
import type { Claims } from '../platform/http/identity.ts'
import { componentNotFound } from '../stock/component-not-found.ts'
import type { CountQueue } from './count-queue.ts'
import type { CountOutcome } from './queries.ts'
import { findRefusal, type RecordRefused } from './refused-scans.ts'

type CountBody = EndpointInput<typeof endpoint>['body']

/** Without a key of its own a scan is told by session, barcode, place, kind and time, so that it is counted once when it is sent again. */
function naturalKey({ session, barcode, location, source, timestamp }: CountBody): string {
  return `count ${requestHash(session, [barcode, location, source, timestamp])}`
}

/** The entered values that make two requests the same one. */
function bodyHash({
  barcode,
  quantity,
  location,
  source,
  session,
  timestamp,
  day,
  recount,
}: CountBody): string {
  return requestHash('count', [barcode, quantity, location, source, session, timestamp, day ?? null, recount])
}

type Counted = Extract<CountOutcome, { outcome: 'counted' }>

function mismatchMessage(facts: Counted, body: CountBody): string {
  if (body.source === 'admin') return countReplies.adminMismatch(facts.expected, body.quantity)
  const message = countReplies.mismatch(facts.component.description || facts.component.barcode)
  return facts.role === 'admin' ? message + countReplies.correctQuantity(facts.expected) : message
}

/** Which marks a recorded count has set. */
function marksOf(facts: Counted, { source }: CountBody): Pick<CountReply, 'sets_mark' | 'sets_weekly_mark'> {
  const { sets_mark: monthly, sets_weekly_mark: weekly } = facts
  return {
    ...(monthly === undefined ? {} : { sets_mark: monthly }),
    ...(weekly === undefined || source !== 'weekly' ? {} : { sets_weekly_mark: weekly }),
  }
}

/** The component's own barcode, where it was scanned by another one. */
function otherBarcode({ component: { barcode } }: Counted, body: CountBody): { barcode?: string } {
  return lookupCodes(body.barcode).includes(barcode) ? {} : { barcode }
}

/**
 * The reply for a count that was taken. Staff never learn the expected quantity (docs/security/rules.md, 'Who may do what').
 */
function presentCount(facts: Counted, body: CountBody): CountReply {
  const standing = { progress: { counted: facts.counted, total: facts.total }, ...marksOf(facts, body) }
  const { barcode } = facts.component
  if (facts.strict && facts.role !== 'admin' && facts.attempt > 2) {
    const reviewed = { recorded: true, barcode, message: countReplies.reviewed } as const
    return { success: true, matched: null, ...reviewed, ...standing }
  }
  if (facts.matched || facts.tolerated) {
    const countedAt = new Date(facts.component.counted_at).toISOString()
    const accepted = facts.tolerated && facts.role === 'admin'
    return {
      success: true,
      matched: true,
      component: { ...facts.component, counted_at: countedAt },
      ...standing,
      ...(accepted ? { accepted_difference: body.quantity - facts.expected } : {}),
    }
  }
  return {
    success: false,
    matched: false,
    recorded: facts.recorded,
    attempt: facts.attempt,
    message: mismatchMessage(facts, body),
    ...(facts.recorded ? { barcode, ...standing } : otherBarcode(facts, body)),
    ...(facts.role === 'admin' ? { expected_quantity: facts.expected } : {}),
  }
}

export type CountParts = {
  recordInTurn: CountQueue
  recordRefused: RecordRefused
  billing: BillingProvider
  /** Told what came of each scan. */
  onScan: (outcome: string) => void
}

/** What came of a scan, in one word for those who watch. */
function wordFor(facts: CountOutcome): string {
  if (facts.outcome !== 'counted') return facts.outcome
  if (facts.matched) return 'recorded'
  return facts.recorded ? 'recorded_with_difference' : 'mismatch'
}

type Refused = Exclude<CountOutcome, Counted>

const countedOtherwise =
  'In this session this barcode was counted at the same moment with other values. Send another time, or an Idempotency-Key.'

/** What a count that was not taken is answered with. */
function errorOf(refused: Refused, key: string | null): AppError {
  switch (refused.outcome) {
    case 'too_old':
      return new AppError('count_too_old', {
        sentence: `This count is more than ${maxCountAgeDays} days old and can no longer be accepted.`,
      })
    case 'too_early':
      return new AppError('invalid_request', {
        sentence: `The clock of this device is more than ${maxClockAheadMinutes} minutes ahead.`,
      })
    case 'not_found':
      return refused.kept === false
        ? new AppError('unknown_code_not_kept', { isNews: true })
        : componentNotFound({ isNews: true })
    case 'retired':
      return new AppError('barcode_retired', { isNews: true })
    case 'key_reused':
      return new AppError('key_reused', key === null ? { sentence: countedOtherwise } : {})
    default:
      return new AppError(refused.outcome)
  }
}

/** Takes one count and answers for it; throws AppError for what was not taken, and then nothing has changed. */
export async function count(
  { recordInTurn, recordRefused, billing, onScan }: CountParts,
  claims: Claims,
  { body, key, sentAt }: { body: CountBody; key: string | null; sentAt: Date | null },
): Promise<CountReply> {
  const { quantity, location, source, session, timestamp, day = null } = body
  const scan = { quantity, location, source, session, at: timestamp, day }
  const ownKey = key ?? naturalKey(body)
  const facts = await recordInTurn(claims, {
    key: ownKey,
    hash: bodyHash(body),
    plans: planKeys.filter((plan) => planOffers(plan, body.location)),
    codes: lookupCodes(body.barcode),
    ...scan,
    // Not in the hash: sent again, the clock of the device shows something else.
    sentAt,
    recount: body.recount,
    billing,
  })
  onScan(wordFor(facts))
  const reason = findRefusal(facts)
  if (reason !== null) await recordRefused(claims, ownKey, { ...scan, barcode: body.barcode, reason })
  if (facts.outcome !== 'counted') throw errorOf(facts, key)
  return presentCount(facts, body)
}
