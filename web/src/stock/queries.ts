import {
  componentCounts,
  componentDetail,
  componentLabels,
  componentLedger,
  componentMovements,
  searchComponents,
  type ComponentSort,
  type ComponentState,
} from '@inventory-manager/contract/stock/component-endpoints'
import { listDiscrepancies } from '@inventory-manager/contract/discrepancies/endpoints'
import { listTransfers } from '@inventory-manager/contract/stock/transfer-endpoints'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { byCursor } from '../api/by-cursor.ts'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { stockPaths } from './stock-paths.ts'

/** `at`: of what is low only what is so there. `here`: where those are that are sorted by what is there. */
type Sought = {
  text: string
  state: ComponentState
  at?: LocationCode
  sort: ComponentSort
  here: LocationCode
}

export function useComponents({ text, state, at, sort, here }: Sought) {
  // Lists of one order together: news of what was counted concern one.
  const list = [searchComponents.path, sort, state, at ?? '', here]
  return useInfiniteQuery({
    queryKey: [...list, text],
    queryFn: ({ pageParam, signal }) =>
      call(
        searchComponents,
        { query: { text, state, location: at, sort, sort_location: here, cursor: pageParam } },
        { signal },
      ),
    ...byCursor,
    // What another text found stays meanwhile; what stood in another list is not said to be low or in this order, not for a moment.
    placeholderData: (before, query) =>
      list.every((part, index) => query?.queryKey[index] === part) ? before : undefined,
  })
}

export function useComponent(barcode: string) {
  return useQuery({
    queryKey: [componentDetail.path, barcode],
    queryFn: ({ signal }) => call(componentDetail, { query: { barcode } }, { signal }),
  })
}

export function useLedger(barcode: string) {
  return useQuery({
    queryKey: [componentLedger.path, barcode],
    queryFn: ({ signal }) => call(componentLedger, { query: { barcode } }, { signal }),
  })
}

export function useMovements(barcode: string) {
  return useInfiniteQuery({
    queryKey: [componentMovements.path, barcode],
    queryFn: ({ pageParam, signal }) =>
      call(componentMovements, { query: { barcode, limit: '10', cursor: pageParam } }, { signal }),
    ...byCursor,
  })
}

export function useCounts(barcode: string) {
  return useInfiniteQuery({
    queryKey: [componentCounts.path, barcode],
    queryFn: ({ pageParam, signal }) =>
      call(componentCounts, { query: { barcode, limit: '10', cursor: pageParam } }, { signal }),
    ...byCursor,
  })
}

export function useLabelPrints(barcode: string) {
  return useInfiniteQuery({
    queryKey: [componentLabels.path, barcode],
    queryFn: ({ pageParam, signal }) =>
      call(componentLabels, { query: { barcode, limit: '10', cursor: pageParam } }, { signal }),
    ...byCursor,
  })
}

/** The newest difference of a component at a location that waits for a decision; null where none does, or that is not known yet. */
export function useWaitingDifference(barcode: string, location: LocationCode) {
  const { data } = useQuery({
    queryKey: [listDiscrepancies.path, 'of', barcode, location],
    queryFn: ({ signal }) =>
      call(listDiscrepancies, { query: { status: 'open', location, search: barcode } }, { signal }),
  })
  return data?.discrepancies.find(({ sku }) => sku === barcode) ?? null
}

export function useArrivals(location: LocationCode) {
  return useInfiniteQuery({
    queryKey: [listTransfers.path, location],
    queryFn: ({ pageParam, signal }) =>
      call(listTransfers, { query: { to: location, cursor: pageParam } }, { signal }),
    ...byCursor,
  })
}

/** What is on its way, to or from anywhere. */
export function useUnderWay() {
  return useInfiniteQuery({
    queryKey: [listTransfers.path, 'under_way'],
    queryFn: ({ pageParam, signal }) => call(listTransfers, { query: { cursor: pageParam } }, { signal }),
    ...byCursor,
  })
}

/** What was on its way, to or from anywhere. */
export function usePastTransfers() {
  return useInfiniteQuery({
    queryKey: [listTransfers.path, 'ended'],
    queryFn: ({ pageParam, signal }) =>
      call(listTransfers, { query: { state: 'ended', limit: '50', cursor: pageParam } }, { signal }),
    ...byCursor,
  })
}

/** What has a button for each single thing in it. */
const withButtons: readonly string[] = [listTransfers.path, componentDetail.path]

/** Loads anew what a change of stock or description shows in; waits for those where what was done could be pressed again. */
export async function refreshStock(): Promise<void> {
  const loaded = stockPaths.map(async (path) => {
    const loading = queryClient.invalidateQueries({ queryKey: [path] })
    if (withButtons.includes(path)) await loading
    else loading.catch(reportError)
  })
  await Promise.all(loaded)
}
