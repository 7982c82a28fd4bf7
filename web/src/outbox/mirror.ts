import { remember } from '../lib/bounded-set.ts'
import type { Job, Refusal } from './store.ts'

/** What became of a job: the reply, or why the server did not take it. */
export type Answer<R> = { reply: R } | { refusal: Refusal }

/** A job, its answer, the stored entries it adds, and whether it stays for a person to decide. */
export type Answered<T, R> = { job: Job<T>; answer: Answer<R>; storedEntries: number; isKept: boolean }

/** What tabs tell each other, so that each shows the same. */
export type News<T, R> =
  | { kind: 'added'; jobs: readonly Job<T>[] }
  | { kind: 'replaced'; id: string; jobs: readonly Job<T>[] }
  | { kind: 'answered'; answers: readonly Answered<T, R>[] }

type Stored = ReadonlyMap<string, number>

/**
 * All that waits or was refused, in order; how many entries of each group are stored; whether a reload is safe; whether
 * the last try to send got no answer.
 */
export type OutboxState<T> = {
  jobs: readonly Job<T>[]
  stored: Stored
} & Standing

type Standing = { isDurable: boolean; isHeldUp: boolean }

export type Mirror<T, R> = {
  getState: () => OutboxState<T>
  subscribe: (listener: () => void) => () => void
  /** Takes what the store holds; what this page has still on its way into it stays. */
  load: (jobs: readonly Job<T>[], stored: Stored) => void
  /** The store may have none of them any more; gives them. */
  unsave: () => readonly Job<T>[]
  /** The store has them. */
  saved: (jobs: readonly Job<T>[]) => void
  setStanding: (standing: Partial<Standing>) => void
  hasWaiting: () => boolean
  /** Takes a change over; gives the answers among it that were not known yet. */
  apply: (news: News<T, R>) => readonly Answered<T, R>[]
}

/** How many jobs that are gone are remembered: those whose news may still be on the way. */
const mostRemembered = 5_000

/** Jobs in their order, each once; one that is gone does not come back with late news. */
function createJobList<T>() {
  const jobs = new Map<string, Job<T>>()
  const gone = new Set<string>()

  function add(added: readonly Job<T>[]): void {
    for (const job of added) if (!jobs.has(job.id) && !gone.has(job.id)) jobs.set(job.id, job)
  }

  return {
    all: () => [...jobs.values()],
    isAnyWaiting: () => [...jobs.values()].some(({ state }) => state === 'waiting'),
    find: (id: string) => jobs.get(id),
    isGone: (id: string) => gone.has(id),
    add,
    replaceAll(all: readonly Job<T>[]): void {
      jobs.clear()
      add(all)
    },
    refuse(job: Job<T>, refusal: Refusal): void {
      if (jobs.has(job.id)) jobs.set(job.id, { ...job, state: 'refused', refusal })
    },
    /** False where it was out already. */
    takeOut(id: string): boolean {
      remember(gone, id, mostRemembered)
      return jobs.delete(id)
    },
  }
}

const withMore = (stored: Stored, group: string, entries: number): Stored =>
  new Map(stored).set(group, (stored.get(group) ?? 0) + entries)

/** How many entries of each group are stored, each counted once. */
function createTallies() {
  /** What answers have added, by their jobs, until the store has it, too. */
  const counted = new Map<string, number>()
  let stored: Stored = new Map()
  return {
    all: () => stored,
    add({ id, group }: { id: string; group: string }, entries: number): void {
      stored = withMore(stored, group, entries)
      counted.set(id, entries)
    },
    /** Takes what the store holds, also where it was read before the answers to some jobs were written: with the job goes what it adds. */
    load(jobs: readonly { id: string; group: string }[], storedNow: Stored): void {
      const before = new Map(jobs.map(({ id, group }) => [id, group]))
      stored = storedNow
      for (const [id, entries] of counted) {
        const group = before.get(id)
        if (group === undefined) counted.delete(id)
        else stored = withMore(stored, group, entries)
      }
    },
  }
}

/** What waits, as this page knows it: its own changes at once, those of other tabs as they tell. */
export function createMirror<T, R>(page: string): Mirror<T, R> {
  const jobs = createJobList<T>()
  const unsaved = new Set<string>()
  const listeners = new Set<() => void>()
  const tallies = createTallies()
  let standing: Standing = { isDurable: true, isHeldUp: false }
  let shown: OutboxState<T> | null = null

  function changed(): void {
    shown = null
    for (const listener of listeners) listener()
  }

  /** False where it was known already. */
  function takeAnswer({ job, answer, storedEntries, isKept }: Answered<T, R>): boolean {
    if (jobs.isGone(job.id)) return false
    if ('refusal' in answer && isKept) {
      if (jobs.find(job.id)?.state === 'refused') return false
      jobs.refuse(job, answer.refusal)
      return true
    }
    // One that is out already was counted when it was loaded.
    const isCounted = jobs.takeOut(job.id) && 'reply' in answer
    if (isCounted) tallies.add(job, storedEntries)
    return true
  }

  return {
    getState: () => (shown ??= { jobs: jobs.all(), stored: tallies.all(), ...standing }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    load(loaded, storedNow) {
      const onTheirWay = jobs.all().filter(({ id }) => unsaved.has(id))
      jobs.replaceAll([...loaded, ...onTheirWay])
      tallies.load(loaded, storedNow)
      changed()
    },
    unsave() {
      for (const { id } of jobs.all()) unsaved.add(id)
      return jobs.all()
    },
    saved(written) {
      for (const { id } of written) unsaved.delete(id)
    },
    setStanding(part) {
      const now = { ...standing, ...part }
      if (now.isDurable === standing.isDurable && now.isHeldUp === standing.isHeldUp) return
      standing = now
      changed()
    },
    hasWaiting: jobs.isAnyWaiting,
    apply(news) {
      const told = news.kind === 'answered' ? news.answers.filter(takeAnswer) : []
      if (news.kind === 'replaced') jobs.takeOut(news.id)
      if (news.kind !== 'answered') {
        for (const job of news.jobs) if (job.page === page) unsaved.add(job.id)
        jobs.add(news.jobs)
      }
      changed()
      return told
    },
  }
}
