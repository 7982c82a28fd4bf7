import { randomUUID } from 'node:crypto'
import type { SignedInUser } from '@inventory-manager/contract/accounts/endpoints'
import type { Role, UserType } from '@inventory-manager/contract/roles'
import { getPlan, trialDays, type PlanKey } from '@inventory-manager/contract/plans'
import { recordAudit } from '../audit/queries.ts'
import type { Config } from '../platform/config.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { sqlState } from '../platform/db/errors.ts'
import { z } from 'zod'
import { AppError } from '../platform/http/app-error.ts'
import { findEarlierReply, once, requestHash, type Operation } from '../platform/http/idempotency.ts'
import type { Caller } from '../platform/http/binder.ts'
import type { Actor, Claims, Identity } from '../platform/http/identity.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import {
  createCompany,
  createSession,
  createUser,
  endOtherSessions,
  findActor,
  findLogin,
  findUserToSignIn,
  getPasswordHash,
  lockCompanySeats,
  touchSession,
  updatePassword,
  type NewUser,
} from './queries.ts'
import { clearAttempts, giveBackAttempt, takeAttempt, type AttemptLimit } from './throttle.ts'
import { sessionHours, type Tokens } from './tokens.ts'

const quarterHour = 900
const uniqueViolation = '23505'

export type AccountLimits = Pick<
  Config,
  'REGISTRATIONS_PER_HOUR' | 'SIGN_INS_PER_ACCOUNT' | 'SIGN_INS_PER_ADDRESS'
>

/** Runs a change that claims an e-mail address; throws AppError 'email_taken' when another account has it. */
async function claimingEmail<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('email_taken')
    throw error
  }
}

export type Registration = {
  companyName: string
  contactEmail: string
  contactName: string
  adminPasscode: string
  plan: PlanKey
  timeZone: string
}

const registered = z.object({ tenantId: z.string(), trialEndsAt: z.string() })

export type Registered = z.output<typeof registered>

/** What a registration asks for, without the password: a fast hash of that must not be stored. */
function registrationHash({ companyName, contactEmail, contactName, plan, timeZone }: Registration): string {
  return requestHash('register', [companyName, contactEmail, contactName, plan, timeZone])
}

/** The outcome of the same registration sent before under this key, whose answer may have been lost on the way. */
async function findRegistered(
  database: Database,
  email: string,
  operation: Operation,
): Promise<Registered | null> {
  const login = await findLogin(database.outside, email)
  if (login === null) return null
  const earlier = await database.inTenant(login.tenantId, (tx) =>
    findEarlierReply(tx, login.userId, operation),
  )
  return earlier === null ? null : registered.parse(earlier.reply)
}

/** Creates a company with its first administrator and starts the trial (decisions, 'Plans, trial, billing'). */
export async function registerCompany(
  parts: { database: Database; limits: AccountLimits },
  registration: Registration,
  { caller, key }: { caller: Caller; key: string | null },
): Promise<Registered> {
  const operation = key === null ? null : { key, hash: registrationHash(registration) }
  try {
    return await createRegistered(parts, { registration, caller, operation })
  } catch (error) {
    const taken = error instanceof AppError && error.code === 'email_taken'
    const earlier =
      taken && operation !== null
        ? await findRegistered(parts.database, registration.contactEmail, operation)
        : null
    if (earlier === null) throw error
    return earlier
  }
}

async function createRegistered(
  { database, limits }: { database: Database; limits: AccountLimits },
  {
    registration,
    caller,
    operation,
  }: { registration: Registration; caller: Caller; operation: Operation | null },
): Promise<Registered> {
  const limit: AttemptLimit = {
    kind: 'registration',
    limit: limits.REGISTRATIONS_PER_HOUR,
    windowSeconds: 3600,
  }
  await takeAttempt(database.outside, limit, caller.address)
  const passwordHash = await hashPassword(registration.adminPasscode)
  const tenantId = randomUUID()
  return await claimingEmail(() =>
    database.inTenant(tenantId, async (tx) => {
      const { trialEndsAt } = await createCompany(tx, {
        name: registration.companyName,
        plan: registration.plan,
        timeZone: registration.timeZone,
        trialDays,
      })
      const admin = {
        email: registration.contactEmail,
        name: registration.contactName,
        role: 'admin',
      } as const
      const user = await createUser(tx, { ...admin, passwordHash })
      await recordAudit(
        tx,
        { userId: user.id, role: 'admin', userName: admin.name },
        {
          kind: 'authentication',
          event: 'registration_completed',
          sku: 'AUTH_REGISTRATION_COMPLETED',
          source: 'authentication',
          metadata: { type: 'auth_event', email: admin.email, plan: registration.plan },
        },
      )
      const result = { tenantId, trialEndsAt: trialEndsAt.toISOString() }
      if (operation !== null)
        await once({ tx, actor: { userId: user.id } }, operation, () => Promise.resolve(result))
      return result
    }),
  )
}

/** Adds a user to a company, within the plan's number of users; throws 'user_limit' or 'email_taken'. */
export async function addUser(tx: Tx, user: NewUser): Promise<{ id: string }> {
  const { plan, users } = await lockCompanySeats(tx)
  const { maxUsers, name } = getPlan(plan)
  if (maxUsers !== null && users >= maxUsers) {
    throw new AppError('user_limit', {
      sentence: `The ${name} plan has ${maxUsers} users and all of them are taken.`,
    })
  }
  return await claimingEmail(() => createUser(tx, user))
}

