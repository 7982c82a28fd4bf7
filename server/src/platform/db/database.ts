import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { sqlState } from './errors.ts'
import { allowingMinutes, patience, poolForKysely, type StatementMaker } from './pool.ts'
import type { DB } from './schema.ts'

/** One company's transaction. Every query function takes it first; `tenantId` goes into every statement. */
export type Tx = { readonly db: Transaction<DB>; readonly tenantId: string }

/** The few statements outside any company: sign-in by e-mail and throttling. */
export type OutsideDb = Kysely<Pick<DB, 'attempts'>>

/** Connections of this node: open ones, idle among them, most it may open, and requests waiting for one. */
export type PoolUse = { total: number; idle: number; size: number; waiting: number }

export type Database = {
  /** The only way to a company's rows: one transaction with the tenant set for it. */
  inTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same, reading only, with every statement seeing one moment: for long reads while others write. */
  inSnapshot<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  outside: OutsideDb
  /** One call of a SQL function that sets the tenant itself (the count's hot path): a single round trip. */
  callFunction<R extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<R[]>
  poolUse: () => PoolUse
  close(): Promise<void>
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const retryable = new Set(['40001', '40P01'])
const maxTries = 3

/** Runs a transaction again that lost against another one; it has left nothing behind. */
async function retrying<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction()
    } catch (error) {
      const state = sqlState(error)
      if (state === null || !retryable.has(state) || tries === maxTries) throw error
      await sleep(Math.random() * 20 * tries)
    }
  }
}

/** Lets the statements of a transaction that follow run for minutes: for work on whole files. */
export async function allowMinutes(tx: Pick<Tx, 'db'>): Promise<void> {
  await sql.raw(allowingMinutes).execute(tx.db)
}

export function createDatabase(pool: pg.Pool, make: StatementMaker): Database {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: poolForKysely(pool, make) }) })

  async function attempt<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return await db.transaction().execute(async (trx) => {
      // SET takes no parameters; the literal is a validated uuid.
      await sql.raw(`set local app.tenant_id = '${tenantId}'`).execute(trx)
      return await work({ db: trx, tenantId })
    })
  }

  async function inTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!uuid.test(tenantId)) throw new Error('A tenant id must be a uuid.')
    return await retrying(() => attempt(tenantId, work))
  }

  async function inSnapshot<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!uuid.test(tenantId)) throw new Error('A tenant id must be a uuid.')
    const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    return await transaction.execute(async (trx) => {
      await sql.raw(`set local app.tenant_id = '${tenantId}'`).execute(trx)
      // Whoever reads on may be slow, but not away.
      await sql`set local idle_in_transaction_session_timeout = '2min'`.execute(trx)
      return await work({ db: trx, tenantId })
    })
  }

  return {
    inTenant,
    inSnapshot,
    outside: db,
    async callFunction<R extends pg.QueryResultRow>(text: string, values: readonly unknown[]) {
      return await retrying(async () => {
        const statement = { ...make(text, values), query_timeout: patience.oneFunction }
        return (await pool.query<R>(statement)).rows
      })
    },
    poolUse: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      size: pool.options.max,
      waiting: pool.waitingCount,
    }),
    async close() {
      await db.destroy()
      // Kysely ends only a pool that it has used.
      if (!pool.ended) await pool.end()
    },
  }
}
