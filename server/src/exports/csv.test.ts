import { expect, it } from 'vitest'
import { writeCsv } from './csv.ts'

async function written(...row: (string | number)[]): Promise<string> {
  async function* pieces() {
    yield await Promise.resolve([row])
  }
  let text = ''
  for await (const piece of writeCsv({ name: 'x', heads: ['Head'], pieces: pieces() })) text += piece
  return text.replace('\uFEFFHead\r\n', '')
}

it.each([
  ['x;=1+1;', `"x;'=1+1;"\r\n`],
  ['x;  +1', `"x;  '+1"\r\n`],
  ['x;"=1"', `"x;""'=1"""\r\n`],
  ['x\t@SUM(1)', `"x\t'@SUM(1)"\r\n`],
  ['x\n-1', `"x\n'-1"\r\n`],
  ['=1;=2', `"'=1;'=2"\r\n`],
  ['x;\n; =1=2', `"x;\n; '=1=2"\r\n`],
  ['a;b', '"a;b"\r\n'],
  ["'=1;'=2", `"''=1;''=2"\r\n`],
  ['M8 x 20 = 1', 'M8 x 20 = 1\r\n'],
])('%j begins no formula in a spreadsheet that splits cells at semicolons', async (cell, line) => {
  expect(await written(cell)).toBe(line)
})

it('takes a text of many lines and signs in one go', async () => {
  const feeds = '\n'.repeat(300_000)
  const signs = '='.repeat(300_000)
  expect(await written(`x${feeds}y${feeds}${signs}`)).toBe(`"x${feeds}y${feeds}'${signs}"\r\n`)
})
