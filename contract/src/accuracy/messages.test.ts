import { expect, it } from 'vitest'
import { withoutCost } from './messages.ts'

it.each([
  [3, 1_200, '3 of 1,200 differing lines have no unit cost'],
  [1, 12, '1 of 12 differing lines has no unit cost'],
  [1, 1, '1 of 1 differing line has no unit cost'],
])('of %i lines of %i without a cost is said: %s', (without, lines, sentence) => {
  expect(withoutCost(without, lines)).toBe(sentence)
})
