import type { LocationNames } from '@inventory-manager/contract/locations'
import type { PlanKey } from '@inventory-manager/contract/plans'
import type { PaidStatus } from '@inventory-manager/contract/company/subscription'
import type { Role, UserType } from '@inventory-manager/contract/roles'
import { sql } from 'kysely'
import type { OutsideDb, Tx } from '../platform/db/database.ts'
import { sqlState } from '../platform/db/errors.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Claims } from '../platform/http/identity.ts'

const uniqueViolation = '23505'

export async function createCompany(
  tx: Tx,
  company: { name: string; plan: PlanKey; timeZone: string; trialDays: number },
): Promise<{ trialEndsAt: Date }> {
  const row = await tx.db
    .insertInto('companies')
    .values({
      tenant_id: tx.tenantId,
      name: company.name,
      plan: company.plan,
      time_zone: company.timeZone,
      trial_ends_at: sql<Date>`now() + make_interval(hours => ${company.trialDays * 24}::integer)`,
    })
    .returning('trial_ends_at')
    .executeTakeFirstOrThrow()
  return { trialEndsAt: row.trial_ends_at }
}

/** Whether the company is one of this installation: its data may be elsewhere, or gone. */
export async function isCompanyHere(tx: Tx): Promise<boolean> {
  const company = await tx.db
    .selectFrom('companies')
    .select('tenant_id')
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirst()
  return company !== undefined
}

export type NewUser = { email: string; name: string; role: Role; passwordHash: string }

/** Creates a user and claims the e-mail over all companies; SQLSTATE 23505 when it is taken. */
export async function createUser(tx: Tx, user: NewUser): Promise<{ id: string }> {
  const row = await tx.db
    .insertInto('users')
    .values({
      tenant_id: tx.tenantId,
      email: user.email,
      name: user.name,
      role: user.role,
      password_hash: user.passwordHash,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await claimEmail(tx, { email: user.email, id: row.id })
  return row
}

type Claimed = { email: string; id: string }

/** Claims an e-mail address over all companies for who may sign in with it; SQLSTATE 23505 when it is taken. */
export async function claimEmail(tx: Tx, { email, id }: Claimed): Promise<void> {
  await sql`select claim_email(${email}, ${tx.tenantId}::uuid, ${id}::uuid)`.execute(tx.db)
}

/** Frees the e-mail address of who may sign in no more. */
export async function releaseEmail(tx: Tx, { email, id }: Claimed): Promise<void> {
  await sql`select release_email(${email}, ${tx.tenantId}::uuid, ${id}::uuid)`.execute(tx.db)
}

/** Runs a change that claims an e-mail address; throws 'email_taken', in the words given, when another account has it. */
export async function claimingEmail<T>(
  work: () => Promise<T>,
  words: { sentence?: string } = {},
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('email_taken', { ...words, cause: error })
    throw error
  }
}

/** Which company and user an e-mail address belongs to. */
export async function findLogin(
  db: OutsideDb,
  email: string,
): Promise<{ tenantId: string; userId: string } | null> {
  const { rows } = await sql<{
    tenant_id: string
    user_id: string
  }>`select * from find_login(${email})`.execute(db)
  const [row] = rows
  return row === undefined ? null : { tenantId: row.tenant_id, userId: row.user_id }
}

/** An active user with the password hash, for sign-in only. */
export async function findUserToSignIn(tx: Tx, userId: string) {
  const row = await tx.db
    .selectFrom('users')
    .innerJoin('companies', 'companies.tenant_id', 'users.tenant_id')
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.role',
      'users.password_hash',
      'users.seated',
      'companies.name as company_name',
      'companies.location_names',
      'companies.plan',
    ])
    .where('users.tenant_id', '=', tx.tenantId)
    .where('users.id', '=', userId)
    .where('users.active', '=', true)
    .where('users.role', '<>', 'api_key')
    .$narrowType<{ role: Role }>()
    .executeTakeFirst()
  return row ?? null
}

