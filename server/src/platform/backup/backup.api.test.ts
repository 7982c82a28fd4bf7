import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../../test/test-app.ts'
import { migrate, withStartLock } from '../db/migrate.ts'
import { backupName, createPool } from '../db/pool.ts'
import { backUp } from './dump.ts'
import { restore } from './restore.ts'

const migrations = resolve(import.meta.dirname, '../../../migrations')

let app: TestApp
let admin: Person
let staff: Person
let folder: string
let ownerUrl: string
const leave: (() => Promise<unknown>)[] = []

async function maintain(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('ownerUrl') })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** An empty database; `ordinary` is owned by a role that is no superuser, as on a server somebody else runs. */
async function emptyDatabase(kind: 'embedded' | 'ordinary'): Promise<string> {
  const name = `restored_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const url = new URL(inject('ownerUrl'))
  url.pathname = `/${name}`
  if (kind === 'ordinary') {
    await maintain(`create role ${name} login createrole password 'known'`)
    url.username = name
    url.password = 'known'
  }
  await maintain(`create database ${name} ${kind === 'ordinary' ? `owner ${name}` : ''}`)
  leave.push(async () => {
    await maintain(`drop database ${name} with (force)`)
    if (kind === 'ordinary') await maintain(`drop role ${name}`)
  })
  return url.href
}

/** As somebody who sees every row. */
async function look<R extends pg.QueryResultRow>(url: string, statement: string): Promise<R[]> {
  const there = new URL(inject('ownerUrl'))
  there.pathname = new URL(url).pathname
  const client = new pg.Client({ connectionString: there.href })
  await client.connect()
  const { rows } = await client.query<R>(statement)
  await client.end()
  return rows
}

/** Every table with the number and a digest of its rows. */
/** What a restore leaves otherwise than it was. */
const ended: Record<string, string> = { sessions: 'ended_at', one_time_links: 'revoked_at' }

async function digest(url: string): Promise<string[]> {
  const names = await look<{ name: string }>(
    url,
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname !~ '^(kysely|migration)' order by 1`,
  )
  const lines: string[] = []
  for (const { name } of names) {
    const text = `md5((to_jsonb(t) - '{transaction_id,${ended[name] ?? 'transaction_id'}}'::text[])::text)`
    const [row] = await look<{ digest: string }>(
      url,
      `select format('%s %s', count(*), md5(string_agg(${text}, '' order by ${text}))) as digest from ${name} as t`,
    )
    lines.push(`${name} ${row?.digest ?? ''}`)
  }
  return lines
}

/** How many stock figures differ from their movements or from their history: 0 is right. */
async function faults(url: string): Promise<number> {
  const [row] = await look<{ faults: number }>(
    url,
    `select count(*)::integer as faults from stock
     where quantity <> (
       select coalesce(sum(delta), 0) from movements
       where (tenant_id, component_id, location) = (stock.tenant_id, stock.component_id, stock.location)
     ) or scans <> (
       select count(*) from count_history
       where (tenant_id, component_id, location) = (stock.tenant_id, stock.component_id, stock.location)
     )`,
  )
  return row?.faults ?? NaN
}

const scan = (person: Person, barcode: string, quantity: number) =>
  app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    key: randomUUID(),
    body: {
      barcode,
      quantity,
      location: 'PRIMARY',
      source: 'monthly',
      session: 's',
      timestamp: new Date().toISOString(),
    },
  })

