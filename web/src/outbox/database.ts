import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import type { Job } from './store.ts'

export type ScanSchema = DBSchema & {
  jobs: {
    key: number
    value: Job<unknown>
    indexes: { id: string; line: [owner: string, state: string] }
  }
  /** How many entries of a group the server has stored. */
  tallies: { key: [owner: string, group: string]; value: number }
  /** What a count needs while the network is away, by owner and name. */
  kept: { key: [owner: string, name: string]; value: unknown }
}

export type ScanDatabase = IDBPDatabase<ScanSchema>

let opened: Promise<ScanDatabase> | undefined
const losses = new EventTarget()

/** This browser's own database; rejects where the browser allows none. Opened once. */
export async function openScanDatabase(): Promise<ScanDatabase> {
  opened ??= openDB<ScanSchema>('inventory-manager', 1, {
    upgrade(database) {
      const jobs = database.createObjectStore('jobs', { keyPath: 'seq', autoIncrement: true })
      jobs.createIndex('id', 'id', { unique: true })
      jobs.createIndex('line', ['owner', 'state'])
      database.createObjectStore('tallies')
      database.createObjectStore('kept')
    },
    // A newer version in another tab must not wait for this one.
    blocking: (_current, _blocked, event) => {
      if (event.target instanceof IDBDatabase) event.target.close()
      opened = undefined
    },
    terminated() {
      opened = undefined
      losses.dispatchEvent(new Event('loss'))
    },
  }).catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return await opened
}

/** Asks the browser not to clear what waits here by itself, when the disk is full or after days away (Storage Standard, 4). */
export function askToKeep(): void {
  // Pages without TLS have no such thing, nor do some browsers of handhelds; and whoever is asked may refuse.
  if ('storage' in navigator && 'persist' in navigator.storage) navigator.storage.persist().catch(reportError)
}

/** Calls when the browser has closed the database by itself, maybe for good and with all that was in it. */
export function watchLosses(watcher: () => void): () => void {
  losses.addEventListener('loss', watcher)
  return () => losses.removeEventListener('loss', watcher)
}

/** Keeps a value on this device for its owner. False where the browser has no room or allows none. */
export async function keep(key: [owner: string, name: string], value: unknown): Promise<boolean> {
  try {
    const database = await openScanDatabase()
    await database.put('kept', value, key)
    return true
  } catch (error) {
    if (error instanceof DOMException) return false
    throw error
  }
}

/** Forgets what was kept for anybody but one. Jobs stay: they are sent when their person signs in again. */
export async function forgetKeptOfOthers(owner: string): Promise<void> {
  try {
    const database = await openScanDatabase()
    const transaction = database.transaction('kept', 'readwrite')
    await Promise.all([
      transaction.store.delete(IDBKeyRange.upperBound([owner, ''], true)),
      transaction.store.delete(IDBKeyRange.lowerBound([owner, '\uFFFF'], true)),
      transaction.done,
    ])
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

/** What was kept under a name, or undefined. */
export async function findKept(key: [owner: string, name: string]): Promise<unknown> {
  try {
    const database = await openScanDatabase()
    return await database.get('kept', key)
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}
