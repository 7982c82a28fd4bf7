import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { startedCommand } from '../../test/started.ts'
import { listMigrations } from '../platform/db/migrate.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../..')

let folder: string
let whole: Buffer

/** A backup as the format says, of two tables. */
async function makeBackup(madeAt: string, changes: Record<string, unknown> = {}): Promise<Buffer> {
  const migrations = await listMigrations(join(root, 'server', 'migrations'))
  const tables = [
    { name: 'companies', rows: ['1\tAcme\n'] },
    { name: 'components', rows: ['1\tB-1\n2\tB-2\n', '3\tB-3\n'] },
  ]
  const head = {
    format: 'inventory-manager-backup',
    format_version: 1,
    product_version: '0.1.0',
    made_at: madeAt,
    migrations: migrations.slice(0, -2),
    tables: tables.map(({ name }) => ({ name, columns: ['id', 'name'] })),
    ...changes,
  }
  const parts = tables.flatMap(({ rows }) => [
    ...rows.flatMap((text) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(text.length)
      return [length, Buffer.from(text)]
    }),
    Buffer.alloc(4),
  ])
  const sums = tables.map(({ name, rows }) => ({
    name,
    rows: rows.join('').split('\n').length - 1,
    sha256: createHash('sha256').update(rows.join('')).digest('hex'),
  }))
  return gzipSync(
    Buffer.concat([
      Buffer.from(`${JSON.stringify(head)}\n`),
      ...parts,
      Buffer.from(`${JSON.stringify({ tables: sums })}\n`),
    ]),
  )
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-check-'))
  whole = await makeBackup(new Date(Date.now() - 3.5 * 3_600_000).toISOString())
})
afterAll(() => rm(folder, { recursive: true }))

const ended = z.object({ code: z.int().default(0), stdout: z.string(), stderr: z.string() })

/** What a command says of a file, started as `npm run` does where there is no installation. */
async function tell(command: string[], name: string): Promise<z.output<typeof ended>> {
  const settings = { PATH: env['PATH'], DATA_DIR: join(folder, 'data') }
  const words = [...command, join(folder, name)]
  const running = run(process.execPath, [...startedCommand, ...words], { cwd: root, env: settings })
  const end = ended.parse(await running.catch((error: unknown) => error))
  expect(await readdir(folder)).not.toContain('data')
  return end
}

const check = (name: string) => tell(['backup', '--check'], name)

/** What it says of such a file, which is not right. */
async function refusal(content: Buffer): Promise<[number, string]> {
  await writeFile(join(folder, 'other.backup'), content)
  const { code, stderr } = await check('other.backup')
  return [code, stderr.trim()]
}

const flipped = (content: Buffer, at: number) => {
  const copy = Buffer.from(content)
  copy.writeUInt8(copy.readUInt8(at) ^ 0x10, at)
  return copy
}

it('a whole backup is told with its tables, its age, who made it and that it can be restored', async () => {
  await writeFile(join(folder, 'whole.backup'), whole)
  const { code, stdout } = await check('whole.backup')
  const lines = stdout.trim().split('\n')
  expect(code).toBe(0)
  expect(lines).toEqual([
    'companies: 1 row, 7 bytes',
    'components: 3 rows, 18 bytes',
    `${join(folder, 'whole.backup')} is whole: 4 rows of 2 tables, as their checksums say (0.0 MB).`,
    expect.stringMatching(/^It was made at .*Z, 3 hours ago, by version 0\.1\.0 with migration \d{4}_\w+\.$/),
    expect.stringMatching(/^This program \(.*\) can restore it and brings it up to date \(2 steps\)\.$/),
  ])
}, 30_000)

it('a file that was cut off', async () => {
  const cut = [1, 'This backup is cut off: its end is missing. Take another one.']
  expect(await refusal(whole.subarray(0, whole.length / 2))).toEqual(cut)
  expect(await refusal(whole.subarray(0, -1))).toEqual(cut)
  expect(await refusal(Buffer.alloc(0))).toEqual(cut)
  expect(await refusal(gzipSync(gunzipSync(whole).subarray(0, -20)))).toEqual(cut)
}, 60_000)

it('a file of which a byte changed, wherever it is', async () => {
  const damaged = [1, 'This backup is damaged: its content is not what was written. Take another one.']
  expect(await refusal(flipped(whole, 100))).toEqual(damaged)
  expect(await refusal(flipped(whole, whole.length >> 1))).toEqual(damaged)
  expect(await refusal(flipped(whole, whole.length - 6))).toEqual(damaged)
  const inside = gunzipSync(whole)
  expect(await refusal(gzipSync(flipped(inside, inside.indexOf('B-2'))))).toEqual(damaged)
}, 60_000)

it('a file that is no backup', async () => {
  const foreign = [1, 'This file is no backup of Inventory Manager.']
  expect(await refusal(Buffer.from('Shopping list'))).toEqual(foreign)
  expect(await refusal(gzipSync('{"format":"other"}\n'))).toEqual(foreign)
}, 60_000)

it('a backup of a newer version, and one in a newer format', async () => {
  const madeAt = '2026-11-21T02:00:00.000Z'
  const migrations = [{ name: '9999_later', hash: 'x' }]
  expect(await refusal(await makeBackup(madeAt, { migrations, product_version: '9.0.0' }))).toEqual([
    1,
    'This backup was made by another version (9.0.0, 9999_later) than this one can read. Restore it with that version or a newer one.',
  ])
  expect(await refusal(await makeBackup(madeAt, { format_version: 2, product_version: '9.0.0' }))).toEqual([
    1,
    'This backup was made by a newer version (9.0.0) in a format that this one does not know. Restore it with that version or a newer one.',
  ])
}, 60_000)

it('a file that is not there', async () => {
  const { code, stderr } = await check('missing.backup')
  expect([code, stderr.trim()]).toEqual([1, 'There is no such file.'])
}, 30_000)

it('a name that is mistyped, or of another file, is restored nowhere', async () => {
  await writeFile(join(folder, 'notes.txt'), 'Count the bolts.')
  const missing = await tell(['restore'], 'whole.bakup')
  expect([missing.code, missing.stderr.trim()]).toEqual([1, 'There is no such file.'])
  const foreign = await tell(['restore'], 'notes.txt')
  expect([foreign.code, foreign.stderr.trim()]).toEqual([
    1,
    'This file is no backup of Inventory Manager that this version can read.',
  ])
})

it('a backup of a newer version is restored nowhere, and makes no database', async () => {
  const migrations = [{ name: '9999_later', hash: 'x' }]
  const madeAt = '2026-11-21T02:00:00.000Z'
  await writeFile(join(folder, 'newer.backup'), await makeBackup(madeAt, { migrations }))
  const { code, stdout, stderr } = await tell(['restore'], 'newer.backup')
  expect([code, stdout, stderr.trim()]).toEqual([
    1,
    '',
    'This backup was made by another version (0.1.0, 9999_later) than this one can read. Restore it with that version or a newer one.',
  ])
}, 60_000)
