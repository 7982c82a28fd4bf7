import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it, vi, type MockInstance } from 'vitest'
import { makeOrdinaryOwner } from '../../../test/ordinary-owner.ts'
import { explainStartFailure } from '../../start-failure.ts'
import { openDatabase } from '../../start.ts'
import { readConfig } from '../config.ts'
import { ensureAppRole } from './app-role.ts'
import { createPool } from './pool.ts'

const migrations = resolve(import.meta.dirname, '../../../migrations')
const secrets = {
  first: 'the first secret of an installation',
  second: 'the second secret of an installation',
}

let superuser: pg.Client
beforeAll(async () => {
  superuser = new pg.Client({ connectionString: inject('ownerUrl') })
  await superuser.connect()
})
afterAll(() => superuser.end())

let owner: Awaited<ReturnType<typeof makeOrdinaryOwner>>
let database: string
/** The owner's address of it. */
let url: string
beforeEach(async () => {
  database = `role_${randomUUID().slice(0, 8)}`
  owner = await makeOrdinaryOwner()
  await superuser.query(`create database ${database}`)
  url = await owner.giveDatabase(Object.assign(new URL(inject('ownerUrl')), { pathname: database }).href)
})
afterEach(async () => {
  await superuser.query(`drop database ${database} with (force)`)
  await superuser.query(`drop role if exists inventory_manager_app_${database}`)
  await owner.remove()
})

async function start(secret: string): Promise<string> {
  const config = readConfig({ DATABASE_URL: url, JWT_SECRET: secret })
  const opening = openDatabase(config, { migrations, say: () => undefined, as: 'program' })
  return await opening.then(async ({ close, database: opened }) => {
    const [row] = await opened.callFunction<{ name: string }>('select current_user as name', [])
    await close()
    return `It works as ${row?.name ?? 'nobody'}.`
  }, explainStartFailure)
}

it('an owner who is no superuser starts the program also after the secret was lost', async () => {
  const started = `It works as inventory_manager_app_${database}.`
  expect(await start(secrets.first)).toBe(started)
  expect(await start(secrets.second)).toBe(started)
  expect(await start(secrets.first)).toBe(started)
})

it("the password of the program's role stands in no statement, which the server might log", async () => {
  const spies: MockInstance<pg.PoolClient['query']>[] = []
  const pool = createPool({ url, size: 2, onError: () => undefined })
  pool.on('connect', (client) => void spies.push(vi.spyOn(client, 'query')))
  const made = await ensureAppRole(pool, url, { secret: secrets.first, as: 'program' })
  const again = await ensureAppRole(pool, url, { secret: secrets.second, as: 'program' })
  await pool.end()
  const sent = JSON.stringify(spies.flatMap((spy) => spy.mock.calls))
  expect(sent).toContain(`create role \\"inventory_manager_app_${database}\\" login`)
  expect(sent).toContain(`alter role \\"inventory_manager_app_${database}\\" login`)
  for (const address of [made, again]) expect(sent).not.toContain(new URL(address).password)
})

it('the owner of another installation on the server is told what to have run, and starts then', async ({
  skip,
}) => {
  const { username: name } = new URL(url)
  const version = await superuser.query<{ number: number }>(
    `select current_setting('server_version_num')::integer as number`,
  )
  // Before that version whoever may create roles may give them, too.
  skip((version.rows[0]?.number ?? 0) < 160_000)
  const started = `It works as inventory_manager_app_${database}.`
  const told = `The role of DATABASE_URL may not give inventory_manager_app to the role by which the program works: another installation on this server has made it. Whose owner that is, or a superuser, has to run once: grant inventory_manager_app to ${name} with admin option;`
  await superuser.query(`revoke inventory_manager_app from ${name}`)
  expect(await start(secrets.first)).toBe(told)
  const made = await superuser.query('select from pg_roles where rolname = $1', [
    `inventory_manager_app_${database}`,
  ])
  expect(made.rowCount).toBe(0)
  await superuser.query(`grant inventory_manager_app to ${name} with admin option`)
  expect(await start(secrets.first)).toBe(started)
  // As earlier versions left it behind, without the grant and with a password.
  await superuser.query(
    `revoke inventory_manager_app from inventory_manager_app_${database} granted by ${name}`,
  )
  await superuser.query(`revoke inventory_manager_app from ${name}`)
  expect(await start(secrets.first)).toBe(told)
  await superuser.query(`grant inventory_manager_app to ${name} with admin option`)
  expect(await start(secrets.first)).toBe(started)
})

it('an owner who may not create roles is told so in the words of the database, too', async () => {
  const { username } = new URL(url)
  await superuser.query(`alter role ${username} nocreaterole`)
  expect(await start(secrets.first)).toMatch(
    /^The database role of DATABASE_URL may not do what is needed: it must own the database and be allowed to create roles\. PostgreSQL says: permission denied to create role\./,
  )
})

it('a role of its own that sees every company is refused by its name', async () => {
  const role = `inventory_manager_app_${database}`
  expect(await start(secrets.first)).toBe(`It works as ${role}.`)
  await superuser.query(`alter role ${role} bypassrls`)
  const refused = `The role ${role}, by which the program works, may bypass row level security. Let it be a login role that is only a member of inventory_manager_app.`
  expect(await start(secrets.first)).toBe(refused)
  await superuser.query(`alter role ${role} nobypassrls`)
  expect(await start(secrets.first)).toBe(`It works as ${role}.`)
})
