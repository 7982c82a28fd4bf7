import { describe, expect, it } from 'vitest'
import {
  countedThisMonth,
  countedToday,
  countingSessionId,
  daysRequestsAreKnown,
  isCountedSince,
  largestUnaskedQuantity,
  maxClockAheadMinutes,
  maxCountAgeDays,
  startOfDay,
  startOfMonth,
} from './rules.ts'

const marks = (countedAt: string | null, weeklyCountedAt: string | null = null) => ({
  countedAt: countedAt === null ? null : new Date(countedAt),
  weeklyCountedAt: weeklyCountedAt === null ? null : new Date(weeklyCountedAt),
})

describe('a component counts as counted this month', () => {
  it('not before its first count', () => {
    expect(countedThisMonth(marks(null), new Date('2026-11-21T12:00:00Z'), 'UTC')).toBe(false)
  })

  it('from the first moment of the month on', () => {
    const now = new Date('2026-11-21T12:00:00Z')
    expect(countedThisMonth(marks('2026-11-01T00:00:00Z'), now, 'UTC')).toBe(true)
    expect(countedThisMonth(marks('2026-10-31T23:59:59.999Z'), now, 'UTC')).toBe(false)
  })

  it('by the month of the company, not of Greenwich', () => {
    const now = new Date('2026-10-31T10:30:00Z')
    const count = marks('2026-10-31T10:10:00Z')
    expect(countedThisMonth(count, now, 'Pacific/Kiritimati')).toBe(true)
    expect(startOfMonth(now, 'Pacific/Kiritimati').toISOString()).toBe('2026-10-31T10:00:00.000Z')
    expect(startOfMonth(now, 'Pacific/Pago_Pago').toISOString()).toBe('2026-10-01T11:00:00.000Z')
  })

  it('until the month ends', () => {
    const count = marks('2026-11-30T22:00:00Z')
    expect(countedThisMonth(count, new Date('2026-11-30T22:59:59Z'), 'Europe/Berlin')).toBe(true)
    expect(countedThisMonth(count, new Date('2026-11-30T23:00:00Z'), 'Europe/Berlin')).toBe(false)
  })
})

describe('a component counts as counted today', () => {
  it('only by a weekly count', () => {
    const now = new Date('2026-11-21T12:00:00Z')
    expect(countedToday(marks('2026-11-21T11:00:00Z'), now, 'UTC')).toBe(false)
    expect(countedToday(marks(null, '2026-11-21T11:00:00Z'), now, 'UTC')).toBe(true)
    expect(countedToday(marks(null, '2026-11-20T23:59:59Z'), now, 'UTC')).toBe(false)
  })
})

describe('the start of a day', () => {
  it('follows the clock change in spring and autumn', () => {
    expect(startOfDay(new Date('2026-03-29T12:00:00Z'), 'Europe/Berlin').toISOString()).toBe(
      '2026-03-28T23:00:00.000Z',
    )
    expect(startOfDay(new Date('2026-10-25T12:00:00Z'), 'Europe/Berlin').toISOString()).toBe(
      '2026-10-24T22:00:00.000Z',
    )
  })

  it('is the first moment that exists where midnight is skipped', () => {
    expect(startOfDay(new Date('2026-04-24T12:00:00Z'), 'Africa/Cairo').toISOString()).toBe(
      '2026-04-23T22:00:00.000Z',
    )
  })
})

describe('a day that begins twice, or late', () => {
  it('begins with the second midnight where clocks go back over it', () => {
    // Havana goes back from 1:00 to 0:00.
    expect(startOfDay(new Date('2026-11-01T18:00:00Z'), 'America/Havana').toISOString()).toBe(
      '2026-11-01T05:00:00.000Z',
    )
  })

  it('is reckoned to the millisecond, and before 1970 as after it', () => {
    const start = '2026-11-21T00:00:00.000Z'
    expect(startOfDay(new Date('2026-11-21T23:59:59.999Z'), 'UTC').toISOString()).toBe(start)
    expect(startOfDay(new Date('2026-11-21T00:00:00.001Z'), 'UTC').toISOString()).toBe(start)
    expect(startOfDay(new Date('1969-12-31T23:59:59.500Z'), 'UTC').toISOString()).toBe(
      '1969-12-31T00:00:00.000Z',
    )
  })

  it('has the minutes and seconds of its place', () => {
    expect(startOfDay(new Date('2026-11-21T12:34:56Z'), 'Asia/Kathmandu').toISOString()).toBe(
      '2026-11-20T18:15:00.000Z',
    )
  })
})

describe('what a list asks about a count', () => {
  const start = new Date('2026-11-01T00:00:00Z')

  it('is whether it was at the start of the period or after it', () => {
    const at = (time: string) => isCountedSince(new Date(time), start)
    expect([at('2026-10-31T23:59:59.999Z'), at('2026-11-01T00:00:00Z')]).toEqual([false, true])
    expect(isCountedSince(null, start)).toBe(false)
    expect(isCountedSince(null, new Date(0))).toBe(false)
  })
})

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
