import { linkMessages } from '@inventory-manager/contract/accounts/messages'
import { auditActorOf, recordAuthentication } from '../audit/authentication.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Caller } from '../platform/http/binder-types.ts'
import type { Mailer } from '../platform/mail.ts'
import { confirmAddress } from './confirmed-addresses.ts'
import { revokePasswordLinks, useLink, wasOnlyMailed } from './link-queries.ts'
import type { LinkUse } from './link-retries.ts'
import { tenantOf } from './link-secrets.ts'
import { signInByLink, usingUp, type LinkRequest } from './link-sign-in.ts'
import { getOpenLink, getUserToSignIn, lookAtLink, makeLink, type LinkParts } from './links.ts'
import { mailLater, sendPasswordChanged, sendPasswordLink, type MailParts } from './mails.ts'
import { hashPassword, inFairTurn } from './passwords.ts'
import { endSessionsOf, findLogin, findUserToSignIn, updatePassword } from './queries.ts'
import type { SignedIn } from './sessions.ts'
import { forgiveGuesses, forgottenPerAccount, perAddress, takeAttempt, takeOfNetwork } from './throttle.ts'

const mailedLinkHours = 1

/** Sets a password by a link: ends every session of the user, forgets wrong guesses, and signs in. */
export async function resetPassword(parts: LinkParts & MailParts, given: LinkRequest): Promise<SignedIn> {
  const use = { call: 'reset-password', given: [] }
  return await usingUp(parts, { ...given, use }, () => setPassword(parts, { ...given, use }))
}

async function setPassword(
  parts: LinkParts & MailParts,
  { use, secret, passcode, caller, key }: LinkRequest & { use: LinkUse },
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
    await recordAuthentication(tx, auditActorOf(user), {
      event: 'password_changed',
      way: 'password_link',
      sessions_ended: ended,
    })
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
    await recordAuthentication(tx, auditActorOf(user), { event: 'password_link_requested' })
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
