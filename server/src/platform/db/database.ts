import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, Kysely, PostgresDialect, sql, type RawBuilder, type Transaction } from 'kysely'
import type pg from 'pg'
import { isOutdatedPlan, isOver, sqlState } from './errors.ts'
import { poolForKysely } from './kysely-pool.ts'
import { pipelined } from './pipelined.ts'
import { createShares, type Shares } from '../shares.ts'
import type { Replica } from './replica.ts'
import type { DB } from './schema.ts'
import {
  allowingMinutes,
  ask,
  forgetNames,
  onlyReading,
  patience,
  readingOn,
  type Statement,
  type StatementMaker,
} from './statements.ts'
import { onlyRow } from './only-row.ts'

/** One company's transaction. Every query function takes it first; `tenantId` goes into every statement. */
export type Tx = { readonly db: Transaction<DB>; readonly tenantId: string }

/** The few statements outside any company: sign-in by e-mail and throttling. */
export type OutsideDb = Kysely<Pick<DB, 'attempts'>>

/** Connections of this node: open ones, idle among them, most it may open, and requests waiting for one. */
export type PoolUse = { total: number; idle: number; size: number; waiting: number }

export type Database = {
  /** The only way to a company's rows: one transaction with the tenant set for it. */
  inTenant: <T>(tenantId: string, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** As inTenant, in a transaction that cannot write and sees one moment. */
  readInTenant: <T>(tenantId: string, work: (tx: Tx) => Promise<T>) => Promise<T>
  /**
   * Reading what need not come from the database itself: from the replica where one is given, else as `readInTenant`. Whoever
   * asks is looked up by `authorise` in the database itself, which knows first when a session or role has ended; what is
   * read holds everything that was written, by anybody, before. Both are asked at once, and nothing that was read is given
   * to somebody who is refused.
   */
  reading: <A, T>(
    tenantId: string,
    authorise: (tx: Tx) => Promise<A>,
    read: (tx: Tx, authorised: Promise<A>) => Promise<T>,
  ) => Promise<T>
  /** As `readInTenant`, from the replica where one is given, of what may take half a minute. */
  inSnapshot<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for as long as somebody takes what is read, beside the turns of companies: whoever calls it makes few at a time. */
  inLongSnapshot<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  outside: OutsideDb
  /** One call of a SQL function that sets the tenant itself (the count's hot path): a single round trip. */
  callFunction<R extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<R[]>
  poolUse: () => PoolUse
  close(): Promise<void>
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const retryable = new Set(['40001', '40P01'])
const maxTries = 3

/** Whether a transaction that failed may succeed when it is run again, to which end what is outdated is forgotten. */
function mayRunAgain(error: unknown): boolean {
  const isOutdated = isOutdatedPlan(error)
  if (isOutdated) forgetNames()
  return isOutdated || retryable.has(sqlState(error) ?? '')
}

/** Runs a transaction again that lost against another one, or against a migration; it has left nothing behind. */
async function retrying<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction()
    } catch (error) {
      if (!mayRunAgain(error) || tries === maxTries) throw error
      await sleep(Math.random() * 20 * tries)
    }
  }
}

/** Lets the statements of a transaction that follow run for minutes: for work on whole files. */
export async function allowMinutes(tx: Pick<Tx, 'db'>): Promise<void> {
  await sql.raw(allowingMinutes).execute(tx.db)
}

/** Lets minutes pass between the statements of a transaction: where each waits for megabytes of a file. */
export async function allowPauses(tx: Pick<Tx, 'db'>): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(tx.db)
}

/**
 * Lets the statements of a transaction that follow look rows up by their keys, whatever the planner believes: of rows that
 * came in since it last looked, and of a table that was small when a plan was made, it knows nothing.
 */
export async function findByKeys(tx: Pick<Tx, 'db'>): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(tx.db)
}

/**
 * As findByKeys, by whole keys also of a company of which the planner knows nothing yet: planned for that one, which it believes to have
 * one row at most, a statement may read all that the company has for each row, by an index that only begins as the key does.
 */
export async function findByWholeKeys(tx: Pick<Tx, 'db'>): Promise<void> {
  await findByKeys(tx)
  await sql`set local plan_cache_mode = force_generic_plan`.execute(tx.db)
}

