import { createHash, randomBytes } from 'node:crypto'
import { linkMessages } from '@inventory-manager/contract/accounts/messages'
import { recordConfigurationChange } from '../audit/configuration.ts'
import { recordAudit } from '../audit/queries.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Caller } from '../platform/http/binder.ts'
import type { Mailer } from '../platform/mail.ts'
import {
  createLink,
  findOpenLink,
  revokeInvitationsOf,
  revokePasswordLinks,
  useLink,
  type NewLink,
} from './link-queries.ts'
import { sendPasswordLink } from './mails.ts'
import { hashPassword } from './passwords.ts'
import { claimingEmail, lockPlaces, requirePlace, seatUsers } from './places.ts'
import { createUser, endSessionsOf, findLogin, findUserToSignIn, updatePassword } from './queries.ts'
import { openSession, type SignedIn } from './sessions.ts'
import {
  clearAttempts,
  giveBackAttempt,
  perAccount,
  perAddress,
  takeAttempt,
  type SignInLimits,
} from './throttle.ts'
import type { Tokens } from './tokens.ts'

export type LinkParts = { database: Database; tokens: Tokens; limits: SignInLimits; mailer: Mailer | null }

export const invitationHours = 7 * 24
export const administratorsLinkHours = 24
const mailedLinkHours = 1

const idBytes = 16
const secretBytes = 32

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Names the company, so that the link finds it, and 256 random bits. */
function newSecret(tenantId: string): string {
  const company = Buffer.from(tenantId.replaceAll('-', ''), 'hex')
  return Buffer.concat([company, randomBytes(secretBytes)]).toString('base64url')
}

