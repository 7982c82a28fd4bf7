import { AppError } from '../platform/http/app-error.ts'
import type { Caller } from '../platform/http/binder-types.ts'
import type { Mailer } from '../platform/mail.ts'
import { confirmAddress, isAddressConfirmed } from './confirmed-addresses.ts'
import { useLink } from './link-queries.ts'
import { tenantOf } from './link-secrets.ts'
import { getOpenLink, getUserToSignIn, lookAtLink, makeLink, type LinkParts } from './links.ts'
import { sendConfirmationLink, type MailParts } from './mails.ts'
import { findLogin, findUserToSignIn } from './queries.ts'

const confirmationHours = 7 * 24

/**
 * Mails somebody the link by which they confirm that the address they sign in with is theirs; one mailed before is good no more.
 * Nothing is mailed where it is confirmed.
 */
export async function mailConfirmation(
  { database }: Pick<MailParts, 'database'>,
  mailer: Mailer,
  email: string,
): Promise<void> {
  const login = await findLogin(database.outside, email)
  if (login === null) return
  const made = await database.inTenant(login.tenantId, async (tx) => {
    const user = await findUserToSignIn(tx, login.userId)
    if (user === null || (await isAddressConfirmed(tx, user.id))) return null
    const { secret } = await makeLink(
      tx,
      { kind: 'email', email, userId: user.id },
      { hours: confirmationHours, maker: { userId: null, userName: user.name } },
    )
    return { secret, companyName: user.company_name }
  })
  if (made !== null) await sendConfirmationLink(mailer, { email, ...made }, made.secret)
}

/** Confirms an address by a link, and signs nobody in. Sent again it changes nothing, and succeeds. */
export async function confirmEmail(
  parts: LinkParts,
  { secret, caller }: { secret: string; caller: Caller },
): Promise<void> {
  const { id, kind, user_id: userId } = await lookAtLink(parts, secret, caller)
  if (kind !== 'email' || userId === null) throw new AppError('link_invalid')
  await parts.database.inTenant(tenantOf(secret), async (tx) => {
    // The user before the link, as whoever ends links does.
    await confirmAddress(tx, await getUserToSignIn(tx, userId))
    // Used meanwhile it has done the same; taken back it undoes this.
    if (!(await useLink(tx, id))) await getOpenLink(tx, secret)
  })
}
