import { createMemoryStore, type OutboxStore } from './outbox-store.ts'

/** Whether the browser refuses to keep something: private mode, a full disk, a database that is gone. */
function isStorageTrouble(error: unknown): boolean {
  return error instanceof DOMException || typeof indexedDB === 'undefined'
}

/** A store that may lose its place on the disk, and then says so. */
export type SafeStore<T> = OutboxStore<T> & { isDurable: () => boolean }

/** Keeps jobs in the given store, and in the page's memory what that one does not take. */
export function createSafeStore<T>(durable: OutboxStore<T>): SafeStore<T> {
  const memory = createMemoryStore<T>()
  let isDurable = true

  async function attempt<V>(work: () => Promise<V>, otherwise: () => Promise<V>): Promise<V> {
    try {
      return await work()
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
      isDurable = false
      return await otherwise()
    }
  }

  return {
    isDurable: () => isDurable,
    async load() {
      const inMemory = await memory.load()
      const kept = await attempt(
        () => durable.load(),
        async () => ({ jobs: [], stored: new Map<string, number>() }),
      )
      const stored = new Map(kept.stored)
      for (const [group, count] of inMemory.stored) stored.set(group, (stored.get(group) ?? 0) + count)
      return { jobs: [...kept.jobs, ...inMemory.jobs], stored }
    },
    note: (job) => isDurable && durable.note(job),
    add: (jobs) =>
      attempt(
        () => durable.add(jobs),
        () => memory.add(jobs),
      ),
    async claim(choose) {
      const kept = await attempt(
        () => durable.claim(choose),
        async () => ({ jobs: [], isAll: true }),
      )
      const inMemory = await memory.load()
      if (kept.jobs.length > 0) return { ...kept, isAll: kept.isAll && inMemory.jobs.length === 0 }
      return await memory.claim(choose)
    },
    async settle(outcomes) {
      const inMemory = await memory.settle(outcomes)
      const others = outcomes.filter(({ job }) => !inMemory.has(job.id))
      if (others.length === 0) return inMemory
      const kept = await attempt(
        () => durable.settle(others),
        async () => new Set(others.map(({ job }) => job.id)),
      )
      return new Set([...inMemory, ...kept])
    },
    async replace(id, jobs) {
      if (await memory.replace(id, jobs)) return true
      return await attempt(
        () => durable.replace(id, jobs),
        async () => false,
      )
    },
  }
}
