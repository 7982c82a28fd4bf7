import {
  createMemoryStore,
  mostTogether,
  type Choose,
  type Claim,
  type Contents,
  type Job,
  type Outcome,
  type OutboxStore,
} from './store.ts'

/** Whether the browser refuses to keep something: private mode, a full disk, a database that is gone. */
function isStorageTrouble(error: unknown): boolean {
  return error instanceof DOMException || typeof indexedDB === 'undefined'
}

/** A store that may lose its place on the disk, and then says so. */
export type SafeStore<T> = OutboxStore<T> & { isDurable: () => boolean }

/** Answers that the durable store could not be told yet: to it their jobs still wait. */
function createUntold<T>() {
  const outcomes = new Map<string, Outcome<T>>()

  /** The job as its answer leaves it; null where that takes it out. */
  function asAnswered(job: Job<T>): Job<T> | null {
    const outcome = outcomes.get(job.id)
    if (outcome === undefined) return job
    const { refusal } = outcome
    return refusal === null ? null : { ...job, state: 'refused', refusal }
  }

  return {
    all: () => [...outcomes.values()],
    ids: () => new Set(outcomes.keys()),
    add(untold: readonly Outcome<T>[]): void {
      for (const outcome of untold) outcomes.set(outcome.job.id, outcome)
    },
    drop(told: readonly Outcome<T>[]): void {
      for (const { job } of told) outcomes.delete(job.id)
    },
    /** What a store holds, as if it had been told. */
    appliedTo({ jobs, stored }: Contents<T>): Contents<T> {
      const now = new Map(stored)
      for (const { id, group } of jobs) {
        const outcome = outcomes.get(id)
        if (outcome?.refusal === null) now.set(group, (now.get(group) ?? 0) + outcome.storedEntries)
      }
      return { jobs: jobs.map(asAnswered).filter((job) => job !== null), stored: now }
    },
  }
}

/** Whether the durable store does its work, and what is done where it does not. */
function createAttempts() {
  let isDurable = true
  return {
    isDurable: () => isDurable,
    /** The durable store has taken something, and nothing is left that it did not take. */
    recover: () => (isDurable = true),
    attempt: async <V>(work: () => Promise<V>, otherwise: () => Promise<V>): Promise<V> => {
      try {
        return await work()
      } catch (error) {
        if (!isStorageTrouble(error)) throw error
        isDurable = false
        return await otherwise()
      }
    },
  }
}

/** The durable store, as far as it goes: what it does not take of answers and marks is kept here, and told it later. */
function createPatientStore<T>(durable: OutboxStore<T>, { attempt }: ReturnType<typeof createAttempts>) {
  const untold = createUntold<T>()
  /** Jobs on their way that the store could not mark so. */
  const unmarked = new Set<string>()
  const nothing: Contents<T> = { jobs: [], stored: new Map() }

  const load = async () =>
    untold.appliedTo(
      await attempt(
        () => durable.load(),
        async () => nothing,
      ),
    )

  async function tell(): Promise<ReadonlySet<string>> {
    const outcomes = untold.all()
    if (outcomes.length === 0) return new Set()
    return await attempt(
      async () => {
        const wereIn = await durable.settle(outcomes)
        untold.drop(outcomes)
        return wereIn
      },
      async () => untold.ids(),
    )
  }

  /** A full disk takes no mark that a job is on its way, but what it holds can be read and sent. */
  async function claimUnmarked(choose: Choose<T>): Promise<Claim<T>> {
    const waiting = (await load()).jobs.filter(({ state }) => state === 'waiting')
    const jobs = choose(waiting.slice(0, mostTogether))
    for (const { id } of jobs) unmarked.add(id)
    return { jobs, isAll: jobs.length === waiting.length }
  }

  const isRefused = async (id: string) =>
    (await load()).jobs.some((job) => job.id === id && job.state === 'refused')

  return {
    load,
    async claim(choose: Choose<T>): Promise<Claim<T>> {
      await tell()
      return await attempt(
        () => durable.claim(choose, untold.ids()),
        () => claimUnmarked(choose),
      )
    },
    async settle(outcomes: readonly Outcome<T>[]): Promise<ReadonlySet<string>> {
      untold.add(outcomes)
      return await tell()
    },
    async replace(id: string, jobs: readonly Job<T>[]): Promise<boolean> {
      await tell()
      if (unmarked.has(id) && !(await isRefused(id))) return false
      return await attempt(
        () => durable.replace(id, jobs),
        async () => false,
      )
    },
  }
}

/** Keeps jobs in the given store, and in the page's memory what that one does not take. */
export function createSafeStore<T>(durable: OutboxStore<T>): SafeStore<T> {
  const memory = createMemoryStore<T>()
  const attempts = createAttempts()
  const patient = createPatientStore(durable, attempts)

  return {
    isDurable: attempts.isDurable,
    async load() {
      const inMemory = await memory.load()
      const kept = await patient.load()
      const stored = new Map(kept.stored)
      for (const [group, count] of inMemory.stored) stored.set(group, (stored.get(group) ?? 0) + count)
      return { jobs: [...kept.jobs, ...inMemory.jobs], stored }
    },
    note: (job) => attempts.isDurable() && durable.note(job),
    forget: (ids) => durable.forget(ids),
    add: (jobs) =>
      attempts.attempt(
        async () => {
          await durable.add(jobs)
          if ((await memory.load()).jobs.length === 0) attempts.recover()
        },
        () => memory.add(jobs),
      ),
    async claim(choose) {
      const kept = await patient.claim(choose)
      const inMemory = await memory.load()
      if (kept.jobs.length > 0) return { ...kept, isAll: kept.isAll && inMemory.jobs.length === 0 }
      return await memory.claim(choose)
    },
    async settle(outcomes) {
      const inMemory = await memory.settle(outcomes)
      // Answered: taken for lost by their notes, they would be sent again.
      durable.forget([...inMemory])
      const others = outcomes.filter(({ job }) => !inMemory.has(job.id))
      return others.length === 0 ? inMemory : new Set([...inMemory, ...(await patient.settle(others))])
    },
    async replace(id, jobs) {
      if (!(await memory.replace(id, jobs))) return await patient.replace(id, jobs)
      durable.forget([id])
      return true
    },
  }
}
