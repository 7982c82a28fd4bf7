import {
  decideDiscrepancies,
  listDiscrepancies,
  type Discrepancy,
  type DiscrepancyOrder,
  type DiscrepancyStatus,
} from '@inventory-manager/contract/discrepancies/endpoints'
import type { EndpointCall } from '@inventory-manager/contract/endpoint'
import type { CountType } from '@inventory-manager/contract/values'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'

export type Filters = {
  status: DiscrepancyStatus | ''
  location: string
  countType: CountType | ''
  search: string
  sort: DiscrepancyOrder
}

const pageSize = '100'

/** What the filters ask for; empty ones ask for all. */
export function filterQuery({ status, location, countType, search }: Omit<Filters, 'sort'>) {
  return {
    ...(status === '' ? {} : { status }),
    ...(location === '' ? {} : { location }),
    ...(countType === '' ? {} : { count_type: countType }),
    ...(search.trim() === '' ? {} : { search: search.trim() }),
  }
}

function queryOf(filters: Filters, cursor: string | null) {
  return {
    sort: filters.sort,
    limit: pageSize,
    ...filterQuery(filters),
    ...(cursor === null ? {} : { cursor }),
  }
}

/** The differences that pass the filters, page after page; what is shown stays while others load. */
export function useDiscrepancies(filters: Filters) {
  const pages = useInfiniteQuery({
    queryKey: [listDiscrepancies.path, filters],
    queryFn: ({ signal, pageParam }) =>
      call(listDiscrepancies, { query: queryOf(filters, pageParam) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (previous) => previous,
  })
  const items: Discrepancy[] = pages.data?.pages.flatMap((page) => page.discrepancies) ?? []
  return { ...pages, items, total: pages.data?.pages[0]?.total ?? 0 }
}

type Decision = EndpointCall<typeof decideDiscrepancies>['body']

/** Sends a decision and loads the lists again; throws ApiError, and then nothing was decided. */
export function useDecide(): (decision: Decision) => Promise<number> {
  const client = useQueryClient()
  const once = useOnce()
  return async (body) => {
    const { decided } = await once(body, (idempotencyKey) =>
      call(decideDiscrepancies, { body }, { idempotencyKey }),
    )
    await client.invalidateQueries({ queryKey: [listDiscrepancies.path] })
    return decided
  }
}
