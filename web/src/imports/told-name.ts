/** UTF-16 units of an import's name; file systems allow more. */
const most = 200
/** Of its end, by which files of one kind differ, and which names the sheet of a workbook. */
const ofEnd = 60

/** The name under which an import is told of: of a longer one the middle is left out, and no sign is cut apart. */
export function toldName(name: string): string {
  if (name.length <= most) return name
  const beginning = name.slice(0, most - ofEnd - 1).replace(/[\uD800-\uDBFF]$/, '')
  const end = name.slice(-ofEnd).replace(/^[\uDC00-\uDFFF]/, '')
  return `${beginning}…${end}`
}
