import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { ownKey, readOwner } from '../api/token.ts'
import { parseJson } from '../lib/json.ts'
import { keepInTab } from '../lib/tab.ts'
import { isResult, isStored, type CountResult } from './count-verdicts.ts'

export const recentSize = 10

const none: readonly CountResult[] = []

/** Whose results, and of which counting session: answers may come when somebody else is signed in already. */
export type CountOwner = { owner: string; group: string }

/** A counting session of whoever is signed in. */
export function ownCount(session: string): CountOwner {
  return { owner: readOwner(), group: session }
}

/** Scanners write one code in several ways; this is the same for all of them. */
export const skuOf = (barcode: string) => lookupCodes(barcode).toSorted()[0] ?? barcode

/** A list of results for each person's counting session of this tab, newest first; they survive a reload. */
function createLists(name: string) {
  const lists = new Map<string, readonly CountResult[]>()
  const counts = new Map<string, CountOwner>()
  const listeners = new Set<() => void>()
  const unsaved = new Set<string>()
  const keyOf = ({ owner, group }: CountOwner) => ownKey(`${name}_${group}`, owner)

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

  function of(count: CountOwner): readonly CountResult[] {
    counts.set(keyOf(count), count)
    return at(keyOf(count))
  }

  function set(count: CountOwner, list: readonly CountResult[]): void {
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
    clear: (count: CountOwner) => set(count, []),
    /** Whether an entry was taken back here, before it was stored or after. */
    isTakenBack: (count: CountOwner, id: string) =>
      gone.has(id) || of(count).some((result) => result.id === id && result.verdict === 'undone'),
    add: (count: CountOwner, result: CountResult) =>
      set(count, [result, ...of(count).filter(({ id }) => id !== result.id)].slice(0, recentSize)),
    /** Something was said of an entry; empty where that was taken away. */
    note(count: CountOwner, { key, note }: { key: string; note: string }): void {
      const list = of(count)
      if (!list.some(({ id }) => id === key)) return
      set(
        count,
        list.map((result) => (result.id === key ? { ...result, note } : result)),
      )
    },
    takeBack(count: CountOwner, key: string): void {
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
    clear: (count: CountOwner) => set(count, []),
    /** Takes a result into account: a mismatch opens a recount, and what the server recorded closes it. */
    take(count: CountOwner, result: CountResult): void {
      const others = of(count).filter((open) => skuOf(open.barcode) !== skuOf(result.barcode))
      if (result.verdict === 'mismatched') set(count, [result, ...others])
      else if (isStored(result) && others.length < of(count).length) set(count, others)
    },
    /** An entry that was taken back asks for nothing. */
    drop(count: CountOwner, id: string): void {
      const others = of(count).filter((open) => open.id !== id)
      if (others.length < of(count).length) set(count, others)
    },
  }
}

export const recentResults = createRecentResults()
export const openRecounts = createOpenRecounts()

/** A count that begins anew under its name goes on from nothing that came of it before. */
export function forgetResults(count: CountOwner): void {
  recentResults.clear(count)
  openRecounts.clear(count)
}

/** The result that the server held of the same SKU before one of the last ten, where that is among them. */
function resultBefore(count: CountOwner, id: string): CountResult | undefined {
  const results = recentResults.of(count)
  const place = results.findIndex((result) => result.id === id)
  const last = results[place]
  if (last === undefined) return undefined
  return results
    .slice(place + 1)
    .find((result) => isStored(result) && skuOf(result.barcode) === skuOf(last.barcode))
}

/** Shows that an entry was taken back. Where it had answered a recount, that is open again. */
export function showUndone(count: CountOwner, key: string): void {
  const before = resultBefore(count, key)
  recentResults.takeBack(count, key)
  openRecounts.drop(count, key)
  if (before !== undefined) openRecounts.take(count, before)
}

const fromBefore = -1

/** Shows a result of the session that this one goes on from. It is behind all that can be taken back here. */
export function showFromBefore(count: CountOwner, result: CountResult): void {
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
