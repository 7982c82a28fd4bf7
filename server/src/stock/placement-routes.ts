import { planLocationCodes } from '@inventory-manager/contract/plans'
import {
  countLowStock,
  placeComponents as endpoint,
} from '@inventory-manager/contract/stock/placement-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { countLow } from './placement-queries.ts'
import { placeComponents } from './placement-service.ts'

export function placementRoutes(bind: Binder): void {
  bind.member(endpoint, async ({ tx, actor, body }) => {
    const { changed, notFound } = await placeComponents(tx, actor, body)
    return { success: true, changed, not_found: notFound }
  })

  // Apart from the overview: in a company of hundreds of thousands it takes a second.
  bind.reader(countLowStock, async ({ tx, asking }) => {
    const { plan } = await asking
    return {
      low: await countLow(tx, planLocationCodes(plan)),
    }
  })
}
