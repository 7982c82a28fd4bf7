import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import pg from 'pg'
import type { PlanKey } from '@inventory-manager/contract/plans'
import { inject } from 'vitest'
import { z } from 'zod'
import { hashPassword } from '../src/accounts/passwords.ts'
import { createUser, findLogin, findUserToSignIn } from '../src/accounts/queries.ts'
import { lockSeats, requireSeat, seatUsers } from '../src/accounts/seats.ts'
import { createWithAdmin, type Registration } from '../src/accounts/service.ts'
import { beginSession, tokenFor } from '../src/accounts/sessions.ts'
import { createTokens } from '../src/accounts/tokens.ts'
import { createApp } from '../src/app.ts'
import { readConfig, type Config } from '../src/platform/config.ts'
import { ensureAppRole } from '../src/platform/db/app-role.ts'
import type { LogSink } from '../src/platform/http/logging.ts'
import type { Metrics } from '../src/platform/metrics/metrics.ts'
import { createDatabase, isSpread, type Database } from '../src/platform/db/database.ts'
import { createNotices } from '../src/platform/realtime/notices.ts'
import { openReplica } from '../src/start.ts'
import { withStartLock } from '../src/platform/db/migrate.ts'
import { createPool } from '../src/platform/db/pool.ts'
import { namedStatement, plainStatement } from '../src/platform/db/statements.ts'
import { testSecret as secret } from './secret.ts'
import { recording } from './statements/recorder.ts'

/** Limits that only their own tests should meet. */
const environment = {
  LOG_LEVEL: 'fatal',
  REGISTRATIONS_PER_HOUR: '100000',
  SIGN_INS_PER_ADDRESS: '100000',
}

type Reply = { status: number; body: unknown; headers: Headers; bytes: Buffer }

export type Ask = {
  method?: string
  path: string
  token?: string
  body?: unknown
  key?: string
  headers?: Record<string, string>
}

export type TestApp = {
  url: string
  database: Database
  metrics: Metrics
  /** The database owner's connection, which sees every company. */
  owner: pg.Pool
  ask: (request: Ask) => Promise<Reply>
  /** As ask, for what a test stands on: throws with the answer where it is a refusal. */
  done: (request: Ask) => Promise<Reply>
  /** Another node on the same database. */
  startSecondNode: () => Promise<{
    url: string
    ask: (request: Ask) => Promise<Reply>
    close: () => Promise<void>
  }>
  close: () => Promise<void>
}

function parseBody(type: string, bytes: Buffer): unknown {
  return type.includes('application/json') ? JSON.parse(bytes.toString('utf8')) : null
}

/** Sends requests to a server and reads their replies. */
export function asker(url: string) {
  return async ({ method = 'POST', path, token, body, key, headers = {} }: Ask): Promise<Reply> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const type = response.headers.get('content-type') ?? ''
    return { status: response.status, body: parseBody(type, bytes), headers: response.headers, bytes }
  }
}

function doer(ask: TestApp['ask']): TestApp['done'] {
  return async (request) => {
    const reply = await ask(request)
    if (reply.status < 400) return reply
    throw new Error(`${request.path} answered ${reply.status}: ${reply.bytes.toString('utf8').slice(0, 500)}`)
  }
}

