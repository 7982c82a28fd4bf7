import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { examine } from '../src/commands/doctor.ts'
import { readConfig } from '../src/platform/config.ts'
import { migrate, withStartLock } from '../src/platform/db/migrate.ts'
import { createPool } from '../src/platform/db/pool.ts'
import { plainStatement } from '../src/platform/db/statements.ts'
import { createReplica, findSystem } from '../src/platform/db/replica.ts'
import { explainStartFailure } from '../src/start-failure.ts'
import { openDatabase } from '../src/start.ts'
import { nodeSecret } from './faults/node.ts'
import { startServerPair, type ServerPair } from './standby.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from './test-app.ts'

const root = resolve(import.meta.dirname, '..')
const migrations = resolve(root, 'migrations')
const installation = { migrations, assets: resolve(root, 'assets'), version: '0.0.0', say: () => undefined }

let servers: ServerPair
let app: TestApp
let admin: Person
beforeAll(async () => {
  servers = await startServerPair()
  app = await startTestApp(
    {},
    {
      servers,
      async fill(ownerUrl) {
        const owner = createPool({ url: ownerUrl, size: 2, onError: () => undefined })
        await withStartLock(owner, () => migrate(owner, migrations))
        await owner.end()
      },
    },
  )
  admin = await makeCompany(app)
})
afterAll(async () => {
  await app.close()
  await servers.stop()
})

let made = 0

/** Makes a component and says whether the list asked for next has it. */
async function isSeenAtOnce(): Promise<boolean> {
  made += 1
  const barcode = `R-${made}`
  const body = [{ barcode, primary_quantity: made }]
  await app.done({ path: '/api/components/import', token: admin.token, body })
  const { status, body: list } = await app.ask({
    method: 'GET',
    path: '/api/components?limit=1000',
    token: admin.token,
  })
  return status === 200 && JSON.stringify(list).includes(`"${barcode}"`)
}

/** When this program asked the replica last. */
async function lastAsked(): Promise<unknown> {
  const [row] = await servers.atReplica(
    `select max(query_start)::text as at from pg_stat_activity where usename like 'inventory_manager_app%'`,
  )
  return row?.['at']
}

it.each([
  '/api/components?limit=10',
  '/api/analytics/weekly-trends?location=PRIMARY',
  '/api/audit/trail',
  '/api/exports/components?format=csv',
  '/api/exports/archive',
])('%s is read from the replica', async (path) => {
  const before = await lastAsked()
  const statuses = new Set<number>()
  const askedSince = async () => {
    statuses.add((await app.ask({ method: 'GET', path, token: admin.token })).status)
    return await lastAsked()
  }
  // It may be resting: on a busy machine a new connection takes longer than a read waits.
  await expect.poll(askedSince).not.toEqual(before)
  expect([...statuses]).toEqual([200])
})

it('whoever wrote something reads it at once', async () => {
  for (let time = 0; time < 20; time += 1) expect(await isSeenAtOnce()).toBe(true)
})

