import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stdout } from 'node:process'
import pg from 'pg'
import { freePort, startProgram, type Program } from '../e2e/program.ts'
import { makeCompany, type Company } from './companies.ts'
import { median } from './load.ts'
import { findPostgresProgram, startServer } from './server.ts'

/** What a part measures: the built program with its database, the references beside it, and filled companies. */
export type World = {
  program: Program
  databaseUrl: string
  bareOrigin: string
  companies: readonly Company[]
  /** Path of pgbench where this machine has it. */
  pgbench: string | null
  sql: (statement: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  /** A new, empty database beside the program's, on the same server; its address. */
  makeDatabase: (name: string) => Promise<string>
  close: () => Promise<void>
}

const references = join(import.meta.dirname, 'references')

async function startBare(databaseUrl: string) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['--import', 'tsx', join(references, 'bare.ts')], {
    env: { PATH: process.env['PATH'], PORT: String(port), DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  for (let tries = 0; tries < 200; tries += 1) {
    const answered = await fetch(origin).then(
      () => true,
      () => false,
    )
    if (answered) return { origin, stop: () => void child.kill() }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The bare server did not start.')
}

/** Companies of so many components each, made through the program's own door; known to the planner. */
async function fill(world: Pick<World, 'program' | 'sql'>, size: Size): Promise<Company[]> {
  await world.sql(await readFile(join(references, 'schema.sql'), 'utf8'))
  const companies: Company[] = []
  for (let index = 0; index < size.companies; index += 1) {
    companies.push(await makeCompany(world.program.url, size.components))
  }
  await world.sql('vacuum analyze')
  return companies
}

type Size = { companies: number; components: number }

/** Starts everything, on the embedded database or on a server of PostgreSQL, and makes the companies. */
export async function startWorld(size: Size, { onServer }: { onServer: boolean }): Promise<World> {
  const stops: (() => Promise<void> | void)[] = []
  async function close() {
    for (const stop of stops.splice(0).toReversed()) await stop()
  }
  try {
    const server = onServer ? await startServer() : null
    if (server !== null) stops.push(() => server.stop())
    const program = await startProgram(server === null ? {} : { DATABASE_URL: server.url })
    stops.push(() => program.stop())
    const databaseUrl = await program.databaseUrl()
    const owner = new pg.Pool({ connectionString: databaseUrl, max: 2 })
    stops.push(() => owner.end())
    const sql: World['sql'] = async (statement, values = []) => (await owner.query(statement, values)).rows
    const companies = await fill({ program, sql }, size)
    const bare = await startBare(databaseUrl)
    stops.push(() => bare.stop())
    const pgbench = await findPostgresProgram('pgbench')
    if (pgbench === null) stdout.write('There is no pgbench here: what is measured beside it is left out.\n')
    return {
      program,
      databaseUrl,
      bareOrigin: bare.origin,
      companies,
      pgbench,
      sql,
      async makeDatabase(name) {
        const url = new URL(databaseUrl)
        url.pathname = `${url.pathname}_${name}`
        await sql(`create database ${url.pathname.slice(1)}`)
        return url.href
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The middle of the latencies, in milliseconds, that the threads of a run of pgbench have logged in a folder. */
async function medianLogged(folder: string): Promise<number> {
  const logs = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))
  // Client, transaction, microseconds, and what is of no use here.
  const microseconds = logs.flatMap((log) =>
    Array.from(log.matchAll(/^\d+ \d+ (\d+) /gm), ([, latency]) => Number(latency)),
  )
  return median(microseconds) / 1000
}

/** Transactions a second and their median latency in milliseconds by pgbench, or null where it is not installed. */
export async function runPgbench(
  world: World,
  { script, clients, seconds }: { script: string; clients: number; seconds: number },
): Promise<{ perSecond: number; p50: number } | null> {
  if (world.pgbench === null) return null
  const logs = await mkdtemp(join(tmpdir(), 'inventory-manager-pgbench-'))
  const args = ['-n', '-M', 'prepared', '-f', join(references, script), '-c', String(clients), '-j', '2']
  args.push('-T', String(seconds), '--log', `--log-prefix=${join(logs, 'log')}`)
  const child = spawn(world.pgbench, [...args, world.databaseUrl])
  let said = ''
  child.stdout.on('data', (data: Buffer) => (said += data.toString()))
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  const code = await new Promise((resolve) => child.on('exit', resolve))
  const perSecond = Number(/tps = ([\d.]+)/.exec(said)?.[1])
  if (code !== 0 || Number.isNaN(perSecond)) throw new Error(`pgbench failed:\n${said}`)
  const p50 = await medianLogged(logs)
  await rm(logs, { recursive: true })
  return { perSecond, p50 }
}
