import { expect, it } from 'vitest'
import { howMany } from './numbers.ts'

it.each([
  [howMany(0, 'scan'), '0 scans'],
  [howMany(1, 'scan'), '1 scan'],
  [howMany(1_200, 'scan'), '1,200 scans'],
  [howMany(1, 'person is', 'people are'), '1 person is'],
  [howMany(2, 'person is', 'people are'), '2 people are'],
])('a number and what it is of agree: %s', (said, expected) => {
  expect(said).toBe(expected)
})
