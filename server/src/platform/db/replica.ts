import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { codeOfDatabaseError } from './errors.ts'
import { poolForKysely, type StatementMaker } from './pool.ts'
import type { DB } from './schema.ts'

/** How long a read waits for the replica to have what was written before it. */
const patienceMs = 250
/** How long a replica that was late or silent is left alone. */
const restMs = 2_000

/** A copy of the database that follows it, for reading. */
export type Replica = {
  /**
   * Reads on a connection of the replica which has everything up to a position (of the write-ahead log, as
   * '0/16B3748'). Null where there is none in time, and where it broke off before or, if `again` says that reading may
   * begin anew, after the first row.
   */
  read<T>(
    position: string,
    read: (connection: Kysely<DB>) => Promise<T>,
    options: { again: boolean },
  ): Promise<{ value: T } | null>
  close(): Promise<void>
}

/** Whether a connection shows everything up to a position; a server that follows nobody has gone its own way. */
async function shows(connection: Kysely<DB>, position: string): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  for (let pauseMs = 1; ; pauseMs *= 2) {
    const { rows } = await sql<{ follows: boolean; reached: boolean | null }>`
      select pg_is_in_recovery() as follows, pg_last_wal_replay_lsn() >= ${position}::pg_lsn as reached
    `.execute(connection)
    if (rows[0]?.follows !== true) throw new Error('DATABASE_REPLICA_URL is not a replica of the database.')
    if (rows[0].reached === true) return true
    if (performance.now() + pauseMs > deadline) return false
    await sleep(pauseMs)
  }
}

export function createReplica(pool: pg.Pool, make: StatementMaker, onError: (error: Error) => void): Replica {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: poolForKysely(pool, make) }) })
  let restsUntil = 0

  function rest(error: unknown): void {
    restsUntil = performance.now() + restMs
    onError(error instanceof Error ? error : new Error(String(error)))
  }

  return {
    async read(position, read, { again }) {
      if (performance.now() < restsUntil) return null
      const state = { isReading: false }
      try {
        return await db.connection().execute(async (connection) => {
          if (!(await shows(connection, position))) {
            rest(new Error('The replica is behind; reading from the database itself.'))
            return null
          }
          state.isReading = true
          return { value: await read(connection) }
        })
      } catch (error) {
        if (state.isReading && !(again && codeOfDatabaseError(error) === 'unavailable')) throw error
        rest(error)
        return null
      }
    },
    async close() {
      await db.destroy()
      if (!pool.ended) await pool.end()
    },
  }
}
