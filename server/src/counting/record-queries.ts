import { resetReason } from '@inventory-manager/contract/discrepancies/rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import type { Role } from '@inventory-manager/contract/roles'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { JsonValue, WeeklyCounts } from '../platform/db/schema.ts'

type Progress = Record<string, unknown>

const newest = 500
const mostEntries = 20_000
/** Of a record, and of a list of them, as text. */
const mostBytes = 4_000_000

/**
 * What a record becomes that is saved again (docs/decisions/029): of the same list it is merged into the one there is, so that
 * nobody's progress is lost and completed stays completed; of another list it takes its place. And whether that still is of
 * reasonable size.
 */
function savedAgain(table: 'weekly_counts' | 'cycle_counts', isSame: RawBuilder<boolean>) {
  const kept = sql.ref(`${table}.progress`)
  const progress = sql<string>`case when ${isSame} then ${kept} || excluded.progress else excluded.progress end`
  return {
    progress,
    completed: sql<boolean>`${isSame} and ${sql.ref(`${table}.completed`)} or excluded.completed`,
    fits: sql<boolean>`jsonb_array_length(jsonb_path_query_array(${progress}, '$.*')) <= ${mostEntries}
      and octet_length((${progress})::text) <= ${mostBytes}`,
  }
}

function jsonb(value: Progress): RawBuilder<string> {
  return sql<string>`${JSON.stringify(value)}::jsonb`
}

/** The weekly records saved last, newest first: `newest` at most, and none behind `mostBytes`. */
export async function listWeeklyRecords(
  tx: Tx,
  filter: { location?: LocationCode | undefined; day?: string | undefined },
) {
  const { rows } = await sql<Selectable<WeeklyCounts>>`
    select * from newest_weekly_counts(
      ${tx.tenantId}::uuid, ${filter.location ?? null}, ${filter.day ?? null}, ${newest}, ${mostBytes}
    )
  `.execute(tx.db)
  return rows
}

/**
 * Inserts a record, merges into the one of its day and location, or takes the place of one of another. Nothing is answered, and
 * nothing changed, where it would grow too large.
 */
export async function saveWeeklyRecord(
  tx: Tx,
  record: { id: string; day: string; location: LocationCode; progress: Progress; completed: boolean },
) {
  const { progress, completed, fits } = savedAgain(
    'weekly_counts',
    sql<boolean>`weekly_counts.day = ${record.day} and weekly_counts.location = ${record.location}`,
  )
  return await tx.db
    .insertInto('weekly_counts')
    .values({ ...record, tenant_id: tx.tenantId, progress: jsonb(record.progress) })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'id'])
        .doUpdateSet({
          day: record.day,
          location: record.location,
          progress,
          completed,
          last_updated: sql<Date>`excluded.last_updated`,
        })
        .where(fits),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a record; says of which location it was, and of none nothing. */
export async function deleteWeeklyRecord(tx: Tx, id: string): Promise<LocationCode | undefined> {
  const deleted = await tx.db
    .deleteFrom('weekly_counts')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .returning('location')
    .executeTakeFirst()
  return deleted?.location
}

/**
 * The cycle records of some kinds of people saved last, newest first, as an array of JSON: `limit` at most, and none behind `mostBytes`.
 * Of thousands of SKUs in each this process reads none.
 */
export async function listCycleRecords(
  tx: Tx,
  filter: { location?: LocationCode | undefined; userTypes: Role[]; limit: number },
): Promise<string> {
  const { rows } = await sql<{ list: string }>`
    select '[' || coalesce(string_agg(format(
      '{"id":%s,"location":%s,"user_type":%s,"progress":%s,"completed":%s,"start_date":"%s"}',
      to_json(id), to_json(location), to_json(user_type),
      case when jsonb_typeof(progress) = 'object' then progress::text else '{}' end, completed::text,
      to_char(start_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ), ',' order by last_updated desc), '') || ']' as list
    from newest_cycle_counts(
      ${tx.tenantId}::uuid, ${filter.location ?? null}, ${filter.userTypes}::text[], ${filter.limit}, ${mostBytes}
    )
  `.execute(tx.db)
  return onlyRow(rows).list
}

type CycleRecord = {
  id: string
  location: LocationCode
  userType: Role
  progress: Progress
  completed: boolean
  startDate: Date | undefined
  /** The company's, in which its month is meant. */
  timeZone: string
}

/** Whether the stored record is of the same location, and of the same month where a start is given. */
function isSameCycle({ location, startDate, timeZone }: CycleRecord): RawBuilder<boolean> {
  if (startDate === undefined) return sql<boolean>`cycle_counts.location = ${location}`
  return sql<boolean>`cycle_counts.location = ${location}
    and date_trunc('month', cycle_counts.start_date at time zone ${timeZone})
      = date_trunc('month', ${startDate}::timestamptz at time zone ${timeZone})`
}

function begun(tx: Tx, { id, location, userType, startDate }: CycleRecord) {
  return {
    tenant_id: tx.tenantId,
    id,
    location,
    user_type: userType,
    progress: jsonb({}),
    completed: false,
    start_date: startDate ?? sql<Date>`clock_timestamp()`,
  }
}

/** A record in which nothing is counted yet, unless there is one: who begins it at the same moment waits here. */
export async function beginCycleRecord(tx: Tx, record: CycleRecord): Promise<void> {
  await tx.db
    .insertInto('cycle_counts')
    .values(begun(tx, record))
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_type', 'id']).doNothing())
    .execute()
}

