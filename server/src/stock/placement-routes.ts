import { placeComponents as endpoint } from '@inventory-manager/contract/stock/placement-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { placeComponents } from './placement-service.ts'

export function placementRoutes(bind: Binder): void {
  bind.member(endpoint, async ({ tx, actor, body }) => {
    const { changed, notFound } = await placeComponents(tx, actor, body)
    return { success: true, changed, not_found: notFound }
  })
}
