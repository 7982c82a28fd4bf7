import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../error-code.ts'
import { prepareBinaries } from './binaries.ts'
import { EmbeddedPostgresError, explainRefusal, remedyFor } from './embedded-postgres-error.ts'
import { ensureDatabase } from './initialise.ts'
import { launchServer, tellOfEnd } from './launch.ts'
import { connectionString, findLayout, makeParents, readPassword, type Layout } from './layout.ts'
import { findServerUser, requireReach } from './os-user.ts'
import { readPostmaster, settleExisting, type Postmaster } from './postmaster.ts'
import { isAlive, isPostmasterOf } from './processes.ts'
import { holdStartLock } from './start-lock.ts'
import { supervise, type Supervision } from './supervision.ts'

export type EmbeddedPostgres = {
  /** Connection string of the database's owner on loopback, such as postgres://postgres:…@127.0.0.1:54321/postgres */
  url: string
  /** False when a server that was already running on this data directory was adopted. */
  started: boolean
  /** Shuts the server down, started or adopted, and resolves when it is gone. */
  stop(): Promise<void>
  /** Lets go of the server without stopping it: it is another program's. */
  release(): void
}

type StartOptions = {
  /** Made when missing. Its parent holds a lock and the server's log besides it. */
  dataDir: string
  /** Further PostgreSQL settings, which win over our defaults. */
  settings?: Record<string, string>
  /** Receives one sentence for each thing done. */
  log: (line: string) => void
  /** Called when the server, started or adopted, ends without being asked to; nothing starts it again. */
  onEnded?: () => void
}

type Running = { url: string; supervision: Supervision; started: boolean }

const passingFaultsMs = 60_000
const watchdogMs = 200
const lookEveryMs = 1_000

/** The server to adopt, looked at twice: it may be dying, or the watchdog of a program killed just now stops it. */
async function findLasting(layout: Layout, log: StartOptions['log']): Promise<Postmaster | null> {
  for (;;) {
    const postmaster = await settleExisting(layout, log)
    if (postmaster === null) return null
    await sleep(watchdogMs)
    const again = readPostmaster(layout.dataDir)
    if (again?.pid !== postmaster.pid || !again.isReady) continue
    if (isPostmasterOf(again.pid, layout.dataDir)) return again
  }
}

type Told = Required<Pick<StartOptions, 'log' | 'onEnded'>>

/** Nobody tells of the end of a server that is no child of this process. */
function keepLooking(pid: number, supervision: Supervision, told: Told): void {
  const looking = setInterval(() => {
    if (supervision.isHeld() && isAlive(pid)) return
    clearInterval(looking)
    tellOfEnd(supervision, told)
  }, lookEveryMs)
  looking.unref()
}

async function adopt(layout: Layout, told: Told): Promise<Running | null> {
  const { log } = told
  const postmaster = await findLasting(layout, log)
  if (postmaster === null) return null
  const url = connectionString(await readPassword(layout), postmaster.port)
  const supervision = supervise({ pid: postmaster.pid, dataDir: layout.dataDir, child: null, log })
  keepLooking(postmaster.pid, supervision, told)
  log(`Adopted the PostgreSQL that runs on 127.0.0.1:${postmaster.port} (process ${postmaster.pid}).`)
  return { url, supervision, started: false }
}

async function adoptOrLaunch(
  layout: Layout,
  { settings = {}, log, onEnded = () => undefined }: StartOptions,
): Promise<Running> {
  const adopted = await adopt(layout, { log, onEnded })
  if (adopted !== null) return adopted

  const user = await findServerUser(layout.dataDir)
  await requireReach(user, layout)
  const binaries = await prepareBinaries({ parent: layout.parent, user, log })
  await ensureDatabase({ layout, binaries, user, log })
  const password = await readPassword(layout)
  const began = Date.now()
  let complaint = ''
  for (;;) {
    const launched = await launchServer({ layout, binaries, user, settings, log, onEnded })
    if (launched.outcome === 'ready') {
      const { postmaster, supervision } = launched
      const asWhom = user === null ? '' : ` as the user ${user.name}`
      log(`Started PostgreSQL ${binaries.version} on 127.0.0.1:${postmaster.port}${asWhom}.`)
      return { url: connectionString(password, postmaster.port), supervision, started: true }
    }
    if (Date.now() - began > passingFaultsMs) {
      throw new EmbeddedPostgresError(
        `PostgreSQL could not be started on ${layout.dataDir}: ${launched.complaint}; ${remedyFor(launched.complaint)}.`,
      )
    }
    if (complaint !== launched.complaint) log(`Trying again to start PostgreSQL: ${launched.complaint}.`)
    complaint = launched.complaint
    await sleep(200)
    const other = await adopt(layout, { log, onEnded })
    if (other !== null) return other
  }
}

/**
 * Starts the PostgreSQL that npm brought on this data directory, or adopts the one that runs there already, and
 * resolves when it accepts connections. Whoever started or adopted it stops it; exiting does so too.
 * Rejects with EmbeddedPostgresError when the system, the disk or the directory does not allow it.
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  try {
    await makeParents(options.dataDir)
    const layout = await findLayout(options.dataDir)
    const lock = { file: layout.lockFile, log: options.log }
    const { url, started, supervision } = await holdStartLock(lock, () => adoptOrLaunch(layout, options))
    return {
      url,
      started,
      stop: async () => {
        await supervision.stop()
        options.log('Stopped PostgreSQL.')
      },
      release: () => supervision.release(),
    }
  } catch (error) {
    throw explainRefusal(error, options.dataDir)
  }
}

/**
 * The connection string of the server that runs on this data directory now, or null, for commands run beside the
 * program. They never start or stop it.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | null> {
  try {
    const layout = await findLayout(dataDir)
    const postmaster = readPostmaster(layout.dataDir)
    if (postmaster?.isReady !== true || !isPostmasterOf(postmaster.pid, layout.dataDir)) return null
    return connectionString(await readPassword(layout), postmaster.port)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw explainRefusal(error, dataDir)
  }
}
