import { resolve } from 'node:path'
import type pg from 'pg'
import type { Config } from './platform/config.ts'
import {
  ensureAppRole,
  explainMissingLimits,
  requireAppAddress,
  requireHarmlessRole,
} from './platform/db/app-role.ts'
import { createDatabase, isSpread, type Database } from './platform/db/database.ts'
import { requireUtf8 } from './platform/db/encoding.ts'
import { migrate, withStartLock } from './platform/db/migrate.ts'
import { createPool } from './platform/db/pool.ts'
import { createReplica, findSystem, type Replica } from './platform/db/replica.ts'
import { requireServerVersion } from './platform/db/server-version.ts'
import { namedStatement, plainStatement, type StatementMaker } from './platform/db/statements.ts'
import { listTenantIds } from './platform/db/tenant-ids.ts'
import { chooseDataFolder, findDataFolder, systemFolder } from './platform/postgres/data-folder.ts'
import { findRunningPostgres, startEmbeddedPostgres } from './platform/postgres/embedded-postgres.ts'
import { createNotices, type Notices } from './platform/realtime/notices.ts'
import { refuseSecond } from './platform/postgres/embedded-postgres-error.ts'
import { holdInstance, requireUnused } from './platform/postgres/instance-lock.ts'
import { ensureSecret } from './platform/secret.ts'

export type Say = (line: string) => void

type Running = {
  database: Database
  notices: Notices
  secret: string
  /** Where the owner of the database connects, for commands that change tables. */
  ownerUrl: string
  /** The ids of all companies, for commands that go through each of them. */
  listTenants: () => Promise<string[]>
  /** Ends the connections, as soon as what they do is done. */
  disconnect: () => Promise<void>
  /** Stops the database, where it is the embedded one. */
  stop: () => Promise<void>
  /** Both. */
  close: () => Promise<void>
}

type OwnerDatabase = { url: string; stop: () => Promise<void> }

/** The URL of the database's owner: the given server's, or that of the embedded one, started where needed. */
async function ownerDatabase(
  config: Config,
  say: Say,
  settings: Record<string, string> = {},
): Promise<OwnerDatabase> {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, stop: () => Promise.resolve() }
  const dataDir = await chooseDataFolder(resolve(config.DATA_DIR), { instead: systemFolder, say })
  await requireUnused(dataDir)
  // Without its database it can do nothing: systemd and containers start a program that ended, not one that waits.
  const onEnded = () => process.exit(1)
  const server = await startEmbeddedPostgres({ dataDir, settings, log: say, onEnded })
  const release = await holdInstance(server.url)
  if (release === null) {
    server.release()
    throw refuseSecond(dataDir)
  }
  return {
    url: server.url,
    async stop() {
      await release()
      await server.stop()
    },
  }
}

/**
 * The owner's connection for work on the whole database. `alone` keeps the program from starting meanwhile, where the
 * database is the embedded one, and refuses when it runs.
 */
export async function openOwnerDatabase(
  config: Config,
  { say, alone }: { say: Say; alone: boolean },
): Promise<OwnerDatabase> {
  return alone ? await ownerDatabase(config, say) : await ownerDatabaseForCommand(config, say)
}

/** The same for a command beside the program: a server that runs already is used and left running. */
async function ownerDatabaseForCommand(config: Config, say: Say): Promise<OwnerDatabase> {
  if (config.DATABASE_URL !== undefined) return await ownerDatabase(config, say)
  const running = await findRunningPostgres(await findDataFolder(resolve(config.DATA_DIR)))
  return running === null ? await ownerDatabase(config, say) : { url: running, stop: () => Promise.resolve() }
}

/** Migrates as the owner and gives the address the application itself connects by. */
async function prepare(parts: {
  url: string
  secret: string
  migrations: string
  /** Where the operator says the application connects; else a role of its own is made. */
  appUrl: string | undefined
  say: Say
  as: 'program' | 'command'
  onError: (error: Error) => void
}): Promise<string> {
  const owner = createPool({ url: parts.url, size: 2, onError: parts.onError })
  try {
    await requireServerVersion(owner)
    await requireUtf8(owner)
    const work = async () => {
      const applied = await migrate(owner, parts.migrations, parts.say)
      if (applied.length > 0) parts.say(`Database brought up to date (${applied.length} steps).`)
      await owner.query('select make_history_quarters()')
      return parts.appUrl ?? (await ensureAppRole(owner, parts.url, parts))
    }
    return await withStartLock(owner, work, parts.say)
  } finally {
    await owner.end()
  }
}

