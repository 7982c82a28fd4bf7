import type { CountReply, recordCount as endpoint } from '@inventory-manager/contract/counting/endpoints'
import type { HistoryEntry } from '@inventory-manager/contract/counting/history-endpoints'
import { countReplies } from '@inventory-manager/contract/counting/messages'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { countEntryOf } from '../stock/count-entry.ts'
import type { BesideCounts } from '../stock/beside-counts.ts'
import { noteOf } from '../stock/count-notes.ts'
import type { listHistory } from '../stock/newest-counts.ts'
import type { CountOutcome } from './queries.ts'

export type CountBody = EndpointInput<typeof endpoint>['body']

export type Counted = Extract<CountOutcome, { outcome: 'counted' }>

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

/** What is not recorded is a first entry, also where a difference from before a reset has others: the next is the second. */
function attemptOf({ recorded, attempt, told_attempt: told }: Counted): number {
  return recorded ? (told ?? attempt) : 1
}

/** What administrators are told of a count that was other than the stock and is taken all the same. */
function acceptedOf(
  { tolerated, role, expected, first }: Counted,
  { quantity }: CountBody,
): Pick<Extract<CountReply, { matched: true }>, 'accepted_difference' | 'first_count'> {
  if (!tolerated || role !== 'admin') return {}
  return { accepted_difference: quantity - expected, ...(first ? { first_count: true } : {}) }
}

/**
 * The reply for a count that was taken. Staff never learn the expected quantity (docs/security/rules.md, 'Who may do what').
 */
export function presentCount(facts: Counted, body: CountBody): CountReply {
  const standing = { progress: { counted: facts.counted, total: facts.total }, ...marksOf(facts, body) }
  const { barcode } = facts.component
  if (facts.strict && facts.role !== 'admin' && facts.attempt > 2) {
    const reviewed = { recorded: true, barcode, message: countReplies.reviewed } as const
    return { success: true, matched: null, ...reviewed, ...standing }
  }
  if (facts.matched || facts.tolerated) {
    const countedAt = new Date(facts.component.counted_at).toISOString()
    return {
      success: true,
      matched: true,
      component: { ...facts.component, counted_at: countedAt },
      ...standing,
      ...acceptedOf(facts, body),
    }
  }
  return {
    success: false,
    matched: false,
    recorded: facts.recorded,
    attempt: attemptOf(facts),
    message: mismatchMessage(facts, body),
    ...(facts.recorded ? { barcode, ...standing } : otherBarcode(facts, body)),
    ...(facts.role === 'admin' ? { expected_quantity: facts.expected } : {}),
  }
}

type HistoryRow = Awaited<ReturnType<typeof listHistory>>[number]

function presentHistory(row: HistoryRow, { notes, takenBack }: BesideCounts): HistoryEntry {
  const countedAt = row.counted_at.toISOString()
  return {
    id: row.id,
    timestamp: countedAt,
    sku: row.sku,
    location: row.location,
    quantity: row.quantity,
    count_type: row.count_type,
    count_session: row.count_session,
    entry: countEntryOf(row),
    taken_back: takenBack.get(row.id)?.toISOString() ?? null,
    ...noteOf(row, notes),
    source: row.source,
    user_type: row.user_type,
    user_name: row.user_name,
    last_counted_date: countedAt,
    last_counted_location: row.location,
    last_counted_source: row.source,
  }
}

/** A page of the history, with what somebody is told of its notes, and what was taken back. */
export function presentHistoryPage(
  { page, next }: { page: readonly HistoryRow[]; next: string | null },
  beside: BesideCounts,
) {
  return { history: page.map((row) => presentHistory(row, beside)), next_cursor: next }
}
