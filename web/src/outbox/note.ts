import { z } from '@inventory-manager/contract/zod'
import { parseJson } from '../lib/json.ts'
import type { Job } from './store.ts'

const prefix = 'being_written_'
/** Writing takes milliseconds; a page that has not written a job by then has ended. */
const patienceMs = 5_000

const note = z.object({
  at: z.number(),
  job: z.object({
    id: z.string(),
    owner: z.string(),
    group: z.string(),
    value: z.unknown(),
    isEntry: z.boolean(),
    state: z.literal('waiting'),
    refusal: z.null(),
    sent: z.boolean(),
    page: z.string(),
  }),
})

/**
 * Keeps a job from before it is sent until the browser's database has it: its key must never be lost once the server
 * may know it. At once, unlike the database. False where the browser keeps nothing.
 */
export function noteJob(job: Job<unknown>): boolean {
  try {
    localStorage.setItem(prefix + job.id, JSON.stringify({ at: Date.now(), job }))
    return true
  } catch (error) {
    if (error instanceof DOMException) return false
    throw error
  }
}

export function forgetNotes(ids: readonly string[]): void {
  for (const id of ids) localStorage.removeItem(prefix + id)
}

/** An owner's jobs that were noted by a page which ended before they were written. */
export function findLostJobs(owner: string): Job<unknown>[] {
  return (
    Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => note.safeParse(parseJson(localStorage.getItem(key) ?? '')).data)
      // A battery that is pulled may take the time with it.
      .filter((found) => found?.job.owner === owner && Math.abs(Date.now() - found.at) > patienceMs)
      .flatMap((found) => (found === undefined ? [] : [found.job]))
  )
}
