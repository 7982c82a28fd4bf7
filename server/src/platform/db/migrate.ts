import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  Kysely,
  Migrator,
  PostgresDialect,
  sql,
  type DatabaseConnection,
  type Dialect,
  type Migration,
  type MigrationProvider,
} from 'kysely'
import type pg from 'pg'
import { isLockTimeout } from './errors.ts'
import { backupName } from './pool.ts'

type MigrationFile = { name: string; hash: string; statements: string[] }

type HashTable = { migration_files: { name: string; hash: string } }

/** Statements of a migration file stand between lines '-- ;;' and are sent one by one. */
const separator = /^-- ;;$/m

/** A migration that cannot be run; its message says which and what to do. */
export class MigrationError extends Error {}

/** Citus takes a check of an added column by a name alone: 0282, which has none, is sent with the one that PostgreSQL would give. */
function namingCheck(statement: string): string {
  return statement.replace(
    /^alter table (\w+) add column (\w+) (?!.* constraint ).*?(?= check \()/m,
    '$& constraint $1_$2_check',
  )
}

/**
 * An owner who is no superuser sees no row of a company: 0233, which looks for the companies there, asks the function that knows
 * them, and 0273 has its rows without row level security while it fills a column.
 */
function seeingRows(text: string): string {
  const secured = (as: string) => `alter table unknown_codes ${as} row level security`
  return text
    .replace(
      'for v_tenant in select tenant_id from companies loop',
      'for v_tenant in select company_ids() loop',
    )
    .replace(
      /^update unknown_codes set opened_id = id$/m,
      `${secured('no force')}\n-- ;;\n$&\n-- ;;\n${secured('force')}`,
    )
}

async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return await Promise.all(
    names.map(async (fileName) => {
      const text = await readFile(join(folder, fileName), 'utf8')
      return {
        name: fileName.replace('.sql', ''),
        hash: createHash('sha256').update(text).digest('hex'),
        statements: seeingRows(text)
          .split(separator)
          .map((statement) => namingCheck(statement.trim())),
      }
    }),
  )
}

function provider(files: MigrationFile[]): MigrationProvider {
  const migration = (file: MigrationFile): Migration => ({
    async up(db: Kysely<HashTable>) {
      for (const statement of file.statements) await sql.raw(statement).execute(db)
      await db.insertInto('migration_files').values({ name: file.name, hash: file.hash }).execute()
    },
  })
  const migrations = Object.fromEntries(files.map((file) => [file.name, migration(file)]))
  return { getMigrations: () => Promise.resolve(migrations) }
}

/** The migrations this program knows, oldest first, each with a hash of its text. */
export async function listMigrations(folder: string): Promise<{ name: string; hash: string }[]> {
  return (await readMigrations(folder)).map(({ name, hash }) => ({ name, hash }))
}

/** The tables that migrations make, whatever became of them later; parts of tables, which have no name there, aside. */
export async function listTablesMade(folder: string): Promise<Set<string>> {
  const files = await readMigrations(folder)
  const texts = files.flatMap(({ statements }) => statements)
  const made = texts.flatMap((text) => [...text.matchAll(/^create (?:unlogged )?table (\w+)/gm)])
  return new Set(made.map(([, name = '']) => name))
}

/** Forward only: a file that was applied must still be here, letter for letter. A newer database is left alone. */
async function checkApplied(db: Kysely<HashTable>, files: MigrationFile[]): Promise<void> {
  const applied = await db.selectFrom('migration_files').selectAll().execute()
  for (const { name, hash } of applied) {
    const file = files.find((candidate) => candidate.name === name)
    if (file === undefined) {
      throw new MigrationError(`The database is newer than this program (${name}). Start the newer version.`)
    }
    if (file.hash !== hash) {
      throw new MigrationError(`Migration ${name} was changed after it was applied. Restore the file.`)
    }
  }
}

const startLockKey = 7_238_104_551

