import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { wholeNumber } from '@inventory-manager/contract/numbers'
import { keepDoing, type Background } from '../background.ts'
import { onlyRow } from '../db/only-row.ts'
import { megabytes } from '../megabytes.ts'
import type { BackupMeasures } from '../metrics/backup-measures.ts'
import { explainWriting } from './backup-file.ts'
import { backUp, type Source } from './dump.ts'
import { findNewest, isDue, listBegun, listSurplus, nameAt } from './kept.ts'
import { connectForLong } from './tables.ts'

const lookEveryMs = 60_000
const againAfterMs = 3_600_000
const lockKey = 7_238_104_553

type Nightly = {
  folder: string
  source: Source
  say: (line: string) => void
  /** A fault, as a sentence. */
  explain: (error: unknown) => string
  measures: BackupMeasures
}

/** The names in the folder; how old the newest backup is goes to the measures. */
async function list({ folder, measures }: Nightly): Promise<string[]> {
  try {
    const names = await readdir(folder)
    measures.found(findNewest(names, new Date()))
    return names
  } catch (error) {
    throw explainWriting(error, join(folder, nameAt(new Date())))
  }
}

async function remove(folder: string, names: string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true })
}

/** Does the work unless another node of this database is at it. */
async function alone(ownerUrl: string, work: () => Promise<void>): Promise<void> {
  const client = await connectForLong(ownerUrl)
  // Only holds the lock: without it a second backup is made at worst.
  client.on('error', (error) => void error)
  try {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [
      lockKey,
    ])
    if (onlyRow(rows).free) await work()
  } finally {
    await client.end()
  }
}

async function makeOne(nightly: Nightly, signal: AbortSignal): Promise<void> {
  const { folder, source, say } = nightly
  // Another node may have made it meanwhile.
  const names = await list(nightly)
  const now = new Date()
  if (!isDue(names, now)) return
  await remove(folder, listBegun(names))
  signal.throwIfAborted()
  const file = join(folder, nameAt(now))
  const { rows, tables, bytes } = await backUp(file, source, signal)
  say(`Backed up ${wholeNumber(rows)} rows of ${tables} tables into ${file} (${megabytes(bytes)}).`)
  await remove(folder, listSurplus(await list(nightly)))
}

/**
 * Makes a backup a night, and at once where the last night has none; old ones go when a new one is whole. What fails is
 * said, and tried again an hour later. Any number of nodes may do this with one folder: one of them makes it. Stopping
 * breaks a backup off.
 */
export function keepBackingUp(nightly: Nightly): Background {
  const stopping = new AbortController()
  let notBefore = 0
  const doing = keepDoing({
    pauseMs: lookEveryMs,
    // The folder is looked at in the hour after a failure too: another node may make the backup.
    look: async () => isDue(await list(nightly), new Date()) && Date.now() >= notBefore,
    async work(due) {
      if (due) await alone(nightly.source.ownerUrl, () => makeOne(nightly, stopping.signal))
    },
    onError(error) {
      if (stopping.signal.aborted || Date.now() < notBefore) return
      notBefore = Date.now() + againAfterMs
      nightly.measures.failed()
      nightly.say(`The nightly backup was not made; it is tried again in an hour. ${nightly.explain(error)}`)
    },
  })
  return {
    async stop() {
      stopping.abort()
      await doing.stop()
    },
  }
}
