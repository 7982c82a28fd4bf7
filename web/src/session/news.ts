import { companyEvent, streamEvents, type CompanyEvent } from '@inventory-manager/contract/events/endpoints'
import { useSyncExternalStore } from 'react'
import { ApiError, isAbort } from '../api/api-error.ts'
import { callForStream } from '../api/client.ts'
import { askedEarlyAt } from '../api/early-reply.ts'
import { readToken } from '../api/token.ts'
import { remember } from '../lib/bounded-set.ts'
import { parseJson } from '../lib/json.ts'
import { rest } from '../lib/rest.ts'
import { createBlockReader, type EventBlock } from './event-blocks.ts'

export type News = { type: string; event: CompanyEvent }

type Reader = {
  /** News can arrive from now on; again after every cut. */
  onOpen: () => void
  /** News that came together, each once. */
  onNews: (news: News[]) => void
  /** Too much was missed: whatever is shown must be loaded anew. */
  onReload: () => void
}

/** The server says something every 15 seconds: a stream that is silent for longer is dead. */
const silenceMs = 40_000
const firstPauseMs = 500
const longestPauseMs = 15_000
/** A tab out of sight gives its connection back after a while: a browser has only six for a server. */
const hiddenMs = 60_000
/** The longest a timer can wait: until somebody looks again. */
const untilShownMs = 2 ** 31 - 1
/** What happened while the first lists were loading is told again; marks that are set already stay as they are. */
const recentSeconds = 10
const remembered = 2_000

let live = false
const listeners = new Set<() => void>()

function setLive(value: boolean): void {
  if (live === value) return
  live = value
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether news arrive as they happen; false while the connection is being made. */
export function useIsLive(): boolean {
  return useSyncExternalStore(subscribe, () => live)
}

function newsOf({ type, data }: EventBlock): News[] {
  const event = type === '' ? null : companyEvent.safeParse(parseJson(data))
  return event?.success === true ? [{ type, event: event.data }] : []
}

/**
 * Ends a connection when the following stops, the network goes, nothing is heard, or nobody looks for a while; and one that
 * has said nothing yet when the network comes back, whose question may have got lost.
 */
function createConnection(stopped: AbortSignal) {
  const cut = new AbortController()
  let silence: ReturnType<typeof setTimeout> | undefined
  let hidden: ReturnType<typeof setTimeout> | undefined
  const end = () => cut.abort()
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(end, silenceMs)
  }
  const look = () => {
    clearTimeout(hidden)
    if (document.visibilityState === 'hidden') hidden = setTimeout(end, hiddenMs)
  }
  heard()
  look()
  const { signal } = cut
  stopped.addEventListener('abort', end, { signal })
  window.addEventListener('offline', end, { signal })
  window.addEventListener('online', () => live || end(), { signal })
  document.addEventListener('visibilitychange', look, { signal })
  return {
    signal,
    heard,
    close() {
      clearTimeout(silence)
      clearTimeout(hidden)
      end()
    },
  }
}

/**
 * How many milliseconds ago a moment of the page's clock was: by that clock, which may stand still while a device sleeps, or by the
 * device's own.
 */
function watchFrom(begunAt: number): () => number {
  const begunOn = Date.now() - (performance.now() - begunAt)
  return () => Math.max(performance.now() - begunAt, Date.now() - begunOn)
}

/** Whether it is worth coming back: not where the session is over, by the word of the server itself, unless there is another by now. */
function mayComeBack(error: unknown, askedBy: string | null): boolean {
  if (!(error instanceof ApiError)) return isAbort(error)
  const isAskedAnew = ![null, askedBy].includes(readToken())
  return error.code === null || ![401, 403].includes(error.status ?? 0) || isAskedAnew
}

/**
 * Follows the company's news until the answer is called: comes back after every cut and goes on where it was, so that
 * nothing is missed and nothing told twice.
 */
export function followNews({ onOpen, onNews, onReload }: Reader): () => void {
  const stop = new AbortController()
  const told = new Set<string>()
  let place: string | null = null
  let pauseMs = firstPauseMs
  let askedBy = readToken()
  const sinceBegun = watchFrom(askedEarlyAt() ?? performance.now())

  /** Whether more has happened since lists began to load than the first connection tells of. */
  const missedBeginning = () => place === null && sinceBegun() > recentSeconds * 1000

  function take(blocks: EventBlock[]): void {
    for (const { id } of blocks) place = id ?? place
    if (blocks.some(({ type }) => type === 'reload')) onReload()
    const news = blocks.flatMap(newsOf).filter(({ event }) => remember(told, event.id, remembered))
    if (news.length > 0) onNews(news)
  }

  async function readOnce(): Promise<void> {
    const connection = createConnection(stop.signal)
    const read = createBlockReader()
    const options = { signal: connection.signal, ...(place === null ? {} : { lastEventId: place }) }
    const query = place === null ? { recent: String(recentSeconds) } : {}
    let isOpen = false
    askedBy = readToken()
    try {
      for await (const piece of callForStream(streamEvents, { query }, options)) {
        connection.heard()
        pauseMs = firstPauseMs
        setLive(true)
        if (!isOpen) onOpen()
        if (!isOpen && missedBeginning()) onReload()
        isOpen = true
        take(read(piece))
      }
    } finally {
      connection.close()
      setLive(false)
    }
  }

  const isStopped = () => stop.signal.aborted
  // A network that is back is tried as one that was never gone.
  window.addEventListener('online', () => (pauseMs = firstPauseMs), { signal: stop.signal })

  async function follow(): Promise<void> {
    while (!isStopped()) {
      try {
        await readOnce()
      } catch (error) {
        if (isStopped()) return
        if (!mayComeBack(error, askedBy)) throw error
      }
      const hidden = document.visibilityState === 'hidden'
      await rest(hidden ? untilShownMs : pauseMs * (0.5 + Math.random()), stop.signal)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }

  follow().catch((error: unknown) => {
    if (!(error instanceof ApiError)) reportError(error)
  })
  return () => stop.abort()
}
