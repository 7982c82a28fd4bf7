import { dayAfter, daysOfWeek, weekdayOf, type DayOfWeek } from '../../calendar.ts'
import { inWords } from '../../in-words.ts'
import { weekDays } from '../../stock/rules.ts'

/** How many recurring spot counts a company has at the most. */
export const mostSpotSchedules = 20

export const noRecurringDay = 'Choose at least one day.'

/** Days in the order of the week, each once. */
export function inWeekOrder(days: readonly DayOfWeek[]): DayOfWeek[] {
  return daysOfWeek.filter((day) => days.includes(day))
}

const everyDay = 'every day'
const fromMonday = 'Monday to Friday'

/** Days of the week in words: 'every day', 'Monday to Friday', 'Monday', 'Monday and Thursday', 'Monday, Tuesday and Friday'. */
export function recurringDaysInWords(days: readonly DayOfWeek[]): string {
  const inOrder = inWeekOrder(days)
  if (inOrder.length === daysOfWeek.length) return everyDay
  if (inOrder.join() === weekDays.join()) return fromMonday
  return inWords(inOrder)
}

/** The same as a part of a sentence: 'every day', 'Monday to Friday', 'on Monday and Thursday'. */
export function onRecurringDays(days: readonly DayOfWeek[]): string {
  const words = recurringDaysInWords(days)
  return [everyDay, fromMonday].includes(words) ? words : `on ${words}`
}

/** The next day that is one of the days of the week, from a day on: '2026-12-03' of 'Thursday' from '2026-11-30'. */
export function nextRecurring(days: readonly DayOfWeek[], from: string): string {
  const week = daysOfWeek.map((_, away) => dayAfter(from, away))
  const next = week.find((day) => days.some((name) => name === weekdayOf(day)))
  if (next === undefined) throw new Error('It recurs on no day.')
  return next
}
