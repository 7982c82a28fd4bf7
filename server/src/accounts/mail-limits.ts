import { getPlan, type PlanKey } from '@inventory-manager/contract/plans'
import type { OutsideDb } from '../platform/db/database.ts'
import { MailError } from '../platform/mail.ts'
import { giveBackAttempt, takeAttempt, type AttemptLimit } from './throttle.ts'

const hourSeconds = 3_600
const mailsTo: AttemptLimit = {
  kind: 'mails_to',
  limit: 3,
  windowSeconds: hourSeconds,
  sentence: (wait) => `Not mailed: 3 an hour at the most to one address, again in ${wait}.`,
}

/** What a company may mail in an hour: to as many people as its plan has seats, or to 200. */
function mailsOfCompany(plan: PlanKey): AttemptLimit {
  const { maxUsers } = getPlan(plan)
  const limit = maxUsers === null ? 200 : Math.max(50, maxUsers)
  return {
    kind: 'mails_of_company',
    limit,
    windowSeconds: hourSeconds,
    sentence: (wait) => `Not mailed: ${limit} an hour at the most of one company, again in ${wait}.`,
  }
}

/** Sends a mail that was counted; where it was not sent, and will not arrive either, it is given back. */
async function sendCounted(send: () => Promise<void>, giveBack: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!(error instanceof MailError && error.mayArrive)) await giveBack()
    throw error
  }
}

/** Sends a mail that somebody of a company has sent to an address; throws 'too_many_requests' past what an hour may have. */
export async function sendOfCompany(
  db: OutsideDb,
  { tenantId, plan, email }: { tenantId: string; plan: PlanKey; email: string },
  send: () => Promise<void>,
): Promise<void> {
  const ofCompany = mailsOfCompany(plan)
  await takeAttempt(db, mailsTo, email)
  await sendCounted(
    async () => {
      await takeAttempt(db, ofCompany, tenantId)
      await sendCounted(send, () => giveBackAttempt(db, ofCompany, tenantId))
    },
    () => giveBackAttempt(db, mailsTo, email),
  )
}

const noticesTo: AttemptLimit = { kind: 'notices_to', limit: 10, windowSeconds: hourSeconds }

/** Counts a notice of what happened to an account, which no invitation nor link takes the place of; throws 'too_many_requests' past ten an hour. */
export async function takeNotice(db: OutsideDb, email: string): Promise<void> {
  await takeAttempt(db, noticesTo, email)
}

const confirmationsTo: AttemptLimit = {
  kind: 'confirmations_to',
  limit: 3,
  windowSeconds: 86_400,
  sentence: () =>
    'Three mails to confirm your address were sent within a day. Look among unwanted mails, or ask again tomorrow.',
}

/** Sends a mail to confirm an address, which may be a stranger's; throws 'too_many_requests' past three a day. */
export async function sendToConfirm(db: OutsideDb, email: string, send: () => Promise<void>): Promise<void> {
  await takeAttempt(db, confirmationsTo, email)
  await sendCounted(send, () => giveBackAttempt(db, confirmationsTo, email))
}
