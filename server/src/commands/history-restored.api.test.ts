import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { divideIntoQuarters, oldQuarters, quarterLabel, writeOldCounts } from '../../test/old-quarters.ts'
import { makeOrdinaryOwner } from '../../test/ordinary-owner.ts'
import { makeCompany, startTestApp, testSecret, type TestApp } from '../../test/test-app.ts'
import { createPool } from '../platform/db/pool.ts'
import { backup } from './backup.ts'
import type { Command } from './command.ts'
import { detachPart, labelOf, listParts, partOf } from './history-parts.ts'
import { history } from './history.ts'
import { restore } from './restore.ts'
import { verifyAudit } from './verify-audit.ts'

const root = resolve(import.meta.dirname, '../..')
const oldest = `before-${quarterLabel(oldQuarters)}`
const quarter = quarterLabel(oldQuarters)
const restored = `restored_${randomUUID().slice(0, 8)}`

type Place = { url: string; pool: pg.Pool }

let owner: Awaited<ReturnType<typeof makeOrdinaryOwner>>
let app: TestApp
let folder: string
/** The installation two quarters were put aside in, and the one its backup was restored into, by their owner. */
let before: Place
let after: Place
/** Somebody who sees the rows of every company after the restore. */
let seeing: pg.Pool
let tenants: string[]
let saidOfBackup: string

/** What a command says on one of the two. */
async function run(command: Command, { url }: Place, ...args: string[]): Promise<string> {
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  vi.stubEnv('DATABASE_URL', url)
  await command.run(args, { migrations: join(root, 'migrations'), assets: '', version: '0.0.0', say })
  return said.join('\n')
}

const poolOf = (url: string) => createPool({ url, size: 2, onError: () => undefined })

/** Brings a detached part's tables over, as pg_dump and pg_restore do. */
async function bringDetached(part: string): Promise<void> {
  for (const table of ['count_history', 'audit_entries']) {
    const name = `detached.${table}_${part}`
    const { rows } = await before.pool.query<{ row: unknown }>(
      `select to_jsonb(held) as row from ${name} as held`,
    )
    await after.pool.query(`create table ${name} (like public.${table} including all)`)
    await after.pool.query(
      `insert into ${name} select * from jsonb_populate_recordset(null::public.${table}, $1)`,
      [JSON.stringify(rows.map(({ row }) => row))],
    )
  }
}

/** How many old rows are back, and how many notes say that some are put aside. */
async function numbers(): Promise<unknown> {
  const { rows } = await seeing.query(
    `select (select count(*) from count_history where sku like 'OLD%')::integer as counts,
       (select count(*) from audit_entries where sku like 'OLD%')::integer as trail,
       (select count(*) from detached_history)::integer as noted`,
  )
  return rows[0]
}

beforeAll(async () => {
  owner = await makeOrdinaryOwner()
  let url = ''
  app = await startTestApp({}, { fill: async (empty) => (url = await owner.giveDatabase(empty)) })
  await owner.mayGrant(url)
  before = { url, pool: poolOf(url) }
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-history-'))
  vi.stubEnv('DATA_DIR', folder)
  vi.stubEnv('JWT_SECRET', testSecret)
  await divideIntoQuarters(before.pool)
  const people = [await makeCompany(app), await makeCompany(app)]
  tenants = people.map(({ tenantId }) => tenantId)
  for (const person of people) await writeOldCounts(app, person)
  await run(history, before, 'detach', oldest)
  await run(history, before, 'detach', quarter)
  await app.owner.query(`create database ${restored}`)
  const empty = Object.assign(new URL(inject('ownerUrl')), { pathname: `/${restored}` }).href
  seeing = poolOf(empty)
  const restoredUrl = await owner.giveDatabase(empty)
  after = { url: restoredUrl, pool: poolOf(restoredUrl) }
  const file = join(folder, 'aside.backup')
  saidOfBackup = await run(backup, before, file)
  await run(restore, after, file)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await before.pool.end()
  await after.pool.end()
  await seeing.end()
  await app.owner.query(`drop database ${restored} with (force)`)
  await app.owner.query(`drop role if exists inventory_manager_app_${restored}`)
  await app.close()
  await owner.remove()
  await rm(folder, { recursive: true })
})

it('a backup says how many quarters are put aside and not in it', () => {
  expect(saidOfBackup).toContain('2 quarters are put aside and are not in this file.')
})

it('a quarter put aside before a backup comes back into the installation that was restored from it', async () => {
  await bringDetached(partOf(oldest))
  expect(await run(history, after, 'attach', oldest)).toContain(`${oldest} is attached again.`)
  expect(await run(history, after)).not.toContain('detached')
  expect(await numbers()).toEqual({ counts: 2, trail: 2, noted: 4 })
  expect(await run(verifyAudit, after)).toContain(', 0 trails not intact.')
})

it('what a restore brought into one part can be put aside too, and the trail is as it was sealed', async () => {
  const [past] = await listParts(after.pool)
  const part = past?.part ?? ''
  await detachPart(after.pool, { part, tenants })
  expect(await run(verifyAudit, after)).toContain('2 companies checked, 0 entries good, 0 trails not intact.')
  await bringDetached(partOf(quarter))
  await run(history, after, 'attach', labelOf(part))
  await run(history, after, 'attach', quarter)
  expect(await numbers()).toEqual({ counts: 6, trail: 6, noted: 0 })
  expect(await run(verifyAudit, after)).toContain(', 0 trails not intact.')
})

it('a quarter comes back without what it has of companies that are not here', async () => {
  const had = await numbers()
  await bringDetached(partOf(quarter))
  for (const table of ['count_history', 'audit_entries']) {
    await after.pool.query(`update detached.${table}_${partOf(quarter)} set tenant_id = gen_random_uuid()`)
  }
  expect(await run(history, after, 'attach', quarter)).toMatch(
    /attached again\.\nLeft out, and gone from here: [1-9]\d* rows of companies that are not here any more\.$/,
  )
  expect(await numbers()).toEqual(had)
  expect(await run(history, after)).not.toContain('detached')
})
