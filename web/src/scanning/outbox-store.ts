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

type Contents<T> = { jobs: Job<T>[]; stored: ReadonlyMap<string, number> }

/** Where an owner's jobs wait, in their order. */
export type OutboxStore<T> = {
  load(): Promise<Contents<T>>
  add(jobs: readonly Job<T>[]): Promise<void>
  /** The first that waits, marked as sent; undefined where none does. */
  claim(): Promise<Job<T> | undefined>
  /** Takes a job out that the server has stored; false where it was out already. */
  settle(job: Job<T>, storedEntries: number): Promise<boolean>
  refuse(job: Job<T>, refusal: Refusal): Promise<boolean>
  /** Puts others in the place of a job that was refused or never sent; false, and nothing done, for any other. */
  replace(id: string, jobs: readonly Job<T>[]): Promise<boolean>
}

/** Keeps jobs for as long as the page lives: where the browser keeps nothing. */
export function createMemoryStore<T>(): OutboxStore<T> {
  let jobs: Job<T>[] = []
  const stored = new Map<string, number>()

  function without(id: string): boolean {
    const left = jobs.filter((job) => job.id !== id)
    const found = left.length < jobs.length
    jobs = left
    return found
  }

  const change = (id: string, part: Partial<Job<T>>) => {
    jobs = jobs.map((job) => (job.id === id ? { ...job, ...part } : job))
  }

  return {
    load: async () => ({ jobs, stored }),
    async add(added) {
      jobs = [...jobs, ...added]
    },
    async claim() {
      const job = jobs.find(({ state }) => state === 'waiting')
      if (job !== undefined) change(job.id, { sent: true })
      return job
    },
    async settle(job, storedEntries) {
      if (!without(job.id)) return false
      stored.set(job.group, (stored.get(job.group) ?? 0) + storedEntries)
      return true
    },
    async refuse(job, refusal) {
      if (!jobs.some(({ id }) => id === job.id)) return false
      change(job.id, { state: 'refused', refusal })
      return true
    },
    async replace(id, others) {
      const job = jobs.find((held) => held.id === id)
      if (job === undefined || (job.state === 'waiting' && job.sent)) return false
      without(id)
      jobs = [...jobs, ...others]
      return true
    },
  }
}
