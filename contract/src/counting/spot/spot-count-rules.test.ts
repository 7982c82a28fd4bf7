import { describe, expect, it } from 'vitest'
import { isDueSoon, minutesFor, skusIn } from './spot-count-rules.ts'

describe('the day of a spot count', () => {
  it.each([
    ['2026-11-29', false],
    ['2026-11-30', true],
    ['2026-12-31', true],
    ['2027-01-01', false],
  ])('%s, asked for on November 30: %s', (due, expected) => {
    expect(isDueSoon(due, '2026-11-30')).toBe(expected)
  })
})

describe('what is counted in a time', () => {
  it.each([
    [{ minutes: 45, people: 2, secondsPerSku: 30 }, 180],
    [{ minutes: 1, people: 1, secondsPerSku: 25 }, 2],
    [{ minutes: 5, people: 1, secondsPerSku: 400 }, 1],
    [{ minutes: 480, people: 20, secondsPerSku: 1 }, 500],
  ])('%o', (time, skus) => {
    expect(skusIn(time)).toBe(skus)
  })

  it('takes whole minutes, the last one begun', () => {
    expect(minutesFor({ skus: 100, people: 2, secondsPerSku: 30 })).toBe(25)
    expect(minutesFor({ skus: 101, people: 2, secondsPerSku: 30 })).toBe(26)
  })
})
