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

/** A store that may lose its place on the disk, and then says so; null where it cannot be read. */
export type SafeStore<T> = Omit<OutboxStore<T>, 'load'> & {
  load: () => Promise<Contents<T> | null>
  isDurable: () => boolean
}

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

/** Disks that are slow take a second. */
const patienceMs = 10_000

const silence = () => new DOMException('The browser does not answer.', 'TimeoutError')

/**
 * Waits no longer than that for the browser, which may have stopped answering at all, and asks it nothing else until it does. What it
 * was asked for may be done later all the same.
 */
function createPatience() {
  let isStuck = false
  let wasStuck = false

  async function inTime<V>(work: () => Promise<V>): Promise<V> {
    if (isStuck) throw silence()
    let timer: ReturnType<typeof setTimeout> | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isStuck = true
        wasStuck = true
        reject(silence())
      }, patienceMs)
    })
    const working = work().finally(() => {
      clearTimeout(timer)
      isStuck = false
    })
    return await Promise.race([working, tooLate])
  }

  return { inTime, wasStuck: () => wasStuck }
}

/** Whether the durable store does its work, and what is done where it does not. */
function createAttempts() {
  let isDurable = true
  const { inTime, wasStuck } = createPatience()
  return {
    isDurable: () => isDurable,
    wasStuck,
    /** The durable store has taken something, and nothing is left that it did not take. */
    recover: () => (isDurable = true),
    attempt: async <V>(work: () => Promise<V>, otherwise: () => Promise<V>): Promise<V> => {
      try {
        return await inTime(work)
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

  async function load(): Promise<Contents<T> | null> {
    const held = await attempt<Contents<T> | null>(
      () => durable.load(),
      async () => null,
    )
    return held === null ? null : untold.appliedTo(held)
  }

  const listJobs = async () => (await load())?.jobs ?? []

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
    const waiting = (await listJobs()).filter(({ state }) => state === 'waiting')
    const jobs = choose(waiting.slice(0, mostTogether))
    for (const { id } of jobs) unmarked.add(id)
    return { jobs, isAll: jobs.length === waiting.length }
  }

  const isRefused = async (id: string) =>
    (await listJobs()).some((job) => job.id === id && job.state === 'refused')

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

type Places<T> = {
  durable: OutboxStore<T>
  memory: OutboxStore<T>
  attempts: ReturnType<typeof createAttempts>
  patient: ReturnType<typeof createPatientStore<T>>
}

/** Takes jobs out of memory, and of the durable store. */
function createTakingOut<T>({ durable, memory, attempts, patient }: Places<T>) {
  /** What a browser writes that had stopped answering is to go from there, too, and has been counted here. */
  function comingLate(outcomes: readonly Outcome<T>[]): Outcome<T>[] {
    return attempts.wasStuck() ? outcomes.map((outcome) => ({ ...outcome, storedEntries: 0 })) : []
  }

  async function settle(outcomes: readonly Outcome<T>[]): Promise<ReadonlySet<string>> {
    const inMemory = await memory.settle(outcomes)
    // Answered: taken for lost by their notes, they would be sent again.
    durable.forget([...inMemory])
    const others = outcomes.filter(({ job }) => !inMemory.has(job.id))
    const told = [...others, ...comingLate(outcomes.filter(({ job }) => inMemory.has(job.id)))]
    return told.length === 0 ? inMemory : new Set([...inMemory, ...(await patient.settle(told))])
  }

  async function replace(id: string, jobs: readonly Job<T>[]): Promise<boolean> {
    const held = (await memory.load()).jobs.filter((job) => job.id === id)
    if (!(await memory.replace(id, jobs))) return await patient.replace(id, jobs)
    durable.forget([id])
    const gone = comingLate(held.map((job) => ({ job, storedEntries: 0, refusal: null })))
    if (gone.length > 0) await patient.settle(gone)
    return true
  }

  return { settle, replace }
}

/** Keeps jobs in the given store, and in the page's memory what that one does not take until it does. */
export function createSafeStore<T>(durable: OutboxStore<T>): SafeStore<T> {
  const memory = createMemoryStore<T>()
  const attempts = createAttempts()
  const patient = createPatientStore(durable, attempts)
  const { settle, replace } = createTakingOut({ durable, memory, attempts, patient })
  let last: Promise<unknown> = Promise.resolve()
  let wasRead = false

  /** One after the other, so that each job is in one place. */
  function inTurn<V>(work: () => Promise<V>): Promise<V> {
    const done = last.then(work)
    last = Promise.allSettled([done])
    return done
  }

  /** Writes jobs down, behind those for which there was no room before. */
  const write = (jobs: readonly Job<T>[]) =>
    attempts.attempt(
      async () => {
        const { jobs: before } = await memory.load()
        await durable.add([...before, ...jobs])
        await memory.settle(before.map((job) => ({ job, storedEntries: 0, refusal: null })))
        attempts.recover()
      },
      () => memory.add(jobs),
    )

  async function claim(choose: Choose<T>): Promise<Claim<T>> {
    if ((await memory.load()).jobs.length > 0) await write([])
    const kept = await patient.claim(choose)
    const inMemory = await memory.load()
    if (kept.jobs.length > 0) return { ...kept, isAll: kept.isAll && inMemory.jobs.length === 0 }
    return await memory.claim(choose)
  }

  async function load(): Promise<Contents<T> | null> {
    const inMemory = await memory.load()
    const kept = await patient.load()
    // Where nothing was ever read, nothing is there but what is in memory.
    if (kept === null) return wasRead ? null : inMemory
    wasRead = true
    const stored = new Map(kept.stored)
    for (const [group, count] of inMemory.stored) stored.set(group, (stored.get(group) ?? 0) + count)
    return { jobs: [...kept.jobs, ...inMemory.jobs], stored }
  }

  return {
    isDurable: attempts.isDurable,
    load: () => inTurn(load),
    note: (job) => attempts.isDurable() && durable.note(job),
    forget: (ids) => durable.forget(ids),
    add: (jobs) => inTurn(() => write(jobs)),
    claim: (choose) => inTurn(() => claim(choose)),
    settle: (outcomes) => inTurn(() => settle(outcomes)),
    replace: (id, jobs) => inTurn(() => replace(id, jobs)),
  }
}
