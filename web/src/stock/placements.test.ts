import { expect, it } from 'vitest'
import { isLow, isLowIn, linesOf, lowWords, placedAt } from './placements.ts'

const bolt = {
  stock: { PRIMARY: 4, DISTRIBUTION: 1200 },
  placements: [
    { location: 'DISTRIBUTION', bin: '', minimum: 5000 },
    { location: 'PRIMARY', bin: 'A-03-2', minimum: 10 },
    { location: 'SECONDARY', bin: 'B-1', minimum: 1 },
  ],
}

it('a component is low below its minimum, not at it, and never where it has none', () => {
  expect(isLow({ quantity: 9, minimum: 10 })).toBe(true)
  expect(isLow({ quantity: 10, minimum: 10 })).toBe(false)
  expect(isLow({ quantity: 0, minimum: 0 })).toBe(false)
  expect(isLow({ quantity: 0, minimum: null })).toBe(false)
})

it('a component is low only at locations that the plan has', () => {
  const missing = { quantity: 0, minimum: 1 }
  expect(isLowIn('professional', { ...missing, location: 'SECONDARY' })).toBe(true)
  expect(isLowIn('starter', { ...missing, location: 'SECONDARY' })).toBe(false)
  expect(isLowIn('starter', { ...missing, location: 'PRIMARY' })).toBe(true)
  expect(isLowIn('starter', { quantity: 1, minimum: 1, location: 'PRIMARY' })).toBe(false)
})

it('a component that was never at a location has no stock, no bin and no minimum there', () => {
  expect(placedAt(bolt, 'PRIMARY')).toEqual({
    location: 'PRIMARY',
    quantity: 4,
    bin: 'A-03-2',
    minimum: 10,
  })
  expect(placedAt(bolt, 'FULFILLMENT')).toEqual({
    location: 'FULFILLMENT',
    quantity: 0,
    bin: '',
    minimum: null,
  })
})

it('where a component is low is said of the locations that are looked at, in their order', () => {
  expect(lowWords(bolt, ['SECONDARY', 'PRIMARY', 'FULFILLMENT', 'DISTRIBUTION'])).toEqual([
    'Secondary 0 of 1',
    'Primary 4 of 10',
    'Distribution 1,200 of 5,000',
  ])
  expect(lowWords(bolt, ['PRIMARY'])).toEqual(['Primary 4 of 10'])
  expect(lowWords({ ...bolt, arriving: { PRIMARY: 40 } }, ['PRIMARY'])).toEqual([
    'Primary 4 of 10 (40 on its way)',
  ])
  expect(lowWords({ ...bolt, stock: { PRIMARY: 10 } }, ['PRIMARY'])).toEqual([])
})

it('where a component is low is one line at a desk, and one for each location on a phone, two for the largest numbers', () => {
  const words = ['Primary 4 of 10', 'Distribution 1,200 of 5,000', 'Secondary 2,147,483,646 of 2,147,483,647']
  expect([linesOf(words, false), linesOf(words, true)]).toEqual([1, 4])
  expect([linesOf([], false), linesOf([], true)]).toEqual([0, 0])
})