/** Lets the planner choose again how the statements of a transaction that follow read tables. */
export async function readAsUsual(tx: Pick<Tx, 'db'>): Promise<void> {
  await sql`set local enable_seqscan to default`.execute(tx.db)
  await sql`set local plan_cache_mode to default`.execute(tx.db)
}

/**
 * Lets the statements of a transaction that follow join lists as wholes, never comparing each row of one with each of
 * another, whatever the planner believes of their lengths: for joins of everything a company has.
 */
export async function joinWhole(tx: Pick<Tx, 'db'>): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(tx.db)
}

/** Lets the planner choose again how the statements of a transaction that follow are joined. */
export async function joinAsUsual(tx: Pick<Tx, 'db'>): Promise<void> {
  await sql`set local enable_nestloop to default`.execute(tx.db)
}

/** The ids of the companies that a SQL function returns, called in a transaction of its own. */
export async function listCompaniesBy(
  { outside }: Database,
  call: RawBuilder<{ id: string }>,
): Promise<string[]> {
  const { rows } = await outside.transaction().execute((trx) => call.execute(trx))
  return rows.map(({ id }) => id)
}

/** What was read, if those who asked may; waits for both, since a transaction must not end below a statement. */
async function ifAuthorised<T>(authorised: Promise<unknown>, reading: Promise<T>): Promise<T> {
  const [allowed, read] = await Promise.allSettled([authorised, reading])
  if (allowed.status === 'rejected') throw allowed.reason
  if (read.status === 'rejected') throw read.reason
  return read.value
}

type Connection = Pick<Kysely<DB>, 'transaction'>

/** Without a value, so that it goes out with what begins the transaction; nothing but a uuid gets into its text. */
function entering(tenantId: string): RawBuilder<unknown> {
  if (!uuid.test(tenantId)) throw new Error('A tenant id must be a uuid.')
  return sql.raw(`set local app.tenant_id = '${tenantId}'`)
}

async function enter(trx: Transaction<DB>, tenantId: string): Promise<Tx> {
  const db = await pipelined(trx)
  await entering(tenantId).execute(db)
  return { db, tenantId }
}

async function attempt<T>(db: Connection, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (trx) => await work(await enter(trx, tenantId)))
}

async function attemptToRead<T>(db: Connection, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  // One moment for all of a screen's figures, so that a list and its total agree.
  const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return await transaction.execute(async (trx) => await work(await enter(trx, tenantId)))
}

/**
 * Keeps the parts of the history where they are until a transaction ends, and is said before its snapshot is taken: which
 * parts there are is no matter of a snapshot, so rows of one that is detached meanwhile would be missing without a note.
 */
const keepParts = 'lock table count_history, audit_entries in access share mode'

async function snapshot<T>(db: Connection, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return await transaction.execute(async (trx) => {
    await sql.raw(keepParts).execute(trx)
    const tx = await enter(trx, tenantId)
    await sql.raw(readingOn).execute(tx.db)
    await sql.raw(onlyReading).execute(tx.db)
    return await work(tx)
  })
}

/** Up to where everything is written that anybody was told is written. */
async function currentPosition(db: Kysely<DB>): Promise<string> {
  const { rows } = await sql<{ position: string }>`
    select pg_current_wal_flush_lsn() as position
  `.execute(db)
  return onlyRow(rows).position
}

/**
 * Of a pool's connections the transactions of companies leave two, to counts, which go together, and to archives, which may hold both;
 * one company has three quarters of theirs at the most, whatever its calls wait for. A small pool leaves one, and one of two none.
 */
export function sharesOf(size: number): { running: number; ofOne: number; patienceMs: number } {
  const running = size > 4 ? size - 2 : Math.max(2, size - 1)
  const ofOne = Math.min(Math.ceil((running * 3) / 4), running - 1)
  return { running, ofOne: Math.max(1, ofOne), patienceMs: patience.connection }
}

const poolUseOf = (pool: pg.Pool, shares: Shares): PoolUse => ({
  total: pool.totalCount,
  idle: pool.idleCount,
  size: pool.options.max,
  waiting: pool.waitingCount + shares.countWaiting(),
})

