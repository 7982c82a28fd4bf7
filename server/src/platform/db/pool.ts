import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'

// Calendar days stay the text they are; as Date objects they would shift with this process's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

const maxNames = 2000
const names = new Map<string, string>()

/** A name for a statement's text, so that each connection plans it once (unnamed runs at half the speed). */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= maxNames) return undefined
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

type Statement = { text: string; values: unknown[]; name?: string }

/** Names statements, or leaves them unnamed for poolers that hand a connection to somebody else after each transaction. */
export type StatementMaker = (text: string, values: readonly unknown[]) => Statement

export const namedStatement: StatementMaker = (text, values) => {
  const name = nameOf(text)
  return { text, values: [...values], ...(name === undefined ? {} : { name }) }
}

export const plainStatement: StatementMaker = (text, values) => ({ text, values: [...values] })

/** What the database calls this program's connections. */
export const programName = 'inventory-manager'

/** Opens connections as needed. Failing idle connections are replaced, not fatal. */
export function createPool(options: {
  url: string
  size: number
  onError: (error: Error) => void
  name?: string
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    application_name: options.name ?? programName,
  })
  pool.on('error', options.onError)
  // A connection lost while it is checked out reports here, not on the pool; unheard it would end the process.
  pool.on('connect', (client) => client.on('error', options.onError))
  return pool
}

/** The pool as Kysely takes it, with every statement made by `make`. */
export function poolForKysely(pool: pg.Pool, make: StatementMaker): PostgresPool {
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const wrap = (client: pg.PoolClient): PostgresPoolClient => ({
    query<R>(text: unknown, values?: readonly unknown[]) {
      if (typeof text !== 'string') throw new Error('Cursors are not used here.')
      // Kysely types the row after the query it built, and its cursors, which are refused above, share this type.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-redundant-type-constituents
      return client.query(make(text, values ?? [])) as unknown as Promise<PostgresQueryResult<R>> & never
    },
    release: () => client.release(),
  })
  return {
    async connect() {
      const client = await pool.connect()
      const known = wrapped.get(client) ?? wrap(client)
      wrapped.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}