const names = Array.from({ length: 60 }, (_, index) => `B-${index}`)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-backup-'))
  app = await startTestApp()
  const [database] = (await app.owner.query<{ name: string }>('select current_database() as name')).rows
  const url = new URL(inject('ownerUrl'))
  url.pathname = `/${database?.name ?? ''}`
  ownerUrl = url.href
  admin = await makeCompany(app)
  staff = await makeStaff(app, admin)
  const other = await makeCompany(app)
  for (const person of [admin, other]) {
    await app.done({
      path: '/api/components/import',
      token: person.token,
      body: names.map((barcode, index) => ({
        barcode,
        // What a text format must carry: tab, line break, backslash, quotes, NULL's own sign, beyond ASCII.
        description: `Tab\tnew line\nback\\slash "\\N" é 日本 ${index}`,
        primary_quantity: index,
      })),
    })
    const placed = [
      { barcode: 'B-1', bin: 'Aisle 3\\N é', minimum: 4 },
      { barcode: 'B-2', minimum: 0 },
    ]
    const place = { location: 'PRIMARY', components: placed }
    await app.done({ path: '/api/components/place', token: person.token, body: place })
    await scan(person, 'B-3', 5)
    await scan(person, 'B-3', 5)
    await scan(person, 'B-4', 4)
    // As if it had been told, so that nothing of it changes by itself.
    await app.owner.query(
      `insert into low_stock (tenant_id, component_id, location)
       select tenant_id, component_id, location from placements where tenant_id = $1 and minimum = 4`,
      [person.tenantId],
    )
  }
})
afterAll(async () => {
  await app.close()
  for (const action of leave) await action()
  await rm(folder, { recursive: true })
})

const fileNamed = (name: string) => join(folder, `${name}.backup`)
const into = (url: string) => ({ ownerUrl: url, migrations })
const from = (url: string) => ({ ...into(url), version: '1.0.0' })

