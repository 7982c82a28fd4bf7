import { stringify } from 'csv-stringify/sync'
import type { Cell, Table } from './table.ts'

/**
 * Where a spreadsheet that splits cells at semicolons, tabs or lines, whatever is quoted, begins one, and the sign of a formula there.
 * It matches without one too: a long run of lines is passed over once. Apostrophes that stand there already get one more, so that
 * an import, which takes one away (web/src/imports/csv-pieces.ts), has the text as it was.
 */
const innerStart = /([;\t\r\n][;\s"]*)('*[=+\-@])?/g
const marked = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

function withoutInnerFormulas(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell
  const text = cell.replaceAll(innerStart, (_, start: string, sign?: string) =>
    sign === undefined ? start : `${start}'${sign}`,
  )
  return marked.test(text) ? `'${text}` : text
}

/** Lines end as RFC 4180 says; text that a spreadsheet would run as a formula gets an apostrophe before it. */
function lines(rows: readonly (readonly Cell[])[]): string {
  return stringify(
    rows.map((row) => row.map(withoutInnerFormulas)),
    { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[;\t\r\n]/ },
  )
}

/** A table as CSV in UTF-8, in pieces; the mark at the start tells spreadsheets so. */
export async function* writeCsv({ heads, pieces }: Table): AsyncGenerator<string, void, undefined> {
  yield `\uFEFF${lines([heads])}`
  for await (const rows of pieces) if (rows.length > 0) yield lines(rows)
}
