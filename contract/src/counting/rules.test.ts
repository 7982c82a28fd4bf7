import { expect, it } from 'vitest'
import {
  countingSessionId,
  daysRequestsAreKnown,
  largestUnaskedQuantity,
  maxClockAheadMinutes,
  maxCountAgeDays,
} from './rules.ts'

it('a count may come a week late and five minutes early, and its request is known for longer than that', () => {
  expect([maxCountAgeDays, maxClockAheadMinutes, daysRequestsAreKnown]).toEqual([7, 5, 40])
  expect(largestUnaskedQuantity).toBe(999_999)
})

it('names a counting session by its day, where it has one', () => {
  const session = { kind: 'Weekly', day: 'Friday', date: '2026-11-20', location: 'PRIMARY' } as const
  expect(countingSessionId({ ...session, milliseconds: 7 })).toBe('Weekly_Friday_2026-11-20_PRIMARY_7')
})

it('names a counting session by kind, date, location and time', () => {
  const id = countingSessionId({
    kind: 'Monthly',
    date: '2026-11-21',
    location: 'PRIMARY',
    milliseconds: 1795000000000,
  })
  expect(id).toBe('Monthly_2026-11-21_PRIMARY_1795000000000')
})
