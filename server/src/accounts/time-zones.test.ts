import { expect, it } from 'vitest'
import { chooseTimeZone, dayIn } from './time-zones.ts'

const known = ['Asia/Kolkata', 'Australia/Sydney', 'CET', 'Europe/Berlin', 'Europe/Brussels', 'UTC']

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['AET', 'Australia/Sydney'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['IST', 'Asia/Kolkata'],
  ['utc', 'UTC'],
  // To the database an hour ahead of UTC also in summer.
  ['CET', 'Europe/Brussels'],
  ['America/New_York', undefined],
  ['Mars/Olympus', undefined],
])('the zone %s is %s to a database that knows few names', (given, expected) => {
  expect(chooseTimeZone(given, known)).toBe(expected)
})

it.each([
  ['UTC', { weekday: 'Monday', today: '2026-11-23' }],
  ['Asia/Tokyo', { weekday: 'Tuesday', today: '2026-11-24' }],
  ['Mars/Olympus', { weekday: 'Monday', today: '2026-11-23' }],
])('the day of an instant in %s', (timeZone, expected) => {
  expect(dayIn(timeZone, new Date('2026-11-23T23:30:00Z'))).toEqual(expected)
})

it('a day ends at midnight, though it was told a moment before', () => {
  expect(dayIn('Europe/Berlin', new Date('2026-11-23T22:59:59.999Z')).today).toBe('2026-11-23')
  expect(dayIn('Europe/Berlin', new Date('2026-11-23T23:00:00Z')).today).toBe('2026-11-24')
})
