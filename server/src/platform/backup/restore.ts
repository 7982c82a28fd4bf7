import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { listMigrations, migrate, migrateWithin, withStartLock } from '../db/migrate.ts'
import { backupName, createPool, programName } from '../db/pool.ts'
import { BackupError } from './backup-error.ts'
import { clear } from './clear.ts'
import {
  countRows,
  createReader,
  header,
  manifest,
  type Header,
  type Manifest,
  type Reader,
} from './format.ts'
import { columnList, connectForLong, listTables, type Table } from './tables.ts'

type Target = { ownerUrl: string; migrations: string; say?: (line: string) => void }

/** What Node says of a gzip stream that is none, or ends too early. */
const gzipFaults = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Errors of the stream, in words. */
function explain(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') return new BackupError('There is no such file.', { cause: error })
  if (!gzipFaults.has(code)) return error
  return new BackupError('This backup is damaged or not complete. Nothing of it was restored.', {
    cause: error,
  })
}

/** Throws BackupError where this program does not know how to read that schema. */
async function requireKnown(backup: Header, folder: string): Promise<void> {
  const known = new Map((await listMigrations(folder)).map(({ name, hash }) => [name, hash]))
  const other = backup.migrations.find(({ name, hash }) => known.get(name) !== hash)
  if (other === undefined) return
  throw new BackupError(
    `This backup was made by another version (${backup.product_version}, ${other.name}) than this one can read. Restore it with that version or a newer one.`,
  )
}

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

type Copied = Omit<Manifest['tables'][number], 'rows'> & { rows: number }

/** The next table's rows for `take`, which says how many they were, and their sum. */
async function readTable(
  reader: Reader,
  name: string,
  take: (chunks: AsyncGenerator<Buffer>) => Promise<number>,
): Promise<Copied> {
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of reader.readChunks()) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { name, rows: await take(hashed()), sha256: hash.digest('hex') }
}

async function copyTable(
  client: pg.Client,
  reader: Reader,
  table: Header['tables'][number],
): Promise<Copied> {
  const name = pg.escapeIdentifier(table.name)
  return await readTable(reader, table.name, async (chunks) => {
    const target = client.query(copyFrom(`copy ${name} (${columnList(table.columns)}) from stdin`))
    await pipeline(Readable.from(chunks, { objectMode: false, highWaterMark: 65_536 }), target)
    return target.rowCount
  })
}

/** Reads over a table that no migration makes: earlier versions took those of others along. */
async function passOver(reader: Reader, name: string): Promise<Copied> {
  return await readTable(reader, name, async (chunks) => {
    let rows = 0
    for await (const chunk of chunks) rows += countRows(chunk)
    return rows
  })
}

/** Row level security cannot be copied past, and what the tables' own triggers did is in the rows already. */
async function openTables(client: pg.Client, tables: Table[], how: 'open' | 'closed'): Promise<void> {
  const [security, triggers] = how === 'open' ? ['no force', 'disable'] : ['force', 'enable']
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
async function copyAll(client: pg.Client, reader: Reader, backup: Header): Promise<Rows> {
  const { tables } = await listTables(client, () => true)
  const ours = new Set(tables.map(({ name }) => name))
  await openTables(client, tables, 'open')
  await client.query(`truncate ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`)
  const copied: Copied[] = []
  for (const table of backup.tables) {
    copied.push(
      ours.has(table.name) ? await copyTable(client, reader, table) : await passOver(reader, table.name),
    )
  }
  const wanted = await reader.readLine(manifest)
  await reader.requireEnd()
  if (JSON.stringify(copied) !== JSON.stringify(wanted.tables)) {
    throw new BackupError('This backup is damaged: its checksums do not agree. Nothing of it was restored.')
  }
  await openTables(client, tables, 'closed')
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

async function restoreInto(target: Target, reader: Reader, pool: pg.Pool): Promise<Restored> {
  const backup = await reader.readLine(header)
  await requireKnown(backup, target.migrations)
  const client = await connectForLong(target.ownerUrl)
  try {
    // All of it or nothing: until the file has been read to its end, what was there is only hidden.
    await client.query('begin')
    await requireEmpty(client)
    await clear(client, target.migrations)
    await migrateWithin(client, target.migrations, (name) =>
      backup.migrations.some((applied) => applied.name === name),
    )
    const copied = await copyAll(client, reader, backup)
    await client.query('commit')
    const newer = await migrate(pool, target.migrations)
    await client.query('analyze')
    return { ...copied, madeAt: backup.made_at, newer: newer.length }
  } finally {
    // Ending the connection takes back whatever was not finished.
    await client.end()
  }
}

/** Reads the file while `work` restores from it, and ends when both have. */
async function reading<T>(file: string, work: (reader: Reader) => Promise<T>): Promise<T> {
  const working: Promise<T>[] = []
  const reads = pipeline(createReadStream(file), createGunzip(), async (source: AsyncIterable<Buffer>) => {
    const restoring = work(createReader(source))
    working.push(restoring)
    await restoring
  })
  const [read] = await Promise.allSettled([reads])
  const failed = [...(await Promise.allSettled(working)), read].find((end) => end.status === 'rejected')
  if (failed !== undefined) throw explain(failed.reason)
  const [result] = await Promise.all(working)
  if (result === undefined) throw new Error('A file that was read was given to somebody.')
  return result
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
      () => reading(file, (reader) => restoreInto(target, reader, pool)),
      target.say,
    )
  } finally {
    await pool.end()
  }
}
