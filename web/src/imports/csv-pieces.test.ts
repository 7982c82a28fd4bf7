import { expect, it } from 'vitest'
import { createCsvReader } from './csv-pieces.ts'
import type { FileRow } from './file-rows.ts'

/** As a file comes that is read in pieces of this many characters. */
function readInPieces(text: string, size: number): FileRow[] {
  const reader = createCsvReader()
  const read: FileRow[] = []
  for (let at = 0; at < text.length; at += size) read.push(...reader.push(text.slice(at, at + size)))
  return [...read, ...reader.end()]
}

const text = '\uFEFFSKU;Description\r\n00012;"Bolt; ""M8""\nlong"\r\n\r\n\'-7;Nut\r\nlast;one'
const rows = [
  { line: 1, cells: ['SKU', 'Description'] },
  { line: 3, cells: ['00012', 'Bolt; "M8"\nlong'] },
  { line: 5, cells: ['-7', 'Nut'] },
  { line: 6, cells: ['last', 'one'] },
]

it.each([1, 2, 7, 30, 1000])('CSV in pieces of %i characters is read as a whole', (size) => {
  expect(readInPieces(text, size)).toEqual(rows)
})

it.each([1, 2, 3, 1000])('line ends of several kinds in one file are read in pieces of %i', (size) => {
  const mixed = 'A,1\r\nB,2\n"C\r\nc",3\r\nD,4\r\rE,5\r\n'
  expect(readInPieces(mixed, size)).toEqual([
    { line: 1, cells: ['A', '1'] },
    { line: 2, cells: ['B', '2'] },
    { line: 4, cells: ['C\nc', '3'] },
    { line: 5, cells: ['D', '4'] },
    { line: 7, cells: ['E', '5'] },
  ])
})

it.each([1, 7, 1000])('another sign in a title or a heading separates nothing, in pieces of %i', (size) => {
  const rowsOf = (given: string) => readInPieces(given, size).map(({ cells }) => cells)
  expect(rowsOf('Stock list, Main warehouse\n\nSKU;Description;Qty\nA1;Bolt;5\n')).toEqual([
    ['Stock list, Main warehouse'],
    ['SKU', 'Description', 'Qty'],
    ['A1', 'Bolt', '5'],
  ])
  expect(rowsOf('SKU;Qty, pcs\nA1;5\nA2;7\n')).toEqual([
    ['SKU', 'Qty, pcs'],
    ['A1', '5'],
    ['A2', '7'],
  ])
  expect(rowsOf('A1;1,5\nA2;2,5\n')).toEqual([
    ['A1', '1,5'],
    ['A2', '2,5'],
  ])
  expect(rowsOf('SKU\tSize\nA1\t1,5\nA2\t2,5\nA3\t3\n')).toEqual([
    ['SKU', 'Size'],
    ['A1', '1,5'],
    ['A2', '2,5'],
    ['A3', '3'],
  ])
})

it('rows of separators only are left out, as those of a workbook are', () => {
  expect(readInPieces('A,1\r\n,,\r\n , \r\nB,2', 1000)).toEqual([
    { line: 1, cells: ['A', '1'] },
    { line: 4, cells: ['B', '2'] },
  ])
})

it('quotes that do not match are named by the line where they begin', () => {
  const reader = createCsvReader()
  reader.push('A,1\nB,"2\nC,3\n')
  expect(() => reader.end()).toThrow('The quotes at line 2 do not match.')
  const lines = Array.from({ length: 12 }, (_, index) => `X-${index},1\n`).join('')
  expect(() => createCsvReader().push(`${lines}B,"2\nC,3\nD,"4"\n`)).toThrow(
    'The quotes at line 13 do not match.',
  )
})

it.each([1, 2, 7, 30, 1000])('quotes inside of a field stand for themselves, in pieces of %i', (size) => {
  const inches = 'SKU;Name\nA;Rohr 1/2"\nB;Textmarker "gelb" dick\nC; "Bolt; 3/8"" long"\nD;5" und 6"\n'
  expect(readInPieces(inches, size)).toEqual([
    { line: 1, cells: ['SKU', 'Name'] },
    { line: 2, cells: ['A', 'Rohr 1/2"'] },
    { line: 3, cells: ['B', 'Textmarker "gelb" dick'] },
    { line: 4, cells: ['C', 'Bolt; 3/8" long'] },
    { line: 5, cells: ['D', '5" und 6"'] },
  ])
})

it.each([1, 3, 1000])(
  'a title above the heading and a line that names the separator are no cells, in pieces of %i',
  (size) => {
    expect(readInPieces('Stock list\n\nSKU;Qty\nA,1;5\n', size)).toEqual([
      { line: 1, cells: ['Stock list'] },
      { line: 3, cells: ['SKU', 'Qty'] },
      { line: 4, cells: ['A,1', '5'] },
    ])
    expect(readInPieces('\uFEFFsep=;\r\nSKU;"Size, mm"\r\nA,B,C;5\r\n', size)).toEqual([
      { line: 2, cells: ['SKU', 'Size, mm'] },
      { line: 3, cells: ['A,B,C', '5'] },
    ])
    expect(readInPieces('A\n'.repeat(12), size)).toHaveLength(12)
  },
)

it('codes that are written so that a spreadsheet leaves their zeros alone are those codes', () => {
  expect(readInPieces('="00012",1\n"=""00013""",2\n', 1000)).toEqual([
    { line: 1, cells: ['00012', '1'] },
    { line: 2, cells: ['00013', '2'] },
  ])
})

it.each([
  ["'-7", '-7'],
  ["''=1", "'=1"],
  ["'\uFF0B5", '\uFF0B5'],
  [`"Set:\n'- 2 screws\n'- bolt; '+1"`, 'Set:\n- 2 screws\n- bolt; +1'],
  [`"'=""00012"""`, '="00012"'],
  ["5' bar", "5' bar"],
])('the cell %j of an own export is read as %j', (cell, text) => {
  expect(readInPieces(`SKU;D\nA;${cell}\n`, 1000)[1]?.cells[1]).toBe(text)
})

it('a text of many lines and apostrophes is read in one go', () => {
  const feeds = '\n'.repeat(300_000)
  expect(readInPieces(`A;"x${feeds}y${"'".repeat(300_000)}"\n`, 2_000_000)).toHaveLength(1)
})
