import { expect, it } from 'vitest'
import { momentHere } from './device-clock.ts'

const at = new Date('2026-11-23T10:00:00.000Z')
const now = new Date('2026-11-23T12:00:00.000Z')
const seconds = (count: number) => new Date(now.getTime() + count * 1000)

it.each([
  ['that does not say what its clock shows', null, '2026-11-23T10:00:00.000Z'],
  ['whose clock is right', now, '2026-11-23T10:00:00.000Z'],
  [
    'whose clock is a minute behind, or whose request took that long',
    seconds(-60),
    '2026-11-23T10:00:00.000Z',
  ],
  ['whose clock is more behind', seconds(-3600), '2026-11-23T11:00:00.000Z'],
  ['whose clock is more ahead', seconds(86_400), '2026-11-22T10:00:00.000Z'],
])('the moment of a count on a device %s', (_, sentAt, moment) => {
  expect(momentHere(at, { sentAt, now }).toISOString()).toBe(moment)
})
