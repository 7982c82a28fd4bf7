import type { Role } from '@inventory-manager/contract/roles'
import { recordConfigurationChange } from '../audit/configuration.ts'
import type { AuditActor } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { revokeInvitation, revokeInvitationsOf, revokeLinksBy, revokeLinksTo } from './link-queries.ts'
import { administratorsLinkHours, invitationHours, makeLink, type MadeLink } from './links.ts'
import { countSeats, lockSeats, requireSeat, seatUsers } from './seats.ts'
import { claimEmail, claimingEmail, emailIsTaken, endSessionsOf, releaseEmail } from './queries.ts'
import { getUser, hasOtherAdmin, requireNotDeactivated, updateUser } from './team-queries.ts'

/** Throws 'email_taken' for an address that has an account; of one's own people who were deactivated it says so. */
async function requireFreeEmail(tx: Tx, email: string): Promise<void> {
  await requireNotDeactivated(tx, email)
  if (!(await emailIsTaken(tx, email))) return
  // Not whose: the account may be another company's.
  throw new AppError('email_taken', {
    sentence: 'This address has an account already. Invite another address.',
  })
}

/** Invites an address within the plan's seats, replacing an open invitation of it. */
export async function inviteUser(
  tx: Tx,
  actor: Actor,
  { email, role }: { email: string; role: Role },
): Promise<MadeLink> {
  const { plan } = await lockSeats(tx)
  await requireFreeEmail(tx, email)
  await revokeInvitationsOf(tx, email)
  requireSeat({ plan, ...(await countSeats(tx)) })
  const link = await makeLink(
    tx,
    { kind: 'invitation', email, role },
    { hours: invitationHours, maker: actor },
  )
  await recordConfigurationChange(tx, actor, { event: 'user_invited', source: 'team', email, role })
  return link
}

export async function takeInvitationBack(tx: Tx, actor: Actor, id: string): Promise<void> {
  const revoked = await revokeInvitation(tx, id)
  if (revoked === undefined) throw new AppError('not_found')
  await recordConfigurationChange(tx, actor, {
    event: 'invitation_revoked',
    source: 'team',
    email: revoked.email,
  })
}

/**
 * Gives a user another role, and their address where that tells them something. Under the company's lock, so that two
 * demotions never leave nobody.
 */
export async function changeRole(
  tx: Tx,
  actor: Actor,
  { id, role }: { id: string; role: Role },
): Promise<{ email: string } | null> {
  const { plan } = await lockSeats(tx)
  const user = await getUser(tx, id)
  if (user.role === role) return null
  if (user.role === 'admin' && user.active && !(await hasOtherAdmin(tx, id))) throw new AppError('last_admin')
  // Their seats have been given away meanwhile.
  if (role === 'admin') await revokeLinksBy(tx, id)
  await updateUser(tx, id, { role })
  await seatUsers(tx, plan)
  await recordConfigurationChange(tx, actor, {
    event: 'role_changed',
    source: 'team',
    user_id: id,
    email: user.email,
    old_value: user.role,
    new_value: role,
  })
  return user.active ? { email: user.email } : null
}

/** Keeps a user from signing in and ends their sessions and links; the seat is free at once, and the address for other companies. */
export async function deactivate(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { plan } = await lockSeats(tx)
  const user = await getUser(tx, id)
  if (!user.active) return
  if (user.role === 'admin' && !(await hasOtherAdmin(tx, id))) throw new AppError('last_admin')
  await updateUser(tx, id, { active: false })
  await releaseEmail(tx, user)
  await revokeLinksTo(tx, id)
  const ended = await endSessionsOf(tx, id)
  await seatUsers(tx, plan)
  await recordConfigurationChange(tx, actor, {
    event: 'user_deactivated',
    source: 'team',
    user_id: id,
    email: user.email,
    sessions_ended: ended,
  })
}

const takenSince = {
  sentence: 'This address has an account elsewhere by now. Invite the person with another address.',
}

/** Lets a user sign in again, within the plan's seats; throws 'email_taken' where the address is another account's by now. */
export async function reactivate(tx: Tx, actor: Actor, id: string): Promise<void> {
  const seats = await lockSeats(tx)
  const user = await getUser(tx, id)
  if (user.active) return
  requireSeat(seats)
  // What a node of the version before has deactivated has its address still.
  await releaseEmail(tx, user)
  await claimingEmail(() => claimEmail(tx, user), takenSince)
  await revokeLinksBy(tx, id)
  await updateUser(tx, id, { active: true })
  await seatUsers(tx, seats.plan)
  await recordConfigurationChange(tx, actor, {
    event: 'user_reactivated',
    source: 'team',
    user_id: id,
    email: user.email,
  })
}

export async function signOutEverywhere(tx: Tx, actor: Actor, id: string): Promise<number> {
  const user = await getUser(tx, id)
  const ended = await endSessionsOf(tx, id)
  await recordConfigurationChange(tx, actor, {
    event: 'user_signed_out',
    source: 'team',
    user_id: id,
    email: user.email,
    sessions_ended: ended,
  })
  return ended
}

/** Makes a link by which an active user sets a new password: asked for under Team, or by the operator. */
export async function makePasswordLink(
  tx: Tx,
  actor: AuditActor,
  { id, source }: { id: string; source: 'team' | 'command' },
): Promise<MadeLink & { email: string }> {
  const user = await getUser(tx, id)
  if (!user.active) throw new AppError('not_found')
  const link = await makeLink(
    tx,
    { kind: 'password', email: user.email, userId: id },
    { hours: administratorsLinkHours, maker: actor },
  )
  await recordConfigurationChange(tx, actor, {
    event: 'password_link_made',
    source,
    user_id: id,
    email: user.email,
  })
  return { ...link, email: user.email }
}
