import { withoutInnerFormulas } from '@inventory-manager/contract/exports/formulas'
import { stringify } from 'csv-stringify/sync'
import type { Cell, Table } from './table.ts'

const withoutFormulas = (cell: Cell): Cell => (typeof cell === 'string' ? withoutInnerFormulas(cell) : cell)

/** Lines end as RFC 4180 says; text that a spreadsheet would run as a formula gets an apostrophe before it. */
function lines(rows: readonly (readonly Cell[])[]): string {
  return stringify(
    rows.map((row) => row.map(withoutFormulas)),
    { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[;\t\r\n]/ },
  )
}

/** A table as CSV in UTF-8, in pieces; the mark at the start tells spreadsheets so. */
export async function* writeCsv({ heads, pieces }: Table): AsyncGenerator<string, void, undefined> {
  yield `\uFEFF${lines([heads])}`
  for await (const rows of pieces) if (rows.length > 0) yield lines(rows)
}
