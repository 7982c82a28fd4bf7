import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { examine } from '../src/commands/doctor.ts'
import { readConfig } from '../src/platform/config.ts'
import { momentOf } from '../src/platform/backup/kept.ts'
import { restore } from '../src/platform/backup/restore.ts'
import { makeNode, type Node } from './faults/node.ts'
import { freePort } from './free-port.ts'
import { asker, makeCompany } from './test-app.ts'

const root = resolve(import.meta.dirname, '..')
const migrations = join(root, 'migrations')
const name = `nightly_${process.pid}`
const restored = `${name}_restored`

const urlOf = (database: string) =>
  Object.assign(new URL(inject('ownerUrl')), { pathname: `/${database}` }).href

let maintenance: pg.Client
let folder: string
const nodes: Node[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-nightly-'))
  maintenance = new pg.Client({ connectionString: inject('ownerUrl') })
  await maintenance.connect()
  await maintenance.query(`create database ${name} template ${inject('templateName')}`)
  await maintenance.query(`create database ${restored}`)
})
afterAll(async () => {
  for (const node of nodes) await node.remove()
  for (const database of [name, restored]) await maintenance.query(`drop database ${database} with (force)`)
  await maintenance.query(`drop role if exists inventory_manager_app_${name}`)
  await maintenance.end()
  await rm(folder, { recursive: true })
})

async function nodeWith(
  place: string,
  options: string[] = [],
): Promise<Node & { readMetrics: () => Promise<string> }> {
  const port = String(await freePort())
  const node = await makeNode(
    urlOf(name),
    { BACKUP_DIRECTORY: place, METRICS_PORT: port, REGISTRATIONS_PER_HOUR: '1000' },
    options,
  )
  nodes.push(node)
  return {
    ...node,
    readMetrics: async () => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
  }
}

/** When the newest backup was made, how many failed, and when the last did: seconds since 1970, or 0. */
async function measuresOf({ readMetrics }: { readMetrics: () => Promise<string> }) {
  const page = await readMetrics()
  const valueOf = (measure: string) =>
    Number(new RegExp(`^inventory_manager_backup_${measure} (\\S+)$`, 'm').exec(page)?.[1])
  return {
    newest: valueOf('newest_timestamp_seconds'),
    failures: valueOf('failures_total'),
    lastFailure: valueOf('last_failure_timestamp_seconds'),
  }
}

/** The moment in the name of a backup, in seconds. */
const secondsOf = (file: string) => (momentOf(file)?.getTime() ?? NaN) / 1000

async function folderNamed(own: string): Promise<string> {
  const place = join(folder, own)
  await mkdir(place)
  return place
}

const patient = { timeout: 30_000 }
const ofToday = /^inventory-manager-.*Z\.backup$/

async function query<R extends pg.QueryResultRow>(database: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: urlOf(database) })
  await client.connect()
  const { rows } = await client.query<R>(text)
  await client.end()
  return rows
}

it('of two nodes one makes a backup soon after the start, old ones of the program go, and it is restored', async () => {
  const place = await folderNamed('two')
  const stay = [
    'inventory-manager-2020-01-01T01-00-00Z.backup.old',
    'inventory-manager-2020-03-22T01-00-00Z.backup',
    'inventory-manager-2020-03-29T01-00-00Z.backup',
    'inventory-manager-2020-04-01T01-00-00Z.backup',
    'inventory-manager-2020-04-02T01-00-00Z.backup',
    'inventory-manager-2020-04-03T01-00-00Z.backup',
    'inventory-manager-2020-04-04T01-00-00Z.backup',
    'inventory-manager-2020-04-05T01-00-00Z.backup',
    'inventory-manager-2020-04-06T01-00-00Z.backup',
    'monday.backup',
    'monday.backup.0a1b2c3d.partial',
  ]
  const go = [
    'inventory-manager-2020-03-01T01-00-00Z.backup',
    'inventory-manager-2020-03-30T01-00-00Z.backup',
    'inventory-manager-2020-04-06T00-30-00Z.backup',
    'inventory-manager-2020-04-06T01-00-00Z.backup.0a1b2c3d.partial',
  ]
  for (const file of [...stay, ...go]) await writeFile(join(place, file), 'x')
  const one = await nodeWith(join(folder, 'not-there'))
  await one.start()
  const admin = await makeCompany({ ask: asker(one.url) })
  await asker(one.url)({
    path: '/api/components/import',
    token: admin.token,
    key: randomUUID(),
    body: [{ barcode: 'N-1', primary_quantity: 7 }],
  })
  await one.end('SIGTERM')
  expect(one.output()).toContain('The nightly backup was not made; it is tried again in an hour. ')
  expect(one.output()).toContain(
    'cannot be written: its folder is not there. Make the folder, or choose another.',
  )

  const both = [await nodeWith(place), await nodeWith(place)]
  await Promise.all(both.map((node) => node.start()))
  const said = () => both.map((node) => node.output()).join('')
  await expect.poll(said, patient).toContain('Backed up ')
  await expect.poll(async () => (await readdir(place)).length, patient).toBe(stay.length + 1)
  await Promise.all(both.map((node) => node.end('SIGTERM')))
  expect(said().match(/Backed up /g)).toHaveLength(1)
  expect(said()).not.toContain('The nightly backup was not made')
  const [made = '', ...others] = (await readdir(place)).filter((file) => !stay.includes(file))
  expect([made, others]).toEqual([expect.stringMatching(ofToday), []])
  expect((await readdir(place)).toSorted()).toEqual([...stay, made].toSorted())

  await restore(join(place, made), { ownerUrl: urlOf(restored), migrations })
  expect(await query(restored, `select barcode from components`)).toEqual(
    await query(name, 'select barcode from components'),
  )
}, 120_000)

