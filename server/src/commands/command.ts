import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { howMany } from '@inventory-manager/contract/numbers'
import type { z } from '@inventory-manager/contract/zod'
import { findLogin } from '../accounts/queries.ts'
import { readConfig, type Config } from '../platform/config.ts'
import type { Database } from '../platform/db/database.ts'
import { createPool } from '../platform/db/pool.ts'
import { errorCode } from '../platform/error-code.ts'
import { findDataFolder } from '../platform/postgres/data-folder.ts'
import { SentenceError } from '../platform/sentence-error.ts'
import { openDatabase, type Say } from '../start.ts'

/** Where the program's own files are: the same for the sources and for the build. */
export type Installation = { migrations: string; assets: string; version: string; say: Say }

/** What `npm run <name> -- <options>` does. */
export type Command = { usage: string; run: (args: string[], installation: Installation) => Promise<void> }

/** What the command line says is wrong with a call; shown with the usage. */
export class UsageError extends Error {}

/** Why a command does not do what it was asked: one sentence, shown as it is. */
export class CommandError extends SentenceError {}

export const companies = (count: number): string => howMany(count, 'company', 'companies')

/** What is wrong with options, by the schema of them. */
export function wrongOptions({ issues }: z.core.$ZodError): UsageError {
  return new UsageError(issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'))
}

/** The address of --company-of, by which a company is named. */
export function readCompanyOf(given: string | undefined): string {
  if (given === undefined) throw new UsageError('--company-of is missing.')
  return given.trim().toLowerCase()
}

/** The company that somebody signs in to with an address. */
export async function getTenantOf(database: Database, email: string): Promise<string> {
  const login = await findLogin(database.outside, email)
  if (login === null) throw new UsageError(`Nobody here signs in as ${email}.`)
  return login.tenantId
}

/** For commands that take none: throws where any is given. */
export function requireNoArguments(args: string[]): void {
  parseArgs({ args })
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return false
  }
}

/** Whether there is an embedded database; looking makes none. */
export async function hasOwnDatabase(config: Config): Promise<boolean> {
  return await isThere(join(await findDataFolder(resolve(config.DATA_DIR)), 'PG_VERSION'))
}

/** Whether the program has ever worked on a database; a first start that was cut off leaves none of its tables, or one with nothing in it. */
export async function hasWorkedOn(url: string): Promise<boolean> {
  const owner = createPool({ url, size: 1, onError: () => undefined })
  try {
    const { rowCount: tables } = await owner.query(
      `select from pg_class where relname = 'migration_files' and relnamespace = 'public'::regnamespace`,
    )
    if (tables === 0) return false
    const { rowCount: applied } = await owner.query('select from public.migration_files limit 1')
    return applied !== 0
  } finally {
    await owner.end()
  }
}

/** Throws CommandError where nothing is installed: a new, empty installation would answer that all is well. */
export async function requireInstallation(config: Config): Promise<void> {
  const { DATABASE_URL: url, DATA_DIR: folder } = config
  if (url === undefined) {
    if (await hasOwnDatabase(config)) return
    throw new CommandError(
      `There is no database in ${folder}. Run this command with the DATA_DIR or DATABASE_URL of the program.`,
    )
  }
  if (await hasWorkedOn(url)) return
  throw new CommandError(
    'The program has never worked on the database of DATABASE_URL. Run this command with the DATABASE_URL of the program.',
  )
}

type Opened = Awaited<ReturnType<typeof openDatabase>>

/** Does something with the database of this installation, which is made where there is none, and brought up to date first. */
export async function withNewDatabase<T>(
  { migrations, say }: Installation,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await openDatabase(readConfig(), { migrations, say, as: 'command' })
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/** The same with a database that is there; throws CommandError where none is. */
export async function withDatabase<T>(
  installation: Installation,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  await requireInstallation(readConfig())
  return await withNewDatabase(installation, work)
}
