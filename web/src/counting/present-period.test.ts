import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCalendar, hasMarksBefore, withoutMarksBefore } from './present-period.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('the company’s month or day', () => {
  it('begins at its midnight, wherever the device is', () => {
    vi.setSystemTime('2026-11-23T03:00:00Z')
    expect(createCalendar('day', 'Asia/Tokyo').present().start.toISOString()).toBe('2026-11-22T15:00:00.000Z')
    expect(createCalendar('day', 'America/New_York').present().start.toISOString()).toBe(
      '2026-11-22T05:00:00.000Z',
    )
    expect(createCalendar('month', 'Europe/Berlin').present().start.toISOString()).toBe(
      '2026-10-31T23:00:00.000Z',
    )
  })

  it('is named as the server names it', () => {
    const moment = new Date('2026-03-31T22:30:00Z')
    expect(createCalendar('month', 'Europe/Berlin').nameAt(moment)).toBe('2026-04')
    expect(createCalendar('day', 'America/New_York').nameAt(moment)).toBe('2026-03-31')
  })

  it('begins where it did on the day on which clocks are changed', () => {
    vi.setSystemTime('2026-10-25T12:00:00Z')
    expect(createCalendar('day', 'Europe/Berlin').present().start.toISOString()).toBe(
      '2026-10-24T22:00:00.000Z',
    )
  })

  it('is the same one until the next begins', () => {
    const calendar = createCalendar('month', 'Europe/Berlin')
    vi.setSystemTime('2026-11-30T22:59:59Z')
    const november = calendar.present()
    vi.setSystemTime('2026-11-01T00:00:00Z')
    expect(calendar.present()).toBe(november)
    vi.setSystemTime('2026-11-30T23:00:00Z')
    expect(calendar.present().start.toISOString()).toBe('2026-11-30T23:00:00.000Z')
  })

  it('has marks from before where the server is still in the one before', () => {
    const start = new Date('2026-10-31T23:00:00Z')
    const marked = (at: string | null) => ({
      components: [{ barcode: 'A-1', description: '', counted: at !== null, counted_at: at }],
    })
    expect(hasMarksBefore(marked('2026-10-31T22:59:59.999Z'), start)).toBe(true)
    expect(hasMarksBefore(marked('2026-10-31T23:00:00.000Z'), start)).toBe(false)
    expect(hasMarksBefore(marked(null), start)).toBe(false)
  })

  it('has none of the marks that were set before it', () => {
    const item = (barcode: string, at: string | null) => ({
      barcode,
      description: '',
      counted: at !== null,
      counted_at: at,
    })
    const list = {
      components: [
        item('A-1', '2026-10-31T22:59:59.999Z'),
        item('A-2', '2026-10-31T23:00:00.000Z'),
        item('A-3', null),
      ],
    }
    const { components } = withoutMarksBefore(list, new Date('2026-10-31T23:00:00Z'))
    expect(components.map(({ barcode, counted }) => `${barcode} ${counted}`)).toEqual([
      'A-1 false',
      'A-2 true',
      'A-3 false',
    ])
  })
})
