import { getStockValue, setUnitCosts as setEndpoint } from '@inventory-manager/contract/stock/cost-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { countCosted, getCurrency, listStockValues } from './cost-queries.ts'
import { setUnitCosts } from './cost-service.ts'

export function costRoutes(bind: Binder): void {
  bind.member(setEndpoint, async ({ tx, actor, body }) => {
    const { changed, notFound } = await setUnitCosts(tx, actor, body.components)
    return { success: true, changed, not_found: notFound }
  })

  bind.reader(getStockValue, async ({ tx }) => {
    const [currency, places, { withCost, withoutCost }] = await Promise.all([
      getCurrency(tx),
      listStockValues(tx),
      countCosted(tx),
    ])
    return {
      currency,
      value: places.reduce((sum, { value }) => sum + value, 0),
      places,
      with_cost: withCost,
      without_cost: withoutCost,
    }
  })
}
