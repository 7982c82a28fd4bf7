import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { restore } from '../src/platform/backup/restore.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { createPool } from '../src/platform/db/pool.ts'
import { listLedgerFaults } from '../src/stock/queries.ts'
import { makeOrdinaryOwner } from './ordinary-owner.ts'
import { startTestApp } from './test-app.ts'

const run = promisify(execFile)
const migrations = resolve(import.meta.dirname, '../migrations')
const fixtures = resolve(import.meta.dirname, 'fixtures')
/** Backups made by earlier versions: one small company each (fixtures/README.md says how they are made). */
const backups = (await readdir(fixtures)).filter((name) => name.endsWith('.backup'))
const signedIn = z.object({ token: z.string(), user: z.object({ tenantId: z.string() }) })
const component = z.object({
  barcode: z.string(),
  primary_quantity: z.number(),
  secondary_quantity: z.number(),
})

it('there are backups of earlier versions to try', () => {
  expect(backups).toEqual(expect.arrayContaining(['schema-0005.backup', 'schema-0080.backup']))
})

it('every version with a tag has left its data', async () => {
  const git = async (...options: string[]) =>
    (await run('git', options, { cwd: migrations })).stdout.split('\n')
  const isNumber = (tag: string) => /^v\d+\.\d+\.\d+$/.test(tag)
  for (const tag of (await git('tag', '--list')).filter(isNumber)) {
    const files = await git('ls-tree', '--name-only', tag, './')
    const [newest = ''] =
      files
        .filter((name) => name.endsWith('.sql'))
        .toSorted()
        .at(-1)
        ?.split('_') ?? []
    expect([tag, backups]).toEqual([tag, expect.arrayContaining([`schema-${newest}.backup`])])
  }
})

/** How many migrations have come since a backup, which is named after the newest it knew. */
async function migrationsSince(backup: string): Promise<number> {
  const [, newest = ''] = /^schema-(\d{4})\.backup$/.exec(backup) ?? []
  return (await readdir(migrations)).filter((name) => name.endsWith('.sql') && name.slice(0, 4) > newest)
    .length
}

describe.each(backups)('the data of an earlier version (%s)', (backup) => {
  it('works with the program of today: signing in, stock, counts, history, decisions, new scans', async () => {
    let steps = 0
    const app = await startTestApp(
      {},
      {
        fill: async (ownerUrl) => {
          steps = (await restore(resolve(fixtures, backup), { ownerUrl, migrations })).newer
        },
      },
    )
    expect(steps).toBe(await migrationsSince(backup))

    const signIn = async (email: string, passcode: string) =>
      signedIn.parse((await app.ask({ path: '/api/auth/login', body: { email, passcode } })).body)
    const ann = await signIn('ann@earlier.example', 'an earlier password')
    const bob = await signIn('bob@earlier.example', 'bob earlier')
    const get = async (path: string) => await app.ask({ method: 'GET', path, token: ann.token })

    const list = z
      .object({ components: z.array(component) })
      .parse((await get('/api/components?limit=100')).body)
    const old = new Map(list.components.map((item) => [item.barcode, item]))
    expect(old.size).toBe(30)
    // Corrected from 24, and an accepted difference of 12 to 1.
    expect(old.get('OLD-25')).toMatchObject({ primary_quantity: 7, secondary_quantity: 48 })
    expect(old.get('OLD-13')).toMatchObject({ primary_quantity: 1 })
    expect(await app.database.inTenant(ann.user.tenantId, listLedgerFaults)).toEqual([])

    for (const path of [
      '/api/dashboard',
      '/api/count-history',
      '/api/audit/trail',
      '/api/discrepancies',
      '/api/analytics/heatmap',
      '/api/analytics/weekly-trends?location=PRIMARY',
      '/api/weekly-counts?location=PRIMARY&day=Monday',
      '/api/transfers',
      '/api/unknown-codes',
      '/api/imports',
      '/api/api-keys',
      '/api/team',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 200])
    }
    const scan = (barcode: string, quantity: number) =>
      app.ask({
        path: '/api/components/update-with-tracking',
        token: bob.token,
        body: {
          barcode,
          quantity,
          location: 'PRIMARY',
          source: 'monthly',
          session: 'today',
          timestamp: new Date().toISOString(),
        },
      })
    expect(await scan('OLD-30', 29)).toMatchObject({ status: 200, body: { matched: true } })
    expect(await scan('OLD-25', 7)).toMatchObject({ status: 200, body: { matched: true } })
    expect(await app.database.inTenant(ann.user.tenantId, listLedgerFaults)).toEqual([])
    await app.close()
  })
})

/** A folder with the migrations up to a number. */
async function migrationsUntil(number: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-migrations-'))
  const names = (await readdir(migrations)).filter((name) => name.slice(0, 4) <= number)
  await Promise.all(names.map((name) => cp(join(migrations, name), join(folder, name))))
  return folder
}

const poolOf = (url: string) => createPool({ url, size: 2, onError: () => undefined })

/** An import from before 0231 that brought a component back. */
const imported = `
  with made as (
    insert into imports (tenant_id, name, fields, keep_existing, status, user_id, user_name)
    select tenant_id, 'old.csv', '{barcode}', false, 'done', id, name from users where name = 'Ann Earlier'
    returning tenant_id, id
  )
  insert into import_changes (
    tenant_id, import_id, component_id, barcode, created, reinstated, old_description, new_description
  )
  select made.tenant_id, made.id, components.id, barcode, false, true, '', ''
  from made join components using (tenant_id) where barcode = 'OLD-1'`

it('what migrations fill in of a company is filled in by an owner who is no superuser, too', async () => {
  const [older, ordinary] = await Promise.all([migrationsUntil('0232'), makeOrdinaryOwner()])
  onTestFinished(() => rm(older, { recursive: true }))
  const app = await startTestApp(
    {},
    {
      fill: async (url) => {
        const ownerUrl = await ordinary.handDatabase(url)
        await restore(resolve(fixtures, 'schema-0080.backup'), { ownerUrl, migrations: older })
        const [all, own] = [poolOf(url), poolOf(ownerUrl)]
        await all.query(imported)
        await all.end()
        await migrate(own, migrations)
        await own.end()
      },
    },
  )
  const { rows: codes } = await app.owner.query('select opened_id = id as opened from unknown_codes')
  expect(codes).toEqual([{ opened: true }])
  const { rows: imports } = await app.owner.query('select name, reinstated from imports')
  expect(imports).toEqual(expect.arrayContaining([{ name: 'old.csv', reinstated: 1 }]))
  await app.close()
  await ordinary.remove()
})
