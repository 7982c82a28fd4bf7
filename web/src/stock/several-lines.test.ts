import { expect, it } from 'vitest'
import {
  decimalSignOf,
  findBareLines,
  findDoubtfulLines,
  findDoubtfulPairs,
  findOpenLines,
  isSignCertain,
  readAmount,
  readLines,
  type LineForm,
} from './several-lines.ts'

const cellsOf = (text: string, form: LineForm) => readLines(text, form).map(({ cells }) => cells)

it('a line is a barcode, whatever stands in it', () => {
  expect(cellsOf('A-1\r\n  B,2;x \n\n\rC 3', 'barcode')).toEqual([['A-1'], ['B,2;x'], ['C 3']])
})

it('a line that stands twice is one', () => {
  expect(cellsOf('A-1\nB-2\nA-1', 'barcode')).toEqual([['A-1'], ['B-2']])
})

it('several barcodes in a line are separated by tab, semicolon or comma', () => {
  expect(cellsOf('A-1\t401\t402\nB-2;403;\nC-3, 404\nD-4', 'barcodes')).toEqual([
    ['A-1', '401', '402'],
    ['B-2', '403'],
    ['C-3', '404'],
    ['D-4'],
  ])
})

it('a comma belongs to a barcode where a tab separates', () => {
  expect(cellsOf('A,1\t401', 'barcodes')).toEqual([['A,1', '401']])
})

it('other barcodes are told apart as an exported list writes them, those of packs with their pieces', () => {
  const [cells] = cellsOf('A-1\t401 x12; "6"" PIPE; x" x10000; "BOX x6"; OLD-77', 'barcodes')
  expect(cells).toEqual(['A-1', '401 x12', '"6"" PIPE; x" x10000', '"BOX x6"', 'OLD-77'])
})

it('a line whose other barcode is of no pieces, or of more than a pack has, is not whole', () => {
  const lines = readLines('A-1;401 X12\nA-2;402 x0\nA-3;403;404 x10001\nA-4;405 x012\nA-5', 'barcodes')
  expect(findBareLines(lines, 'barcodes').map(({ text }) => text)).toEqual([
    'A-2;402 x0',
    'A-3;403;404 x10001',
    'A-5',
  ])
})

it('a line with an amount is one for each time it stands, because each says what came', () => {
  expect(cellsOf('A-1;5\nB;2\t12\nA-1;5\nC-3, 7', 'amount')).toEqual([
    ['A-1', '5'],
    ['B;2', '12'],
    ['A-1', '5'],
    ['C-3', '7'],
  ])
})

it('an empty cell makes no other column the barcode or the amount', () => {
  const lines = readLines('\t12\t5\n\t5\nA-1\t\t5\n;;5\nA-1\t5\t\t\n  A-1 ; 5 ;', 'amount')
  expect(findBareLines(lines, 'amount').map(({ text }) => text)).toEqual([
    '\t12\t5',
    '\t5',
    'A-1\t\t5',
    ';;5',
  ])
  expect(lines.slice(4).map(({ cells }) => cells)).toEqual([
    ['A-1', '5'],
    ['A-1', '5'],
  ])
})

it('an amount is a whole number that the stock can hold, and nothing is guessed', () => {
  const lines = ['A-1;1', 'A-1;2147483647', 'A-1', 'A-1;0', 'A-1;-3', 'A-1;1.5', 'A-1;1,000', 'A-1;x']
  const more = ['A-1;2147483648', 'A-1;Bolt;5', 'Barcode\tAmount', '5']
  const bare = findBareLines(readLines([...lines, ...more].join('\n'), 'amount'), 'amount')
  expect(bare.map(({ text }) => text)).toEqual([...lines.slice(2), ...more])
})

it('an amount stands behind its barcode or below it, as a scanner writes it, and of packs with how many pieces each is of', () => {
  const lines = readLines('P-1\n12\nP-2;5\n4006381333931\n3 x12\nP-3\nP-4\n7\n8', 'amount')
  expect(lines.map(({ text, cells }) => [text, ...cells])).toEqual([
    ['P-1\n12', 'P-1', '12'],
    ['P-2;5', 'P-2', '5'],
    ['4006381333931\n3 x12', '4006381333931', '3 x12'],
    ['P-3', 'P-3'],
    ['P-4\n7', 'P-4', '7'],
    ['8', '8'],
  ])
  expect(findBareLines(lines, 'amount').map(({ text }) => text)).toEqual(['P-3', '8'])
  expect(cellsOf('P-1\n12', 'minimum')).toEqual([['P-1'], ['12']])
  expect(['36', '3 x12', '3x12', '3 X 12'].map(readAmount)).toEqual([36, 36, 36, 36])
  expect(['0', '0 x12', '3 x0', '3 x', 'x12', '1 x10001', '2147483647 x2'].map(readAmount)).toEqual(
    Array.from({ length: 7 }, () => null),
  )
})

it('a number below a number is asked about, because either may be a barcode', () => {
  const lines = readLines('1001\n1002\nP-1\n5\n4006381333931\n5\n1003;4', 'amount')
  expect(findDoubtfulPairs(lines).map(({ text }) => text)).toEqual(['1001\n1002'])
})

