import { expect, it } from 'vitest'
import { createStoredProducts } from './stored-products.ts'

const how = { setExisting: false, location: 'PRIMARY' } as const
const bolt = (quantity: number) => ({ barcode: 'A-1', description: 'Bolt', quantity })
const nobody: ReadonlySet<string> = new Set()

it('what is stored is not stored again until the labels are made', () => {
  const stored = createStoredProducts()
  expect(stored.missing({ ...how, products: [bolt(5)] })).toEqual([{ existing: 'keep', products: [bolt(5)] }])
  stored.begin([bolt(5)], nobody)
  stored.finish([bolt(5)], how)
  expect(stored.missing({ ...how, products: [bolt(5)] })).toEqual([])
  stored.clear()
  expect(stored.missing({ ...how, products: [bolt(9)] })).toEqual([{ existing: 'keep', products: [bolt(9)] }])
})

it('the stock of a component made here follows the quantity, also back to the first one', () => {
  const stored = createStoredProducts()
  stored.begin([bolt(5)], nobody)
  stored.finish([bolt(5)], how)
  expect(stored.missing({ ...how, products: [bolt(7)] })).toEqual([{ existing: 'set', products: [bolt(7)] }])
  // Its answer is lost.
  stored.begin([bolt(7)], new Set(['A-1']))
  expect(stored.missing({ ...how, products: [bolt(7)] })).toEqual([{ existing: 'set', products: [bolt(7)] }])
  stored.finish([bolt(7)], how)
  expect(stored.missing({ ...how, products: [bolt(5)] })).toEqual([{ existing: 'set', products: [bolt(5)] }])
})

it('a component from before keeps its stock unless it is to be set', () => {
  const stored = createStoredProducts()
  stored.begin([bolt(5)], new Set(['A-1']))
  stored.finish([bolt(5)], how)
  expect(stored.missing({ ...how, products: [bolt(7)] })).toEqual([{ existing: 'keep', products: [bolt(7)] }])
  expect(stored.missing({ ...how, setExisting: true, products: [bolt(5)] })).toEqual([
    { existing: 'set', products: [bolt(5)] },
  ])
})
