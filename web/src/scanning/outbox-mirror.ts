import type { Job, Refusal } from './outbox-store.ts'

/** What became of a job: the reply, or why the server did not take it. */
export type Answer<R> = { reply: R } | { refusal: Refusal }

/** What tabs tell each other, so that each shows the same. */
export type News<T, R> =
  | { kind: 'added'; jobs: readonly Job<T>[] }
  | { kind: 'replaced'; id: string; jobs: readonly Job<T>[] }
  | { kind: 'answered'; job: Job<T>; answer: Answer<R>; storedEntries: number; isKept: boolean }

/** All that waits or was refused, in order; how many entries of each group are stored; whether a reload is safe. */
export type OutboxState<T> = {
  jobs: readonly Job<T>[]
  stored: ReadonlyMap<string, number>
  isDurable: boolean
}

export type Mirror<T, R> = {
  getState: () => OutboxState<T>
  subscribe: (listener: () => void) => () => void
  /** Takes what the store holds; `unsaved` are the jobs that are still on their way into it. */
  load: (jobs: readonly Job<T>[], stored: ReadonlyMap<string, number>) => void
  saved: (jobs: readonly Job<T>[]) => void
  setDurable: (isDurable: boolean) => void
  /** Takes a change over; false where it was known already. */
  apply: (news: News<T, R>) => boolean
}

/** The jobs of two lists that are not gone, each once. */
function joined<T>(gone: ReadonlySet<string>, to: readonly Job<T>[], more: readonly Job<T>[]): Job<T>[] {
  const known = new Set(to.map(({ id }) => id))
  return [...to, ...more.filter(({ id }) => !known.has(id))].filter(({ id }) => !gone.has(id))
}

/** What waits, as this page knows it: its own changes at once, those of other tabs as they tell. */
export function createMirror<T, R>(page: string): Mirror<T, R> {
  const gone = new Set<string>()
  const unsaved = new Set<string>()
  const listeners = new Set<() => void>()
  let state: OutboxState<T> = { jobs: [], stored: new Map(), isDurable: true }

  function set(part: Partial<OutboxState<T>>): void {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }

  function without(id: string): Job<T>[] {
    gone.add(id)
    return state.jobs.filter((job) => job.id !== id)
  }

  function refuse(job: Job<T>, refusal: Refusal): boolean {
    const isKnown = state.jobs.some(({ id, state: held }) => id === job.id && held === 'refused')
    if (isKnown) return false
    const refused = { ...job, state: 'refused' as const, refusal }
    set({ jobs: state.jobs.map((held) => (held.id === job.id ? refused : held)) })
    return true
  }

  function answered(news: Extract<News<T, R>, { kind: 'answered' }>): boolean {
    const { job, answer, storedEntries, isKept } = news
    if (gone.has(job.id)) return false
    if ('refusal' in answer && isKept) return refuse(job, answer.refusal)
    const stored = new Map(state.stored)
    // One that is out already was counted when it was loaded.
    const isCounted = 'reply' in answer && state.jobs.some(({ id }) => id === job.id)
    if (isCounted) stored.set(job.group, (stored.get(job.group) ?? 0) + storedEntries)
    set({ jobs: without(job.id), stored })
    return true
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    load: (jobs, stored) =>
      set({
        jobs: joined(
          gone,
          jobs,
          state.jobs.filter(({ id }) => unsaved.has(id)),
        ),
        stored,
      }),
    saved(jobs) {
      for (const { id } of jobs) unsaved.delete(id)
    },
    setDurable(isDurable) {
      if (state.isDurable !== isDurable) set({ isDurable })
    },
    apply(news) {
      if (news.kind === 'answered') return answered(news)
      const own = news.jobs.filter((job) => job.page === page)
      for (const { id } of own) unsaved.add(id)
      set({ jobs: joined(gone, news.kind === 'added' ? state.jobs : without(news.id), news.jobs) })
      return true
    },
  }
}
