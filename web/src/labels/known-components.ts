import { listComponents, type Component } from '@inventory-manager/contract/stock/endpoints'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callForList } from '../api/list-client.ts'

/** All components, page by page where one is as long as a page may be. */
async function listAll(signal: AbortSignal) {
  const pages: Component[][] = []
  for (let cursor: string | undefined; ;) {
    const { list } = await callForList(listComponents, { query: { cursor } }, { signal })
    pages.push(list.components)
    if (list.next_cursor == null) return { ...list, components: pages.flat() }
    cursor = list.next_cursor
  }
}

export const componentsQuery = queryOptions({
  queryKey: [listComponents.path],
  queryFn: ({ signal }) => listAll(signal),
})

/** The description of each component that there is, by barcode. */
export type KnownComponents = ReadonlyMap<string, string>

function byBarcode(components: readonly Component[]): KnownComponents {
  return new Map(components.map(({ barcode, description }) => [barcode, description]))
}

/** All components; null until they are here. `load` waits for them, `loadAnew` for those of now; both throw ApiError. */
export function useKnownComponents(): {
  known: KnownComponents | null
  load: () => Promise<KnownComponents>
  loadAnew: () => Promise<KnownComponents>
} {
  const client = useQueryClient()
  const { data } = useQuery(componentsQuery)
  const known = useMemo(() => (data === undefined ? null : byBarcode(data.components)), [data])
  return {
    known,
    load: async () => known ?? byBarcode((await client.ensureQueryData(componentsQuery)).components),
    loadAnew: async () =>
      byBarcode((await client.fetchQuery({ ...componentsQuery, staleTime: 0 })).components),
  }
}
