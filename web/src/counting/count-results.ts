import type { CountReply } from '@inventory-manager/contract/counting/endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { getLocation } from '@inventory-manager/contract/locations'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { byErrorCode } from '../api/api-error.ts'
import { ownKey, readOwner } from '../api/token.ts'
import { parseJson } from '../lib/json.ts'
import { keepInTab } from '../lib/tab.ts'
import type { Answer } from '../outbox/mirror.ts'
import type { Refusal } from '../outbox/store.ts'
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
  /** Counts up with what is taken back: of several, the last is the one to show. */
  undone?: number
  /** When it was scanned by the server's clock, of what did not match; missing until there was news of it. */
  scannedAt?: string
}

const recentSize = 10

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

function messageOf({ barcode, day, location }: EntryValue, { code, message }: Refusal): string {
  const isElsewhere = code === 'not_in_list' && day !== null
  return isElsewhere
    ? countMessages.notInList(barcode, day, getLocation(location).name)
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
  if (reply.matched === true) return countMessages.matched(nameOf(reply.component))
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
    return { verdict, message: messageOf(entry, answer.refusal) }
  }
  const { count } = answer.reply
  if (count === null) return { verdict: 'refused', message: '' }
  return { verdict: verdictOf(count), message: messageFor(entry, count) }
}

export function resultOf(id: string, entry: EntryValue, answer: Answer<CountJobReply>): CountResult {
  const { quantity, timestamp, order, description } = entry
  const barcode = shownBarcode('reply' in answer ? answer.reply.count : null, entry.barcode)
  return { id, barcode, quantity, timestamp, order, description, ...outcomeOf(entry, answer) }
}

/** Whether the server holds an entry. */
function isStored({ verdict }: CountResult): boolean {
  return ['matched', 'mismatched', 'recorded', 'review'].includes(verdict)
}

function isResult(value: unknown): value is Omit<CountResult, 'order'> {
  if (typeof value !== 'object' || value === null || !('verdict' in value)) return false
  const texts = ['id', 'barcode', 'timestamp', 'description', 'message']
  const has = (name: string) => typeof Object.getOwnPropertyDescriptor(value, name)?.value === 'string'
  return texts.every(has) && verdicts.some((verdict) => verdict === value.verdict)
}

const none: readonly CountResult[] = []

/** Whose results, and of which counting session: answers may come when somebody else is signed in already. */
export type Count = { owner: string; group: string }

/** A counting session of whoever is signed in. */
export function ownCount(session: string): Count {
  return { owner: readOwner(), group: session }
}

/** Scanners write one code in several ways; this is the same for all of them. */
export const skuOf = (barcode: string) => lookupCodes(barcode).toSorted()[0] ?? barcode

/** A list of results for each person's counting session of this tab, newest first; they survive a reload. */
function createLists(name: string) {
  const lists = new Map<string, readonly CountResult[]>()
  const counts = new Map<string, Count>()
  const listeners = new Set<() => void>()
  const unsaved = new Set<string>()
  const keyOf = ({ owner, group }: Count) => ownKey(`${name}_${group}`, owner)

  function at(key: string): readonly CountResult[] {
    const known = lists.get(key)
    if (known !== undefined) return known
    const stored = parseJson(sessionStorage.getItem(key) ?? '')
    const list = Array.isArray(stored)
      ? stored.filter(isResult).map((result) => ({ order: 0, ...result }))
      : none
    lists.set(key, list)
    return list
  }

  function save(): void {
    for (const key of unsaved) keepInTab(key, JSON.stringify(at(key)))
    unsaved.clear()
  }

  function of(count: Count): readonly CountResult[] {
    counts.set(keyOf(count), count)
    return at(keyOf(count))
  }

  function set(count: Count, list: readonly CountResult[]): void {
    const key = keyOf(count)
    lists.set(key, list)
    for (const listener of listeners) listener()
    // Results that come together are written once.
    if (unsaved.size === 0) queueMicrotask(save)
    unsaved.add(key)
  }

  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** Learns when a person's scan that did not match was made by the server's clock, with which that of the device may not agree. */
  function time(owner: string, { sku, at: scannedAt }: { sku: string; at: string }): void {
    const code = skuOf(sku)
    const isMeant = ({ verdict, barcode, scannedAt: known }: CountResult) =>
      verdict === 'mismatched' && known === undefined && skuOf(barcode) === code
    for (const count of counts.values()) {
      if (count.owner !== owner || !of(count).some(isMeant)) continue
      set(
        count,
        of(count).map((result) => (isMeant(result) ? { ...result, scannedAt } : result)),
      )
    }
  }

  return { of, subscribe, set, time }
}

