import { sql, type RawBuilder } from 'kysely'
import type { Tx } from './database.ts'
import { onlyRow } from './only-row.ts'

async function getInstant(tx: Tx, instant: RawBuilder<Date>): Promise<Date> {
  const { rows } = await sql<{ instant: Date }>`select ${instant} as instant`.execute(tx.db)
  return onlyRow(rows).instant
}

/**
 * Locks the company's time zone until the transaction ends and returns it. The zone in `actor` may be older than a change.
 * Counts take the same lock before any stock.
 */
export async function lockTimeZone(tx: Tx): Promise<string> {
  await sql`select pg_advisory_xact_lock_shared(time_zone_lock(${tx.tenantId}::uuid))`.execute(tx.db)
  const { time_zone: timeZone } = await tx.db
    .selectFrom('companies')
    .select('time_zone')
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirstOrThrow()
  return timeZone
}

/** When a day such as '2026-11-23' began in a time zone. */
export async function getDayStart(
  tx: Tx,
  { today, timeZone }: { today: string; timeZone: string },
): Promise<Date> {
  return await getInstant(tx, sql`${today}::timestamp at time zone ${timeZone}`)
}

/** When the present month of a time zone began, by the database's clock. */
export async function getMonthStart(tx: Tx, timeZone: string): Promise<Date> {
  return await getInstant(tx, sql`start_of_month(now(), ${timeZone})`)
}

/**
 * The share of the present month of a time zone that is over; of the month that the company came in, of what was left of it then, as
 * nobody could count before.
 */
export async function getElapsedShare(tx: Tx, timeZone: string): Promise<number> {
  const { rows } = await sql<{ elapsed_share: number }>`
    with month as (
      select greatest(start_of_month(now(), ${timeZone}), created_at) as start,
        (date_trunc('month', now() at time zone ${timeZone}) + interval '1 month') at time zone ${timeZone} as next
      from companies where tenant_id = ${tx.tenantId}::uuid
    )
    select (extract(epoch from now() - start) / extract(epoch from next - start))::float8 as elapsed_share
    from month
  `.execute(tx.db)
  return onlyRow(rows).elapsed_share
}
