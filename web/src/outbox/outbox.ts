import { createMirror, type Answered, type News, type OutboxState } from './mirror.ts'
import type { OutboxOptions } from './options.ts'
import { createSender, createWriter } from './sender.ts'
import type { Job, Refusal } from './store.ts'

/** What the page before has noted a moment ago is taken for lost by then. */
const oldEnoughMs = 6_000

export type Outbox<T, R> = {
  /** Resolves once what was stored before is known. */
  whenLoaded: () => Promise<void>
  getState: () => OutboxState<T>
  subscribe: (listener: () => void) => () => void
  /** Called once for each answer, with those that came together, in the order of the jobs, whichever tab sent them. */
  onAnswers: (listener: (answers: readonly Answered<T, R>[]) => void) => () => void
  add: (job: NewJob<T>) => void
  /** Puts others in the place of a job that was refused or never sent. False where it is too late for that. */
  replace: (id: string, jobs: readonly NewJob<T>[]) => Promise<boolean>
  /** Puts all that this page knows into the store again, which may have lost it. */
  keepAgain: () => void
  /** Tries again at once: the network is back, or may be. */
  wake: () => void
  stop: () => void
}

export type NewJob<T> = Pick<Job<T>, 'id' | 'group' | 'value' | 'isEntry'> & { refusal?: Refusal }

/** Tells the screens what came of jobs. What one of them makes of it must not hold up the next. */
function createAnswerTellers<T, R>(onFault: (error: unknown) => void) {
  type Listener = (answers: readonly Answered<T, R>[]) => void
  const listeners = new Set<Listener>()
  return {
    add: (listener: Listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(answers: readonly Answered<T, R>[]): void {
      for (const listener of listeners) {
        try {
          listener(answers)
        } catch (error) {
          onFault(error)
        }
      }
    },
  }
}

/** What this page knows of the jobs, and whom it tells. */
function createView<T, R>({ store, page, tell, onFault }: OutboxOptions<T, R>) {
  const mirror = createMirror<T, R>(page)
  const tellers = createAnswerTellers<T, R>(onFault)

  function take(news: News<T, R>): void {
    const answers = mirror.apply(news)
    if (answers.length > 0) tellers.tell(answers)
  }

  return {
    mirror,
    tellers,
    take,
    publish: (news: News<T, R>): void => {
      take(news)
      tell(news)
    },
    load: async (): Promise<void> => {
      const kept = await store.load()
      // What cannot be read now is still what this page knows of it.
      if (kept !== null) mirror.load(kept.jobs, kept.stored)
      mirror.setStanding({ isDurable: store.isDurable() })
    },
  }
}

/** Does one thing at a time: rounds of work while they are wanted, or something else instead. */
function createRunner(round: () => Promise<void>, onFault: (error: unknown) => void) {
  const state = { isBusy: false, isWanted: false, isStopped: false }

  async function work(): Promise<void> {
    while (state.isWanted && !state.isStopped) {
      state.isWanted = false
      await round()
    }
  }

  function run(): void {
    state.isWanted = true
    if (!state.isBusy && !state.isStopped) occupy(work())
  }

  /** Keeps rounds from beginning until something is done. */
  function occupy(doing: Promise<unknown>): void {
    state.isBusy = true
    doing.catch(onFault).finally(() => {
      state.isBusy = false
      if (state.isWanted) run()
    })
  }

  return {
    run,
    occupy,
    /** A round once what is done now is over. */
    want: () => (state.isWanted = true),
    isFree: () => !state.isBusy && !state.isStopped,
    isStopped: () => state.isStopped,
    stop: () => (state.isStopped = true),
  }
}

type View<T, R> = ReturnType<typeof createView<T, R>>

/** What writes jobs and what sends them, and when. */
function createWork<T, R>(options: OutboxOptions<T, R>, { mirror, take, load }: View<T, R>) {
  const { store, onFault } = options
  const sender = createSender(options, {
    tellHere: take,
    setHeldUp: (isHeldUp) => mirror.setStanding({ isHeldUp }),
  })
  const runner = createRunner(async () => {
    await sender.sendAll(runner.isStopped)
    await load()
  }, onFault)
  const writer = createWriter<T>(options, (jobs) => {
    mirror.saved(jobs)
    mirror.setStanding({ isDurable: store.isDurable() })
    if (jobs.some(({ sent }) => !sent)) runner.run()
  })

  function wake(): void {
    sender.hurry()
    writer.done().then(runner.run).catch(onFault)
  }

  function keepAgain(): void {
    // Of what may be on its way nobody knows that it was never sent.
    for (const job of mirror.unsave()) writer.add({ ...job, sent: true })
    wake()
  }

  return { sender, runner, writer, wake, keepAgain }
}

/**
 * Sends an owner's jobs in order and keeps at it through a bad network, reloads and several tabs.
 * Nothing but the server's answer, or a person's decision on a refusal, takes a job out.
 */
export function createOutbox<T, R>(options: OutboxOptions<T, R>): Outbox<T, R> {
  const { store, owner, page, onFault } = options
  const view = createView(options)
  const { mirror, tellers, publish } = view
  const { sender, runner, writer, wake, keepAgain } = createWork(options, view)
  let isLoaded = false

  /** Whether a new job is the first in line, and worth sending. */
  const isNext = () => isLoaded && runner.isFree() && !mirror.hasWaiting() && options.isOnline()

  async function sendAtOnce(job: Job<T>): Promise<void> {
    if (!(await sender.sendAtOnce(job, writer.done))) runner.want()
  }

  function add(job: Job<T>): void {
    publish({ kind: 'added', jobs: [job] })
    writer.add(job)
  }

  const asJob = ({ refusal, ...job }: NewJob<T>): Job<T> => {
    const place = refusal === undefined ? 'waiting' : 'refused'
    return { ...job, owner, page, state: place, refusal: refusal ?? null, sent: false }
  }

  const stopHearing = options.hear(view.take)
  async function begin(): Promise<void> {
    await view.load()
    isLoaded = true
    runner.run()
  }
  const loading = begin().catch(onFault)
  setTimeout(() => void begin().catch(onFault), oldEnoughMs)

  return {
    whenLoaded: () => loading,
    getState: mirror.getState,
    subscribe: mirror.subscribe,
    onAnswers: tellers.add,
    add(newJob) {
      const job = asJob(newJob)
      // As what may be on its way: a page that ends may not say whether it was.
      const next = { ...job, sent: true }
      const isNoted = job.state === 'waiting' && store.note(next)
      if (isNoted && isNext()) {
        runner.occupy(sendAtOnce(next))
        add(next)
      } else add(job)
    },
    async replace(id, newJobs) {
      const jobs = newJobs.map(asJob)
      await writer.done()
      if (!(await store.replace(id, jobs))) return false
      publish({ kind: 'replaced', id, jobs })
      mirror.saved(jobs)
      runner.run()
      return true
    },
    keepAgain,
    wake,
    stop() {
      runner.stop()
      sender.hurry()
      stopHearing()
    },
  }
}
