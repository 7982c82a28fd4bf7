import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'
import { nodeSecret } from '../../test/faults/node.ts'
import { makeOrdinaryOwner } from '../../test/ordinary-owner.ts'
import { startMailServer } from '../../test/smtp.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import { findZoneDifference } from '../accounts/time-zones.ts'
import { readConfig } from '../platform/config.ts'
import { explainStartFailure } from '../start-failure.ts'
import { openDatabase } from '../start.ts'
import { patience } from './doctor-database.ts'
import { examine } from './doctor.ts'

const root = resolve(import.meta.dirname, '../..')
const installation = {
  migrations: resolve(root, 'migrations'),
  assets: resolve(root, 'assets'),
  version: '0.0.0',
  say: () => undefined,
}

let app: TestApp
let admin: Person
let url: string
beforeAll(async () => {
  app = await startTestApp()
  admin = await makeCompany(app)
  await app.done({
    path: '/api/components/import',
    token: admin.token,
    body: [{ barcode: 'D-1', primary_quantity: 4 }],
  })
  const { rows } = await app.owner.query<{ name: string }>('select current_database() as name')
  const address = new URL(inject('ownerUrl'))
  address.pathname = `/${rows[0]?.name ?? ''}`
  url = address.href
})
afterAll(() => app.close())
const usual = { ...patience }
afterEach(() => void Object.assign(patience, usual))

/** What the doctor says, as 'about: state'. */
async function look(settings: Record<string, string> = {}): Promise<string[]> {
  const findings = await examine(readConfig({ DATABASE_URL: url, DATA_DIR: root, ...settings }), installation)
  return findings.map(({ about, state }) => `${about}: ${state}`)
}

it('a sound installation has nothing bad', async () => {
  // Of a machine that stands still for a moment either would be said.
  Object.assign(patience, { slowMs: 60_000, clockSeconds: 60 })
  expect(await look()).toEqual([
    'settings: good',
    'security: good',
    'node: good',
    'disk: good',
    'backups: doubtful',
    'database: good',
    'clock: good',
    'migrations: good',
    'roles: good',
    'time zones: good',
    'ledger: good',
    'audit trail: good',
  ])
})

it('a database that answers slowly is doubtful, and a clock that is not its own is bad', async () => {
  Object.assign(patience, { slowMs: 0, clockSeconds: -1 })
  const found = await look()
  expect(found).toContain('database: doubtful')
  expect(found).toContain('clock: bad')
})

it('a database that is not UTF-8 is bad, and one in whose locale Ä and ä are two letters is doubtful', async () => {
  const of = async (kept: string) => {
    const name = `doctor_${randomUUID().slice(0, 8)}`
    await app.owner.query(
      `create database ${name} ${kept} locale_provider libc locale 'C' template template0`,
    )
    const config = readConfig({ DATABASE_URL: url.replace(/[^/]*$/, name), DATA_DIR: root })
    const findings = await examine(config, installation)
    await app.owner.query(`drop database ${name} with (force)`)
    return findings
      .filter(({ about }) => about === 'database')
      .slice(1)
      .map(({ state, says }) => `${state}: ${says.replaceAll(name, 'stock')}`)
  }
  const remedy = `create database stock_utf8 encoding 'UTF8' locale 'C.UTF-8' template template0;`
  expect(await of(`encoding 'SQL_ASCII'`)).toEqual([
    `bad: it keeps text as SQL_ASCII, and the program needs UTF8. Make another one and name that: ${remedy}`,
  ])
  expect(await of(`encoding 'UTF8'`)).toEqual([
    `doubtful: in its locale Ä and ä are two letters, so a search finds them only as they are written; in one made so it does: ${remedy}`,
  ])
})

it('a database that takes no writes is bad, and a start says so', async () => {
  const name = `doctor_${randomUUID().slice(0, 8)}`
  await app.owner.query(`create database ${name}`)
  await app.owner.query(`alter database ${name} set default_transaction_read_only = on`)
  const config = readConfig({
    DATABASE_URL: url.replace(/[^/]*$/, name),
    DATA_DIR: root,
    JWT_SECRET: nodeSecret,
  })
  expect(await examine(config, installation)).toContainEqual({
    state: 'bad',
    about: 'database',
    says: 'it takes no writes: set default_transaction_read_only to off, for the role, the database or the server',
  })
  const starting = openDatabase(config, {
    migrations: installation.migrations,
    say: () => undefined,
    as: 'program',
  })
  expect(await starting.then(() => 'It started.', explainStartFailure)).toBe(
    'The database of DATABASE_URL takes no writes: it is a standby, or set to read only. Name the server that the standby follows, or set default_transaction_read_only to off.',
  )
  await app.owner.query(`drop database ${name} with (force)`)
})

