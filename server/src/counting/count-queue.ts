import { isLockTimeout, sqlState } from '../platform/db/errors.ts'
import type { Claims } from '../platform/http/identity.ts'
import type { CountOutcome, CountRequest } from './queries.ts'

type Waiting = {
  claims: Claims
  count: CountRequest
  since: number
  /** Set after a transaction with others failed: by itself it finds out whose error that was. */
  alone: boolean
  resolve: (outcome: CountOutcome) => void
  reject: (reason: unknown) => void
}

/** Records counts in one transaction and gives an outcome for each; after an error none is recorded. */
type RecordTogether = (counts: readonly { claims: Claims; count: CountRequest }[]) => Promise<CountOutcome[]>

/** Records a count in turn; rejects with the error of this count alone. */
export type CountQueue = (claims: Claims, count: CountRequest) => Promise<CountOutcome>

/** Transactions of this node at a time. One company's counts are never in two of them: they would wait for each other. */
const lanes = 2
/** Only behind one that takes longer than this does a second begin: what waits costs less the more goes together. */
const promptMs = 25
/** So many counts take about 10 ms. */
const mostTogether = 48
/** How long a company rests whose rows somebody else has locked, and for how long its counts are tried again. */
const restMs = 300
const patienceMs = 10_000

/** Whose turn it is: the counts of one transaction, in the order they came. */
function takeTurn(
  waiting: readonly Waiting[],
  isHeldUp: (tenantId: string) => boolean,
): { taken: Waiting[]; left: Waiting[] } {
  const taken: Waiting[] = []
  const left: Waiting[] = []
  for (const one of waiting) {
    const [first] = taken
    const fits = first === undefined || (!first.alone && !one.alone && taken.length < mostTogether)
    if (fits && !isHeldUp(one.claims.tenantId)) taken.push(one)
    else left.push(one)
  }
  return { taken, left }
}

/** Whether the newest transaction has only just begun; `onLong` is called when it has not ended in time. */
function createPromptness(onLong: () => void) {
  let timer: NodeJS.Timeout | null = null

  /** Another one is the newest now; what comes back is called when it ends. */
  function begin(): () => void {
    if (timer !== null) clearTimeout(timer)
    const own = setTimeout(() => {
      timer = null
      onLong()
    }, promptMs)
    timer = own
    return () => {
      if (timer !== own) return
      clearTimeout(own)
      timer = null
    }
  }

  return { begin, isPrompt: () => timer !== null }
}

/**
 * Takes counts that wait at the same moment into one transaction: one commit, and no wait for each other's rows. Each
 * is acknowledged after the commit, with its own outcome. When the transaction fails, each of its counts is tried
 * alone, so that an error touches nobody but its own count; a company whose rows somebody else has locked rests, and
 * the others go on (docs/decisions/014-counts-together.md).
 */
export function createCountQueue(record: RecordTogether): CountQueue {
  let waiting: Waiting[] = []
  let running = 0
  const newest = createPromptness(() => startTurns())
  const busy = new Set<string>()
  const resting = new Set<string>()
  const isHeldUp = (tenantId: string) => busy.has(tenantId) || resting.has(tenantId)

  function rest(tenantId: string): void {
    resting.add(tenantId)
    setTimeout(() => {
      resting.delete(tenantId)
      startTurns()
    }, restMs)
  }

  function putBack(turn: readonly Waiting[], error: unknown): void {
    const [first] = turn
    if (sqlState(error) === null) {
      // Nobody's own error: the database is away, and trying each alone would only make all wait.
      for (const { reject } of turn) reject(error)
    } else if (turn.length > 1) {
      waiting.unshift(...turn.map((one) => ({ ...one, alone: true })))
    } else if (first !== undefined && isLockTimeout(error) && performance.now() < first.since + patienceMs) {
      rest(first.claims.tenantId)
      waiting.unshift({ ...first, alone: true })
    } else {
      first?.reject(error)
    }
  }

  async function run(turn: readonly Waiting[]): Promise<void> {
    const end = newest.begin()
    const tenants = new Set(turn.map(({ claims }) => claims.tenantId))
    for (const tenant of tenants) busy.add(tenant)
    const outcomes = await record(turn).catch((error: unknown) => {
      putBack(turn, error)
      return []
    })
    for (const tenant of tenants) busy.delete(tenant)
    running -= 1
    end()
    // Before these are answered, so that the database has the next while they are.
    startTurns()
    for (const [index, outcome] of outcomes.entries()) turn[index]?.resolve(outcome)
  }

  function startTurns(): void {
    while (waiting.length > 0 && (running === 0 || (running < lanes && !newest.isPrompt()))) {
      const { taken, left } = takeTurn(waiting, isHeldUp)
      if (taken.length === 0) return
      waiting = left
      running += 1
      run(taken).catch((error: unknown) => putBack(taken, error))
    }
  }

  return (claims, count) =>
    new Promise((resolve, reject) => {
      waiting.push({ claims, count, since: performance.now(), alone: false, resolve, reject })
      // Requests that were read from the network together are taken together.
      setImmediate(startTurns)
    })
}
