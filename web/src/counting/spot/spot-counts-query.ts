import { listSpotCounts } from '@inventory-manager/contract/counting/spot/spot-count-endpoints'
import { queryOptions } from '@tanstack/react-query'
import { asTimePassesMs } from '../../api/as-time-passes.ts'
import { call } from '../../api/client.ts'

/** Which SKUs are to be counted beside the whole, and how far that is. */
export const spotCountsQuery = queryOptions({
  queryKey: [listSpotCounts.path],
  queryFn: ({ signal }) => call(listSpotCounts, {}, { signal }),
  refetchInterval: asTimePassesMs,
})