it('a mail server that answers is good, and one that does not is bad', async () => {
  const mailServer = await startMailServer()
  const settings = { SMTP_URL: mailServer.url, PUBLIC_URL: 'https://count.example.com' }
  expect(await look(settings)).toContain('mail: good')
  await mailServer.close()
  expect(await look(settings)).toContain('mail: bad')
})

it('a stock figure that is not the sum of its movements is bad', async () => {
  await app.owner.query('update stock set quantity = quantity + 1')
  expect(await look()).toContain('ledger: bad')
  await app.owner.query('update stock set quantity = quantity - 1')
  expect(await look()).toContain('ledger: good')
})

it('a company in a time zone that the database does not know is bad', async () => {
  await app.owner.query(`update companies set time_zone = 'AET'`)
  const findings = await examine(readConfig({ DATABASE_URL: url, DATA_DIR: root }), installation)
  expect(findings.find(({ about }) => about === 'time zones')).toEqual({
    state: 'bad',
    about: 'time zones',
    says: expect.stringMatching(/^the database does not know those of Company \d+ \(AET\): /),
  })
  await app.owner.query(`update companies set time_zone = 'UTC'`)
})

it('such a company is found by an owner of the database who is no superuser, too', async () => {
  const owner = await makeOrdinaryOwner()
  let own = ''
  const theirs = await startTestApp({}, { fill: async (empty) => (own = await owner.giveDatabase(empty)) })
  await makeCompany(theirs)
  await theirs.owner.query(`update companies set time_zone = 'AET'`)
  expect(await look({ DATABASE_URL: own })).toContain('time zones: bad')
  await theirs.close()
  await owner.remove()
})

it('a company in a time zone of which the database and Node.js know different things is doubtful', async () => {
  const since = (zone: string) =>
    app.database.inTenant(admin.tenantId, (tx) => findZoneDifference(tx, zone, new Date('2026-11-30')))
  // Of winter and summer there the database knows nothing.
  expect(await since('CET')).toEqual(new Date('2027-03-30'))
  expect(await since('Europe/Brussels')).toBeNull()
  await app.owner.query(`update companies set time_zone = 'CET'`)
  const findings = await examine(readConfig({ DATABASE_URL: url, DATA_DIR: root }), installation)
  expect(findings.find(({ about }) => about === 'time zones')).toEqual({
    state: 'doubtful',
    about: 'time zones',
    says: expect.stringMatching(
      /^the database and Node\.js have different times for Company \d+ \(CET, by \d{4}-\d{2}-\d{2}\): update the older of the two \(Node\.js has zones of \S+\), or an administrator chooses another under Settings$/,
    ),
  })
  await app.owner.query(`update companies set time_zone = 'UTC'`)
})

it('the disk is that of the database, and a secret that can be guessed is bad', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-doctor-'))
  const elsewhere = await mkdtemp(join(tmpdir(), 'inventory-manager-doctor-'))
  await writeFile(join(folder, 'postgres-folder'), `${join(elsewhere, 'postgres')}\n`)
  await writeFile(join(folder, 'jwt-secret'), '\n', { mode: 0o600 })
  const findings = await examine(readConfig({ DATA_DIR: folder }), installation)
  const says = (name: string) => findings.find(({ about }) => about === name)
  expect(says('disk')?.says).toMatch(new RegExp(`GB free for ${elsewhere}`))
  expect(says('secret')).toEqual({
    state: 'bad',
    about: 'secret',
    says: `${join(folder, 'jwt-secret')} has fewer than 32 characters: remove it, and the next start makes another`,
  })
  await rm(folder, { recursive: true })
  await rm(elsewhere, { recursive: true })
})

