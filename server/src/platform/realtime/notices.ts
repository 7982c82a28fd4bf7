import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Tells every node that a company has news; what the news are is read from the database. */
export type Notices = {
  changed: (tenantId: string) => void
  /** Calls the listener when a company has news, or may have had some while the connection was down. */
  subscribe: (tenantId: string, listener: () => void) => () => void
  close: () => Promise<void>
}

const channel = 'inventory_manager'
/** News of this long are told together: PostgreSQL lets only one transaction with a notice commit at a time. */
const gatherMs = 50
/** A notice holds at most 8,000 bytes. */
const tenantsPerNotice = 200
const retryMs = 1_000

/** Listens on one direct connection of its own, which is made again whenever it breaks. */
export function createNotices({ url, onError }: { url: string; onError: (error: Error) => void }): Notices {
  const listeners = new Map<string, Set<() => void>>()
  const pending = new Set<string>()
  let client: pg.Client | null = null
  let closed = false
  let timer: NodeJS.Timeout | null = null

  function tell(tenantIds: Iterable<string>): void {
    for (const tenantId of tenantIds) {
      for (const listener of listeners.get(tenantId) ?? []) listener()
    }
  }

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    fresh.on('error', onError)
    fresh.on('notification', ({ payload = '' }) => tell(payload.split(',')))
    const ended = new Promise<void>((resolve) => fresh.once('end', resolve))
    await fresh.connect()
    await fresh.query(`listen ${channel}`)
    client = fresh
    // Whatever was told while nobody listened is read now.
    tell(listeners.keys())
    await ended
    client = null
  }

  async function stayConnected(): Promise<void> {
    while (!closed) {
      try {
        await connect()
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)))
      }
      if (!closed) await sleep(retryMs, undefined, { ref: false })
    }
  }

  async function flush(): Promise<void> {
    timer = null
    const tenantIds = [...pending]
    pending.clear()
    if (client === null) return
    for (let start = 0; start < tenantIds.length; start += tenantsPerNotice) {
      const payload = tenantIds.slice(start, start + tenantsPerNotice).join(',')
      await client.query('select pg_notify($1, $2)', [channel, payload])
    }
  }

  const connection = stayConnected()
  return {
    changed(tenantId) {
      pending.add(tenantId)
      timer ??= setTimeout(() => void flush().catch(onError), gatherMs)
    },
    subscribe(tenantId, listener) {
      const own = listeners.get(tenantId) ?? new Set()
      listeners.set(tenantId, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0) listeners.delete(tenantId)
      }
    },
    async close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      await client?.end()
      await connection
    },
  }
}
