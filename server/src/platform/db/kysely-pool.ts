import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Writable } from 'node:stream'
import type pg from 'pg'
import { isBehindFault, isOver } from './errors.ts'
import {
  allowingMinutes,
  ask,
  patience,
  plainStatement,
  readingOn,
  type Statement,
  type StatementMaker,
} from './statements.ts'

/** How Kysely begins a transaction that may not write. */
const beginningToRead = 'start transaction isolation level repeatable read read only'
const ends: ReadonlySet<string> = new Set(['commit', 'rollback'])
/** What only sets something up, and has no values: it goes out with the statement behind it. */
const beginnings = /^(begin|start transaction|set )/i

/** How long, in ms, the end of a transaction that only read waits for something to go out with. */
const endingMs = 5

/** What connections in the pool still have to say, the end of a transaction that only read: at once, or with what follows. */
const owed = new WeakMap<pg.ClientBase, (hasTime: boolean) => void>()

/** Has a connection say what it owes: at once where there is time, else with what follows. */
export function sayOwed(client: pg.ClientBase, { hasTime }: { hasTime: boolean }): void {
  owed.get(client)?.(hasTime)
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
