/** Every line end as a line feed: files that were put together have CRLF, LF and even lone CR in one. */
export function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

export const separators = [',', ';', '\t']

/** How many lines that say something are looked at for a separator: a title above the heading has none. */
const linesLookedAt = 10

function firstLines(text: string): string[] {
  return text
    .split('\n', 10 * linesLookedAt)
    .filter((line) => line.trim() !== '')
    .slice(0, linesLookedAt)
}

/** Whether a text of line feeds has all the lines already that are looked at. */
export function hasFirstLines(text: string): boolean {
  return firstLines(text).length === linesLookedAt
}

/** The most frequent number of fields by this separator, and how many lines have it; zeros where it occurs in none. */
function usualFields(lines: readonly string[], separator: string): { fields: number; lines: number } {
  const found = new Map<number, number>()
  for (const line of lines) {
    const fields = line.split(separator).length
    if (fields > 1) found.set(fields, (found.get(fields) ?? 0) + 1)
  }
  const [most] = [...found].toSorted(([fewer, a], [more, b]) => b - a || more - fewer)
  return { fields: most?.[0] ?? 0, lines: most?.[1] ?? 0 }
}

/**
 * The separator of a text of line feeds: the one by which most of its first lines have as many fields, outside quotes, and of two
 * the one that makes more; the comma where none stands. A title above the heading may hold another, and a comma stands in numbers.
 */
export function separatorOf(text: string): string {
  const lines = firstLines(text).map((line) => line.replaceAll(/(^\uFEFF?|[,;\t]) *"(?:[^"]|"")*"/g, '$1'))
  const [best] = separators
    .toReversed()
    .map((separator) => ({ separator, ...usualFields(lines, separator) }))
    .toSorted((one, other) => other.lines - one.lines || other.fields - one.fields)
  return best === undefined || best.lines === 0 ? ',' : best.separator
}

/** How the records of a text of line feeds are read. A quote in a field that does not begin with one stands for itself: 1/2". */
export function csvOptions(separator: string) {
  return {
    delimiter: separator,
    record_delimiter: '\n',
    trim: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  }
}

/** A code as programs write it so that a spreadsheet leaves its zeros alone: ="00012". */
const codeFormula = /^="([^"]*)"$/

/** A cell without that, and without the apostrophes that this program's own exports put before what a spreadsheet would run (server/src/exports/csv.ts). */
export function bareCell(cell: string): string {
  const code = codeFormula.exec(cell)?.[1]
  if (code !== undefined) return code.trim()
  return cell
    .replace(/^'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/, '')
    .replaceAll(
      /([;\t\n][;\s"]*)('+(?=[=+\-@]))?/g,
      (_, start: string, marks: string = '') => start + marks.slice(1),
    )
}

type FieldState = 'before' | 'bare' | 'quoted' | 'after'

/** Where in a field the next sign stands. */
function stateAfter(state: FieldState, sign: string, separator: string): FieldState {
  if (state === 'quoted') return sign === '"' ? 'after' : 'quoted'
  // After one that seemed to end a field it is a doubled quote, which ends nothing.
  if (sign === '"' && state !== 'bare') return 'quoted'
  if (sign === '\n' || sign === separator) return 'before'
  return state !== 'bare' && /\s/.test(sign) ? state : 'bare'
}

/** Where the last whole record of a text ends; 0 where none does. */
export function endOfRecords(text: string, separator: string): number {
  let state: FieldState = 'before'
  let [index, end] = [0, 0]
  for (const sign of text) {
    state = stateAfter(state, sign, separator)
    index += sign.length
    if (sign === '\n' && state === 'before') end = index
  }
  return end
}

/** The line of the first quote that begins a field and does not end it, in a text that has one. */
export function brokenQuoteLine(text: string, separator: string): number {
  let state: FieldState = 'before'
  let [line, opened] = [1, 1]
  for (const sign of text) {
    const next = stateAfter(state, sign, separator)
    if (state === 'before' && next === 'quoted') opened = line
    if (state === 'after' && next === 'bare') break
    if (sign === '\n') line += 1
    state = next
  }
  return opened
}
