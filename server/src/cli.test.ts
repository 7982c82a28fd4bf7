import { execFile } from 'node:child_process'
import { access, chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { startedCommand } from '../test/started.ts'
import { startEmbeddedPostgres } from './platform/postgres/embedded-postgres.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-cli-'))
})
afterAll(() => rm(folder, { recursive: true }))

const ended = z.object({ code: z.int().default(0), stdout: z.string(), stderr: z.string() })

/** A command as `npm run` starts it. */
async function commandWith(settings: Record<string, string>, words: string[]) {
  const environment = { PATH: env['PATH'], ...settings }
  const running = run(process.execPath, [...startedCommand, ...words], { cwd: root, env: environment })
  return ended.parse(await running.catch((error: unknown) => error))
}

/** In an installation that is not there yet, and is not there afterwards. */
async function command(...words: string[]): Promise<z.output<typeof ended>> {
  const data = join(folder, 'data')
  const end = await commandWith({ DATA_DIR: data }, words)
  await expect(access(data)).rejects.toThrow('ENOENT')
  return end
}

it('a command that is asked for help says what it does, and does nothing', async () => {
  const { code, stdout } = await command('doctor', '--help')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^npm run doctor\n/)])
})

it('the help of add-user asks for the address of anybody in the company', async () => {
  const { stdout } = await command('add-user', '--help')
  expect(stdout).toContain('npm run add-user -- --company-of EMAIL_OF_ANYBODY --email EMAIL --name NAME')
})

it.each(['doctor', 'check-ledger', 'demo'])(
  '%s refuses an option that it does not know, and does nothing',
  async (name) => {
    const { code, stderr } = await command(name, '--nonsense')
    expect([code, stderr]).toEqual([1, expect.stringContaining(`'--nonsense'`)])
    expect(stderr).toContain(`npm run ${name}\n`)
  },
)

const forgotten = ['backup FILE', 'verify-audit', 'password-link --email ada@company.com']

it.each(forgotten)(
  '%s says that there is no installation in its data folder, and makes none',
  async (line) => {
    const { code, stdout, stderr } = await command(
      ...line.replace('FILE', join(folder, 'a.backup')).split(' '),
    )
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      `There is no database in ${join(folder, 'data')}. Run this command with the DATA_DIR or DATABASE_URL of the program.\n`,
    ])
  },
)

it('restore-company of a name that is mistyped says so, and makes no database', async () => {
  const admin = ['--email', 'ada@company.com', '--password', 'a good password']
  const { code, stdout, stderr } = await command('restore-company', 'nowhere.zip', ...admin)
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    `nowhere.zip is no archive that can be read: ENOENT: no such file or directory, open 'nowhere.zip'\n`,
  ])
})

it('a command that is given a database in which the program never was says so, and leaves it empty', async () => {
  const maintenance = new pg.Client({ connectionString: inject('ownerUrl') })
  await maintenance.connect()
  const database = `never_${process.pid}`
  await maintenance.query(`create database ${database}`)
  const url = Object.assign(new URL(inject('ownerUrl')), { pathname: `/${database}` }).href
  const settings = { DATABASE_URL: url, DATA_DIR: folder, JWT_SECRET: 'x'.repeat(32) }
  for (const line of forgotten) {
    const words = line.replace('FILE', join(folder, 'b.backup')).split(' ')
    const { code, stderr } = await commandWith(settings, words)
    expect([line, code, stderr]).toEqual([
      line,
      1,
      'The program has never worked on the database of DATABASE_URL. Run this command with the DATABASE_URL of the program.\n',
    ])
  }
  const inside = new pg.Client({ connectionString: url })
  await inside.connect()
  const { rows } = await inside.query(`select from pg_tables where schemaname = 'public'`)
  expect(rows).toEqual([])
  await inside.end()
  await maintenance.query(`drop database ${database}`)
  await maintenance.end()
}, 120_000)

it.each([
  ['before', 'select 1'],
  ['while', 'create table migration_files (name text primary key, hash text not null)'],
])(
  'backup says of a first start that was killed %s it made the tables that there is nothing yet, and makes no file',
  async (_, statement) => {
    const data = await mkdtemp(join(tmpdir(), 'inventory-manager-killed-'))
    // As root the database runs as another user, who must be able to come here.
    await chmod(data, 0o711)
    const server = await startEmbeddedPostgres({ dataDir: join(data, 'postgres'), log: () => undefined })
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query(statement)
    await client.end()
    await server.stop()
    const file = join(data, 'c.backup')
    const { code, stderr } = await commandWith({ DATA_DIR: data }, ['backup', file])
    expect([code, stderr]).toEqual([
      1,
      `There is nothing in the database in ${data} yet: the first start of the program was cut off. Start it again.\n`,
    ])
    expect((await readdir(data)).filter((name) => name.startsWith('c.backup'))).toEqual([])
    await rm(data, { recursive: true })
  },
  120_000,
)
