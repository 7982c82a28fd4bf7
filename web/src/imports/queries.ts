import { listImportRows, listImports, previewImport } from '@inventory-manager/contract/imports/endpoints'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { readAnew } from '../api/read-anew.ts'

type Cursor = string | undefined

export function useImports() {
  return useInfiniteQuery({
    queryKey: [listImports.path],
    queryFn: ({ pageParam, signal }) => call(listImports, { query: { cursor: pageParam } }, { signal }),
    initialPageParam: undefined as Cursor,
    getNextPageParam: (page): Cursor => page.next_cursor ?? undefined,
  })
}

/** Loads anew what a change of an import shows in. */
export const refreshImports = () => readAnew(listImports.path, listImportRows.path, previewImport.path)
