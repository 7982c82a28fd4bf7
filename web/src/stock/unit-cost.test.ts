import { expect, it } from 'vitest'
import { typedUnitCost, unitCostFault, worthOf } from './unit-cost.ts'

it.each([
  ['', null],
  ['12', 12],
  ['0.0125', 0.0125],
  ['0,0125', 0.0125],
  ['9999999,9999', 9_999_999.9999],
  ['.5', 0.5],
  ['12.', 12],
])('%s is a unit cost', (text, cost) => {
  expect(typedUnitCost(text)).toBe(cost)
  expect(unitCostFault(text)).toBe(null)
})

it.each(['-1', '1,234.50', '1.234,5', '0.00001', '10000000', '1e3', '0x1', '.', ',', '$5', '1 000', 'five'])(
  '%s is none',
  (text) => {
    expect(unitCostFault(text)).toBe(
      'Unit cost must be a number from 0 to 9,999,999.9999 with at most four decimals.',
    )
  },
)

it('pieces are worth what they cost together, to the last decimal', () => {
  expect(worthOf(3, 0.335)).toBe(1.005)
  expect(worthOf(7, 0.0125)).toBe(0.0875)
  expect(worthOf(0, 12)).toBe(0)
})
