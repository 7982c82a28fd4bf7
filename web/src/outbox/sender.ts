import { ApiError, isAbort, isPassing } from '../api/api-error.ts'
import { createBlockedJobs, type BlockedJobs } from './blocked.ts'
import type { Answered, News } from './mirror.ts'
import type { OutboxOptions } from './options.ts'
import { mostTogether, type Job, type Refusal } from './store.ts'
import { createPause } from './pause.ts'

const firstPauseMs = 500
const longestPauseMs = 10_000
/** How long a browser that says it is offline is believed. */
const patienceMs = 2_000

function refusalOf(error: unknown, onFault: (error: unknown) => void): Refusal {
  if (error instanceof ApiError)
    return { code: error.code ?? `status_${error.status}`, message: error.message }
  onFault(error)
  return { code: 'failed', message: 'Something went wrong while sending this entry.' }
}

/** What came of sending: whether all that was sent got its answer, and whether anything is left to send. */
type Sent = { isAnswered: boolean; isAll: boolean }

const nothingSent: Sent = { isAnswered: false, isAll: false }

type Sender<T> = {
  sendAll: (isStopped: () => boolean) => Promise<void>
  /**
   * Sends a job that nothing waits before, while it is being written: the request is out when this returns. Once it is
   * answered and `written`, it is taken out; without an answer it is left to wait with the others.
   */
  sendAtOnce: (job: Job<T>, written: () => Promise<void>) => Promise<boolean>
  hurry: () => void
}

/** The first jobs in line that may be on their way together: each in a lane of its own. */
function together<T>(
  waiting: readonly Job<T>[],
  { laneOf, width }: { laneOf: (job: Job<T>) => string | null; width: number },
): readonly Job<T>[] {
  const lanes = new Set<string>()
  for (const job of waiting.slice(0, width)) {
    const lane = laneOf(job)
    if (lane === null || lanes.has(lane)) break
    lanes.add(lane)
  }
  return waiting.slice(0, Math.max(1, lanes.size))
}

/** Why a job that failed is not sent again by itself; null where no answer came. */
async function refusalFor<T>(
  job: Job<T>,
  error: unknown,
  { blocked, onFault }: { blocked: BlockedJobs<T>; onFault: (error: unknown) => void },
): Promise<Refusal | null> {
  // Browsers give up themselves what a page waits for that is being left.
  if (isPassing(error) || isAbort(error)) return await blocked.refusalOf(job, error)
  return refusalOf(error, onFault)
}

/** Sends jobs, and says what came of each; null where no answer came. */
function createAsking<T, R>(options: OutboxOptions<T, R>) {
  const { send, storedEntries, isKept, onFault } = options
  const blocked = createBlockedJobs(options)
  return async (job: Job<T>): Promise<Answered<T, R> | null> => {
    try {
      const reply = await send(job)
      return { job, answer: { reply }, storedEntries: storedEntries(job, reply), isKept: false }
    } catch (error) {
      const refusal = await refusalFor(job, error, { blocked, onFault })
      if (refusal === null) return null
      return { job, answer: { refusal }, storedEntries: 0, isKept: isKept(job, refusal) }
    }
  }
}

/** The answers before the first that is missing. */
function inLine<A>(answers: readonly (A | null)[]): A[] {
  const missing = answers.indexOf(null)
  return answers.slice(0, missing === -1 ? answers.length : missing).filter((answer) => answer !== null)
}

/** What this page is told: the answers, and whether the network holds everything up. */
type Screens<T, R> = {
  tellHere: (news: News<T, R>) => void
  setHeldUp: (isHeldUp: boolean) => void
}

