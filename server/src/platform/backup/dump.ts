import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { listMigrations, listTablesMade } from '../db/migrate.ts'
import { onlyRow } from '../db/only-row.ts'
import { listTenantIds } from '../db/tenant-ids.ts'
import { writeWhole } from './backup-file.ts'
import { readThrough } from './check.ts'
import { countRows, endOfTable, lengthOf, line, type Header, type Manifest } from './format.ts'
import { columnList, connectForLong, listTables, type Table } from './tables.ts'

/** What is backed up: the database, and the migrations and version of the program that does it. */
export type Source = { ownerUrl: string; migrations: string; version: string }

/** The companies whose rows to ask for one after the other: `null` is everybody's at once. */
async function listTenantsToCopy(client: pg.Client, tables: Table[]): Promise<(string | null)[]> {
  if (!tables.some(({ hidden }) => hidden)) return [null]
  return await listTenantIds(client)
}

async function* copyTable(
  client: pg.Client,
  table: Table,
  tenants: (string | null)[],
): AsyncGenerator<Buffer, Manifest['tables'][number]> {
  const hash = createHash('sha256')
  let rows = 0
  const select = `select ${columnList(table.columns)} from ${pg.escapeIdentifier(table.name)}`
  for (const tenant of table.hidden ? tenants : [null]) {
    if (tenant !== null) await client.query(`select set_config('app.tenant_id', $1, true)`, [tenant])
    const stream = client.query(copyTo(`copy (${select}) to stdout`))
    for await (const part of stream) {
      const chunk = Buffer.from(part)
      hash.update(chunk)
      rows += countRows(chunk)
      yield lengthOf(chunk)
      yield chunk
    }
  }
  yield endOfTable
  return { name: table.name, rows, sha256: hash.digest('hex') }
}

type Totals = {
  tables: number
  rows: number
  others: string[]
  /** Quarters of history that are put aside, which no backup holds. */
  aside: number
}

/** The schema they lie in is there since they can be put aside. */
async function countAside(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ aside: number }>(
    `select count(*)::integer as aside from pg_tables
     where schemaname = 'detached' and starts_with(tablename, 'count_history_')`,
  )
  return onlyRow(rows).aside
}

/** Tells the product's tables from others; all are taken for its own where a newer version has been at work. */
async function recogniser(applied: Header['migrations'], folder: string): Promise<(name: string) => boolean> {
  const known = new Set((await listMigrations(folder)).map(({ name }) => name))
  if (applied.some(({ name }) => !known.has(name))) return () => true
  const made = await listTablesMade(folder)
  return (name) => made.has(name)
}

type Present = { migrations: Header['migrations']; tables: Table[]; others: string[] }

async function listPresent(client: pg.Client, source: Source): Promise<Present> {
  const { rows: migrations } = await client.query<Header['migrations'][number]>(
    'select name, hash from migration_files order by name',
  )
  return { migrations, ...(await listTables(client, await recogniser(migrations, source.migrations))) }
}

/**
 * Takes the snapshot, with what there is by it. What is read last is still what it was: no part is put aside and no table changed
 * from before the snapshot until the end, since either would leave its rows out without a note.
 */
async function enterSnapshot(client: pg.Client, source: Source): Promise<Present> {
  for (;;) {
    const locked = new Set((await listPresent(client, source)).tables.map(({ name }) => name))
    await client.query('begin isolation level repeatable read, read only')
    const names = [...locked].map((name) => pg.escapeIdentifier(name))
    await client.query(`lock table ${names.join(', ')} in access share mode`)
    const present = await listPresent(client, source)
    if (present.tables.every(({ name }) => locked.has(name))) return present
    await client.query('rollback')
  }
}

/** Everything of a backup, from one snapshot of the database. */
async function* contents(client: pg.Client, source: Source, totals: Totals): AsyncGenerator<Buffer> {
  const { migrations, tables, others } = await enterSnapshot(client, source)
  const tenants = await listTenantsToCopy(client, tables)
  totals.aside = await countAside(client)
  yield line({
    format: 'inventory-manager-backup',
    format_version: 1,
    product_version: source.version,
    made_at: new Date().toISOString(),
    migrations,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
  } satisfies Header)
  const copied: Manifest['tables'] = []
  for (const table of tables) copied.push(yield* copyTable(client, table, tenants))
  yield line({ tables: copied } satisfies Manifest)
  await client.query('commit')
  totals.tables = copied.length
  totals.others = others
  totals.rows = copied.reduce((sum, { rows }) => sum + rows, 0)
}

/**
 * Writes everything of this program's in the database at `ownerUrl` into a file, as it is at one moment, while people go on
 * working; `others` are tables that are somebody else's and not in it. The file is there under its name only when it is
 * whole and was read back; it is readable for its owner alone. A signal breaks off and leaves nothing.
 */
export async function backUp(
  file: string,
  source: Source,
  signal?: AbortSignal,
): Promise<Totals & { bytes: number }> {
  const totals: Totals = { tables: 0, rows: 0, others: [], aside: 0 }
  const client = await connectForLong(source.ownerUrl)
  // Whoever waits for an answer hears of a lost connection by that.
  client.on('error', (error) => void error)
  const breakOff = () => client.connection.stream.destroy()
  signal?.addEventListener('abort', breakOff)
  try {
    await writeWhole(file, async (partial) => {
      const target = (await open(partial, 'wx', 0o600)).createWriteStream()
      const options = signal === undefined ? {} : { signal }
      await pipeline(contents(client, source, totals), createGzip({ level: 6 }), target, options)
      await readThrough(partial, signal)
    })
  } finally {
    signal?.removeEventListener('abort', breakOff)
    if (signal?.aborted !== true) await client.end()
  }
  return { ...totals, bytes: (await stat(file)).size }
}
