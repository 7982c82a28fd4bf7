import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/platform/config.ts'
import { explainStartFailure } from '../../src/start-failure.ts'
import { openDatabase } from '../../src/start.ts'
import { asker, makeCompany } from '../test-app.ts'
import { startMortalDatabase, type MortalDatabase } from './database.ts'
import { makeNode, nodeSecret, type Node } from './node.ts'

const migrationFolder = resolve(import.meta.dirname, '../../migrations')

let database: MortalDatabase
const nodes: Node[] = []
const folders: string[] = []

beforeAll(async () => {
  database = await startMortalDatabase()
})
afterAll(async () => {
  for (const node of nodes) await node.remove()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
  await database.stop()
})

async function nodeOn(url: string): Promise<Node> {
  const node = await makeNode(url)
  nodes.push(node)
  return node
}

/** The migrations there are, and one more. */
async function migrationsWith(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-migrations-'))
  folders.push(folder)
  await cp(migrationFolder, folder, { recursive: true })
  await writeFile(join(folder, `${name}.sql`), text)
  return folder
}

/** Starts on a database with the migrations of a folder, as the program does, and lets go of it again. */
async function startWith(url: string, migrations: string): Promise<void> {
  const config = readConfig({
    DATABASE_URL: url,
    JWT_SECRET: nodeSecret,
  })
  const running = await openDatabase(config, { migrations, say: () => undefined, as: 'program' })
  await running.close()
}

async function tables(url: string): Promise<string[]> {
  const rows = await database.read(
    url,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  return rows.map(({ name }) => String(name))
}

describe('programs that start on an empty database', () => {
  it('both come up when they start at the same moment, and one of them prepares it', async () => {
    const url = await database.create('two_at_once')
    const pair = [await nodeOn(url), await nodeOn(url)]
    await Promise.all(pair.map((node) => node.start()))
    const said = pair.map((node) => /Database brought up to date/.test(node.output()))
    expect(said.filter(Boolean)).toHaveLength(1)
    const people = await Promise.all(pair.map((node) => makeCompany({ ask: asker(node.url) })))
    expect(people).toHaveLength(2)
  })

  it('come up after one was killed at any moment of preparing it', async () => {
    const url = await database.create('killed_while_starting')
    const node = await nodeOn(url)
    for (const wait of [300, 600, 900]) {
      node.launch()
      await sleep(wait)
      await node.end('SIGKILL')
    }
    await node.start()
    expect((await makeCompany({ ask: asker(node.url) })).tenantId).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('a migration that fails half-way', () => {
  it('keeps nothing, says which and why, and lets the next start do it right', async () => {
    const url = await database.create('half_way')
    await startWith(url, migrationFolder)
    const before = await tables(url)
    const broken = await migrationsWith(
      '9998_broken',
      'create table half_done (id integer)\n-- ;;\ninsert into half_done select 1 / 0',
    )
    const failure = await startWith(url, broken).then(
      () => 'It started.',
      (error: unknown) => explainStartFailure(error),
    )
    expect(failure).toBe('Migration 9998_broken failed; nothing of it was kept. division by zero')
    expect(await tables(url)).toEqual(before)

    await startWith(url, await migrationsWith('9998_broken', 'create table half_done (id integer)'))
    expect((await tables(url)).filter((name) => !before.includes(name))).toEqual(['half_done'])
  })

  it('takes the whole step back where earlier ones of the same start succeeded', async () => {
    const url = await database.create('first_start')
    const broken = await migrationsWith('9998_broken', 'select 1 / 0')
    await expect(startWith(url, broken)).rejects.toThrow('Migration 9998_broken failed')
    expect(await tables(url)).not.toContain('companies')
    await startWith(url, migrationFolder)
    expect(await tables(url)).toContain('companies')
  })
})

describe('an old version of the program', () => {
  it('goes on working while a newer one extends the database, and afterwards refuses to start', async () => {
    const url = await database.create('newer')
    const old = await nodeOn(url)
    await old.start()
    const ask = asker(old.url)
    const { token } = await makeCompany({ ask })
    const extended = await migrationsWith('9999_extension', 'alter table components add column shade text')
    await startWith(url, extended)

    const body = [{ barcode: 'STILL-1', primary_quantity: 3 }]
    expect((await ask({ path: '/api/components/import', token, body })).status).toBe(200)
    const scan = {
      barcode: 'STILL-1',
      quantity: 3,
      location: 'PRIMARY',
      source: 'monthly',
      session: 'still',
      timestamp: new Date().toISOString(),
    }
    const counted = await ask({ path: '/api/components/update-with-tracking', token, body: scan })
    expect(counted.body).toMatchObject({ success: true, matched: true })

    expect(await old.end('SIGTERM')).toBe(0)
    old.launch()
    expect(await old.ended()).toBe(1)
    expect(old.output()).toBe(
      'The database is newer than this program (9999_extension). Start the newer version.\n',
    )
  })
})
