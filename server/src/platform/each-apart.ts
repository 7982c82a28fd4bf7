import { keepDoing, type Background } from './background.ts'
import { isAway } from './db/errors.ts'

/**
 * Works on some, such as companies, one after the other: what fails is told, and keeps no other from its turn. Throws where the
 * database is away, which is nobody's own error and is told once.
 */
export async function eachApart<T>(
  some: readonly T[],
  work: (one: T) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  for (const one of some) {
    try {
      await work(one)
    } catch (error) {
      if (isAway(error)) throw error
      onError(error)
    }
  }
}

/** Keeps looking for some, such as companies, and works on each apart until it is stopped: then the one that is worked on is the last. */
export function keepDoingForEach<T>(options: {
  pauseMs: number
  look: () => Promise<readonly T[]>
  work: (one: T) => Promise<void>
  onError: (error: unknown) => void
}): Background {
  const { pauseMs, look, onError } = options
  const stopping = new AbortController()

  async function workUnlessStopping(one: T): Promise<void> {
    if (!stopping.signal.aborted) await options.work(one)
  }

  const doing = keepDoing({
    pauseMs,
    onError,
    look,
    work: (some) => eachApart(some, workUnlessStopping, onError),
  })
  return {
    async stop() {
      stopping.abort()
      await doing.stop()
    },
  }
}
