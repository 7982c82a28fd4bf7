import {
  changeName,
  endOtherSessions as endOthersEndpoint,
  endOwnSession,
  listOwnSessions,
  sendConfirmation,
} from '@inventory-manager/contract/accounts/account-endpoints'
import { describeDevice } from '@inventory-manager/contract/accounts/devices'
import { recordAuthentication } from '../audit/authentication.ts'
import { recordConfigurationChange } from '../audit/configuration.ts'
import type { Tx } from '../platform/db/database.ts'
import { lockCompany } from '../platform/db/lock-company.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import type { Actor } from '../platform/http/identity.ts'
import { MailError, type Mailer } from '../platform/mail.ts'
import { mailConfirmation } from './confirmations.ts'
import { isAddressConfirmed } from './confirmed-addresses.ts'
import { sendToConfirm } from './mail-limits.ts'
import type { MailParts } from './mails.ts'
import { requireFreeName } from './names.ts'
import { endOtherSessions, endSession } from './queries.ts'
import { listSessions, updateUser } from './team-queries.ts'

async function recordSessionsEnded(tx: Tx, actor: Actor, ended: number): Promise<void> {
  await recordAuthentication(tx, actor, { event: 'sessions_ended', sessions_ended: ended })
}

/** Outside one plain transaction: the mail has to be counted, and the mail server waited for. */
function confirmationRoute(bind: Binder, { database, mailer }: MailParts): void {
  bind.ownTransaction(
    sendConfirmation,
    async ({ tx, actor }): Promise<Mailer> => {
      if (mailer === null) throw new AppError('no_mail')
      if (await isAddressConfirmed(tx, actor.userId)) throw new AppError('address_confirmed')
      return mailer
    },
    async ({ actor: { email }, begun, request }) => {
      try {
        await sendToConfirm(database.outside, email, () => mailConfirmation({ database }, begun, email))
        return { success: true, mailed: 'sent' }
      } catch (error) {
        if (!(error instanceof MailError)) throw error
        request.log.warn({ err: error }, 'a mail was not sent')
        return { success: true, mailed: 'failed' }
      }
    },
  )
}

/** What everybody may do to the own account. */
export function ownAccountRoutes(bind: Binder, parts: MailParts): void {
  bind.member(listOwnSessions, async ({ tx, actor }) => {
    const sessions = await listSessions(tx, actor.userId)
    return {
      sessions: sessions.map((session) => ({
        id: session.id,
        device: describeDevice(session.user_agent),
        created_at: session.created_at.toISOString(),
        last_used_at: session.last_used_at.toISOString(),
        current: session.id === actor.sessionId,
      })),
    }
  })

  bind.member(changeName, async ({ tx, actor, body }) => {
    await lockCompany(tx)
    await requireFreeName(tx, body.name, actor.userId)
    await updateUser(tx, actor.userId, { name: body.name })
    await recordConfigurationChange(tx, actor, {
      event: 'name_changed',
      source: 'account',
      old_value: actor.userName,
      new_value: body.name,
    })
    return { success: true, name: body.name }
  })

  bind.member(endOwnSession, async ({ tx, actor, params }) => {
    const own = await listSessions(tx, actor.userId)
    if (!own.some(({ id }) => id === params.id)) throw new AppError('not_found')
    await endSession(tx, params.id)
    await recordSessionsEnded(tx, actor, 1)
    return { success: true }
  })

  bind.member(endOthersEndpoint, async ({ tx, actor }) => {
    const ended = await endOtherSessions(tx, actor)
    if (ended > 0) await recordSessionsEnded(tx, actor, ended)
    return { success: true, ended }
  })

  confirmationRoute(bind, parts)
}
