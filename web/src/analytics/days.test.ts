import { expect, it } from 'vitest'
import { dayFormatOf, everyDay, scansSoFar } from './days.ts'

const points = [
  { day: '2026-11-20', scans: 2, cumulative: 2 },
  { day: '2026-11-22', scans: 1, cumulative: 3 },
]

it('the progress goes on to today, through days without scans', () => {
  expect(everyDay(points, '2026-11-24')).toEqual([
    { day: '2026-11-20', cumulative: 2 },
    { day: '2026-11-21', cumulative: 2 },
    { day: '2026-11-22', cumulative: 3 },
    { day: '2026-11-23', cumulative: 3 },
    { day: '2026-11-24', cumulative: 3 },
  ])
})

it('the progress keeps its last day on a device whose clock is behind', () => {
  expect(everyDay(points, '2026-11-01').at(-1)).toEqual({ day: '2026-11-22', cumulative: 3 })
  expect(everyDay([], '2026-11-01')).toEqual([])
})

it('a day that is still to come has no figure, and today has one', () => {
  expect(scansSoFar({ day: '2026-11-29', scans: 0 }, '2026-11-28')).toBeNull()
  expect(scansSoFar({ day: '2026-11-28', scans: 0 }, '2026-11-28')).toBe(0)
  expect(scansSoFar({ day: '2026-11-29', scans: 4 }, '2026-11-28')).toBe(4)
})

it('days of several years are written with theirs, those of one year without', () => {
  const days = everyDay([{ day: '2025-12-31', scans: 2, cumulative: 2 }], '2026-01-02')
  expect(days.map(({ day }) => dayFormatOf(days)(day))).toEqual([
    'Dec 31, 2025',
    'Jan 1, 2026',
    'Jan 2, 2026',
  ])
  expect(days.slice(1).map(({ day }) => dayFormatOf(days.slice(1))(day))).toEqual(['Jan 1', 'Jan 2'])
})
