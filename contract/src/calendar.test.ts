import { expect, it } from 'vitest'
import { dayAfter, daysLeftOfMonth, lastDayOfMonth, weekdayOf } from './calendar.ts'

it.each([
  ['2026-11-30', 1, '2026-12-01'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2028-02-28', 1, '2028-02-29'],
  ['2026-11-30', 0, '2026-11-30'],
  ['2026-03-01', -1, '2026-02-28'],
])('so many days from another: %s and %i is %s', (day, days, expected) => {
  expect(dayAfter(day, days)).toBe(expected)
})

it.each([
  ['2026-11-29', 'Sunday'],
  ['2026-11-30', 'Monday'],
  ['2028-02-29', 'Tuesday'],
])('%s is a %s', (day, weekday) => {
  expect(weekdayOf(day)).toBe(weekday)
})

it('a month ends on its last day, in leap years and at the end of the year, too', () => {
  expect(['2026-11-23', '2026-11-30', '2026-12-01', '2026-02-01', '2028-02-29'].map(lastDayOfMonth)).toEqual([
    '2026-11-30',
    '2026-11-30',
    '2026-12-31',
    '2026-02-28',
    '2028-02-29',
  ])
})

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
