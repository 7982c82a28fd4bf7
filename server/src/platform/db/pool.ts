import pg from 'pg'
import { sayOwed } from './kysely-pool.ts'
import { patience } from './statements.ts'

// Calendar days stay the text they are; as Date objects they would shift with this process's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** What the database calls this program's connections. */
export const programName = 'inventory-manager'
/** Those of a backup or a restore, which are no running program. */
export const backupName = 'inventory-manager backup'

/** What every connection needs: not to wait for ever for a host that is gone. */
export const heldAlive = {
  connectionTimeoutMillis: patience.connection,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

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
    pipeline: true,
    ...heldAlive,
    idleTimeoutMillis: 60_000,
    application_name: options.name ?? programName,
  })
  pool.on('error', options.onError)
  // A connection lost while it is checked out reports here, not on the pool; unheard it would end the process.
  pool.on('connect', (client) => client.on('error', options.onError))
  // Where nobody else is at work, the database's process wakes up while this one still makes its statements.
  pool.on('acquire', (client) => sayOwed(client, { hasTime: pool.totalCount - pool.idleCount === 1 }))
  return pool
}
