import type { DayOfWeek } from '@inventory-manager/contract/calendar'
import type { PaidStatus } from '@inventory-manager/contract/company/subscription'
import type { LocationCode } from '@inventory-manager/contract/locations'
import type { PlanKey } from '@inventory-manager/contract/plans'
import { sql } from 'kysely'
import { findByKeys, listCompaniesBy, type Database, type Tx } from '../../platform/db/database.ts'

/** The companies where a recurring spot count has not asked today yet; none while another node asks the same. */
export async function listCompaniesToAsk(database: Database): Promise<string[]> {
  return await listCompaniesBy(database, sql`select companies_to_ask() as id`)
}

type CompanyRow = {
  plan: PlanKey
  time_zone: string
  paid: PaidStatus | null
  trial_is_over: boolean
  asked_at: Date
}

/** How a company stands with its plan, and when that was asked. */
export async function getCompanyToAsk(tx: Tx): Promise<CompanyRow> {
  return await tx.db
    .selectFrom('companies')
    .leftJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.tenant_id', '=', 'companies.tenant_id')
        .on('subscriptions.tenant_id', '=', tx.tenantId),
    )
    .select([
      'companies.plan',
      'companies.time_zone',
      sql<PaidStatus | null>`subscriptions.status`.as('paid'),
      sql<boolean>`companies.trial_ends_at <= now()`.as('trial_is_over'),
      sql<Date>`now()`.as('asked_at'),
    ])
    .where('companies.tenant_id', '=', tx.tenantId)
    .executeTakeFirstOrThrow()
}

export type SpotScheduleRow = {
  id: string
  location: LocationCode
  user_id: string | null
  user_name: string | null
  /** Whether somebody may count: whoever does there, or an active user for whom the plan has a place. */
  is_manned: boolean
  days: DayOfWeek[]
  minutes: number
  people: number
  asked_on: string | null
  asked_skus: number | null
  created_by: string
  created_at: Date
}

/** The recurring spot counts of some locations, by location and age. */
export async function listSpotSchedules(
  tx: Tx,
  locations: readonly LocationCode[],
): Promise<SpotScheduleRow[]> {
  await findByKeys(tx)
  const { rows } = await sql<SpotScheduleRow>`
    select schedule.id, schedule.location, schedule.user_id, users.name as user_name,
      coalesce(users.active and users.seated, schedule.user_id is null) as is_manned, schedule.days, schedule.minutes,
      schedule.people, schedule.asked_on::text as asked_on, schedule.asked_skus, schedule.created_by,
      schedule.created_at
    from spot_schedules schedule
    left join users on users.tenant_id = ${tx.tenantId}::uuid and users.id = schedule.user_id
    where schedule.tenant_id = ${tx.tenantId}::uuid and schedule.location = any (${locations}::text[])
    order by array_position(${locations}::text[], schedule.location), schedule.id
  `.execute(tx.db)
  return rows
}

type NewSchedule = {
  location: LocationCode
  /** Null for whoever counts there. */
  userId: string | null
  days: readonly DayOfWeek[]
  minutes: number
  people: number
  createdBy: string
}

export async function createSpotSchedule(
  tx: Tx,
  { userId, days, createdBy, ...schedule }: NewSchedule,
): Promise<string> {
  const { id } = await tx.db
    .insertInto('spot_schedules')
    .values({
      tenant_id: tx.tenantId,
      ...schedule,
      user_id: userId,
      days: [...days],
      created_by: createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Removed = { location: string; user_id: string | null; days: string[]; minutes: number; people: number }

/** What ended; null where there is none of this id. */
export async function removeSpotSchedule(tx: Tx, id: string): Promise<Removed | null> {
  const removed = await tx.db
    .deleteFrom('spot_schedules')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .returning(['location', 'user_id', 'days', 'minutes', 'people'])
    .executeTakeFirst()
  return removed ?? null
}

/** Takes a day of a recurring spot count for this node: whether none has asked on it before, or on a later one of another time zone. */
export async function claimDay(tx: Tx, id: string, today: string): Promise<boolean> {
  const claimed = await tx.db
    .updateTable('spot_schedules')
    .set({ asked_on: today, asked_skus: 0 })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('asked_on', 'is', null), eb('asked_on', '<', sql<Date>`${today}::date`)]))
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Notes for how many SKUs a recurring spot count asked on the day that was taken for it. */
export async function noteAsked(tx: Tx, id: string, skus: number): Promise<void> {
  await tx.db
    .updateTable('spot_schedules')
    .set({ asked_skus: skus })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute()
}
