import { maxSliceRows } from '@inventory-manager/contract/imports/endpoints'
import type { StagedRow } from './file-rows.ts'

/** Rows of one call: well below its limit, so that progress moves. */
const rowsOfSlice = Math.min(2_000, maxSliceRows)
/** Characters of one call: in any script below the bytes that it may have. */
const charactersOfSlice = 1_000_000

/** The first of the rows, as many as one call takes. */
export function sliceOf(rows: readonly StagedRow[]): StagedRow[] {
  let characters = 0
  const end = rows.findIndex(({ cells }, index) => {
    for (const cell of cells) characters += cell.length
    return index === rowsOfSlice || (index > 0 && characters > charactersOfSlice)
  })
  return rows.slice(0, end === -1 ? rows.length : end)
}
