import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { access, chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { findRunningPostgres, startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { incarnationOf, postgresProcessesIn, sendSignal } from './processes.ts'

/** A folder with a database that was made and stopped. */
let made: string
let folder: string
let dataDir: string
let lines: string[]
let databases: EmbeddedPostgres[]
let children: ChildProcess[]

async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'embedded-postgres-'))
  // As root the server runs as another user, who must be able to come here.
  await chmod(path, 0o755)
  return path
}

beforeAll(async () => {
  made = await makeFolder()
  const database = await startEmbeddedPostgres({
    dataDir: join(made, 'data', 'postgres'),
    log: () => undefined,
  })
  await database.stop()
})

afterAll(async () => {
  await rm(made, { recursive: true, force: true })
})

beforeEach(async () => {
  folder = await makeFolder()
  dataDir = join(folder, 'data', 'postgres')
  lines = []
  databases = []
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const database of databases) await database.stop()
  for (const pid of [...serverProcesses(), ...postgresProcessesIn(dataDir)]) sendSignal(pid, 'SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** Leaves a database in the test's directory as if it had been started and stopped there before: making one takes seconds. */
function copyDatabase(): void {
  execFileSync('cp', ['-a', join(made, 'data'), folder])
}

async function start(settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const log = (line: string) => void lines.push(line)
  const onEnded = () => void lines.push('ENDED')
  const database = await startEmbeddedPostgres({ dataDir, settings, log, onEnded })
  databases.push(database)
  return database
}

/** Another process of the program: starts the database, prints how, then does what it is told. */
function startElsewhere(afterwards = 'setInterval(() => {}, 1000)'): ChildProcess {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('embedded-postgres.ts', import.meta.url).href)}
    const log = (line) => console.log(line)
    const database = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log })
    console.log(database.started ? 'WAS STARTED' : 'WAS ADOPTED')
    ${afterwards}`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  children.push(child)
  return child
}

async function outputUntil(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk)
    if (pattern.test(output)) return output
  }
  throw new Error(`The child ended without printing ${String(pattern)}: ${output}`)
}

/** What a start leaves beside the data; the programs are copied there where the database's user cannot read them. */
async function filesBeside(dataDir: string): Promise<string[]> {
  const names = await readdir(dirname(dataDir))
  // Where it was removed, two could make it anew at the same moment and hold one each.
  return names.filter((name) => !name.startsWith('postgres-bin-') && name !== 'postgres.held').toSorted()
}

async function killAndWait(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

function processesWith(text: string): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,stat=,args='], { encoding: 'utf8' })
  const found = stdout.split('\n').filter((line) => line.includes(text) && !/^\s*\d+\s+Z/.test(line))
  return found.map((line) => Number.parseInt(line, 10))
}

/** Servers of the test's directory, as the system lists them. */
const serverProcesses = () => processesWith(`postgres -D ${dataDir}`)

/** Takes a program's watchdog away, and tells which server it watched. */
function killWatchdog(): number | undefined {
  const [server] = serverProcesses()
  for (const pid of processesWith(`inventory-manager-watchdog ${server}`)) process.kill(pid, 'SIGKILL')
  return server
}

/** Kills a program and its watchdog, as the system does when it ends a whole service. */
async function leaveServerBehind(): Promise<number | undefined> {
  const program = startElsewhere()
  await outputUntil(program, /WAS STARTED/)
  const server = killWatchdog()
  await killAndWait(program)
  return server
}

async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('Waited in vain for a minute.')
    await sleep(10)
  }
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

test('a new database answers, and nothing of it runs after it was stopped', async () => {
  const database = await start()

  expect(database.started).toBe(true)
  expect(database.url).toMatch(/^postgres:\/\/postgres:[\w-]{32}@127\.0\.0\.1:\d+\/postgres$/)
  expect(await query(database.url, 'select 1')).toEqual([1])
  expect(serverProcesses()).toHaveLength(1)

  await database.stop()
  expect(serverProcesses()).toEqual([])
  expect(await filesBeside(dataDir)).toEqual(['postgres', 'postgres.log'])
})

test('the server is durable, listens on loopback only and sorts the same on every system', async () => {
  const { url } = await start({ max_connections: '37' })

  const names = [
    'fsync',
    'synchronous_commit',
    'full_page_writes',
    'listen_addresses',
    'unix_socket_directories',
  ]
  const more = ['max_connections', 'jit', 'TimeZone', 'server_encoding', 'password_encryption']
  const shown = [...names, ...more].map((name) => `current_setting('${name}')`).join(', ')
  const values = ['on', 'on', 'on', '127.0.0.1', '', '37', 'off', 'UTC', 'UTF8', 'scram-sha-256']
  expect(await query(url, `select ${shown}`)).toEqual(values)
  const locale =
    'select datlocprovider, datlocale, datcollate from pg_database where datname = current_database()'
  expect(await query(url, locale)).toEqual(['b', 'C.UTF-8', 'C'])
})

test('nobody gets in without the password, which only the owner of the data may read', async () => {
  const { url } = await start()

  await expect(query(url.replace(/:[\w-]{32}@/, ':guess@'), 'select 1')).rejects.toThrow(
    'password authentication failed for user "postgres"',
  )
  expect((await stat(join(dataDir, 'owner-password'))).mode & 0o777).toBe(0o600)
})

test('a second start on the same directory finds the data', async () => {
  const first = await start()
  await query(first.url, 'create table kept as select 42 as value')
  await first.stop()

  const second = await start()
  expect(second.started).toBe(true)
  expect(await query(second.url, 'select value from kept')).toEqual([42])
})

test('after kill -9 of the server with a connection open the next start recovers what was committed', async () => {
  copyDatabase()
  const first = await start()
  const client = new Client({ connectionString: first.url })
  client.on('error', (error) => lines.push(error.message))
  await client.connect()
  await client.query('create table kept as select 43 as value')
  for (const pid of serverProcesses()) process.kill(pid, 'SIGKILL')

  const second = await start()
  expect(second.started).toBe(true)
  expect(await query(second.url, 'select value from kept')).toEqual([43])
  expect(await readFile(`${dataDir}.log`, 'utf8')).toContain('automatic recovery in progress')
  expect(lines).toContain('PostgreSQL ended without being asked to; start this program again.')
})

test('a query that outlives its killed server is ended before the next start', async () => {
  copyDatabase()
  const first = await start()
  const client = new Client({ connectionString: first.url })
  await client.connect()
  const ended = client
    .query('select count(*) from (select generate_series(1, 1000000000000)) as endless')
    .catch(String)
  client.on('error', (error) => lines.push(error.message))
  const running = `select 1 from pg_stat_activity where state = 'active' and query like '%as endless' and pid <> pg_backend_pid()`
  await waitUntil(async () => (await query(first.url, running)).length > 0)
  for (const pid of serverProcesses()) process.kill(pid, 'SIGKILL')

  const second = await start()
  expect(await ended).toContain('terminating connection due to administrator command')
  expect(second.started).toBe(true)
  expect(await query(second.url, 'select 1')).toEqual([1])
})

test('a server left behind by a killed program is adopted, and stopped by the one that adopted it', async () => {
  copyDatabase()
  const server = await leaveServerBehind()
  expect(serverProcesses()).toEqual([server])

  const database = await start()
  expect(database.started).toBe(false)
  expect(await query(database.url, 'select 1')).toEqual([1])
  expect(serverProcesses()).toEqual([server])

  await database.stop()
  expect(serverProcesses()).toEqual([])
})

test('the end of a server that was adopted is told, as of one that was started', async () => {
  copyDatabase()
  const server = await leaveServerBehind()
  const database = await start()
  expect(database.started).toBe(false)

  process.kill(server ?? 0, 'SIGKILL')
  await waitUntil(() => lines.includes('ENDED'))
  expect(lines).toContain('PostgreSQL ended without being asked to; start this program again.')
})

test('a program killed without warning leaves no server running', async () => {
  copyDatabase()
  const program = startElsewhere()
  await outputUntil(program, /WAS STARTED/)
  await killAndWait(program)

  await waitUntil(() => serverProcesses().length === 0)
  expect(await readFile(`${dataDir}.log`, 'utf8')).toContain('database system is shut down')
})

test('a start at once after a kill never takes over the server that is being stopped', async () => {
  copyDatabase()
  const program = startElsewhere()
  await outputUntil(program, /WAS STARTED/)
  const [server] = serverProcesses()
  const watchdogs = processesWith(`inventory-manager-watchdog ${server}`)
  for (const pid of watchdogs) process.kill(pid, 'SIGSTOP')
  await killAndWait(program)

  const starting = start()
  await sleep(20)
  for (const pid of watchdogs) process.kill(pid, 'SIGCONT')
  const database = await starting
  expect(database.started).toBe(true)
  expect(await query(database.url, 'select 1')).toEqual([1])
})

test('a command finds the running server without stopping it, and none where none runs', async () => {
  copyDatabase()
  expect(await findRunningPostgres(dataDir)).toBeNull()
  const database = await start()
  expect(await findRunningPostgres(dataDir)).toBe(database.url)

  await database.stop()
  expect(await findRunningPostgres(dataDir)).toBeNull()
})

test('a pid file that names a living stranger does not prevent the start', async () => {
  copyDatabase()
  const pidFile = join(dataDir, 'postmaster.pid')
  await writeFile(pidFile, `${process.pid}\n${dataDir}\n1700000000\n5432\n\n127.0.0.1\n 1 1\nready   \n`)
  expect(await findRunningPostgres(dataDir)).toBeNull()

  expect((await start()).started).toBe(true)
  expect(process.kill(process.pid, 0)).toBe(true)
})

test('a pid file and a lock that name a zombie do not prevent the start', async () => {
  copyDatabase()
  // The shell becomes a program that never asks after the child it was left with.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0 & echo "zombie $!"; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(parent)
  const zombie = /\d+/.exec(await outputUntil(parent, /zombie \d+\n/))?.[0]
  await writeFile(
    join(dataDir, 'postmaster.pid'),
    `${zombie}\n${dataDir}\n1700000000\n5432\n\n127.0.0.1\n 1 1\nready   \n`,
  )
  await writeFile(`${dataDir}.lock`, `${zombie}\n${incarnationOf(Number(zombie))}\n`)

  expect((await start()).started).toBe(true)
})

const flock = '/usr/bin/flock'

test.skipIf(!existsSync(flock))(
  'a server in another container, whose processes are not to be seen, keeps a second one from its directory',
  async () => {
    copyDatabase()
    await writeFile(join(dataDir, 'postmaster.pid'), '4194304\n', { mode: 0o600 })
    const other = spawn(flock, [`${dataDir}.held`, 'sleep', '60'])
    children.push(other)
    await expect.poll(() => spawnSync(flock, ['-n', `${dataDir}.held`, 'true']).status).toBe(1)

    await expect(start()).rejects.toThrow(
      `Another Inventory Manager already works with ${dataDir}. Stop it first, or choose another folder with DATA_DIR.`,
    )

    expect(await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).toBe('4194304\n')
  },
)

test.skipIf(!existsSync(flock))(
  'a server holds its directory until the last of its processes has ended',
  async () => {
    copyDatabase()
    const database = await start()
    const isFree = () => spawnSync(flock, ['-n', `${dataDir}.held`, 'true']).status === 0

    expect(isFree()).toBe(false)
    await database.stop()
    expect(isFree()).toBe(true)
  },
)

test('an empty pid file and a lock of a dead process do not prevent the start', async () => {
  copyDatabase()
  await writeFile(join(dataDir, 'postmaster.pid'), '')
  await writeFile(`${dataDir}.lock`, '999999999\nlong ago\n')

  expect((await start()).started).toBe(true)
  expect(await exists(`${dataDir}.lock`)).toBe(false)
})

test('a first start that was killed half-way leaves nothing that the next one minds', async () => {
  const program = startElsewhere()
  const unfinished = join(`${dataDir}.init-${program.pid}`, 'PG_VERSION')
  await waitUntil(() => exists(unfinished))
  await killAndWait(program)
  expect(await exists(dataDir)).toBe(false)

  const database = await start()
  expect(await query(database.url, 'select 1')).toEqual([1])
  expect(await filesBeside(dataDir)).toEqual(['postgres', 'postgres.log'])
})

test('of three programs that start at once on a new directory one makes the database and two adopt it', async () => {
  const programs = [startElsewhere(), startElsewhere(), startElsewhere()]
  const outputs = await Promise.all(programs.map((program) => outputUntil(program, /WAS \w+/)))

  expect(outputs.filter((output) => output.includes('Created a new database'))).toHaveLength(1)
  expect(outputs.filter((output) => output.includes('WAS STARTED'))).toHaveLength(1)
  expect(outputs.filter((output) => output.includes('WAS ADOPTED'))).toHaveLength(2)
  expect(serverProcesses()).toHaveLength(1)
})

test.each([
  ['exits', 'process.exit(0)', 0],
  ['throws', "throw new Error('unexpected')", 1],
])('a program that %s leaves no server running, even without its watchdog', async (_how, act, code) => {
  copyDatabase()
  const program = startElsewhere(`process.stdin.once('data', () => { ${act} })`)
  const ended = once(program, 'exit')
  await outputUntil(program, /WAS STARTED/)
  killWatchdog()
  program.stdin?.write('now\n')

  expect((await ended)[0]).toBe(code)
  await waitUntil(() => serverProcesses().length === 0)
  expect(await readFile(`${dataDir}.log`, 'utf8')).toContain('database system is shut down')
})

test('a program that exits leaves no server running that it had adopted', async () => {
  copyDatabase()
  await leaveServerBehind()

  const next = startElsewhere('process.exit(0)')
  expect(await outputUntil(next, /WAS \w+/)).toContain('WAS ADOPTED')
  await waitUntil(() => serverProcesses().length === 0)
})

test('a start that fails says why in one sentence, and leaves no server and no lock', async () => {
  copyDatabase()
  const failure = start({ nonsense: '1' })

  await expect(failure).rejects.toBeInstanceOf(EmbeddedPostgresError)
  await expect(failure).rejects.toThrow(
    `PostgreSQL could not be started on ${dataDir}: unrecognized configuration parameter "nonsense"; `,
  )
  expect(serverProcesses()).toEqual([])
  expect(await exists(`${dataDir}.lock`)).toBe(false)
})

test('a directory with other files is refused and left alone', async () => {
  await mkdir(dataDir, { recursive: true })
  await writeFile(join(dataDir, 'letter.txt'), 'Dear reader')

  await expect(start()).rejects.toThrow(
    `${dataDir} holds other files than a database; empty it, or set DATA_DIR to another directory.`,
  )
  expect(await readdir(dataDir)).toEqual(['letter.txt'])
})

test('a log above ten megabytes is emptied at the next start', async () => {
  await mkdir(dirname(dataDir), { recursive: true })
  await writeFile(`${dataDir}.log`, Buffer.alloc(11 * 1024 * 1024, 'x'))

  await start()
  expect((await stat(`${dataDir}.log`)).size).toBeLessThan(10_000)
})