/** Asks one statement that is a transaction of its own. */
async function askAlone<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: Statement,
): Promise<pg.QueryResult<R>> {
  const client = await pool.connect()
  let isLost = false
  try {
    return await ask<R>(client, statement)
  } catch (error) {
    isLost = isOver(error)
    throw error
  } finally {
    client.release(isLost)
  }
}

/** Whether the rows of companies lie on the machines of a Citus cluster, behind this one (ops/citus/README.md). */
export async function isSpread(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query("select from pg_extension where extname = 'citus'")
  return rowCount === 1
}

type ReplicaRead = <T>(
  tenantId: string,
  read: (connection: Kysely<DB>) => Promise<T>,
  options: { again: boolean },
) => Promise<{ value: T } | null>

/**
 * The one place that decides where is read: from the replica, in turn with what other companies read there or beside those turns;
 * or null, for the database itself.
 */
function readingFrom(
  replica: Replica | null,
  db: Kysely<DB>,
): { onReplica: ReplicaRead; inTurnOnReplica: ReplicaRead } {
  if (replica === null) return { onReplica: async () => null, inTurnOnReplica: async () => null }
  const shares = createShares({ what: 'connections', ...sharesOf(replica.size) })
  const onReplica: ReplicaRead = async (_, read, options) =>
    await replica.read(await currentPosition(db), read, options)
  return {
    onReplica,
    inTurnOnReplica: (tenantId, read, options) =>
      shares.inTurn(tenantId, () => onReplica(tenantId, read, options)),
  }
}

/**
 * The database of a node; with a replica, lists and long reads come from there. Where it is spread over machines, functions
 * are called in a transaction of their own, within which alone the others are told which company it is.
 */
export function createDatabase(
  pool: pg.Pool,
  make: StatementMaker,
  { replica = null, spread = false }: { replica?: Replica | null; spread?: boolean } = {},
): Database {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: poolForKysely(pool, make) }) })
  const shares = createShares({ what: 'connections', ...sharesOf(pool.options.max) })
  const { onReplica, inTurnOnReplica } = readingFrom(replica, db)

  async function inTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return await shares.inTurn(tenantId, () => retrying(() => attempt(db, tenantId, work)))
  }

  async function readInTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return await shares.inTurn(tenantId, () => retrying(() => attemptToRead(db, tenantId, work)))
  }

  return {
    inTenant,
    readInTenant,
    async reading(tenantId, authorise, read) {
      if (replica === null) {
        return await readInTenant(tenantId, (tx) => {
          const authorised = authorise(tx)
          return ifAuthorised(authorised, read(tx, authorised))
        })
      }
      const authorised = await readInTenant(tenantId, authorise)
      const work = (tx: Tx) => read(tx, Promise.resolve(authorised))
      const there = (replicated: Kysely<DB>) => attemptToRead(replicated, tenantId, work)
      const found = await retrying(() => inTurnOnReplica(tenantId, there, { again: true }))
      return found === null ? await readInTenant(tenantId, work) : found.value
    },
    async inSnapshot(tenantId, work) {
      const there = (replicated: Kysely<DB>) => snapshot(replicated, tenantId, work)
      const found = await inTurnOnReplica(tenantId, there, { again: false })
      return found === null ? await shares.inTurn(tenantId, () => snapshot(db, tenantId, work)) : found.value
    },
    async inLongSnapshot(tenantId, work) {
      const there = (replicated: Kysely<DB>) => snapshot(replicated, tenantId, work)
      const found = await onReplica(tenantId, there, { again: false })
      return found === null ? await snapshot(db, tenantId, work) : found.value
    },
    outside: db,
    async callFunction<R extends pg.QueryResultRow>(text: string, values: readonly unknown[]) {
      const alone = async () => {
        return await askAlone<R>(pool, { ...make(text, values), query_timeout: patience.oneFunction })
      }
      const within = async (trx: Transaction<DB>) =>
        await trx.executeQuery<R>(CompiledQuery.raw(text, [...values]))
      const call = spread ? async () => await db.transaction().execute(within) : alone
      return (await retrying<{ rows: R[] }>(call)).rows
    },
    poolUse: () => poolUseOf(pool, shares),
    async close() {
      await replica?.close()
      await db.destroy()
      // Kysely ends only a pool that it has used.
      if (!pool.ended) await pool.end()
    },
  }
}