/** Who holds the lock, by the name of its connection. */
async function whoPrepares(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
       and (classid::bigint << 32) + objid::bigint = $1`,
    [startLockKey],
  )
  return rows.some(({ name }) => name === backupName) ? 'a restore' : 'another node'
}

/** Waits as long as it takes; after a second it says for whom. */
async function takeStartLock(client: pg.PoolClient, say: (line: string) => void): Promise<void> {
  const take = () => client.query('select pg_advisory_lock($1)', [startLockKey])
  await client.query("set statement_timeout = 0; set lock_timeout = '1s'")
  try {
    await take()
    return
  } catch (error) {
    if (!isLockTimeout(error)) throw error
  }
  say(`Waiting for ${await whoPrepares(client)} that prepares this database.`)
  await client.query('set lock_timeout = 0')
  await take()
}

/** Runs one starter's preparations, or a restore, at a time, over all nodes of a database; says so where it has to wait. */
export async function withStartLock<T>(
  ownerPool: pg.Pool,
  work: () => Promise<T>,
  say: (line: string) => void = () => undefined,
): Promise<T> {
  const client = await ownerPool.connect()
  try {
    await takeStartLock(client, say)
    return await work()
  } finally {
    // Closing the connection gives the lock back, whatever happened.
    client.release(true)
  }
}

/** Applies those of the files that are missing; returns their names. */
async function apply(dialect: Dialect, files: MigrationFile[]): Promise<string[]> {
  const db = new Kysely<HashTable>({ dialect })
  await sql`create table if not exists migration_files (name text primary key, hash text not null)`.execute(
    db,
  )
  await checkApplied(db, files)
  const { error, results } = await new Migrator({ db, provider: provider(files) }).migrateToLatest()
  if (error !== undefined) {
    const failed =
      results?.find((result) => result.status === 'Error')?.migrationName ?? 'the first migration'
    throw new MigrationError(`Migration ${failed} failed; nothing of it was kept.`, { cause: error })
  }
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

/** Shorter than other transactions wait for a lock: behind a migration that waits for a long reader, everybody waits. */
const lockPatience = "set local lock_timeout = '3s'"
const pauseMs = 3_000

/** Applies files, or says by null that somebody's lock was in the way; nothing was changed then. */
async function applyUnlessBlocked(ownerPool: pg.Pool, files: MigrationFile[]): Promise<string[] | null> {
  const hurried = files.map((file) => ({ ...file, statements: [lockPatience, ...file.statements] }))
  try {
    return await apply(new PostgresDialect({ pool: ownerPool }), hurried)
  } catch (error) {
    if (error instanceof MigrationError && isLockTimeout(error.cause)) return null
    throw error
  }
}

/**
 * Brings the database to this program's schema; all of it or nothing. Call under withStartLock.
 * Takes a pool of the owner role. Waits for long readers as long as it takes, letting others pass meanwhile. Returns the
 * names of the migrations applied now; throws MigrationError.
 */
export async function migrate(
  ownerPool: pg.Pool,
  folder: string,
  say: (line: string) => void = () => undefined,
): Promise<string[]> {
  const files = await readMigrations(folder)
  for (let isFirst = true; ; isFirst = false) {
    const applied = await applyUnlessBlocked(ownerPool, files)
    if (applied !== null) return applied
    if (isFirst) say('Waiting for somebody who reads the database for long, to bring it up to date then.')
    await sleep(pauseMs)
  }
}

/** How Kysely works on one connection that is in a transaction already: its own is a part of that one. */
function dialectWithin(client: pg.Client): Dialect {
  const connection = Object.assign(client, { release: () => undefined })
  const dialect = new PostgresDialect({
    pool: { connect: () => Promise.resolve(connection), end: () => Promise.resolve() },
  })
  const send = (text: string) => async (to: DatabaseConnection) => {
    await to.executeQuery(CompiledQuery.raw(text))
  }
  const driver = Object.assign(dialect.createDriver(), {
    beginTransaction: send('savepoint migrations'),
    commitTransaction: send('release savepoint migrations'),
    rollbackTransaction: send('rollback to savepoint migrations'),
  })
  return Object.assign(dialect, { createDriver: () => driver })
}

/**
 * As `migrate`, with chosen migrations only and in the transaction that the owner's connection has begun: whoever ends that
 * says whether they stay.
 */
export async function migrateWithin(
  client: pg.Client,
  folder: string,
  chosen: (name: string) => boolean,
): Promise<void> {
  const files = (await readMigrations(folder)).filter(({ name }) => chosen(name))
  await apply(dialectWithin(client), files)
}
