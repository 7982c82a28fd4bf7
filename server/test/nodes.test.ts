import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import pg from 'pg'
import { shareConnections } from '../src/nodes.ts'
import { readConfig } from '../src/platform/config.ts'
import { withStartLock } from '../src/platform/db/migrate.ts'
import { backupName, createPool } from '../src/platform/db/pool.ts'
import { holdDatabase } from '../src/start.ts'
import { makeNode, nodeSecret, type Node } from './faults/node.ts'
import { freePort } from './free-port.ts'
import { startedCommand } from './started.ts'
import { asker, makeCompany } from './test-app.ts'

const run = promisify(execFile)
const database = `nodes_${process.pid}`

let program: Node
let metricsPort: number
let maintenance: pg.Client
beforeAll(async () => {
  maintenance = new pg.Client({ connectionString: inject('ownerUrl') })
  await maintenance.connect()
  await maintenance.query(`create database ${database} template ${inject('templateName')}`)
  metricsPort = await freePort()
  const url = Object.assign(new URL(inject('ownerUrl')), { pathname: `/${database}` })
  const settings = {
    METRICS_PORT: String(metricsPort),
    REGISTRATIONS_PER_HOUR: '1000',
    SIGN_INS_PER_ACCOUNT: '4',
    DATABASE_POOL_SIZE: '4',
  }
  program = await makeNode(url.href, settings, ['--nodes', '2'])
  await program.start()
})
afterAll(async () => {
  await program.remove()
  await maintenance.query(`drop database ${database} with (force)`)
  await maintenance.query(`drop role inventory_manager_app_${database}`)
  await maintenance.end()
})

/** The processes that serve: children of the first. */
async function listNodes(): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=,args=', '--ppid', String(program.pid())])
  const serving = stdout.split('\n').filter((line) => /main\.[jt]s/.test(line))
  return serving.map((line) => Number.parseInt(line, 10))
}

async function metric(pattern: RegExp): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(pattern.exec(text)?.[1])
}

/** Over a connection of its own; the first process deals them out in turn. */
const ask: ReturnType<typeof asker> = (request) =>
  asker(program.url)({ ...request, headers: { connection: 'close' } })

it('both answer, and the metrics are of both', async () => {
  await expect.poll(() => program.output()).toMatch(/ready: http:.* \(2 nodes\)/)
  expect(await listNodes()).toHaveLength(2)
  for (let time = 0; time < 4; time += 1) {
    expect((await ask({ method: 'GET', path: '/health' })).status).toBe(200)
  }
  expect(await metric(/^inventory_manager_pool_size (\d+)/m)).toBe(8)
  await expect.poll(() => metric(/^inventory_manager_database_up (\d)/m)).toBe(1)
})

it('where no backups are made the metrics have none, which raises no alarm', async () => {
  await expect.poll(() => program.output()).toContain('Metrics of all nodes are at ')
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(text).toContain('inventory_manager_database_up')
  expect(text).not.toContain('inventory_manager_backup')
})

it('memory is that of the node that has most, not of all together', async () => {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', (await listNodes()).join(',')])
  const [one = 0, other = 0] = stdout
    .trim()
    .split('\n')
    .map((kilobytes) => 1024 * Number(kilobytes))
  const shown = await metric(/^process_resident_memory_bytes (\d+)/m)
  expect(shown).toBeGreaterThan(0.5 * Math.max(one, other))
  expect(shown).toBeLessThan(0.75 * (one + other))
})

it('news of one reach those who follow the other', async () => {
  const admin = await makeCompany({ ask })
  const stopped = new AbortController()
  const streams = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const headers = { authorization: `Bearer ${admin.token}` }
      const { body } = await fetch(`${program.url}/api/events`, { headers, signal: stopped.signal })
      return body?.getReader()
    }),
  )
  // One connection each, dealt out over both nodes.
  await expect.poll(() => metric(/^inventory_manager_streams_open (\d+)/m)).toBe(4)
  await ask({
    path: '/api/components/import',
    token: admin.token,
    body: [{ barcode: 'N-1', primary_quantity: 1 }],
  })
  for (const stream of streams) {
    let heard = ''
    while (!/event: /.test(heard)) heard += Buffer.from((await stream?.read())?.value ?? []).toString()
    expect(heard).toContain('event: ')
  }
  stopped.abort()
})

