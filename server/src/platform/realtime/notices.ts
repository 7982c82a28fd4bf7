import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { heldAlive, programName } from '../db/pool.ts'

/** Tells every node that a company has news; what the news are is read from the database. */
export type Notices = {
  changed: (tenantId: string) => void
  /** Calls the listener with each company that this node says has news. */
  watch: (listener: (tenantId: string) => void) => () => void
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
/** How often the connection has to prove that it still hears, and how long it may take to; in ms. */
const proofEveryMs = 15_000
const answerMs = 5_000

type Listening = {
  /** The connection, or null while there is none. */
  client: () => pg.Client | null
  close: () => Promise<void>
}

/** Listens on one direct connection of its own, which is made again whenever it breaks. */
function keepListening(options: {
  url: string
  onError: (error: Error) => void
  onNotice: (payload: string) => void
  /** Called when listening begins: whatever was told before went unheard. */
  onConnected: () => void
}): Listening {
  const closing = new AbortController()
  const isClosing = () => closing.signal.aborted
  let client: pg.Client | null = null

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: options.url,
      application_name: programName,
      query_timeout: answerMs,
      ...heldAlive,
    })
    fresh.on('error', options.onError)
    fresh.on('notification', ({ payload = '' }) => options.onNotice(payload))
    const ended = new Promise<void>((resolve) => fresh.once('end', resolve))
    const connected = fresh.connect()
    // Ending a client that is still connecting leaves it waiting for ever.
    const stop = () => void connected.then(() => fresh.end()).catch(options.onError)
    closing.signal.addEventListener('abort', stop)
    // A network that swallows bytes never says that nothing will be heard any more.
    const prove = () => void fresh.query('select 1').catch(() => fresh.end().catch(options.onError))
    let proving: NodeJS.Timeout | undefined
    try {
      await connected
      await fresh.query(`listen ${channel}`).catch(async (error: unknown) => {
        await fresh.end()
        throw error
      })
      client = fresh
      options.onConnected()
      proving = setInterval(prove, proofEveryMs)
      await ended
    } finally {
      client = null
      clearInterval(proving)
      closing.signal.removeEventListener('abort', stop)
    }
  }

  async function stayConnected(): Promise<void> {
    while (!isClosing()) {
      try {
        await connect()
      } catch (error) {
        if (!isClosing()) options.onError(error instanceof Error ? error : new Error(String(error)))
      }
      if (!isClosing()) await sleep(retryMs, undefined, { ref: false })
    }
  }

  const connection = stayConnected()
  return {
    client: () => client,
    async close() {
      closing.abort()
      await connection
    },
  }
}

/** Notices between the nodes of a database, by PostgreSQL's LISTEN and NOTIFY. */
export function createNotices({ url, onError }: { url: string; onError: (error: Error) => void }): Notices {
  const listeners = new Map<string, Set<() => void>>()
  const watchers = new Set<(tenantId: string) => void>()
  const pending = new Set<string>()
  let timer: NodeJS.Timeout | null = null

  function tell(tenantIds: Iterable<string>): void {
    for (const tenantId of tenantIds) {
      for (const listener of listeners.get(tenantId) ?? []) listener()
    }
  }

  const listening = keepListening({
    url,
    onError,
    onNotice: (payload) => tell(payload.split(',')),
    onConnected() {
      tell(listeners.keys())
      flush().catch(onError)
    },
  })

  /** Tells what is pending; what cannot be told stays so, until there is a connection again. */
  async function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const client = listening.client()
    if (client === null) return
    const tenantIds = [...pending]
    pending.clear()
    for (let start = 0; start < tenantIds.length; start += tenantsPerNotice) {
      const payload = tenantIds.slice(start, start + tenantsPerNotice).join(',')
      try {
        await client.query('select pg_notify($1, $2)', [channel, payload])
      } catch (error) {
        for (const tenantId of tenantIds.slice(start)) pending.add(tenantId)
        throw error
      }
    }
  }

  return {
    changed(tenantId) {
      for (const watcher of watchers) watcher(tenantId)
      pending.add(tenantId)
      timer ??= setTimeout(() => void flush().catch(onError), gatherMs)
    },
    watch(listener) {
      watchers.add(listener)
      return () => void watchers.delete(listener)
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
      await flush().catch(onError)
      await listening.close()
    },
  }
}
