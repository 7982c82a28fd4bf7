import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { isBehindFault } from './errors.ts'

// Calendar days stay the text they are; as Date objects they would shift with this process's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

const maxNames = 2000
/** Longer texts name each value of a list, so there is one for each length: every connection would keep all of them. */
const longestNamed = 8_000
const names = new Map<string, string>()
let namesGiven = 0

/** A name for a statement's text, so that each connection plans it once (unnamed runs at half the speed). */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= maxNames || text.length > longestNamed) return undefined
  const name = `s${namesGiven}`
  namesGiven += 1
  names.set(text, name)
  return name
}

/**
 * Has every connection plan every statement once more: by the names they had, the database refuses for ever those whose
 * columns a newer node's migration has changed.
 */
export function forgetNames(): void {
  names.clear()
}

type Statement = { text: string; values: unknown[]; name?: string; query_timeout?: number }

/**
 * How long an answer may take, in ms, before its connection counts as dead and is replaced: a network that swallows
 * bytes never says so. Longer than the database lets a statement run, so that a slow one is ended there.
 */
export const patience = {
  statement: 35_000,
  /** Statements after `allowingMinutes`. */
  longStatement: 310_000,
  /** What the database answers without any work: the first that is sent on a connection that lay idle. */
  beginning: 5_000,
  /** The functions that are one request each, such as a count, which is sent again where no answer came. */
  oneFunction: 8_000,
}

/** Lets statements of a transaction run for minutes, here and in the database. */
export const allowingMinutes = "set local statement_timeout = '5min'"

/**
 * Lets whoever reads on be slow, but not away. What was read is given away before the end and cannot be read once more, so
 * the statements that follow get no names: a plan from before a migration cannot fail them.
 */
export const readingOn = "set local idle_in_transaction_session_timeout = '2min'"

/** How Kysely begins a transaction that may not write. */
const beginningToRead = 'start transaction isolation level repeatable read read only'
const ends: ReadonlySet<string> = new Set(['commit', 'rollback'])
const beginnings = /^(begin|start transaction|set |select set_config)/i

function patienceWith(text: string, allowsMinutes: boolean): number {
  if (beginnings.test(text)) return patience.beginning
  return allowsMinutes ? patience.longStatement : patience.statement
}

/** Whether an answer did not come in time; pg has no code for it. */
const isSilence = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** Names statements, or leaves them unnamed for poolers that hand a connection to somebody else after each transaction. */
export type StatementMaker = (text: string, values: readonly unknown[]) => Statement

export const namedStatement: StatementMaker = (text, values) => {
  const name = nameOf(text)
  return { text, values: [...values], ...(name === undefined ? {} : { name }) }
}

export const plainStatement: StatementMaker = (text, values) => ({ text, values: [...values] })

/** What the database calls this program's connections. */
export const programName = 'inventory-manager'
/** Those of a backup or a restore, which are no running program. */
export const backupName = 'inventory-manager backup'

/** What every connection needs: not to wait for ever for a host that is gone. */
export const heldAlive = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

/** How long, in ms, the end of a transaction that only read waits for something to go out with. */
const endingMs = 5

/** What connections in the pool still have to say: the end of a transaction that only read. */
const owed = new WeakMap<pg.ClientBase, () => void>()

/** Opens connections as needed. Failing idle connections are replaced, not fatal. */
export function createPool(options: {
  url: string
  size: number
  onError: (error: Error) => void
  name?: string
  /** How long a statement's answer may take, in ms; unset: as long as it needs. */
  answerMs?: number
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.size,
    pipeline: true,
    ...heldAlive,
    ...(options.answerMs === undefined ? {} : { query_timeout: options.answerMs }),
    idleTimeoutMillis: 60_000,
    application_name: options.name ?? programName,
  })
  pool.on('error', options.onError)
  // A connection lost while it is checked out reports here, not on the pool; unheard it would end the process.
  pool.on('connect', (client) => client.on('error', options.onError))
  pool.on('acquire', (client) => owed.get(client)?.())
  return pool
}

type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>
type Settled = PromiseSettledResult<Answer>[]

/** What is said of a statement that was sent ahead. */
const unread: Answer = { command: '', rowCount: null, rows: [] }

