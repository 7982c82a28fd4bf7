import type { LocationCode } from '@inventory-manager/contract/locations'
import { within } from '@inventory-manager/contract/stock/bins'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { countByBin, countByBinOf, type BinCount } from '../sheet/aisle-queries.ts'

/** Whom, and where, in the month of a day. */
export type Asked = { location: LocationCode; userId: string; today: string }

type AssignmentRow = {
  id: string
  location: LocationCode
  user_id: string
  user_name: string
  due_on: string
  bins: string[]
  counted: number
  total: number
}

type Listed = {
  today: string
  timeZone: string
  locations: readonly LocationCode[]
  /** Whose alone; null for everybody's. */
  userId: string | null
}

function firstOfMonth(today: string) {
  return sql<Date>`date_trunc('month', ${today}::timestamp)::date`
}

/** By when somebody counts, and which bins; all of the location where they are none. */
export type Order = { due_on: string; bins: string[] }

type Shared = { rows: readonly AssignmentRow[]; timeZone: string; isOfOne: boolean }

/** What lies in the bins of assignments: of one person looked up by their bins, of everybody's in one look at the locations. */
async function countLying(tx: Tx, { rows, timeZone, isOfOne }: Shared): Promise<BinCount[]> {
  const wanted = rows.map(({ location, bins }) => ({ location, names: bins }))
  const own = isOfOne ? await countByBinOf(tx, { wanted, timeZone }) : null
  if (own !== null) return own
  return await countByBin(tx, { locations: [...new Set(rows.map(({ location }) => location))], timeZone })
}

/** How far a location is, where somebody is asked to count all of it; else how far their bins are. */
async function withShares(tx: Tx, { rows, ...shared }: Shared): Promise<AssignmentRow[]> {
  const shares = rows.filter(({ bins }) => bins.length > 0)
  if (shares.length === 0) return [...rows]
  const lying = await countLying(tx, { ...shared, rows: shares })
  return rows.map((row) => {
    if (row.bins.length === 0) return row
    const isTheirs = within(row.bins)
    const own = lying.filter(({ location, bin }) => location === row.location && isTheirs(bin))
    const sumOf = (name: 'counted' | 'total') => own.reduce((sum, each) => sum + each[name], 0)
    return { ...row, counted: sumOf('counted'), total: sumOf('total') }
  })
}

/** What active people are asked to count in the month of a day, by their days, with how far that location is, or their bins there. */
export async function listAssignments(
  tx: Tx,
  { today, timeZone, locations, userId }: Listed,
): Promise<AssignmentRow[]> {
  const { rows } = await sql<AssignmentRow>`
    select asked.id, asked.location, asked.user_id, users.name as user_name, asked.due_on::text as due_on,
      asked.bins, coalesce(progress.counted, 0) as counted,
      companies.component_count - coalesce((companies.not_kept_counts ->> asked.location)::integer, 0) as total
    from count_assignments asked
    join users on users.tenant_id = ${tx.tenantId}::uuid and users.id = asked.user_id and users.active
    join companies on companies.tenant_id = ${tx.tenantId}::uuid
    left join count_progress progress
      on progress.tenant_id = ${tx.tenantId}::uuid and progress.location = asked.location
      and progress.month_start = start_of_month(now(), ${timeZone})
    where asked.tenant_id = ${tx.tenantId}::uuid and asked.month_start = ${firstOfMonth(today)}
      and asked.location = any (${locations}::text[])
      and (${userId}::uuid is null or asked.user_id = ${userId}::uuid)
    order by asked.due_on, lower(users.name), asked.id
  `.execute(tx.db)
  return await withShares(tx, { rows, timeZone, isOfOne: userId !== null })
}

/** What somebody is asked already at a location in the month of a day; null for nothing. */
export async function findAssignment(
  tx: Tx,
  { location, userId, today }: Asked,
): Promise<(Order & { id: string }) | null> {
  const row = await tx.db
    .selectFrom('count_assignments')
    .select(['id', 'bins', sql<string>`due_on::text`.as('due_on')])
    .where('tenant_id', '=', tx.tenantId)
    .where('month_start', '=', firstOfMonth(today))
    .where('location', '=', location)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** Asks somebody to count, or gives them another day and other bins where they are asked already. */
export async function saveAssignment(
  tx: Tx,
  { location, userId, today }: Asked,
  { due_on, bins, createdBy }: Order & { createdBy: string },
): Promise<string> {
  const { id } = await tx.db
    .insertInto('count_assignments')
    .values({
      tenant_id: tx.tenantId,
      month_start: firstOfMonth(today),
      location,
      user_id: userId,
      due_on,
      bins,
      created_by: createdBy,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'month_start', 'location', 'user_id'])
        .doUpdateSet((eb) => ({ due_on: eb.ref('excluded.due_on'), bins: eb.ref('excluded.bins') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What was taken back; null where there is none of this id. */
export async function removeAssignment(
  tx: Tx,
  id: string,
): Promise<(Order & { location: string; user_id: string }) | null> {
  const asked = await tx.db
    .selectFrom('count_assignments')
    .select(['location', 'user_id', 'bins', sql<string>`due_on::text`.as('due_on')])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  // The day as text is no answer that Citus lets a delete give.
  const removed = await tx.db
    .deleteFrom('count_assignments')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return removed === undefined ? null : (asked ?? null)
}
