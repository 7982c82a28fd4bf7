import { monthAfter, monthOf } from '@inventory-manager/contract/calendar'
import { cycleId } from '@inventory-manager/contract/counting/rules'
import { locationCodes, type LocationCode } from '@inventory-manager/contract/locations'
import { sql } from 'kysely'
import { recordAudit } from '../audit/queries.ts'
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
          and not exists (
            select from not_kept
            where not_kept.tenant_id = ${tx.tenantId}::uuid and not_kept.location = cycle_counts.location
              and not_kept.component_id = components.id
          )
      )
    returning id
  `.execute(tx.db)
  return rows.length > 0
}

const cyclesOf = (month: string) => locationCodes.map((at) => cycleId(month, at))

/** The administrators' cycles of the present month and the one before; locked until the transaction ends. */
async function lockCycles(tx: Tx, actor: Actor) {
  const month = monthOf(actor.today)
  const ids = [month, monthAfter(month, -1)].flatMap(cyclesOf)
  return await tx.db
    .selectFrom('cycle_counts')
    .select(['id', 'location', 'completed'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_type', '=', 'admin')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Completes the cycles of which the last to be counted was retired: nobody counts in them any more. After all else is locked, since
 * whoever has a cycle's record waits for nothing more, and who takes a count back has what keeps others from retiring.
 */
export async function completeCycles(tx: Tx, actor: Actor): Promise<void> {
  for (const { id, location, completed } of await lockCycles(tx, actor)) {
    if (completed || !(await completeCycle(tx, id))) continue
    await recordAudit(tx, actor, {
      kind: 'monthly_count',
      event: 'admin_view_completed',
      location,
      source: 'monthly',
      metadata: { id, completed: true },
    })
  }
}

/**
 * Takes components that were retired, or are left out at some locations, out of the present month's cycles there, as their marks of the
 * month are gone: brought back, they are to be counted in both. After all else is locked, as completeCycles.
 */
export async function takeOutOfCycles(
  tx: Tx,
  actor: Actor,
  { skus, locations }: { skus: readonly string[]; locations: readonly LocationCode[] },
): Promise<void> {
  await lockCycles(tx, actor)
  const month = monthOf(actor.today)
  const ids = locations.map((at) => cycleId(month, at))
  await sql`
    update cycle_counts set progress = progress - ${skus}::text[], last_updated = statement_timestamp()
    where tenant_id = ${tx.tenantId}::uuid and user_type = 'admin' and id = any (${ids}::text[])
      and progress ?| ${skus}::text[]
  `.execute(tx.db)
}
