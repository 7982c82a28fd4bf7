import { expect, it } from 'vitest'
import { dayBounds, formatDateTime, formatDay, formatMoment } from './dates.ts'

it('what is no instant is called an invalid date', () => {
  expect(formatDateTime('yesterday')).toBe('Invalid date')
  expect(formatMoment('')).toBe('Invalid date')
})

it('a moment is as short as it can be read', () => {
  const now = new Date(2026, 10, 21, 15, 0)
  const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()
  expect(formatMoment(at(2026, 10, 21, 8, 33), now)).toMatch(/^8:33/)
  expect(formatMoment(at(2026, 10, 19, 8, 33), now)).toMatch(/^Nov 19, 8:33/)
  expect(formatMoment(at(2025, 10, 19, 8, 33), now)).toBe('Nov 19, 2025')
})

it('a calendar day is the same in every time zone', () => {
  expect(formatDay('2026-11-01')).toBe('Nov 1')
})

it('a day goes from its first to its last moment', () => {
  expect(dayBounds('2026-11-21')).toEqual({
    start: new Date(2026, 10, 21),
    end: new Date(2026, 10, 21, 23, 59, 59, 999),
  })
  expect(dayBounds('soon')).toBeNull()
})
