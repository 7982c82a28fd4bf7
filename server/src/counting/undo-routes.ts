import { undoCount } from '@inventory-manager/contract/counting/undo-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { undo } from './undo-service.ts'

export function undoRoutes(bind: Binder): void {
  bind.member(undoCount, async ({ tx, actor, body }) => {
    const { sku, quantity, location, source } = await undo(tx, actor, body.key)
    return { success: true, barcode: sku, quantity, location, source }
  })
}
