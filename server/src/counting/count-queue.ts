import { isLockTimeout, sqlState } from '../platform/db/errors.ts'
import type { Claims } from '../platform/http/identity.ts'
import type { CountOutcome, CountRequest } from './queries.ts'

type Waiting = {
  claims: Claims
  count: CountRequest
  since: number
  /** Whether what moved since its scan is looked through, which may take long. */
  isLate: boolean
  /** Set after a transaction with others of its company failed: by itself it finds out whose error that was. */
  alone: boolean
  resolve: (outcome: CountOutcome) => void
  reject: (reason: unknown) => void
}

/** As old as that a count is of its moment, by the clock that says so: what moved since is taken from the stock. */
const lateMs = 120_000

const isLate = ({ at, sentAt }: CountRequest) => (sentAt?.getTime() ?? Date.now()) - at.getTime() > lateMs

/** Records counts in one transaction and gives an outcome for each; after an error none is recorded. */
type RecordTogether = (counts: readonly { claims: Claims; count: CountRequest }[]) => Promise<CountOutcome[]>

/** Records a count in turn; rejects with the error of this count alone. */
export type CountQueue = (claims: Claims, count: CountRequest) => Promise<CountOutcome>

/** Transactions of this node at a time. One company's counts are never in two of them: they would wait for each other. */
const lanes = 2
/** More transactions, each of one company: however long these take or wait for a lock, nobody else waits with them. */
const lanesApart = 3
/** Only behind one that takes longer than this does another begin: what waits costs less the more goes together. */
const promptMs = 25
/** So many counts take about 10 ms. */
const mostTogether = 48
/** How long a company rests whose rows somebody else has locked, and for how long its counts are tried again. */
const restMs = 300
const patienceMs = 10_000

type Turn = { taken: Waiting[]; left: Waiting[] }

/** The counts of one transaction, in the order they came: `mostTogether` at most, of those that may go. */
function take(waiting: readonly Waiting[], mayGo: (one: Waiting) => boolean): Turn {
  const taken: Waiting[] = []
  const left: Waiting[] = []
  for (const one of waiting) {
    if (taken.length < mostTogether && mayGo(one)) taken.push(one)
    else left.push(one)
  }
  return { taken, left }
}

/** Those of companies that may go with others, up to the first of each that is late. */
function takeTogether(waiting: readonly Waiting[], mayGo: (tenantId: string) => boolean): Turn {
  const stopped = new Set<string>()
  return take(waiting, ({ claims, isLate }) => {
    if (isLate) stopped.add(claims.tenantId)
    return !stopped.has(claims.tenantId) && mayGo(claims.tenantId)
  })
}

/** Those of one company, the first that may go; what is tried alone is one count. */
function takeApart(waiting: readonly Waiting[], mayGo: (one: Waiting) => boolean): Turn {
  const first = waiting.find(mayGo)
  if (first === undefined) return { taken: [], left: [...waiting] }
  if (first.alone) return { taken: [first], left: waiting.filter((one) => one !== first) }
  return take(waiting, ({ claims }) => claims.tenantId === first.claims.tenantId)
}

/** Transactions of a kind, so many at a time; `onLong` is called when the newest has not ended in time. */
function createLanes(most: number, onLong: () => void) {
  let running = 0
  let timer: NodeJS.Timeout | null = null

  /** Another one is the newest now; what comes back is called when it ends. */
  function begin(): () => void {
    running += 1
    if (timer !== null) clearTimeout(timer)
    const own = setTimeout(() => {
      timer = null
      onLong()
    }, promptMs)
    timer = own
    return () => {
      running -= 1
      if (timer !== own) return
      clearTimeout(own)
      timer = null
    }
  }

  return { begin, isFree: () => running === 0 || (running < most && timer === null) }
}

type Lanes = ReturnType<typeof createLanes>

