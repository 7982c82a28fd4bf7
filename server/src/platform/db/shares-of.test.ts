import { expect, it } from 'vitest'
import { sharesOf } from './database.ts'

it.each([
  { size: 2, running: 2, ofOne: 1 },
  { size: 3, running: 2, ofOne: 1 },
  { size: 4, running: 3, ofOne: 2 },
  { size: 5, running: 3, ofOne: 2 },
  { size: 10, running: 8, ofOne: 6 },
  { size: 30, running: 28, ofOne: 21 },
])('of $size connections companies have $running, and one of them $ofOne', ({ size, running, ofOne }) => {
  expect(sharesOf(size)).toMatchObject({ running, ofOne })
})
