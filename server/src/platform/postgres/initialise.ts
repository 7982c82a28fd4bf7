import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, open, readFile, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { explainSpawnFault, type Binaries } from './binaries.ts'
import { EmbeddedPostgresError, remedyFor } from './embedded-postgres-error.ts'
import { onProcessExit } from './exit-guard.ts'
import type { Layout } from './layout.ts'
import { giveTree, type OsUser } from './os-user.ts'
import { lastComplaint } from './server-log.ts'
import { spawnOptions } from './spawn-options.ts'

type Context = { layout: Layout; binaries: Binaries; user: OsUser | null; log: (line: string) => void }

async function listEntries(directory: string): Promise<string[] | null> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Whether there is no database yet; throws when what is there is not a database of ours. */
async function isVacant({ layout, binaries }: Context): Promise<boolean> {
  const { dataDir, passwordFile } = layout
  const entries = await listEntries(dataDir)
  if (entries === null || entries.length === 0) return true
  if (!entries.includes('PG_VERSION')) {
    throw new EmbeddedPostgresError(
      `${dataDir} holds other files than a database; empty it, or set DATA_DIR to another directory.`,
    )
  }
  if (!entries.includes(basename(passwordFile))) {
    throw new EmbeddedPostgresError(
      `The database in ${dataDir} lacks our file ${basename(passwordFile)}; restore it from a backup, or set DATABASE_URL to a PostgreSQL server of your own.`,
    )
  }
  const major = (await readFile(join(dataDir, 'PG_VERSION'), 'utf8')).trim()
  if (major === binaries.major) return false
  throw new EmbeddedPostgresError(
    `The database in ${dataDir} was made by PostgreSQL ${major} and this program brings PostgreSQL ${binaries.major}; back it up with the version of the program that made it (npm run backup), move that folder aside, and bring it in with this one (npm run restore).`,
  )
}

async function removeLeftovers({ layout, log }: Context): Promise<void> {
  const prefix = `${basename(layout.dataDir)}.init-`
  const leftovers = (await readdir(layout.parent)).filter((name) => name.startsWith(prefix))
  for (const name of leftovers) {
    // The abandoned initdb may still be writing for a moment, hence the retries.
    await rm(join(layout.parent, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    log(`Removed ${name}, the rest of an initialisation that was interrupted.`)
  }
}

async function removeEmpty(dataDir: string): Promise<void> {
  try {
    await rmdir(dataDir)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return
    if (code !== 'EBUSY') throw error
    throw new EmbeddedPostgresError(
      `${dataDir} is itself a mounted volume; mount the volume on its parent directory.`,
    )
  }
}

async function writeSecret(file: string, secret: string, user: OsUser | null): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(`${secret}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (user !== null) await chown(file, user.uid, user.gid)
}

async function runInitdb(context: Context, directory: string, passwordFile: string): Promise<void> {
  const args = [
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--no-instructions',
  ]
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const child = spawn(context.binaries.initdb, ['-D', directory, ...args, ...locale], {
    ...spawnOptions(context.user, context.layout.parent),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const forgetChild = onProcessExit(() => child.kill())
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  try {
    await once(child, 'close').catch((error: unknown) => {
      throw explainSpawnFault(error)
    })
  } finally {
    forgetChild()
  }
  if (child.exitCode === 0) return
  const complaint = lastComplaint(complaints) ?? `initdb ended with ${child.signalCode ?? child.exitCode}`
  throw new EmbeddedPostgresError(
    `PostgreSQL could not create a database in ${context.layout.dataDir}: ${complaint}; ${remedyFor(complaint)}.`,
  )
}

async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function createDatabase(context: Context): Promise<void> {
  const { layout, user } = context
  const unfinished = `${layout.dataDir}.init-${process.pid}`
  const passwordFile = `${unfinished}.password`
  const began = Date.now()
  await removeEmpty(layout.dataDir)
  try {
    await mkdir(unfinished, { mode: 0o700 })
    if (user !== null) await chown(unfinished, user.uid, user.gid)
    await writeSecret(passwordFile, randomBytes(24).toString('base64url'), user)
    await runInitdb(context, unfinished, passwordFile)
    await rename(passwordFile, join(unfinished, basename(layout.passwordFile)))
    await syncDirectory(unfinished)
    await rename(unfinished, layout.dataDir)
    await syncDirectory(layout.parent)
  } finally {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 3 })
    await rm(passwordFile, { force: true })
  }
  context.log(`Created a new database in ${layout.dataDir} in ${((Date.now() - began) / 1000).toFixed(1)} s.`)
}

async function takePossession({ layout, user, log }: Context): Promise<void> {
  if (process.platform === 'win32') return
  const uid = user?.uid ?? process.getuid?.()
  const probes = [layout.dataDir, layout.passwordFile, join(layout.dataDir, 'PG_VERSION')]
  const owners = await Promise.all(probes.map(async (path) => (await stat(path)).uid))
  const isOurs = owners.every((owner) => owner === uid)
  if (!isOurs && user === null) {
    throw new EmbeddedPostgresError(
      `The database in ${layout.dataDir} belongs to another user; start this program as that user or give it the directory with chown -R.`,
    )
  }
  if (!isOurs && user !== null) {
    await giveTree(user, layout.dataDir)
    log(`Gave ${layout.dataDir} to the user ${user.name}, who runs PostgreSQL.`)
  }
  // PostgreSQL refuses a directory that others can read, as restored backups and some volumes have it.
  if (((await stat(layout.dataDir)).mode & 0o027) !== 0) await chmod(layout.dataDir, 0o700)
}

/** Makes sure that the data directory holds a database which the server's user owns. A half-made one never counts. */
export async function ensureDatabase(context: Context): Promise<void> {
  await removeLeftovers(context)
  if (await isVacant(context)) await createDatabase(context)
  else await takePossession(context)
}
