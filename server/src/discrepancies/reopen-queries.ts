import { undecidedStatuses, type DiscrepancyStatus } from '@inventory-manager/contract/discrepancies/rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { lockTimeZone } from '../platform/db/calendar.ts'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { lockStockOf } from '../stock/lock-stock.ts'
import { hasWrongCount } from '../stock/recorded-differences.ts'
import { lastScanOf } from '../stock/standing-attempts.ts'

/** A difference with its stock locked, and the company's time zone and the component kept as they are, as a count does. */
export async function lockDiscrepancy(tx: Tx, id: string) {
  await lockTimeZone(tx)
  await lockStockOf(tx, [id])
  return await tx.db
    .selectFrom('discrepancies')
    .select(['id', 'component_id', 'sku', 'location', 'count_type', 'status', 'expected', 'counted'])
    .select(['reason', 'note', 'decided_by', 'before_dismissal', 'updated_at'])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export type Locked = NonNullable<Awaited<ReturnType<typeof lockDiscrepancy>>>

/** When the period of a difference begins by today's time zone: those that were decided keep that of the zone before. */
function periodOf(tx: Tx) {
  return sql`(
    select case
      when difference.count_type = 'weekly'
        then start_of_day(difference.period_start + interval '12 hours', companies.time_zone)
      else start_of_month(difference.period_start + interval '15 days', companies.time_zone)
    end
    from companies
    where companies.tenant_id = ${tx.tenantId}::uuid
  )`
}

// As literals, so that the index of what is undecided can serve.
const undecided = sql.join(undecidedStatuses.map((status) => sql.lit(status)))

/** What has come about of a decided difference's component and place since. */
type Since = { retired: boolean; waits: boolean; counted: boolean; corrected: boolean }

/** A count says what is there from the moment of its scan on, as by the rule of standing_counts. */
function countedSince(tx: Tx, { updated_at: decidedAt }: Locked) {
  return sql`exists (
    select from count_history newer
    where newer.tenant_id = ${tx.tenantId}::uuid and newer.sku = difference.sku
      and newer.location = difference.location and newer.id >= id_at(${decidedAt}::timestamptz)
      and newer.sets_mark and newer.created_at > difference.updated_at
      and newer.counted_at > coalesce(${lastScanOf(tx, 'difference')}, '-infinity')
      and not exists (
        select from count_history back
        where back.tenant_id = ${tx.tenantId}::uuid and back.sku = newer.sku and back.location = newer.location
          and back.id > newer.id and back.undoes = newer.id
      )
  )`
}

/** Where counts have been put aside since, the marks that they left still say that there was a newer one. */
function countedInWhatIsAside(tx: Tx, { updated_at: decidedAt }: Locked) {
  return sql`exists (
      select from detached_history aside
      where aside.tenant_id = ${tx.tenantId}::uuid and aside.history = 'count_history'
        and aside.next_id > id_at(${decidedAt}::timestamptz)
    ) and exists (
      select from stock
      where stock.tenant_id = ${tx.tenantId}::uuid and stock.component_id = difference.component_id
        and stock.location = difference.location
        and greatest(stock.counted_at, stock.weekly_counted_at) > coalesce(${lastScanOf(tx, 'difference')}, '-infinity')
    )`
}

/**
 * Another difference of the place that was found since waits, or one in whose stead this one would wait. What is moved between
 * places, received or issued leaves a difference as it is, as it does while one waits.
 */
export async function getSince(tx: Tx, decided: Locked): Promise<Since> {
  const { rows } = await sql<Since>`
    select components.retired_at is not null as retired,
      ${countedSince(tx, decided)} or ${countedInWhatIsAside(tx, decided)} as counted,
      exists (
        select from discrepancies other
        where other.tenant_id = ${tx.tenantId}::uuid and other.component_id = difference.component_id
          and other.location = difference.location and other.status in (${undecided})
          and (
            other.created_at > difference.updated_at
            or (other.count_type = difference.count_type and other.period_start = ${periodOf(tx)})
            -- Of what was found before nobody knows what it would be without the accepted one.
            or (difference.status = 'accepted' and other.status <> 'recount' and other.expected = 0)
          )
      ) as waits,
      exists (
        select from movements
        where movements.tenant_id = ${tx.tenantId}::uuid and movements.component_id = difference.component_id
          and movements.location = difference.location and movements.created_at > difference.updated_at
          and movements.id >= id_at(${decided.updated_at}::timestamptz)
          and movements.cause not in ('transfer', 'transfer_cancelled', 'received', 'issued')
      ) as corrected
    from discrepancies difference
    join components on components.tenant_id = difference.tenant_id and components.id = difference.component_id
    where difference.tenant_id = ${tx.tenantId}::uuid and difference.id = ${decided.id}::uuid
  `.execute(tx.db)
  return onlyRow(rows)
}

/** What else waits there is judged without what was accepted again, as accepting has judged it with that. */
export async function expectAsBefore(
  tx: Tx,
  back: { id: string; componentId: string; location: LocationCode; difference: number },
): Promise<void> {
  await sql`
    update discrepancies
    set expected = greatest(expected + ${back.difference}::integer, 0), updated_at = statement_timestamp()
    where tenant_id = ${tx.tenantId}::uuid and component_id = ${back.componentId}::uuid and location = ${back.location}
      and status in ('attempted', 'open') and id <> ${back.id}::uuid
  `.execute(tx.db)
}

/**
 * Gives a decided difference back what stood before. Where nobody kept that of a dismissed one, it is open with a wrong entry beyond
 * the first, and waits for its second count without; an accepted one was open.
 */
export async function putBack(tx: Tx, id: string): Promise<DiscrepancyStatus> {
  const { rows } = await sql<{ status: DiscrepancyStatus }>`
    update discrepancies as decided
    set period_start = back.period_start, before_dismissal = null, reason = back.reason, note = back.note,
      decided_by = back.decided_by, updated_at = back.updated_at, status = back.status
    -- Apart, because a cluster computes no times from a row's own within what sets them; nor does it take a case of a value.
    from (
      select difference.id, ${periodOf(tx)} as period_start,
        before_dismissal->>'reason' as reason, before_dismissal->>'note' as note,
        before_dismissal->>'decided_by' as decided_by,
        -- When it was asked for says who is shown it.
        case
          when before_dismissal->>'status' = 'recount' then (before_dismissal->>'updated_at')::timestamptz
          else statement_timestamp()
        end as updated_at,
        coalesce(
          before_dismissal->>'status',
          case when status = 'accepted' or ${hasWrongCount(tx, 'difference')} then 'open' else 'attempted' end
        ) as status
      from discrepancies difference
      where difference.tenant_id = ${tx.tenantId}::uuid and difference.id = ${id}::uuid
      offset 0
    ) as back
    where decided.tenant_id = ${tx.tenantId}::uuid and decided.id = back.id
    returning decided.status
  `.execute(tx.db)
  return onlyRow(rows).status
}
