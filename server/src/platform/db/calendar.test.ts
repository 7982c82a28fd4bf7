import { expect, it } from 'vitest'
import { daysLeftOfMonth } from './calendar.ts'

it.each([
  ['2026-10-01', 31],
  // Berlin: 27 days and half an hour are left at half past midnight, as the clocks go back on the 25th.
  ['2026-10-05', 27],
  // New York: 26 days less half an hour are left at half past eleven in the evening, as the clocks go forward on the 8th.
  ['2026-03-05', 27],
  ['2026-02-28', 1],
  ['2028-02-28', 2],
  ['2026-12-31', 1],
])('on %s as many days are left of the month as a calendar shows', (day, left) => {
  expect(daysLeftOfMonth(day)).toBe(left)
})
