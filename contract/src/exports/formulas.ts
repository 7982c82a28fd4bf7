/**
 * Where a spreadsheet that splits cells at semicolons, tabs or lines, whatever is quoted, begins one, and the sign of a formula there.
 * It matches without one too: a long run of lines is passed over once. Apostrophes that stand there already get one more, so that
 * an import, which takes one away (web/src/imports/csv-pieces.ts), has the text as it was.
 */
const innerStart = /([;\t\r\n][;\s"]*)('*[=+\-@])?/g
const marked = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/

/** A cell with apostrophes before all that a spreadsheet would run as a formula within it, but for what it begins with itself. */
export function withoutInnerFormulas(cell: string): string {
  const text = cell.replaceAll(innerStart, (_, start: string, sign?: string) =>
    sign === undefined ? start : `${start}'${sign}`,
  )
  return marked.test(text) ? `'${text}` : text
}
