import { countRoom, type RoomLocation } from '@inventory-manager/contract/counting/room-endpoints'
import { expectedFinish, perHour } from '@inventory-manager/contract/counting/room-rules'
import { locations } from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import type { Binder } from '../platform/http/binder-types.ts'
import { keptOf } from '../stock/kept-queries.ts'
import { getRoomStanding, listCounters, listPaces, paceMinutes, type CounterRow } from './room-queries.ts'

function presentCounter({ user_id, user_name, last_sku, last_at, scans }: CounterRow) {
  return { user_id, user_name, last_sku, last_at: last_at.toISOString(), scans }
}

/** The live count room. */
export function roomRoutes(bind: Binder): void {
  bind.member(countRoom, async ({ tx, actor }) => {
    const standing = await getRoomStanding(tx)
    const counters = await listCounters(tx)
    const paces = await listPaces(tx)
    const { now, components, not_kept: notKept } = standing

    function present(location: string): RoomLocation {
      const counted = standing.counted[location] ?? 0
      const total = keptOf(components, notKept, location)
      const left = Math.max(0, total - counted)
      const pace = paces.find((row) => row.location === location)
      const speed = pace === undefined ? 0 : perHour({ ...pace, firstAt: pace.first_at, now, paceMinutes })
      return {
        location,
        counted,
        total,
        left,
        per_hour: speed,
        expected_finish: expectedFinish({ left, perHour: speed, now })?.toISOString() ?? null,
        counters: counters.filter((row) => row.location === location).map(presentCounter),
        differences: standing.differences[location] ?? 0,
        recounts: standing.recounts[location] ?? 0,
        unknown_codes: standing.unknown_codes[location] ?? 0,
      }
    }

    const own = locations.filter(({ code }) => planOffers(actor.plan, code))
    return { now: now.toISOString(), locations: own.map(({ code }) => present(code)) }
  })
}