it('with --nodes one is made, by the first process', async () => {
  const place = await folderNamed('nodes')
  const program = await nodeWith(place, ['--nodes', '2'])
  await program.start()
  await expect.poll(() => program.output(), patient).toContain('Backed up ')
  const [file = ''] = await readdir(place)
  const told = { newest: secondsOf(file), failures: 0, lastFailure: 0 }
  await expect.poll(() => measuresOf(program), patient).toEqual(told)
  // Beside those of the nodes.
  expect(await program.readMetrics()).toMatch(/^inventory_manager_pool_size 20$/m)
  expect(await program.end('SIGTERM')).toBe(0)
  expect(await readdir(place)).toEqual([expect.stringMatching(ofToday)])
}, 120_000)

it('the metrics of each node say when the newest in the folder was made, whichever made it, and after a start too', async () => {
  const place = await folderNamed('told')
  const old = 'inventory-manager-2020-04-06T01-00-00Z.backup'
  const others = ['inventory-manager-2999-01-01T01-00-00Z.backup', 'monday.backup', `${old}.0a1b2c3d.partial`]
  for (const file of [old, ...others]) await writeFile(join(place, file), 'x')
  // As if a third node were at it: none of these makes one.
  const third = new pg.Client({ connectionString: urlOf(name) })
  await third.connect()
  await third.query('select pg_advisory_lock(7238104553)')
  const one = await nodeWith(place)
  const other = await nodeWith(place)
  await Promise.all([one.start(), other.start()])
  const before = { newest: Date.UTC(2020, 3, 6, 1) / 1000, failures: 0, lastFailure: 0 }
  await expect.poll(() => measuresOf(one), patient).toEqual(before)
  await expect.poll(() => measuresOf(other), patient).toEqual(before)
  await Promise.all([one.end('SIGTERM'), other.end('SIGTERM')])
  await third.end()

  await one.start()
  const isNew = (file: string) => ofToday.test(file) && ![old, ...others].includes(file)
  await expect.poll(async () => (await readdir(place)).filter(isNew).length, patient).toBe(1)
  const after = { ...before, newest: secondsOf((await readdir(place)).find(isNew) ?? '') }
  await expect.poll(() => measuresOf(one), patient).toEqual(after)
  await other.start()
  await expect.poll(() => measuresOf(other), patient).toEqual(after)
  await Promise.all([one.end('SIGTERM'), other.end('SIGTERM')])
}, 120_000)

it('a program that is stopped meanwhile ends at once and leaves no file', async () => {
  const place = await folderNamed('stopped')
  // Somebody changes a table, and the backup waits for it.
  const holder = new pg.Client({ connectionString: urlOf(name) })
  await holder.connect()
  const program = await nodeWith(place)
  await program.start()
  // The next start: this one is too early for it to be held.
  await program.end('SIGTERM')
  for (const file of await readdir(place)) await rm(join(place, file))
  await holder.query('begin; lock table label_jobs in access exclusive mode')
  program.launch()
  await expect
    .poll(async () => (await readdir(place)).filter((file) => file.endsWith('.partial')).length, patient)
    .toBe(1)
  expect(await program.end('SIGTERM')).toBe(0)
  expect(await readdir(place)).toEqual([])
  expect(program.output()).not.toContain('The nightly backup was not made')
  await holder.query('rollback')
  await holder.end()
}, 120_000)

