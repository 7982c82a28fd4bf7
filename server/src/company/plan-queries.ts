import type { PaidStatus } from '@inventory-manager/contract/company/subscription'
import type { PlanKey } from '@inventory-manager/contract/plans'
import type { LocationNames } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { listCompaniesBy, type Database, type Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'

export async function updatePlan(tx: Tx, plan: PlanKey): Promise<void> {
  await tx.db.updateTable('companies').set({ plan }).where('tenant_id', '=', tx.tenantId).execute()
}

/** Keys and webhooks of other programs that work now, and whether the company has a look of its own. */
export async function getExtras(tx: Tx): Promise<{ api_keys: number; webhooks: number; branding: boolean }> {
  const { rows } = await sql<{ api_keys: number; webhooks: number; branding: boolean }>`
    select
      (select count(*)::integer from api_keys
       where tenant_id = ${tx.tenantId}::uuid and revoked_at is null) as api_keys,
      (select count(*)::integer from webhooks
       where tenant_id = ${tx.tenantId}::uuid and disabled_at is null) as webhooks,
      exists (select from company_logos where tenant_id = ${tx.tenantId}::uuid)
        or exists (
          select from companies where tenant_id = ${tx.tenantId}::uuid and accent_colour is not null
        ) as branding
  `.execute(tx.db)
  return onlyRow(rows)
}

/** What the company calls its locations itself. */
export async function getLocationNames(tx: Tx): Promise<LocationNames> {
  const { location_names: names } = await tx.db
    .selectFrom('companies')
    .select('location_names')
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirstOrThrow()
  return names
}

/** Active users in the order in which they get a plan's seats: the order of seat_users. */
export async function listUsersInOrder(tx: Tx) {
  return await tx.db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('tenant_id', '=', tx.tenantId)
    .where('active', '=', true)
    .where('role', '<>', 'api_key')
    .orderBy(sql`(role = 'admin')`, 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The companies whose subscription was paid for until a day ago or longer, and not asked for in the last minutes. */
export async function listCompaniesOverdue(database: Database, minutes: number): Promise<string[]> {
  return await listCompaniesBy(database, sql`select companies_overdue(${minutes}::integer) as id`)
}

export async function findSubscription(tx: Tx) {
  const row = await tx.db
    .selectFrom('subscriptions')
    .select(['customer_id', 'subscription_id', 'status', 'period_ends_at', 'ends_with_period', 'updated_at'])
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirst()
  return row ?? null
}

/** The same, locked, so that what the provider says is written by one at a time. */
export async function lockSubscription(tx: Tx) {
  return await tx.db
    .selectFrom('subscriptions')
    .select(['subscription_id', 'status', 'period_ends_at', 'updated_at'])
    .where('tenant_id', '=', tx.tenantId)
    .forUpdate()
    .executeTakeFirst()
}

/** Remembers the provider's customer; the one known first stays. */
export async function keepCustomer(tx: Tx, customerId: string): Promise<void> {
  await tx.db
    .insertInto('subscriptions')
    .values({ tenant_id: tx.tenantId, customer_id: customerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type KnownSubscription = {
  customerId: string
  subscriptionId: string
  status: Exclude<PaidStatus, 'none'>
  periodEndsAt: Date | null
  endsWithPeriod: boolean
}

export async function updateSubscription(tx: Tx, known: KnownSubscription): Promise<void> {
  await tx.db
    .updateTable('subscriptions')
    .set({
      // Who pays for this one: where it was made for another than was known, the portal must open for them.
      customer_id: known.customerId,
      subscription_id: known.subscriptionId,
      status: known.status,
      period_ends_at: known.periodEndsAt,
      ends_with_period: known.endsWithPeriod,
      updated_at: sql<Date>`statement_timestamp()`,
    })
    .where('tenant_id', '=', tx.tenantId)
    .execute()
}

/** Takes an event of the provider once; false for one that was taken before. */
export async function takeEvent(tx: Tx, event: { id: string; type: string }): Promise<boolean> {
  const taken = await tx.db
    .insertInto('billing_events')
    .values({ tenant_id: tx.tenantId, event_id: event.id, type: event.type })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return taken !== undefined
}
