import { spawnSync, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPackage } from './binaries.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { onProcessExit } from './exit-guard.ts'
import { isPostmasterOf, sendSignal } from './processes.ts'
import { startWatchdog } from './watchdog.ts'

/** Our hold on a running server. */
export type Supervision = {
  /** Shuts the server down and waits until it is gone. */
  stop(): Promise<void>
  /** Lets go of the server without stopping it. */
  release(): void
  /** Until it is stopped or let go. */
  isHeld(): boolean
}

type Supervised = {
  pid: number
  dataDir: string
  child: ChildProcess | null
  log: (line: string) => void
}

const fastShutdownMs = 60_000
const immediateShutdownMs = 15_000

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

function isRunning({ pid, dataDir, child }: Supervised): boolean {
  return child === null ? isPostmasterOf(pid, dataDir) : !hasEnded(child)
}

/** SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one, which the next start recovers from. */
function shutDown(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  if (process.platform === 'win32') {
    // Windows has no signals; pg_ctl speaks to the server through a pipe of its own.
    const pgCtl = join(findPackage(), 'native', 'bin', 'pg_ctl.exe')
    spawnSync(pgCtl, ['kill', signal.slice(3), String(pid)], { windowsHide: true })
    return
  }
  sendSignal(pid, signal)
}

async function endsWithin(server: Supervised, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs
  while (isRunning(server)) {
    if (Date.now() > deadline) return false
    await sleep(20)
  }
  return true
}

async function stopServer(server: Supervised): Promise<void> {
  if (!isRunning(server)) return
  shutDown(server.pid, 'SIGINT')
  if (await endsWithin(server, fastShutdownMs)) return
  shutDown(server.pid, 'SIGQUIT')
  if (await endsWithin(server, immediateShutdownMs)) return
  throw new EmbeddedPostgresError(
    `PostgreSQL (process ${server.pid}) does not end; end it with kill -9, its data will be recovered at the next start.`,
  )
}

/** Takes charge of a server: it is stopped on request, and by a signal when this process exits, throws or is killed. */
export function supervise(server: Supervised): Supervision {
  const forget = onProcessExit(() => {
    if (isRunning(server)) shutDown(server.pid, 'SIGINT')
  })
  const callOff = startWatchdog(server.pid, server.log)
  let isReleased = false
  const release = () => {
    isReleased = true
    forget()
    callOff()
  }
  let stopping: Promise<void> | null = null
  return {
    stop() {
      stopping ??= stopServer(server).finally(release)
      return stopping
    },
    release,
    isHeld: () => stopping === null && !isReleased,
  }
}