/** One process's worth of server: its own connections, on a database that others may use too. */
async function startNode(
  { url: databaseUrl, directUrl }: { url: string; directUrl: string },
  config: Config,
  logTo?: LogSink,
) {
  const pool = createPool({ url: databaseUrl, size: config.DATABASE_POOL_SIZE, onError: () => undefined })
  const make = recording(config.DATABASE_PREPARED === 'on' ? namedStatement : plainStatement)
  const onError = () => undefined
  const replica = await openReplica(config, pool, { appUrl: directUrl, make, onError })
  const database = createDatabase(pool, make, { replica, spread: await isSpread(pool) })
  const notices = createNotices({ url: directUrl, onError: () => undefined })
  const { app, metrics } = await createApp({
    config,
    database,
    notices,
    secret,
    version: '0.0.0',
    fontFolder: resolve(import.meta.dirname, '../assets/fonts'),
    ...(logTo === undefined ? {} : { logTo }),
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    address,
    database,
    metrics,
    close: async () => {
      await app.close()
      await notices.close()
      await database.close()
    },
  }
}

type Pooler = { url: string; stop: () => Promise<void> }

type Surroundings = {
  startPooler?: (databaseUrl: string) => Promise<Pooler>
  logTo?: LogSink
  /** Fills the empty database as its owner; else it is a copy of the migrated template. */
  fill?: (ownerUrl: string) => Promise<unknown>
  /** Other servers than the run's: one, and a replica of it. */
  servers?: { ownerUrl: string; replicaUrl: string }
}

function replicaSetting(
  servers: Surroundings['servers'],
  at: (server: string) => URL,
): Record<string, string> {
  return servers === undefined ? {} : { DATABASE_REPLICA_URL: at(servers.replicaUrl).href }
}

/** A database for one file of tests: a copy of the migrated template, or an empty one. */
async function createOwnDatabase(ownerUrl: string, isEmpty: boolean) {
  const name = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const maintenance = new pg.Client({ connectionString: ownerUrl })
  await maintenance.connect()
  // Block by block, as it is copied otherwise, every page of it goes through the log.
  const copied = `template ${inject('templateName')} strategy file_copy`
  await maintenance.query(`create database ${name} ${isEmpty ? '' : copied}`)
  return {
    ownerUrl,
    at: (server: string) => Object.assign(new URL(server), { pathname: `/${name}` }),
    drop: async () => {
      await maintenance.query(`drop database ${name} with (force)`)
      await maintenance.query(`drop role ${pg.escapeIdentifier(`inventory_manager_app_${name}`)}`)
      await maintenance.end()
    },
  }
}

/** The cluster of TEST_CITUS_URL is one database for all files, as for all companies. */
async function chooseDatabase({ fill, servers }: Surroundings) {
  const clusterUrl = inject('clusterUrl')
  if (clusterUrl === null || fill !== undefined || servers !== undefined) {
    return await createOwnDatabase(servers?.ownerUrl ?? inject('ownerUrl'), fill !== undefined)
  }
  return {
    ownerUrl: clusterUrl,
    at: (server: string) => new URL(server),
    drop: () => Promise.resolve(),
  }
}

/** The real server on a database of its own, reached over HTTP; through a pooler where one is given. */
export async function startTestApp(
  settings: Record<string, string> = {},
  surroundings: Surroundings = {},
): Promise<TestApp> {
  const { startPooler, logTo, fill, servers } = surroundings
  const { ownerUrl, at, drop } = await chooseDatabase(surroundings)
  const url = at(ownerUrl)
  const onError = () => undefined
  await fill?.(url.href)
  const owner = createPool({ url: url.href, size: 3, onError })
  const appUrl = await withStartLock(owner, () => ensureAppRole(owner, url.href, { secret, as: 'program' }))
  const pooler = await startPooler?.(appUrl)
  const config = readConfig({
    ...environment,
    ...replicaSetting(servers, at),
    ...settings,
  })
  const node = await startNode({ url: pooler?.url ?? appUrl, directUrl: appUrl }, config, logTo)
  const ask = asker(node.address)
  return {
    url: node.address,
    database: node.database,
    metrics: node.metrics,
    owner,
    ask,
    done: doer(ask),
    async startSecondNode() {
      const second = await startNode({ url: pooler?.url ?? appUrl, directUrl: appUrl }, config)
      return { url: second.address, ask: asker(second.address), close: second.close }
    },
    async close() {
      await node.close()
      await pooler?.stop()
      await owner.end()
      await drop()
    },
  }
}

const signedIn = z.object({ token: z.string(), user: z.object({ id: z.string(), tenantId: z.string() }) })

export type Person = { token: string; userId: string; tenantId: string; email: string; name: string }

const password = 'correct horse battery'

/** A server whose database is at hand, or another process, of which there is the address alone. */
type Reachable = Pick<TestApp, 'ask'> & Partial<Pick<TestApp, 'database'>>

const tokens = createTokens(secret)

/** What signing in ends with, without the look at the password, which is meant to take long. */
async function enter(database: Database, email: string): Promise<unknown> {
  const login = await findLogin(database.outside, email)
  if (login === null) throw new Error(`Nobody has the address ${email}.`)
  const { tenantId, userId } = login
  const { user, session } = await database.inTenant(tenantId, async (tx) => {
    const user = await findUserToSignIn(tx, userId)
    if (user === null) throw new Error(`${email} cannot sign in.`)
    return { user, session: await beginSession(tx, { user, userAgent: 'node', way: 'password' }) }
  })
  return await tokenFor(tokens, { tenantId, user, session })
}

async function signIn(app: Reachable, { email, name }: { email: string; name: string }): Promise<Person> {
  const by = { path: '/api/auth/login', body: { email, passcode: password } }
  const reply = app.database === undefined ? (await app.ask(by)).body : await enter(app.database, email)
  const { token, user } = signedIn.parse(reply)
  return { token, userId: user.id, tenantId: user.tenantId, email, name }
}

/** Signs somebody in once more, as on another device. */
export async function signInAgain(
  app: Pick<TestApp, 'ask'>,
  person: Person,
  passcode = password,
): Promise<string> {
  const { body } = await app.ask({ path: '/api/auth/login', body: { email: person.email, passcode } })
  return signedIn.parse(body).token
}

/** A time zone in which it is about that hour, 12 to 14, of the day now. */
export function zoneOfHour(hour: number): string {
  const ahead = hour - new Date().getUTCHours()
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** A time zone in which it is about noon now: an hour ago was the same day there, and the same month. */
export const zoneOfNoon = (): string => zoneOfHour(12)

let companies = 0

/** One password has one hash for all: making it is meant to take long. */
let hashed: Promise<string> | undefined

async function hashOfPassword(): Promise<string> {
  hashed ??= hashPassword(password)
  return await hashed
}

/** What a registration comes to; through the door, which makes a hash of the password anew, where only that is at hand. */
async function register(app: Reachable, registration: Omit<Registration, 'adminPasscode'>): Promise<void> {
  if (app.database === undefined) {
    const body = { ...registration, adminPasscode: password }
    const { status } = await app.ask({ path: '/api/auth/register-tenant', body })
    if (status !== 201) throw new Error(`Registration answered ${status}.`)
    return
  }
  const passwordHash = await hashOfPassword()
  await app.database.inTenant(randomUUID(), (tx) => createWithAdmin(tx, registration, passwordHash))
}

/** A company with its administrator. */
export async function makeCompany(
  app: Reachable,
  { plan = 'professional', timeZone = 'UTC' }: { plan?: PlanKey; timeZone?: string } = {},
): Promise<Person> {
  companies += 1
  const name = `Admin ${companies}`
  const email = `admin${companies}-${randomUUID()}@example.com`
  const companyName = `Company ${companies}`
  await register(app, { companyName, contactEmail: email, contactName: name, plan, timeZone })
  return await signIn(app, { email, name })
}

/** Another person of a company, with the role `user`; called as somebody there already, where a test wants it. */
export async function makeStaff(app: TestApp, colleague: Person, name = 'Sam Staff'): Promise<Person> {
  const email = `staff-${randomUUID()}@example.com`
  const passwordHash = await hashOfPassword()
  await app.database.inTenant(colleague.tenantId, async (tx) => {
    const seats = await lockSeats(tx)
    requireSeat(seats)
    await createUser(tx, { email, name, role: 'user', passwordHash })
    await seatUsers(tx, seats.plan)
  })
  return await signIn(app, { email, name })
}

export { password as testPassword, secret as testSecret }
