import { describe, expect, it } from 'vitest'
import { readHighVolume } from './high-volume.ts'

const monday = { day: 'Monday', location: 'PRIMARY' }
const friday = { day: 'Friday', location: 'PRIMARY' }

describe('an older high-volume configuration', () => {
  it.each([
    ['a list of days', ['Monday', 'friday']],
    ['short names of days', ['Mon', 'FRI']],
    ['a map of days to one location', { Monday: 'PRIMARY', Friday: 'Primary Warehouse' }],
    ['a map of days to locations', { Monday: ['PRIMARY'], Friday: ['PRIMARY'] }],
    ['a map of days to a flag', { Monday: true, Tuesday: false, Friday: true }],
    ['a map of locations to days', { PRIMARY: ['Monday', 'Friday'] }],
    ['days and their location', { days: ['Monday', 'Friday'], location: 'Primary Warehouse' }],
    ['days and their locations', { days: ['Mon', 'Fri'], locations: ['PRIMARY'] }],
    ['a list of pairs', { days: [{ day: 'Monday', location: 'Primary Warehouse' }, { day: 'Friday' }] }],
  ])('as %s is read', (_form, value) => {
    expect(readHighVolume(value, 'PRIMARY')).toEqual({ assignments: [monday, friday] })
  })

  it.each([
    ['days and a location', { days: ['Monday'], location: 'SECONDARY' }, ['SECONDARY']],
    [
      'days and locations',
      { days: ['Monday'], locations: ['SECONDARY', 'PRIMARY'] },
      ['SECONDARY', 'PRIMARY'],
    ],
    ['a list of a day with locations', [{ day: 'Monday', locations: ['SECONDARY'] }], ['SECONDARY']],
  ])('as %s is of the location that it names', (_form, value, locations) => {
    expect(readHighVolume(value, 'PRIMARY')).toEqual({
      assignments: locations.map((location) => ({ day: 'Monday', location })),
    })
  })

  it('as a bare flag means every weekday', () => {
    const reading = readHighVolume(true, 'SECONDARY')
    expect(reading).toMatchObject({
      assignments: [{ day: 'Monday', location: 'SECONDARY' }, {}, {}, {}, { day: 'Friday' }],
    })
    expect(readHighVolume(false, 'PRIMARY')).toEqual({ assignments: [] })
  })

  it('as days within days is read a few deep, and no deeper: each location doubles what there is to read', () => {
    const within = (times: number): unknown =>
      times === 0 ? ['Monday'] : { days: within(times - 1), locations: ['SECONDARY', 'PRIMARY', 'SECONDARY'] }
    const assignments = [{ day: 'Monday', location: 'SECONDARY' }, monday]
    expect(readHighVolume(within(3), 'PRIMARY')).toEqual({ assignments })
    expect(readHighVolume(JSON.stringify(within(11)), 'PRIMARY')).toHaveProperty('reason')
  })

  it.each([
    [['Sunday']],
    [{ Monday: 'Moon' }],
    ['sometimes'],
    [7],
    [{ Moon: ['Monday'] }],
    [{ days: ['Monday'], location: 'Moon' }],
    [[{ day: 'Monday', locations: ['PRIMARY', 'Moon'] }]],
  ])('as %j cannot be read, and says why', (value) => {
    expect(readHighVolume(value, 'PRIMARY')).toEqual({
      reason: 'The configuration names a day or location that is not known.',
    })
  })
})
