const separators = [',', ';', '\t']

/** The separator of a text: the one that stands most often in its first line, outside quotes. */
export function separatorOf(text: string): string {
  const first = text.split(/\r?\n/).find((line) => line.trim() !== '') ?? ''
  const bare = first.replaceAll(/"[^"]*"/g, '')
  const count = (separator: string) => bare.split(separator).length
  return separators.toSorted((a, b) => count(b) - count(a))[0] ?? ','
}
