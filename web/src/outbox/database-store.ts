import type { IDBPTransaction } from 'idb'
import { openScanDatabase, type ScanSchema } from './database.ts'
import { findLostJobs, forgetNotes, noteJob } from './note.ts'
import { mostTogether, type Choose, type Claim, type Job, type Outcome, type OutboxStore } from './store.ts'

/** Written through to the disk: a handheld's battery may be pulled. */
const safely = { durability: 'strict' } as const

type Reader<T> = (stored: Job<unknown> | undefined) => Job<T> | undefined

const allOf = (owner: string) => IDBKeyRange.bound([owner, ''], [owner, '\uFFFF'])

async function add(jobs: readonly (Job<unknown> & { seq?: number })[]): Promise<void> {
  const database = await openScanDatabase()
  const transaction = database.transaction('jobs', 'readwrite', safely)
  const addMissing = async () => {
    // A place in the line is given anew: that of a job from a database that is lost may be another's.
    for (const { seq: _, ...job } of jobs) {
      if ((await transaction.store.index('id').getKey(job.id)) === undefined) await transaction.store.add(job)
    }
  }
  await Promise.all([addMissing(), transaction.done])
  forgetNotes(jobs.map(({ id }) => id))
}

/** Takes in what a page noted and could not write any more. Where there is no room it stays noted, and holds nothing up. */
async function takeLostJobs(owner: string): Promise<void> {
  const lost = findLostJobs(owner)
  if (lost.length === 0) return
  try {
    await add(lost)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

async function load<T>(owner: string, asJob: Reader<T>) {
  await takeLostJobs(owner)
  const database = await openScanDatabase()
  const transaction = database.transaction(['jobs', 'tallies'])
  const tallies = transaction.objectStore('tallies')
  const found = await transaction.objectStore('jobs').index('line').getAll(allOf(owner))
  const keys = await tallies.getAllKeys(allOf(owner))
  const counts = await tallies.getAll(allOf(owner))
  return {
    jobs: found.map(asJob).filter((job) => job !== undefined),
    stored: new Map(keys.map(([, group], index) => [group, counts[index] ?? 0])),
  }
}

async function claim<T>(owner: string, asJob: Reader<T>, choose: Choose<T>): Promise<Claim<T>> {
  const database = await openScanDatabase()
  const transaction = database.transaction('jobs', 'readwrite')
  const line = transaction.store.index('line')
  const asJobs = (found: Job<unknown>[]) => found.map(asJob).filter((job) => job !== undefined)
  // One more than can be chosen tells whether anything is left.
  const found = await line.getAll([owner, 'waiting'], mostTogether + 1)
  let readable = asJobs(found)
  // What another version has left, or is passed over, must not hold up the rest.
  if (readable.length < found.length) readable = asJobs(await line.getAll([owner, 'waiting']))
  const jobs = choose(readable.slice(0, mostTogether))
  const fresh = jobs.filter(({ sent }) => !sent)
  await Promise.all(fresh.map((job) => transaction.store.put({ ...job, sent: true })))
  await transaction.done
  return { jobs, isAll: jobs.length === readable.length }
}

type Transaction = IDBPTransaction<ScanSchema, ('jobs' | 'tallies')[], 'readwrite'>

/** Adds to the stored entries of each group what its outcomes add. */
async function addToTallies(transaction: Transaction, outcomes: readonly Outcome<unknown>[]): Promise<void> {
  const tallies = transaction.objectStore('tallies')
  for (const { job, storedEntries } of outcomes) {
    const key: [string, string] = [job.owner, job.group]
    await tallies.put(((await tallies.get(key)) ?? 0) + storedEntries, key)
  }
}

/** Does to one job what its outcome says; false where the job was out already. */
async function settleOne(transaction: Transaction, { job, refusal }: Outcome<unknown>): Promise<boolean> {
  const jobs = transaction.objectStore('jobs')
  const key = await jobs.index('id').getKey(job.id)
  if (key === undefined) return false
  const held = refusal === null ? undefined : await jobs.get(key)
  if (held === undefined) await jobs.delete(key)
  else await jobs.put({ ...held, state: 'refused', refusal })
  return true
}

async function settle(outcomes: readonly Outcome<unknown>[]): Promise<ReadonlySet<string>> {
  const database = await openScanDatabase()
  // What was stored is sent again where the disk did not keep that; the same key changes nothing twice.
  const options = outcomes.some(({ refusal }) => refusal !== null) ? safely : undefined
  const transaction = database.transaction(['jobs', 'tallies'], 'readwrite', options)
  const wasIn = await Promise.all(outcomes.map((outcome) => settleOne(transaction, outcome)))
  const settled = outcomes.filter((_, index) => wasIn[index] === true)
  await addToTallies(
    transaction,
    settled.filter(({ refusal, storedEntries }) => refusal === null && storedEntries !== 0),
  )
  await transaction.done
  return new Set(settled.map(({ job }) => job.id))
}

async function replace(id: string, others: readonly Job<unknown>[]): Promise<boolean> {
  const database = await openScanDatabase()
  const transaction = database.transaction('jobs', 'readwrite', safely)
  const held = await transaction.store.index('id').get(id)
  const key = await transaction.store.index('id').getKey(id)
  const isFree = held !== undefined && (held.state === 'refused' || !held.sent)
  if (isFree && key !== undefined) {
    await transaction.store.delete(key)
    await Promise.all(others.map((job) => transaction.store.add(job)))
  }
  await transaction.done
  return isFree
}

/** Keeps an owner's jobs in the browser's database, shared by all tabs. Every change is one transaction. */
export function createDatabaseStore<T>(owner: string, read: (value: unknown) => T | null): OutboxStore<T> {
  /** A stored job, or undefined for one that this version cannot read: it stays where it is. */
  const asJob: Reader<T> = (stored) => {
    const value = stored === undefined ? null : read(stored.value)
    return stored === undefined || value === null ? undefined : { ...stored, value }
  }
  return {
    load: () => load(owner, asJob),
    note: noteJob,
    forget: forgetNotes,
    claim: (choose, passedOver) =>
      claim(
        owner,
        (stored) => (stored !== undefined && passedOver?.has(stored.id) === true ? undefined : asJob(stored)),
        choose,
      ),
    add,
    settle,
    replace,
  }
}
