import { randomUUID } from 'node:crypto'
import { trialDays, type PlanKey } from '@inventory-manager/contract/plans'
import { auditActorOf, recordAuthentication } from '../audit/authentication.ts'
import type { Config } from '../platform/config.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { z } from 'zod'
import { AppError } from '../platform/http/app-error.ts'
import { findEarlierReply, once, requestHash, type Operation } from '../platform/http/idempotency.ts'
import type { Caller } from '../platform/http/binder-types.ts'
import type { Actor } from '../platform/http/identity.ts'
import { mailConfirmation } from './confirmations.ts'
import { revokePasswordLinks } from './link-queries.ts'
import { mailLater, sendPasswordChanged, type MailParts } from './mails.ts'
import { hashPassword, inFairTurn, verifyPassword } from './passwords.ts'
import {
  claimingEmail,
  createCompany,
  createUser,
  endOtherSessions,
  findLogin,
  getPasswordHash,
  updatePasswordFrom,
} from './queries.ts'
import {
  clearGuesses,
  forgiveGuesses,
  countedWork,
  giveBackOfNetwork,
  giveBackGuess,
  guesserAt,
  takeGuess,
  takeOfNetwork,
  type AttemptLimit,
  type SignInLimits,
} from './throttle.ts'
import { findTimeZone } from './time-zones.ts'

export type AccountLimits = Pick<Config, 'REGISTRATIONS_PER_HOUR'> & SignInLimits

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

/** Creates a company with its first administrator, who is to confirm the address, and starts the trial. */
export async function registerCompany(
  parts: MailParts & { limits: AccountLimits },
  registration: Registration,
  { caller, key }: { caller: Caller; key: string | null },
): Promise<Registered> {
  const operation = key === null ? null : { key, hash: registrationHash(registration) }
  try {
    const made = await createRegistered(parts, { registration, caller, operation })
    // What was guessed before there was this account is nothing against it.
    const place = { email: registration.contactEmail, address: caller.address }
    await forgiveGuesses(parts.database.outside, parts.limits, place)
    const { email } = place
    mailLater(parts, email, (mailer) => mailConfirmation(parts, mailer, email))
    return made
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
  if (limits.REGISTRATIONS_PER_HOUR === 0) throw new AppError('registration_closed')
  const limit: AttemptLimit = {
    kind: 'registration',
    limit: limits.REGISTRATIONS_PER_HOUR,
    windowSeconds: 3600,
  }
  await takeOfNetwork(database.outside, limit, caller.address)
  const place = { email: registration.contactEmail, address: caller.address }
  const passwordHash = await countedWork(
    () => inFairTurn(place, () => hashPassword(registration.adminPasscode)),
    () => giveBackOfNetwork(database.outside, limit, caller.address),
  )
  const tenantId = randomUUID()
  return await claimingEmail(() =>
    database.inTenant(tenantId, async (tx) => {
      const { userId, trialEndsAt } = await createWithAdmin(tx, registration, passwordHash)
      const result = { tenantId, trialEndsAt: trialEndsAt.toISOString() }
      if (operation !== null) await once({ tx, actor: { userId } }, operation, () => Promise.resolve(result))
      return result
    }),
  )
}

/** Makes the company of the transaction's tenant with its first administrator, on trial. */
export async function createWithAdmin(
  tx: Tx,
  registration: Omit<Registration, 'adminPasscode'>,
  passwordHash: string,
): Promise<{ userId: string; trialEndsAt: Date }> {
  const { trialEndsAt } = await createCompany(tx, {
    name: registration.companyName,
    plan: registration.plan,
    // A zone that only the database does not know keeps nobody out: an administrator may choose another later.
    timeZone: (await findTimeZone(tx, registration.timeZone)) ?? 'UTC',
    trialDays,
  })
  const admin = { email: registration.contactEmail, name: registration.contactName, role: 'admin' } as const
  const user = await createUser(tx, { ...admin, passwordHash })
  await recordAuthentication(tx, auditActorOf({ ...admin, id: user.id }), {
    event: 'registration_completed',
    email: admin.email,
    plan: registration.plan,
  })
  return { userId: user.id, trialEndsAt }
}

const passwordChanged = z.object({ ended: z.int() })

type PasswordChanged = z.output<typeof passwordChanged>

type GuessParts = { database: Database; limits: AccountLimits }

type Own = { email: string; address: string; hash: string }

/** Tells, by the slow hash that is kept, whether a password is the user's; wrong ones count as guesses. */
async function isOwnPassword(
  { database, limits }: GuessParts,
  { hash, ...place }: Own,
  passcode: string,
): Promise<boolean> {
  const guesser = await guesserAt(database.outside, place)
  await takeGuess(database.outside, limits, guesser)
  const correct = await countedWork(
    () => inFairTurn(place, () => verifyPassword(hash, passcode)),
    () => giveBackGuess(database.outside, limits, guesser),
  )
  if (!correct) return false
  await clearGuesses(database.outside, limits, guesser)
  return true
}

/** What tells a change of password from another request is the new one alone, which is the user's by then. */
function changeOperation(key: string | null): Operation | null {
  return key === null ? null : { key, hash: requestHash('change-password', null) }
}

/** What a change of password has to know first: the hash that is kept, and the answer of before under the same key. */
export async function beforePasswordChange(tx: Tx, actor: Actor, key: string | null) {
  const operation = changeOperation(key)
  return {
    hash: await getPasswordHash(tx, actor.userId),
    earlier: operation === null ? null : await findEarlierReply(tx, actor.userId, operation),
  }
}

type PasswordChange = {
  email: string
  address: string
  begun: Awaited<ReturnType<typeof beforePasswordChange>>
  body: { passcode: string; newPasscode: string }
  key: string | null
  enter: <R>(work: (tx: Tx, actor: Actor) => Promise<R>) => Promise<R>
}

/**
 * Changes the own password and ends the user's other sessions. Hashing stays outside the transactions. Sent again under its
 * key it answers as before.
 */
export async function changePassword(
  parts: GuessParts & MailParts,
  { email, address, begun: { hash, earlier }, body, key, enter }: PasswordChange,
): Promise<PasswordChanged> {
  const own = { email, address, hash }
  if (earlier !== null) {
    if (!(await isOwnPassword(parts, own, body.newPasscode))) throw new AppError('key_reused')
    return passwordChanged.parse(earlier.reply)
  }
  if (!(await isOwnPassword(parts, own, body.passcode))) throw new AppError('wrong_password')
  const passwordHash = await hashPassword(body.newPasscode)
  const operation = changeOperation(key)
  const { reply, isKept } = await enter(async (tx, actor) => {
    const work = () => replacePassword(tx, actor, { said: hash, passwordHash })
    return operation === null
      ? { reply: await work(), isKept: false }
      : await once({ tx, actor }, operation, work)
  })
  if (!isKept) mailLater(parts, email, (mailer) => sendPasswordChanged(mailer, email))
  await forgiveGuesses(parts.database.outside, parts.limits, { email, address })
  return passwordChanged.parse(reply)
}

async function replacePassword(
  tx: Tx,
  actor: Actor,
  passwords: { said: string; passwordHash: string },
): Promise<PasswordChanged> {
  if (!(await updatePasswordFrom(tx, actor.userId, passwords))) throw new AppError('wrong_password')
  await revokePasswordLinks(tx, actor.userId)
  const ended = await endOtherSessions(tx, actor)
  await recordAuthentication(tx, actor, { event: 'password_changed', sessions_ended: ended })
  return { ended }
}
