/** Why the server did not take a job, for a person to decide. */
export type Refusal = { code: string; message: string }

/** One thing to send. Its id is also the key that makes sending it twice harmless. */
export type Job<T> = {
  id: string
  /** Whose it is: `company/user`. Nobody else sees or sends it. */
  owner: string
  /** The counting session it belongs to. */
  group: string
  value: T
  /** Whether it is a scanned entry, which the screen counts. */
  isEntry: boolean
  state: 'waiting' | 'refused'
  refusal: Refusal | null
  /** Whether it may have reached the server already. */
  sent: boolean
  /** Which page made it. */
  page: string
}

/** What the server said of a job: how many entries it stores by it, or why a person has to decide. */
export type Outcome<T> = { job: Job<T>; storedEntries: number; refusal: Refusal | null }

/** Jobs to send now. `isAll`: nothing else waits. */
export type Claim<T> = { jobs: readonly Job<T>[]; isAll: boolean }

/** Picks from the first in line those that may be on their way together. */
export type Choose<T> = (waiting: readonly Job<T>[]) => readonly Job<T>[]

/** How many jobs are on their way together at most; browsers have six connections, and a window saves them pauses. */
export const mostTogether = 16

export type Contents<T> = { jobs: Job<T>[]; stored: ReadonlyMap<string, number> }

/** Where an owner's jobs wait, in their order. */
export type OutboxStore<T> = {
  load(): Promise<Contents<T>>
  /** Keeps a job at once, before it is sent and added; false where that cannot be. */
  note(job: Job<T>): boolean
  /** Jobs that were noted need no adding any more. */
  forget(ids: readonly string[]): void
  /** Adds those that are not in yet. */
  add(jobs: readonly Job<T>[]): Promise<void>
  /** Those chosen of the first that wait and are not passed over, marked as sent. */
  claim(choose: Choose<T>, passedOver?: ReadonlySet<string>): Promise<Claim<T>>
  /** Takes jobs out that the server has stored, and marks refused ones; gives the ids of those that were still in. */
  settle(outcomes: readonly Outcome<T>[]): Promise<ReadonlySet<string>>
  /** Puts others in the place of a job that was refused or never sent; false, and nothing done, for any other. */
  replace(id: string, jobs: readonly Job<T>[]): Promise<boolean>
}

/** Keeps jobs for as long as the page lives: where the browser keeps nothing. */
export function createMemoryStore<T>(): OutboxStore<T> {
  const jobs = new Map<string, Job<T>>()
  const stored = new Map<string, number>()

  const put = (added: readonly Job<T>[]) => {
    for (const job of added) jobs.set(job.id, job)
  }

  return {
    load: async () => ({ jobs: [...jobs.values()], stored: new Map(stored) }),
    note: () => true,
    forget: () => undefined,
    add: async (added) => put(added),
    async claim(choose, passedOver) {
      const waiting = [...jobs.values()].filter(
        ({ id, state }) => state === 'waiting' && passedOver?.has(id) !== true,
      )
      const chosen = choose(waiting.slice(0, mostTogether))
      put(chosen.map((job) => ({ ...job, sent: true })))
      return { jobs: chosen, isAll: chosen.length === waiting.length }
    },
    async settle(outcomes) {
      const known = outcomes.filter(({ job }) => jobs.has(job.id))
      for (const { job, storedEntries, refusal } of known) {
        if (refusal === null) {
          jobs.delete(job.id)
          stored.set(job.group, (stored.get(job.group) ?? 0) + storedEntries)
        } else jobs.set(job.id, { ...job, state: 'refused', refusal })
      }
      return new Set(known.map(({ job }) => job.id))
    },
    async replace(id, others) {
      const job = jobs.get(id)
      if (job === undefined || (job.state === 'waiting' && job.sent)) return false
      jobs.delete(id)
      put(others)
      return true
    },
  }
}
