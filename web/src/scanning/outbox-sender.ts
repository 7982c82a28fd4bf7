import { ApiError, isPassing } from '../api/api-error.ts'
import type { Answer, News } from './outbox-mirror.ts'
import type { OutboxOptions } from './outbox-options.ts'
import type { Job, Refusal } from './outbox-store.ts'
import { createRest } from './rest.ts'

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

type Sent = 'answered' | 'nothing waits' | 'no answer'

type Sender = { sendAll: (isStopped: () => boolean) => Promise<void>; hurry: () => void }

/** Sends what the store holds, the first in line until there is an answer for it, then the next. */
export function createSender<T, R>(
  options: OutboxOptions<T, R>,
  publish: (news: News<T, R>) => void,
): Sender {
  const { store, onFault } = options
  const answeredIds = new Set<string>()
  const rest = createRest()
  // Without any network but this machine's own, browsers call themselves offline, and the server may run here.
  let isBrowserWrong = false

  async function take(job: Job<T>, answer: Answer<R>): Promise<Sent> {
    // Answered before, but the browser could not take it out: not again at once.
    if (answeredIds.has(job.id)) return 'no answer'
    answeredIds.add(job.id)
    const isKept = 'refusal' in answer && options.isKept(job)
    const storedEntries = 'reply' in answer ? options.storedEntries(job) : 0
    const isNews =
      'refusal' in answer && isKept
        ? await store.refuse(job, answer.refusal)
        : await store.settle(job, storedEntries)
    if (isNews) publish({ kind: 'answered', job, answer, storedEntries, isKept })
    return 'answered'
  }

  async function answerFor(job: Job<T>): Promise<Answer<R> | null> {
    try {
      return { reply: await options.send(job) }
    } catch (error) {
      return isPassing(error) ? null : { refusal: refusalOf(error, onFault) }
    }
  }

  async function sendFirst(): Promise<Sent> {
    const job = await store.claim()
    if (job === undefined) return 'nothing waits'
    const answer = await answerFor(job)
    return answer === null ? 'no answer' : await take(job, answer)
  }

  return {
    async sendAll(isStopped) {
      let pauseMs = firstPauseMs
      while (!isStopped()) {
        const isWorthTrying = options.isOnline() || isBrowserWrong || pauseMs > patienceMs
        const sent = isWorthTrying ? await options.takeTurn(sendFirst) : 'no answer'
        if (sent === 'nothing waits') return
        if (sent === 'answered') isBrowserWrong = !options.isOnline()
        if (sent === 'no answer' && !isStopped()) await rest.for(pauseMs)
        pauseMs = sent === 'answered' ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs)
      }
    },
    hurry: () => rest.end(),
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
