import { expect, it } from 'vitest'
import { contrastWithWhite } from './colours.ts'

it.each([
  ['#000000', 21],
  ['#ffffff', 1],
  ['#767676', 4.54],
  ['#777777', 4.48],
  ['#ff0000', 4.0],
])('white on %s has a contrast of %d', (colour, contrast) => {
  expect(contrastWithWhite(colour)).toBeCloseTo(contrast, 2)
})
