import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeSchema } from './schema-text.ts'
import { startTestApp, type TestApp } from './test-app.ts'

const run = promisify(execFile)

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Tables outside the companies, each with its reason. */
const outside = [
  'api_key_prefixes', // a key names no company
  'attempts', // guesses come from nobody
  'login_emails', // sign-in names no company
  'migration_files', // the program's own
  'kysely_migration',
  'kysely_migration_lock',
]

async function names(query: string): Promise<string[]> {
  const { rows } = await app.owner.query<{ name: string }>(query, [outside])
  return rows.map(({ name }) => name)
}

describe('the schema', () => {
  it('is the one that is checked in (after a migration: npm run schema)', async () => {
    await expect(await describeSchema(app.owner)).toMatchFileSnapshot('../schema.sql')
  })

  it('is the one the row types were read from (after a migration: npm run schema)', async () => {
    const url = app.owner.options.connectionString ?? ''
    const cli = resolve(import.meta.dirname, '../../node_modules/kysely-codegen/dist/cli/bin.js')
    const verify = process.env['UPDATE_SCHEMA'] === undefined ? ['--verify'] : []
    const options = ['--config-file', '.kysely-codegenrc.json', '--url', url, ...verify]
    await expect(
      run(process.execPath, [cli, ...options], { cwd: resolve(import.meta.dirname, '..') }),
    ).resolves.toMatchObject({ stdout: expect.any(String) })
  })
})

describe('every table of the companies', () => {
  const own = `relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all ($1)`

  it('enforces row level security, for its owner too', async () => {
    expect(
      await names(
        `select relname as name from pg_class
         where ${own} and not (relrowsecurity and relforcerowsecurity and exists (
           select from pg_policy where polrelid = pg_class.oid and polqual is not null and polwithcheck is not null
         ))`,
      ),
    ).toEqual([])
  })

  it('lets a company see and write the rows of its own name, by one rule that is the same everywhere', async () => {
    expect(
      await names(
        `select relname as name from pg_class left join pg_policy on polrelid = pg_class.oid
         where ${own} and (
           pg_get_expr(polqual, polrelid) is distinct from '(tenant_id = current_tenant())'
           or pg_get_expr(polwithcheck, polrelid) is distinct from '(tenant_id = current_tenant())'
           or not polpermissive or polcmd <> '*'
         )`,
      ),
    ).toEqual([])
  })

  it('says that a company has a thousand rows where several indexes begin with it, so that none is taken for another', async () => {
    expect(
      await names(
        `select relname as name from pg_class
         join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
         where ${own} and relkind = 'r' and not relispartition
           and attoptions is distinct from '{n_distinct=-0.001}'
           and (select count(*) from pg_index where indrelid = pg_class.oid and indkey[0] = attnum) > 1`,
      ),
    ).toEqual([])
  })

  it('begins each primary, unique and foreign key with the tenant', async () => {
    expect(
      await names(
        `select format('%s %s', conrelid::regclass, conname) as name
         from pg_constraint join pg_class on pg_class.oid = conrelid
         where ${own} and contype in ('p', 'u', 'f')
           and (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) <> 'tenant_id'`,
      ),
    ).toEqual([])
  })

  it('begins each index with the tenant', async () => {
    expect(
      await names(
        `select indexrelid::regclass::text as name
         from pg_index join pg_class on pg_class.oid = indrelid
         where ${own}
           and pg_get_indexdef(indexrelid, 1, false) not in ('tenant_id', 'uuid_hash_extended(tenant_id, (0)::bigint)')`,
      ),
    ).toEqual([])
  })
})

it('each view of the companies says whose its rows are, and shows whoever asks what the tables show them', async () => {
  expect(
    await names(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('v', 'm') and relname <> all ($1) and (
         relkind = 'm' or reloptions is distinct from '{security_invoker=true}'
         or not exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id')
       )`,
    ),
  ).toEqual([])
})

describe("the application's role", () => {
  it('owns nothing and cannot pass row level security', async () => {
    const { rows } = await app.owner.query(
      `select rolname, rolsuper, rolbypassrls, rolcreaterole,
         exists (select from pg_class where relowner = pg_roles.oid) as owns
       from pg_roles
       where rolname in ('inventory_manager_app', 'inventory_manager_app_' || current_database()) and (
         rolsuper or rolbypassrls or rolcreaterole or exists (select from pg_class where relowner = pg_roles.oid)
       )`,
    )
    expect(rows).toEqual([])
  })

  it('waits and works for so long and no longer', async () => {
    const rows = await app.database.callFunction(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
         current_setting('idle_in_transaction_session_timeout') as idle`,
      [],
    )
    expect(rows).toEqual([{ statement: '30s', lock: '5s', idle: '15s' }])
  })

  it('sees no row of any company without naming one', async () => {
    const tables = await names(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
         and relname <> all ($1)`,
    )
    for (const table of tables) {
      const rows = await app.database.callFunction(`select count(*)::integer as seen from ${table}`, [])
      expect([table, rows]).toEqual([table, [{ seen: 0 }]])
    }
  })

  it('reaches no part of the history but through its table', async () => {
    const parts = await app.owner.query<{ part: string }>(
      'select relation::regclass::text as part from history_parts()',
    )
    expect(parts.rows.length).toBeGreaterThanOrEqual(8)
    for (const { part } of parts.rows) {
      await expect(app.database.callFunction(`select from ${part}`, [])).rejects.toThrow('permission denied')
      const insert = `insert into ${part} (tenant_id) values ('${randomUUID()}')`
      await expect(app.database.callFunction(insert, [])).rejects.toThrow('permission denied')
    }
  })

  it('makes parts of the history for the time ahead, and nothing else of the kind', async () => {
    await expect(
      app.database.callFunction(
        `select add_history_part('audit_entries', 'audit_entries_mine', 'default')`,
        [],
      ),
    ).rejects.toThrow('permission denied')
    await expect(app.database.callFunction('create table mine ()', [])).rejects.toThrow('permission denied')
  })

  it.each([
    'audit_entries',
    'audit_seals',
    'count_history',
    'detached_history',
    'movements',
    'count_attempts',
    'label_prints',
  ])('can neither change nor delete what stands in %s', async (table) => {
    for (const statement of [
      `update ${table} set tenant_id = tenant_id`,
      `delete from ${table}`,
      `truncate ${table}`,
    ]) {
      await expect(app.database.callFunction(statement, [])).rejects.toThrow('permission denied')
    }
  })

  it('cannot read the e-mail addresses of all companies', async () => {
    await expect(app.database.callFunction('select * from login_emails', [])).rejects.toThrow(
      'permission denied',
    )
  })

  it('cannot read the beginnings of all API keys', async () => {
    await expect(app.database.callFunction('select * from api_key_prefixes', [])).rejects.toThrow(
      'permission denied',
    )
  })
})
