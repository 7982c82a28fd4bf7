import { linkMessages } from '@inventory-manager/contract/accounts/messages'
import { recordConfigurationChange } from '../audit/configuration.ts'
import { recordAudit } from '../audit/queries.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Caller } from '../platform/http/binder-types.ts'
import { once } from '../platform/http/idempotency.ts'
import type { Mailer } from '../platform/mail.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import { confirmAddress } from './confirmed-addresses.ts'
import {
  createLink,
  findOpenLink,
  isConfirmation,
  revokeConfirmations,
  revokeInvitationsOf,
  revokePasswordLinks,
  revokeShortPasswordLinks,
  useLink,
  wasOnlyMailed,
  type LinkMaker,
  type NewLink,
} from './link-queries.ts'
import { findSignIn, operationOf, type LinkUse } from './link-retries.ts'
import { hashOf, newSecret, tenantOf } from './link-secrets.ts'
import { mailLater, sendPasswordChanged, sendPasswordLink, type MailParts } from './mails.ts'
import { hashPassword, inFairTurn } from './passwords.ts'
import {
  claimingEmail,
  createUser,
  emailIsTaken,
  endSessionsOf,
  findLogin,
  findUserToSignIn,
  updatePassword,
} from './queries.ts'
import { lockSeats, requireSeat, seatUsers } from './seats.ts'
import { beginSession, tokenFor, type SignedIn } from './sessions.ts'
import {
  forgiveGuesses,
  forgottenPerAccount,
  giveBackOfNetwork,
  perAddress,
  takeAttempt,
  takeOfNetwork,
  type SignInLimits,
} from './throttle.ts'
import type { Tokens } from './tokens.ts'

export type LinkParts = {
  database: Database
  notices: Pick<Notices, 'changed'>
  tokens: Tokens
  limits: SignInLimits
  mailer: Mailer | null
}

export const invitationHours = 7 * 24
export const administratorsLinkHours = 24
const mailedLinkHours = 1

type LinkTo =
  | Pick<Extract<NewLink, { kind: 'invitation' }>, 'kind' | 'email' | 'role'>
  | Pick<Extract<NewLink, { kind: 'password' }>, 'kind' | 'email' | 'userId'>
  | Pick<Extract<NewLink, { kind: 'email' }>, 'kind' | 'email' | 'userId'>

export type MadeLink = { secret: string; expiresAt: Date }

async function revokeEarlier(tx: Tx, to: LinkTo, hours: number): Promise<void> {
  switch (to.kind) {
    case 'invitation':
      return await revokeInvitationsOf(tx, to.email)
    case 'password':
      // Whoever asks for a mail may be anybody, and ends nothing that an administrator made.
      return await revokeShortPasswordLinks(tx, to.userId, hours)
    case 'email':
      return await revokeConfirmations(tx, to.userId)
  }
}

/** Makes a link; earlier open ones for the same that were good for no longer are good no more. Only the hash of its secret is stored. */
export async function makeLink(
  tx: Tx,
  to: LinkTo,
  { hours, maker }: { hours: number; maker: LinkMaker },
): Promise<MadeLink> {
  await revokeEarlier(tx, to, hours)
  const secret = newSecret(tx.tenantId)
  const { expiresAt } = await createLink(tx, { ...to, secretHash: hashOf(secret), maker, hours })
  return { secret, expiresAt }
}

type OpenLink = NonNullable<Awaited<ReturnType<typeof findOpenLink>>>

/** A link that can be used; throws AppError 'link_invalid'. */
export async function getOpenLink(tx: Tx, secret: string): Promise<OpenLink> {
  const secretHash = hashOf(secret)
  const link = await findOpenLink(tx, secretHash)
  if (link === null) {
    const isOwn = await isConfirmation(tx, secretHash)
    throw new AppError('link_invalid', isOwn ? { sentence: linkMessages.sendAnother } : {})
  }
  if (!link.usable) throw new AppError('link_invalid', { sentence: linkMessages.noMakerAnyMore })
  return link
}

/** What an open link is for. Wrong ones count as guesses of the address. */
export async function lookAtLink(
  { database, limits }: LinkParts,
  secret: string,
  caller: Caller,
): Promise<OpenLink> {
  const guesses = perAddress(limits, 'link')
  await takeOfNetwork(database.outside, guesses, caller.address)
  const link = await database.inTenant(tenantOf(secret), (tx) => getOpenLink(tx, secret))
  await giveBackOfNetwork(database.outside, guesses, caller.address)
  return link
}

/** Whose link it is; throws AppError 'link_invalid' for who may not sign in. */
export async function getUserToSignIn(tx: Tx, userId: string) {
  const user = await findUserToSignIn(tx, userId)
  if (user === null) throw new AppError('link_invalid')
  return user
}

type Use = { secret: string; passcode: string; caller: Caller; key: string | null }

type UserToSignIn = Awaited<ReturnType<typeof getUserToSignIn>>

/** Begins the session a link leads to, in the transaction that uses the link up, and keeps it under the request's key. */
async function signInByLink(
  tx: Tx,
  { tokens }: LinkParts,
  {
    link,
    user,
    use,
    caller,
    key,
  }: {
    link: OpenLink
    user: UserToSignIn
    use: LinkUse
    caller: Caller
    key: string | null
  },
): Promise<SignedIn> {
  const way = link.kind === 'invitation' ? 'invitation' : 'password_link'
  const session = await beginSession(tx, { user, userAgent: caller.userAgent, way })
  if (key !== null) {
    const operation = operationOf(key, use, link.id)
    await once({ tx, actor: { userId: user.id } }, operation, () => Promise.resolve(session))
  }
  return await tokenFor(tokens, { tenantId: tx.tenantId, user, session })
}

