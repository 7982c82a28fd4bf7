import { Readable } from 'node:stream'
import type { Config } from './config.ts'

export type Mail = { to: readonly string[]; subject: string; text: string }

/** Sends mail, and knows where its links lead. */
export type Mailer = {
  /** Throws a MailError when the mail server does not take the mail within ten seconds. */
  send(mail: Mail): Promise<void>
  /** Connects and signs in as for a mail, and sends none. Throws when the mail server does not take that. */
  check(): Promise<void>
  /** The address of a screen. */
  address(path: string): string
  /** The same, with what must never be in a log behind the '#'. */
  link(path: string, secret: string): string
}

const timeoutMs = 10_000

/** Whether a mail server has answered that it does not take a mail; else it is away, or the network to it. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error && 'responseCode' in error)) return false
  return typeof error.responseCode === 'number' && error.responseCode >= 400
}

/** Why a mail was not sent, in the mail server's own words or the network's, which are its cause. */
export class MailError extends Error {
  /**
   * Whether the mail may arrive all the same: the mail server asked for its text and got some of it, and then neither took nor refused
   * it. No mail arrives where connecting or signing in failed, or where an answer refused the sender, all recipients or the text.
   */
  readonly mayArrive: boolean

  constructor(cause: unknown, { hasBegun }: { hasBegun: boolean }) {
    super(cause instanceof Error ? cause.message : 'The mail was not sent.', { cause })
    this.name = 'MailError'
    this.mayArrive = hasBegun && !isRefusal(cause)
  }
}

/** The text of a mail as it is sent, which says when the mail server has asked for it. */
async function* sayWhenRead(text: Readable, say: () => void) {
  say()
  yield* text
}

/** The mailer of this installation; null where no mail server is set. The library is loaded with the first mail. */
export function createMailer({
  SMTP_URL: smtpUrl,
  PUBLIC_URL: publicUrl,
  MAIL_FROM: mailFrom,
}: Pick<Config, 'SMTP_URL' | 'PUBLIC_URL' | 'MAIL_FROM'>): Mailer | null {
  if (smtpUrl === undefined || publicUrl === undefined) return null
  const address = (path: string) => `${publicUrl}${path}`
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
      // The addresses as objects, so that nothing in one is read as a second one.
      const addressees = to.map((address) => ({ name: '', address }))
      let hasBegun = false
      // Its errors do not tell whether a connection was lost before the text or behind it.
      transport.use('stream', ({ message }, done) => {
        message.processFunc((content) => Readable.from(sayWhenRead(content, () => (hasBegun = true))))
        done()
      })
      try {
        await transport.sendMail({ from, to: addressees, subject, text })
      } catch (error) {
        throw new MailError(error, { hasBegun })
      }
    },
    async check() {
      await (await open()).verify()
    },
    address,
    link: (path, secret) => `${address(path)}#${secret}`,
  }
}

const tooLong = /^(.{60}).+$/su

/**
 * A name as mails say it, whatever somebody wrote in it: short, on one line, and with nothing that a reader's program would
 * make a link of. Anybody can register, and these mails come from the operator's domain.
 */
export function plainName(name: string): string {
  const line = name
    .replaceAll(/\s+/g, ' ')
    .replaceAll('://', ': //')
    .replaceAll(/[.．。｡](?=[\p{L}\p{N}])/gu, '. ')
  return line.replace(tooLong, '$1…')
}
