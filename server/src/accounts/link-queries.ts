import type { Role } from '@inventory-manager/contract/roles'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

/** Who made a link. Without an id they have it from no role: their own mail, or the command line. */
export type LinkMaker = { userId: string | null; userName: string }

export type NewLink = {
  secretHash: string
  email: string
  maker: LinkMaker
  hours: number
} & (
  | { kind: 'invitation'; role: Role }
  | { kind: 'password'; userId: string }
  | { kind: 'email'; userId: string }
)

export async function createLink(tx: Tx, link: NewLink): Promise<{ expiresAt: Date }> {
  const row = await tx.db
    .insertInto('one_time_links')
    .values({
      tenant_id: tx.tenantId,
      kind: link.kind,
      secret_hash: link.secretHash,
      email: link.email,
      role: link.kind === 'invitation' ? link.role : null,
      user_id: link.kind === 'invitation' ? null : link.userId,
      created_by: link.maker.userName,
      created_by_id: link.maker.userId,
      expires_at: sql<Date>`now() + make_interval(hours => ${link.hours}::integer)`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { expiresAt: row.expires_at }
}

/** Whether whoever made a link may still make one: what an administrator promised ends with the role and with the account. */
export function isMakerStanding(tx: Tx) {
  return sql<boolean>`not exists (
    select from users as maker
    where maker.tenant_id = ${tx.tenantId}::uuid and maker.id = one_time_links.created_by_id
      and (not maker.active or maker.role <> 'admin')
  )`
}

const isOpen = sql<boolean>`one_time_links.used_at is null and one_time_links.revoked_at is null
  and one_time_links.expires_at > now()`

/** Whether somebody has confirmed by it an address that is theirs since: to use it again changes nothing. */
const hasConfirmed = sql<boolean>`one_time_links.kind = 'email' and one_time_links.used_at is not null
  and users.active and users.email_confirmed_at is not null`

/** A link that can still be used, by the hash of its secret; one that confirmed an address is found again. */
export async function findOpenLink(tx: Tx, secretHash: string) {
  const row = await tx.db
    .selectFrom('one_time_links')
    .where('one_time_links.tenant_id', '=', tx.tenantId)
    .innerJoin('companies', 'companies.tenant_id', 'one_time_links.tenant_id')
    .leftJoin('users', (join) =>
      join
        .onRef('users.tenant_id', '=', 'one_time_links.tenant_id')
        .onRef('users.id', '=', 'one_time_links.user_id'),
    )
    .select([
      'one_time_links.id',
      'one_time_links.kind',
      'one_time_links.email',
      'one_time_links.role as invited_role',
      'one_time_links.user_id',
      'one_time_links.expires_at',
      'companies.name as company_name',
      'users.name as user_name',
      'users.role as user_role',
      isMakerStanding(tx).as('usable'),
    ])
    .where('secret_hash', '=', secretHash)
    .where((eb) => eb.or([isOpen, hasConfirmed]))
    // A link is never made for an API key.
    .$narrowType<{ user_role: Role | null }>()
    .executeTakeFirst()
  return row ?? null
}

/** Whether a secret is of a link that confirms an address, whatever became of it. */
export async function isConfirmation(tx: Tx, secretHash: string): Promise<boolean> {
  const link = await tx.db
    .selectFrom('one_time_links')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('secret_hash', '=', secretHash)
    .where('kind', '=', 'email')
    .executeTakeFirst()
  return link !== undefined
}

/** Whether a password link went to its user's address alone: asked for there, and good for so many hours at most. */
export async function wasOnlyMailed(tx: Tx, id: string, hours: number): Promise<boolean> {
  const link = await tx.db
    .selectFrom('one_time_links')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('created_by_id', 'is', null)
    .where(isShort(hours))
    .executeTakeFirst()
  return link !== undefined
}

/** A link that was used, and the user it made or whose password it set. */
export async function findUsedLink(tx: Tx, secretHash: string) {
  const link = await tx.db
    .selectFrom('one_time_links')
    .innerJoin('users', (join) =>
      join
        .onRef('users.tenant_id', '=', 'one_time_links.tenant_id')
        .onRef('users.email', '=', 'one_time_links.email'),
    )
    .select(['one_time_links.id', 'users.id as user_id'])
    .where('one_time_links.tenant_id', '=', tx.tenantId)
    .where('secret_hash', '=', secretHash)
    .where('used_at', 'is not', null)
    .executeTakeFirst()
  return link ?? null
}

/** Uses a link up; false when somebody else has just done so, or it was taken back. */
export async function useLink(tx: Tx, id: string): Promise<boolean> {
  const used = await tx.db
    .updateTable('one_time_links')
    .set({ used_at: sql<Date>`now()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}

/** Whether links were good for so many hours at most when they were made. */
function isShort(hours: number) {
  return sql<boolean>`expires_at - created_at <= make_interval(hours => ${hours}::integer)`
}

function revoke(tx: Tx) {
  return tx.db
    .updateTable('one_time_links')
    .set({ revoked_at: sql<Date>`now()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
}

/** Takes the open invitations of an address back. */
export async function revokeInvitationsOf(tx: Tx, email: string): Promise<void> {
  await revoke(tx).where('kind', '=', 'invitation').where('email', '=', email).execute()
}

export async function revokeInvitation(tx: Tx, id: string): Promise<{ email: string } | undefined> {
  return await revoke(tx)
    .where('kind', '=', 'invitation')
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('email')
    .executeTakeFirst()
}

/** Links by which a user could still set another password. */
export async function revokePasswordLinks(tx: Tx, userId: string): Promise<void> {
  await revoke(tx).where('kind', '=', 'password').where('user_id', '=', userId).execute()
}

/** Links by which a user could still confirm their address. */
export async function revokeConfirmations(tx: Tx, userId: string): Promise<void> {
  await revoke(tx).where('kind', '=', 'email').where('user_id', '=', userId).execute()
}

/** All links of somebody who leaves. */
export async function revokeLinksTo(tx: Tx, userId: string): Promise<void> {
  await revoke(tx).where('user_id', '=', userId).execute()
}

/** What somebody has promised others before they were no administrator for a while. */
export async function revokeLinksBy(tx: Tx, makerId: string): Promise<void> {
  await revoke(tx).where('created_by_id', '=', makerId).execute()
}

/** Password links that were good for so many hours at most when they were made. */
export async function revokeShortPasswordLinks(tx: Tx, userId: string, hours: number): Promise<void> {
  await revoke(tx)
    .where('kind', '=', 'password')
    .where('user_id', '=', userId)
    .where(isShort(hours))
    .execute()
}

/** Invitations that ended within so many days and that nobody accepted, the newest first; an address that was invited again has none. */
export async function listExpiredInvitations(tx: Tx, days: number) {
  return await tx.db
    .selectFrom('one_time_links')
    .select(['id', 'email', 'role', 'created_by', 'expires_at'])
    .where('tenant_id', '=', tx.tenantId)
    .where('kind', '=', 'invitation')
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '<=', sql<Date>`now()`)
    .where('expires_at', '>', sql<Date>`now() - make_interval(days => ${days}::integer)`)
    .orderBy('expires_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function listOpenInvitations(tx: Tx) {
  return await tx.db
    .selectFrom('one_time_links')
    .select([
      'id',
      'email',
      'role',
      'created_by',
      'created_at',
      'expires_at',
      isMakerStanding(tx).as('usable'),
    ])
    .where('tenant_id', '=', tx.tenantId)
    .where(isOpen)
    .where('kind', '=', 'invitation')
    .orderBy('id')
    .execute()
}
