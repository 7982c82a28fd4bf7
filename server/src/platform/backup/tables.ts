import pg from 'pg'
import { backupName, heldAlive } from '../db/pool.ts'
import { BackupError } from './backup-error.ts'

export type Table = { name: string; columns: string[]; hidden: boolean }

/** What says which migrations were applied; restoring writes it anew by applying them. */
const ownTables = ['migration_files', 'kysely_migration', 'kysely_migration_lock']

type TableRow = Table & { refers_to: string[] }

/** Tables so that each comes after those of them it refers to. */
function inOrder(rows: TableRow[]): TableRow[] {
  const names = new Set(rows.map(({ name }) => name))
  const placed = new Set<string>()
  const ordered: TableRow[] = []
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ name, refers_to }) =>
        !placed.has(name) && refers_to.every((other) => placed.has(other) || !names.has(other)),
    )
    if (next.length === 0) throw new BackupError('The tables refer to each other in a ring.')
    for (const row of next) placed.add(row.name)
    ordered.push(...next)
  }
  return ordered
}

/**
 * The tables of `public` with their columns, as the connected role sees them: `hidden` ones show their rows to one
 * company at a time only. Columns that hold this server's own transaction numbers mean nothing elsewhere and are left out.
 * Of those that are not the product's there is only the name, in `others`.
 */
export async function listTables(
  client: pg.Client,
  isOurs: (name: string) => boolean,
): Promise<{ tables: Table[]; others: string[] }> {
  const { rows } = await client.query<TableRow>(
    `select relname as name, row_security_active(pg_class.oid) as hidden,
       array(
         select attname::text from pg_attribute
         where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
           and atttypid not in ('xid'::regtype, 'xid8'::regtype)
         order by attnum
       ) as columns,
       array(
         select distinct confrelid::regclass::text from pg_constraint
         where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid and conparentid = 0
       ) as refers_to
     from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> all ($1)
     order by relname`,
    [ownTables],
  )
  const ours = inOrder(rows.filter(({ name }) => isOurs(name)))
  return {
    tables: ours.map(({ name, columns, hidden }) => ({ name, columns, hidden })),
    others: rows.map(({ name }) => name).filter((name) => !isOurs(name)),
  }
}

export function columnList(columns: readonly string[]): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ')
}

/** A connection of the owner's for one long piece of work. */
export async function connectForLong(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: backupName, ...heldAlive })
  await client.connect()
  await client.query(
    'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
  )
  return client
}
