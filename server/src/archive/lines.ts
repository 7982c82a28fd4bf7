/**
 * The lines of a text, each ended by a line feed alone: what else Unicode ends lines with (U+2028, U+2029) is text of
 * a line, which readline of newer versions of Node would cut there.
 */
export async function* splitLines(text: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
