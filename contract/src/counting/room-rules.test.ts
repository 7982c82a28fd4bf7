import { describe, expect, it } from 'vitest'
import { expectedFinish, perHour } from './room-rules.ts'

const now = new Date('2026-11-21T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

describe('the pace of a count', () => {
  it('is what was counted since the first of the last scans, for an hour', () => {
    expect(perHour({ skus: 10, firstAt: minutesAgo(5), now, paceMinutes: 15 })).toBe(120)
  })

  it('is reckoned over the last minutes at most', () => {
    expect(perHour({ skus: 10, firstAt: minutesAgo(60), now, paceMinutes: 15 })).toBe(40)
  })

  it('is reckoned over two minutes at least, so that the first scans promise nothing', () => {
    expect(perHour({ skus: 1, firstAt: now, now, paceMinutes: 15 })).toBe(30)
  })
})

describe('the end of a count', () => {
  const finish = (left: number, pace: number) => expectedFinish({ left, perHour: pace, now })

  it('is when the rest is counted at this pace', () => {
    expect(finish(60, 30)).toEqual(new Date('2026-11-21T14:00:00Z'))
  })

  it('is not told where nothing is left, nobody counts, or it is more than 60 days away', () => {
    expect([finish(0, 30), finish(60, 0)]).toEqual([null, null])
    expect([finish(60 * 24, 1), finish(60 * 24 + 1, 1)]).toEqual([new Date('2027-01-20T12:00:00Z'), null])
  })
})
