import { describe, expect, it } from 'vitest'
import { countedBefore } from './messages.ts'

describe('what was counted under a code that became a barcode of a component', () => {
  it.each([
    [[], ''],
    [[{ quantity: 0, place: 'Primary Warehouse' }], ''],
    [
      [{ quantity: 1, place: 'Primary Warehouse' }],
      ' 1 of it was counted under this code at Primary Warehouse and is in no count: count X-1 there again.',
    ],
    [
      [{ quantity: 14, place: 'Primary Warehouse' }],
      ' 14 of it were counted under this code at Primary Warehouse and are in no count: count X-1 there again.',
    ],
    [
      [
        { quantity: 1400, place: 'Primary Warehouse' },
        { quantity: 3, place: 'Secondary Warehouse' },
      ],
      ' 1,400 of it were counted under this code at Primary Warehouse and 3 at Secondary Warehouse and are in no count: count X-1 there again.',
    ],
  ])('%j is said so: %s', (counted, words) => {
    expect(countedBefore(counted, 'X-1')).toBe(words)
  })
})
