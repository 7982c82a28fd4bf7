/*
 * A list of components as JSON text, each on a line of its own: where some have changed since it was written, theirs are
 * written anew and take the place of the lines before.
 */

/** Between the components of a list, for `string_agg`. */
export const betweenLines = ',\n'

/** The reply `{"components":[…],…}` of components' lines and what follows them. */
export function listText(lines: string, rest: string): string {
  return `{"components":[\n${lines}\n],${rest}`
}

const barcode = /"barcode":("(?:[^"\\]|\\.)*")/

/** A barcode as JSON; in other texts of a component each quote has a backslash before it. */
function barcodeIn(line: string): string | undefined {
  return barcode.exec(line)?.[1]
}

/** A list with some of its components as they are written now; others than it has are left out. */
export function replaceLines(text: string, written: string): string {
  if (written === '') return text
  const now = new Map(written.split(betweenLines).map((line) => [barcodeIn(line), line]))
  const lines = text.split('\n').map((line) => {
    const code = barcodeIn(line)
    const other = code === undefined ? undefined : now.get(code)
    if (other === undefined) return line
    return line.endsWith(',') ? `${other},` : other
  })
  return lines.join('\n')
}
