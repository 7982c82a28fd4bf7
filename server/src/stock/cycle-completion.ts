import { monthAfter } from '@inventory-manager/contract/accuracy/rules'
import { cycleId } from '@inventory-manager/contract/counting/rules'
import { locationCodes } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { recordAudit } from '../audit/queries.ts'
import { monthOf } from '../platform/db/calendar.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'

/** Completes a cycle of the administrators in which no component is left to count; says whether that is news. */
export async function completeCycle(tx: Tx, id: string): Promise<boolean> {
  // As a set and `not in`: joined by row the keys are read anew for each component, seconds for ten thousand.
  const { rows } = await sql`
    with counted as materialized (
      select jsonb_object_keys(progress) as barcode from cycle_counts
      where tenant_id = ${tx.tenantId}::uuid and user_type = 'admin' and id = ${id} and not completed
    )
    update cycle_counts set completed = true, last_updated = statement_timestamp()
    where tenant_id = ${tx.tenantId}::uuid and user_type = 'admin' and id = ${id} and not completed
      and exists (select from components where tenant_id = ${tx.tenantId}::uuid and retired_at is null)
      and not exists (
        select from components
        where tenant_id = ${tx.tenantId}::uuid and retired_at is null
          and barcode not in (select barcode from counted)
      )
    returning id
  `.execute(tx.db)
  return rows.length > 0
}

/** The administrators' cycles of the present month and the one before that are not complete; locked until the transaction ends. */
async function lockOpenCycles(tx: Tx, actor: Actor) {
  const month = monthOf(actor.today)
  const ids = [month, monthAfter(month, -1)].flatMap((of) => locationCodes.map((at) => cycleId(of, at)))
  return await tx.db
    .selectFrom('cycle_counts')
    .select(['id', 'location'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_type', '=', 'admin')
    .where('id', 'in', ids)
    .where('completed', '=', false)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Completes the cycles of which the last to be counted was retired: nobody counts in them any more. After all else is locked, since
 * whoever has a cycle's record waits for nothing more, and who takes a count back has what keeps others from retiring.
 */
export async function completeCycles(tx: Tx, actor: Actor): Promise<void> {
  for (const { id, location } of await lockOpenCycles(tx, actor)) {
    if (!(await completeCycle(tx, id))) continue
    await recordAudit(tx, actor, {
      kind: 'monthly_count',
      event: 'admin_view_completed',
      location,
      source: 'monthly',
      metadata: { id, completed: true },
    })
  }
}
