import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../error-code.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { incarnationOf, isAlive } from './processes.ts'

const patienceMs = 5 * 60_000

async function readHolder(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

function isHeld(holder: string): boolean {
  const [pid = '', incarnation = ''] = holder.split('\n')
  return isAlive(Number(pid)) && incarnationOf(Number(pid)) === incarnation
}

/** False when somebody else has the lock. A link appears whole or not at all, so a lock never lacks its holder. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

async function breakLock(file: string, aside: string, deadHolder: string): Promise<void> {
  try {
    await rename(file, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  // Another starter may have broken the dead lock first, and this one may be its own: put it back.
  if ((await readHolder(aside)) !== deadHolder) await linked(aside, file)
  await rm(aside, { force: true })
}

async function acquire(file: string, own: string, log: (line: string) => void): Promise<void> {
  const deadline = Date.now() + patienceMs
  let waitingFor = ''
  while (!(await linked(own, file))) {
    const holder = await readHolder(file)
    if (holder === null) continue
    if (!isHeld(holder)) {
      await breakLock(file, `${own}-broken`, holder)
      continue
    }
    const pid = holder.split('\n')[0] ?? ''
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `Process ${pid} has been starting this database for five minutes; end it, or delete ${file} if it is another program.`,
      )
    }
    if (waitingFor !== pid) log(`Waiting for process ${pid}, which is starting this database.`)
    waitingFor = pid
    await sleep(50)
  }
}

/** Does the work while no other process (or caller in this one) does it; a lock left by a dead process is broken. */
export async function holdStartLock<T>(
  options: { file: string; log: (line: string) => void },
  work: () => Promise<T>,
): Promise<T> {
  const own = `${options.file}-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await writeFile(own, `${process.pid}\n${incarnationOf(process.pid)}\n`, { mode: 0o644 })
    await acquire(options.file, own, options.log)
  } finally {
    await rm(own, { force: true })
  }
  try {
    return await work()
  } finally {
    await rm(options.file, { force: true })
  }
}
