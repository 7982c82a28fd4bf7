import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'

/** Who looks after somebody's devices and links finds what went on in a quarter. */
const daysAccessIsKnown = 90

/**
 * Forgets sessions that ended long ago, except the last one of each person, and links; says whether there may be more. The last session
 * tells when somebody was here.
 */
export async function forgetAccess(tx: Tx, atOnce: number): Promise<boolean> {
  const { rows } = await sql<{ forgotten: number }>`
    with sessions_gone as (
      delete from sessions
      where tenant_id = ${tx.tenantId}::uuid and id in (
        select old.id from sessions old
        where old.tenant_id = ${tx.tenantId}::uuid
          and old.expires_at < now() - make_interval(days => ${daysAccessIsKnown}::integer)
          and exists (
            select from sessions later
            where later.tenant_id = ${tx.tenantId}::uuid and later.user_id = old.user_id
              and (later.last_used_at, later.id) > (old.last_used_at, old.id)
          )
        limit ${atOnce}
      )
      returning 1
    ), links_gone as (
      delete from one_time_links
      where tenant_id = ${tx.tenantId}::uuid and id in (
        select old.id from one_time_links old
        where old.tenant_id = ${tx.tenantId}::uuid
          and old.expires_at < now() - make_interval(days => ${daysAccessIsKnown}::integer)
        limit ${atOnce}
      )
      returning 1
    )
    select greatest((select count(*) from sessions_gone), (select count(*) from links_gone))::integer as forgotten
  `.execute(tx.db)
  return onlyRow(rows).forgotten === atOnce
}
