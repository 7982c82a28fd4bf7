/** Every line end as a line feed: files that were put together have CRLF, LF and even lone CR in one. */
export function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}

const separators = [',', ';', '\t']

/** The separator of a text of line feeds: the one that stands most often in its first line, outside quotes. */
export function separatorOf(text: string): string {
  const first = text.split('\n').find((line) => line.trim() !== '') ?? ''
  const bare = first.replaceAll(/"[^"]*"/g, '')
  const count = (separator: string) => bare.split(separator).length
  return separators.toSorted((a, b) => count(b) - count(a))[0] ?? ','
}