/** The database brought up and current for nodes of other processes, and its owner's address; an embedded one takes so many connections. */
export async function holdDatabase(
  config: Config,
  { migrations, say, connections }: { migrations: string; say: Say; connections: number },
): Promise<OwnerDatabase> {
  const secret = await ensureSecret(config.JWT_SECRET, config.DATA_DIR)
  const database = await ownerDatabase(config, say, { max_connections: String(connections) })
  const onError = (error: Error) => say(`A database connection was lost: ${error.message}`)
  try {
    const appUrl = config.DATABASE_APP_URL
    await prepare({ ...database, secret, migrations, appUrl, say, onError, as: 'program' })
    return database
  } catch (error) {
    await database.stop()
    throw error
  }
}

async function listTenants(ownerUrl: string): Promise<string[]> {
  const owner = createPool({ url: ownerUrl, size: 1, onError: () => undefined })
  try {
    return await listTenantIds(owner)
  } finally {
    await owner.end()
  }
}

/** The replica of the pool's database, by the application's own role: a replica has the same roles as what it follows. */
export async function openReplica(
  config: Pick<Config, 'DATABASE_REPLICA_URL' | 'DATABASE_POOL_SIZE'>,
  pool: pg.Pool,
  { appUrl, make, onError }: { appUrl: string; make: StatementMaker; onError: (error: Error) => void },
): Promise<Replica | null> {
  if (config.DATABASE_REPLICA_URL === undefined) return null
  const url = new URL(config.DATABASE_REPLICA_URL)
  const { username, password } = new URL(appUrl)
  url.username = username
  url.password = password
  const system = await findSystem(pool)
  const there = createPool({ url: url.href, size: config.DATABASE_POOL_SIZE, onError })
  return createReplica(there, make, { system, onError })
}

/** Throws where the application must not work by this connection; a role of the operator's own may lack limits, and works. */
async function checkRole(pool: pg.Pool, { isOwn, say }: { isOwn: boolean; say: Say }): Promise<void> {
  if (isOwn) return await requireHarmlessRole(pool)
  await requireAppAddress(pool)
  const missing = await explainMissingLimits(pool)
  if (missing !== null) say(`Worth a look: ${missing}`)
}

/** Brings the database up and current, and connects to it as the application's own role. */
export async function openDatabase(
  config: Config,
  parts: { migrations: string; say: Say; as: 'program' | 'command' },
): Promise<Running> {
  const secret = await ensureSecret(config.JWT_SECRET, config.DATA_DIR)
  const open = parts.as === 'program' ? ownerDatabase : ownerDatabaseForCommand
  const { url, stop } = await open(config, parts.say)
  const onError = (error: Error) => parts.say(`A database connection was lost: ${error.message}`)
  try {
    const appUrl = await prepare({ ...parts, url, appUrl: config.DATABASE_APP_URL, secret, onError })
    const pool = createPool({ url: appUrl, size: config.DATABASE_POOL_SIZE, onError })
    await checkRole(pool, { isOwn: config.DATABASE_APP_URL === undefined, say: parts.say })
    const make = config.DATABASE_PREPARED === 'on' ? namedStatement : plainStatement
    const replica = await openReplica(config, pool, { appUrl, make, onError })
    const database = createDatabase(pool, make, { replica, spread: await isSpread(pool) })
    // A pooler in transaction mode cannot listen: then the direct address is used for that, and only that.
    const notices = createNotices({ url: config.DATABASE_APP_URL === undefined ? appUrl : url, onError })
    const disconnect = async () => {
      await notices.close()
      await database.close()
    }
    return {
      database,
      notices,
      secret,
      ownerUrl: url,
      listTenants: () => listTenants(url),
      disconnect,
      stop,
      async close() {
        await disconnect()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
