import type { LocationCode } from '@inventory-manager/contract/locations'
import type { Role } from '@inventory-manager/contract/roles'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { CycleCounts, JsonValue, WeeklyCounts } from '../platform/db/schema.ts'

type Progress = Record<string, unknown>

const newest = 500
const mostEntries = 20_000
/** Of a record, and of a list of them, as text. */
const mostBytes = 4_000_000

/** Whether what two maps make together still is a record of reasonable size. */
function fits(table: 'weekly_counts' | 'cycle_counts') {
  const merged = sql`${sql.ref(`${table}.progress`)} || excluded.progress`
  return sql<boolean>`jsonb_array_length(jsonb_path_query_array(${merged}, '$.*')) <= ${mostEntries}
    and octet_length((${merged})::text) <= ${mostBytes}`
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

/** Inserts a record, or merges into the one there is: nobody's progress is lost, and completed stays completed.
 * Nothing is answered, and nothing changed, where it would grow too large. */
export async function saveWeeklyRecord(
  tx: Tx,
  record: { id: string; day: string; location: LocationCode; progress: Progress; completed: boolean },
) {
  return await tx.db
    .insertInto('weekly_counts')
    .values({ ...record, tenant_id: tx.tenantId, progress: jsonb(record.progress) })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'id'])
        .doUpdateSet({
          day: record.day,
          location: record.location,
          progress: sql`weekly_counts.progress || excluded.progress`,
          completed: sql<boolean>`weekly_counts.completed or excluded.completed`,
          last_updated: sql<Date>`excluded.last_updated`,
        })
        .where(fits('weekly_counts')),
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

/** The cycles' records saved last, newest first: `limit` at most, and none behind `mostBytes`. */
export async function listCycleRecords(
  tx: Tx,
  filter: { location?: LocationCode | undefined; userTypes: Role[]; limit: number },
) {
  const { rows } = await sql<Selectable<CycleCounts>>`
    select * from newest_cycle_counts(
      ${tx.tenantId}::uuid, ${filter.location ?? null}, ${filter.userTypes}::text[], ${filter.limit}, ${mostBytes}
    )
  `.execute(tx.db)
  return rows
}

type CycleRecord = {
  id: string
  location: LocationCode
  userType: Role
  progress: Progress
  completed: boolean
  startDate: Date | undefined
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
 * Inserts a record, or merges into the one there is, as for a weekly count; false where it would grow too large. That of
 * administrators is locked before, since who saves after somebody else has to see the counts that they saw.
 */
export async function saveCycleRecord(tx: Tx, record: CycleRecord): Promise<boolean> {
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
          progress: sql`cycle_counts.progress || excluded.progress`,
          completed: sql<boolean>`cycle_counts.completed or excluded.completed`,
          last_updated: sql<Date>`excluded.last_updated`,
        })
        .where(fits('cycle_counts')),
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

/** Which roles have a record of this id, of which location, and whether it is completed; locked until the transaction ends. */
export async function lockCycleRecords(tx: Tx, id: string) {
  return await tx.db
    .selectFrom('cycle_counts')
    .select(['user_type', 'location', 'completed'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .forUpdate()
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
