import { setTimeout as sleep } from 'node:timers/promises'

/** Work that goes on until it is stopped. */
export type Background = { stop: () => Promise<void> }

/** Looks together take at most a twentieth of a connection's time. */
const share = 20

/**
 * Does rounds, one after the other: looks for work, then does what was found. The pause after a round is at least the
 * given one, and longer where the last two looks took long: one that was held up once delays nothing, nor does work,
 * however much there was. What a round throws is told, and the next one tries again.
 */
export function keepDoing<Found>(options: {
  pauseMs: number
  look: () => Promise<Found>
  work: (found: Found) => Promise<void>
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
    let lastTook = 0
    while (!isStopping()) {
      const begin = performance.now()
      let took = 0
      try {
        const found = await options.look()
        took = performance.now() - begin
        await options.work(found)
      } catch (error) {
        if (!isStopping()) options.onError(error)
      }
      await pause(Math.max(options.pauseMs, share * Math.min(took, lastTook)))
      lastTook = took
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
