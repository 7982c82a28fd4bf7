import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { codeOfDatabaseError, sqlState } from './errors.ts'
import { poolForKysely } from './kysely-pool.ts'
import { onlyRow } from './only-row.ts'
import type { DB } from './schema.ts'
import type { StatementMaker } from './statements.ts'

/** How long a read waits for the replica to answer and have what was written before it. */
const usualPatienceMs = 250
/** How long a replica that was late or silent is left alone: at first, and at most where it is so again and again. */
const restMs = { first: 2_000, longest: 60_000 }

/** A copy of the database that follows it, for reading. */
export type Replica = {
  /** How many connections to it this node opens at the most. */
  size: number
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

/** Which system a server's files are of: a replica has that of what it follows. Null where the role may not know. */
export async function findSystem(pool: pg.Pool): Promise<string | null> {
  try {
    const { rows } = await pool.query<{ system: string }>(
      'select system_identifier::text as system from pg_control_system()',
    )
    return onlyRow(rows).system
  } catch (error) {
    if (sqlState(error) === '42501') return null
    throw error
  }
}

/** What a server has to have to be read from: the database's own log (null: of whatever system), up to a position. */
type Wanted = { system: string | null; position: string }

/** Whether a connection shows what is wanted; a server that follows nobody, or another database, has gone its own way. */
async function shows(
  connection: Kysely<DB>,
  { system, position }: Wanted,
  deadline: number,
): Promise<boolean> {
  const isOfSystem =
    system === null
      ? sql<boolean>`true`
      : sql<boolean>`(select system_identifier = ${system}::bigint from pg_control_system())`
  for (let pauseMs = 1; ; pauseMs *= 2) {
    const { rows } = await sql<{ follows: boolean; reached: boolean | null }>`
      select pg_is_in_recovery() and ${isOfSystem} as follows, pg_last_wal_replay_lsn() >= ${position}::pg_lsn as reached
    `.execute(connection)
    if (rows[0]?.follows !== true) throw new Error('DATABASE_REPLICA_URL is not a replica of the database.')
    if (rows[0].reached === true) return true
    if (performance.now() + pauseMs > deadline) return false
    await sleep(pauseMs)
  }
}

type Turn = { state: 'waiting' | 'reading' | 'late'; began: number; deadline: number }

function newTurn(patienceMs: number): Turn {
  const began = performance.now()
  return { state: 'waiting', began, deadline: began + patienceMs }
}

/** Whether a turn's reading has not begun by its deadline; then it must not begin any more. */
async function isLate(turn: Turn, reading: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const deadline = sleep(turn.deadline - turn.began, undefined, { signal: timer.signal }).then(() => {
    if (turn.state === 'waiting') turn.state = 'late'
  })
  await Promise.race([reading, deadline]).finally(() => timer.abort())
  return turn.state === 'late'
}

/**
 * Reads from the replica behind `pool`. `system`: the system identifier of the primary, null where unknown. `patienceMs`: how
 * long a read waits for it to catch up, given by tests only.
 */
export function createReplica(
  pool: pg.Pool,
  make: StatementMaker,
  options: { system: string | null; onError: (error: Error) => void; patienceMs?: number },
): Replica {
  const { system, onError, patienceMs = usualPatienceMs } = options
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: poolForKysely(pool, make) }) })
  let restsUntil = 0
  let answeredAt = 0
  let nextRestMs = restMs.first
  const isResting = () => performance.now() < restsUntil

  function rest(error: unknown): void {
    if (isResting()) return
    restsUntil = performance.now() + nextRestMs
    nextRestMs = Math.min(nextRestMs * 2, restMs.longest)
    onError(error instanceof Error ? error : new Error(String(error)))
  }

  /** Begins to read as soon as the replica shows the position, unless that is too late by then. */
  async function readFrom<T>(turn: Turn, position: string, read: (connection: Kysely<DB>) => Promise<T>) {
    return await db.connection().execute(async (connection) => {
      const isThere = await shows(connection, { system, position }, turn.deadline)
      answeredAt = performance.now()
      if (turn.state === 'late') return null
      if (!isThere) {
        rest(new Error('The replica is behind; reading from the database itself.'))
        return null
      }
      turn.state = 'reading'
      nextRestMs = restMs.first
      return { value: await read(connection) }
    })
  }

  return {
    size: pool.options.max,
    async read(position, read, { again }) {
      if (isResting()) return null
      const turn = newTurn(patienceMs)
      try {
        const reading = readFrom(turn, position, read)
        if (await isLate(turn, reading)) {
          // Its connection is given back, or up, when the replica answers or the connection's own patience ends.
          reading.catch(rest)
          // Where others were answered meanwhile, many connections were opened at once, no more.
          if (answeredAt < turn.began) {
            rest(new Error('The replica does not answer; reading from the database itself.'))
          }
          return null
        }
        return await reading
      } catch (error) {
        if (turn.state === 'reading' && !(again && codeOfDatabaseError(error) === 'unavailable')) throw error
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
