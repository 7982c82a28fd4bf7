import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { freePort, startProgram, type Program } from '../e2e/program.ts'
import { makeCompany, type Company } from './companies.ts'

/** What a part measures: the built program with its database, the references beside it, and filled companies. */
export type World = {
  program: Program
  databaseUrl: string
  bareOrigin: string
  companies: readonly Company[]
  /** Path of pgbench where this machine has it. */
  pgbench: string | null
  sql: (statement: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  close: () => Promise<void>
}

const references = join(import.meta.dirname, 'references')

async function findPgbench(): Promise<string | null> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const found = versions
    .map((version) => join('/usr/lib/postgresql', version, 'bin', 'pgbench'))
    .find(existsSync)
  return found ?? null
}

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
    if (answered) return { origin, stop: () => child.kill() }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The bare server did not start.')
}

/** Starts everything: `companies` of `components` each are made through the program's own door. */
export async function startWorld(size: { companies: number; components: number }): Promise<World> {
  const program = await startProgram()
  const databaseUrl = await program.databaseUrl()
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  const sql = async (statement: string, values: unknown[] = []) => (await owner.query(statement, values)).rows
  await sql(await readFile(join(references, 'schema.sql'), 'utf8'))
  const companies: Company[] = []
  for (let index = 0; index < size.companies; index += 1) {
    companies.push(await makeCompany(program.url, size.components))
  }
  await sql('vacuum analyze')
  const bare = await startBare(databaseUrl)
  return {
    program,
    databaseUrl,
    bareOrigin: bare.origin,
    companies,
    pgbench: await findPgbench(),
    sql,
    async close() {
      bare.stop()
      await owner.end()
      await program.stop()
    },
  }
}

/** Transactions a second and their mean latency in milliseconds by pgbench, or null where it is not installed. */
export async function runPgbench(
  world: World,
  { script, clients, seconds }: { script: string; clients: number; seconds: number },
): Promise<{ perSecond: number; mean: number } | null> {
  if (world.pgbench === null) return null
  const args = ['-n', '-M', 'prepared', '-f', join(references, script), '-c', String(clients), '-j', '2']
  const child = spawn(world.pgbench, [...args, '-T', String(seconds), world.databaseUrl])
  let said = ''
  child.stdout.on('data', (data: Buffer) => (said += data.toString()))
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  const code = await new Promise((resolve) => child.on('exit', resolve))
  const perSecond = Number(/tps = ([\d.]+)/.exec(said)?.[1])
  const mean = Number(/latency average = ([\d.]+) ms/.exec(said)?.[1])
  if (code !== 0 || Number.isNaN(perSecond)) throw new Error(`pgbench failed:\n${said}`)
  return { perSecond, mean }
}