/** Takes answers: tells the person here, and then the store and other tabs. */
function createTaker<T, R>(options: OutboxOptions<T, R>, { tellHere }: Screens<T, R>) {
  return {
    /** The person here hears it first: where the page ends before the browser has kept it, the same answer comes again. */
    tell: (answers: readonly Answered<T, R>[]): void => tellHere({ kind: 'answered', answers }),
    /** Other tabs hear it when the store knows it too, so that what they load and what they hear agree. */
    settle: async (answers: readonly Answered<T, R>[]): Promise<void> => {
      await options.store.settle(
        answers.map(({ job, answer, storedEntries, isKept }) => ({
          job,
          storedEntries,
          refusal: 'refusal' in answer && isKept ? answer.refusal : null,
        })),
      )
      options.tell({ kind: 'answered', answers })
    },
  }
}

/**
 * Sends what the store holds, in order: one job until a first answer shows that the network is good, then several at
 * once. Results come back in order: behind a missing answer nothing is taken, and all is sent again under its key.
 */
export function createSender<T, R>(options: OutboxOptions<T, R>, screens: Screens<T, R>): Sender<T> {
  const { store, laneOf } = options
  const { tell, settle } = createTaker(options, screens)
  const answerFor = createAsking(options)
  let width = 1
  const pause = createPause()
  // Without any network but this machine's own, browsers call themselves offline, and the server may run here.
  let isBrowserWrong = false

  async function sendSome(): Promise<Sent> {
    const { jobs, isAll } = await store.claim((waiting) => together(waiting, { laneOf, width }))
    if (jobs.length === 0) return { isAnswered: false, isAll: true }
    const answered = inLine(await Promise.all(jobs.map(answerFor)))
    if (answered.length > 0) {
      tell(answered)
      await settle(answered)
    }
    const isAnswered = answered.length === jobs.length
    width = isAnswered ? Math.min(width * 2, mostTogether) : 1
    return { isAnswered, isAll: isAll && isAnswered }
  }

  /** Sends some where that is worth trying. */
  async function attempt(isPatient: boolean): Promise<Sent> {
    const isWorthTrying = options.isOnline() || isBrowserWrong || !isPatient
    const sent = isWorthTrying ? await options.takeTurn(sendSome) : nothingSent
    if (sent.isAnswered) isBrowserWrong = !options.isOnline()
    screens.setHeldUp(!sent.isAnswered && !sent.isAll)
    return sent
  }

  return {
    async sendAll(isStopped) {
      let pauseMs = firstPauseMs
      while (!isStopped()) {
        const { isAnswered, isAll } = await attempt(pauseMs <= patienceMs)
        if (isAll) return
        if (!isAnswered && !isStopped()) await pause.for(pauseMs)
        pauseMs = isAnswered ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs)
      }
    },
    async sendAtOnce(job, written) {
      const answering = answerFor(job).then((answer) => {
        const answered = answer === null ? [] : [answer]
        screens.setHeldUp(answer === null)
        if (answer !== null) tell(answered)
        return answered
      })
      const isAnswered = await options.takeTurn(async () => {
        const answered = await answering
        await written()
        if (answered.length > 0) await settle(answered)
        return answered.length > 0
      })
      if (!isAnswered) {
        width = 1
        await pause.for(firstPauseMs)
      }
      return isAnswered
    },
    hurry: () => pause.end(),
  }
}

type Writer<T> = { add: (job: Job<T>) => void; done: () => Promise<void> }

/** Writes what came in since the last write, together and in order: a burst is a few writes, not hundreds. */
export function createWriter<T>(
  { store, onFault }: Pick<OutboxOptions<T, never>, 'store' | 'onFault'>,
  onWritten: (jobs: Job<T>[]) => void,
): Writer<T> {
  let unwritten: Job<T>[] = []
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    while (unwritten.length > 0) {
      const jobs = unwritten
      unwritten = []
      try {
        await store.add(jobs)
        onWritten(jobs)
      } catch (error) {
        unwritten = [...jobs, ...unwritten]
        throw error
      }
    }
  }

  function start(): void {
    writing ??= write()
      .catch(onFault)
      .finally(() => (writing = null))
  }

  return {
    add(job) {
      unwritten.push(job)
      start()
    },
    async done() {
      if (unwritten.length > 0) start()
      if (writing !== null) await writing
    },
  }
}
