import { createHmac } from 'node:crypto'
import pg from 'pg'
import { sqlState } from './errors.ts'
import { onlyRow } from './only-row.ts'
import { scramVerifierOf } from './scram.ts'
import { SentenceError } from '../sentence-error.ts'

/** The role that holds the grants; made by the first migration. */
const grantRole = 'inventory_manager_app'

/** How long a statement may run, wait for a lock, or sit in an open transaction. Kept by the role, not by the
 * connection, because poolers take no such settings with a connection. */
const limits = { statement_timeout: '30s', lock_timeout: '5s', idle_in_transaction_session_timeout: '15s' }

// Statements here take less than compiling them would.
const settings = { ...limits, jit: 'off' }

/** The statement that sets something for a role. */
const settingRole = (role: string, setting: string, value: string) =>
  `alter role ${pg.escapeIdentifier(role)} set ${setting} = ${pg.escapeLiteral(value)}`

const signInRefused = new Set(['28P01', '28000'])

async function connects(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    if (signInRefused.has(sqlState(error) ?? '')) return false
    throw error
  }
}

/**
 * Makes the application's own login role where it is missing, or gives it its password again, and returns its connection
 * string. It may use the tables but owns none and cannot bypass row level security. The password follows from the
 * installation's secret, so that every node knows it. Call under withStartLock.
 * Throws RoleError where that would take the role from the program which works by it, for a command.
 */
export async function ensureAppRole(
  ownerPool: pg.Pool,
  ownerUrl: string,
  { secret, as }: { secret: string; as: 'program' | 'command' },
): Promise<string> {
  const url = new URL(ownerUrl)
  const database = decodeURIComponent(url.pathname.slice(1))
  const role = `${grantRole}_${database}`.slice(0, 63)
  const password = createHmac('sha256', secret).update(`database role ${role}`).digest('base64url')
  url.username = encodeURIComponent(role)
  url.password = password
  const canSignIn = await connects(url.href)
  await inTransaction(ownerPool, (client) => makeRole(client, { role, password, canSignIn, as }))
  for (const [setting, value] of Object.entries(settings)) {
    await ownerPool.query(settingRole(role, setting, value))
  }
  return url.href
}

async function inTransaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    // Closing the connection undoes what was not committed.
    client.release(true)
  }
}

type OwnRole = { role: string; password: string; canSignIn: boolean; as: 'program' | 'command' }

async function makeRole(client: pg.PoolClient, { role, password, canSignIn, as }: OwnRole): Promise<void> {
  const name = pg.escapeIdentifier(role)
  // Nothing but a superuser may say here what else the role may not, though a new one may nothing of it (requireHarmlessRole).
  const login = `login password ${pg.escapeLiteral(scramVerifierOf(password))}`
  const { rows } = await client.query<{ isMember: boolean }>(
    `select pg_has_role(oid, $2, 'member') as "isMember" from pg_roles where rolname = $1`,
    [role, grantRole],
  )
  const [existing] = rows
  if (existing === undefined) {
    await client.query(`create role ${name} ${login}`)
  } else if (!canSignIn) {
    if (as === 'command') {
      throw new RoleError(
        'The program works on this database with another JWT_SECRET. Give this command the same one, or the DATA_DIR that holds it.',
      )
    }
    await client.query(`alter role ${name} ${login}`)
  }
  if (existing?.isMember !== true) await grantTo(client, name)
}

/** The role with the grants is one for all installations of a server: of PostgreSQL 16 or newer only who made it may give it. */
async function grantTo(client: pg.PoolClient, name: string): Promise<void> {
  try {
    await client.query(`grant ${grantRole} to ${name}`)
  } catch (error) {
    if (sqlState(error) !== '42501') throw error
    await client.query('rollback')
    const { rows } = await client.query<{ owner: string }>('select quote_ident(current_user) as owner')
    throw new RoleError(
      `The role of DATABASE_URL may not give ${grantRole} to the role by which the program works: another installation on this server has made it. Whose owner that is, or a superuser, has to run once: grant ${grantRole} to ${onlyRow(rows).owner} with admin option;`,
      { cause: error },
    )
  }
}

/** A role the application must not work as; the message says why. */
export class RoleError extends SentenceError {}

/** Login roles made for the application that could see other companies' rows. */
export async function findHarmfulRoles(ownerPool: pg.Pool): Promise<string[]> {
  const { rows } = await ownerPool.query<{ name: string }>(
    `select member.rolname as name
     from pg_auth_members
     join pg_roles as granted on granted.oid = roleid and granted.rolname = $1
     join pg_roles as member on member.oid = pg_auth_members.member and member.rolcanlogin
     where member.rolname <> current_user and member.rolname like $1 || '%'
       and (member.rolsuper or member.rolbypassrls
         or exists (select from pg_class where relowner = member.oid and relname = 'companies'))`,
    [grantRole],
  )
  return rows.map(({ name }) => name)
}

/** What makes the connected role one that could see other companies' rows or change the schema; null where nothing does. */
async function findHarm(pool: pg.Pool): Promise<{ role: string; harm: string } | null> {
  const { rows } = await pool.query<{ role: string; harm: string | null }>(`
    select rolname as role, case
      when rolsuper then 'is a superuser'
      when rolbypassrls then 'may bypass row level security'
      when exists (select from pg_class where relowner = pg_roles.oid and relname = 'companies') then 'owns the tables'
      when not pg_has_role('${grantRole}', 'usage') then 'is not a member of ${grantRole}'
    end as harm
    from pg_roles where rolname = current_user
  `)
  const { role, harm } = onlyRow(rows)
  return harm === null ? null : { role, harm }
}

/** Throws RoleError when the program's own role, by which the pool connects, is a harmful one. */
export async function requireHarmlessRole(pool: pg.Pool): Promise<void> {
  const found = await findHarm(pool)
  if (found === null) return
  throw new RoleError(
    `The role ${found.role}, by which the program works, ${found.harm}. Let it be a login role that is only a member of ${grantRole}.`,
  )
}

/**
 * A sentence with the SQL that sets the limits which the operator's own role lacks or has too long; null where none. Without
 * them one statement, or one client that fell silent, can keep everybody waiting.
 */
export async function explainMissingLimits(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ role: string; setting: string; most: string }>(
    `select current_user as role, setting, most from unnest($1::text[], $2::text[]) as wanted (setting, most)
     where current_setting(setting)::interval = '0' or current_setting(setting)::interval > most::interval`,
    [Object.keys(limits), Object.values(limits)],
  )
  if (rows.length === 0) return null
  const statements = rows.map(({ role, setting, most }) => `${settingRole(role, setting, most)};`)
  return `the role of DATABASE_APP_URL has no limits, or longer ones than it should: ${statements.join(' ')}`
}

/** The address that the operator gave for the application does not lead to the database; the cause says why. */
export class AppAddressError extends Error {}

/** As requireHarmlessRole, for DATABASE_APP_URL; throws AppAddressError where it cannot connect. */
export async function requireAppAddress(pool: pg.Pool): Promise<void> {
  const found = await findHarm(pool).catch((error: unknown) => {
    throw new AppAddressError('DATABASE_APP_URL does not lead to the database.', { cause: error })
  })
  if (found === null) return
  throw new RoleError(
    `The role of DATABASE_APP_URL ${found.harm}. Use a login role that is only a member of ${grantRole}.`,
  )
}
