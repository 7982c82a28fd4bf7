import { expect, it } from 'vitest'
import { readBarcodeLines } from './several-lines.ts'

const barcodesOf = (text: string, several: boolean) =>
  readBarcodeLines(text, { several }).map(({ barcodes }) => barcodes)

it('a line is a barcode, whatever stands in it', () => {
  expect(barcodesOf('A-1\r\n  B,2;x \n\n\rC 3', false)).toEqual([['A-1'], ['B,2;x'], ['C 3']])
})

it('a line that stands twice is one', () => {
  expect(barcodesOf('A-1\nB-2\nA-1', false)).toEqual([['A-1'], ['B-2']])
})

it('several barcodes in a line are separated by tab, semicolon or comma', () => {
  expect(barcodesOf('A-1\t401\t402\nB-2;403;\nC-3, 404\nD-4', true)).toEqual([
    ['A-1', '401', '402'],
    ['B-2', '403'],
    ['C-3', '404'],
    ['D-4'],
  ])
})

it('a comma belongs to a barcode where a tab separates', () => {
  expect(barcodesOf('A,1\t401', true)).toEqual([['A,1', '401']])
})
