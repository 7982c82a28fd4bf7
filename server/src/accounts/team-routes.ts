import {
  changeRole as changeRoleEndpoint,
  deactivateUser,
  getTeam,
  invite,
  makePasswordLink as makePasswordLinkEndpoint,
  reactivateUser,
  revokeInvitation,
  signOutEverywhere as signOutEndpoint,
  type HowMailed,
  type TeamMember,
} from '@inventory-manager/contract/accounts/team-endpoints'
import { getPlan } from '@inventory-manager/contract/plans'
import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '../platform/http/app-error.ts'
import { onlyCheck } from '../platform/http/entrance.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import { once, requestHash } from '../platform/http/idempotency.ts'
import { onceShown } from '../platform/http/shown-once.ts'
import type { Actor } from '../platform/http/identity.ts'
import type { Mailer } from '../platform/mail.ts'
import { mailConfirmation } from './confirmations.ts'
import { listExpiredInvitations, listOpenInvitations } from './link-queries.ts'
import type { MadeLink } from './links.ts'
import { sendOfCompany } from './mail-limits.ts'
import {
  mailLater,
  sendAdministratorsLink,
  sendInvitation,
  sendRoleChanged,
  type MailParts,
} from './mails.ts'
import { countSeats } from './seats.ts'
import { listTeam } from './team-queries.ts'
import {
  changeRole,
  deactivate,
  inviteUser,
  makePasswordLink,
  reactivate,
  signOutEverywhere,
  takeInvitationBack,
} from './team-service.ts'
import { countingTaken, type SignInLimits } from './throttle.ts'

function presentMember(row: Awaited<ReturnType<typeof listTeam>>[number]): TeamMember {
  const { id, name, email, role, active, seated } = row
  return {
    id,
    name,
    email,
    role,
    active,
    seated,
    last_seen: row.last_seen?.toISOString() ?? null,
    counts_this_month: row.counts ?? 0,
    sessions: row.running ?? 0,
  }
}

/**
 * Mails a link where that is wanted and says how it went. What is beyond the limits is not sent: nobody may use a company's
 * mails to bother strangers, and the link is shown anyway.
 */
async function mailLink(
  { database, mailer }: MailParts,
  to: { actor: Actor; email: string; wanted: boolean; log: FastifyBaseLogger },
  send: (mailer: Mailer) => Promise<void>,
): Promise<HowMailed> {
  if (mailer === null || !to.wanted) return { mailed: 'off' }
  const { tenantId, plan } = to.actor
  try {
    await sendOfCompany(database.outside, { tenantId, plan, email: to.email }, () => send(mailer))
    return { mailed: 'sent' }
  } catch (error) {
    to.log.warn({ err: error }, 'a mail was not sent')
    const isLimit = error instanceof AppError && error.code === 'too_many_requests'
    return isLimit ? { mailed: 'failed', not_mailed: error.message } : { mailed: 'failed' }
  }
}

/** Where people reach the program, as its operator says; undefined: whoever made a link knows. */
type TeamParts = MailParts & { limits: SignInLimits; publicUrl: string | undefined }

/** What the browser makes the link of. */
const presentLink = ({ publicUrl }: TeamParts, { secret, expiresAt }: MadeLink) => ({
  secret,
  expires_at: expiresAt.toISOString(),
  public_url: publicUrl,
})

/** The two calls that answer with a secret: outside the operations' record, which would keep it. */
function linkMakingRoutes(bind: Binder, parts: TeamParts): void {
  bind.ownTransaction(
    invite,
    // What counts against a limit is counted outside the transaction that a refusal undoes.
    onlyCheck,
    async ({ actor, body, key, caller: { address }, enter, request }) => {
      const { email } = body
      const { tenantId } = actor
      const link = await countingTaken(
        { db: parts.database.outside, limits: parts.limits },
        { tenantId, address },
        () =>
          enter((tx, who) =>
            onceShown({ tx, actor: who }, { key, call: invite.path, body }, () => inviteUser(tx, who, body)),
          ),
      )
      const to = { actor, email, wanted: body.mail, log: request.log }
      const invited = { email, companyName: actor.companyName, invitedBy: actor.userName }
      return {
        success: true,
        ...presentLink(parts, link),
        ...(await mailLink(parts, to, (mailer) => sendInvitation(mailer, invited, link.secret))),
      }
    },
  )

  bind.ownTransaction(
    makePasswordLinkEndpoint,
    ({ tx, actor, params, body, key }) => {
      const operation = { key, call: makePasswordLinkEndpoint.path, body: { ...params, ...body } }
      const work = () => makePasswordLink(tx, actor, { id: params.id, source: 'team' })
      return onceShown({ tx, actor }, operation, work)
    },
    async ({ actor, begun: link, body, request }) => {
      const { email } = link
      const to = { actor, email, wanted: body.mail, log: request.log }
      const made = { email, companyName: actor.companyName, madeBy: actor.userName }
      return {
        success: true,
        ...presentLink(parts, link),
        ...(await mailLink(parts, to, (mailer) => sendAdministratorsLink(mailer, made, link.secret))),
      }
    },
  )
}

