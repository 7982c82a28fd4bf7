import { adjustQuantity } from '@inventory-manager/contract/stock/adjust-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { adjust } from './adjust-service.ts'
import { presentComponent } from './presenter.ts'

export function adjustRoutes(bind: Binder): void {
  bind.member(adjustQuantity, async ({ tx, actor, body }) => ({
    success: true,
    component: presentComponent(await adjust(tx, actor, body), actor.weekday),
  }))
}
