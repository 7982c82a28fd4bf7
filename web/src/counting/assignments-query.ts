import { listAssignments } from '@inventory-manager/contract/counting/assignment-endpoints'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** The company's days pass when nothing happens that would be news. */
const refetchMs = 60_000

/** Who is asked to count what this month. */
export const assignmentsQuery = queryOptions({
  queryKey: [listAssignments.path],
  queryFn: ({ signal }) => call(listAssignments, {}, { signal }),
  refetchInterval: refetchMs,
})
