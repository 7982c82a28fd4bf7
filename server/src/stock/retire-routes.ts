import { reinstateComponent, retireComponent } from '@inventory-manager/contract/stock/retire-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { bringBack, takeOutOfUse } from './retire-service.ts'

export function retireRoutes(bind: Binder): void {
  bind.member(retireComponent, async ({ tx, actor, body }) => {
    await takeOutOfUse(tx, actor, body.barcode)
    return { success: true }
  })

  bind.member(reinstateComponent, async ({ tx, actor, body }) => {
    await bringBack(tx, actor, body.barcode)
    return { success: true }
  })
}
