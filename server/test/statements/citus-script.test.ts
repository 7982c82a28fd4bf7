import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { loadModule, parseSync } from 'libpg-query'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../test-app.ts'
import { callFaults, columnFaults, formFaults } from './forms.ts'
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

it('the script for Citus leaves no function that is called for the rows of a table and reads or writes others', async () => {
  await loadModule()
  const rows = await readChanged()
  const functions = readFunctions(['-- functions', ...rows.map(({ definition }) => definition)].join('\n'))
  const reaching = new Set(
    rows.filter(({ body }) => /\b(?:from|join|into|update)\s+[a-z_]+\b/i.test(body)).map(({ name }) => name),
  )
  expect(reaching).toContain('keep_with_stock')
  const refused = functions.flatMap(({ name, statements }) =>
    statements.flatMap((statement) => callFaults(statement, reaching).map((fault) => `${name}: ${fault}`)),
  )
  expect(refused).toEqual([])
})

it('the check of calls knows one that is made for rows of a table', async () => {
  await loadModule()
  const faultsOf = (text: string) =>
    (parseSync(text).stmts ?? []).flatMap(({ stmt }) =>
      stmt === undefined ? [] : callFaults(stmt, new Set(['keep_with_stock'])),
    )
  const refused = ['a select calls keep_with_stock() for rows of a table, which Citus refuses']
  expect(faultsOf('select keep_with_stock($1, array_agg(id)) from movements where tenant_id = $1')).toEqual(
    refused,
  )
  expect(faultsOf('with made as (select public.keep_with_stock($1, id) from stock) select 1')).toEqual(
    refused,
  )
  expect(faultsOf('select keep_with_stock($1, $2)')).toEqual([])
  expect(faultsOf('select keep_with_stock($1, array(select id from stock where tenant_id = $1))')).toEqual([])
  expect(faultsOf('select count(*) from stock where tenant_id = $1')).toEqual([])
})

it('no migration since 0282 adds a column whose check, key or reference has no name', async () => {
  await loadModule()
  const folder = resolve(import.meta.dirname, '../../migrations')
  const names = (await readdir(folder)).filter((name) => name > '0282_unit_costs.sql')
  expect(names).toContain('0283_low_stock.sql')
  const refused = await Promise.all(
    names.map(async (name) => {
      const statements = (await readFile(join(folder, name), 'utf8')).split('-- ;;')
      return statements.flatMap((text) => columnFaults(parseSync(text)).map((fault) => `${name}: ${fault}`))
    }),
  )
  expect(refused.flat()).toEqual([])
})

it('the check of migrations knows a column that Citus refuses', async () => {
  await loadModule()
  const faultsOf = (text: string) => columnFaults(parseSync(`alter table companies add column ${text}`))
  const refused = ['an added column has a constraint without a name, which Citus refuses']
  expect(faultsOf("currency text default 'USD' check (currency <> '')")).toEqual(refused)
  expect(faultsOf('a text, add column currency text references currencies')).toEqual(refused)
  expect(faultsOf('currency text unique')).toEqual(refused)
  expect(faultsOf("currency text not null default 'USD'")).toEqual([])
  expect(faultsOf("currency text constraint companies_currency_check check (currency <> '')")).toEqual([])
})
