import {
  getStockValue as valueEndpoint,
  setUnitCosts as setEndpoint,
} from '@inventory-manager/contract/stock/cost-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { getCurrency, getStockValue } from './cost-queries.ts'
import { setUnitCosts } from './cost-service.ts'

export function costRoutes(bind: Binder): void {
  bind.member(setEndpoint, async ({ tx, actor, body }) => {
    const { changed, notFound } = await setUnitCosts(tx, actor, body.components)
    return { success: true, changed, not_found: notFound }
  })

  bind.reader(valueEndpoint, async ({ tx }) => {
    const [currency, { withCost, withoutCost, ...worth }] = await Promise.all([
      getCurrency(tx),
      getStockValue(tx),
    ])
    return { currency, ...worth, with_cost: withCost, without_cost: withoutCost }
  })
}
