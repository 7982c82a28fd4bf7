import {
  progressOverTime,
  skuByLocation,
  topScannedSkus,
  topSkus,
  trendWeeks,
  weeklyTrends,
} from '@inventory-manager/contract/analytics/endpoints'
import { locations } from '@inventory-manager/contract/locations'
import type { Binder } from '../platform/http/binder-types.ts'
import { listProgress, listScansByLocation, listTopSkus, listWeeks } from './queries.ts'

export function analyticsRoutes(bind: Binder): void {
  bind.reader(progressOverTime, async ({ tx, query }) => ({ days: await listProgress(tx, query.location) }))

  bind.reader(topScannedSkus, async ({ tx, query }) => ({
    skus: await listTopSkus(tx, { location: query.location, limit: topSkus }),
  }))

  bind.reader(skuByLocation, async ({ tx }) => {
    const top = await listTopSkus(tx, { location: undefined, limit: topSkus })
    const rows = await listScansByLocation(
      tx,
      top.map(({ id }) => id),
    )
    const scansOf = (id: string, code: string) =>
      rows.find((row) => row.component_id === id && row.location === code)?.scans ?? 0
    return {
      skus: top.map(({ id, sku, description }) => ({
        sku,
        description,
        scans: Object.fromEntries(locations.map(({ code }) => [code, scansOf(id, code)])),
      })),
    }
  })

  bind.reader(weeklyTrends, async ({ tx, asking, query }) => {
    const { timeZone } = await asking
    const days = await listWeeks(tx, {
      location: query.location,
      weeks: trendWeeks,
      timeZone,
    })
    const starts = [...new Set(days.map(({ week_start: start }) => start))]
    return {
      weeks: starts.map((start) => ({
        week_start: start,
        days: days.filter((row) => row.week_start === start).map(({ day, scans }) => ({ day, scans })),
      })),
    }
  })
}
