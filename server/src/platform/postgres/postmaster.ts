import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../error-code.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Layout } from './layout.ts'
import { isPostmasterOf, postgresProcessesIn, sendSignal } from './processes.ts'
import { logSize } from './server-log.ts'

export type Postmaster = { pid: number; port: number; isReady: boolean }

const silenceMs = 60_000
const orphanTermMs = 2_000
const orphanKillMs = 10_000

const toNumber = (text: string | undefined) => (/^-?\d+$/.test(text ?? '') ? Math.abs(Number(text)) : 0)

/** What postmaster.pid says; null when there is none. A file that cannot be understood names process 0. */
export function readPostmaster(dataDir: string): Postmaster | null {
  try {
    const lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: toNumber(lines[0]), port: toNumber(lines[3]), isReady: lines[7]?.trim() === 'ready' }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Waits for a server that is coming up. As long as it writes to its log (a long recovery does) it has time. */
export async function waitUntilReady(
  layout: Layout,
  pid: number,
  isRunning: () => boolean,
): Promise<Postmaster | 'gone' | 'silent'> {
  let size = await logSize(layout.logFile)
  let lastSign = Date.now()
  while (Date.now() - lastSign < silenceMs) {
    const postmaster = readPostmaster(layout.dataDir)
    if (postmaster?.pid === pid && postmaster.isReady) return postmaster
    if (!isRunning()) return 'gone'
    await sleep(25)
    const newSize = await logSize(layout.logFile)
    if (newSize !== size) lastSign = Date.now()
    size = newSize
  }
  return 'silent'
}

/** Children that outlive a killed server hold its shared memory; they end by themselves unless they are busy. */
async function urgeOrphans(pids: number[], waitedMs: number, log: (line: string) => void): Promise<void> {
  if (waitedMs > silenceMs) {
    throw new EmbeddedPostgresError(
      `Processes ${pids.join(', ')} of an earlier PostgreSQL do not end; end them with kill -9 and start again.`,
    )
  }
  if (waitedMs > orphanTermMs) {
    const signal = waitedMs > orphanKillMs ? 'SIGKILL' : 'SIGTERM'
    for (const pid of pids) sendSignal(pid, signal)
    log(`Sent ${signal} to processes ${pids.join(', ')} left by a PostgreSQL that was killed.`)
  }
  await sleep(waitedMs > orphanTermMs ? 500 : 50)
}

async function removeStalePostmasterFile(dataDir: string, pid: number): Promise<void> {
  // Read again: a server that a killed starter left behind may have written its own just now.
  if (readPostmaster(dataDir)?.pid === pid) await rm(join(dataDir, 'postmaster.pid'), { force: true })
}

/** The ready server of this directory, waited for if it is starting; null when none is left and one may be started. */
export async function settleExisting(
  layout: Layout,
  log: (line: string) => void,
): Promise<Postmaster | null> {
  const began = Date.now()
  for (;;) {
    const found = readPostmaster(layout.dataDir)
    if (found !== null && isPostmasterOf(found.pid, layout.dataDir)) {
      const isRunning = () => isPostmasterOf(found.pid, layout.dataDir)
      const outcome = await waitUntilReady(layout, found.pid, isRunning)
      if (outcome === 'silent') {
        throw new EmbeddedPostgresError(
          `The PostgreSQL that runs on ${layout.dataDir} (process ${found.pid}) has not become ready for a minute; end it and start again.`,
        )
      }
      if (outcome !== 'gone') return outcome
    }
    const orphans = postgresProcessesIn(layout.dataDir)
    if (orphans.length > 0) {
      await urgeOrphans(orphans, Date.now() - began, log)
      continue
    }
    if (found === null) return null
    await removeStalePostmasterFile(layout.dataDir, found.pid)
    log(
      `Removed the postmaster.pid of process ${found.pid}, which is not a running PostgreSQL of this directory.`,
    )
  }
}
