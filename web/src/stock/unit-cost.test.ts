import { expect, it } from 'vitest'
import { readTypedCost, unitCostText, worthOf } from './unit-cost.ts'

it.each([
  ['', null],
  ['12', 12],
  ['0.0125', 0.0125],
  ['0,0125', 0.0125],
  ['9999999,9999', 9_999_999.9999],
  ['.5', 0.5],
  ['1.234', 1.234],
  ['1,234', 1234],
  ['1,234.50', 1234.5],
  ['1.234,50', 1234.5],
  ['1 000', 1000],
  ['$5', 5],
  ['12.34567', 12.3457],
])('%s is a unit cost', (text, cost) => {
  expect(readTypedCost(text)).toEqual({ cost, fault: null })
})

it.each(['-1', '10000000', '1e3', '0x1', '.', ',', '5 a piece', 'five'])('%s is none', (text) => {
  expect(readTypedCost(text).fault).toBe(
    'Unit cost must be an amount from 0 to 9,999,999.9999, such as 1,234.50.',
  )
})

it('what would be rounded to nothing is none', () => {
  expect(readTypedCost('0.00001').fault).toBe('Unit cost must be 0, or 0.0001 and more.')
})

it.each([null, 0, 0.0001, 0.0125, 1.234, 1234, 1234.5, 9_999_999.9999])(
  '%d is read as itself where it is opened and saved as it stands',
  (cost) => {
    expect(readTypedCost(unitCostText(cost)).cost).toBe(cost)
  },
)

it('pieces are worth what they cost together, to the last decimal', () => {
  expect(worthOf(3, 0.335)).toBe(1.005)
  expect(worthOf(7, 0.0125)).toBe(0.0875)
  expect(worthOf(0, 12)).toBe(0)
})
