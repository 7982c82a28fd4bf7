import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'

/** The id below which no transaction that is under way can still add anything (decision 12). */
async function getHorizon(tx: Tx): Promise<string> {
  const { rows } = await sql<{ horizon: string }>`select audit_horizon() as horizon`.execute(tx.db)
  return onlyRow(rows).horizon
}

type Page = {
  componentId: string | undefined
  limit: number
  cursor: string | undefined
  from: string | undefined
}

/**
 * Movements after a cursor, oldest first, one more than the limit where there are more. First the horizon, then the movements: what was
 * under way meanwhile is above it, and all below it is seen, by a transaction of which each statement sees what was committed before it.
 * So none comes later that would stand before what was read.
 */
export async function listSettledMovements(tx: Tx, { componentId, limit, cursor, from }: Page) {
  const horizon = await getHorizon(tx)
  let query = tx.db
    .selectFrom('movements')
    .innerJoin('components', (join) =>
      join
        .onRef('components.tenant_id', '=', 'movements.tenant_id')
        .onRef('components.id', '=', 'movements.component_id'),
    )
    .select([
      'movements.id',
      'components.barcode',
      'movements.location',
      'movements.delta',
      'movements.quantity_after',
      'movements.cause',
      'movements.note',
      'movements.user_name',
      'movements.created_at',
    ])
    .where('movements.tenant_id', '=', tx.tenantId)
    .where('movements.id', '<', horizon)
    .orderBy('movements.id')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('movements.id', '>', cursor)
  else if (from !== undefined) query = query.where('movements.id', '>=', from)
  if (componentId !== undefined) query = query.where('movements.component_id', '=', componentId)
  return await query.execute()
}

/** Whether there is a movement of this id. */
export async function isMovement(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('movements')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** The newest movement before an id that nothing can come before any more; null where there is none. */
export async function findSettledBefore(
  tx: Tx,
  { componentId, id }: { componentId: string | undefined; id: string },
): Promise<string | null> {
  const horizon = await getHorizon(tx)
  let query = tx.db
    .selectFrom('movements')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '<', horizon)
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .limit(1)
  if (componentId !== undefined) query = query.where('component_id', '=', componentId)
  return (await query.executeTakeFirst())?.id ?? null
}

type PageOfOne = { componentId: string; limit: number; cursor?: string | undefined }

/** Movements of a component, newest first, one more than the limit where there are more. */
export async function listMovements(tx: Tx, { componentId, limit, cursor }: PageOfOne) {
  let query = tx.db
    .selectFrom('movements')
    .select(['id', 'location', 'delta', 'quantity_after', 'cause', 'note', 'user_name', 'created_at'])
    .where('tenant_id', '=', tx.tenantId)
    .where('component_id', '=', componentId)
  if (cursor !== undefined) query = query.where('id', '<', cursor)
  return await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}
