import type { Place } from '@inventory-manager/contract/stock/places'
import type { TransferState } from '@inventory-manager/contract/stock/transfer-endpoints'
import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'

function selectTransfers(tx: Tx) {
  return tx.db
    .selectFrom('transfers')
    .innerJoin('components', (join) =>
      join
        .onRef('components.tenant_id', '=', 'transfers.tenant_id')
        .onRef('components.id', '=', 'transfers.component_id'),
    )
    .selectAll('transfers')
    .select(['components.barcode', 'components.description'])
    .where('transfers.tenant_id', '=', tx.tenantId)
}

export type TransferRow = Awaited<ReturnType<typeof listTransfers>>[number]

type Filter = {
  state: TransferState
  to?: string | undefined
  componentId?: string
  limit: number
  cursor?: string | undefined
}

/** What is on its way, or what was, newest first, one more than the limit where there are more. */
export async function listTransfers(tx: Tx, filter: Filter) {
  let query = selectTransfers(tx).where(
    'transfers.status',
    filter.state === 'under_way' ? '=' : '<>',
    'in_transit',
  )
  if (filter.to !== undefined) query = query.where('transfers.to_location', '=', filter.to)
  if (filter.componentId !== undefined) {
    query = query.where('transfers.component_id', '=', filter.componentId)
  }
  if (filter.cursor !== undefined) query = query.where('transfers.id', '<', filter.cursor)
  return await query
    .orderBy('transfers.id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

/** How much of some components is on its way to each place, by their ids; nothing of what is not. */
export async function sumArriving(
  tx: Tx,
  componentIds: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const rows = await tx.db
    .selectFrom('transfers')
    .select(['component_id', 'to_location'])
    .select(sql<number>`sum(quantity - received_in_part)::float8`.as('pieces'))
    .where('tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`component_id = any (${componentIds}::uuid[])`)
    .where('status', '=', 'in_transit')
    .groupBy(['component_id', 'to_location'])
    .execute()
  const sums = new Map<string, Map<string, number>>()
  for (const { component_id: id, to_location: place, pieces } of rows) {
    sums.set(id, (sums.get(id) ?? new Map<string, number>()).set(place, pieces))
  }
  return sums
}

export function noSuchTransfer(): AppError {
  return new AppError('not_found', { sentence: 'There is no such transfer.' })
}

export async function getTransfer(tx: Tx, id: string): Promise<TransferRow> {
  const row = await selectTransfers(tx).where('transfers.id', '=', id).executeTakeFirst()
  if (row === undefined) throw noSuchTransfer()
  return row
}

/**
 * Transfers by their ids, locked and with the stock of their target, each in one order as others lock them, so that nobody waits in a
 * ring. They are in the order of their components.
 */
export async function lockTransfers(tx: Tx, ids: string[]): Promise<TransferRow[]> {
  const named = sql<boolean>`transfers.id = any (${ids}::uuid[])`
  await tx.db
    .selectFrom('transfers')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where(named)
    .orderBy('id')
    .forUpdate()
    .execute()
  await sql`
    select 1 from stock
    where stock.tenant_id = ${tx.tenantId}::uuid and exists (
      select from transfers
      where transfers.tenant_id = stock.tenant_id and transfers.component_id = stock.component_id
        and transfers.to_location = stock.location and ${named}
    )
    order by stock.component_id, stock.location
    for update
  `.execute(tx.db)
  return await selectTransfers(tx)
    .where(named)
    .orderBy('transfers.component_id')
    .orderBy('transfers.id')
    .execute()
}

type Sending = {
  componentId: string
  from: Place
  to: Place
  quantity: number
  arrives: boolean
  note: string
}

/** Takes stock out and gives the transfer's id; null, and nothing done, where there is less than that. */
export async function sendTransfer(tx: Tx, actor: Actor, sending: Sending): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select send_transfer(
      ${tx.tenantId}::uuid, ${sending.componentId}::uuid, ${sending.from}, ${sending.to}, ${sending.quantity},
      ${sending.arrives}, ${sending.note}, ${actor.userId}::uuid, ${actor.userName}
    ) as id
  `.execute(tx.db)
  return onlyRow(rows).id
}

export type ReceiptOutcome = 'received' | 'not_in_transit' | 'more_than_sent'

/** Receives so much of a transfer, or all that is left of it; nothing is done unless the outcome is `received`. */
export async function receiveSent(
  tx: Tx,
  actor: Actor,
  { id, quantity }: { id: string; quantity: number | null },
): Promise<ReceiptOutcome> {
  const { rows } = await sql<{ outcome: ReceiptOutcome }>`
    select receive_transfer(
      ${tx.tenantId}::uuid, ${id}::uuid, ${quantity}::integer, ${actor.userId}::uuid, ${actor.userName}
    ) as outcome
  `.execute(tx.db)
  return onlyRow(rows).outcome
}

/** Ends a transfer by what becomes of the rest of it; false, and nothing done, where it is not under way any more. */
export async function closeTransfer(
  tx: Tx,
  actor: Actor,
  { id, status }: { id: string; status: 'cancelled' | 'written_off' },
): Promise<boolean> {
  const { rows } = await sql<{ closed: boolean }>`
    select close_transfer(${tx.tenantId}::uuid, ${id}::uuid, ${status}, ${actor.userId}::uuid, ${actor.userName})
      as closed
  `.execute(tx.db)
  return onlyRow(rows).closed
}
