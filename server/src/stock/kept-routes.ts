import { countKept, keepComponents as endpoint } from '@inventory-manager/contract/stock/kept-endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { requireLocation } from '../platform/http/identity.ts'
import { countKeptAt, keptOf } from './kept-queries.ts'
import { keepComponents } from './kept-service.ts'

export function keptRoutes(bind: Binder): void {
  bind.member(endpoint, async ({ tx, actor, body }) => {
    const { changed, notFound, refused } = await keepComponents(tx, actor, body)
    return { success: true, changed, not_found: notFound, refused }
  })

  bind.reader(countKept, async ({ tx, asking, query: { location } }) => {
    requireLocation(await asking, location)
    const { components, not_kept: notKept, empty } = await countKeptAt(tx, location)
    const kept = keptOf(components, notKept, location)
    return { kept, not_kept: components - kept, empty }
  })
}