it('an amount that may be a scanned code is asked about', () => {
  const lines = readLines('A-1;40123455\nA-1;999999\nA-1;1000000\n4711;5\nA-1;4711\nA-2;0012', 'amount')
  expect(findDoubtfulLines(lines, 'amount').map(({ text }) => text)).toEqual([
    'A-1;40123455',
    'A-1;1000000',
    'A-1;4711',
    'A-2;0012',
  ])
  expect(findDoubtfulLines(readLines('A-1;40123455', 'barcodes'), 'barcodes')).toEqual([])
})

it('of a bin or a minimum that is set twice the last place counts, so that what stands last holds', () => {
  expect(cellsOf('A-1;R-1\nA-1;R-2\nA-1;R-1', 'bin')).toEqual([
    ['A-1', 'R-2'],
    ['A-1', 'R-1'],
  ])
  expect(cellsOf('A-1;1\nB-2;5\nA-1;2\nA-1;1', 'minimum')).toEqual([
    ['B-2', '5'],
    ['A-1', '2'],
    ['A-1', '1'],
  ])
})

it('a bin or a minimum stands behind its barcode, and a line without one empties nothing', () => {
  expect(cellsOf('A-1;A-03-2\nA-1;A-03-2\nB-2\tAisle 3, left', 'bin')).toEqual([
    ['A-1', 'A-03-2'],
    ['B-2', 'Aisle 3, left'],
  ])
  const bins = ['A-1;', 'A-1', ';A-03', '\tA-03', 'A-1;A-03;x', `A-1;${'x'.repeat(41)}`, 'A-1;8']
  const bare = (lines: string[], form: LineForm) =>
    findBareLines(readLines(lines.join('\n'), form), form).map(({ text }) => text)
  expect(bare(bins, 'bin')).toEqual(bins.slice(0, -1))
  const minimums = ['A-1;-1', 'A-1;1.5', 'A-1;x', 'A-1;2147483648', 'A-1;', ';0', 'A-1;0', 'A-1;2147483647']
  expect(bare(minimums, 'minimum')).toEqual(minimums.slice(0, -2))
})

it('a minimum that may be a scanned code is asked about as an amount is, and a bin only where it is a code of the list', () => {
  const doubtful = (text: string, form: LineForm) =>
    findDoubtfulLines(readLines(text, form), form).map(({ text: line }) => line)
  expect(doubtful('A-1;40123455\nA-2;4711\n4711;5\nA-3;0', 'minimum')).toEqual(['A-1;40123455', 'A-2;4711'])
  expect(doubtful('A-1;40123455\nA-2;A-1\nA-3;0012', 'bin')).toEqual(['A-2;A-1'])
})

it('a cost stands behind its barcode, with a decimal comma where no comma separates', () => {
  expect(cellsOf('A-1;12,50\nB-2\t1.234,56 €\nC-3,12.50\nA-1;12,50', 'cost')).toEqual([
    ['B-2', '1.234,56 €'],
    ['C-3', '12.50'],
    ['A-1', '12,50'],
  ])
  const lines = [
    'A-1;',
    'A-1',
    ';2',
    'A-1,12,50',
    'A-1;-1',
    'A-1;0.00001',
    'A-1;10000000',
    'A-1;many',
    'A-1;nothing',
    'A-1;0',
    'A-2;none',
    'A-3;None',
  ]
  expect(findBareLines(readLines(lines.join('\n'), 'cost'), 'cost').map(({ text }) => text)).toEqual(
    lines.slice(0, -3),
  )
})

it('a cost that may be a scanned code is asked about', () => {
  const doubtful = findDoubtfulLines(readLines('A-1;4012345\nA-2;A-1\nA-3;0.125\nA-4;0012', 'cost'), 'cost')
  expect(doubtful.map(({ text }) => text)).toEqual(['A-1;4012345', 'A-2;A-1', 'A-4;0012'])
  const large = ['A-1;9999999.98', 'A-2;9999999,99', 'A-3;$1,000,000.00', 'A-4;999.999,00', 'A-5;999999']
  expect(findDoubtfulLines(readLines(large.join('\n'), 'cost'), 'cost').map(({ text }) => text)).toEqual(
    large.slice(0, 3),
  )
})

it('a cost that may be thousands as well as decimals is read as most of the list tell, or else as this browser writes', () => {
  const open = (text: string) => findOpenLines(readLines(text, 'cost')).map((line) => line.text)
  expect(open('A-1;1.234\nA-2;7\nA-3;2,500')).toEqual(['A-1;1.234', 'A-3;2,500'])
  expect(open('A-1;12,50\nA-2;3.5')).toEqual([])
  expect(decimalSignOf(readLines('A-1;1.234\nA-2;12,50', 'cost'))).toBe(',')
  expect(decimalSignOf(readLines('A-1;1.234\nA-2;0.125', 'cost'))).toBe('.')
  expect(decimalSignOf(readLines('A-1;1.234\nA-2;2,500', 'cost'))).toBe('.')
})

it.each([
  ['A-1;1.234\nA-2;0.5', true],
  ['A-1;1.234\nA-2;1500', true],
  ['A-1;1.234\nA-2;7', false],
  ['A-1;1.234\nA-2;12,50', false],
  ['A-1;1.234\nA-2;12.50\nA-3;3.5\nA-4;2,5', false],
])('of %j it is certain what stands before decimals: %s', (text, isCertain) => {
  expect(isSignCertain(readLines(text, 'cost'))).toBe(isCertain)
})