describe('a backup', () => {
  it('goes from the embedded database to an ordinary server and back, row for row', async () => {
    // The trail is sealed in the background: what is compared must not change meanwhile.
    const waiting = 'select (select count(*) from audit_entries) - (select count(*) from audit_seals) as open'
    await expect.poll(() => look(ownerUrl, waiting)).toEqual([{ open: '0' }])
    const first = fileNamed('first')
    const made = await backUp(first, from(ownerUrl))
    expect(made.rows).toBeGreaterThan(300)
    expect(made.others).toEqual([])
    expect((await stat(first)).mode & 0o777).toBe(0o600)

    const server = await emptyDatabase('ordinary')
    expect(await restore(first, into(server))).toMatchObject({ rows: made.rows, newer: 0 })
    expect(await digest(server)).toEqual(await digest(ownerUrl))

    // The owner here sees one company at a time only.
    const second = fileNamed('second')
    expect(await backUp(second, from(server))).toMatchObject({ rows: made.rows })
    const back = await emptyDatabase('embedded')
    await restore(second, into(back))
    expect(await digest(back)).toEqual(await digest(ownerUrl))
    expect(await faults(back)).toBe(0)
  })

  it('lets nobody go on by a session or a password link of then, and keys by what they may', async () => {
    await app.done({ path: '/api/api-keys', token: admin.token, body: { name: 'Robot', scopes: ['read'] } })
    const path = `/api/team/users/${staff.userId}/password-link`
    await app.done({ path, token: admin.token, body: { mail: false } })
    const file = fileNamed('open')
    await backUp(file, from(ownerUrl))
    const url = await emptyDatabase('ordinary')
    await restore(file, into(url))
    const open = `
      select (select count(*)::integer from sessions where ended_at is null) as sessions,
        (select count(*)::integer from api_keys where revoked_at is null) as keys,
        (select count(*)::integer from one_time_links where kind = 'password' and revoked_at is null) as links`
    expect(await look(url, open)).toEqual([{ sessions: 1, keys: 1, links: 0 }])
  })

  it('leaves every guard of the tables as it was', async () => {
    const url = await emptyDatabase('ordinary')
    await restore(fileNamed('first'), into(url))
    const guards = `
      select relname, relrowsecurity, relforcerowsecurity, (
        select array_agg(tgname || tgenabled::text order by tgname) from pg_trigger where tgrelid = pg_class.oid and not tgisinternal
      ) as triggers
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`
    expect(await look(url, guards)).toEqual(await look(ownerUrl, guards))
  })

  it('made while people count holds each count whole, and all that were stored before it began', async () => {
    const file = fileNamed('busy')
    const stop = new AbortController()
    let stored = 0
    const counting = [admin, staff].map(async (person, lane) => {
      for (let turn = 0; !stop.signal.aborted; turn += 1) {
        const index = (turn * 2 + lane) % names.length
        const { status } = await scan(person, names[index] ?? '', index)
        if (status === 200) stored += 1
      }
    })
    await expect.poll(() => stored).toBeGreaterThan(20)
    const before = stored
    await backUp(file, from(ownerUrl))
    const after = stored
    stop.abort()
    await Promise.all(counting)

    const url = await emptyDatabase('embedded')
    await restore(file, into(url))
    expect(await faults(url)).toBe(0)
    const scans = `'monthly_count_scan'`
    const [found] = await look<{ history: number; audit: number; days: number; unanswered: number }>(
      url,
      `select (select count(*) from count_history where tenant_id = '${admin.tenantId}')::integer as history,
         (select count(*) from audit_entries where event = ${scans} and tenant_id = '${admin.tenantId}')::integer as audit,
         (select sum(scans) from scan_days where tenant_id = '${admin.tenantId}')::integer as days,
         (select count(*) from operations where reply is null)::integer as unanswered`,
    )
    // One recorded count of the beginning differed, so it is no scan that matched.
    expect(found).toMatchObject({ audit: (found?.history ?? 0) - 1, days: found?.history, unanswered: 0 })
    expect(found?.history).toBeGreaterThanOrEqual(before)
    expect(found?.history).toBeLessThanOrEqual(after + 2 + 2)
  })

  it('begun while an upgrade changes tables has all that is in them, and the tables that it makes', async () => {
    const url = await emptyDatabase('embedded')
    await restore(fileNamed('first'), into(url))
    const upgrade = new pg.Client({ connectionString: url })
    await upgrade.connect()
    await upgrade.query('begin')
    await upgrade.query('alter table components alter description type text using trim(description)')
    await upgrade.query('create table later (id integer)')
    // As of a version that knows that table.
    await upgrade.query(`insert into migration_files (name, hash) values ('9999_later', '')`)
    const file = fileNamed('upgraded')
    const backingUp = backUp(file, from(url))
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await look(url, waiting)).length).toBe(1)
    await upgrade.query('commit')
    await upgrade.end()
    const { rows, tables } = await backingUp
    expect(await backUp(fileNamed('after'), from(url))).toMatchObject({ rows, tables })
  })

  /** A copy of the first, and what it holds. */
  async function copyOfFirst(): Promise<{ url: string; held: string[] }> {
    const url = await emptyDatabase('ordinary')
    await restore(fileNamed('first'), into(url))
    return { url, held: await digest(url) }
  }

  it('leaves out the tables of other programs, says which, and is restored', async () => {
    const { url, held } = await copyOfFirst()
    // The owner of the program's tables may not read these, they refer to each other, and one has no columns.
    await look(
      url,
      `create table orders (id integer primary key);
       create table prices (order_id integer references orders, id integer primary key);
       alter table orders add constraint ring foreign key (id) references prices deferrable;
       create table nothing ()`,
    )
    const file = fileNamed('shared')
    const { others } = await backUp(file, from(url))
    expect(others).toEqual(['nothing', 'orders', 'prices'])
    const other = await emptyDatabase('embedded')
    expect(await restore(file, into(other))).toMatchObject({ others: [], newer: 0 })
    expect(await digest(other)).toEqual(held)
  })

  it('of an earlier version, which took the tables of others along, is restored without them', async () => {
    const { url, held } = await copyOfFirst()
    await look(url, "create table orders as select 'a' as number; grant select on orders to public")
    // Where a newer version has been at work nothing is left out, as nothing was before.
    await look(url, "insert into migration_files values ('9999_later', 'x')")
    const file = fileNamed('earlier')
    expect(await backUp(file, from(url))).toMatchObject({ others: [] })
    const inside = gunzipSync(await readFile(file))
    const end = inside.indexOf('\n')
    const head = inside.subarray(0, end).toString().replace(',{"name":"9999_later","hash":"x"}', '')
    await writeFile(file, gzipSync(Buffer.concat([Buffer.from(head), inside.subarray(end)])))

    const other = await emptyDatabase('embedded')
    expect(await restore(file, into(other))).toMatchObject({ others: ['orders'] })
    expect(await digest(other)).toEqual(held)
  })

  it('is not written over a file that is there', async () => {
    await expect(backUp(fileNamed('first'), from(ownerUrl))).rejects.toThrow('There is a file')
  })

  it('of two that are made to one name at once one is there whole, and the other says that it is not', async () => {
    const made = () => backUp(fileNamed('twice'), from(ownerUrl))
    const ends = await Promise.allSettled([made(), made()])
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(ends.map((end) => (end.status === 'rejected' ? String(end.reason) : '')).join('')).toContain(
      `There is a file ${fileNamed('twice')} already. Choose another name.`,
    )
    expect(await restore(fileNamed('twice'), into(await emptyDatabase('embedded')))).toMatchObject({
      newer: 0,
    })
    expect((await readdir(folder)).filter((name) => name.startsWith('twice'))).toEqual(['twice.backup'])
  })

  it.each([
    ['missing/x.backup', ' cannot be written: its folder is not there. Make the folder, or choose another.'],
    [
      'first.backup/x.backup',
      ' cannot be written: a file is where its folder should be. Choose another folder.',
    ],
    [
      '/sys/x.backup',
      ' cannot be written: no permission. Choose another folder, or run this as another user.',
    ],
  ])('says why it cannot be written at %s', async (name, why) => {
    const file = resolve(folder, name)
    await expect(backUp(file, from(ownerUrl))).rejects.toThrow(`${file}${why}`)
  })
})

