import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { wholeNumber } from '@inventory-manager/contract/numbers'
import type { adjustQuantity } from '@inventory-manager/contract/stock/adjust-endpoints'
import { adjustmentFault } from '@inventory-manager/contract/stock/adjusting'
import type { updateQuantity } from '@inventory-manager/contract/stock/endpoints'
import { placeName } from '@inventory-manager/contract/stock/places'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { getActiveComponent } from './component-queries.ts'
import { getComponentWithStock, moveStock, setStock, type ComponentRow } from './queries.ts'
import { withinStockLimit } from './stock-limit.ts'

type Adjustment = EndpointInput<typeof adjustQuantity>['body']
type Correction = EndpointInput<typeof updateQuantity>['body']

const withNote = (note: string) => (note === '' ? {} : { note })

function quantityAt({ stock }: ComponentRow, { location }: Adjustment): number {
  return stock.find((row) => row.location === location)?.quantity ?? 0
}

/** Changes stock by an amount, on top of whatever others change at the same moment, and gives the component with it. */
export async function adjust(tx: Tx, actor: Actor, body: Adjustment): Promise<ComponentRow> {
  const fault = adjustmentFault(body)
  if (fault !== null) throw new AppError('invalid_request', { sentence: fault })
  requireLocation(actor, body.location)
  const { id, barcode } = await getActiveComponent(tx, body.barcode)
  const { amount, reason, location, note } = body
  const moved = await withinStockLimit(() =>
    moveStock(tx, actor, { componentId: id, location, difference: amount, cause: reason, note }),
  )
  const component = await getComponentWithStock(tx, barcode)
  const now = quantityAt(component, body)
  if (!moved) {
    throw new AppError('below_zero', {
      sentence: `Only ${wholeNumber(now)} of ${barcode} ${now === 1 ? 'is' : 'are'} in stock at ${placeName(location, actor.locationNames)}. Nothing was changed.`,
    })
  }
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event: 'quantity_adjusted',
    sku: barcode,
    quantity: amount,
    location,
    source: 'correction',
    metadata: {
      reason,
      old_value: now - amount,
      new_value: now,
      ...withNote(note),
    },
  })
  return component
}

/** Sets stock to what there is, whatever it was, and gives the component with it. */
export async function correct(tx: Tx, actor: Actor, body: Correction): Promise<ComponentRow> {
  requireLocation(actor, body.location)
  const { id, barcode } = await getActiveComponent(tx, body.barcode)
  const before = await setStock(tx, actor, { ...body, componentId: id })
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event: 'quantity_updated',
    sku: barcode,
    quantity: body.quantity,
    location: body.location,
    source: 'correction',
    metadata: { old_value: before, new_value: body.quantity, ...withNote(body.note) },
  })
  return await getComponentWithStock(tx, barcode)
}
