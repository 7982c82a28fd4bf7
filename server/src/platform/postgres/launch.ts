import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { explainSpawnFault, type Binaries } from './binaries.ts'
import { heldComplaint, holdingCommand, openLock } from './directory-lock.ts'
import { EmbeddedPostgresError, remedyFor } from './embedded-postgres-error.ts'
import type { Layout } from './layout.ts'
import type { OsUser } from './os-user.ts'
import { waitUntilReady, type Postmaster } from './postmaster.ts'
import { describeFullDisk, lastComplaint, openLog, readLogFrom } from './server-log.ts'
import { spawnOptions } from './spawn-options.ts'
import { hasEnded, supervise, type Supervision } from './supervision.ts'

type LaunchOptions = {
  layout: Layout
  binaries: Binaries
  user: OsUser | null
  settings: Record<string, string>
  log: (line: string) => void
  /** Called when the server ends without being asked to. */
  onEnded: () => void
}

type Launched = { outcome: 'ready'; postmaster: Postmaster; supervision: Supervision }
type OpenFiles = { log: FileHandle; lock: FileHandle | null }
type TryAgain = { outcome: 'try again'; complaint: string }

/** Faults that pass: the port was taken meanwhile, another server is ending or starting on this directory. */
const passingFaults = new RegExp(
  `could not create any TCP/IP sockets|lock file "postmaster.pid" already exists|shared memory block|${heldComplaint}`,
)

async function findFreePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address !== null && typeof address === 'object') return address.port
  throw new EmbeddedPostgresError('No free port was found on 127.0.0.1; close some programs and start again.')
}

function defaultSettings(): Record<string, string> {
  const limit = process.constrainedMemory()
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return {
    max_connections: '100',
    shared_buffers: memory > 4 * 1024 ** 3 ? '256MB' : '128MB',
    jit: 'off',
    wal_compression: 'on',
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    password_encryption: 'scram-sha-256',
  }
}

function serverArguments({ layout, settings }: LaunchOptions, port: number): string[] {
  const all = {
    ...defaultSettings(),
    ...settings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
  }
  return ['-D', layout.dataDir, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** Detached, so that the server outlives a killed parent; its log is a file because a pipe would end with the parent. */
function spawnServer(options: LaunchOptions, port: number, { log, lock }: OpenFiles): ChildProcess {
  const { binaries, layout, user } = options
  try {
    return spawn(...holdingCommand(binaries.postgres, serverArguments(options, port)), {
      ...spawnOptions(user, layout.parent),
      detached: true,
      stdio: ['ignore', log.fd, log.fd, ...(lock === null ? [] : [lock.fd])],
    })
  } catch (error) {
    throw explainSpawnFault(error)
  }
}

async function waitForChild(layout: Layout, child: ChildProcess): Promise<Postmaster | 'gone' | 'silent'> {
  await once(child, 'spawn').catch((error: unknown) => {
    throw explainSpawnFault(error)
  })
  return waitUntilReady(layout, child.pid ?? 0, () => !hasEnded(child))
}

/** What the shell says by its code of a program that it cannot run (POSIX, 2.8.2). */
const shellFaults = new Map([
  [126, 'EACCES'],
  [127, 'ENOENT'],
])

async function explainFailure(layout: Layout, written: string, outcome: 'gone' | 'silent'): Promise<Error> {
  const last = outcome === 'silent' ? 'it was not ready after a minute' : lastComplaint(written)
  // On a full disk PostgreSQL may not even be able to log why it failed.
  const fullDisk = last?.includes('No space left') === true ? null : await describeFullDisk(layout.parent)
  const complaint = [last, fullDisk].filter((part) => part !== null).join(' / ')
  return new EmbeddedPostgresError(
    `PostgreSQL could not be started on ${layout.dataDir}: ${complaint || 'it gave no reason'}; ${remedyFor(complaint)} (its log is ${layout.logFile}).`,
  )
}

/** What is done when a server has ended. */
export function tellOfEnd(
  supervision: Supervision,
  { log, onEnded }: Pick<LaunchOptions, 'log' | 'onEnded'>,
): void {
  if (!supervision.isHeld()) return
  supervision.release()
  log('PostgreSQL ended without being asked to; start this program again.')
  onEnded()
}

function keepWatch(child: ChildProcess, supervision: Supervision, options: LaunchOptions): void {
  child.unref()
  child.once('exit', () => tellOfEnd(supervision, options))
}

/** A server that hangs while it starts does not answer gentler signals; the next start recovers from this one. */
function giveUp(child: ChildProcess, supervision: Supervision): void {
  supervision.release()
  child.unref()
  if (!hasEnded(child)) child.kill('SIGKILL')
}

async function launchOnPort(
  options: LaunchOptions,
  port: number,
  files: OpenFiles,
): Promise<Launched | TryAgain> {
  const { layout } = options
  const position = (await files.log.stat()).size
  const child = spawnServer(options, port, files)
  const supervision = supervise({ pid: child.pid ?? 0, dataDir: layout.dataDir, child, log: options.log })
  let postmaster: Postmaster | 'gone' | 'silent' = 'gone'
  try {
    postmaster = await waitForChild(layout, child)
    if (typeof postmaster !== 'string') {
      keepWatch(child, supervision, options)
      return { outcome: 'ready', postmaster, supervision }
    }
    const fault = shellFaults.get(child.exitCode ?? 0)
    if (fault !== undefined) throw explainSpawnFault(Object.assign(new Error(fault), { code: fault }))
    const written = await readLogFrom(layout.logFile, position)
    if (postmaster === 'gone' && passingFaults.test(written)) {
      return { outcome: 'try again', complaint: lastComplaint(written) ?? '' }
    }
    throw await explainFailure(layout, written, postmaster)
  } finally {
    if (typeof postmaster === 'string') giveUp(child, supervision)
  }
}

/** Starts the server and waits until it accepts connections; from its first moment on it is stopped with this process. */
export async function launchServer(options: LaunchOptions): Promise<Launched | TryAgain> {
  const port = await findFreePort()
  const log = await openLog(options.layout.logFile, options.user)
  const lock = await openLock(options.layout.heldFile, options.user)
  try {
    return await launchOnPort(options, port, { log, lock })
  } finally {
    await log.close()
    await lock?.close()
  }
}
