import { getPlan, type PlanKey } from '@inventory-manager/contract/plans'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { lockCompany } from '../platform/db/lock-company.ts'
import { AppError } from '../platform/http/app-error.ts'
import { isMakerStanding, revokeInvitationsOf } from './link-queries.ts'
import { requireFreeName } from './names.ts'
import { claimingEmail, createUser, type NewUser } from './queries.ts'
import { requireNotDeactivated } from './team-queries.ts'

/** The seats of the plan, by who takes them. */
export type Seats = { plan: PlanKey; users: number; invited: number }

/** Counts active users and open invitations that can be accepted; a seat is taken by either. */
export async function countSeats(tx: Tx): Promise<Pick<Seats, 'users' | 'invited'>> {
  const { rows } = await sql<{ users: number; invited: number }>`
    select
      (select count(*)::integer from users where tenant_id = ${tx.tenantId}::uuid and active
         and role <> 'api_key') as users,
      (select count(*)::integer from one_time_links
       where tenant_id = ${tx.tenantId}::uuid and kind = 'invitation'
         and used_at is null and revoked_at is null and expires_at > now()
         and ${isMakerStanding(tx)}) as invited
  `.execute(tx.db)
  return onlyRow(rows)
}

/** The seats, with the company's row locked, so that no two changes of its users ever overlap. */
export async function lockSeats(tx: Tx): Promise<Seats> {
  const { plan } = await lockCompany(tx)
  return { plan, ...(await countSeats(tx)) }
}

/** Throws 'user_limit' where the plan has no seat left. Whoever accepts an invitation takes the seat it held. */
export function requireSeat({ plan, users, invited }: Seats, whose: 'new' | 'invited' = 'new'): void {
  const { maxUsers, name } = getPlan(plan)
  const taken = whose === 'new' ? users + invited : users
  if (maxUsers === null || taken < maxUsers) return
  const open = whose === 'new' && invited > 0 ? `, ${invited} of them by open invitations` : ''
  throw new AppError('user_limit', {
    sentence: `The ${name} plan has ${maxUsers} users and all seats are taken${open}.`,
  })
}

/** Decides anew who has a seat: administrators first, then by the time of joining. Call after lockSeats. */
export async function seatUsers(tx: Tx, plan: PlanKey): Promise<void> {
  const { maxUsers } = getPlan(plan)
  await sql`select seat_users(${tx.tenantId}::uuid, ${maxUsers}::integer)`.execute(tx.db)
}

/**
 * Adds a user to a company, within the plan's number of users, but an administrator in any case: where none is left, nobody else could
 * make room. An open invitation of theirs is over. Throws 'user_limit', 'email_taken' or 'name_taken'.
 */
export async function addUser(tx: Tx, user: NewUser): Promise<{ id: string }> {
  const { plan } = await lockCompany(tx)
  await requireNotDeactivated(tx, user.email)
  await revokeInvitationsOf(tx, user.email)
  if (user.role !== 'admin') requireSeat({ plan, ...(await countSeats(tx)) })
  await requireFreeName(tx, user.name)
  const added = await claimingEmail(() => createUser(tx, user))
  await seatUsers(tx, plan)
  return added
}
