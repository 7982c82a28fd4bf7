import { listSpotCounts } from '@inventory-manager/contract/counting/spot-count-endpoints'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** The company's days pass when nothing happens that would be news. */
const refetchMs = 60_000

/** Which SKUs are to be counted beside the whole, and how far that is. */
export const spotCountsQuery = queryOptions({
  queryKey: [listSpotCounts.path],
  queryFn: ({ signal }) => call(listSpotCounts, {}, { signal }),
  refetchInterval: refetchMs,
})
