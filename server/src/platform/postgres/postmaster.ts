import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../error-code.ts'
import { isHeld } from './directory-lock.ts'
import { EmbeddedPostgresError, refuseSecond } from './embedded-postgres-error.ts'
import type { Layout } from './layout.ts'
import { isPostmasterOf, postgresProcessesIn, sendSignal, workOf } from './processes.ts'
import { logSize } from './server-log.ts'

export type Postmaster = { pid: number; port: number; isReady: boolean }

const silenceMs = 60_000
/** The checkpoint that ends a recovery says nothing while it works. */
const mutenessMs = 15 * 60_000
const lookForWorkMs = 1_000
const orphanTermMs = 2_000
const orphanKillMs = 10_000
const heldMs = 5_000

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

/** What a server that is coming up writes to its log, and what it works. */
async function watchSigns(layout: Layout) {
  let size = await logSize(layout.logFile)
  let work = workOf(layout.dataDir)
  let [lastWord, lastWork, lookedAt] = [Date.now(), Date.now(), Date.now()]
  return {
    isAlive: () =>
      Date.now() - lastWord < mutenessMs && Date.now() - Math.max(lastWord, lastWork) < silenceMs,
    async look() {
      const now = Date.now()
      const newSize = await logSize(layout.logFile)
      if (newSize !== size) lastWord = now
      size = newSize
      if (now - lookedAt < lookForWorkMs) return
      lookedAt = now
      const newWork = workOf(layout.dataDir)
      if (newWork !== work) lastWork = now
      work = newWork
    },
  }
}

/**
 * Waits for a server that is coming up. As long as it writes to its log (a long recovery does) it has time, and for a while also
 * where it only works.
 */
export async function waitUntilReady(
  layout: Layout,
  pid: number,
  isRunning: () => boolean,
): Promise<Postmaster | 'gone' | 'silent'> {
  const signs = await watchSigns(layout)
  while (signs.isAlive()) {
    const postmaster = readPostmaster(layout.dataDir)
    if (postmaster?.pid === pid && postmaster.isReady) return postmaster
    if (!isRunning()) return 'gone'
    await sleep(25)
    await signs.look()
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
    // A server that is not to be seen from here, in another container or on another machine, works on these files; or one that
    // was killed is not all gone.
    if (await isHeld(layout.heldFile)) {
      if (Date.now() - began > heldMs) throw refuseSecond(layout.dataDir)
      await sleep(100)
      continue
    }
    if (found === null) return null
    await removeStalePostmasterFile(layout.dataDir, found.pid)
    log(
      `Removed the postmaster.pid of process ${found.pid}, which is not a running PostgreSQL of this directory.`,
    )
  }
}
