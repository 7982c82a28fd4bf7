import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, describe, expect, it } from 'vitest'
import { formFaults } from './forms.ts'
import { readFunctions } from './functions.ts'
import { layoutOf } from './layout.ts'
import { routingFaults } from './routing.ts'

const root = resolve(import.meta.dirname, '../../..')
let schema = ''
beforeAll(async () => {
  await loadModule()
  schema = await readFile(resolve(root, 'server/schema.sql'), 'utf8')
})

function faultsOf(text: string, equals: number[] = []): string[] {
  const sameAs = (parameter: string) => `$${(equals[Number(parameter.slice(1)) - 1] ?? 0) + 1}`
  return (parseSync(text).stmts ?? []).flatMap(({ stmt }) =>
    stmt === undefined ? [] : routingFaults(stmt, layoutOf(schema), equals.length === 0 ? {} : { sameAs }),
  )
}

/** Temporary tables are of the session, so they are where the function runs. */
const temporary = new Set(['judged_rows', 'wanted_stock'])

/** Its counts are of several companies; the script for Citus has it take none. */
const ofSeveral = 'record_matches'

it('every statement in the functions of the schema goes to one machine', () => {
  const layout = layoutOf(schema)
  const functions = readFunctions(schema).filter(({ name }) => name !== ofSeveral)
  expect(functions.length).toBeGreaterThan(35)
  expect(functions.flatMap(({ statements }) => statements).length).toBeGreaterThan(200)
  const faults = functions.flatMap((body) => {
    const own =
      body.name === 'commit_import' || body.name === 'take_import'
        ? { ...layout, reference: new Set([...layout.reference, ...temporary]) }
        : layout
    return body.statements
      .flatMap((statement) => routingFaults(statement, own, body))
      .map((fault) => `${body.name}: ${fault}`)
  })
  expect(faults).toEqual([])
})

