import { describe, expect, it } from 'vitest'
import { daysOfWeek, type DayOfWeek } from '../../calendar.ts'
import { inWeekOrder, nextRecurring, onRecurringDays, recurringDaysInWords } from './spot-schedule-rules.ts'

describe('the days of a recurring spot count', () => {
  it.each<[DayOfWeek[], string, string]>([
    [[...daysOfWeek], 'every day', 'every day'],
    [['Friday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday'], 'Monday to Friday', 'Monday to Friday'],
    [['Sunday'], 'Sunday', 'on Sunday'],
    [['Thursday', 'Monday'], 'Monday and Thursday', 'on Monday and Thursday'],
    [['Saturday', 'Monday', 'Tuesday'], 'Monday, Tuesday and Saturday', 'on Monday, Tuesday and Saturday'],
  ])('%j are said as %s, and in a sentence %s', (days, expected, inSentence) => {
    expect([recurringDaysInWords(days), onRecurringDays(days)]).toEqual([expected, inSentence])
  })

  it('are in the order of the week, each once', () => {
    expect(inWeekOrder(['Sunday', 'Monday', 'Sunday'])).toEqual(['Monday', 'Sunday'])
  })

  // November 30, 2026 is a Monday.
  it.each<[DayOfWeek[], string, string]>([
    [['Monday'], '2026-11-30', '2026-11-30'],
    [['Thursday', 'Tuesday'], '2026-11-30', '2026-12-01'],
    [['Monday'], '2026-12-01', '2026-12-07'],
    [['Sunday'], '2026-11-30', '2026-12-06'],
    [['Friday'], '2026-12-27', '2027-01-01'],
  ])('%j from %s: the next is %s', (days, from, expected) => {
    expect(nextRecurring(days, from)).toBe(expected)
  })
})
