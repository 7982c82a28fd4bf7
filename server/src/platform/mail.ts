import type { Config } from './config.ts'

type Mail = { to: string; subject: string; text: string }

/** Sends mail, and knows where its links lead. */
export type Mailer = {
  /** Throws when the mail server does not take the mail within ten seconds. */
  send(mail: Mail): Promise<void>
  /** Connects and signs in as for a mail, and sends none. Throws when the mail server does not take that. */
  check(): Promise<void>
  /** The address of a screen, with what must never be in a log behind the '#'. */
  link(path: string, secret: string): string
}

const timeoutMs = 10_000

/** The mailer of this installation; null where no mail server is set. The library is loaded with the first mail. */
export function createMailer({
  SMTP_URL: smtpUrl,
  PUBLIC_URL: publicUrl,
  MAIL_FROM: mailFrom,
}: Pick<Config, 'SMTP_URL' | 'PUBLIC_URL' | 'MAIL_FROM'>): Mailer | null {
  if (smtpUrl === undefined || publicUrl === undefined) return null
  const from = mailFrom ?? `Inventory Manager <no-reply@${new URL(publicUrl).hostname}>`
  async function open() {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    })
  }
  return {
    async send({ to, subject, text }) {
      const transport = await open()
      // The address as an object, so that nothing in it is read as a second one.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    },
    async check() {
      await (await open()).verify()
    },
    link: (path, secret) => `${publicUrl}${path}#${secret}`,
  }
}
