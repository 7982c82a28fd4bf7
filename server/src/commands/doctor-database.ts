import type pg from 'pg'
import {
  AppAddressError,
  explainMissingLimits,
  findHarmfulRoles,
  requireAppAddress,
  RoleError,
} from '../platform/db/app-role.ts'
import { findHowTextIsKept, whatTextNeeds } from '../platform/db/encoding.ts'
import { listMigrations } from '../platform/db/migrate.ts'
import { createPool } from '../platform/db/pool.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { whatIsNeeded } from '../platform/db/server-version.ts'
import { explainStartFailure } from '../start-failure.ts'
import type { Finding } from './doctor-finding.ts'

/** From what on a database is slow, and its clock another than ours. */
export const patience = { slowMs: 50, clockSeconds: 2 }

async function lookAtServer(owner: pg.Pool): Promise<Finding[]> {
  await owner.query('select 1')
  const began = performance.now()
  const { rows } = await owner.query<{ version: string; number: number; seconds: number; size: string }>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::integer as number,
      extract(epoch from clock_timestamp())::float8 as seconds,
      pg_size_pretty(pg_database_size(current_database())) as size
  `)
  const tripMs = performance.now() - began
  const server = onlyRow(rows)
  const apart = Math.abs(server.seconds - Date.now() / 1000)
  const answers = `PostgreSQL ${server.version} answers in ${tripMs.toFixed(1)} ms, holds ${server.size}`
  const needed = whatIsNeeded(server.number)
  return [
    needed === null
      ? { state: tripMs > patience.slowMs ? 'doubtful' : 'good', about: 'database', says: answers }
      : { state: 'bad', about: 'database', says: `${answers}; ${needed}` },
    {
      state: apart > patience.clockSeconds ? 'bad' : 'good',
      about: 'clock',
      says: `${apart.toFixed(1)} s apart from the database's${apart > patience.clockSeconds ? ': set both by NTP' : ''}`,
    },
  ]
}

/** Said only where the program could not work at all. */
async function lookAtWriting(owner: pg.Pool): Promise<Finding[]> {
  const { rows } = await owner.query<{ isStandby: boolean; isReadOnly: boolean }>(`
    select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"
  `)
  const { isStandby, isReadOnly } = onlyRow(rows)
  if (!isReadOnly) return []
  const says = isStandby
    ? 'it is a standby, which takes no writes: name the server that it follows'
    : 'it takes no writes: set default_transaction_read_only to off, for the role, the database or the server'
  return [{ state: 'bad', about: 'database', says }]
}

/** Said only where text is not kept as it should be. */
async function lookAtText(owner: pg.Pool): Promise<Finding[]> {
  const about = 'database'
  const kept = await findHowTextIsKept(owner)
  const needed = whatTextNeeds(kept)
  if (needed !== null) return [{ state: 'bad', about, says: `it ${needed}` }]
  if (kept.foldsCase) return []
  const says = `in its locale Ä and ä are two letters, so a search finds them only as they are written; in one made so it does: ${kept.remedy}`
  return [{ state: 'doubtful', about, says }]
}

async function lookAtMigrations(owner: pg.Pool, folder: string): Promise<Finding> {
  const about = 'migrations'
  const known = await listMigrations(folder)
  const { rows: there } = await owner.query(
    `select from pg_tables where schemaname = 'public' and tablename = 'migration_files'`,
  )
  if (there.length === 0)
    return { state: 'doubtful', about, says: 'the database is empty: npm start fills it' }
  const { rows } = await owner.query<{ name: string; hash: string }>('select name, hash from migration_files')
  const hashes = new Map(known.map(({ name, hash }) => [name, hash]))
  const other = rows.find(({ name, hash }) => hashes.get(name) !== hash)
  if (other !== undefined) {
    return {
      state: 'bad',
      about,
      says: `the database is newer than this program, or changed (${other.name})`,
    }
  }
  const waiting = known.length - rows.length
  if (waiting > 0) return { state: 'doubtful', about, says: `${waiting} wait for the next start` }
  return { state: 'good', about, says: `all ${known.length} applied` }
}

async function lookAtRoles(owner: pg.Pool, appUrl: string | undefined): Promise<Finding> {
  const about = 'roles'
  const harmful = await findHarmfulRoles(owner)
  if (harmful.length > 0) {
    const says = `${harmful.join(', ')} could see every company: no role of the application may be a superuser, bypass row level security or own the tables`
    return { state: 'bad', about, says }
  }
  if (appUrl === undefined)
    return { state: 'good', about, says: 'the application works as one that owns nothing' }
  const pool = createPool({ url: appUrl, size: 1, onError: () => undefined })
  try {
    await requireAppAddress(pool)
    const missing = await explainMissingLimits(pool)
    return missing === null
      ? { state: 'good', about, says: 'the role of DATABASE_APP_URL owns nothing and has its limits' }
      : { state: 'doubtful', about, says: missing }
  } catch (error) {
    if (!(error instanceof RoleError || error instanceof AppAddressError)) throw error
    return { state: 'bad', about, says: explainStartFailure(error) }
  } finally {
    await pool.end()
  }
}

export async function lookAtDatabase(
  owner: pg.Pool,
  { migrations, appUrl }: { migrations: string; appUrl: string | undefined },
): Promise<Finding[]> {
  const server = [
    ...(await lookAtServer(owner)),
    ...(await lookAtWriting(owner)),
    ...(await lookAtText(owner)),
  ]
  return [...server, await lookAtMigrations(owner, migrations), await lookAtRoles(owner, appUrl)]
}