/** Which companies may go, and whether with others; `onRested` is called when one may go again. */
function createCompanies(onRested: () => void) {
  const busy = new Set<string>()
  const resting = new Set<string>()
  const apart = new Set<string>()
  const mayGo = (tenantId: string) => !busy.has(tenantId) && !resting.has(tenantId)

  function rest(tenantId: string): void {
    resting.add(tenantId)
    setTimeout(() => {
      resting.delete(tenantId)
      onRested()
    }, restMs)
  }

  /** Those of which something was recorded go with others again, unless another of their counts has to be tried alone. */
  function endTrial(tenants: ReadonlySet<string>, waiting: readonly Waiting[]): void {
    if (apart.size === 0) return
    const inDoubt = waiting.filter(({ alone }) => alone).map(({ claims }) => claims.tenantId)
    for (const tenant of tenants) if (!inDoubt.includes(tenant)) apart.delete(tenant)
  }

  return {
    busy,
    apart,
    rest,
    endTrial,
    mayGoTogether: (tenantId: string) => mayGo(tenantId) && !apart.has(tenantId),
    mayGoApart: ({ claims: { tenantId }, isLate }: Waiting) =>
      (isLate || apart.has(tenantId)) && mayGo(tenantId),
  }
}

/** What is done with the counts, of one company or of several, of a transaction that failed. */
function afterError(
  turn: readonly Waiting[],
  isOfOne: boolean,
  error: unknown,
): 'try apart' | 'rest' | 'give up' {
  const [first] = turn
  // Nobody's own error: the database is away, and trying each would only make all wait.
  if (first === undefined || sqlState(error) === null) return 'give up'
  const mayPass = isOfOne && isLockTimeout(error)
  if (turn.length === 1 && !(mayPass && performance.now() < first.since + patienceMs)) return 'give up'
  return mayPass ? 'rest' : 'try apart'
}

/**
 * Takes counts that wait at the same moment into one transaction: one commit, and no wait for each other's rows. Each
 * is acknowledged after the commit, with its own outcome. When the transaction fails, each of its companies is tried
 * apart from the others, and where that fails, too, each of its counts alone, so that an error touches nobody but its own
 * count. A company whose rows somebody else has locked rests, and is tried apart until its counts are through; so are
 * late counts, which may take long (docs/decisions/014-counts-together.md).
 */
export function createCountQueue(record: RecordTogether): CountQueue {
  let waiting: Waiting[] = []
  const together = createLanes(lanes, () => startTurns())
  const byThemselves = createLanes(lanesApart, () => startTurns())
  const companies = createCompanies(() => startTurns())
  const { busy, apart } = companies

  function fail(turn: readonly Waiting[], tenants: ReadonlySet<string>, error: unknown): void {
    const isOfOne = tenants.size === 1
    const next = afterError(turn, isOfOne, error)
    if (next === 'give up') {
      for (const { reject } of turn) reject(error)
      return
    }
    for (const tenant of tenants) {
      apart.add(tenant)
      if (next === 'rest') companies.rest(tenant)
    }
    waiting.unshift(...turn.map((one) => ({ ...one, alone: isOfOne })))
  }

  async function run(turn: readonly Waiting[], begin: () => () => void): Promise<void> {
    const end = begin()
    const tenants = new Set(turn.map(({ claims }) => claims.tenantId))
    for (const tenant of tenants) busy.add(tenant)
    const outcomes = await record(turn).then(
      (recorded) => {
        companies.endTrial(tenants, waiting)
        return recorded
      },
      (error: unknown) => {
        fail(turn, tenants, error)
        return []
      },
    )
    for (const tenant of tenants) busy.delete(tenant)
    end()
    // Before these are answered, so that the database has the next while they are.
    startTurns()
    for (const [index, outcome] of outcomes.entries()) turn[index]?.resolve(outcome)
  }

  function startIn({ begin, isFree }: Lanes, take: (waiting: readonly Waiting[]) => Turn): void {
    while (waiting.length > 0 && isFree()) {
      const { taken, left } = take(waiting)
      if (taken.length === 0) return
      waiting = left
      run(taken, begin).catch((error: unknown) => {
        for (const { reject } of taken) reject(error)
      })
    }
  }

  function startTurns(): void {
    startIn(together, (all) => takeTogether(all, companies.mayGoTogether))
    if (waiting.length > 0) startIn(byThemselves, (all) => takeApart(all, companies.mayGoApart))
  }

  return (claims, count) =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      waiting.push({ claims, count, since, isLate: isLate(count), alone: false, resolve, reject })
      // Requests that were read from the network together are taken together.
      setImmediate(startTurns)
    })
}
