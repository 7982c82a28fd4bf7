import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { z } from 'zod'
import {
  divideIntoQuarters,
  oldQuarters,
  quarterLabel,
  quarterStart,
  writeOldCounts,
} from '../../test/old-quarters.ts'
import { makeOrdinaryOwner } from '../../test/ordinary-owner.ts'
import {
  makeCompany,
  startTestApp,
  testSecret,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'
import { backUp } from '../platform/backup/dump.ts'
import { restore } from '../platform/backup/restore.ts'
import { createPool } from '../platform/db/pool.ts'
import { partOf } from './history-parts.ts'
import { history } from './history.ts'
import { removeCompany } from './remove-company.ts'

const root = resolve(import.meta.dirname, '../..')
const migrations = join(root, 'migrations')
const oldest = `before-${quarterLabel(oldQuarters)}`

let owner: Awaited<ReturnType<typeof makeOrdinaryOwner>>
let app: TestApp
/** The tables' owner, no superuser, as on a server that somebody else runs; `app.owner` is one. */
let ordinary: pg.Pool
let ownerUrl: string
let admin: Person
let other: Person
let folder: string
let said: string[] = []

async function run(...args: string[]): Promise<string> {
  said = []
  const say = (line: string) => void said.push(line)
  await history.run(args, { migrations, assets: '', version: '0.0.0', say })
  return said.join('\n')
}

const get = async ({ token }: Person, path: string) => (await app.ask({ method: 'GET', path, token })).body
const trail = (person: Person) => get(person, '/api/audit/trail?sku=OLD')
const total = async (person: Person) =>
  Number(Reflect.get(Object(await get(person, '/api/audit/trail')), 'total'))
const verify = async ({ token }: Person) =>
  (await app.ask({ path: '/api/audit/verify', token, body: {} })).body

async function skusCounted(): Promise<string[]> {
  const rows = z.object({ history: z.array(z.object({ sku: z.string() })) })
  const { history: counts } = rows.parse(await get(admin, '/api/count-history?limit=10'))
  return counts.map(({ sku }) => sku).toSorted()
}

beforeAll(async () => {
  owner = await makeOrdinaryOwner()
  app = await startTestApp({}, { fill: async (url) => (ownerUrl = await owner.giveDatabase(url)) })
  await owner.mayGrant(ownerUrl)
  ordinary = createPool({ url: ownerUrl, size: 2, onError: () => undefined })
  await divideIntoQuarters(ordinary)
  admin = await makeCompany(app)
  other = await makeCompany(app)
  for (const person of [admin, other]) {
    const { token } = person
    await app.done({ path: '/api/components/import', token, body: [{ barcode: 'LAID-1' }] })
    const placed = { location: 'PRIMARY', components: [{ barcode: 'LAID-1', bin: 'A-01-1' }] }
    await app.done({ path: '/api/components/place', token, body: placed })
    await writeOldCounts(app, person)
  }
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-history-'))
  vi.stubEnv('DATABASE_URL', ownerUrl)
  vi.stubEnv('DATA_DIR', folder)
  vi.stubEnv('JWT_SECRET', testSecret)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await ordinary.end()
  await app.close()
  await owner.remove()
  await rm(folder, { recursive: true })
})

it('lists a quarter in each line, oldest first, with rows and size of both tables', async () => {
  await app.owner.query('analyze')
  await run()
  expect(said[0]).toMatch(new RegExp(`^${oldest} +counts 2 rows, 0\\.\\d MB +trail 2 rows, 0\\.\\d MB$`))
  expect(said[1]).toMatch(new RegExp(`^${quarterLabel(oldQuarters)} +counts 4 rows`))
  expect(said.at(-1)).toMatch(/^rest /)
  expect(said).toHaveLength(oldQuarters + 1 + 2 + 2)
})

describe('it detaches no quarter', () => {
  it.each([
    ['2001-Q1', 'There is no quarter 2001-Q1 to detach.'],
    ['rest', 'There is no quarter rest to detach.'],
    [quarterLabel(oldQuarters), `The oldest goes first: ${oldest}.`],
    [quarterLabel(0), `The oldest goes first: ${oldest}.`],
    ['soon', 'Name one quarter, as it is listed.'],
  ])('%s', async (label, sentence) => {
    await expect(run('detach', label)).rejects.toThrow(sentence)
  })

  it('that is among those to keep, and keeps this and the last one always', async () => {
    await expect(run('detach', oldest, '--keep', String(oldQuarters + 2))).rejects.toThrow(
      `${oldest} is not old enough: this quarter and the ${oldQuarters + 1} before it stay (--keep).`,
    )
    await expect(run('detach', oldest, '--keep', '1')).rejects.toThrow('at least 2')
  })

  it('while a trail is not as it was sealed', async () => {
    const change = (name: string) =>
      app.owner.query(
        `begin; set local session_replication_role = replica;
         update audit_entries set user_name = '${name}' where tenant_id = '${other.tenantId}' and sku = 'OLD-1'; commit`,
      )
    await change('Somebody')
    await expect(run('detach', oldest)).rejects.toThrow(
      `The trail of ${other.tenantId} is not as it was sealed`,
    )
    await change('Bea')
  })
})

it('detaches while somebody reads the trail for long, and people go on counting', async () => {
  const ask = (path: string, body: unknown) => app.ask({ path, token: other.token, body })
  await ask('/api/components/import', [{ barcode: 'A', primary_quantity: 5 }])
  const reader = await app.owner.connect()
  await reader.query('begin; select from audit_entries limit 1')
  const detached = run('detach', oldest)
  await vi.waitFor(async () => {
    const { rows } = await app.owner.query(
      `select from pg_locks join pg_stat_activity using (pid)
       where datname = current_database() and not granted and relation = 'audit_entries'::regclass`,
    )
    expect(rows).toHaveLength(1)
  }, 10_000)
  const timestamp = new Date().toISOString()
  const count = { barcode: 'A', quantity: 5, location: 'PRIMARY', session: 's', source: 'monthly', timestamp }
  const { status } = await ask('/api/components/update-with-tracking', count)
  await reader.query('commit')
  reader.release()
  expect(await detached).toContain(`${oldest} is detached`)
  expect(status).toBe(200)
  await run('attach', oldest)
})

describe('a quarter that is detached', () => {
  let before: number
  let ledger: unknown

  it('is in no list any more; what is younger is, and so are stock and charts', async () => {
    before = await total(admin)
    ledger = await get(admin, '/api/analytics/progress-over-time')
    expect(await trail(admin)).toMatchObject({ total: 3 })
    expect(await run('detach', oldest)).toContain(`${oldest} is detached`)
    expect(await trail(admin)).toMatchObject({ total: 2, entries: [{ sku: 'OLD-3' }, { sku: 'OLD-2' }] })
    expect(await run('detach', quarterLabel(oldQuarters))).toContain('in no backup')
    expect(await trail(admin)).toMatchObject({ total: 0, entries: [] })
    expect(await get(admin, '/api/count-history?limit=10')).toMatchObject({ history: [{ sku: 'NEW-1' }] })
    expect(await get(admin, '/api/analytics/progress-over-time')).toEqual(ledger)
    // Three are gone, and the command wrote down twice that it was there; the check of trails before each wrote nothing.
    expect(await total(admin)).toBe(before - 3 + 2)
    await run()
    expect(said.at(-1)).toMatch(new RegExp(`^detached ${oldest} +counts 2 rows`))
  })

  it('leaves a trail that is intact, and says what was not checked', async () => {
    expect(await verify(admin)).toMatchObject({ intact: true, detached: 3, fault: null })
    expect(await verify(other)).toMatchObject({ intact: true, detached: 3, fault: null })
  })

  it('excuses no more entries than were detached', async () => {
    await app.owner.query(`begin; set local session_replication_role = replica;
      update detached_history set entries = 1
      where tenant_id = '${other.tenantId}' and entries = 2 and history = 'audit_entries'; commit`)
    expect(await verify(other)).toMatchObject({ intact: false, fault: { kind: 'missing', seq: 3 } })
    await app.owner.query(`update detached_history set entries = 2
      where tenant_id = '${other.tenantId}' and part like '20%' and history = 'audit_entries'`)
  })

  it('is in no backup, and a backup verifies as the installation does', async () => {
    const file = join(folder, 'detached.backup')
    await backUp(file, { ownerUrl, migrations, version: '0.0.0' })
    const name = `restored_${randomUUID().slice(0, 8)}`
    const url = Object.assign(new URL(inject('ownerUrl')), { pathname: `/${name}` }).href
    await app.owner.query(`create database ${name}`)
    await restore(file, { ownerUrl: url, migrations })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      `select (select count(*) from audit_entries where sku like 'OLD%')::integer as entries,
         (select sum(entries) from detached_history where history = 'audit_entries')::integer as detached`,
    )
    expect(rows).toEqual([{ entries: 0, detached: 6 }])
    await client.end()
    await app.owner.query(`drop database ${name} with (force)`)
  })

  it('is read by no company, its own or another', async () => {
    const detached = `detached.audit_entries_${partOf(oldest)}`
    await expect(app.database.callFunction(`select from ${detached}`, [])).rejects.toThrow(
      'permission denied',
    )
  })

  it('is read whole by the owner of the tables, as pg_dump reads it', async () => {
    const part = partOf(oldest)
    const dump = await ordinary.connect()
    await dump.query('set row_security = off')
    const { rows } = await dump
      .query(
        `select (select count(*) from detached.count_history_${part})::integer as counts,
           (select count(*) from detached.audit_entries_${part})::integer as trail`,
      )
      .finally(() => dump.release(true))
    expect(rows).toEqual([{ counts: 2, trail: 2 }])
  })

  it('comes back whole, with what an archive has brought of its time since', async () => {
    await app.owner.query(
      `insert into count_history (tenant_id, id, sku, location, quantity, count_type, count_session, source, user_id,
         user_type, user_name, counted_at)
       select $1, id_at($3), 'OLD-4', 'PRIMARY', 5, 'monthly', 's', 'monthly', $2, 'admin', 'Bea', $3`,
      [admin.tenantId, admin.userId, quarterStart(oldQuarters)],
    )
    expect(await skusCounted()).toEqual(['NEW-1', 'OLD-4'])
    await expect(run('attach', quarterLabel(1))).rejects.toThrow('There is no detached quarter')
    expect(await run('attach', quarterLabel(oldQuarters))).toContain('is attached again')
    await run('attach', oldest)
    expect(await trail(admin)).toMatchObject({ total: 3 })
    expect(await skusCounted()).toEqual(['NEW-1', 'OLD-1', 'OLD-2', 'OLD-3', 'OLD-4'])
    expect(await verify(admin)).toMatchObject({ intact: true, detached: 0, fault: null })
    expect(await verify(other)).toMatchObject({ intact: true, detached: 0, fault: null })
    const { rows } = await app.owner.query(
      `select (select count(*) from count_history_rest)::integer as rest, (select count(*) from detached_history)::integer as noted`,
    )
    expect(rows).toEqual([{ rest: 0, noted: 0 }])
  })

  it('comes back guarded as every part is, also from a copy without policies and triggers', async () => {
    await run('detach', oldest)
    for (const history of ['count_history', 'audit_entries']) {
      const table = `detached.${history}_${partOf(oldest)}`
      await ordinary.query(`drop policy own_company on ${table}`)
      await ordinary.query(`alter table ${table} disable row level security`)
    }
    await ordinary.query(`drop trigger audit_entries_stay on detached.audit_entries_${partOf(oldest)}`)
    await run('attach', oldest)
    const { rows } = await app.owner.query(
      `select history, count(*)::integer as parts, bool_and(relrowsecurity and relforcerowsecurity) as is_forced,
         sum((select count(*) from pg_policy where polrelid = relation))::integer as policies,
         sum((select count(*) from pg_trigger where tgrelid = relation))::integer as triggers
       from history_parts() join pg_class on pg_class.oid = relation group by history order by history`,
    )
    const parts = oldQuarters + 5
    expect(rows).toEqual([
      { history: 'audit_entries', parts, is_forced: true, policies: parts, triggers: parts },
      { history: 'count_history', parts, is_forced: true, policies: parts, triggers: 0 },
    ])
  })
})

