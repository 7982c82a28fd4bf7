import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'

/** How terminals, systemd and containers ask a program to end. */
export const askingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** A repeat so soon is the same wish: Ctrl-C comes from the terminal, and once more from npm. */
const repeatMs = 1_000

type Parts = {
  /** Ends what is done for people; broken off after so many ms. */
  finish: () => Promise<void>
  withinMs: number
  /** Stops the database, which takes the time it needs. */
  stop: () => Promise<void>
  logger: { error: (first: unknown, message?: string) => void }
}

async function finishInTime({ finish, withinMs }: Parts): Promise<void> {
  const isLate = sleep(withinMs, true)
  if ((await Promise.race([finish(), isLate])) !== true) return
  throw new Error(`What was running did not end within ${withinMs / 1000} s and was broken off.`)
}

/**
 * Has the process end after a failure, or when the function it answers is called: with 0 where all was finished, else with 1.
 * By signals it ends itself, unless they are for somebody else to hear.
 */
export function closeInOrder(parts: Parts, { hears }: { hears: boolean }): () => void {
  const { stop, logger } = parts
  let begunAt: number | null = null
  const { close } = closeWithGrace({ delay: false, logger, skip: [...askingSignals] }, async ({ err }) => {
    begunAt = performance.now()
    if (err !== undefined) logger.error({ err }, 'closing after an error')
    try {
      await finishInTime(parts)
    } finally {
      await stop()
    }
  })

  function hear(signal: NodeJS.Signals): void {
    if (begunAt === null) {
      close()
    } else if (performance.now() - begunAt > repeatMs) {
      logger.error(`second ${signal}, exiting`)
      process.exit(1)
    }
  }

  if (hears) for (const signal of askingSignals) process.on(signal, hear)
  return close
}
