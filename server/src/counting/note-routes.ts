import { noteCount } from '@inventory-manager/contract/counting/note-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { noteOn } from './note-service.ts'

export function noteRoutes(bind: Binder): void {
  bind.member(noteCount, async ({ tx, actor, body }) => {
    const { sku, location } = await noteOn(tx, actor, body)
    return { success: true, barcode: sku, location, note: body.note }
  })
}
