import { listLabelled } from '@inventory-manager/contract/labels/endpoints'
import { describePack } from '@inventory-manager/contract/labels/pack-description'
import { componentDetail } from '@inventory-manager/contract/stock/component-endpoints'
import type { Component } from '@inventory-manager/contract/stock/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../api/client.ts'
import { findComponent } from '../api/find-component.ts'
import { componentsQuery } from './known-components.ts'

/** The ids of the components whose label says what they are now; null where that is not known. */
function useLabelled() {
  const { data, isPending, error, refetch } = useQuery({
    queryKey: [listLabelled.path],
    queryFn: ({ signal }) => call(listLabelled, {}, { signal }),
  })
  const labelled = useMemo(
    () =>
      data === undefined ? null : new Set(data.components.filter((item) => item.current).map(({ id }) => id)),
    [data],
  )
  return { labelled, isPending, error, refetch }
}

/** What is printed for another barcode: its component under that code. None where the code is no such barcode of a component in use. */
function useOtherCode(code: string | null, components: readonly Component[] | undefined) {
  const isAsked =
    code !== null && components !== undefined && !components.some(({ barcode }) => barcode === code)
  const { data, isLoading, error, refetch } = useQuery({
    queryKey: [componentDetail.path, 'label', code],
    queryFn: async ({ signal }) => await findComponent(code ?? '', { signal }),
    enabled: isAsked,
  })
  const other = useMemo(() => {
    const item = components?.find(({ barcode }) => barcode === data?.barcode)
    if (!isAsked || data == null || item === undefined || !data.aliases.includes(code)) return []
    const pieces = data.packs?.find(({ barcode }) => barcode === code)?.pieces ?? 1
    return [{ ...item, barcode: code, description: describePack(item.description, pieces) }]
  }, [isAsked, code, components, data])
  return { other, isLoading, error, refetch }
}

/**
 * The components, once it is known which of them need a label: what is said of that later would push the list away. `printable`: with the
 * other barcode that is `asked` for, if it is one, before them.
 */
export function usePrintable(asked: string | null) {
  const query = useQuery(componentsQuery)
  const { labelled, isPending, error, refetch } = useLabelled()
  const ofCode = useOtherCode(asked, query.data?.components)
  const components = useMemo(() => query.data?.components ?? [], [query.data])
  const printable = useMemo(() => [...ofCode.other, ...components], [ofCode.other, components])
  return {
    ...query,
    components,
    printable,
    labelled,
    ofCode,
    ofLabels: { error, refetch },
    isPending: query.isPending || isPending || ofCode.isLoading,
    isLoaded: query.isSuccess && !isPending,
  }
}
