import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/platform/postgres/embedded-postgres.ts'
import { readPostmaster } from '../../src/platform/postgres/postmaster.ts'
import { isPostmasterOf, sendSignal } from '../../src/platform/postgres/processes.ts'
import { startProxy } from './proxy.ts'

/** A PostgreSQL with all its durability, which may be struck down. */
export type MortalDatabase = {
  /** Whom its files belong to. */
  user: { uid: number; gid: number }
  /** Makes an empty database, in a folder of its own where one is given; its owner's address stays the same over restarts. */
  create(name: string, folder?: string): Promise<string>
  /** Runs a statement as the owner, past the proxy. */
  read(url: string, statement: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** Stops the server at once, without a word to anybody, and starts it again. */
  restartAtOnce(): Promise<void>
  /** Starts the server again where it has ended by itself. */
  startAgain(): Promise<void>
  /** What the server has written down since it was made. */
  log(): Promise<string>
  /** Cuts every connection to it. */
  cut(): void
  /** Lets the network swallow whatever is sent, for so many ms; connections of that time stay dead. */
  swallowFor(ms: number): Promise<void>
  stop(): Promise<void>
}

async function query(url: string, statement: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows
  } finally {
    const ended = once(client, 'end')
    await client.end()
    await ended
  }
}

/** Puts the write-ahead log of a server that is not running elsewhere. */
async function moveLog(dataDir: string, folder: string): Promise<void> {
  const { uid, gid } = await stat(dataDir)
  await chown(folder, uid, gid)
  const [log, place] = [join(dataDir, 'pg_wal'), join(folder, 'pg_wal')]
  // As root, so that all of it goes on belonging to the server's user.
  execFileSync('mv', [log, place])
  await symlink(place, log)
}

/** @param options `logFolder`: where its write-ahead log is kept, apart from the data */
export async function startMortalDatabase({
  logFolder,
}: { logFolder?: string } = {}): Promise<MortalDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-faults-'))
  // As root the database runs as another user, who must be able to get there.
  await chmod(folder, 0o711)
  const dataDir = join(folder, 'postgres')
  const start = () => startEmbeddedPostgres({ dataDir, log: () => undefined })
  let server = await start()
  if (logFolder !== undefined) {
    await server.stop()
    await moveLog(dataDir, logFolder)
    server = await start()
  }
  const proxy = await startProxy(Number(new URL(server.url).port))
  const direct = (url: string) => {
    const address = new URL(url)
    address.port = new URL(server.url).port
    return address.href
  }
  const { uid, gid } = await stat(dataDir)

  async function startAgain(): Promise<void> {
    server = await start()
    proxy.leadTo(Number(new URL(server.url).port))
  }

  return {
    user: { uid, gid },
    async create(name, ownFolder) {
      if (ownFolder !== undefined)
        await query(server.url, `create tablespace ${name} location '${ownFolder}'`)
      await query(
        server.url,
        `create database ${name}${ownFolder === undefined ? '' : ` tablespace ${name}`}`,
      )
      const url = new URL(server.url)
      url.port = String(proxy.port)
      url.pathname = `/${name}`
      return url.href
    },
    read: (url, statement, values) => query(direct(url), statement, values),
    async restartAtOnce() {
      const { pid = 0 } = readPostmaster(dataDir) ?? {}
      sendSignal(pid, 'SIGQUIT')
      while (isPostmasterOf(pid, dataDir)) await sleep(5)
      await startAgain()
    },
    startAgain,
    log: () => readFile(`${dataDir}.log`, 'utf8'),
    cut: () => proxy.cut(),
    async swallowFor(ms) {
      proxy.swallow()
      await sleep(ms)
      proxy.heal()
    },
    async stop() {
      await proxy.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