it('a difference is not reopened of which a newer count is put aside', async () => {
  const company = await makeCompany(app, { timeZone: zoneOfNoon() })
  const ask = async (path: string, body: unknown) =>
    (await app.ask({ path, token: company.token, body })).body
  await ask('/api/components/import', [{ barcode: 'OLD-9', primary_quantity: 10 }])
  for (const second of [1, 2]) {
    const timestamp = new Date(Date.now() - 60_000 + 1000 * second).toISOString()
    const place = { barcode: 'OLD-9', location: 'PRIMARY', session: 's', source: 'monthly' }
    await ask('/api/components/update-with-tracking', { ...place, quantity: 8, timestamp })
  }
  const found = z.object({ discrepancies: z.tuple([z.object({ id: z.string() })]) })
  const [{ id }] = found.parse(await get(company, '/api/discrepancies')).discrepancies
  await ask('/api/discrepancies/decide', { ids: [id], decision: 'dismiss', reason: 'By mistake' })
  const decided = new Date(quarterStart(oldQuarters + 1).getTime() + 86_400_000)
  await app.owner.query('delete from count_history where tenant_id = $1', [company.tenantId])
  await app.owner.query(
    `insert into count_history (tenant_id, id, sku, location, quantity, count_type, count_session, source, user_id,
       user_type, user_name, counted_at, created_at)
     select $1, id_at($3), 'OLD-9', 'PRIMARY', 10, 'monthly', 's', 'monthly', $2, 'admin', 'Bea', $3, $3`,
    [company.tenantId, company.userId, new Date(decided.getTime() + 86_400_000)],
  )
  for (const change of [
    `movements set created_at = $2, id = id_at($2, uuid_send(id))`,
    'discrepancies set created_at = $2, updated_at = $2',
    'count_attempts set counted_at = $2',
    'stock set counted_at = counted.counted_at from count_history counted',
  ]) {
    const of = change.includes('from') ? 'stock.tenant_id = $1 and counted.tenant_id = $1' : 'tenant_id = $1'
    await app.owner.query(`update ${change} where ${of} and $2::timestamptz is not null`, [
      company.tenantId,
      decided,
    ])
  }
  const refused = { code: 'cannot_reopen', error: expect.stringContaining('was counted again since') }
  expect(await ask('/api/discrepancies/reopen', { id })).toMatchObject(refused)
  await run('detach', oldest)
  expect(await ask('/api/discrepancies/reopen', { id })).toMatchObject(refused)
  await run('attach', oldest)
})

