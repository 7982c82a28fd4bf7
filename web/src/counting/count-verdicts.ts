import type { CountReply } from '@inventory-manager/contract/counting/endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { byErrorCode } from '../api/api-error.ts'
import type { Answer } from '../outbox/mirror.ts'
import type { Refusal } from '../outbox/store.ts'
import { placeName } from '../session/place-names.ts'
import { shownBarcode, type CountJobReply, type EntryValue } from './count-jobs.ts'

const verdicts = [
  'matched',
  'mismatched',
  'recorded',
  'review',
  'unknown',
  'retired',
  'again',
  'refused',
  'undone',
] as const

type Verdict = (typeof verdicts)[number]

/** What came of one entry, as the screen shows it. */
export type CountResult = {
  id: string
  barcode: string
  quantity: number
  timestamp: string
  /** As of its entry. */
  order: number
  description: string
  verdict: Verdict
  message: string
  /** What this person has said of it, once the server has it. */
  note?: string
  /** Counts up with what is taken back: of several, the last is the one to show. */
  undone?: number
  /** When it was scanned by the server's clock, of what did not match; missing until there was news of it. */
  scannedAt?: string
}

function verdictOf(reply: CountReply): Verdict {
  if (reply.matched === true) return 'matched'
  if (reply.matched === null) return 'review'
  return reply.recorded ? 'recorded' : 'mismatched'
}

const refusedVerdicts = byErrorCode<Verdict>({
  not_found: 'unknown',
  unknown_code_not_kept: 'unknown',
  barcode_retired: 'retired',
  already_counted: 'again',
})

function nameOf({ description, barcode }: { description: string; barcode: string }): string {
  return description || barcode
}

function refusalMessage({ barcode, day, location }: EntryValue, { code, message }: Refusal): string {
  const isElsewhere = code === 'not_in_list' && day !== null
  return isElsewhere
    ? countMessages.notInList(barcode, day, placeName(location))
    : countMessages.updating(message)
}

/** Whether nobody knows the code. */
export const isUnknown = ({ code }: Refusal): boolean => refusedVerdicts[code] === 'unknown'

/** What is said of a code that nobody knows. */
export function unknownMessage({ barcode }: Pick<EntryValue, 'barcode'>, { code }: Refusal): string {
  const notFound = countMessages.notFound(barcode)
  return code === 'unknown_code_not_kept' ? `${notFound} ${countMessages.notKept}` : notFound
}

type Mismatch = Extract<CountReply, { matched: false }>

/** The specified sentence; what was recorded asks for no further count. */
function mismatchMessage({ source, quantity }: EntryValue, reply: Mismatch): string {
  const { message, recorded, expected_quantity: expected } = reply
  if (!recorded) return message
  const said =
    source === 'admin' && expected !== undefined
      ? countMessages.difference(expected, quantity)
      : `${message}.`
  return `${said} ${countMessages.recordedNext}`
}

function messageFor(entry: EntryValue, reply: CountReply): string {
  if (reply.matched === true) {
    const name = nameOf(reply.component)
    return reply.first_count === true
      ? countMessages.firstCount(name, entry.quantity)
      : countMessages.matched(name)
  }
  return reply.matched === null ? reply.message : mismatchMessage(entry, reply)
}

function outcomeOf(
  entry: EntryValue,
  answer: Answer<CountJobReply>,
): Pick<CountResult, 'verdict' | 'message'> {
  if ('refusal' in answer) {
    const verdict = refusedVerdicts[answer.refusal.code] ?? 'refused'
    if (verdict === 'unknown') return { verdict, message: unknownMessage(entry, answer.refusal) }
    if (verdict === 'retired') return { verdict, message: answer.refusal.message }
    if (verdict === 'again') return { verdict, message: countMessages.alreadyCounted }
    return { verdict, message: refusalMessage(entry, answer.refusal) }
  }
  const { count } = answer.reply
  if (count === null) return { verdict: 'refused', message: '' }
  return { verdict: verdictOf(count), message: messageFor(entry, count) }
}

/** What came of an entry by the server's answer to it. */
export function resultOf(id: string, entry: EntryValue, answer: Answer<CountJobReply>): CountResult {
  const { quantity, timestamp, order, description } = entry
  const barcode = shownBarcode('reply' in answer ? answer.reply.count : null, entry.barcode)
  return { id, barcode, quantity, timestamp, order, description, ...outcomeOf(entry, answer) }
}

/** Whether the server holds an entry. */
export function isStored({ verdict }: CountResult): boolean {
  return ['matched', 'mismatched', 'recorded', 'review'].includes(verdict)
}

/** Whether what the tab has kept is a result. */
export function isResult(value: unknown): value is Omit<CountResult, 'order'> {
  if (typeof value !== 'object' || value === null || !('verdict' in value)) return false
  const texts = ['id', 'barcode', 'timestamp', 'description', 'message']
  const has = (name: string) => typeof Object.getOwnPropertyDescriptor(value, name)?.value === 'string'
  return texts.every(has) && verdicts.some((verdict) => verdict === value.verdict)
}