/**
 * Outside one plain transaction, because who has another role is told when that is committed; an administrator is to confirm the
 * address.
 */
function roleRoute(bind: Binder, parts: MailParts): void {
  bind.ownTransaction(
    changeRoleEndpoint,
    async ({ tx, actor, params, body, key }) => {
      const told: { email: string }[] = []
      const work = async () => {
        const changed = await changeRole(tx, actor, { id: params.id, role: body.role })
        if (changed !== null) told.push(changed)
        return null
      }
      const hash = requestHash(changeRoleEndpoint.path, { ...params, ...body })
      if (key === null) await work()
      else await once({ tx, actor }, { key, hash }, work)
      return told
    },
    ({ actor: { companyName }, begun: told, body: { role } }) => {
      for (const { email } of told) {
        mailLater(parts, email, async (mailer) => {
          await sendRoleChanged(mailer, { email, companyName, role })
          if (role === 'admin') await mailConfirmation(parts, mailer, email)
        })
      }
      return Promise.resolve({ success: true })
    },
  )
}

/** As an invitation: that the address has an account elsewhere by now is not told without end. */
function reactivationRoute(bind: Binder, { database, limits }: TeamParts): void {
  bind.ownTransaction(
    reactivateUser,
    onlyCheck,
    async ({ actor: { tenantId }, params, key, caller: { address }, enter }) => {
      await countingTaken({ db: database.outside, limits }, { tenantId, address }, () =>
        enter(async (tx, actor) => {
          const work = async () => {
            await reactivate(tx, actor, params.id)
            return null
          }
          if (key === null) await work()
          else await once({ tx, actor }, { key, hash: requestHash(reactivateUser.path, params) }, work)
        }),
      )
      return { success: true }
    },
  )
}

const daysExpiredAreListed = 30

export function teamRoutes(bind: Binder, parts: TeamParts): void {
  bind.member(getTeam, async ({ tx, actor }) => {
    const [users, invitations, expired, seats] = await Promise.all([
      listTeam(tx, actor.timeZone),
      listOpenInvitations(tx),
      listExpiredInvitations(tx, daysExpiredAreListed),
      countSeats(tx),
    ])
    return {
      users: users.map(presentMember),
      invitations: invitations.map((row) => ({
        id: row.id,
        email: row.email,
        role: row.role ?? 'user',
        created_by: row.created_by,
        created_at: row.created_at.toISOString(),
        expires_at: row.expires_at.toISOString(),
        usable: row.usable,
      })),
      expired_invitations: expired.map(({ role, expires_at: end, ...row }) => ({
        ...row,
        role: role ?? 'user',
        expires_at: end.toISOString(),
      })),
      places: { used: seats.users, invited: seats.invited, limit: getPlan(actor.plan).maxUsers },
      mail: parts.mailer !== null,
    }
  })

  linkMakingRoutes(bind, parts)

  bind.member(revokeInvitation, async ({ tx, actor, params }) => {
    await takeInvitationBack(tx, actor, params.id)
    return { success: true }
  })

  roleRoute(bind, parts)

  bind.member(deactivateUser, async ({ tx, actor, params }) => {
    await deactivate(tx, actor, params.id)
    return { success: true }
  })

  reactivationRoute(bind, parts)

  bind.member(signOutEndpoint, async ({ tx, actor, params }) => ({
    success: true,
    ended: await signOutEverywhere(tx, actor, params.id),
  }))
}
