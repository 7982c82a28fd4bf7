import { expect, it } from 'vitest'
import {
  dayAt,
  dayBounds,
  dayBoundsIn,
  formatDateTime,
  formatDay,
  formatMoment,
  formatWholeDay,
  sentInstant,
} from './dates.ts'

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

it('a moment of last night has its time on the first day of a year, too, as has one of the next morning on the last', () => {
  const [eve, morning] = [new Date(2026, 11, 31, 23, 50), new Date(2027, 0, 1, 2, 30)]
  expect(formatMoment(eve.toISOString(), morning)).toMatch(/^Dec 31, 11:50/)
  expect(formatMoment(morning.toISOString(), eve)).toMatch(/^Jan 1, 2:30/)
  expect(formatMoment(new Date(2026, 5, 1).toISOString(), morning)).toBe('Jun 1, 2026')
})

it('a calendar day is the same in every time zone', () => {
  expect(formatDay('2026-11-01')).toBe('Nov 1')
  expect(formatWholeDay('2026-11-01')).toBe('November 1')
})

it('a moment belongs to the day that its time zone has then', () => {
  const late = Date.parse('2026-11-21T23:30:00Z')
  expect(dayAt(late, 'UTC')).toBe('2026-11-21')
  expect(dayAt(late, 'Europe/Berlin')).toBe('2026-11-22')
  expect(dayAt(new Date(2026, 10, 21, 23, 59).getTime(), null)).toBe('2026-11-21')
})

it('a day goes from its first to its last moment', () => {
  expect(dayBounds('2026-11-21')).toEqual({
    start: new Date(2026, 10, 21),
    end: new Date(2026, 10, 21, 23, 59, 59, 999),
  })
  expect(dayBounds('soon')).toBeNull()
})

it.each([
  ['2026-11-01', 'Europe/Berlin', ['2026-10-31T23:00:00.000Z', '2026-11-01T22:59:59.999Z']],
  ['2026-11-01', 'America/New_York', ['2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z']],
  // Their clocks are changed at midnight.
  ['2026-10-24', 'Asia/Beirut', ['2026-10-23T21:00:00.000Z', '2026-10-24T21:59:59.999Z']],
  ['2026-03-29', 'Asia/Beirut', ['2026-03-28T22:00:00.000Z', '2026-03-29T20:59:59.999Z']],
  ['2026-09-06', 'America/Santiago', ['2026-09-06T04:00:00.000Z', '2026-09-07T02:59:59.999Z']],
  ['2026-03-08', 'America/Havana', ['2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z']],
  // An hour after midnight it is midnight once more.
  ['2026-11-01', 'America/Havana', ['2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z']],
  ['2026-10-25', 'Atlantic/Azores', ['2026-10-25T00:00:00.000Z', '2026-10-26T00:59:59.999Z']],
  ['9999-12-31', 'Europe/Berlin', ['9999-12-30T23:00:00.000Z', '9999-12-31T22:59:59.999Z']],
  ['2026-01-01', 'Pacific/Kiritimati', ['2025-12-31T10:00:00.000Z', '2026-01-01T09:59:59.999Z']],
])('the day %s in %s goes from the first to the last of %j', (day, zone, bounds) => {
  const { start, end } = dayBoundsIn(day, zone) ?? {}
  expect([start, end].map((at) => at?.toISOString())).toEqual(bounds)
})

it.each(['0002-11-01', '0020-11-01', '0202-11-01', '1969-12-31'])('%s is from before anything', (day) => {
  expect(sentInstant(dayBoundsIn(day, 'Europe/Berlin')?.start)).toBe('1970-01-01T00:00:00.000Z')
})

it('what is no day has no bounds in any time zone', () => {
  expect(dayBoundsIn('soon', 'Europe/Berlin')).toBeNull()
})
