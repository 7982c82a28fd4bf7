import {
  progressOverTime,
  skuByLocation,
  topScannedSkus,
  weeklyTrends,
} from '@inventory-manager/contract/analytics/endpoints'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { useQueries } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** How often the charts load again by themselves (specification 9). */
const refreshMs = 300_000

/** What the four charts show; loads on opening, when the location changes, and every five minutes while signed in. */
export function useAnalytics(location: LocationCode, enabled: boolean) {
  const [progress, top, heatmap, trends] = useQueries({
    queries: [
      {
        queryKey: [progressOverTime.path],
        queryFn: ({ signal }) => call(progressOverTime, { query: {} }, { signal }),
        refetchInterval: refreshMs,
        enabled,
      },
      {
        queryKey: [topScannedSkus.path],
        queryFn: ({ signal }) => call(topScannedSkus, { query: {} }, { signal }),
        refetchInterval: refreshMs,
        enabled,
      },
      {
        queryKey: [skuByLocation.path],
        queryFn: ({ signal }) => call(skuByLocation, {}, { signal }),
        refetchInterval: refreshMs,
        enabled,
      },
      {
        queryKey: [weeklyTrends.path, location],
        queryFn: ({ signal }) => call(weeklyTrends, { query: { location } }, { signal }),
        refetchInterval: refreshMs,
        enabled,
      },
    ],
  })
  return { progress, top, heatmap, trends }
}

export type Analytics = ReturnType<typeof useAnalytics>

/** Loads all four anew and says how many failed. */
export async function refreshAll({ progress, top, heatmap, trends }: Analytics) {
  const results = await Promise.all([progress, top, heatmap, trends].map(({ refetch }) => refetch()))
  return { failed: results.filter(({ isError }) => isError).length, all: results.length }
}
