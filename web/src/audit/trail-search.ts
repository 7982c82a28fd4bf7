import { auditScreenSize, listAuditTrail } from '@inventory-manager/contract/audit/endpoints'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { byCursor } from '../api/by-cursor.ts'
import { call } from '../api/client.ts'
import { useCompanyZone } from '../session/company-settings.ts'
import { useSettled } from '../ui/use-settled.ts'
import { isFiltering, serverQuery, type Filters } from './audit-filters.tsx'

export type Trail = EndpointReply<typeof listAuditTrail>

const settledMs = 300

/** What is found in so many pages: all of a trail that is looked through at once, else what each look tells of. */
function foundIn(pages: Trail[]) {
  const last = pages.at(-1)
  if (last === undefined) return undefined
  const entries = pages.flatMap((page) => page.entries)
  const isWhole = pages[0]?.looked_back_to === null
  const total = isWhole ? last.total : entries.length - last.entries.length + last.total
  return { entries, total, lookedBackTo: last.looked_back_to }
}

type Wanted = { asked: string; looks: number; entries: number }

/** How far the server looks back without being asked again: until a page is filled, and not through many years at once. */
const wantedAtOnce = { looks: 10, entries: 10 }

type Looked = { pages: number; found: ReturnType<typeof foundIn>; canGoOn: boolean }

/** Goes on looking back through a long trail while less is found than is wanted. */
function useLooks(asked: string, { pages, found, canGoOn }: Looked, lookOn: () => Promise<unknown>) {
  const [wanted, setWanted] = useState<Wanted>({ asked, ...wantedAtOnce })
  if (wanted.asked !== asked) setWanted({ asked, ...wantedAtOnce })
  const entries = found?.entries.length ?? 0
  const backTo = found?.lookedBackTo ?? null
  const isLookingOn = backTo !== null && canGoOn && pages < wanted.looks && entries < wanted.entries
  useEffect(() => {
    if (isLookingOn) lookOn().catch(reportError)
  }, [isLookingOn, pages, lookOn])
  const further = { looks: pages + wantedAtOnce.looks, entries: entries + wantedAtOnce.entries }
  return { isLookingOn, backTo, lookFurther: () => setWanted({ asked, ...further }) }
}

/** Whether what is typed is not what is asked for yet. */
function isTyping(asked: Filters, typed: Filters): boolean {
  return asked.sku !== typed.sku || asked.user !== typed.user
}

/** What the server finds by the filters, as much of it at a time as the screen holds. */
export function useSearch(filters: Filters, isWanted: boolean) {
  const sku = useSettled(filters.sku, settledMs)
  const user = useSettled(filters.user, settledMs)
  const zone = useCompanyZone()
  const asked = { ...filters, sku, user }
  const part = { ...serverQuery(asked, zone), limit: String(auditScreenSize) }
  const query = useInfiniteQuery({
    queryKey: [listAuditTrail.path, part],
    queryFn: ({ pageParam, signal }) => {
      return call(listAuditTrail, { query: { ...part, cursor: pageParam } }, { signal })
    },
    ...byCursor,
    enabled: isWanted && isFiltering(asked),
    placeholderData: (previous) => previous,
  })
  const { data, hasNextPage, isFetching, isPlaceholderData, error, fetchNextPage } = query
  const found = useMemo(() => foundIn(data?.pages ?? []), [data])
  const looked = { pages: data?.pages.length ?? 0, found, canGoOn: !isPlaceholderData && error === null }
  const looks = useLooks(JSON.stringify(asked), looked, fetchNextPage)

  async function loadMore(): Promise<void> {
    if (hasNextPage) await fetchNextPage()
  }

  return {
    found,
    hasNextPage,
    isFetching,
    error,
    // What was found before narrows down at once, with each letter; what else there is comes later.
    isAwaited: isTyping(asked, filters) || isPlaceholderData || (isFetching && found === undefined),
    isLoadingMore: query.isFetchingNextPage || looks.isLookingOn,
    isMoreMissing: query.isFetchNextPageError,
    refetch: query.refetch,
    loadMore,
    /** When the oldest entry was written that the filters have gone through, where older ones are left. */
    lookedBackTo: isWanted ? looks.backTo : null,
    lookFurther: looks.lookFurther,
  }
}