describe('a company that is removed', () => {
  const remove = async (name: string, email: string) => {
    said = []
    const say = (line: string) => void said.push(line)
    const args = ['--company-of', email, '--name', name]
    await removeCompany.run(args, { migrations, assets: '', version: '0.0.0', say })
  }

  /** The tables and parts of tables that have rows of a company. */
  async function tablesOf({ tenantId }: Person): Promise<string[]> {
    const { rows } = await app.owner.query<{ name: string }>(
      `select relnamespace::regnamespace || '.' || relname as name from pg_class
       where relnamespace in ('public'::regnamespace, 'detached'::regnamespace) and relkind = 'r' and exists (
         select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id'
       )`,
    )
    const held = await Promise.all(
      rows.map(async ({ name }) => {
        const found = await app.owner.query(`select from ${name} where tenant_id = $1 limit 1`, [tenantId])
        return found.rowCount === 0 ? [] : [name]
      }),
    )
    return held.flat().toSorted()
  }

  it('is named as it stands, or stays', async () => {
    const { rows } = await app.owner.query<{ name: string }>(
      'select name from companies where tenant_id = $1',
      [other.tenantId],
    )
    const name = rows[0]?.name ?? ''
    await expect(remove('Another', other.email)).rejects.toThrow(
      `${other.email} is in "${name}". To remove it for good, say so: --name "${name}"`,
    )
    await expect(remove(name, 'nobody@example.com')).rejects.toThrow(
      'Nobody here signs in as nobody@example.com.',
    )
  })

  it('leaves nothing, in quarters put aside either, and nothing of another company is touched', async () => {
    await run('detach', oldest)
    const { rows } = await app.owner.query<{ name: string }>(
      'select name from companies where tenant_id = $1',
      [other.tenantId],
    )
    const kept = await tablesOf(admin)
    const put = `detached.audit_entries_${partOf(oldest)}`
    const copied = await app.owner.query<{ row: object }>(
      `select to_jsonb(held) as row from ${put} as held where tenant_id = $1`,
      [other.tenantId],
    )
    expect(await tablesOf(other)).toEqual(expect.arrayContaining([put, 'public.placements']))
    expect(await verify(admin)).toMatchObject({ intact: true })
    await remove(rows[0]?.name ?? '', other.email)
    expect(said).toEqual([
      expect.stringMatching(
        /^Removing Company \d+\. From now on nobody of it gets in; if this is cut off, run it again\.$/,
      ),
      expect.stringMatching(/^Company \d+ is removed: \d+ rows\.$/),
      'Backups still have it, and so has what was copied of quarters that were put aside.',
    ])
    expect(await tablesOf(other)).toEqual([])
    expect(await tablesOf(admin)).toEqual(kept)
    expect(await verify(admin)).toMatchObject({ intact: true })
    expect((await app.ask({ method: 'GET', path: '/api/audit/trail', token: other.token })).status).toBe(401)
    await app.owner.query(
      `insert into ${put} select * from jsonb_populate_recordset(null::public.audit_entries, $1)`,
      [JSON.stringify(copied.rows.map(({ row }) => row))],
    )
    await run('attach', oldest)
    expect(said).toContain('Left out, and gone from here: 1 row of companies that are not here any more.')
    expect(await tablesOf(other)).toEqual([])
    const again = {
      companyName: 'Anew',
      contactEmail: other.email,
      contactName: 'Bea',
      adminPasscode: 'a new password',
    }
    const body = { ...again, plan: 'starter', timeZone: 'UTC' }
    expect((await app.ask({ path: '/api/auth/register-tenant', body })).status).toBe(201)
  })

  it('is removed by the owner of the tables alone', async () => {
    const erase = async (tenantId: string) =>
      await app.database.inTenant(admin.tenantId, async (tx) => {
        await sql`select set_config('app.removing', ${tenantId}, true)`.execute(tx.db)
        await sql`delete from audit_entries where tenant_id = ${tenantId}::uuid`.execute(tx.db)
      })
    await expect(erase(admin.tenantId)).rejects.toThrow('permission denied')
    await expect(
      ordinary.query('delete from audit_entries where tenant_id = $1', [admin.tenantId]),
    ).rejects.toThrow('Rows of audit_entries are never changed or removed.')
  })
})
