import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import type { LocationCode } from '@inventory-manager/contract/locations'
import type { WeekDay } from '@inventory-manager/contract/stock/rules'
import type { CountType } from '@inventory-manager/contract/values'
import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { messageOf } from '../api/api-error.ts'
import { readOwner } from '../api/token.ts'
import { newId } from '../lib/ids.ts'
import { soon } from '../lib/soon.ts'
import type { Answered, OutboxState } from '../outbox/mirror.ts'
import type { Job, Refusal } from '../outbox/store.ts'
import {
  keysBeingTakenBack,
  listUndos,
  nextOrder,
  undoChosenEntry,
  undoLastEntry,
  type Undoing,
  type UndoJob,
} from './count-decisions.ts'
import type { CountJob, CountJobReply, EntryValue } from './count-jobs.ts'
import { findIn, isCountedSince, type CountList, type TakenResult } from './count-list.ts'
import { listNotes, mapWaitingNotes, type NoteJob } from './count-notes.ts'
import { countOutbox, drawEveryMs, pageId, watchCountOutbox } from './count-outbox.ts'
import { openRecounts, recentResults, showFromBefore, showUndone, type CountOwner } from './count-results.ts'
import { resultOf, type CountResult } from './count-verdicts.ts'
import { isAnyEntry, isEntryToDecide, isHeldEntry, listWaiting, type HeldEntry } from './held-entries.ts'

/** Which count entries belong to. */
export type CountScope = {
  location: LocationCode
  session: string
  source: CountType
  day?: WeekDay
}

/**
 * Where the entries of a count are. `takingBack`: to be taken back, wherever they are. `elsewhere`: what of this person's other
 * counts on this device waits for either.
 */
export type EntryCounts = {
  scanned: number
  stored: number
  waiting: number
  refused: number
  takingBack: number
  elsewhere: { toSend: number; toTakeBack: number }
}

function countsOf({ jobs, stored }: OutboxState<CountJob>, session: string): EntryCounts {
  const counts = { stored: stored.get(session) ?? 0, waiting: 0, refused: 0 }
  let toSend = 0
  for (const { group, state } of jobs.filter(isAnyEntry)) {
    if (group === session) counts[state] += 1
    else if (state === 'waiting') toSend += 1
  }
  const undos = listUndos(jobs, 'waiting')
  const takingBack = undos.filter(({ group }) => group === session).length
  return {
    ...counts,
    scanned: counts.stored + counts.waiting + counts.refused,
    takingBack,
    elsewhere: { toSend, toTakeBack: undos.length - takingBack },
  }
}

const refusedOf = ({ jobs }: OutboxState<CountJob>): HeldEntry[] =>
  jobs.filter(isHeldEntry).filter((entry) => entry.state === 'refused')

/** The entries that wait for a decision at this moment, which may be ahead of what is drawn. */
export const listRefused = (): HeldEntry[] => refusedOf(countOutbox().getState())

export type OwnState = OutboxState<CountJob> & {
  refused: HeldEntry[]
  takingBack: ReadonlySet<string>
  notTakenBack: UndoJob[]
  notes: ReadonlyMap<string, string>
  notNoted: NoteJob[]
}

/**
 * What this person's entries on this device are up to, with those that wait for a decision, those that are being taken back,
 * what waits to be said of some, and what the server refused of either.
 */
export function useOutboxState(): OwnState {
  const [outbox] = useState(countOutbox)
  const state = useSyncExternalStore(watchCountOutbox, outbox.getState)
  return {
    ...state,
    refused: refusedOf(state),
    takingBack: keysBeingTakenBack(state.jobs),
    notTakenBack: listUndos(state.jobs, 'refused'),
    notes: mapWaitingNotes(state.jobs),
    notNoted: listNotes(state.jobs, 'refused'),
  }
}

/** Where the entries of a count are, as it changes. */
export function useEntryCounts(session: string): EntryCounts {
  return countsOf(useOutboxState(), session)
}

