import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCode } from '../error-code.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** The data directory as a real path, and our files in it and beside it. */
export type Layout = {
  dataDir: string
  parent: string
  lockFile: string
  /** Held by a server's processes while they live. */
  heldFile: string
  logFile: string
  passwordFile: string
}

/** The layout of a data directory which itself need not exist, in a parent which must. */
export async function findLayout(wanted: string): Promise<Layout> {
  const dataDir = await realPathOf(resolve(wanted))
  return {
    dataDir,
    parent: dirname(dataDir),
    lockFile: `${dataDir}.lock`,
    heldFile: `${dataDir}.held`,
    logFile: `${dataDir}.log`,
    passwordFile: join(dataDir, 'owner-password'),
  }
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return join(await realpath(dirname(path)), basename(path))
  }
}

/** Makes the directories above the data directory; those made by root can be passed by the server's user. */
export async function makeParents(wanted: string): Promise<void> {
  const parent = dirname(resolve(wanted))
  const firstMade = await mkdir(parent, { recursive: true })
  if (firstMade === undefined || process.getuid?.() !== 0) return
  for (let path = parent; path.length >= firstMade.length; path = dirname(path)) {
    await chmod(path, (await stat(path)).mode | 0o111)
  }
}

/** The password of the database's owner, made when the database was. */
export async function readPassword({ passwordFile }: Layout): Promise<string> {
  const password = (await readFile(passwordFile, 'utf8')).trim()
  if (/^[\w-]{32,}$/.test(password)) return password
  throw new EmbeddedPostgresError(
    `The database's password in ${passwordFile} is damaged; restore that file from a backup.`,
  )
}

export const connectionString = (password: string, port: number): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
