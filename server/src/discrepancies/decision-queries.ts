import {
  decidedStatuses,
  undecidedStatuses,
  type DiscrepancyStatus,
} from '@inventory-manager/contract/discrepancies/rules'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import type { JsonValue } from '../platform/db/schema.ts'
import type { Actor } from '../platform/http/identity.ts'
import { lastScanOf } from '../stock/standing-attempts.ts'

/** Locks the stock of differences before they are locked, as a count does: so nobody waits in a ring. */
export async function lockStock(tx: Tx, ids: string[]): Promise<void> {
  await sql`
    select 1 from stock
    where stock.tenant_id = ${tx.tenantId}::uuid and exists (
      select from discrepancies
      where discrepancies.tenant_id = stock.tenant_id and discrepancies.component_id = stock.component_id
        and discrepancies.location = stock.location and discrepancies.id = any (${ids}::uuid[])
    )
    order by stock.component_id, stock.location
    for update
  `.execute(tx.db)
}

/** Differences that wait for a decision, those scanned last first, with their stock locked. */
export async function lockUndecided(tx: Tx, ids: string[]) {
  await lockStock(tx, ids)
  return await tx.db
    .selectFrom('discrepancies')
    .select(['id', 'component_id', 'sku', 'location', 'count_type', 'status', 'expected', 'counted'])
    .where('tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .where('status', 'in', undecidedStatuses)
    .orderBy(lastScanOf(tx, 'discrepancies'), 'desc')
    .orderBy('id', 'desc')
    .forUpdate()
    .execute()
}

/** Those of the given differences that wait no more, with what has ended them. */
export async function listEnded(tx: Tx, ids: string[]) {
  return await tx.db
    .selectFrom('discrepancies')
    .select(['id', 'sku', 'location', 'status', 'decided_by', 'reason'])
    .where('tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .where('status', 'in', decidedStatuses)
    .orderBy('id')
    .execute()
}

type Decision = { status: DiscrepancyStatus; reason: string | null; note: string }

/** A difference as it stands, for who reopens it. */
const asItStands = sql<JsonValue>`jsonb_build_object(
  'status', status, 'reason', reason, 'note', note, 'decided_by', decided_by, 'updated_at', updated_at
)`

/** Keeps of differences how they were decided and by whom; of dismissed ones also how they stood, for who reopens them. */
export async function setDecision(
  tx: Tx,
  actor: Actor,
  { ids, ...decision }: Decision & { ids: string[] },
): Promise<void> {
  await tx.db
    .updateTable('discrepancies')
    .set({
      status: decision.status,
      reason: decision.reason,
      note: decision.note,
      decided_by: actor.userName,
      ...(decision.status === 'dismissed' ? { before_dismissal: asItStands } : {}),
      updated_at: sql<Date>`statement_timestamp()`,
    })
    .where('tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .execute()
}

export type Settled = Omit<Awaited<ReturnType<typeof lockUndecided>>[number], 'component_id'>

type Accepting = Settled & { outcome: 'settled' | 'not_recorded' | 'below_zero' | 'stock_limit' }

/**
 * Posts counted minus expected at the scan of differences, in their order, so that what moved in between stays right. Gives what
 * else was found of the same, which is settled with them, and as its last row the one that cannot be accepted.
 */
export async function acceptDifferences(
  tx: Tx,
  actor: Actor,
  { ids, note }: { ids: string[]; note: string },
): Promise<Accepting[]> {
  const { rows } = await sql<Accepting>`
    select outcome, id, sku, location, count_type, status, expected, counted
    from accept_differences(
      ${tx.tenantId}::uuid, ${ids}::uuid[], ${note}, ${actor.userId}::uuid, ${actor.userName}
    )
  `.execute(tx.db)
  return rows
}

/** Makes the SKU of a difference pending again in the administrators' cycle in which it was found. */
export async function countAgainInCycle(tx: Tx, discrepancyId: string): Promise<void> {
  await sql`select count_again_in_cycle(${tx.tenantId}::uuid, ${discrepancyId}::uuid)`.execute(tx.db)
}

/** Makes what differences are about pending again, so that somebody counts it anew. */
export async function recountDifferences(
  tx: Tx,
  { ids, monthStart }: { ids: string[]; monthStart: Date },
): Promise<void> {
  await sql`
    select recount_differences(${tx.tenantId}::uuid, ${ids}::uuid[], ${monthStart})
  `.execute(tx.db)
}
