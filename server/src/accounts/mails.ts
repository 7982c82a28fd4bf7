import type { Mailer } from '../platform/mail.ts'

/** Sends the link by which somebody joins a company. */
export async function sendInvitation(
  mailer: Mailer,
  to: { email: string; companyName: string; invitedBy: string },
  secret: string,
): Promise<void> {
  const text = [
    `${oneLine(to.invitedBy)} invites you to ${oneLine(to.companyName)} on Inventory Manager.`,
    '',
    'Open this link on the device you count with, choose a password, and you are in:',
    mailer.link('/invitation', secret),
    '',
    'The link works once, within 7 days.',
  ].join('\n')
  await mailer.send({ to: to.email, subject: `Invitation to ${oneLine(to.companyName)}`, text })
}

/** Sends the link by which somebody sets a new password. */
export async function sendPasswordLink(mailer: Mailer, email: string, secret: string): Promise<void> {
  const text = [
    'Somebody, most likely you, asked for a new password for Inventory Manager.',
    '',
    'Set it here:',
    mailer.link('/new-password', secret),
    '',
    'The link works once and not for long. If it was not you, there is nothing to do: your password stays as it is.',
  ].join('\n')
  await mailer.send({ to: email, subject: 'Set a new password', text })
}

/** A name, whatever it is, begins no line of its own: neither in a subject nor in a text that others are to trust. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
