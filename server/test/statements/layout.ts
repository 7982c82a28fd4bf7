import type { Layout } from './places.ts'

/** A copy on each machine: which company an address, or a key, belongs to. */
const reference = new Set(['login_emails', 'api_key_prefixes'])
/** On the coordinator: throttling by address, which is before any company is known. */
const local = new Set(['attempts', 'migration_files', 'kysely_migration', 'kysely_migration_lock'])

/** The layout of ops/citus/distribute.sql, of a schema as `npm run schema` writes it. */
export function layoutOf(schema: string): Layout {
  const tables = [...schema.matchAll(/^table (\w+) \(\n((?: .*\n)*)/gm)]
  const distributed = tables.filter(
    ([, name = '', columns = '']) => columns.includes('  tenant_id uuid') && !reference.has(name),
  )
  // A view goes where its table goes; of what it is made has a test of its own.
  const views = [...schema.matchAll(/^view (\w+) \(/gm)]
  const names = [...distributed, ...views].map(([, name = '']) => name)
  return { distributed: new Set(names), reference, local }
}
