import { listImportRows, listImports, previewImport } from '@inventory-manager/contract/imports/endpoints'
import { useInfiniteQuery } from '@tanstack/react-query'
import { byCursor } from '../api/by-cursor.ts'
import { call } from '../api/client.ts'
import { readAnew } from '../api/read-anew.ts'

export function useImports() {
  return useInfiniteQuery({
    queryKey: [listImports.path],
    queryFn: ({ pageParam, signal }) => call(listImports, { query: { cursor: pageParam } }, { signal }),
    ...byCursor,
  })
}

/** Loads anew what a change of an import shows in. */
export const refreshImports = () => readAnew(listImports.path, listImportRows.path, previewImport.path)
