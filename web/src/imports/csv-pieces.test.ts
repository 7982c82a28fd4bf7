import { expect, it } from 'vitest'
import { createCsvReader } from './csv-pieces.ts'

const text = '\uFEFFSKU;Description\r\n00012;"Bolt; ""M8""\nlong"\r\n\r\n\'-7;Nut\r\nlast;one'
const rows = [
  { line: 1, cells: ['SKU', 'Description'] },
  { line: 3, cells: ['00012', 'Bolt; "M8"\nlong'] },
  { line: 5, cells: ['-7', 'Nut'] },
  { line: 6, cells: ['last', 'one'] },
]

it.each([1, 2, 7, 30, 1000])('CSV in pieces of %i characters is read as a whole', (size) => {
  const reader = createCsvReader()
  const read = []
  for (let at = 0; at < text.length; at += size) read.push(...reader.push(text.slice(at, at + size)))
  read.push(...reader.end())
  expect(read).toEqual(rows)
})

it('quotes that do not match are named by their line', () => {
  const reader = createCsvReader()
  expect(reader.push('A,1\nB,"2\nC,3\n')).toHaveLength(1)
  expect(() => reader.end()).toThrow(/The quotes at line \d do not match\./)
})
