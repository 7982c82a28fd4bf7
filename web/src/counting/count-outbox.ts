import { getSettings } from '@inventory-manager/contract/company/settings-endpoints'
import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { ApiError, isRefusal } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { ownKey, readOwner } from '../api/token.ts'
import { newId } from '../lib/ids.ts'
import { soon } from '../lib/soon.ts'
import { watchLosses } from '../outbox/database.ts'
import { createDatabaseStore } from '../outbox/database-store.ts'
import type { Answered, News } from '../outbox/mirror.ts'
import type { Job } from '../outbox/store.ts'
import { createOutbox, type Outbox } from '../outbox/outbox.ts'
import { createSafeStore, type SafeStore } from '../outbox/safe-store.ts'
import { takeTurn } from '../outbox/one-tab.ts'
import { countPiecesLeft } from '../scanning/saved-form.ts'
import { blocked } from './blocked-jobs.ts'
import {
  doneWith,
  knowsNoNotes,
  readCountJob,
  sendCountJob,
  type CountJob,
  type CountJobReply,
} from './count-jobs.ts'
import { isNoteJob, letPass, type NoteJob } from './count-notes.ts'
import { openRecounts, recentResults, showUndone } from './count-results.ts'
import { resultOf } from './count-verdicts.ts'
import { isEntryToDecide, isRefused, takeOutRefused } from './held-entries.ts'

export type CountOutbox = Outbox<CountJob, CountJobReply>

/** This page among the tabs; new with each load. */
export const pageId = newId()

const wakeMs = 30_000

/** A note whose entry was refused waits for that with it. */
const noteWaits = { kind: 'reply', status: 409, code: 'cannot_note' } as const

/** Counts of the same component keep their order on the way; taking back and telling wait for all before them. */
function laneOf({ value }: Job<CountJob>): string | null {
  return value.kind === 'entry' ? (lookupCodes(value.barcode).toSorted()[0] ?? null) : null
}

function keepResult({ job, answer }: Answered<CountJob, CountJobReply>): void {
  const { id, value } = job
  if (value.kind === 'entry') {
    const result = resultOf(id, value, answer)
    recentResults.add(job, result)
    openRecounts.take(job, result)
  }
  if (value.kind === 'undo' && 'reply' in answer) showUndone(job, value.key)
  if (value.kind === 'note' && 'reply' in answer) recentResults.note(job, value)
}

/**
 * Figures that change with each scan, here or in another tab, are drawn four times a second, and never together with a result: on
 * a slow device the answer to a scan is shown before this has passed.
 */
export const drawEveryMs = 250
const watchers = new Set<() => void>()
const drawing = soon(() => {
  for (const watcher of watchers) watcher()
}, drawEveryMs)

