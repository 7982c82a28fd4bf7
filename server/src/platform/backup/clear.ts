import type pg from 'pg'
import { migrateWithin } from '../db/migrate.ts'
import { BackupError } from './backup-error.ts'

/** A relation, routine or type, by the words that name it in SQL. */
type Thing = { kind: string; name: string; isPublic: boolean }

/**
 * What somebody has made in the database. What belongs to something else goes and comes with that: parts of tables,
 * their row types, what an extension brought.
 */
async function listThings(client: pg.Client): Promise<Thing[]> {
  const { rows } = await client.query<Thing>(`
    select named.type as kind, named.identity as name, namespace = 'public'::regnamespace as "isPublic"
    from (
      select 'pg_class'::regclass as class, oid, relnamespace as namespace from pg_class
      where relkind in ('r', 'p', 'v', 'm', 'S', 'f') and not relispartition
      union all
      select 'pg_proc'::regclass, oid, pronamespace from pg_proc
      union all
      select 'pg_type'::regclass, oid, typnamespace from pg_type
      where typtype in ('e', 'd', 'r') or (select relkind = 'c' from pg_class where pg_class.oid = typrelid)
    ) as thing
    join pg_namespace on pg_namespace.oid = namespace and nspname !~ '^pg_' and nspname <> 'information_schema'
    cross join lateral pg_identify_object(class, thing.oid, 0) as named
    where not exists (
      select from pg_depend where classid = class and objid = thing.oid and objsubid = 0 and deptype in ('e', 'i')
    )
    order by kind, name`)
  return rows
}

const nameOf = ({ kind, name }: Thing) => `${kind} ${name}`

async function drop(client: pg.Client, things: Thing[]): Promise<void> {
  for (const thing of things) {
    if (thing.isPublic) await client.query(`drop ${thing.kind} if exists ${thing.name} cascade`)
  }
}

/** The migrations by which this program made what is there; null where it has made nothing. */
async function listApplied(client: pg.Client, things: Thing[]): Promise<Set<string> | null> {
  if (!things.some(({ name }) => name === 'public.migration_files')) return null
  const { rows } = await client.query<{ name: string }>('select name from public.migration_files')
  return new Set(rows.map(({ name }) => name))
}

const notOurs = (thing: Thing) =>
  new BackupError(
    `There is something in this database that Inventory Manager did not make: the ${nameOf(thing)}. A backup is restored into an empty installation: choose another DATA_DIR or DATABASE_URL.`,
  )

/**
 * Takes an empty installation's tables and functions away, so that they can be made as the backup knew them. Works within
 * the transaction that is begun, and is to be taken back with it where it throws BackupError: when something went that its
 * migrations do not make again, so that it is somebody else's.
 */
export async function clear(client: pg.Client, migrations: string): Promise<void> {
  const things = await listThings(client)
  const [first] = things.filter(({ isPublic }) => isPublic)
  if (first === undefined) return
  const applied = await listApplied(client, things)
  if (applied === null) throw notOurs(first)
  await drop(client, things)
  await migrateWithin(client, migrations, (name) => applied.has(name))
  const again = await listThings(client)
  const made = new Set(again.map(nameOf))
  const other = things.find((thing) => !made.has(nameOf(thing)))
  if (other !== undefined) throw notOurs(other)
  await drop(client, again)
}
