import { openScanDatabase } from './database.ts'
import type { Job, OutboxStore } from './outbox-store.ts'

/** Written through to the disk: a handheld's battery may be pulled. */
const safely = { durability: 'strict' } as const

type Reader<T> = (stored: Job<unknown> | undefined) => Job<T> | undefined

const allOf = (owner: string) => IDBKeyRange.bound([owner, ''], [owner, '\uFFFF'])

async function load<T>(owner: string, asJob: Reader<T>) {
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

async function add(jobs: readonly Job<unknown>[]): Promise<void> {
  const database = await openScanDatabase()
  const transaction = database.transaction('jobs', 'readwrite', safely)
  await Promise.all([...jobs.map((job) => transaction.store.add(job)), transaction.done])
}

async function claim<T>(owner: string, asJob: Reader<T>): Promise<Job<T> | undefined> {
  const database = await openScanDatabase()
  const transaction = database.transaction('jobs', 'readwrite')
  let cursor = await transaction.store.index('line').openCursor([owner, 'waiting'])
  // What another version has left must not hold up the rest.
  while (cursor !== null && asJob(cursor.value) === undefined) cursor = await cursor.continue()
  if (cursor !== null && !cursor.value.sent) await cursor.update({ ...cursor.value, sent: true })
  const job = asJob(cursor?.value)
  await transaction.done
  return job
}

async function settle({ id, owner, group }: Job<unknown>, storedEntries: number): Promise<boolean> {
  const database = await openScanDatabase()
  const transaction = database.transaction(['jobs', 'tallies'], 'readwrite')
  const jobs = transaction.objectStore('jobs')
  const key = await jobs.index('id').getKey(id)
  if (key !== undefined) {
    const tallies = transaction.objectStore('tallies')
    const before = (await tallies.get([owner, group])) ?? 0
    await tallies.put(before + storedEntries, [owner, group])
    await jobs.delete(key)
  }
  await transaction.done
  return key !== undefined
}

async function refuse({ id }: Job<unknown>, refusal: Job<unknown>['refusal']): Promise<boolean> {
  const database = await openScanDatabase()
  const transaction = database.transaction('jobs', 'readwrite', safely)
  const held = await transaction.store.index('id').get(id)
  if (held !== undefined) await transaction.store.put({ ...held, state: 'refused', refusal })
  await transaction.done
  return held !== undefined
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
    claim: () => claim(owner, asJob),
    add,
    settle,
    refuse,
    replace,
  }
}