async function recordSignInFailure(
  database: Database,
  tenantId: string,
  user: { id: string; name: string; role: string },
) {
  await database.inTenant(tenantId, (tx) =>
    recordAudit(
      tx,
      { userId: user.id, role: user.role, userName: user.name },
      {
        kind: 'authentication',
        event: 'login_failed',
        sku: 'AUTH_LOGIN_FAILED',
        source: 'authentication',
        metadata: { type: 'auth_event', reason: 'wrong_password' },
      },
    ),
  )
}

/** Signs a user in: a session row and a token for it. The same answer and work for unknown accounts. */
export async function signIn(
  parts: { database: Database; tokens: Tokens; limits: AccountLimits },
  { email, passcode }: { email: string; passcode: string },
  caller: Caller,
): Promise<{ token: string; user: SignedInUser }> {
  const { database, tokens, limits } = parts
  const perAccount = {
    kind: 'account',
    limit: limits.SIGN_INS_PER_ACCOUNT,
    windowSeconds: quarterHour,
  } as const
  const perAddress = {
    kind: 'address',
    limit: limits.SIGN_INS_PER_ADDRESS,
    windowSeconds: quarterHour,
  } as const
  await takeAttempt(database.outside, perAddress, caller.address)
  await takeAttempt(database.outside, perAccount, email)

  const login = await findLogin(database.outside, email)
  const user =
    login === null
      ? undefined
      : await database.inTenant(login.tenantId, (tx) => findUserToSignIn(tx, login.userId))
  const correct = await verifyPassword(user?.password_hash ?? null, passcode)
  if (login !== null && user !== undefined && !correct) {
    await recordSignInFailure(database, login.tenantId, user)
  }
  if (login === null || user === undefined || !correct) throw new AppError('invalid_credentials')

  await clearAttempts(database.outside, perAccount, email)
  await giveBackAttempt(database.outside, perAddress, caller.address)
  const claims: Claims = { tenantId: login.tenantId, userId: user.id, sessionId: randomUUID() }
  const { expiresAt } = await database.inTenant(login.tenantId, async (tx) => {
    const session = await createSession(tx, { ...claims, userAgent: caller.userAgent, hours: sessionHours })
    await recordAudit(
      tx,
      { userId: user.id, role: user.role, userName: user.name },
      {
        kind: 'authentication',
        event: 'login_successful',
        sku: 'AUTH_LOGIN_SUCCESSFUL',
        source: 'authentication',
        metadata: { type: 'auth_event' },
      },
    )
    return session
  })
  return {
    token: await tokens.sign(claims, expiresAt),
    user: {
      id: user.id,
      tenantId: login.tenantId,
      companyName: user.company_name,
      role: user.role,
      email: user.email,
      name: user.name,
      plan: user.plan,
    },
  }
}

/** Changes the own password and ends the user's other sessions. Hashing stays outside the transactions. */
export async function changePassword(
  { database, limits }: { database: Database; limits: AccountLimits },
  claims: Claims,
  { passcode, newPasscode }: { passcode: string; newPasscode: string },
): Promise<{ ended: number }> {
  const { email, hash } = await database.inTenant(claims.tenantId, async (tx) => {
    const actor = await actorOf(tx, claims)
    return { email: actor.email, hash: await getPasswordHash(tx, claims.userId) }
  })
  const limit = { kind: 'account', limit: limits.SIGN_INS_PER_ACCOUNT, windowSeconds: quarterHour } as const
  await takeAttempt(database.outside, limit, email)
  if (!(await verifyPassword(hash, passcode))) throw new AppError('wrong_password')
  await clearAttempts(database.outside, limit, email)
  const passwordHash = await hashPassword(newPasscode)
  return await database.inTenant(claims.tenantId, async (tx) => {
    const actor = await actorOf(tx, claims)
    await updatePassword(tx, claims.userId, passwordHash)
    const ended = await endOtherSessions(tx, claims)
    await recordAudit(tx, actor, {
      kind: 'authentication',
      event: 'password_changed',
      sku: 'AUTH_PASSWORD_CHANGED',
      source: 'authentication',
      metadata: { type: 'auth_event', sessions_ended: ended },
    })
    return { ended }
  })
}

/** A key acts as an administrator where its scopes say so. */
function roleOf(userType: UserType, { keyScopes }: Claims): Role {
  if (userType !== 'api_key') return userType
  return keyScopes?.includes('admin') === true ? 'admin' : 'user'
}

async function actorOf(tx: Tx, claims: Claims): Promise<Actor> {
  const row = await findActor(tx, claims)
  if (row === undefined) throw new AppError('unauthorized')
  if (row.stale) await touchSession(tx, claims.sessionId)
  return {
    ...claims,
    role: roleOf(row.role, claims),
    userType: row.role,
    userName: row.user_name,
    email: row.email,
    companyName: row.company_name,
    plan: row.plan,
    timeZone: row.time_zone,
    trialEndsAt: row.trial_ends_at,
  }
}

/** Who is asking, for the HTTP layer. */
export function createIdentity(
  database: Database,
  claimsOf: (authorization: string | undefined) => Promise<Claims>,
): Identity {
  return {
    claimsOf,
    actorOf,
    async recordRefusal(claims, call) {
      await database.inTenant(claims.tenantId, async (tx) => {
        const actor = await actorOf(tx, claims)
        await recordAudit(tx, actor, {
          kind: 'authentication',
          event: 'access_refused',
          sku: 'AUTH_ACCESS_REFUSED',
          source: 'authentication',
          metadata: { type: 'auth_event', call },
        })
      })
    },
  }
}