/** The company a secret names; throws AppError 'link_invalid' for what is no secret. */
function tenantOf(secret: string): string {
  const bytes = Buffer.from(secret, 'base64url')
  if (bytes.length !== idBytes + secretBytes) throw new AppError('link_invalid')
  const hex = bytes.toString('hex', 0, idBytes)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

type LinkTo =
  | Pick<Extract<NewLink, { kind: 'invitation' }>, 'kind' | 'email' | 'role'>
  | Pick<Extract<NewLink, { kind: 'password' }>, 'kind' | 'email' | 'userId'>

export type MadeLink = { secret: string; expiresAt: Date }

/** Makes a link; earlier open ones for the same are no longer good. Only the hash of its secret is stored. */
export async function makeLink(
  tx: Tx,
  to: LinkTo,
  { hours, createdBy }: { hours: number; createdBy: string },
): Promise<MadeLink> {
  if (to.kind === 'invitation') await revokeInvitationsOf(tx, to.email)
  else await revokePasswordLinks(tx, to.userId)
  const secret = newSecret(tx.tenantId)
  const { expiresAt } = await createLink(tx, { ...to, secretHash: hashOf(secret), createdBy, hours })
  return { secret, expiresAt }
}

type OpenLink = NonNullable<Awaited<ReturnType<typeof findOpenLink>>>

async function getOpenLink(tx: Tx, secret: string): Promise<OpenLink> {
  const link = await findOpenLink(tx, hashOf(secret))
  if (link === null) throw new AppError('link_invalid')
  return link
}

/** What an open link is for. Wrong ones count as guesses of the address. */
export async function lookAtLink(
  { database, limits }: LinkParts,
  secret: string,
  caller: Caller,
): Promise<OpenLink> {
  const guesses = perAddress(limits, 'link')
  await takeAttempt(database.outside, guesses, caller.address)
  const link = await database.inTenant(tenantOf(secret), (tx) => getOpenLink(tx, secret))
  await giveBackAttempt(database.outside, guesses, caller.address)
  return link
}

async function getUserToSignIn(tx: Tx, userId: string) {
  const user = await findUserToSignIn(tx, userId)
  if (user === null) throw new AppError('link_invalid')
  return user
}

type Use = { secret: string; passcode: string; caller: Caller }

/** Makes the invited person a user, within the plan's places, and signs in. Two at once never pass the limit. */
export async function acceptInvitation(
  parts: LinkParts,
  { name, secret, passcode, caller }: Use & { name: string },
): Promise<SignedIn> {
  const { kind, id, email } = await lookAtLink(parts, secret, caller)
  if (kind !== 'invitation') throw new AppError('link_invalid')
  const passwordHash = await hashPassword(passcode)
  return await parts.database.inTenant(tenantOf(secret), async (tx) => {
    const places = await lockPlaces(tx)
    const { invited_role: role } = await getOpenLink(tx, secret)
    requirePlace(places, 'invited')
    if (role === null || !(await useLink(tx, id))) throw new AppError('link_invalid')
    const { id: userId } = await claimingEmail(() => createUser(tx, { email, name, role, passwordHash }))
    await seatUsers(tx, places.plan)
    await recordConfigurationChange(
      tx,
      { userId, role, userName: name },
      { event: 'invitation_accepted', source: 'team', user_id: userId, email, role },
    )
    const user = await getUserToSignIn(tx, userId)
    return await openSession(tx, parts.tokens, { user, userAgent: caller.userAgent, way: 'invitation' })
  })
}

/** Sets a password by a link: ends every session of the user, forgets wrong guesses, and signs in. */
export async function resetPassword(parts: LinkParts, { secret, passcode, caller }: Use): Promise<SignedIn> {
  const { id, user_id: userId, email } = await lookAtLink(parts, secret, caller)
  if (userId === null) throw new AppError('link_invalid')
  const passwordHash = await hashPassword(passcode)
  const signedIn = await parts.database.inTenant(tenantOf(secret), async (tx) => {
    const user = await getUserToSignIn(tx, userId)
    if (!(await useLink(tx, id))) throw new AppError('link_invalid')
    await updatePassword(tx, userId, passwordHash)
    const ended = await endSessionsOf(tx, userId)
    await recordAudit(
      tx,
      { userId, role: user.role, userName: user.name },
      {
        kind: 'authentication',
        event: 'password_changed',
        source: 'authentication',
        metadata: { type: 'auth_event', way: 'password_link', sessions_ended: ended },
      },
    )
    return await openSession(tx, parts.tokens, { user, userAgent: caller.userAgent, way: 'password_link' })
  })
  await clearAttempts(parts.database.outside, perAccount(parts.limits), email)
  return signedIn
}

const forgottenPerAccount = { kind: 'forgotten_account', limit: 5, windowSeconds: 900 } as const

async function mailPasswordLink({ database }: LinkParts, mailer: Mailer, email: string): Promise<void> {
  const login = await findLogin(database.outside, email)
  if (login === null) return
  const made = await database.inTenant(login.tenantId, async (tx) => {
    const user = await findUserToSignIn(tx, login.userId)
    if (user === null) return null
    const link = await makeLink(
      tx,
      { kind: 'password', email, userId: user.id },
      { hours: mailedLinkHours, createdBy: user.name },
    )
    await recordAudit(
      tx,
      { userId: user.id, role: user.role, userName: user.name },
      {
        kind: 'authentication',
        event: 'password_link_requested',
        source: 'authentication',
        metadata: { type: 'auth_event' },
      },
    )
    return link
  })
  if (made !== null) await sendPasswordLink(mailer, email, made.secret)
}

/**
 * Answers before it looks whether the account exists, so that neither the words nor the time tell.
 * `later` runs what follows and reports its failure.
 */
export async function forgotPassword(
  parts: LinkParts,
  { email, caller }: { email: string; caller: Caller },
  later: (work: () => Promise<void>) => void,
): Promise<{ way: 'mail' | 'administrator'; message: string }> {
  const { database, limits, mailer } = parts
  await takeAttempt(database.outside, perAddress(limits, 'forgotten'), caller.address)
  await takeAttempt(database.outside, forgottenPerAccount, email)
  if (mailer === null) return { way: 'administrator', message: linkMessages.askAdministrator }
  later(() => mailPasswordLink(parts, mailer, email))
  return { way: 'mail', message: linkMessages.mailSent }
}