it('limits hold for all of them together', async () => {
  const { email } = await makeCompany({ ask })
  const statuses: number[] = []
  for (let time = 0; time < 8; time += 1) {
    statuses.push((await ask({ path: '/api/auth/login', body: { email, passcode: 'not this one' } })).status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429, 429, 429])
})

// The next test starts a node, which signs in to the database anew.
it('a command with another secret is refused, and leaves the program its database', async () => {
  const url = Object.assign(new URL(inject('ownerUrl')), { pathname: `/${database}` })
  const environment = {
    PATH: env['PATH'],
    DATABASE_URL: url.href,
    JWT_SECRET: nodeSecret.toUpperCase(),
  }
  const checking = run(process.execPath, [...startedCommand, 'check-ledger'], { env: environment })
  await expect(checking).rejects.toMatchObject({
    stderr:
      'The program works on this database with another JWT_SECRET. Give this command the same one, or the DATA_DIR that holds it.\n',
  })
})

it('one that is killed comes back, and the other goes on', async () => {
  const [victim = 0, other = 0] = await listNodes()
  process.kill(victim, 'SIGKILL')
  // The one that is gone may still be listed for a moment.
  await expect.poll(listNodes).not.toContain(victim)
  await expect.poll(listNodes).toHaveLength(2)
  expect(await listNodes()).toContain(other)
  await expect.poll(() => metric(/^inventory_manager_pool_size (\d+)/m)).toBe(8)
  expect(program.output()).toContain('A node ended (SIGKILL); another takes its place.')
  expect((await ask({ method: 'GET', path: '/health' })).status).toBe(200)
})

it('all finish and end with the first', async () => {
  const nodes = await listNodes()
  expect(await program.end('SIGTERM')).toBe(0)
  for (const pid of nodes) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

it('one that starts while a backup is restored says for whom it waits, and goes on when that is done', async () => {
  const url = Object.assign(new URL(inject('ownerUrl')), { pathname: `/${database}` })
  const pool = createPool({ url: url.href, size: 1, onError: () => undefined, name: backupName })
  let finish: () => void = () => undefined
  const restored = withStartLock(pool, () => new Promise<void>((resolve) => (finish = resolve)))
  const waiting = await makeNode(url.href)
  waiting.launch()
  await expect.poll(() => waiting.output()).toBe('Waiting for a restore that prepares this database.\n')
  finish()
  await restored
  await pool.end()
  await expect.poll(() => waiting.output()).toContain('Inventory Manager is ready')
  await waiting.remove()
})

it('an option that is none is refused with how it is meant', async () => {
  const wrong = await makeNode(undefined, {}, ['--nodes', 'many'])
  wrong.launch()
  expect(await wrong.ended()).toBe(1)
  expect(wrong.output()).toBe("Usage: npm start [-- --nodes N]: N processes, 1 to 64, or 'cores'.\n")
  await wrong.remove()
})

it('the embedded database takes the connections of all nodes, however many', async () => {
  for (let nodes = 1; nodes <= 64; nodes += 1) {
    const { all, pool } = shareConnections(nodes)
    expect([nodes, pool >= 2, nodes * (pool + 3) + 10 <= all]).toEqual([nodes, true, true])
  }
  expect(shareConnections(2)).toEqual({ all: 100, pool: 42 })
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-connections-'))
  // As root the database runs as another user, who must be able to come here.
  await chmod(folder, 0o711)
  const config = readConfig({ DATA_DIR: folder })
  const migrations = resolve(import.meta.dirname, '../migrations')
  const { all: connections } = shareConnections(64)
  const held = await holdDatabase(config, { migrations, say: () => undefined, connections })
  const owner = new pg.Client({ connectionString: held.url })
  await owner.connect()
  expect((await owner.query('show max_connections')).rows).toEqual([{ max_connections: '330' }])
  await owner.end()
  await held.stop()
  await rm(folder, { recursive: true })
}, 120_000)