/** Uses a link up; the same request sent again under its key, when the link is used already, is answered as before. */
async function usingUp(
  parts: LinkParts,
  { secret, passcode, caller, key, use }: Use & { use: LinkUse },
  work: () => Promise<SignedIn>,
): Promise<SignedIn> {
  try {
    return await work()
  } catch (error) {
    const isUsed = error instanceof AppError && error.code === 'link_invalid'
    const earlier =
      isUsed && key !== null
        ? await findSignIn(parts, { secret, passcode, key, address: caller.address }, use)
        : null
    if (earlier === null) throw error
    await giveBackOfNetwork(parts.database.outside, perAddress(parts.limits, 'link'), caller.address)
    return earlier
  }
}

/** Makes the invited person a user, within the plan's seats, and signs in. Two at once never pass the limit. */
export async function acceptInvitation(
  parts: LinkParts,
  { name, ...given }: Use & { name: string },
): Promise<SignedIn> {
  const use = { call: 'accept-invitation', given: [name] }
  return await usingUp(parts, { ...given, use }, () => accept(parts, { ...given, name, use }))
}

/** Throws what would refuse an invitation, before a password is hashed for nothing, which takes long. */
async function requireAcceptable(tx: Tx, secret: string): Promise<void> {
  const seats = await lockSeats(tx)
  const { email } = await getOpenLink(tx, secret)
  requireSeat(seats, 'invited')
  if (await emailIsTaken(tx, email)) throw new AppError('email_taken')
}

async function accept(
  parts: LinkParts,
  { name, use, secret, passcode, caller, key }: Use & { name: string; use: LinkUse },
): Promise<SignedIn> {
  const link = await lookAtLink(parts, secret, caller)
  const { kind, id, email } = link
  if (kind !== 'invitation') throw new AppError('link_invalid')
  await parts.database.inTenant(tenantOf(secret), (tx) => requireAcceptable(tx, secret))
  const place = { email, address: caller.address }
  const passwordHash = await inFairTurn(place, () => hashPassword(passcode))
  const signedIn = await parts.database.inTenant(tenantOf(secret), async (tx) => {
    const seats = await lockSeats(tx)
    const { invited_role: role } = await getOpenLink(tx, secret)
    requireSeat(seats, 'invited')
    if (role === null || !(await useLink(tx, id))) throw new AppError('link_invalid')
    const { id: userId } = await claimingEmail(() => createUser(tx, { email, name, role, passwordHash }))
    await seatUsers(tx, seats.plan)
    await recordConfigurationChange(
      tx,
      { userId, role, userName: name },
      { event: 'invitation_accepted', source: 'team', user_id: userId, email, role },
    )
    const user = await getUserToSignIn(tx, userId)
    return await signInByLink(tx, parts, { link, user, use, caller, key })
  })
  // What was guessed before there was this account is nothing against it.
  await forgiveGuesses(parts.database.outside, parts.limits, place)
  return signedIn
}

/** Sets a password by a link: ends every session of the user, forgets wrong guesses, and signs in. */
export async function resetPassword(parts: LinkParts & MailParts, given: Use): Promise<SignedIn> {
  const use = { call: 'reset-password', given: [] }
  return await usingUp(parts, { ...given, use }, () => setPassword(parts, { ...given, use }))
}

async function setPassword(
  parts: LinkParts & MailParts,
  { use, secret, passcode, caller, key }: Use & { use: LinkUse },
): Promise<SignedIn> {
  const link = await lookAtLink(parts, secret, caller)
  const { id, kind, user_id: userId, email } = link
  if (kind !== 'password' || userId === null) throw new AppError('link_invalid')
  const place = { email, address: caller.address }
  const passwordHash = await inFairTurn(place, () => hashPassword(passcode))
  const tenantId = tenantOf(secret)
  const signedIn = await parts.database.inTenant(tenantId, async (tx) => {
    await getOpenLink(tx, secret)
    const user = await getUserToSignIn(tx, userId)
    // The user before the link, as whoever ends links does: two at once wait for each other in one order.
    await updatePassword(tx, userId, passwordHash)
    if (!(await useLink(tx, id))) throw new AppError('link_invalid')
    await revokePasswordLinks(tx, userId)
    if (await wasOnlyMailed(tx, id, mailedLinkHours)) await confirmAddress(tx, user)
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
    return await signInByLink(tx, parts, { link, user, use, caller, key })
  })
  // Whoever follows the company by a session that is over now is let go.
  parts.notices.changed(tenantId)
  mailLater(parts, email, (mailer) => sendPasswordChanged(mailer, email))
  await forgiveGuesses(parts.database.outside, parts.limits, place)
  return signedIn
}

async function mailPasswordLink({ database }: LinkParts, mailer: Mailer, email: string): Promise<void> {
  const login = await findLogin(database.outside, email)
  if (login === null) return
  const made = await database.inTenant(login.tenantId, async (tx) => {
    const user = await findUserToSignIn(tx, login.userId)
    if (user === null) return null
    const link = await makeLink(
      tx,
      { kind: 'password', email, userId: user.id },
      { hours: mailedLinkHours, maker: { userId: null, userName: user.name } },
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
 */
export async function forgotPassword(
  parts: LinkParts & MailParts,
  { email, caller }: { email: string; caller: Caller },
): Promise<{ way: 'mail' | 'administrator'; message: string }> {
  const { database, limits, mailer } = parts
  await takeOfNetwork(database.outside, perAddress(limits, 'forgotten'), caller.address)
  await takeAttempt(database.outside, forgottenPerAccount, email)
  if (mailer === null) return { way: 'administrator', message: linkMessages.askAdministrator }
  parts.later.run(() => mailPasswordLink(parts, mailer, email))
  return { way: 'mail', message: linkMessages.mailSent }
}
