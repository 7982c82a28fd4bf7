import { auditScreenSize, listAuditTrail, type AuditEntry } from '@inventory-manager/contract/audit/endpoints'
import { matchesAuditFilter } from '@inventory-manager/contract/audit/rules'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../api/client.ts'
import { dayBounds } from '../lib/dates.ts'
import { useSettled } from '../lib/settled.ts'
import { isFiltering, serverQuery, type Filters } from './audit-filters.tsx'

const settledMs = 300

export type Trail = EndpointReply<typeof listAuditTrail>

function passes(entry: AuditEntry, filters: Filters): boolean {
  return matchesAuditFilter(entry, {
    action: filters.action,
    sku: filters.sku,
    from: dayBounds(filters.start)?.start ?? null,
    to: dayBounds(filters.end)?.end ?? null,
  })
}

function isLonger({ total, entries }: Trail): boolean {
  return total > entries.length
}

/** How far the entries that are shown reach: the whole trail, its newest part, or not known before the server answers. */
export type Reach = 'whole' | 'newest' | 'searching' | 'failed'

type Search = { isWanted: boolean; isAwaited: boolean; error: Error | null }

function reachOf({ isWanted, isAwaited, error }: Search, newest: Trail | undefined): Reach {
  if (newest === undefined || !isLonger(newest)) return 'whole'
  if (!isWanted) return 'newest'
  if (isAwaited) return 'searching'
  return error === null ? 'whole' : 'failed'
}

/** What the server finds by the filters, as much of it at a time as the screen holds. */
function useSearch(filters: Filters, isWanted: boolean) {
  const sku = useSettled(filters.sku, settledMs)
  const asked = { ...filters, sku }
  const query = useInfiniteQuery({
    queryKey: [listAuditTrail.path, asked],
    queryFn: ({ pageParam, signal }) => {
      const part = { limit: String(auditScreenSize), cursor: pageParam }
      return call(listAuditTrail, { query: { ...serverQuery(asked), ...part } }, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page): string | undefined => page.next_cursor ?? undefined,
    enabled: isWanted && isFiltering(asked),
    placeholderData: (previous) => previous,
  })
  const { data, hasNextPage, isFetching } = query
  const found = useMemo(() => {
    const pages = data?.pages ?? []
    const last = pages.at(-1)
    return last && { entries: pages.flatMap(({ entries }) => entries), total: last.total }
  }, [data])

  async function loadMore(): Promise<void> {
    if (hasNextPage) await query.fetchNextPage()
  }

  return {
    found,
    hasNextPage,
    isFetching,
    error: query.error,
    // What was found before narrows down at once, with each letter; what else there is comes later.
    isAwaited: sku !== filters.sku || query.isPlaceholderData || (isFetching && found === undefined),
    isLoadingMore: query.isFetchingNextPage,
    isMoreMissing: query.isFetchNextPageError,
    refetch: query.refetch,
    loadMore,
  }
}

/** The newest entries and, where the trail is longer, what the server finds in all of it by the filters. */
export function useTrail(filters: Filters, enabled: boolean) {
  const newest = useQuery({
    queryKey: [listAuditTrail.path],
    queryFn: ({ signal }) => call(listAuditTrail, { query: { limit: String(auditScreenSize) } }, { signal }),
    enabled,
  })
  const isWanted = newest.data !== undefined && isLonger(newest.data) && isFiltering(filters)
  const search = useSearch(filters, isWanted)
  const found = isWanted ? search.found : undefined
  const source = found ?? newest.data
  const shown = useMemo(
    () => (source?.entries ?? []).filter((entry) => passes(entry, filters)),
    [source, filters],
  )
  // Of what is found, the screen holds a part until it is paged on to.
  const isPart = !search.isAwaited && search.hasNextPage

  async function refresh(): Promise<void> {
    await Promise.all([newest.refetch(), ...(isWanted ? [search.refetch()] : [])])
  }

  return {
    newest: newest.data,
    error: newest.error,
    searchError: search.error,
    reach: reachOf({ ...search, isWanted }, newest.data),
    shown,
    all: found !== undefined && isPart ? found.total : shown.length,
    isLoadingMore: search.isLoadingMore,
    isFetching: newest.isFetching || search.isFetching,
    refresh,
    loadMore: search.loadMore,
    retry: search.isMoreMissing ? search.loadMore : refresh,
  }
}
