import { describe, expect, it } from 'vitest'
import { readImportRow, type ImportField } from './rules.ts'

const fields: ImportField[] = ['barcode', 'other_barcodes', 'description', 'other_barcodes']

/** What a row of the component SKU-1 says with these cells of other barcodes. */
function read(first: string, second = '') {
  const { others, fault } = readImportRow(['SKU-1', first, 'Bolt', second], {
    fields,
    closed: new Set(),
    ownNames: {},
  })
  return fault ?? others
}

describe('a cell of other barcodes', () => {
  it.each([
    ['', []],
    [' 04006381333931 ', [{ barcode: '04006381333931' }]],
    ['4006381333931 x12; OLD-7', [{ barcode: '4006381333931', pieces: 12 }, { barcode: 'OLD-7' }]],
    [
      `"6"" PIPE;x" x10000; -7; BOX x6; "BOX x6"`,
      [
        { barcode: '6" PIPE;x', pieces: 10_000 },
        { barcode: '-7' },
        { barcode: 'BOX', pieces: 6 },
        { barcode: 'BOX x6' },
      ],
    ],
    [
      'A-1;B-2\nC-3, D-4,E;',
      [{ barcode: 'A-1' }, { barcode: 'B-2' }, { barcode: 'C-3' }, { barcode: 'D-4,E' }],
    ],
    ['6" PIPE; 7" PIPE', [{ barcode: '6" PIPE' }, { barcode: '7" PIPE' }]],
  ])('%j is read as exports write it, and as people do', (cell, others) => {
    expect(read(cell)).toEqual(others)
  })

  it('may be one of several of its row, which repeats its own barcode without harm', () => {
    expect(read('A-1; SKU-1', 'A-1; B-2')).toEqual([{ barcode: 'A-1' }, { barcode: 'B-2' }])
    expect(read('036000291452', '0036000291452')).toEqual([{ barcode: '036000291452' }])
  })

  it.each([
    ['4.00638E+12', 'the other barcode is in scientific notation: a spreadsheet has shortened it'],
    ['A-1; #N/A', 'the other barcode is #N/A, an error of the spreadsheet'],
    ['x'.repeat(49), 'the other barcode is longer than 48 characters'],
    ['BOX x0', 'the pieces of the other barcode BOX x0 are no number from 1 to 10,000'],
    ['BOX x10001', 'the pieces of the other barcode BOX x10001 are no number from 1 to 10,000'],
    ['BOX x6; BOX x12', 'the other barcode BOX stands twice in the row, with other pieces'],
    [
      Array.from({ length: 21 }, (_, index) => `M-${index}`).join('; '),
      'the row names more than 20 other barcodes',
    ],
  ])('%s cannot be taken', (cell, fault) => {
    expect(read(cell)).toContain(fault)
  })

  const length = 60_000
  it.each([
    ['line ends', `a${'\n'.repeat(length)}b`],
    ['line ends of two signs', `a${'\r\n'.repeat(length / 2)}b`],
    ['empty lines', `a${'\n '.repeat(length / 2)}b`],
    ['spaces', `a;${' '.repeat(length)};b`],
    ['spaces before a number', `a${' '.repeat(length)}x`],
    ['commas', `a${', '.repeat(length / 2)}b`],
    ['semicolons', `a${';'.repeat(length)}b`],
    ['quotes', `${'"'.repeat(length)}a`],
    ['quotes with spaces', `a${' "'.repeat(length / 2)}`],
    ['quotes that are not closed', `"${'"" '.repeat(length / 3)}`],
    ['packs', 'a x'.repeat(length / 3)],
  ])('with %s without end is read at once', (_, cell) => {
    const from = performance.now()
    read(cell)
    expect(performance.now() - from).toBeLessThan(500)
  })
})
