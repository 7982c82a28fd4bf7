import { setTimeout as sleep } from 'node:timers/promises'
import { Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createDatabase, type Tx } from './database.ts'
import { createPool } from './pool.ts'
import { namedStatement } from './statements.ts'

let app: TestApp
let tenantId: string

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '2' })
  tenantId = (await makeCompany(app)).tenantId
})
afterAll(() => app.close())

const wait = (tx: Tx) => sql`select pg_sleep(2)`.execute(tx.db)

/** What both connections still have set of a company when the transactions that set it are over. */
async function leftBehind(): Promise<unknown> {
  const look = () =>
    app.database.callFunction(
      `select current_setting('app.tenant_id', true) as company, pg_sleep(0.1)::text`,
      [],
    )
  const [one, other] = await Promise.all([look(), look()])
  return [...one, ...other].map(({ company }) => company ?? '')
}

it('lets nothing reach the database behind a transaction whose other part failed', async () => {
  const goingOn: Promise<unknown>[] = []
  const work = app.database.inTenant(tenantId, async (tx) => {
    const late = async () => {
      await sleep(50)
      await sql`select set_config('app.tenant_id', 'of a dead transaction', false)`.execute(tx.db)
    }
    // The end of the transaction is answered only behind the statement that is slow.
    goingOn.push(wait(tx), late())
    await Promise.all([...goingOn, Promise.reject(new Error('This part failed.'))])
  })

  await expect(work).rejects.toThrow('This part failed.')
  expect((await Promise.allSettled(goingOn)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  await expect(goingOn[1]).rejects.toThrow('The transaction is over.')
  expect(await leftBehind()).toEqual(['', ''])
})

/** How many of the node's connections are within a transaction and wait for its next statement. */
async function countOpen(): Promise<number> {
  const { rows } = await app.owner.query(
    `select from pg_stat_activity
     where datname = current_database() and usename <> current_user and state like 'idle in transaction%'`,
  )
  return rows.length
}

it('ends a transaction that only read before what its connection is asked next', async () => {
  const read = () => app.database.readInTenant(tenantId, (tx) => sql`select 1 as read`.execute(tx.db))
  await Promise.all([read(), read()])
  expect(await leftBehind()).toEqual(['', ''])
  await read()
  const written = app.database.inTenant(tenantId, async (tx) => {
    return await sql<{ mode: string }>`select current_setting('transaction_read_only') as mode`.execute(tx.db)
  })
  expect((await written).rows).toEqual([{ mode: 'off' }])
})

/** A database by connections of its own, and how often they have written to their sockets. */
function createWatched() {
  const url = z.string().parse(app.owner.options.connectionString)
  const pool = createPool({ url, size: 5, onError: () => undefined })
  let writes = 0
  pool.on('connect', ({ connection: { stream } }) => {
    if (!(stream instanceof Socket)) throw new Error('A connection has a socket.')
    const write = stream._write.bind(stream)
    const writev = stream._writev?.bind(stream)
    stream._write = (...given) => {
      writes += 1
      write(...given)
    }
    stream._writev = (...given) => {
      writes += 1
      writev?.(...given)
    }
  })
  return { ...createDatabase(pool, namedStatement), writes: () => writes }
}

it('reads in one write where others are at work, and else tells of the end of the transaction before at once', async () => {
  const watched = createWatched()
  const read = () =>
    watched.readInTenant(tenantId, (tx) =>
      Promise.all([sql`select 1 as read`.execute(tx.db), sql`select 2 as read`.execute(tx.db)]),
    )
  const fiveReads = async () => {
    const before = watched.writes()
    for (let time = 0; time < 5; time += 1) await read()
    return watched.writes() - before
  }
  await read()
  expect(await fiveReads()).toBe(10)
  await watched.inTenant(tenantId, async (tx) => {
    await sql`select 1`.execute(tx.db)
    await read()
    expect(await fiveReads()).toBe(5)
  })
  await watched.close()
})

it('asks the database nothing where a transaction asks nothing', async () => {
  const watched = createWatched()
  await watched.inTenant(tenantId, (tx) => sql`select 1`.execute(tx.db))
  const before = watched.writes()
  await watched.inTenant(tenantId, () => Promise.resolve())
  await expect(
    watched.inTenant(tenantId, () => Promise.reject(new Error('Thought better of it.'))),
  ).rejects.toThrow('Thought better of it.')
  expect(watched.writes()).toBe(before)
  await watched.close()
})

it('is of no company that is not named by a uuid', async () => {
  const company = "x'; select set_config('app.tenant_id', 'any', false); --"
  await expect(app.database.readInTenant(company, wait)).rejects.toThrow('A tenant id must be a uuid.')
  expect(await leftBehind()).toEqual(['', ''])
})

it('ends a transaction that only read soon, also where its connection is asked nothing more', async () => {
  await app.database.readInTenant(tenantId, (tx) => sql`select 1 as read`.execute(tx.db))
  // The database itself ends one after fifteen seconds.
  await expect.poll(countOpen, { timeout: 10_000 }).toBe(0)
})

it('gives nothing that was read to somebody who is refused meanwhile', async () => {
  const refused = app.database.reading(
    tenantId,
    async (tx) => {
      await wait(tx)
      throw new Error('You are signed out.')
    },
    async (tx) => await sql`select 1 as read`.execute(tx.db),
  )
  await expect(refused).rejects.toThrow('You are signed out.')
})

it('says that somebody is refused, not what failed for them', async () => {
  const refused = app.database.reading(
    tenantId,
    async () => {
      await sleep(50)
      throw new Error('You are signed out.')
    },
    () => Promise.reject(new Error('There is no such component.')),
  )
  await expect(refused).rejects.toThrow('You are signed out.')
})

it('gives a connection that the database has ended to nobody who waits', async () => {
  const url = z.string().parse(app.owner.options.connectionString)
  const pool = createPool({ url, size: 1, onError: () => undefined })
  const database = createDatabase(pool, namedStatement)
  const kinds = [
    async () => void (await database.callFunction('select pg_sleep(20)::text', [])),
    () => database.inTenant(tenantId, async (tx) => void (await sql`select pg_sleep(20)`.execute(tx.db))),
  ]
  for (const held of kinds) {
    const [{ pid }] = z
      .tuple([z.object({ pid: z.int() })])
      .parse(await database.callFunction('select pg_backend_pid() as pid', []))
    const ended = held().catch((error: unknown) => error)
    const next = database.callFunction('select 1 as answer', [])
    await sleep(200)
    await app.owner.query('select pg_terminate_backend($1)', [pid])
    expect(String(await ended)).toContain('terminating connection due to administrator command')
    expect(await next).toEqual([{ answer: 1 }])
  }
  await database.close()
})
