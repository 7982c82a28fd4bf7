import pg from 'pg'

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
  /** Until there is one. */
  connection: 5_000,
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
 * Allows two minutes between statements for a reader that streams its result; its statements are unnamed, so no outdated plan
 * can fail a half-sent reply.
 */
export const readingOn = "set local idle_in_transaction_session_timeout = '2min'"

/**
 * Says of a transaction that it only reads, until it ends: nobody waits for what it might still write (`audit_horizon`, migration 0324).
 * For none but those that are begun `read only`, which the database holds them to.
 */
export const onlyReading = "set local application_name = 'inventory-manager only reading'"

/** Names statements, or leaves them unnamed for poolers that hand a connection to somebody else after each transaction. */
export type StatementMaker = (text: string, values: readonly unknown[]) => Statement

export const namedStatement: StatementMaker = (text, values) => {
  const name = nameOf(text)
  return { text, values: [...values], ...(name === undefined ? {} : { name }) }
}

export const plainStatement: StatementMaker = (text, values) => ({ text, values: [...values] })

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
