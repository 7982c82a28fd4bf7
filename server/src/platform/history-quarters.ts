import { keepDoing, type Background } from './background.ts'
import type { Database } from './db/database.ts'

const lookEveryMs = 3_600_000

/** Makes the parts of this quarter and the next two, where they are missing. */
export async function makeQuarters(database: Database): Promise<void> {
  await database.callFunction('select make_history_quarters()', [])
}

/** Keeps parts made for the quarters ahead. Any number of nodes may; late, rows go where the rest is. */
export function keepMakingQuarters(database: Database, onError: (error: unknown) => void): Background {
  return keepDoing({
    pauseMs: lookEveryMs,
    onError,
    look: () => Promise.resolve(),
    work: () => makeQuarters(database),
  })
}