/** What is to be saved: of what administrators counted in it, the newest count (docs/decisions/019). */
async function progressOf(tx: Tx, { id, location, userType, progress }: CycleRecord): Promise<Progress> {
  if (userType !== 'admin') return progress
  const { rows } = await sql<{ progress: Progress }>`
    select cycle_progress(${tx.tenantId}::uuid, ${id}, ${location}, ${jsonb(progress)}) as progress
  `.execute(tx.db)
  return onlyRow(rows).progress
}

/**
 * Inserts a record, merges into the one of its location and month or takes the place of one of another, as for a weekly count;
 * false where it would grow too large. That of administrators is locked before, since who saves after somebody else has to see the counts that they saw.
 */
export async function saveCycleRecord(tx: Tx, record: CycleRecord): Promise<boolean> {
  const isSame = isSameCycle(record)
  const { progress, completed, fits } = savedAgain('cycle_counts', isSame)
  const saved = await tx.db
    .insertInto('cycle_counts')
    .values({
      ...begun(tx, record),
      progress: jsonb(await progressOf(tx, record)),
      completed: record.completed,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_type', 'id'])
        .doUpdateSet({
          location: record.location,
          progress,
          completed,
          start_date: sql<Date>`case when ${isSame} then cycle_counts.start_date else excluded.start_date end`,
          last_updated: sql<Date>`excluded.last_updated`,
        })
        .where(fits),
    )
    .returning('id')
    .executeTakeFirst()
  return saved !== undefined
}

/** What progress says of some keys, where it says anything. It may be large, and is unpacked once instead of for each key. */
function partOf(keys: string[]) {
  return sql<JsonValue>`(
    select coalesce(jsonb_object_agg(key, whole -> key), '{}')
    from (select cycle_counts.progress || '{}' as whole offset 0) unpacked cross join unnest(${keys}::text[]) as given (key)
    where whole ? key
  )`
}

/** A record with its progress, or with what that says of some keys only. */
export async function getCycleRecord(
  tx: Tx,
  { id, userType, keys }: { id: string; userType: Role; keys: string[] | null },
) {
  const progress = keys === null ? sql.ref<JsonValue>('progress') : partOf(keys)
  return await tx.db
    .selectFrom('cycle_counts')
    .select(['id', 'location', 'user_type', 'completed', 'start_date', progress.as('progress')])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_type', '=', userType)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/**
 * Whether the administrators' record of this id, location and month is completed, of another one false, and undefined where there is
 * none; locked until the transaction ends.
 */
export async function lockAdminCycle(tx: Tx, record: CycleRecord): Promise<boolean | undefined> {
  const found = await tx.db
    .selectFrom('cycle_counts')
    .select(sql<boolean>`completed and ${isSameCycle(record)}`.as('completed'))
    .where('tenant_id', '=', tx.tenantId)
    .where('user_type', '=', 'admin')
    .where('id', '=', record.id)
    .forUpdate()
    .executeTakeFirst()
  return found?.completed
}

/** Which roles have a record of this id, and of which location; locked until the transaction ends. */
export async function lockCycleRecords(tx: Tx, id: string) {
  return await tx.db
    .selectFrom('cycle_counts')
    .select(['user_type', 'location'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
}

/** Administrators' entries of the present month, where a cycle was begun in it, that wait for a second one; by differences. */
export async function listFirstEntries(
  tx: Tx,
  { id, monthStart }: { id: string; monthStart: Date },
): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('cycle_counts')
    .innerJoin('discrepancies', (join) =>
      join
        .onRef('discrepancies.tenant_id', '=', 'cycle_counts.tenant_id')
        .onRef('discrepancies.location', '=', 'cycle_counts.location'),
    )
    .select('discrepancies.id')
    .where('cycle_counts.tenant_id', '=', tx.tenantId)
    .where('cycle_counts.user_type', '=', 'admin')
    .where('cycle_counts.id', '=', id)
    .where('cycle_counts.start_date', '>=', monthStart)
    .where('discrepancies.count_type', '=', 'admin')
    .where('discrepancies.period_start', '=', monthStart)
    .where('discrepancies.status', '=', 'attempted')
    .execute()
  return rows.map((row) => row.id)
}

/** Has entries that waited for a second one wait no more: counting starts again, as with a reset of the month. */
export async function dismissFirstEntries(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('discrepancies')
    .set({ status: 'dismissed', reason: resetReason, updated_at: sql<Date>`statement_timestamp()` })
    .where('tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .where('status', '=', 'attempted')
    .execute()
}

/** Deletes a record; of the administrators' also notes when, for counts that come later than that. */
export async function deleteCycleRecord(
  tx: Tx,
  { id, userType }: { id: string; userType: Role },
): Promise<void> {
  await tx.db
    .deleteFrom('cycle_counts')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_type', '=', userType)
    .where('id', '=', id)
    .execute()
  if (userType !== 'admin') return
  await tx.db
    .insertInto('cycle_resets')
    .values({ tenant_id: tx.tenantId, id, reset_at: sql<Date>`clock_timestamp()` })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'id'])
        .doUpdateSet({ reset_at: sql<Date>`greatest(cycle_resets.reset_at, excluded.reset_at)` }),
    )
    .execute()
}
