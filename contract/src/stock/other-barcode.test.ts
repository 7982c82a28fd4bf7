import { expect, it } from 'vitest'
import { readOtherBarcode, writeOtherBarcode } from './other-barcode.ts'

it.each([
  [{ barcode: 'OLD-7' }, 'OLD-7'],
  [{ barcode: '4006381333931', pieces: 12 }, '4006381333931 x12'],
  [{ barcode: 'x12' }, 'x12'],
  [{ barcode: 'BOX X12' }, '"BOX X12"'],
  [{ barcode: 'BOX x0', pieces: 6 }, '"BOX x0" x6'],
  [{ barcode: '6" PIPE;x', pieces: 10_000 }, '"6"" PIPE;x" x10000'],
])('of %j stands %s in a list, and is read as what it was', (written, text) => {
  expect(writeOtherBarcode({ pieces: 1, ...written })).toBe(text)
  expect(readOtherBarcode(text)).toEqual(written)
})

it('a pack may be written as people write it, with no more pieces than a pack has', () => {
  expect(['CASE-9 X12', 'CASE-9  x012', '"CASE-9" X12'].map(readOtherBarcode)).toEqual(
    Array.from({ length: 3 }, () => ({ barcode: 'CASE-9', pieces: 12 })),
  )
  expect(['CASE-9 x0', 'CASE-9 x10001'].map(readOtherBarcode)).toEqual([
    'the pieces of the other barcode CASE-9 x0 are no number from 1 to 10,000',
    'the pieces of the other barcode CASE-9 x10001 are no number from 1 to 10,000',
  ])
})