/** Whether a user may still sign in by the password that was said; a new one waits until who asks has committed, or is seen. */
export async function isStillPassword(
  tx: Tx,
  { id, password_hash: hash }: { id: string; password_hash: string },
): Promise<boolean> {
  const row = await tx.db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('password_hash', '=', hash)
    .where('active', '=', true)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

export async function createSession(
  tx: Tx,
  session: Claims & { userAgent: string; hours: number },
): Promise<{ expiresAt: Date }> {
  const row = await tx.db
    .insertInto('sessions')
    .values({
      tenant_id: tx.tenantId,
      id: session.sessionId,
      user_id: session.userId,
      user_agent: session.userAgent,
      expires_at: sql<Date>`now() + make_interval(hours => ${session.hours}::integer)`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { expiresAt: row.expires_at }
}

export async function endSession(tx: Tx, sessionId: string): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ ended_at: sql<Date>`now()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}

/** The stored hash of a user's password. */
export async function getPasswordHash(tx: Tx, userId: string): Promise<string> {
  const row = await tx.db
    .selectFrom('users')
    .select('password_hash')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.password_hash
}

export async function updatePassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .execute()
}

/** Updates the password of who has said the one before; false when another took its place meanwhile. */
export async function updatePasswordFrom(
  tx: Tx,
  userId: string,
  { said, passwordHash }: { said: string; passwordHash: string },
): Promise<boolean> {
  const updated = await tx.db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .where('password_hash', '=', said)
    .where('active', '=', true)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** Ends a user's sessions but one; says how many there were. */
export async function endOtherSessions(tx: Tx, { userId, sessionId }: Claims): Promise<number> {
  const ended = await tx.db
    .updateTable('sessions')
    .set({ ended_at: sql<Date>`now()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('id', '<>', sessionId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .execute()
  return ended.length
}

/** Ends every session of a user; says how many there were. */
export async function endSessionsOf(tx: Tx, userId: string): Promise<number> {
  const ended = await tx.db
    .updateTable('sessions')
    .set({ ended_at: sql<Date>`now()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .execute()
  return ended.length
}

/** Whether any company's user signs in with an address. */
export async function emailIsTaken(tx: Tx, email: string): Promise<boolean> {
  const { rows } = await sql`select from find_login(${email})`.execute(tx.db)
  return rows.length > 0
}

type ActorRow = {
  user_name: string
  email: string
  role: UserType
  company_name: string
  location_names: LocationNames
  plan: PlanKey
  time_zone: string
  strict_blind_counts: boolean
  trial_ends_at: Date
  seated: boolean
  paid: PaidStatus | null
  trial_is_over: boolean
  stale: boolean
  asked_at: Date
}

/**
 * The user behind a running session, with the company; null when the session or the user is no longer good. Asked at
 * every call, so it is text: what a builder writes anew each time costs more than the look-up.
 */
export async function findActor(tx: Tx, claims: Claims): Promise<ActorRow | null> {
  const { rows } = await sql<ActorRow>`
    select users.name as user_name, users.email, users.role, companies.name as company_name, companies.plan,
      companies.location_names, companies.time_zone, companies.strict_blind_counts, companies.trial_ends_at, users.seated,
      subscriptions.status as paid, companies.trial_ends_at <= now() as trial_is_over,
      sessions.last_used_at < now() - interval '1 minute' as stale, now() as asked_at
    from sessions
    join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
    join companies on companies.tenant_id = sessions.tenant_id
    left join subscriptions on subscriptions.tenant_id = sessions.tenant_id
    where sessions.tenant_id = ${tx.tenantId}::uuid and sessions.id = ${claims.sessionId}::uuid
      and sessions.user_id = ${claims.userId}::uuid and sessions.ended_at is null and sessions.expires_at > now()
      and users.active
  `.execute(tx.db)
  return rows[0] ?? null
}

export async function touchSession(tx: Tx, sessionId: string): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ last_used_at: sql<Date>`now()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', sessionId)
    .where('last_used_at', '<', sql<Date>`now() - interval '1 minute'`)
    .execute()
}
