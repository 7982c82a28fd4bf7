import type { BillingProvider } from '@inventory-manager/contract/company/subscription'
import type { LocationCode } from '@inventory-manager/contract/locations'
import type { UserType } from '@inventory-manager/contract/roles'
import type { CountType } from '@inventory-manager/contract/values'
import { sql } from 'kysely'
import type { Database, Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { Actor, Claims } from '../platform/http/identity.ts'

export type CountOutcome =
  | { outcome: 'unauthorized' | 'forbidden' | 'trial_expired' | 'not_seated' | 'location_not_in_plan' }
  | { outcome: 'too_old' | 'too_early' }
  | { outcome: 'key_reused' | 'not_in_list' | 'already_counted' }
  /** `kept` is false where too many codes wait for a decision already. */
  | { outcome: 'not_found' | 'retired'; kept?: false }
  | {
      outcome: 'counted'
      role: UserType
      strict: boolean
      matched: boolean
      /** Accepted by itself, within the company's tolerance or as the first count. */
      tolerated: boolean
      /** Whether it was the first one, which has set the stock. */
      first?: true
      recorded: boolean
      /** Whether it marked the present month, or day. Absent in replies that were kept before these fields existed. */
      sets_mark?: boolean
      sets_weekly_mark?: boolean
      attempt: number
      /** Its number since a reset, where another first entry stands before it. */
      told_attempt?: number | null
      expected: number
      counted: number
      total: number
      component: {
        id: string
        barcode: string
        description: string
        counted_at: string
        counted_source: CountType
      }
    }

export type CountRequest = {
  key: string
  hash: string
  plans: string[]
  codes: string[]
  quantity: number
  location: LocationCode
  source: CountType
  session: string
  at: Date
  /** What the clock that says `at` showed as the count was sent; null where nobody said. */
  sentAt: Date | null
  day: string | null
  recount: boolean
}

/**
 * Records counts in one transaction and a single round trip, in their order, or keeps codes that are unknown; the
 * function checks session, plan and role itself. After an error none is recorded.
 */
export async function recordCounts(
  database: Database,
  billing: BillingProvider,
  counts: readonly { claims: Claims; count: CountRequest }[],
): Promise<CountOutcome[]> {
  const asked = counts.map(({ claims, count }) => ({
    tenant: claims.tenantId,
    session: claims.sessionId,
    key: count.key,
    hash: count.hash,
    plans: count.plans,
    codes: count.codes,
    quantity: count.quantity,
    location: count.location,
    source: count.source,
    count_session: count.session,
    at: count.at,
    sent_at: count.sentAt,
    day: count.day,
    recount: count.recount,
  }))
  const rows = await database.callFunction<{ outcome: CountOutcome }>(
    'select outcome from record_counts($1, $2) as outcome',
    [JSON.stringify(asked), billing],
  )
  if (rows.length !== counts.length)
    throw new Error(`record_counts gave ${rows.length} outcomes for ${counts.length} counts.`)
  return rows.map(({ outcome }) => outcome)
}

export type ReportedCount = {
  componentId: string
  sku: string
  location: LocationCode
  quantity: number
  countType: CountType
  session: string
  source: string
}

/** Appends a count to the history and to the charts' roll-ups; marks and stock stay as they are. */
export async function recordReport(tx: Tx, actor: Actor, entry: ReportedCount): Promise<{ id: string }> {
  const own = { tenant_id: tx.tenantId, location: entry.location }
  await tx.db
    .insertInto('stock')
    .values({ ...own, component_id: entry.componentId, scans: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'component_id', 'location'])
        .doUpdateSet({ scans: sql<number>`stock.scans + 1` }),
    )
    .execute()
  await tx.db
    .insertInto('scan_days')
    .values({ ...own, day: sql<string>`(now() at time zone ${actor.timeZone})::date`, scans: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'location', 'day'])
        .doUpdateSet({ scans: sql<number>`scan_days.scans + 1` }),
    )
    .execute()
  return await tx.db
    .insertInto('count_history')
    .values({
      tenant_id: tx.tenantId,
      component_id: entry.componentId,
      sku: entry.sku,
      location: entry.location,
      quantity: entry.quantity,
      count_type: entry.countType,
      count_session: entry.session,
      source: entry.source,
      user_id: actor.userId,
      user_type: actor.userType,
      user_name: actor.userName,
      counted_at: sql<Date>`clock_timestamp()`,
      sets_mark: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Clears today's weekly marks of a day's list; says how many there were. */
export async function resetWeeklyMarks(
  tx: Tx,
  { location, day, dayStart }: { location: LocationCode; day: string; dayStart: Date },
): Promise<number> {
  const { rows } = await sql<{ reset: number }>`
    select reset_weekly_marks(${tx.tenantId}::uuid, ${location}, ${day}, ${dayStart}) as reset
  `.execute(tx.db)
  return onlyRow(rows).reset
}

/** Clears the marks of the month that began at `monthStart`; says how many there were. */
export async function resetMonthlyMarks(
  tx: Tx,
  { location, monthStart }: { location: LocationCode; monthStart: Date },
): Promise<number> {
  const { rows } = await sql<{ reset: number }>`
    select reset_monthly_marks(${tx.tenantId}::uuid, ${location}, ${monthStart}) as reset
  `.execute(tx.db)
  return onlyRow(rows).reset
}
