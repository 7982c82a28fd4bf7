import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { placeName, type Place } from '@inventory-manager/contract/stock/places'
import type {
  sendTransfer as sendEndpoint,
  Transfer,
} from '@inventory-manager/contract/stock/transfer-endpoints'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { getComponent } from './component-queries.ts'
import { requireLocation, withinStockLimit } from './service.ts'
import { closeTransfer, getTransfer, sendTransfer, type TransferRow } from './transfer-queries.ts'

export function presentTransfer(row: TransferRow): Transfer {
  return {
    id: row.id,
    barcode: row.barcode,
    description: row.description,
    from: row.from_location,
    to: row.to_location,
    quantity: row.quantity,
    status: row.status,
    note: row.note,
    user_name: row.user_name,
    timestamp: row.created_at.toISOString(),
    closed_by: row.closed_by,
    closed_at: row.closed_at?.toISOString() ?? null,
  }
}

function requirePlace(actor: Actor, place: Place): void {
  if (place !== 'QUARANTINE') requireLocation(actor, place)
}

async function recordTransfer(tx: Tx, actor: Actor, { event, row }: { event: string; row: TransferRow }) {
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event,
    sku: row.barcode,
    quantity: row.quantity,
    location: event === 'transfer_received' ? row.to_location : row.from_location,
    source: 'transfer',
    metadata: { transfer_id: row.id, from: row.from_location, to: row.to_location, note: row.note },
  })
}

/** Puts stock on its way. Quarantine is a place nothing travels to: what goes there or comes from there is there at once. */
export async function send(
  tx: Tx,
  actor: Actor,
  body: EndpointInput<typeof sendEndpoint>['body'],
): Promise<Transfer> {
  if (body.from === body.to) throw new AppError('same_location')
  requirePlace(actor, body.from)
  requirePlace(actor, body.to)
  const component = await getComponent(tx, [body.barcode])
  const arrives = body.from === 'QUARANTINE' || body.to === 'QUARANTINE'
  const sending = { ...body, componentId: component.id, arrives }
  const id = await withinStockLimit(() => sendTransfer(tx, actor, sending))
  if (id === null) {
    throw new AppError('not_enough_stock', {
      sentence: `There is less stock than that in ${placeName(body.from)}. Nothing was moved.`,
    })
  }
  const row = await getTransfer(tx, id)
  await recordTransfer(tx, actor, { event: arrives ? 'stock_moved' : 'transfer_sent', row })
  return presentTransfer(row)
}

/** Receives a transfer at its target, once. */
export async function receive(
  tx: Tx,
  actor: Actor,
  { id, location }: { id: string; location: LocationCode },
): Promise<Transfer> {
  requireLocation(actor, location)
  const row = await getTransfer(tx, id)
  if (row.to_location !== location) {
    throw new AppError('other_location', {
      sentence: `This stock is on its way to ${placeName(row.to_location)}. Receive it there.`,
    })
  }
  return await close(tx, actor, { row, status: 'received' })
}

/** Gives a transfer back to where it came from. */
export async function cancel(tx: Tx, actor: Actor, id: string): Promise<Transfer> {
  return await close(tx, actor, { row: await getTransfer(tx, id), status: 'cancelled' })
}

async function close(
  tx: Tx,
  actor: Actor,
  { row, status }: { row: TransferRow; status: 'received' | 'cancelled' },
): Promise<Transfer> {
  const closed = await withinStockLimit(() => closeTransfer(tx, actor, { id: row.id, status }))
  if (!closed) throw new AppError('not_in_transit')
  await recordTransfer(tx, actor, { event: `transfer_${status}`, row })
  return presentTransfer(await getTransfer(tx, row.id))
}
