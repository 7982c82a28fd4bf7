import { setTimeout as sleep } from 'node:timers/promises'

/** Work that goes on until it is stopped. */
export type Background = { stop: () => Promise<void> }

/** Rounds together take at most this share of a connection's time. */
const share = 20

/**
 * Does rounds of work, one after the other, with at least the given pause between them; a round that took long is
 * followed by a longer one. What a round throws is told, and the next one tries again.
 */
export function keepDoing(options: {
  pauseMs: number
  round: () => Promise<void>
  onError: (error: unknown) => void
}): Background {
  const stopping = new AbortController()
  // A function, because the compiler takes a flag for constant that only somebody else changes.
  const isStopping = () => stopping.signal.aborted

  async function pause(ms: number): Promise<void> {
    try {
      await sleep(ms, undefined, { signal: stopping.signal, ref: false })
    } catch (error) {
      if (!isStopping()) throw error
    }
  }

  async function go(): Promise<void> {
    while (!isStopping()) {
      const begin = performance.now()
      try {
        await options.round()
      } catch (error) {
        if (!isStopping()) options.onError(error)
      }
      await pause(Math.max(options.pauseMs, share * (performance.now() - begin)))
    }
  }

  const running = go()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
