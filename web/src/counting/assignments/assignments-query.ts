import { listAssignments } from '@inventory-manager/contract/counting/assignments/assignment-endpoints'
import { queryOptions } from '@tanstack/react-query'
import { asTimePassesMs } from '../../api/as-time-passes.ts'
import { call } from '../../api/client.ts'

/** Who is asked to count what this month. */
export const assignmentsQuery = queryOptions({
  queryKey: [listAssignments.path],
  queryFn: ({ signal }) => call(listAssignments, {}, { signal }),
  refetchInterval: asTimePassesMs,
})