it('every view of the schema, asked for one company, goes to one machine', () => {
  const views = [...schema.matchAll(/^view (\w+) \(.*as\n([^;]+);/gm)]
  expect(views.length).toBeGreaterThan(1)
  for (const [, name, definition] of views) {
    const asked = `select * from (${definition}) as ${name} where ${name}.tenant_id = $1`
    expect([name, faultsOf(asked)]).toEqual([name, []])
  }
  expect(
    faultsOf('select * from (select component_id from stock) as held where held.tenant_id = $1'),
  ).toEqual(['stock is not tied to a company'])
})

it('the script for Citus names the tables that are copied to each machine, and what is of several companies', async () => {
  const script = await readFile(resolve(root, 'ops/citus/distribute.sql'), 'utf8')
  expect(script).toContain(`array['login_emails', 'api_key_prefixes']`)
  expect(script).toContain(`create or replace function ${ofSeveral}(`)
  expect(layoutOf(schema).distributed.size).toBeGreaterThan(30)
})

describe('a statement goes to one machine', () => {
  it.each([
    'select * from components where tenant_id = $1 and id = $2',
    `select * from components c join stock s on s.tenant_id = c.tenant_id and s.component_id = c.id where c.tenant_id = $1`,
    `select * from components c left join stock s on (s.tenant_id, s.component_id) = (c.tenant_id, c.id) where c.tenant_id = $1::uuid`,
    `with part as (select tenant_id, id from components where tenant_id = $1) select * from part join stock on stock.tenant_id = part.tenant_id`,
    `select * from components where tenant_id = $1 and exists (select from stock where stock.tenant_id = components.tenant_id)`,
    `insert into stock (tenant_id, component_id, location) values ($1, $2, 'PRIMARY'), ($1, $3, 'PRIMARY') on conflict do nothing`,
    `insert into stock (tenant_id, component_id, location) select tenant_id, id, 'PRIMARY' from components where tenant_id = $1`,
    `update stock set quantity = 1 from components c where stock.tenant_id = $1 and c.tenant_id = stock.tenant_id`,
    'delete from operations where tenant_id = $1',
    'select tenant_id from login_emails where email = $1',
  ])('%s', (text) => {
    expect(faultsOf(text)).toEqual([])
  })

  it('with a company that is given twice as the same', () => {
    expect(
      faultsOf('select from stock, users where stock.tenant_id = $1 and users.tenant_id = $2', [0, 0]),
    ).toEqual([])
  })
})

describe('a statement that could go to several machines is found', () => {
  it.each([
    ['select count(*) from components', 'components is not tied to a company'],
    ['select * from components where tenant_id = $1 or id = $2', 'components is not tied to a company'],
    ['select * from components where tenant_id <> $1', 'components is not tied to a company'],
    [
      'select * from components c join stock s on s.component_id = c.id where c.tenant_id = $1',
      'stock is not tied to a company',
    ],
    [
      'select * from components c left join stock s on s.tenant_id = $1 and c.tenant_id = $1',
      'components is not tied to a company',
    ],
    [
      'select * from components where tenant_id = $1 and id in (select component_id from stock)',
      'stock is not tied to a company',
    ],
    [
      'with part as (select * from stock) select * from components, part where components.tenant_id = $1',
      'stock is not tied to a company',
    ],
    [
      'select * from stock, jsonb_to_recordset($1) as given (tenant_id uuid) where stock.tenant_id = given.tenant_id',
      'stock is not tied to a company',
    ],
    ['update stock set quantity = 0 where component_id = $1', 'stock is not tied to a company'],
    ['update stock set tenant_id = $2 where tenant_id = $1', 'a row is given to another company'],
    ['delete from operations where created_at < now()', 'operations is not tied to a company'],
    [
      `insert into stock (component_id, location) values ($1, 'PRIMARY')`,
      'stock gets rows without a known company',
    ],
    [
      'insert into operations (tenant_id, key) select tenant_id, key from operations',
      'operations is not tied to a company',
    ],
    [
      'select from stock, users where stock.tenant_id = $1 and users.tenant_id = $2',
      'it names more than one company: $1, $2',
    ],
    ['select * from stock, attempts where stock.tenant_id = $1', 'attempts is not where the companies are'],
    ['select * from something_new', 'the table something_new has no place in the layout'],
  ])('%s', (text, fault) => {
    expect(faultsOf(text)).toContain(fault)
  })
})

function formsOf(text: string): string[] {
  return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => (stmt === undefined ? [] : formFaults(stmt)))
}

describe('a change that Citus refuses', () => {
  it.each([
    'update stock set counted_at = clock_timestamp() where tenant_id = $1',
    'update stock set id = case when quantity = 0 then new_id() else id end where tenant_id = $1',
    `update discrepancies set was = jsonb_build_object('at', updated_at) where tenant_id = $1`,
    'update links set used = true where tenant_id = $1 and expires_at <= created_at + make_interval(hours => $2)',
    `update stock set quantity = case location when 'PRIMARY' then 1 else 2 end where tenant_id = $1`,
    `with gone as (update stock set counted_at = counted_at - interval '1 day' where tenant_id = $1) select 1`,
    'delete from count_assignments where tenant_id = $1 and id = $2 returning location, due_on::text as due_on',
    'insert into count_assignments (tenant_id, due_on) values ($1, $2) returning id, due_on::text',
  ])('%s', (text) => {
    expect(formsOf(text)).toHaveLength(1)
  })

  it.each([
    'update stock set counted_at = statement_timestamp() where tenant_id = $1',
    'update links set used = true where tenant_id = $1 and expires_at - created_at <= make_interval(hours => $2)',
    `update stock set quantity = case when location = 'PRIMARY' then 1 else 2 end where tenant_id = $1`,
    `update links set expires_at = now() + interval '1 day' where tenant_id = $1`,
    'delete from count_assignments where tenant_id = $1 and id = $2 returning location, due_on',
    `update discrepancies set was = stood.was
     from (select id, jsonb_build_object('at', updated_at) as was from discrepancies where tenant_id = $1 offset 0) as stood
     where tenant_id = $1 and discrepancies.id = stood.id`,
  ])('is not %s', (text) => {
    expect(formsOf(text)).toEqual([])
  })
})
