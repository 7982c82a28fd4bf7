import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { loadModule } from 'libpg-query'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../test-app.ts'
import { formFaults } from './forms.ts'
import { readFunctions } from './functions.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** What the script changes in functions, which needs no Citus. */
async function readChanges(): Promise<string> {
  const script = await readFile(resolve(import.meta.dirname, '../../../ops/citus/distribute.sql'), 'utf8')
  const changes = /^-- What Citus refuses in the functions[\s\S]+?(?=^-- Its counts are of several)/m.exec(
    script,
  )
  return changes?.[0] ?? ''
}

/** Tables of the session alone: row level security says nothing there. */
const temporary = new Set(['judged_rows', 'wanted_stock'])

type Changed = { name: string; body: string; definition: string }

/** The functions with a company as the script leaves them. */
async function readChanged(): Promise<Changed[]> {
  const client = await app.owner.connect()
  await client.query('begin')
  await client.query(await readChanges())
  const { rows } = await client.query<Changed>(
    `select proname as name, prosrc as body, pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = 'public'::regnamespace and proargnames[1] = 'p_tenant' and prosqlbody is null`,
  )
  // Takes everything back.
  client.release(true)
  expect(rows.length).toBeGreaterThan(35)
  return rows
}

it('the script for Citus gives each insert of a select the form that row level security lets through', async () => {
  const rows = await readChanged()
  const refused = rows.flatMap(({ name, body }) =>
    [...body.matchAll(/insert into (\w+)(?:(?!insert into|on conflict|\bvalues\b)[^;])*;/g)]
      .filter(([, table = '']) => !temporary.has(table))
      .map(([text]) => `${name}: ${text}`),
  )
  expect(refused).toEqual([])
})

it('the script for Citus leaves no update in a function a form that Citus refuses', async () => {
  await loadModule()
  const rows = await readChanged()
  const functions = readFunctions(['-- functions', ...rows.map(({ definition }) => definition)].join('\n'))
  expect(functions.length).toBe(rows.length)
  const refused = functions.flatMap(({ name, variables, statements }) =>
    statements.flatMap((statement) => formFaults(statement, variables).map((fault) => `${name}: ${fault}`)),
  )
  expect(refused).toEqual([])
})
