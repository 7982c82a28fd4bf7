import {
  askSpotCount as askEndpoint,
  listSpotCounts as listEndpoint,
  listSpotSkus as skusEndpoint,
  suggestSpotCount as suggestEndpoint,
  takeBackSpotCount as takeBackEndpoint,
} from '@inventory-manager/contract/counting/spot/spot-count-endpoints'
import { planLocationCodes } from '@inventory-manager/contract/plans'
import type { Binder } from '../../platform/http/binder-types.ts'
import { requireLocation } from '../../platform/http/identity.ts'
import { getCurrency } from '../../stock/cost-queries.ts'
import { listSpotCounts, listSpotSkus } from './spot-count-queries.ts'
import { askSpotCount, planSpotCount, takeBackSpotCount } from './spot-count-service.ts'

/** Spot counts, what is left of them, and what to count next. */
export function spotCountRoutes(bind: Binder): void {
  bind.member(listEndpoint, async ({ tx, actor }) => {
    const { today } = actor
    const locations = planLocationCodes(actor.plan)
    const userId = actor.role === 'admin' ? null : actor.userId
    const rows = await listSpotCounts(tx, { today, locations, userId })
    const spotCounts = rows.map(({ created_at: at, ...row }) => ({
      ...row,
      created_at: at.toISOString(),
      overdue: row.due_on < today && row.counted < row.total,
    }))
    return { spot_counts: spotCounts }
  })

  bind.member(skusEndpoint, async ({ tx, actor, query: { location } }) => {
    requireLocation(actor, location)
    const rows = await listSpotSkus(tx, { location, today: actor.today, userId: actor.userId })
    return { skus: rows.map(({ asked_at: at, ...row }) => ({ ...row, asked_at: at.toISOString() })) }
  })

  bind.member(askEndpoint, async ({ tx, actor, body }) => {
    const { location, barcodes, user_id: userId = null, due_on: dueOn } = body
    const { id, asked, notFound } = await askSpotCount(tx, actor, { location, barcodes, userId, dueOn })
    return { success: true, id, asked, not_found: notFound }
  })

  bind.member(takeBackEndpoint, async ({ tx, actor, params }) => {
    await takeBackSpotCount(tx, actor, params.id)
    return { success: true }
  })

  bind.reader(suggestEndpoint, async ({ tx, asking, query }) => {
    const { secondsPerSku, isMeasured, risks } = await planSpotCount(tx, await asking, query)
    return {
      suggestions: risks.map(({ last_counted: at, ...risk }) => ({
        ...risk,
        last_counted: at?.toISOString() ?? null,
      })),
      seconds_per_sku: secondsPerSku,
      measured: isMeasured,
      currency: await getCurrency(tx),
    }
  })
}