/** What the first start makes. */
async function startOn(url: string): Promise<void> {
  const pool = createPool({ url, size: 2, onError: () => undefined, name: backupName })
  await withStartLock(pool, () => migrate(pool, migrations))
  await pool.end()
}

/** Everything there is, by its number: what was made anew has another one. */
const things = `
  select oid, relname as name from pg_class where relnamespace = 'public'::regnamespace
  union all select oid, proname from pg_proc where pronamespace = 'public'::regnamespace
  union all select oid, typname from pg_type where typnamespace = 'public'::regnamespace
  union all select oid, relname from pg_class where relnamespace = to_regnamespace('reports')
  order by oid`

describe('restoring is refused, and changes nothing,', () => {
  const refusal = (file: string, url: string) =>
    restore(file, into(url)).then(
      () => 'restored',
      (error: unknown) => String(error),
    )

  it('where there are companies already', async () => {
    const url = await emptyDatabase('embedded')
    await restore(fileNamed('first'), into(url))
    const before = await digest(url)
    expect(await refusal(fileNamed('first'), url)).toContain(
      'There are companies in this installation already.',
    )
    expect(await digest(url)).toEqual(before)
  })

  it('while the program runs there', async () => {
    expect(await refusal(fileNamed('first'), ownerUrl)).toContain('Inventory Manager runs on this database.')
  })

  it('where another program has its tables', async () => {
    const url = await emptyDatabase('embedded')
    await look(url, "create table orders (number text); insert into orders values ('kept')")
    expect(await refusal(fileNamed('first'), url)).toContain(
      'There is something in this database that Inventory Manager did not make: the table public.orders. A backup is restored into an empty installation: choose another DATA_DIR or DATABASE_URL.',
    )
    expect(await look(url, 'select * from orders')).toEqual([{ number: 'kept' }])
  })

  it.each([
    ['table public.orders', "create table orders as select 'kept' as number"],
    ['function public.price(integer)', 'create function price(integer) returns integer return 2 * $1'],
    ['sequence public.invoices', 'create sequence invoices'],
    ['type public.colour', "create type colour as enum ('red')"],
    ['view reports.people', 'create schema reports; create view reports.people as select from login_emails'],
  ])('where beside the tables of an empty installation is a %s', async (name, statement) => {
    const url = await emptyDatabase('ordinary')
    await startOn(url)
    await look(url, statement)
    const before = await look(url, things)
    expect(await refusal(fileNamed('first'), url)).toContain(`did not make: the ${name}.`)
    expect(await look(url, things)).toEqual(before)
  })

  it('for a file that is cut off, into an installation that was started', async () => {
    const url = await emptyDatabase('ordinary')
    await startOn(url)
    await look(url, "insert into attempts (key, window_start, taken) values ('sign-in', now(), 7)")
    const before = await look(url, things)
    await writeFile(
      fileNamed('half'),
      gzipSync(gunzipSync(await readFile(fileNamed('first'))).subarray(0, -20)),
    )
    expect(await refusal(fileNamed('half'), url)).toContain('damaged or not complete')
    expect(await look(url, things)).toEqual(before)
    expect(await look(url, 'select taken from attempts')).toEqual([{ taken: 7 }])
    expect(await restore(fileNamed('first'), into(url))).toMatchObject({ newer: 0 })
  })

  it('for a file that is missing, no backup, cut off, changed or too long', async () => {
    const url = await emptyDatabase('embedded')
    const whole = await readFile(fileNamed('first'))
    const inside = gunzipSync(whole)
    const changed = Buffer.from(inside)
    const at = changed.indexOf('B-17')
    changed.write('B-71', at)
    const files: [string, Buffer, string][] = [
      ['text', Buffer.from('hello'), 'damaged or not complete'],
      ['other', gzipSync('{"format":"other"}\n'), 'no backup of Inventory Manager'],
      ['cut', whole.subarray(0, whole.length / 2), 'damaged or not complete'],
      ['cut-inside', gzipSync(inside.subarray(0, -20)), 'damaged or not complete'],
      ['changed', gzipSync(changed), 'checksums do not agree'],
      ['long', gzipSync(Buffer.concat([inside, Buffer.from('more')])), 'damaged or not complete'],
    ]
    for (const [name, content, sentence] of files) {
      await writeFile(fileNamed(name), content)
      expect([name, await refusal(fileNamed(name), url)]).toEqual([name, expect.stringContaining(sentence)])
    }
    expect(await refusal(fileNamed('missing'), url)).toContain('There is no such file.')
    expect(await restore(fileNamed('first'), into(url))).toMatchObject({ newer: 0 })
  })

  it('for a file that changed so that its rows fit no table, in the words for a damaged one', async () => {
    const whole = await readFile(fileNamed('first'))
    const changed = gunzipSync(whole)
    changed.write('\t', changed.indexOf('B-17'))
    // As a disk leaves it: the sum at the end is that of what was written.
    const file = Buffer.concat([gzipSync(changed).subarray(0, -8), whole.subarray(-8)])
    await writeFile(fileNamed('torn'), file)
    expect(await refusal(fileNamed('torn'), await emptyDatabase('embedded'))).toBe(
      'Error: This backup is damaged or not complete. Nothing of it was restored.',
    )
  })

  it('for a backup of a newer version', async () => {
    const inside = gunzipSync(await readFile(fileNamed('first')))
    const end = inside.indexOf('\n')
    const head = inside
      .subarray(0, end)
      .toString()
      .replace('"migrations":[', '"migrations":[{"name":"9999_later","hash":"x"},')
    await writeFile(fileNamed('newer'), gzipSync(Buffer.concat([Buffer.from(head), inside.subarray(end)])))
    expect(await refusal(fileNamed('newer'), await emptyDatabase('embedded'))).toContain(
      'This backup was made by another version (1.0.0, 9999_later)',
    )
  })
})
