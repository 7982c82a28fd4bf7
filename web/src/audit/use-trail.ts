import { auditScreenSize, listAuditTrail, type AuditEntry } from '@inventory-manager/contract/audit/endpoints'
import { matchesAuditFilter } from '@inventory-manager/contract/audit/rules'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../api/client.ts'
import { dayBoundsIn } from '../lib/dates.ts'
import { useCompanyZone } from '../session/company-settings.ts'
import { isFiltering, numberOf, type Filters } from './audit-filters.tsx'
import { useSearch, type Trail } from './trail-search.ts'

function passes(entry: AuditEntry, filters: Filters, zone: string | null): boolean {
  const number = numberOf(filters)
  if (number !== undefined && entry.id !== number) return false
  return matchesAuditFilter(entry, {
    action: filters.action,
    sku: number === undefined ? filters.sku : '',
    location: filters.location,
    user: filters.user,
    from: dayBoundsIn(filters.start, zone)?.start ?? null,
    to: dayBoundsIn(filters.end, zone)?.end ?? null,
  })
}

/** Whether there is more than what was loaded. */
export function isLonger({ total, entries, looked_back_to: lookedBackTo }: Trail): boolean {
  return total > entries.length || lookedBackTo !== null
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

/** The newest entries and, where the trail is longer, what the server finds in all of it by the filters. */
export function useTrail(filters: Filters, enabled: boolean) {
  const newest = useQuery({
    queryKey: [listAuditTrail.path],
    queryFn: ({ signal }) => call(listAuditTrail, { query: { limit: String(auditScreenSize) } }, { signal }),
    enabled,
  })
  const isWanted = newest.data !== undefined && isLonger(newest.data) && isFiltering(filters)
  const zone = useCompanyZone()
  const search = useSearch(filters, isWanted)
  const found = isWanted ? search.found : undefined
  const source = found ?? newest.data
  const shown = useMemo(
    () => (source?.entries ?? []).filter((entry) => passes(entry, filters, zone)),
    [source, filters, zone],
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
    lookedBackTo: search.lookedBackTo,
    lookFurther: search.lookFurther,
    isLoadingMore: search.isLoadingMore,
    isFetching: newest.isFetching || search.isFetching,
    refresh,
    loadMore: search.loadMore,
    retry: search.isMoreMissing ? search.loadMore : refresh,
  }
}
