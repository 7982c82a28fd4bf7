import { expect, it } from 'vitest'
import { compareBins } from './bins.ts'

it('goes along the shelves as people read their numbers, and ends with what has no bin', () => {
  const items = [
    { barcode: 'no bin' },
    { barcode: '5', bin: 'B-1' },
    { barcode: '4', bin: 'a-10' },
    { barcode: '1', bin: 'A-2' },
    { barcode: 'empty', bin: '' },
    { barcode: '3', bin: 'A-2' },
    { barcode: '10', bin: 'A-2' },
  ]
  expect(items.toSorted(compareBins).map(({ barcode }) => barcode)).toEqual([
    '1',
    '10',
    '3',
    '4',
    '5',
    'empty',
    'no bin',
  ])
})
