import type { Role } from '@inventory-manager/contract/roles'
import type { Database } from '../platform/db/database.ts'
import type { Later } from '../platform/later.ts'
import { plainName, type Mailer } from '../platform/mail.ts'
import { takeNotice } from './mail-limits.ts'

/** What mails after a reply need; the server waits for them when it closes. */
export type MailParts = { database: Database; mailer: Mailer | null; later: Later }

/** Sends the link by which somebody joins a company. */
export async function sendInvitation(
  mailer: Mailer,
  to: { email: string; companyName: string; invitedBy: string },
  secret: string,
): Promise<void> {
  const text = [
    `${plainName(to.invitedBy)} invites you to ${plainName(to.companyName)} on Inventory Manager.`,
    '',
    'Open this link on the device you count with, choose a password, and you are in:',
    mailer.link('/invitation', secret),
    '',
    'The link works once, within 7 days.',
  ].join('\n')
  await mailer.send({ to: [to.email], subject: `Invitation to ${plainName(to.companyName)}`, text })
}

/** Sends the link by which somebody sets a new password that they asked for themselves. */
export async function sendPasswordLink(mailer: Mailer, email: string, secret: string): Promise<void> {
  const text = [
    'Somebody, most likely you, asked for a new password for Inventory Manager.',
    '',
    'Set it here:',
    mailer.link('/new-password', secret),
    '',
    'The link works once and not for long. If it was not you, there is nothing to do: your password stays as it is.',
  ].join('\n')
  await mailer.send({ to: [email], subject: 'Set a new password', text })
}

/** Sends the link by which somebody sets a new password, made by an administrator for them. */
export async function sendAdministratorsLink(
  mailer: Mailer,
  to: { email: string; companyName: string; madeBy: string },
  secret: string,
): Promise<void> {
  const text = [
    `${plainName(to.madeBy)}, an administrator of ${plainName(to.companyName)} on Inventory Manager, made you a link to set a new password.`,
    '',
    'Set it here:',
    mailer.link('/new-password', secret),
    '',
    'The link works once, within 24 hours. Until you use it your password stays as it is.',
  ].join('\n')
  await mailer.send({ to: [to.email], subject: 'Set a new password', text })
}

/** Sends the link by which somebody confirms that the address is theirs. */
export async function sendConfirmationLink(
  mailer: Mailer,
  to: { email: string; companyName: string },
  secret: string,
): Promise<void> {
  const text = [
    `Somebody, most likely you, signs in to ${plainName(to.companyName)} on Inventory Manager with this address.`,
    '',
    'Confirm here that it is yours:',
    mailer.link('/confirm-email', secret),
    '',
    'The link works once, within 7 days. If it was not you, there is nothing to do: mails about stock go to confirmed addresses only.',
  ].join('\n')
  await mailer.send({ to: [to.email], subject: 'Confirm your address', text })
}

/** Mails somebody a notice once the reply is on its way, where mail is set up; what is beyond the limit is not sent. */
export function mailLater(
  { database, mailer, later }: MailParts,
  email: string,
  send: (mailer: Mailer) => Promise<void>,
): void {
  if (mailer === null) return
  later.run(async () => {
    await takeNotice(database.outside, email)
    await send(mailer)
  })
}

/** Tells somebody that they have another password. Without a link: nobody is to follow one in such a mail. */
export async function sendPasswordChanged(mailer: Mailer, email: string): Promise<void> {
  const text = [
    'Your password for Inventory Manager was changed.',
    '',
    'If it was not you, tell an administrator of your company at once.',
  ].join('\n')
  await mailer.send({ to: [email], subject: 'Your password was changed', text })
}

/** Tells somebody that they have another role. */
export async function sendRoleChanged(
  mailer: Mailer,
  { email, companyName, role }: { email: string; companyName: string; role: Role },
): Promise<void> {
  const where = `administrator of ${plainName(companyName)} on Inventory Manager`
  const text = role === 'admin' ? `You are an ${where} now.` : `You are no longer an ${where}.`
  await mailer.send({ to: [email], subject: 'Your role was changed', text })
}
