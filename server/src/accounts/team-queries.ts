import type { Role } from '@inventory-manager/contract/roles'
import { sql, type NotNull } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { idBefore } from '../platform/db/time-ids.ts'
import { AppError } from '../platform/http/app-error.ts'

const longestMonth = 31

/** Every user with when they were last seen and what they counted this month; active ones first, then by name. */
export async function listTeam(tx: Tx, timeZone: string) {
  const seen = tx.db
    .selectFrom('sessions')
    .select([
      'user_id',
      sql<Date>`max(last_used_at)`.as('last_seen'),
      sql<number>`count(*) filter (where ended_at is null and expires_at > now())::integer`.as('running'),
    ])
    .where('tenant_id', '=', tx.tenantId)
    .groupBy('user_id')
  const entered = tx.db
    .selectFrom('count_history')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '>=', idBefore(longestMonth))
    .where('id', '>=', sql<string>`(select id_at(start_of_month(now(), ${timeZone})))`)
    .where('counted_at', '>=', sql<Date>`(select start_of_month(now(), ${timeZone}))`)
  const takenBack = entered
    .select('undoes')
    .where('undoes', 'is not', null)
    .$narrowType<{ undoes: NotNull }>()
  const counted = entered
    .select(['user_id', sql<number>`count(*)::integer`.as('counts')])
    .where('undoes', 'is', null)
    .where('sets_mark', '=', true)
    .where('id', 'not in', takenBack)
    .groupBy('user_id')
  return await tx.db
    .selectFrom('users')
    .leftJoin(seen.as('seen'), 'seen.user_id', 'users.id')
    .leftJoin(counted.as('counted'), 'counted.user_id', 'users.id')
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.role',
      'users.active',
      'users.seated',
      'seen.last_seen',
      'seen.running',
      'counted.counts',
    ])
    .where('users.tenant_id', '=', tx.tenantId)
    .where('users.role', '<>', 'api_key')
    .$narrowType<{ role: Role }>()
    .orderBy('users.active', 'desc')
    .orderBy(sql`lower(users.name)`)
    .orderBy('users.id')
    .execute()
}

/** A user of the company; null where there is none of this id. */
async function findUser(tx: Tx, id: string) {
  const user = await tx.db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role', 'active'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('role', '<>', 'api_key')
    .$narrowType<{ role: Role }>()
    .executeTakeFirst()
  return user ?? null
}

/** A user of the company; throws 'not_found'. */
export async function getUser(tx: Tx, id: string) {
  const user = await findUser(tx, id)
  if (user === null) throw new AppError('not_found')
  return user
}

/** A user of the company who may sign in; throws 'not_found'. */
export async function getActiveUser(tx: Tx, id: string) {
  const user = await findUser(tx, id)
  if (user?.active !== true) {
    throw new AppError('not_found', { sentence: 'There is no active user with this id.' })
  }
  return user
}

/** Throws 'email_taken' for the address of a user of the company who was deactivated. */
export async function requireNotDeactivated(tx: Tx, email: string): Promise<void> {
  const user = await tx.db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('email', '=', email)
    .where('active', '=', false)
    .executeTakeFirst()
  if (user === undefined) return
  throw new AppError('email_taken', { sentence: 'This person was deactivated. Reactivate them under Team.' })
}

export async function updateUser(
  tx: Tx,
  id: string,
  change: { role?: Role; active?: boolean; name?: string },
): Promise<void> {
  await tx.db
    .updateTable('users')
    .set(change)
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute()
}

/** Whether the company has an active administrator besides one user. Call under lockSeats. */
export async function hasOtherAdmin(tx: Tx, userId: string): Promise<boolean> {
  const other = await tx.db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('role', '=', 'admin')
    .where('active', '=', true)
    .where('id', '<>', userId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** The running sessions of a user, the newest first: by when they were begun, so that none changes its place while it is looked at. */
export async function listSessions(tx: Tx, userId: string) {
  return await tx.db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'last_used_at'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}