/** A count of whoever opened the screen: that the token is gone ends no count that is shown. */
function useOwnCount(session: string): CountOwner {
  const [owner] = useState(readOwner)
  return { owner, group: session }
}

/** The last ten results of a count, newest first, as they come. */
export function useRecentResults(session: string): readonly CountResult[] {
  const count = useOwnCount(session)
  return useSyncExternalStore(recentResults.subscribe, () => recentResults.of(count))
}

function watchResultsAfterwards(watcher: () => void): () => void {
  const drawing = soon(watcher, drawEveryMs)
  const stop = recentResults.subscribe(drawing.ask)
  return () => {
    stop()
    drawing.stop()
  }
}

/** The last ten results, a moment after they came: the newest one itself is shown first. */
export function useResultsAfterwards(session: string): readonly CountResult[] {
  const count = useOwnCount(session)
  return useSyncExternalStore(watchResultsAfterwards, () => recentResults.of(count))
}

/** What of a count did not match and was not counted again by this person, newest first. */
export function useUnmatched(session: string): readonly CountResult[] {
  const count = useOwnCount(session)
  return useSyncExternalStore(openRecounts.subscribe, () => openRecounts.of(count))
}

/** What of a count did not match and nobody has counted again since, newest first; nothing that is counted here no more. */
export function useOpenRecounts(
  { session, source }: CountScope,
  components: CountList['components'],
): readonly CountResult[] {
  const open = useUnmatched(session)
  return useMemo(() => {
    const isOpen = ({ barcode, scannedAt }: CountResult) => {
      const item = findIn(components, barcode)
      return item !== undefined && !isCountedSince(item, { source, scannedAt })
    }
    return open.filter(isOpen)
  }, [open, components, source])
}

/** How long an answer may take before the screen says that the entry waits. */
const patienceMs = 1_000

/** An entry that waits, whether the network holds it up, and whether it survives this page. */
export type KeptEntry = { entry: HeldEntry; isHeldUp: boolean; isDurable: boolean }

