import { listImportRows, listImports, previewImport } from '@inventory-manager/contract/imports/endpoints'
import { queryClient } from '../api/query-client.ts'

/** Loads anew what a change of an import shows in. */
export async function refreshImports(): Promise<void> {
  const paths = [listImports.path, listImportRows.path, previewImport.path]
  await Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })))
}
