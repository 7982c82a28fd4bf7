import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { requireUtf8 } from '../db/encoding.ts'
import { migrate, migrateWithin, withStartLock } from '../db/migrate.ts'
import { backupName, createPool, programName } from '../db/pool.ts'
import { BackupError } from './backup-error.ts'
import { clear } from './clear.ts'
import { readHeader, type BackupReader, type Header } from './format.ts'
import { orReadOn, passOver, readTable, reading, requireKnown, requireSums, type Copied } from './read.ts'
import { columnList, connectForLong, listTables, type Table } from './tables.ts'

type Target = { ownerUrl: string; migrations: string; say?: (line: string) => void }

/** Throws BackupError unless nobody works with the database and no company is in it. */
async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows: others } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [programName],
  )
  if (others.length > 0) {
    throw new BackupError('Inventory Manager runs on this database. Stop it on every node, then restore.')
  }
  const { rows: tables } = await client.query(
    `select from pg_tables where schemaname = 'public' and tablename = 'login_emails'`,
  )
  if (tables.length === 0) return
  const { rows: people } = await client.query('select from login_emails limit 1')
  if (people.length > 0) {
    throw new BackupError(
      'There are companies in this installation already. A backup is restored into an empty one: choose another DATA_DIR or DATABASE_URL.',
    )
  }
}

async function copyTable(
  client: pg.Client,
  reader: BackupReader,
  table: Header['tables'][number],
): Promise<Copied> {
  const name = pg.escapeIdentifier(table.name)
  return await readTable(reader, table.name, async (chunks) => {
    const target = client.query(copyFrom(`copy ${name} (${columnList(table.columns)}) from stdin`))
    await pipeline(Readable.from(chunks, { objectMode: false, highWaterMark: 65_536 }), target)
    return target.rowCount
  })
}

/**
 * Switches row level security (which COPY cannot pass) and the tables' own triggers (whose work is in the rows already) off
 * or on.
 */
async function setTableGuards(client: pg.Client, tables: Table[], to: 'off' | 'on'): Promise<void> {
  const [security, triggers] = to === 'off' ? ['no force', 'disable'] : ['force', 'enable']
  const { rows } = await client.query<{ name: string; is_part: boolean }>(
    `select relname as name, relispartition as is_part from pg_class
     where relnamespace = 'public'::regnamespace and relrowsecurity`,
  )
  const secured = new Set(rows.map(({ name }) => name))
  const parts = rows.filter(({ is_part: isPart }) => isPart)
  for (const { name } of tables) {
    const table = pg.escapeIdentifier(name)
    if (secured.has(name)) await client.query(`alter table ${table} ${security} row level security`)
    await client.query(`alter table ${table} ${triggers} trigger user`)
  }
  // Rows come by their table, whose row level security alone is asked; emptying a table asks its parts' triggers.
  for (const { name } of parts) {
    await client.query(`alter table ${pg.escapeIdentifier(name)} ${triggers} trigger user`)
  }
}

type Rows = Pick<Restored, 'rows' | 'tables' | 'others'>

/** All rows of a backup, each table compared with the manifest at the end. */
async function copyAll(client: pg.Client, reader: BackupReader, backup: Header): Promise<Rows> {
  const { tables } = await listTables(client, () => true)
  const ours = new Set(tables.map(({ name }) => name))
  await setTableGuards(client, tables, 'off')
  await client.query(`truncate ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`)
  const copied: Copied[] = []
  for (const table of backup.tables) {
    copied.push(
      ours.has(table.name) ? await copyTable(client, reader, table) : await passOver(reader, table.name),
    )
  }
  await requireSums(reader, copied)
  await endAccess(client, ours)
  await setTableGuards(client, tables, 'on')
  const restored = copied.filter(({ name }) => ours.has(name))
  return {
    rows: restored.reduce((sum, { rows }) => sum + rows, 0),
    tables: restored.length,
    others: copied.map(({ name }) => name).filter((name) => !ours.has(name)),
  }
}

type Restored = {
  rows: number
  tables: number
  /** Tables of the backup that are not the program's, and were left out. */
  others: string[]
  madeAt: string
  newer: number
}

/** What was ended since the backup was made is open in it: nobody goes on by a session or a password link of then. */
async function endAccess(client: pg.Client, tables: ReadonlySet<string>): Promise<void> {
  // Backups of the first versions have no keys and no links.
  const ofKey = `select from api_keys where api_keys.tenant_id = sessions.tenant_id and api_keys.session_id = sessions.id`
  await client.query(
    `update sessions set ended_at = now()
     where ended_at is null ${tables.has('api_keys') ? `and not exists (${ofKey})` : ''}`,
  )
  if (!tables.has('one_time_links')) return
  await client.query(
    `update one_time_links set revoked_at = now() where kind = 'password' and used_at is null and revoked_at is null`,
  )
}

type File = { reader: BackupReader; source: AsyncIterable<Buffer> }

async function restoreInto(target: Target, { reader, source }: File, pool: pg.Pool): Promise<Restored> {
  const backup = await readHeader(reader)
  await requireKnown(backup, target.migrations)
  await requireUtf8(pool)
  const client = await connectForLong(target.ownerUrl)
  try {
    // All of it or nothing: until the file has been read to its end, what was there is only hidden.
    await client.query('begin')
    await requireEmpty(client)
    await clear(client, target.migrations)
    await migrateWithin(client, target.migrations, (name) =>
      backup.migrations.some((applied) => applied.name === name),
    )
    const copied = await orReadOn(source, () => copyAll(client, reader, backup))
    await client.query('commit')
    const newer = await migrate(pool, target.migrations)
    await client.query('analyze')
    return { ...copied, madeAt: backup.made_at, newer: newer.length }
  } finally {
    // Ending the connection takes back whatever was not finished.
    await client.end()
  }
}

/**
 * Restores a backup into the empty database at `ownerUrl` and brings it up to date; rows are restored all or none.
 * Throws BackupError with a sentence when the file is no whole backup, or the database in use, not empty or not this
 * program's alone; then everything is as it was.
 */
export async function restore(file: string, target: Target): Promise<Restored> {
  const pool = createPool({ url: target.ownerUrl, size: 2, onError: () => undefined, name: backupName })
  try {
    return await withStartLock(
      pool,
      () => reading(file, (reader, source) => restoreInto(target, { reader, source }, pool)),
      target.say,
    )
  } finally {
    await pool.end()
  }
}
