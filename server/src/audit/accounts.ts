import { sql } from 'kysely'
import { containing } from '../platform/db/containing.ts'
import type { Tx } from '../platform/db/database.ts'

/**
 * What tells the users of some rows apart, who may be called alike or have another name since, by their ids: their e-mail addresses, and
 * how an API key begins.
 */
export async function mapAccounts(
  tx: Tx,
  rows: readonly { user_id: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(rows.flatMap(({ user_id: id }) => id ?? []))
  if (ids.size === 0) return new Map()
  const users = await tx.db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(users.map(({ id, email }) => [id, email]))
}

/** The same of an entry of the trail, with the entry: a page waits for no second look. */
export function accountOf(tx: Tx) {
  return sql<string | null>`(
    select email from users where users.tenant_id = ${tx.tenantId}::uuid and users.id = audit_entries.user_id
  )`.as('user_account')
}

/** Who is looked for in the trail: part of the name they had then or, where that may be asked, of their account. */
export type Doer = { part: string; ofAccount: boolean }

export function isBy(tx: Tx, { part, ofAccount }: Doer) {
  const named = sql<boolean>`audit_entries.user_name ilike ${containing(part)}`
  if (!ofAccount) return named
  return sql<boolean>`(${named} or audit_entries.user_id in (
    select id from users where tenant_id = ${tx.tenantId}::uuid and email ilike ${containing(part)}
  ))`
}
