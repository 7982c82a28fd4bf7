import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { findLocation, type LocationCode } from '@inventory-manager/contract/locations'
import { placeName, type Place } from '@inventory-manager/contract/stock/places'
import type {
  sendTransfer as sendEndpoint,
  Transfer,
} from '@inventory-manager/contract/stock/transfer-endpoints'
import type { AuditEvent } from '../audit/events.ts'
import { recordAudit, recordAudits, type NewAuditEntry } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { getComponent } from './component-queries.ts'
import { aboveStockLimit, withinStockLimit } from './stock-limit.ts'
import {
  closeTransfer,
  getTransfer,
  lockTransfers,
  noSuchTransfer,
  receiveSent,
  sendTransfer,
  type TransferRow,
} from './transfer-queries.ts'

export function presentTransfer(row: TransferRow): Transfer {
  return {
    id: row.id,
    barcode: row.barcode,
    description: row.description,
    from: row.from_location,
    to: row.to_location,
    quantity: row.quantity,
    received_quantity: row.status === 'received' ? row.quantity : row.received_in_part,
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

/** What was sent less what has arrived in parts: what is left of a transfer under way, and what the end of another was about. */
function restOf({ quantity, received_in_part: before }: TransferRow): number {
  return quantity - before
}

type Told = { event: AuditEvent; row: TransferRow; quantity: number; facts?: Record<string, unknown> }

function entryOf({ event, row, quantity, facts }: Told): NewAuditEntry {
  return {
    kind: 'configuration',
    event,
    sku: row.barcode,
    quantity,
    location: event === 'transfer_received' ? row.to_location : row.from_location,
    source: 'transfer',
    metadata: { transfer_id: row.id, from: row.from_location, to: row.to_location, note: row.note, ...facts },
  }
}

async function recordTransfer(tx: Tx, actor: Actor, told: Told): Promise<void> {
  await recordAudit(tx, actor, entryOf(told))
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
  const component = await getComponent(tx, body.barcode)
  const arrives = body.from === 'QUARANTINE' || body.to === 'QUARANTINE'
  const sending = { ...body, componentId: component.id, arrives }
  const id = await withinStockLimit(() => sendTransfer(tx, actor, sending))
  if (id === null) {
    throw new AppError('not_enough_stock', {
      sentence: `${placeName(body.from, actor.locationNames)} has less stock than that. Nothing was moved.`,
    })
  }
  const row = await getTransfer(tx, id)
  const event = arrives ? 'stock_moved' : 'transfer_sent'
  await recordTransfer(tx, actor, { event, row, quantity: row.quantity })
  return presentTransfer(row)
}

function requireTarget(
  { locationNames }: Actor,
  { to_location: target }: TransferRow,
  location: LocationCode,
): void {
  if (target === location) return
  throw new AppError('other_location', {
    sentence: `This stock is on its way to ${placeName(target, locationNames)}. Receive it there.`,
  })
}

type Receipt = { id: string; location: LocationCode; quantity?: number | undefined }

/** Receives a transfer at its target: so much of it, or all that is left. What is left after it stays on its way. */
export async function receive(tx: Tx, actor: Actor, { id, location, quantity }: Receipt): Promise<Transfer> {
  requireLocation(actor, location)
  const row = await getTransfer(tx, id)
  requireTarget(actor, row, location)
  const outcome = await withinStockLimit(() => receiveSent(tx, actor, { id, quantity: quantity ?? null }))
  if (outcome !== 'received') throw new AppError(outcome)
  const now = await getTransfer(tx, id)
  const left = now.status === 'received' ? 0 : restOf(now)
  await recordTransfer(tx, actor, {
    event: 'transfer_received',
    row: now,
    quantity: quantity ?? restOf(now),
    facts: left === 0 ? {} : { still_on_its_way: left },
  })
  return presentTransfer(now)
}

type Receipts = { received: number; pieces: number; ended_before: number }

/** Receives all that is left of several transfers at their target, or of none; those that have ended meanwhile are left out. */
export async function receiveAll(
  tx: Tx,
  actor: Actor,
  { location, ids }: { location: LocationCode; ids: string[] },
): Promise<Receipts> {
  requireLocation(actor, location)
  const named = [...new Set(ids)]
  const rows = await lockTransfers(tx, named)
  if (rows.length < named.length) throw noSuchTransfer()
  for (const row of rows) requireTarget(actor, row, location)
  const arriving = rows.filter(({ status }) => status === 'in_transit')
  for (const { id, barcode } of arriving) {
    await withinStockLimit(() => receiveSent(tx, actor, { id, quantity: null }), {
      sentence: `Receiving ${barcode} would bring its stock ${aboveStockLimit}. Nothing was received.`,
    })
  }
  const told = arriving.map((row): Told => ({ event: 'transfer_received', row, quantity: restOf(row) }))
  if (told.length > 0) await recordAudits(tx, actor, told.map(entryOf))
  return {
    received: arriving.length,
    pieces: told.reduce((sum, { quantity }) => sum + quantity, 0),
    ended_before: rows.length - arriving.length,
  }
}

/** Gives what has not arrived of a transfer back to where it came from; throws 'location_not_in_plan'. */
export async function cancel(tx: Tx, actor: Actor, id: string): Promise<Transfer> {
  const origin = findLocation((await getTransfer(tx, id)).from_location)
  if (origin !== null) requireLocation(actor, origin.code)
  const row = await close(tx, actor, { id, status: 'cancelled' })
  await recordTransfer(tx, actor, { event: 'transfer_cancelled', row, quantity: restOf(row) })
  return presentTransfer(row)
}

/** Writes off what has not arrived of a transfer: it is no longer stock anywhere. */
export async function writeOff(
  tx: Tx,
  actor: Actor,
  { id, reason }: { id: string; reason: string },
): Promise<Transfer> {
  const row = await close(tx, actor, { id, status: 'written_off' })
  await recordTransfer(tx, actor, {
    event: 'transfer_written_off',
    row,
    quantity: restOf(row),
    facts: { reason },
  })
  return presentTransfer(row)
}

async function close(
  tx: Tx,
  actor: Actor,
  { id, status }: { id: string; status: 'cancelled' | 'written_off' },
): Promise<TransferRow> {
  await getTransfer(tx, id)
  const closed = await withinStockLimit(() => closeTransfer(tx, actor, { id, status }))
  if (!closed) throw new AppError('not_in_transit')
  return await getTransfer(tx, id)
}