it('the doctor leaves nothing in a folder that has no database yet', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-doctor-'))
  const findings = await examine(readConfig({ DATA_DIR: folder }), installation)
  expect(findings).toContainEqual({
    state: 'doubtful',
    about: 'database',
    says: 'there is none: npm start makes an empty one, npm run restore brings back a backup',
  })
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

it('an entry of an audit trail that was changed is bad', async () => {
  await app.owner.query('alter table audit_entries disable trigger user')
  await app.owner.query(`update audit_entries set user_name = 'Somebody else'`)
  expect(await look()).toContain('audit trail: bad')
  await app.owner.query('alter table audit_seals disable trigger user')
  await app.owner.query('delete from audit_entries; delete from audit_seals')
  expect(await look()).toContain('audit trail: good')
  await app.owner.query('alter table audit_entries enable trigger user')
  await app.owner.query('alter table audit_seals enable trigger user')
})

it('a role of the application that sees every company is bad', async () => {
  const { rows } = await app.owner.query<{ name: string }>('select current_database() as name')
  const role = `inventory_manager_app_${rows[0]?.name ?? ''}`
  await app.owner.query(`alter role ${role} bypassrls`)
  expect(await look()).toContain('roles: bad')
  await app.owner.query(`alter role ${role} nobypassrls`)
  expect(await look()).toContain('roles: good')
  expect(await look({ DATABASE_APP_URL: url })).toContain('roles: bad')
})

it('a role of the operator without limits is worth a look, at each start too, with the statements that set them', async () => {
  const role = `role_of_${process.pid}`
  await app.owner.query(`create role ${role} login password 'secret' in role inventory_manager_app`)
  const own = Object.assign(new URL(url), { username: role, password: 'secret' }).href
  const config = readConfig({
    DATABASE_URL: url,
    DATABASE_APP_URL: own,
    DATA_DIR: root,
    JWT_SECRET: nodeSecret,
  })
  const roles = async () =>
    (await examine(config, installation)).filter(({ about }) => about === 'roles').map(({ says }) => says)
  const start = async () => {
    const said: string[] = []
    const say = (line: string) => void said.push(line)
    const opened = await openDatabase(config, { migrations: installation.migrations, say, as: 'program' })
    await opened.close()
    return said
  }
  const lacks = 'the role of DATABASE_APP_URL has no limits, or longer ones than it should: '
  const all = `${lacks}alter role "${role}" set statement_timeout = '30s'; alter role "${role}" set lock_timeout = '5s'; alter role "${role}" set idle_in_transaction_session_timeout = '15s';`
  expect(await roles()).toEqual([all])
  expect(await start()).toEqual([`Worth a look: ${all}`])
  for (const limit of [`statement_timeout = '20s'`, `idle_in_transaction_session_timeout = '15s'`])
    await app.owner.query(`alter role ${role} set ${limit}`)
  await app.owner.query(`alter role ${role} set lock_timeout = '1min'`)
  expect(await roles()).toEqual([`${lacks}alter role "${role}" set lock_timeout = '5s';`])
  await app.owner.query(`alter role ${role} set lock_timeout = '500ms'`)
  expect(await roles()).toEqual(['the role of DATABASE_APP_URL owns nothing and has its limits'])
  expect(await start()).toEqual([])
  await app.owner.query(`drop role ${role}`)
})

it('a database that waits for migrations is worth a look, one that is newer is bad', async () => {
  await app.owner.query(`insert into migration_files values ('9999_later', 'x')`)
  expect(await look()).toContain('migrations: bad')
  await app.owner.query(`delete from migration_files where name = '9999_later'`)
  const { rows } = await app.owner.query<{ name: string; hash: string }>(
    'delete from migration_files where name = (select max(name) from migration_files) returning *',
  )
  expect(await look()).toContain('migrations: doubtful')
  await app.owner.query('insert into migration_files values ($1, $2)', [rows[0]?.name, rows[0]?.hash])
})

it('a database that does not answer is bad, and the rest is still looked at', async () => {
  const found = await look({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  expect(found).toContain('database: bad')
  expect(found).toContain('settings: good')
})

it('an address of the application that leads nowhere is bad by its own name, and the rest is still looked at', async () => {
  const nowhere = 'postgres://nobody:x@127.0.0.1:1/none'
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: root, DATABASE_APP_URL: nowhere })
  const says =
    'The database at DATABASE_APP_URL does not answer. Check that it runs and that the address is right.'
  const findings = await examine(config, installation)
  expect(findings).toContainEqual({ state: 'bad', about: 'roles', says })
  expect(findings.map(({ about, state }) => `${about}: ${state}`)).toContain('ledger: good')
  const starting = openDatabase(
    { ...config, JWT_SECRET: nodeSecret },
    { migrations: installation.migrations, say: () => undefined, as: 'program' },
  )
  expect(await starting.then(() => 'It started.', explainStartFailure)).toBe(says)
})

it('settings that weaken security are named', async () => {
  const says = async (settings: Record<string, string>) =>
    (await examine(readConfig({ DATABASE_URL: url, DATA_DIR: root, ...settings }), installation))
      .filter(({ about }) => about === 'security')
      .map((finding) => finding.says)
  expect(await says({ HOST: '0.0.0.0' })).toEqual([expect.stringContaining('without TLS')])
  expect(await says({ HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.1' })).toEqual(['no setting weakens it'])
  expect(await says({ JWT_SECRET: 'abcabcabcabcabcabcabcabcabcabcabcabc' })).toEqual([
    expect.stringContaining('JWT_SECRET'),
  ])
  expect(await says({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' })).toEqual([
    expect.stringContaining('METRICS_HOST'),
  ])
  for (const name of ['DATABASE_APP_URL', 'DATABASE_REPLICA_URL']) {
    const far = url.replace('127.0.0.1', 'db.example')
    expect(await says({ [name]: far })).toEqual([
      expect.stringMatching(new RegExp(`^${name}: .* without TLS`)),
    ])
    expect(await says({ [name]: `${far}?sslmode=verify-full` })).toEqual(['no setting weakens it'])
  }
}, 60_000)