/** What this turn of the event loop still writes goes out with it: one system call, and one turn of the database's process. */
function writeTogether(stream: Writable): void {
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** What came of a statement, after what came of those sent ahead of it. */
async function settle(before: Promise<Settled> | null, answer: Promise<Answer>): Promise<Settled> {
  const settled = await Promise.allSettled([answer])
  return before === null ? settled : [...(await before), ...settled]
}

/** Has a transaction ended by whoever takes its connection next, in the same write; soon where nobody does. */
function endLater(client: pg.PoolClient, noteFault: (reason: unknown) => void): void {
  const end = () => {
    clearTimeout(timer)
    owed.delete(client)
    const statement = { text: 'commit', query_timeout: patience.beginning }
    writeTogether(client.connection.stream)
    // Whoever has the connection by then is told by his own statements.
    client.query(statement).catch(noteFault)
  }
  const timer = setTimeout(end, endingMs)
  owed.set(client, end)
}

type Use = {
  allowsMinutes: boolean
  isReadOnly: boolean
  readsOn: boolean
  isOver: boolean
  /** It only read, and its end is not sent yet. */
  owesEnd: boolean
  fault: unknown
}

/** What is known of a connection's use until it is given back. */
const newUse = (): Use => ({
  allowsMinutes: false,
  isReadOnly: false,
  readsOn: false,
  isOver: false,
  owesEnd: false,
  fault: null,
})

/**
 * A connection as Kysely takes it. What begins a transaction is sent ahead, without waiting for its answer: the statement
 * behind it follows at once, and fails where it failed. The end of one that only read goes out with what the connection is
 * asked next, or a moment later. A connection that stayed silent is asked nothing more, not even to roll back, and closed.
 */
function wrapClient(client: pg.PoolClient, make: StatementMaker): PostgresPoolClient {
  let isSilent = false
  let ahead: Promise<Settled> | null = null
  let use = newUse()

  /** Takes note of what a statement changes for those behind it. */
  function pass(text: string): void {
    if (isSilent) throw new Error('Connection terminated: it did not answer in time.')
    // Work that went on beside the one that failed must not reach the database behind its transaction.
    if (use.isOver && !ends.has(text)) throw new Error('The transaction is over.')
    use.isOver = ends.has(text)
    if (text === allowingMinutes) use.allowsMinutes = true
    if (text === beginningToRead) use.isReadOnly = true
    if (text === readingOn) use.readsOn = true
  }

  function noteFault(reason: unknown): void {
    isSilent ||= isSilence(reason)
    use.fault ??= reason
  }

  async function query(text: string, values: readonly unknown[]): Promise<Answer> {
    pass(text)
    if (use.isReadOnly && text === 'commit') {
      use.owesEnd = true
      return unread
    }
    const made = make(text, values)
    const chosen = use.readsOn ? plainStatement(made.text, made.values) : made
    const statement = { ...chosen, query_timeout: patienceWith(text, use.allowsMinutes) }
    writeTogether(client.connection.stream)
    const answer = client.query(statement)
    // At once: statements behind this one fail because of it, and have to say why.
    answer.catch(noteFault)
    const settling = settle(ahead, answer)
    ahead = beginnings.test(text) ? settling : null
    if (ahead !== null) return unread
    const settled = await settling
    const failed = settled.find((one) => one.status === 'rejected')
    if (failed !== undefined) throw isBehindFault(failed.reason) ? use.fault : failed.reason
    return settled.findLast((one) => one.status === 'fulfilled')?.value ?? unread
  }

  /** Not before the answers to what was sent ahead: what failed there must not meet the next one. */
  function release(): void {
    const ending = ahead
    const { owesEnd } = use
    ahead = null
    use = newUse()
    if (owesEnd && !isSilent) endLater(client, noteFault)
    if (ending === null) client.release(isSilent)
    else {
      ending.then(
        (settled) => client.release(isSilent || settled.some((one) => one.status === 'rejected')),
        () => client.release(true),
      )
    }
  }

  return {
    query<R>(text: unknown, values?: readonly unknown[]) {
      if (typeof text !== 'string') throw new Error('Cursors are not used here.')
      // Kysely types the row after the query it built, and its cursors, which are refused above, share this type.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-redundant-type-constituents
      return query(text, values ?? []) as unknown as Promise<PostgresQueryResult<R>> & never
    },
    release,
  }
}

/** The pool as Kysely takes it, with every statement made by `make`. */
export function poolForKysely(pool: pg.Pool, make: StatementMaker): PostgresPool {
  // Kysely knows its connections by this object, so each keeps the same one.
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const known = wrapped.get(client) ?? wrapClient(client, make)
      wrapped.set(client, known)
      return known
    },
    end: async () => {
      if (!pool.ended) await pool.end()
    },
  }
}
