import { expect, it } from 'vitest'
import { percentDone } from './numbers.ts'

it.each([
  [0, 0, 0],
  [0, 3, 0],
  [29, 100, 29],
  [57, 100, 57],
  [1, 3, 33],
  [999, 1_000, 99],
  [3, 3, 100],
])('%i of %i counted are %i percent', (done, whole, percent) => {
  expect(percentDone(done, whole)).toBe(percent)
})

it('every share of a hundred is its own percent', () => {
  const shares = Array.from({ length: 101 }, (_, share) => share)
  expect(shares.map((share) => percentDone(share, 100))).toEqual(shares)
})
