import { auditScreenSize, listAuditTrail, type AuditEntry } from '@inventory-manager/contract/audit/endpoints'
import { matchesAuditFilter } from '@inventory-manager/contract/audit/rules'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { useQuery } from '@tanstack/react-query'
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

type Search = { isWanted: boolean; isAwaited: boolean; error: Error | null; found: Trail | undefined }

function reachOf({ isWanted, isAwaited, error, found }: Search, newest: Trail | undefined): Reach {
  if (newest === undefined || !isLonger(newest)) return 'whole'
  if (!isWanted) return 'newest'
  if (isAwaited) return 'searching'
  if (error !== null) return 'failed'
  return found?.next_cursor === null ? 'whole' : 'newest'
}

/** The newest entries and, where the trail is longer, what the server finds in all of it by the filters. */
export function useTrail(filters: Filters, enabled: boolean) {
  const newest = useQuery({
    queryKey: [listAuditTrail.path],
    queryFn: ({ signal }) => call(listAuditTrail, { query: { limit: String(auditScreenSize) } }, { signal }),
    enabled,
  })
  const sku = useSettled(filters.sku, settledMs)
  const asked = { ...filters, sku }
  const isWanted = newest.data !== undefined && isLonger(newest.data) && isFiltering(filters)
  const search = useQuery({
    queryKey: [listAuditTrail.path, asked],
    queryFn: ({ signal }) =>
      call(listAuditTrail, { query: { ...serverQuery(asked), limit: String(auditScreenSize) } }, { signal }),
    enabled: isWanted && isFiltering(asked),
    placeholderData: (previous) => previous,
  })
  // What was found before narrows down at once, with each letter; what else there is comes later.
  const { data: found, error } = search
  const isAwaited =
    sku !== filters.sku || search.isPlaceholderData || (search.isFetching && found === undefined)
  const reach = reachOf({ isWanted, isAwaited, error, found }, newest.data)
  const source = isWanted && found !== undefined ? found : newest.data
  const shown = useMemo(
    () => (source?.entries ?? []).filter((entry) => passes(entry, filters)),
    [source, filters],
  )

  async function refresh(): Promise<void> {
    await Promise.all([newest.refetch(), ...(isWanted ? [search.refetch()] : [])])
  }

  const isFetching = newest.isFetching || search.isFetching
  return {
    newest: newest.data,
    error: newest.error,
    searchError: search.error,
    reach,
    shown,
    isFetching,
    refresh,
  }
}
