import type { LocationNames } from '@inventory-manager/contract/locations'
import { wholeNumber } from '@inventory-manager/contract/numbers'
import { placeName } from '@inventory-manager/contract/stock/places'
import type { Background } from '../platform/background.ts'
import { allowMinutes, type Database, type Tx } from '../platform/db/database.ts'
import { keepDoingForEach } from '../platform/each-apart.ts'
import { MailError, plainName, type Mail, type Mailer } from '../platform/mail.ts'
import { lookAtStock } from './low-stock.ts'
import {
  claimMail,
  giveMailBack,
  listAdministrators,
  listCompaniesToMail,
  listToMail,
  noteMailed,
  type ClaimedCompany,
  type ToMail,
} from './low-stock-mail-queries.ts'
import { lockLook } from './low-stock-queries.ts'

const lookEveryMs = 60_000
/** Between two mails of a company, at the least. */
const hoursBetween = 24
/** Until a mail that was not sent is tried again. */
const hoursToNextTry = 1
/** In a row, after which the mail server is taken to be away. */
const mostFailures = 3
const mostLines = 50

type Claimed = { to: string[]; company: ClaimedCompany; low: ToMail[] }

/** Takes a mail of a company with what is low at this moment; null where there is none to send. */
async function claim(tx: Tx): Promise<Claimed | null> {
  await lookAtStock(tx)
  const [to, low] = await Promise.all([listAdministrators(tx), listToMail(tx, mostLines)])
  if (to.length === 0 || low.length === 0) return null
  const company = await claimMail(tx, hoursBetween)
  return company === null ? null : { to, company, low }
}

function lineOf(
  { barcode, description, location, quantity, minimum }: ToMail,
  ownNames: LocationNames,
): string {
  const names = [barcode, description, placeName(location, ownNames)].filter((name) => name !== '')
  return `${names.map(plainName).join(', ')}: ${wholeNumber(quantity)} of ${wholeNumber(minimum)}`
}

function write(mailer: Mailer, { to, company, low }: Claimed): Mail {
  const more = (low[0]?.total ?? 0) - low.length
  const text = [
    `Stock of these components has fallen below its minimum at ${plainName(company.name)}:`,
    '',
    ...low.map((row) => lineOf(row, company.location_names)),
    ...(more > 0 ? [`and ${wholeNumber(more)} more`] : []),
    '',
    'All that is low:',
    mailer.address('/components?state=low'),
    '',
    'Such a mail comes once a day at the most, with what has fallen since the one before. Administrators can switch it off in Company Settings.',
  ].join('\n')
  return { to, subject: `Low stock at ${plainName(company.name)}`, text }
}

/** In turn with looks, which lock the same rows in another order. */
async function noteInTurn(tx: Tx): Promise<void> {
  await allowMinutes(tx)
  await lockLook(tx)
  await noteMailed(tx)
}

type Parts = { database: Database; mailer: Mailer }

/**
 * Mails a company's administrators, at addresses that are confirmed, what is low and no mail has told them, unless they got one in the
 * last 24 hours or want none. Throws a MailError where the mail was not sent, and then it is tried again an hour later; but where it may
 * arrive all the same, the next one, which tells it again, comes in 24 hours.
 */
export async function mailLowStock({ database, mailer }: Parts, tenantId: string): Promise<void> {
  const claimed = await database.inTenant(tenantId, claim)
  if (claimed === null) return
  try {
    await mailer.send(write(mailer, claimed))
  } catch (error) {
    const mayArrive = error instanceof MailError && error.mayArrive
    if (!mayArrive) {
      await database.inTenant(tenantId, (tx) => giveMailBack(tx, hoursBetween - hoursToNextTry))
    }
    throw error
  }
  await database.inTenant(tenantId, noteInTurn)
}

/**
 * Keeps mailing what is low. A mail that fails, and a company that is busy, keep no other company from its mail; after three mails in a
 * row that fail, and where the database is away, the round ends, and the next one goes on with the others.
 */
export function keepMailingLowStock({
  onError,
  ...parts
}: Parts & { onError: (error: unknown) => void }): Background {
  let failures = 0

  return keepDoingForEach({
    pauseMs: lookEveryMs,
    onError,
    look() {
      failures = 0
      return listCompaniesToMail(parts.database, hoursBetween)
    },
    async work(tenantId) {
      if (failures === mostFailures) return
      try {
        await mailLowStock(parts, tenantId)
        failures = 0
      } catch (error) {
        if (!(error instanceof MailError)) throw error
        failures += 1
        onError(error)
      }
    },
  })
}
