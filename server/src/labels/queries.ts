import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'

/** Labels used this month and the month after which the count starts anew, in the company's time zone. */
export async function getUsage(tx: Tx, timeZone: string): Promise<{ used: number; resetsOn: string }> {
  const { rows } = await sql<{ used: number | null; resets_on: string }>`
    select
      (select used from label_usage
       where tenant_id = ${tx.tenantId}::uuid and month_start = start_of_month(now(), ${timeZone})) as used,
      to_char(date_trunc('month', now() at time zone ${timeZone}) + interval '1 month', 'YYYY-MM-DD') as resets_on
  `.execute(tx.db)
  const [row] = rows
  return { used: row?.used ?? 0, resetsOn: row?.resets_on ?? '' }
}

/** Charges labels to this month unless that passes the limit (null: none); says whether it did. One statement, so
 * that two jobs at the same moment can never pass the limit together. */
export async function chargeLabels(
  tx: Tx,
  charge: { timeZone: string; labels: number; limit: number | null },
): Promise<boolean> {
  const limit = charge.limit ?? 2_147_483_647
  if (charge.labels > limit) return false
  const { rows } = await sql`
    insert into label_usage (tenant_id, month_start, used)
    values (${tx.tenantId}::uuid, start_of_month(now(), ${charge.timeZone}), ${charge.labels})
    on conflict (tenant_id, month_start) do update set used = label_usage.used + excluded.used
    where label_usage.used + excluded.used <= ${limit}
    returning used
  `.execute(tx.db)
  return rows.length === 1
}
