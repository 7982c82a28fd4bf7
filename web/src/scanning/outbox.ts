import { ApiError } from '../api/api-error.ts'

/** One entry of the person counting; its id is also the key that makes sending it twice harmless. */
export type Entry<T> = { id: string; value: T }

export type OutboxCounts = { scanned: number; stored: number; waiting: number }

type Answer<R> = { reply: R } | { error: unknown }

type Listener<T, R> = {
  /** Called in the order of the entries, once each. */
  onResult: (entry: Entry<T>, answer: Answer<R>) => void
  onChange: (counts: OutboxCounts) => void
}

export type Outbox<T, R> = {
  add: (entry: Entry<T>) => void
  retryNow: () => void
  /** Starts sending for a listener; the answer stops it. What waits stays. */
  start: (listener: Listener<T, R>) => () => void
}

const firstPauseMs = 500
const longestPauseMs = 10_000

/** Whether a failure says nothing about the entry: it stays first in line and is sent again. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  if (error.kind !== 'reply') return true
  return error.status === 503 || error.status === 429 || error.status === 502 || error.status === 504
}

/** A pause that can be cut short. */
function createRest(): { for: (milliseconds: number) => Promise<void>; end: () => void } {
  let end: () => void = () => undefined
  return {
    for: (milliseconds) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    end: () => end(),
  }
}

/**
 * Sends entries one after another, in order, and keeps at it through a bad network. Nothing but the server's own
 * answer takes an entry out.
 */
export function createOutbox<T, R>(send: (entry: Entry<T>) => Promise<R>): Outbox<T, R> {
  const waiting: Entry<T>[] = []
  const counts = { scanned: 0, stored: 0 }
  let listener: Listener<T, R> | null = null
  const rest = createRest()
  let running = false

  function changed(): void {
    listener?.onChange({ ...counts, waiting: waiting.length })
  }

  /** Sends one entry until there is an answer for it; null when the outbox was stopped meanwhile. */
  async function deliver(entry: Entry<T>): Promise<Answer<R> | null> {
    for (let pauseMs = firstPauseMs; listener !== null; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return { reply: await send(entry) }
      } catch (error) {
        if (!isPassing(error)) return { error }
        await rest.for(pauseMs)
      }
    }
    return null
  }

  async function run(): Promise<void> {
    running = true
    for (let [entry] = waiting; entry !== undefined; [entry] = waiting) {
      const answer = await deliver(entry)
      if (answer === null) break
      waiting.shift()
      if ('reply' in answer) counts.stored += 1
      changed()
      listener?.onResult(entry, answer)
    }
    running = false
  }

  function ensureRunning(): void {
    if (!running && listener !== null) run().catch(reportError)
  }

  return {
    add(entry) {
      waiting.push(entry)
      counts.scanned += 1
      changed()
      ensureRunning()
    },
    retryNow: () => rest.end(),
    start(started) {
      listener = started
      ensureRunning()
      return () => {
        listener = null
        rest.end()
      }
    },
  }
}
