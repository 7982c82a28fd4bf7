import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

/** Labels used or reserved this calendar month in the company's time zone. */
export async function findLabelsUsed(tx: Tx, timeZone: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select labels_used(${tx.tenantId}::uuid, start_of_month(now(), ${timeZone})) as used
  `.execute(tx.db)
  return rows[0]?.used ?? 0
}

/** Locations that hold or held stock, or were counted. */
export async function countLocationsUsed(tx: Tx): Promise<number> {
  const { used } = await tx.db
    .selectFrom('stock')
    .select((eb) => eb.cast<number>(eb.fn.count('location').distinct(), 'integer').as('used'))
    .where('tenant_id', '=', tx.tenantId)
    .where('location', '<>', 'QUARANTINE')
    .executeTakeFirstOrThrow()
  return used
}

export async function countActiveUsers(tx: Tx): Promise<number> {
  const { users } = await tx.db
    .selectFrom('users')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('users'))
    .where('tenant_id', '=', tx.tenantId)
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  return users
}

/** The newest things people did, without what only their screens reported. */
export async function listRecentActivity(tx: Tx, limit: number) {
  return await tx.db
    .selectFrom('audit_entries')
    .select(['event', 'sku', 'quantity', 'location', 'user_name', 'created_at'])
    .where('tenant_id', '=', tx.tenantId)
    .where('origin', '=', 'server')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Whole days left until an instant, rounded up, never below 0, by the database's clock. */
export async function countDaysUntil(tx: Tx, end: Date): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    select greatest(0, ceil(extract(epoch from ${end}::timestamptz - now()) / 86400))::integer as days
  `.execute(tx.db)
  return rows[0]?.days ?? 0
}
