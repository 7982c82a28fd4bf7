import { recordConfigurationChange } from '../audit/configuration.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { mailConfirmation } from './confirmations.ts'
import { useLink } from './link-queries.ts'
import type { LinkUse } from './link-retries.ts'
import { tenantOf } from './link-secrets.ts'
import { signInByLink, usingUp, type LinkRequest } from './link-sign-in.ts'
import { getOpenLink, getUserToSignIn, lookAtLink, type LinkParts } from './links.ts'
import { mailLater, type MailParts } from './mails.ts'
import { requireFreeName } from './names.ts'
import { hashPassword, inFairTurn } from './passwords.ts'
import { claimingEmail, createUser, emailIsTaken } from './queries.ts'
import { lockSeats, requireSeat, seatUsers } from './seats.ts'
import type { SignedIn } from './sessions.ts'
import { forgiveGuesses } from './throttle.ts'

/**
 * Makes the invited person a user, within the plan's seats, and signs in. Two at once never pass the limit. An administrator is to
 * confirm the address: an invitation's link was seen by who made it, too.
 */
export async function acceptInvitation(
  parts: LinkParts & MailParts,
  { name, ...given }: LinkRequest & { name: string },
): Promise<SignedIn> {
  const use = { call: 'accept-invitation', given: [name] }
  return await usingUp(parts, { ...given, use }, () => accept(parts, { ...given, name, use }))
}

const taken = {
  sentence:
    'This address has an account already. This link works as soon as an administrator deactivates it there, or whoever runs this installation removes that company.',
}

/**
 * What an invitation makes of whoever accepts it, with the seats locked; throws what refuses it. Asked before the password is hashed, which
 * takes long, so that it is not for nothing, and again when the user is made.
 */
async function getAcceptable(tx: Tx, { secret, name }: { secret: string; name: string }) {
  const seats = await lockSeats(tx)
  const { email, invited_role: role } = await getOpenLink(tx, secret)
  requireSeat(seats, 'invited')
  if (await emailIsTaken(tx, email)) throw new AppError('email_taken', taken)
  await requireFreeName(tx, name)
  return { plan: seats.plan, role }
}

async function accept(
  parts: LinkParts & MailParts,
  { name, use, secret, passcode, caller, key }: LinkRequest & { name: string; use: LinkUse },
): Promise<SignedIn> {
  const link = await lookAtLink(parts, secret, caller)
  const { kind, id, email } = link
  if (kind !== 'invitation') throw new AppError('link_invalid')
  await parts.database.inTenant(tenantOf(secret), (tx) => getAcceptable(tx, { secret, name }))
  const place = { email, address: caller.address }
  const passwordHash = await inFairTurn(place, () => hashPassword(passcode))
  const signedIn = await parts.database.inTenant(tenantOf(secret), async (tx) => {
    const { plan, role } = await getAcceptable(tx, { secret, name })
    if (role === null || !(await useLink(tx, id))) throw new AppError('link_invalid')
    const user = { email, name, role, passwordHash }
    const { id: userId } = await claimingEmail(() => createUser(tx, user), taken)
    await seatUsers(tx, plan)
    await recordConfigurationChange(
      tx,
      { userId, role, userName: name },
      { event: 'invitation_accepted', source: 'team', user_id: userId, email, role },
    )
    return await signInByLink(tx, parts, {
      link,
      user: await getUserToSignIn(tx, userId),
      use,
      caller,
      key,
    })
  })
  // What was guessed before there was this account is nothing against it.
  await forgiveGuesses(parts.database.outside, parts.limits, place)
  if (signedIn.user.role === 'admin')
    mailLater(parts, email, (mailer) => mailConfirmation(parts, mailer, email))
  return signedIn
}
