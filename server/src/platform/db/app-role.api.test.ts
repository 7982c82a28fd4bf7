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
