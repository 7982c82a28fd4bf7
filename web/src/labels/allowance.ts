import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { dashboard } from '@inventory-manager/contract/overview/endpoints'
import { getPlan } from '@inventory-manager/contract/plans'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'

type Allowance = 'unlimited' | { plan: string; used: number; limit: number; left: number }

function allowanceOf({ subscription, usage }: EndpointReply<typeof dashboard>): Allowance {
  const { labels_used: used, labels_limit: limit } = usage
  if (limit === 'unlimited') return limit
  return { plan: getPlan(subscription.plan).name, used, limit, left: Math.max(0, limit - used) }
}

const query = queryOptions({
  queryKey: [dashboard.path],
  queryFn: ({ signal }) => call(dashboard, {}, { signal }),
  select: allowanceOf,
})

/** The month's labels and what is left of them; undefined until that is known. */
export function useAllowance(): Allowance | undefined {
  return useQuery(query).data
}

function pastLimit(allowance: Allowance | undefined, labels: number): string | null {
  if (allowance === undefined || allowance === 'unlimited' || labels <= allowance.left) return null
  return `${labelMessages.pastLimit({ ...allowance, labels })} The count starts again on the first of next month.`
}

/** Says why so many labels are more than are left; null where they are not, or where that is not known. */
export function usePastLimit(): (labels: number) => Promise<string | null> {
  const { data, refetch } = useQuery(query)

  return async (labels) => {
    if (data === undefined || data === 'unlimited') return null
    // Others may have printed since, and the plan may have grown.
    return pastLimit((await refetch()).data, labels)
  }
}
