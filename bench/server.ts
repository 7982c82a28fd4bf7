import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import pg from 'pg'
import { freePort } from '../e2e/program.ts'
import { findServerUser, type OsUser } from '../server/src/platform/postgres/os-user.ts'
import { findProgram } from './programs.ts'

/** A PostgreSQL that is not the program's own. */
type Server = {
  /** A new, empty database of it, by its owner. */
  url: string
  stop: () => Promise<void>
}

const installed = '/usr/lib/postgresql'

/** The path of one of PostgreSQL's programs, the newest of those that Debian's packages brought, or that of PATH; null without one. */
export async function findPostgresProgram(name: string): Promise<string | null> {
  const versions = existsSync(installed) ? await readdir(installed) : []
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a))
  return findProgram(
    name,
    newestFirst.map((version) => join(installed, version, 'bin')),
  )
}

async function getPostgresProgram(name: string): Promise<string> {
  const found = await findPostgresProgram(name)
  if (found !== null) return found
  throw new Error(
    `There is no ${name} in ${installed} or PATH: install PostgreSQL, or name a server in BENCH_DATABASE_URL.`,
  )
}

/** PostgreSQL refuses to run as root. */
async function runAs(user: OsUser | null, program: string, { args, cwd }: { args: string[]; cwd: string }) {
  const identity = user === null ? {} : { uid: user.uid, gid: user.gid }
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], ...identity })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program} ended with ${code}.`)
}

/** Starts a server with the settings it has when it is installed; only its address is its own. */
async function startInstalled(): Promise<Server> {
  const [initdb, control] = [await getPostgresProgram('initdb'), await getPostgresProgram('pg_ctl')]
  const cwd = await mkdtemp(join(tmpdir(), 'inventory-manager-server-'))
  const dataDir = join(cwd, 'data')
  const passwordFile = join(cwd, 'password')
  const password = randomBytes(24).toString('base64url')
  const user = await findServerUser(dataDir)
  await chmod(cwd, 0o700)
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user !== null) for (const path of [cwd, passwordFile]) await chown(path, user.uid, user.gid)
  const secret = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  await runAs(user, initdb, {
    args: ['-D', dataDir, ...secret, '--encoding=UTF8', '--locale=C.UTF-8', '--no-instructions'],
    cwd,
  })
  const port = await freePort()
  const address = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=`
  await runAs(user, control, {
    args: ['start', '-w', '-D', dataDir, '-l', join(cwd, 'log'), '-o', address],
    cwd,
  })
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      await runAs(user, control, { args: ['stop', '-w', '-m', 'fast', '-D', dataDir], cwd })
      await rm(cwd, { recursive: true, force: true })
    },
  }
}

/** A database of its own on a server that runs already; it and all whose names begin like it are dropped at the end. */
async function borrow(serverUrl: string): Promise<Server> {
  const owner = new pg.Pool({ connectionString: serverUrl, max: 1 })
  const name = `inventory_bench_${randomBytes(4).toString('hex')}`
  await owner.query(`create database ${name}`)
  return {
    url: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href,
    async stop() {
      const made = await owner.query('select datname from pg_database where starts_with(datname, $1)', [name])
      for (const { datname } of made.rows) await owner.query(`drop database ${datname} with (force)`)
      const roles = await owner.query('select rolname from pg_roles where strpos(rolname, $1) > 0', [name])
      for (const { rolname } of roles.rows) await owner.query(`drop role ${rolname}`)
      await owner.end()
    },
  }
}

/** The server that BENCH_DATABASE_URL names by a role that may make databases and roles, or else one of this run's own. */
export async function startServer(): Promise<Server> {
  const given = env['BENCH_DATABASE_URL']
  return given === undefined ? await startInstalled() : await borrow(given)
}
