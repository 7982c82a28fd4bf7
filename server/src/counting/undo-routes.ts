import { countMessages, undoRefusals } from '@inventory-manager/contract/counting/messages'
import { undoCount as undoCountEndpoint } from '@inventory-manager/contract/counting/undo-endpoints'
import { AppError } from '../platform/http/app-error.ts'
import type { Binder } from '../platform/http/binder.ts'
import { requireLocation } from '../stock/service.ts'
import { undoCount } from './undo-queries.ts'

export function undoRoutes(bind: Binder): void {
  bind.member(undoCountEndpoint, async ({ tx, actor, body }) => {
    const undone = await undoCount(tx, actor, body.key)
    if (undone.outcome === 'not_found') {
      throw new AppError('not_found', { sentence: countMessages.nothingToUndo })
    }
    if (undone.outcome !== 'undone') {
      throw new AppError('cannot_undo', { sentence: undoRefusals[undone.outcome] })
    }
    const { sku, quantity, location, source } = undone
    requireLocation(actor, location)
    return { success: true, barcode: sku, quantity, location, source }
  })
}
