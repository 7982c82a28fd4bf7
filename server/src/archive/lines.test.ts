import { expect, it } from 'vitest'
import { splitLines } from './lines.ts'

async function linesOf(...pieces: string[]): Promise<string[]> {
  async function* text() {
    for (const piece of pieces) yield await Promise.resolve(piece)
  }
  const lines: string[] = []
  for await (const line of splitLines(text())) lines.push(line)
  return lines
}

it.each([
  ['a text of no lines', [], []],
  ['lines that are cut anywhere', ['on', 'e\nt', 'wo\n', 'three', '\n'], ['one', 'two', 'three']],
  ['empty lines', ['\n', '\none\n\n'], ['', '', 'one', '']],
  ['a last line that does not end', ['one\ntwo'], ['one', 'two']],
  ['what else ends lines', ['a\u2028b\n', 'a\u2029b\na\rb\r\n'], ['a\u2028b', 'a\u2029b', 'a\rb\r']],
])('reads %s', async (_, pieces, lines) => {
  expect(await linesOf(...pieces)).toEqual(lines)
})