/** The last ten results. */
function createRecentResults() {
  const { of, subscribe, set, time } = createLists('recent')
  const gone = new Set<string>()
  return {
    of,
    subscribe,
    time,
    clear: (count: Count) => set(count, []),
    /** Whether an entry was taken back here, before it was stored or after. */
    isTakenBack: (count: Count, id: string) =>
      gone.has(id) || of(count).some((result) => result.id === id && result.verdict === 'undone'),
    add: (count: Count, result: CountResult) =>
      set(count, [result, ...of(count).filter(({ id }) => id !== result.id)].slice(0, recentSize)),
    takeBack(count: Count, key: string): void {
      gone.add(key)
      const undone = 1 + of(count).reduce((most, result) => Math.max(most, result.undone ?? 0), 0)
      const undo = (result: CountResult): CountResult => ({
        ...result,
        verdict: 'undone',
        message: result.description,
        undone,
      })
      set(
        count,
        of(count).map((result) => (result.id === key ? undo(result) : result)),
      )
    },
  }
}

/**
 * What did not match and was not counted again since by this person, however long ago: many results may come back together. What
 * others counted since, the list of components knows.
 */
function createOpenRecounts() {
  const { of, subscribe, set, time } = createLists('to_count_again')
  return {
    of,
    subscribe,
    time,
    clear: (count: Count) => set(count, []),
    /** Takes a result into account: a mismatch opens a recount, and what the server recorded closes it. */
    take(count: Count, result: CountResult): void {
      const others = of(count).filter((open) => skuOf(open.barcode) !== skuOf(result.barcode))
      if (result.verdict === 'mismatched') set(count, [result, ...others])
      else if (isStored(result) && others.length < of(count).length) set(count, others)
    },
    /** An entry that was taken back asks for nothing. */
    drop(count: Count, id: string): void {
      const others = of(count).filter((open) => open.id !== id)
      if (others.length < of(count).length) set(count, others)
    },
  }
}

export const recentResults = createRecentResults()
export const openRecounts = createOpenRecounts()

/** A count that begins anew under its name goes on from nothing that came of it before. */
export function forgetResults(count: Count): void {
  recentResults.clear(count)
  openRecounts.clear(count)
}

/** The result that the server held of the same SKU before one of the last ten, where that is among them. */
function resultBefore(count: Count, id: string): CountResult | undefined {
  const results = recentResults.of(count)
  const place = results.findIndex((result) => result.id === id)
  const last = results[place]
  if (last === undefined) return undefined
  return results
    .slice(place + 1)
    .find((result) => isStored(result) && skuOf(result.barcode) === skuOf(last.barcode))
}

/** Shows that an entry was taken back. Where it had answered a recount, that is open again. */
export function showUndone(count: Count, key: string): void {
  const before = resultBefore(count, key)
  recentResults.takeBack(count, key)
  openRecounts.drop(count, key)
  if (before !== undefined) openRecounts.take(count, before)
}

const fromBefore = -1

/** Shows a result of the session that this one goes on from. It is behind all that can be taken back here. */
export function showFromBefore(count: Count, result: CountResult): void {
  const shown = { ...result, order: fromBefore }
  recentResults.add(count, shown)
  openRecounts.take(count, shown)
}

/** Whether an entry can be taken back by its session, and only by the server. */
export function isStoredHere(result: CountResult): boolean {
  return isStored(result) && result.order !== fromBefore
}

/** Whether the server has refused an entry of this session, of which nothing was counted. */
export function isOfNothing({ verdict, order }: CountResult): boolean {
  return ['unknown', 'retired', 'refused'].includes(verdict) && order !== fromBefore
}

/** The results of a list that the server would take back: of each SKU its newest entry, where none that is newer waits. */
export function listTakable(results: readonly CountResult[], waiting: readonly string[]): Set<string> {
  const newer = new Set(waiting.map(skuOf))
  const takable = new Set<string>()
  for (const result of results) {
    if (!isStored(result) || newer.has(skuOf(result.barcode))) continue
    newer.add(skuOf(result.barcode))
    if (isStoredHere(result)) takable.add(result.id)
  }
  return takable
}
