import type { Role } from '@inventory-manager/contract/roles'
import { sql } from 'kysely'
import { auditActorOf, recordAuthentication } from '../audit/authentication.ts'
import type { Tx } from '../platform/db/database.ts'

type Proven = { id: string; name: string; email: string; role: Role }

/** Notes that somebody has read a mail at the address they sign in with, and records it the first time. */
export async function confirmAddress(tx: Tx, proven: Proven): Promise<void> {
  const { id, email } = proven
  const confirmed = await tx.db
    .updateTable('users')
    .set({ email_confirmed_at: sql<Date>`now()` })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('email', '=', email)
    .where('active', '=', true)
    .where('email_confirmed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (confirmed === undefined) return
  await recordAuthentication(tx, auditActorOf(proven), { event: 'email_confirmed', email })
}

export async function isAddressConfirmed(tx: Tx, userId: string): Promise<boolean> {
  const user = await tx.db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .where('email_confirmed_at', 'is not', null)
    .executeTakeFirst()
  return user !== undefined
}
