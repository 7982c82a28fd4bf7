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
} & ({ kind: 'invitation'; role: Role } | { kind: 'password'; userId: string })

export async function createLink(tx: Tx, link: NewLink): Promise<{ expiresAt: Date }> {
  const row = await tx.db
    .insertInto('one_time_links')
    .values({
      tenant_id: tx.tenantId,
      kind: link.kind,
      secret_hash: link.secretHash,
      email: link.email,
      role: link.kind === 'invitation' ? link.role : null,
      user_id: link.kind === 'password' ? link.userId : null,
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

function open(tx: Tx) {
  return tx.db
    .selectFrom('one_time_links')
    .where('one_time_links.tenant_id', '=', tx.tenantId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
}

/** A link that can still be used, by the hash of its secret. */
export async function findOpenLink(tx: Tx, secretHash: string) {
  const row = await open(tx)
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
    // A link is never made for an API key.
    .$narrowType<{ user_role: Role | null }>()
    .executeTakeFirst()
  return row ?? null
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
  await revoke(tx).where('user_id', '=', userId).execute()
}

/** What somebody has promised others before they were no administrator for a while. */
export async function revokeLinksBy(tx: Tx, makerId: string): Promise<void> {
  await revoke(tx).where('created_by_id', '=', makerId).execute()
}

/** Such links that were good for so many hours at most when they were made. */
export async function revokeShortPasswordLinks(tx: Tx, userId: string, hours: number): Promise<void> {
  await revoke(tx)
    .where('user_id', '=', userId)
    .where(sql<boolean>`expires_at - created_at <= make_interval(hours => ${hours}::integer)`)
    .execute()
}

export async function listOpenInvitations(tx: Tx) {
  return await open(tx)
    .select([
      'id',
      'email',
      'role',
      'created_by',
      'created_at',
      'expires_at',
      isMakerStanding(tx).as('usable'),
    ])
    .where('kind', '=', 'invitation')
    .orderBy('id')
    .execute()
}