/** What the doctor says of a replica, with the state of it. */
async function doctorSays(server: string): Promise<string[]> {
  const { rows } = await app.owner.query<{ name: string }>('select current_database() as name')
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${rows[0]?.name}` }).href
  const settings = { DATABASE_URL: at(servers.ownerUrl), DATABASE_REPLICA_URL: at(server), DATA_DIR: root }
  const findings = await examine(readConfig(settings), installation)
  return findings.filter(({ about }) => about === 'replica').map(({ state, says }) => `${state}: ${says}`)
}

it('the doctor tells a replica that follows from one that is behind and from a server that follows nobody', async () => {
  expect(await doctorSays(servers.replicaUrl)).toEqual(['good: it has all that the database has'])
  expect(await doctorSays(servers.ownerUrl)).toEqual([
    'bad: that of DATABASE_REPLICA_URL follows no database, so nothing is read there',
  ])
  await servers.atReplica('select pg_wal_replay_pause()')
  await makeCompany(app)
  expect(await doctorSays(servers.replicaUrl)).toEqual([
    expect.stringMatching(
      /^doubtful: it is behind by \d+ (bytes|kB|MB): lists, charts and exports are read from the database itself until it has caught up$/,
    ),
  ])
  await servers.atReplica('select pg_wal_replay_resume()')
})

it('a standby in place of the database is bad, and a start says so', async () => {
  const { rows } = await app.owner.query<{ name: string }>('select current_database() as name')
  const address = Object.assign(new URL(servers.replicaUrl), { pathname: `/${rows[0]?.name}` }).href
  const config = readConfig({ DATABASE_URL: address, DATA_DIR: root, JWT_SECRET: nodeSecret })
  expect(await examine(config, installation)).toContainEqual({
    state: 'bad',
    about: 'database',
    says: 'it is a standby, which takes no writes: name the server that it follows',
  })
  const starting = openDatabase(config, { migrations, say: () => undefined, as: 'program' })
  expect(await starting.then(() => 'It started.', explainStartFailure)).toBe(
    'The database of DATABASE_URL takes no writes: it is a standby, or set to read only. Name the server that the standby follows, or set default_transaction_read_only to off.',
  )
})

it('a replica of another database is not read from, and the doctor says what it is', async () => {
  const other = await startServerPair()
  const theirs = createPool({ url: other.ownerUrl, size: 1, onError: () => undefined })
  const { rows } = await app.owner.query<{ name: string }>('select current_database() as name')
  await theirs.query(`create database ${rows[0]?.name}`)
  await theirs.query(`alter role postgres password '${new URL(servers.ownerUrl).password}'`)
  await expect
    .poll(() => doctorSays(other.replicaUrl), { timeout: 20_000 })
    .toEqual(['bad: that of DATABASE_REPLICA_URL is no replica of this database, so nothing is read there'])

  const owner = createPool({ url: servers.ownerUrl, size: 1, onError: () => undefined })
  const read = async (replicaUrl: string) => {
    const said: string[] = []
    const onError = ({ message }: Error) => void said.push(message)
    const at = createPool({ url: replicaUrl, size: 1, onError })
    // A new connection takes a busy machine longer than a read waits.
    const patient = { system: await findSystem(owner), onError, patienceMs: 30_000 }
    const replica = createReplica(at, plainStatement, patient)
    const found = await replica.read('0/1', () => Promise.resolve('read'), { again: true })
    await replica.close()
    return { found: found?.value, said }
  }
  expect(await read(servers.replicaUrl)).toEqual({ found: 'read', said: [] })
  const fromOther = Object.assign(new URL(other.replicaUrl), { password: new URL(servers.ownerUrl).password })
  expect(await read(fromOther.href)).toEqual({
    found: undefined,
    said: ['DATABASE_REPLICA_URL is not a replica of the database.'],
  })
  await owner.end()
  await theirs.end()
  await other.stopReplica()
  await other.stop()
})

it('a list is read from the replica also when a migration has added a column since', async () => {
  const trail = { method: 'GET', path: '/api/audit/trail', token: admin.token }
  const statuses = async () =>
    (await Promise.all(Array.from({ length: 12 }, () => app.ask(trail)))).map(({ status }) => status)
  await statuses()
  await app.owner.query('alter table audit_entries add column added_later text')
  const { rows } = await app.owner.query<{ at: string }>('select pg_current_wal_flush_lsn() as at')
  const hasIt = () => servers.atReplica(`select pg_last_wal_replay_lsn() >= '${rows[0]?.at}' as there`)
  await expect.poll(hasIt).toEqual([{ there: true }])
  const before = await lastAsked()
  // It may be resting: on a busy machine twelve new connections take longer than a read waits.
  await expect
    .poll(
      async () => {
        expect(new Set(await statuses())).toEqual(new Set([200]))
        return await lastAsked()
      },
      { timeout: 15_000 },
    )
    .not.toEqual(before)
})

it('a replica that is behind is not read from', async () => {
  await servers.atReplica('select pg_wal_replay_pause()')
  for (let time = 0; time < 3; time += 1) expect(await isSeenAtOnce()).toBe(true)
  const { body } = await app.ask({ path: '/api/auth/logout', token: admin.token })
  expect(body).toMatchObject({ success: true })
  const list = { method: 'GET', path: '/api/components', token: admin.token }
  expect((await app.ask(list)).status).toBe(401)
  await servers.atReplica('select pg_wal_replay_resume()')
})

it('a replica that is gone is done without', async () => {
  admin = await makeCompany(app)
  await servers.stopReplica()
  for (let time = 0; time < 3; time += 1) expect(await isSeenAtOnce()).toBe(true)
  expect(await doctorSays(servers.replicaUrl)).toEqual([
    'bad: The database at DATABASE_REPLICA_URL does not answer. Check that it runs and that the address is right.',
  ])
})
