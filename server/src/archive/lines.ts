/**
 * The lines of a text, each ended by a line feed alone: what else Unicode ends lines with (U+2028, U+2029) is text of
 * a line, which readline of newer versions of Node would cut there.
 */
export async function* splitLines(text: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  // A line of megabytes comes in many pieces: put together once, at its end.
  let begun: string[] = []
  for await (const piece of text) {
    const [first = '', ...others] = piece.split('\n')
    begun.push(first)
    const rest = others.pop()
    if (rest === undefined) continue
    yield begun.join('')
    yield* others
    begun = [rest]
  }
  const last = begun.join('')
  if (last !== '') yield last
}
