import {
  decidedStatuses,
  undecidedStatuses,
  type DiscrepancyStatus,
} from '@inventory-manager/contract/discrepancies/rules'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'
import { lockStockOf } from '../stock/lock-stock.ts'
import { lastScanOf } from '../stock/standing-attempts.ts'

/** Differences that wait for a decision, those scanned last first, with their stock locked. */
export async function lockUndecided(tx: Tx, ids: string[]) {
  await lockStockOf(tx, ids)
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

/**
 * Differences as they stand, for who reopens them: apart from the update that keeps it, because a cluster makes no JSON of a row's own
 * times within what sets it.
 */
function asTheyStand(tx: Tx, ids: string[]) {
  return sql`(
    select id, jsonb_build_object(
      'status', status, 'reason', reason, 'note', note, 'decided_by', decided_by, 'updated_at', updated_at
    ) as it_stood
    from discrepancies
    where tenant_id = ${tx.tenantId}::uuid and id = any (${ids}::uuid[])
    offset 0
  )`
}

/** Keeps of differences how they were decided and by whom; of dismissed ones also how they stood, for who reopens them. */
export async function setDecision(
  tx: Tx,
  actor: Actor,
  { ids, ...decision }: Decision & { ids: string[] },
): Promise<void> {
  const decided = sql`status = ${decision.status}, reason = ${decision.reason}, note = ${decision.note},
    decided_by = ${actor.userName}, updated_at = statement_timestamp()`
  if (decision.status === 'dismissed') {
    await sql`
      update discrepancies as decided set ${decided}, before_dismissal = before.it_stood
      from ${asTheyStand(tx, ids)} as before
      where decided.tenant_id = ${tx.tenantId}::uuid and decided.id = before.id
    `.execute(tx.db)
    return
  }
  await sql`
    update discrepancies set ${decided} where tenant_id = ${tx.tenantId}::uuid and id = any (${ids}::uuid[])
  `.execute(tx.db)
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
