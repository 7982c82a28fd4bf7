import type { CountReply } from '@inventory-manager/contract/counting/endpoints'
import { maxClockAheadMinutes, maxCountAgeDays } from '@inventory-manager/contract/counting/rules'
import { planKeys, planOffers } from '@inventory-manager/contract/plans'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { AppError } from '../platform/http/app-error.ts'
import { requestHash } from '../platform/http/idempotency.ts'
import type { Claims } from '../platform/http/identity.ts'
import { componentNotFound } from '../stock/component-not-found.ts'
import type { CountQueue } from './count-queue.ts'
import type { ArePacks } from './pack-scans.ts'
import { presentCount, type CountBody, type Counted } from './presenter.ts'
import type { CountOutcome } from './queries.ts'
import { findRefusal, type RecordRefused } from './refused-scans.ts'

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

export type CountParts = {
  recordInTurn: CountQueue
  recordRefused: RecordRefused
  arePacks: ArePacks
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

const aheadNow = `The clock of this device is more than ${maxClockAheadMinutes} minutes ahead.`
/** What its clock showed as it was sent is known: by that alone no scan is too early. */
const aheadBefore =
  'The clock of this device was ahead when this was scanned and has been set back since. Count it again.'

type Sent = { key: string | null; sentAt: Date | null }

/** What a count that was not taken is answered with. */
function errorOf(refused: Refused, { key, sentAt }: Sent): AppError {
  switch (refused.outcome) {
    case 'too_old':
      return new AppError('count_too_old', {
        sentence: `This count is more than ${maxCountAgeDays} days old and can no longer be accepted.`,
      })
    case 'too_early':
      return new AppError('invalid_request', { sentence: sentAt === null ? aheadNow : aheadBefore })
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
  { recordInTurn, recordRefused, arePacks, onScan }: CountParts,
  claims: Claims,
  { body, key, sentAt }: Sent & { body: CountBody },
): Promise<CountReply> {
  const { quantity, location, source, session, timestamp, day = null } = body
  const scan = { quantity, location, source, session, at: timestamp, day }
  const ownKey = key ?? naturalKey(body)
  const codes = lookupCodes(body.barcode)
  if ((body.scans ?? 0) > 0 && (await arePacks(claims, { key: ownKey, codes }))) {
    throw new AppError('pack_by_now')
  }
  const facts = await recordInTurn(claims, {
    key: ownKey,
    hash: bodyHash(body),
    plans: planKeys.filter((plan) => planOffers(plan, body.location)),
    codes,
    ...scan,
    // Not in the hash: sent again, the clock of the device shows something else.
    sentAt,
    recount: body.recount,
  })
  onScan(wordFor(facts))
  const reason = findRefusal(facts)
  if (reason !== null) await recordRefused(claims, ownKey, { ...scan, barcode: body.barcode, reason })
  if (facts.outcome !== 'counted') throw errorOf(facts, { key, sentAt })
  return presentCount(facts, body)
}