it('a program that is stopped in the middle of the rows leaves no file either', async () => {
  const place = await folderNamed('middle')
  await query(
    name,
    `insert into attempts (key, window_start, taken)
     select gen_random_uuid()::text, now(), 1 from generate_series(1, 1000000)`,
  )
  const program = await nodeWith(place)
  // The backup begins before the program answers, and may be over when it does.
  program.launch()
  const begun = async () => {
    const [file] = await readdir(place)
    return file === undefined ? 0 : (await stat(join(place, file))).size
  }
  await expect.poll(begun, { ...patient, interval: 5 }).toBeGreaterThan(1_000_000)
  expect(await program.end('SIGTERM')).toBe(0)
  expect(await readdir(place)).toEqual([])
  expect(program.output()).not.toContain('Backed up ')
  await query(name, 'truncate attempts')
}, 120_000)

it('a folder that cannot be written is said, in the metrics too, and people go on working', async () => {
  const program = await nodeWith('/sys')
  await program.start()
  await expect
    .poll(() => program.output(), patient)
    .toMatch(
      /The nightly backup was not made; it is tried again in an hour\. \/sys\/inventory-manager-.*\.backup cannot be written: no permission\. Choose another folder, or run this as another user\./,
    )
  expect((await fetch(`${program.url}/health`)).status).toBe(200)
  const { newest, failures, lastFailure } = await measuresOf(program)
  expect({ newest, failures }).toEqual({ newest: 0, failures: 1 })
  expect(Math.abs(Date.now() / 1000 - lastFailure)).toBeLessThan(60)
  await program.end('SIGTERM')
}, 120_000)

it('a full disk is said, and nothing of the backup is left on it', async (context) => {
  const place = await folderNamed('full')
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', place])
  if (mounted.status !== 0) context.skip('this user may not mount a small disk')
  context.onTestFinished(() => void spawnSync('umount', [place]))
  const program = await nodeWith(place)
  await program.start()
  await expect
    .poll(() => program.output(), patient)
    .toMatch(/Z\.backup cannot be written: its disk is full\. Free some space, or choose another folder\./)
  expect(await readdir(place)).toEqual([])
  expect((await fetch(`${program.url}/health`)).status).toBe(200)
  await program.end('SIGTERM')
}, 120_000)

it('the doctor says how old the newest whole one is, and warns', async () => {
  const installation = { migrations, assets: join(root, 'assets'), version: '0.0.0', say: () => undefined }
  const says = async (settings: Record<string, string>) => {
    const config = readConfig({ DATABASE_URL: urlOf(name), DATA_DIR: root, ...settings })
    const findings = await examine(config, installation)
    return findings.filter(({ about }) => about === 'backups').map((found) => `${found.state}: ${found.says}`)
  }
  expect(await says({})).toEqual([
    'doubtful: the program makes none by itself: name a folder in BACKUP_DIRECTORY, or run npm run backup',
  ])
  const empty = await folderNamed('empty')
  expect(await says({ BACKUP_DIRECTORY: empty })).toEqual([
    `doubtful: none in ${empty} yet: the program makes one soon after it starts`,
  ])
  const place = join(folder, 'nodes')
  expect(await says({ BACKUP_DIRECTORY: place })).toEqual([
    `good: the newest whole one in ${place} is less than an hour old`,
  ])
  const [file = ''] = await readdir(place)
  const old = await folderNamed('old')
  const long = new Date(Date.now() - 3.5 * 86_400_000).toISOString()
  const inside = gunzipSync(await readFile(join(place, file))).toString('latin1')
  const older = inside.replace(/"made_at":"[^"]*"/, `"made_at":"${long}"`)
  await writeFile(join(old, file), gzipSync(Buffer.from(older, 'latin1')))
  expect(await says({ BACKUP_DIRECTORY: old })).toEqual([
    `doubtful: the newest whole one in ${old} is 3 days old: the program's log says why`,
  ])
  await truncate(join(place, file), 500)
  expect(await says({ BACKUP_DIRECTORY: place })).toEqual([
    `bad: ${file}: This backup is cut off: its end is missing. Take another one.`,
    `doubtful: none in ${place} yet: the program makes one soon after it starts`,
  ])
  expect(await says({ BACKUP_DIRECTORY: join(folder, 'gone') })).toEqual([
    expect.stringMatching(/^bad: the folder .*gone cannot be written: ENOENT/),
  ])
}, 120_000)
