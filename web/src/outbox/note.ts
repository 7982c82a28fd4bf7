import { z } from '@inventory-manager/contract/zod'
import { parseJson } from '../lib/json.ts'
import type { Job } from './store.ts'

const prefix = 'being_written_'
/** What nobody scans within milliseconds is no scan, and would fill the room of others. */
const mostKept = 100
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

let noted = 0

/**
 * Keeps a job until the browser's database has it: what was scanned must not be lost where the page ends meanwhile, nor its key
 * once the server may know it. At once, unlike the database. False where the browser keeps nothing, or has many already.
 */
export function noteJob(job: Job<unknown>): boolean {
  try {
    if (localStorage.length > mostKept) return false
    noted += 1
    // Two of one millisecond keep their order.
    const at = Date.now() + (noted % 1000) / 1000
    localStorage.setItem(prefix + job.id, JSON.stringify({ at, job }))
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
  const notes = Object.keys(localStorage).flatMap((key) =>
    key.startsWith(prefix) ? (note.safeParse(parseJson(localStorage.getItem(key) ?? '')).data ?? []) : [],
  )
  return (
    notes
      // A battery that is pulled may take the time with it.
      .filter(({ at, job }) => job.owner === owner && Math.abs(Date.now() - at) > patienceMs)
      .toSorted((one, other) => one.at - other.at)
      .map(({ job }) => job)
  )
}
