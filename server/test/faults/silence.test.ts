import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createDatabase, type Database } from '../../src/platform/db/database.ts'
import { codeOfDatabaseError } from '../../src/platform/db/errors.ts'
import { createPool } from '../../src/platform/db/pool.ts'
import { namedStatement } from '../../src/platform/db/statements.ts'
import { startProxy, type Proxy } from './proxy.ts'

let proxy: Proxy
let database: Database
beforeAll(async () => {
  const url = new URL(inject('ownerUrl'))
  proxy = await startProxy(Number(url.port))
  url.port = String(proxy.port)
  database = createDatabase(createPool({ url: url.href, size: 2, onError: () => undefined }), namedStatement)
})
afterAll(async () => {
  await database.close()
  await proxy.close()
})

const companies = () => database.inTenant(randomUUID(), ({ db }) => sql`select 1`.execute(db))
const count = () => database.callFunction('select 1 as one', [])

/** How long something took, and what it came to. */
async function timed(work: Promise<unknown>): Promise<{ ms: number; code: string | null }> {
  const began = performance.now()
  const code = await work.then(
    () => 'done',
    (error: unknown) => codeOfDatabaseError(error),
  )
  return { ms: performance.now() - began, code }
}

it('connections that fell silent are given up within seconds, and the next request has a new one', async () => {
  await Promise.all([companies(), count()])
  expect(database.poolUse()).toMatchObject({ total: 2, idle: 2 })

  proxy.swallow()
  const silent = [timed(companies()), timed(count())]
  proxy.heal()
  const outcomes = await Promise.all(silent)
  expect(outcomes.map(({ code }) => code)).toEqual(['unavailable', 'unavailable'])
  expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThan(20_000)

  expect(await Promise.all([timed(companies()), timed(count())])).toMatchObject([
    { code: 'done' },
    { code: 'done' },
  ])
  expect(database.poolUse()).toMatchObject({ total: 2, idle: 2 })
})
