import { sql } from 'kysely'
import type { AuditEvent } from '../audit/events.ts'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { newestFirst } from '../platform/db/time-ids.ts'
import type { NotKeptCounts } from '../stock/kept-queries.ts'

export async function countActiveUsers(tx: Tx): Promise<number> {
  const { users } = await tx.db
    .selectFrom('users')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('users'))
    .where('tenant_id', '=', tx.tenantId)
    .where('active', '=', true)
    .where('role', '<>', 'api_key')
    .executeTakeFirstOrThrow()
  return users
}

/** Whether the company has ever had a subscription: one that began has an end of its period. */
export async function hadSubscription(tx: Tx): Promise<boolean> {
  const row = await tx.db
    .selectFrom('subscriptions')
    .select('tenant_id')
    .where('tenant_id', '=', tx.tenantId)
    .where('period_ends_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Components of the company, how many of them each location leaves out, and how many of them carry this month's mark at each location. */
export async function getMonthProgress(tx: Tx, timeZone: string) {
  const company = tx.db
    .selectFrom('companies')
    .select(['component_count as components', sql<NotKeptCounts>`not_kept_counts`.as('notKept')])
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirstOrThrow()
  const progress = tx.db
    .selectFrom('count_progress')
    .select(['location', 'counted'])
    .where('tenant_id', '=', tx.tenantId)
    .where('month_start', '=', sql<Date>`start_of_month(now(), ${timeZone})`)
    .execute()
  const [components, counted] = await Promise.all([company, progress])
  return { ...components, counted: new Map(counted.map((row) => [row.location, row.counted])) }
}

type OfAdministrators = { open_discrepancies: number; open_unknown_codes: number; has_costs: boolean }

/** Differences and unknown codes that wait for an administrator's decision, and whether a unit cost was ever said. */
export async function getAdministratorsFigures(tx: Tx): Promise<OfAdministrators> {
  const { rows } = await sql<OfAdministrators>`
    select
      (
        select count(*)::integer from discrepancies where tenant_id = ${tx.tenantId}::uuid and status = 'open'
      ) as open_discrepancies,
      (
        select count(*)::integer from unknown_codes where tenant_id = ${tx.tenantId}::uuid and status = 'open'
      ) as open_unknown_codes,
      exists (select from component_costs where tenant_id = ${tx.tenantId}::uuid) as has_costs
  `.execute(tx.db)
  return onlyRow(rows)
}

/** The records that screens keep for themselves, which say nothing about the stock, and scans that were not taken. */
export const unlisted = [
  'cycle_count_saved',
  'weekly_count_saved',
  'monthly_count_error',
  'weekly_count_error',
  'admin_view_error',
  // Beside what made them known.
  'unknown_code_settled',
] as const satisfies AuditEvent[]

/** The newest things people did, without what only their screens reported. */
export async function listRecentActivity(tx: Tx, limit: number, unseen: readonly string[]) {
  return await newestFirst({ limit }, async (span) => {
    let query = tx.db
      .selectFrom('audit_entries')
      .select(['kind', 'event', 'sku', 'quantity', 'location', 'user_name', 'created_at'])
      .where('tenant_id', '=', tx.tenantId)
      .where('origin', '=', 'server')
      .where('kind', '<>', 'authentication')
      .where('event', 'not in', [...unlisted, ...unseen])
    if (span.from !== undefined) query = query.where('id', '>=', span.from)
    if (span.below !== undefined) query = query.where('id', '<', span.below)
    return await query.orderBy('id', 'desc').limit(span.limit).execute()
  })
}

/** Those of some names that are the barcode of a component, in use or retired. */
export async function findSkus(tx: Tx, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ barcode: string }>`
    select barcode from components where tenant_id = ${tx.tenantId}::uuid and barcode = any (${names}::text[])
  `.execute(tx.db)
  return new Set(rows.map(({ barcode }) => barcode))
}

/** Whole days left until an instant, rounded up, never below 0, by the database's clock. */
export async function countDaysUntil(tx: Tx, end: Date): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    select greatest(0, ceil(extract(epoch from ${end}::timestamptz - now()) / 86400))::integer as days
  `.execute(tx.db)
  return onlyRow(rows).days
}