/** Calls whenever the outbox of whoever is signed in has changed, a moment later. */
export function watchCountOutbox(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** What a browser that stores nothing makes this page keep: by person, so that signing in again finds it. */
const stores = new Map<string, SafeStore<CountJob>>()

function storeOf(owner: string): SafeStore<CountJob> {
  const known = stores.get(owner)
  if (known !== undefined) return known
  const store = createSafeStore(createDatabaseStore(owner, readCountJob))
  stores.set(owner, store)
  return store
}

async function sendNote(outbox: CountOutbox, job: NoteJob): Promise<CountJobReply> {
  if (isRefused(outbox, job.value.key)) throw new ApiError(entryMessages.notedLater, noteWaits)
  try {
    return await sendCountJob(job)
  } catch (error) {
    if (knowsNoNotes(error) && letPass(outbox, job)) return doneWith(0)
    throw error
  }
}

/** What was refused before its undo had its turn is taken back here: the server knows nothing of it. */
async function send(outbox: CountOutbox, job: Job<CountJob>): Promise<CountJobReply> {
  const { value } = job
  const isOut = value.kind === 'undo' && (await takeOutRefused(outbox, value.key))
  if (isOut) return doneWith(0)
  return isNoteJob(job) ? await sendNote(outbox, job) : await sendCountJob(job)
}

async function isServerThere(owner: string): Promise<boolean> {
  return await call(getSettings, {}, { owner }).then(() => true, isRefusal)
}

/** The outboxes of this page, each the newest of its owner. */
const outboxes = new Map<string, CountOutbox>()

/** What no disk has goes with the page, whoever is signed in; so do the pieces in the fields of whoever is. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  const isHereAlone = [...outboxes.values()].some(isKeptByPage)
  if (isHereAlone || (opened !== null && countPiecesLeft(opened.owner) > 0)) event.preventDefault()
}

function isKeptByPage({ getState }: CountOutbox): boolean {
  const { jobs, isDurable } = getState()
  return !isDurable && jobs.length > 0
}

function open(owner: string): { outbox: CountOutbox; close: () => void } {
  type CountNews = News<CountJob, CountJobReply>
  const channel = new BroadcastChannel(ownKey('count news', owner))
  let isOpen = true
  const store = storeOf(owner)

  const outbox: CountOutbox = createOutbox({
    owner,
    page: pageId,
    store,
    send: (job) => send(outbox, job),
    storedEntries: (_, { stored }) => stored,
    laneOf,
    isKept: (job, refusal) => isEntryToDecide(job, refusal) || ['undo', 'note'].includes(job.value.kind),
    takeTurn: (work) => takeTurn(ownKey('count outbox', owner), work),
    tell(news) {
      // What was on its way when this was closed is answered all the same.
      if (isOpen) channel.postMessage(news)
    },
    hear(listener) {
      const hear = ({ data }: MessageEvent<CountNews>) => listener(data)
      channel.addEventListener('message', hear)
      return () => channel.removeEventListener('message', hear)
    },
    isOnline: () => navigator.onLine,
    isServerThere: () => isServerThere(owner),
    blocked,
    onFault: reportError,
  })
  outbox.subscribe(drawing.ask)
  outbox.onAnswers((answers) => {
    for (const answered of answers) keepResult(answered)
  })

  outboxes.set(owner, outbox)
  const timer = setInterval(outbox.wake, wakeMs)
  const stopWatching = watchLosses(outbox.keepAgain)
  window.addEventListener('online', outbox.wake)
  window.addEventListener('beforeunload', askBeforeLeaving)
  document.addEventListener('visibilitychange', outbox.wake)
  return {
    outbox,
    close() {
      clearInterval(timer)
      stopWatching()
      window.removeEventListener('online', outbox.wake)
      document.removeEventListener('visibilitychange', outbox.wake)
      outbox.stop()
      isOpen = false
      channel.close()
    },
  }
}

let opened: { owner: string; outbox: CountOutbox; close: () => void } | null = null

/** The outbox of whoever is signed in: theirs alone, sending from here on, whatever screen is shown. */
export function countOutbox(): CountOutbox {
  const owner = readOwner()
  // What is still drawn when a session has ended is of whoever it was: who is told of what waits is told of theirs.
  if (opened !== null && (owner === '' || opened.owner === owner)) return opened.outbox
  opened?.close()
  opened = { owner, ...open(owner) }
  return opened.outbox
}

/**
 * What a person has not on the server: what waits or is to decide on the device, or in this page alone, and the pieces that are in
 * fields of this tab.
 */
export type Unsent = { jobs: readonly Job<CountJob>[]; isKeptByPage: boolean; pieces: number }

function unsentOf({ owner, outbox }: { owner: string; outbox: CountOutbox }): Unsent {
  const { jobs } = outbox.getState()
  return { jobs, isKeptByPage: isKeptByPage(outbox), pieces: countPiecesLeft(owner) }
}

/** That of whoever is signed in. */
export async function unsent(): Promise<Unsent> {
  const owner = readOwner()
  const outbox = countOutbox()
  await outbox.whenLoaded()
  return unsentOf({ owner, outbox })
}

/** Stops sending: nobody is signed in. What waits stays on the device for its owner, and is answered. */
export function closeCountOutbox(): Unsent {
  const left = opened === null ? { jobs: [], isKeptByPage: false, pieces: 0 } : unsentOf(opened)
  opened?.close()
  opened = null
  return left
}
