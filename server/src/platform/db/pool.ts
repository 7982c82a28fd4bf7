import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { isBehindFault, sqlState } from './errors.ts'

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

export type Statement = { text: string; values: unknown[]; name?: string; query_timeout?: number }

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
/** What only sets something up, and has no values: it goes out with the statement behind it. */
const beginnings = /^(begin|start transaction|set )/i

/** Whether an answer did not come in time; pg has no code for it. */
const isSilence = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** What the database says last on a connection: it is stopped, or somebody has ended this one (PostgreSQL, appendix A). */
const endings = /^(57P0|08)/

/** Whether nothing more can be asked of a connection, though pg may not know yet. */
export const isOver = (error: unknown) => isSilence(error) || endings.test(sqlState(error) ?? '')

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

/** What connections in the pool still have to say, the end of a transaction that only read: at once, or with what follows. */
const owed = new WeakMap<pg.ClientBase, (hasTime: boolean) => void>()

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
  // Where nobody else is at work, the database's process wakes up while this one still makes its statements.
  pool.on('acquire', (client) => owed.get(client)?.(pool.totalCount - pool.idleCount === 1))
  return pool
}

/**
 * Asks what pg would ask for the same statement, which it copies property by property where it is not made one of its queries: that
 * takes as long as everything else it does to send it.
 */
export async function ask<R extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { text, values, ...how }: Statement,
): Promise<pg.QueryResult<R>> {
  try {
    return await new Promise((resolve, reject) => {
      const query = new pg.Query<R, unknown[]>(text, values, (error, result) => {
        if (error) reject(error)
        else resolve(result)
      })
      client.query(Object.assign(query, how))
    })
  } catch (error) {
    // Of where the answer was read nobody learns anything.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>

/** What is said of a statement that goes out with the one behind it. */
const unread: Answer = { command: '', rowCount: null, rows: [] }

/** What this turn of the event loop still writes goes out with it: one system call, and one turn of the database's process. */
function writeTogether(stream: Writable): void {
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** The same of what waits for promises that are kept already: all of them go on between two ticks. */
function writeWithWhatFollows(stream: Writable): void {
  stream.cork()
  process.nextTick(() => queueMicrotask(() => process.nextTick(() => stream.uncork())))
}

/** Has a transaction ended by whoever takes its connection next; soon where nobody does. */
function endLater(client: pg.PoolClient, noteFault: (reason: unknown) => void): void {
  const end = (hasTime: boolean) => {
    clearTimeout(timer)
    owed.delete(client)
    const statement = { text: 'commit', values: [], query_timeout: patience.beginning }
    if (!hasTime) writeWithWhatFollows(client.connection.stream)
    // Whoever has the connection by then is told by his own statements.
    ask(client, statement).catch(noteFault)
  }
  const timer = setTimeout(end, endingMs, true)
  owed.set(client, end)
}

type Use = {
  allowsMinutes: boolean
  isReadOnly: boolean
  readsOn: boolean
  /** What begins it and sets it up, and goes out with its next statement, as one text. */
  begun: string[]
  /** The database knows of it. */
  isSent: boolean
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
  begun: [],
  isSent: false,
  isOver: false,
  owesEnd: false,
  fault: null,
})

/** Takes note of what a statement changes for those behind it. */
function pass(use: Use, text: string): void {
  // Work that went on beside the one that failed must not reach the database behind its transaction.
  if (use.isOver && !ends.has(text)) throw new Error('The transaction is over.')
  use.isOver = ends.has(text)
  if (text === allowingMinutes) use.allowsMinutes = true
  if (text === beginningToRead) use.isReadOnly = true
  if (text === readingOn) use.readsOn = true
}

/** Where nothing more is asked the database has rolled back by itself: whoever wants that was told of the fault before. */
function sayOver(text: string): Answer {
  if (text === 'rollback') return unread
  throw new Error('Connection terminated: nothing more comes from it.')
}

function statementIn({ readsOn, allowsMinutes }: Use, made: Statement): Statement {
  const query_timeout = allowsMinutes ? patience.longStatement : patience.statement
  return { ...(readsOn ? plainStatement(made.text, made.values) : made), query_timeout }
}

/**
 * A connection as Kysely takes it. What begins a transaction is sent with its first statement, which fails where it failed; a
 * transaction that asks for nothing is none. The end of one that only read goes out with what the connection is
 * asked next, or a moment later. A connection that stayed silent is asked nothing more, not even to roll back, and closed.
 */
function wrapClient(client: pg.PoolClient, make: StatementMaker): PostgresPoolClient {
  let isLost = false
  let use = newUse()

  function noteFault(reason: unknown): void {
    isLost ||= isOver(reason)
    use.fault ??= reason
  }

  function send(statement: Statement): { answer: Promise<Answer> } {
    const answer = ask(client, statement)
    // At once: statements behind this one fail because of it, and have to say why.
    answer.catch(noteFault)
    return { answer }
  }

  /** Tells the database what has begun, where it does not know of it yet. */
  function sendBegun() {
    if (use.begun.length === 0) return null
    const text = use.begun.join('; ')
    use.begun = []
    use.isSent = true
    return send({ text, values: [], query_timeout: patience.beginning })
  }

  async function askNext(statement: Statement): Promise<Answer> {
    writeTogether(client.connection.stream)
    const beginning = sendBegun()
    const asked = send(statement)
    try {
      if (beginning !== null) await beginning.answer
      return await asked.answer
    } catch (error) {
      throw isBehindFault(error) ? use.fault : error
    }
  }

  async function query(text: string, values: readonly unknown[]): Promise<Answer> {
    if (isLost) return sayOver(text)
    pass(use, text)
    if (beginnings.test(text)) {
      use.begun.push(text)
      return unread
    }
    if (ends.has(text)) {
      use.begun = []
      if (!use.isSent) return unread
    }
    if (use.isReadOnly && text === 'commit') {
      use.owesEnd = true
      return unread
    }
    return await askNext(statementIn(use, make(text, values)))
  }

  function release(): void {
    if (use.owesEnd && !isLost) endLater(client, noteFault)
    use = newUse()
    client.release(isLost)
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