/** The newest entry of a count, where the network holds entries up or an answer takes long; else null. */
export function useKeptEntry(session: string): KeptEntry | null {
  const { jobs, isHeldUp, isDurable } = useOutboxState()
  const waiting = listWaiting(jobs, session)
  const entry = waiting.at(-1)
  const [isLate, setIsLate] = useState(false)
  if (isLate && entry === undefined) setIsLate(false)
  const first = waiting[0]?.id
  useEffect(() => {
    if (first === undefined) return undefined
    const timer = setTimeout(() => setIsLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [first])
  return entry !== undefined && (isHeldUp || isLate) ? { entry, isHeldUp, isDurable } : null
}

type Taken = Answered<CountJob, CountJobReply>

type CountOptions = {
  scope: CountScope
  describe: (barcode: string) => string
  /** What came together, in order. `isOwn`: an entry of this page, not of another tab or before a reload. */
  onResults: (results: readonly (TakenResult & { isOwn: boolean })[]) => void
  /** An entry is to be taken back, and the server has not answered yet. */
  onUndoing: (barcode: string) => void
  onUndone: (barcode: string) => void
  /** An entry of another count was taken back. */
  onUndoneElsewhere: (barcode: string) => void
  onProblem: (message: string) => void
}

type NewEntry = Pick<EntryValue, 'barcode' | 'quantity' | 'recount' | 'scans'>

export type CountEntries = {
  add: (entry: NewEntry) => void
  /** Keeps an entry for the person to decide on. */
  ask: (entry: NewEntry, refusal: Refusal) => void
  /** Tells the server of one that does not belong here: it keeps codes that nobody knows, and has the last word. */
  tell: (entry: NewEntry) => void
  undo: () => void
  /** Takes one of the last ten results back. */
  takeBack: (id: string) => void
  /** How many wait to be sent, at this moment. */
  waiting: () => number
  /** Whether an entry was not taken back, and is not to be. */
  stands: (id: string) => boolean
}

/** Whether an entry was taken back, or is to be. */
function isGone(id: string, { outbox, count }: Parameters<typeof nextOrder>[0]): boolean {
  return keysBeingTakenBack(outbox.getState().jobs).has(id) || recentResults.isTakenBack(count, id)
}

type Told = Pick<CountOptions, 'onUndone' | 'onUndoing' | 'onProblem'>

/** Says what asking for an entry back began with. */
function tellUndoing(undoing: Undoing, { onUndone, onUndoing, onProblem }: Told): void {
  if (undoing === null) onProblem(entryMessages.nothingToUndo)
  else if (undoing.came === 'done') onUndone(undoing.barcode)
  else if (undoing.came === 'asked') onUndoing(undoing.barcode)
  else onProblem(entryMessages.nothingCounted(undoing.barcode))
}

/** Takes the entries of one count: kept on the device, sent in order, each once. What shows them follows by itself. */
export function useCountEntries({ scope, describe, ...told }: CountOptions): CountEntries {
  const { session, location, source, day = null } = scope
  const [outbox] = useState(countOutbox)
  const count = useOwnCount(session)

  /** What was done here before this count went on as another session: whoever did it is still to hear of it. */
  function isFromBefore({ group, page, value }: Job<CountJob>): boolean {
    if (group === session || page !== pageId) return false
    if (value.kind !== 'entry') return value.kind === 'undo'
    return value.location === location && value.source === source && value.day === day
  }

  function tellUndone({ job, answer }: Taken): void {
    if (job.value.kind !== 'undo') return
    if ('refusal' in answer) {
      told.onProblem(answer.refusal.message)
      return
    }
    const { key, barcode } = job.value
    const isHere = job.group === session || recentResults.of(count).some(({ id }) => id === key)
    if (isHere && isFromBefore(job)) showUndone(count, key)
    if (isHere) told.onUndone(barcode)
    else told.onUndoneElsewhere(barcode)
  }

  const take = useEffectEvent((answers: readonly Taken[]) => {
    const here = answers.filter(({ job }) => job.group === session || isFromBefore(job))
    for (const answered of here) tellUndone(answered)
    const results = here.flatMap(({ job, answer }) => {
      if (job.value.kind !== 'entry') return []
      const { count: reply, inCycle } = 'reply' in answer ? answer.reply : { count: null, inCycle: null }
      const isToDecide = 'refusal' in answer && isEntryToDecide(job, answer.refusal)
      const isOwn = (job.isEntry || isToDecide) && job.page === pageId
      const result = resultOf(job.id, job.value, answer)
      if (isFromBefore(job)) showFromBefore(count, result)
      return [{ result, reply, inCycle, isOwn }]
    })
    if (results.length > 0) told.onResults(results)
  })
  useEffect(() => outbox.onAnswers((answers) => take(answers)), [outbox])

  function jobOf({ barcode, quantity, recount, scans }: NewEntry) {
    const timestamp = new Date().toISOString()
    const order = nextOrder({ outbox, count })
    const facts = { barcode, quantity, recount, scans, timestamp, order, description: describe(barcode) }
    const value = { kind: 'entry' as const, location, session, source, day, ...facts }
    return { id: newId(), group: session, isEntry: true, value }
  }

  function undo(beginning: Promise<Undoing>): void {
    beginning
      .then((undoing) => tellUndoing(undoing, told))
      .catch((error: unknown) => told.onProblem(messageOf(error)))
  }

  return {
    add: (entry) => outbox.add(jobOf(entry)),
    ask: (entry, refusal) => outbox.add({ ...jobOf(entry), refusal }),
    tell: (entry) => outbox.add({ ...jobOf(entry), isEntry: false }),
    undo: () => undo(undoLastEntry({ outbox, count })),
    takeBack: (id) => undo(undoChosenEntry(id, { outbox, count })),
    waiting: () => countsOf(outbox.getState(), session).waiting,
    stands: (id) => !isGone(id, { outbox, count }),
  }
}
