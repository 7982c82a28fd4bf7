// Days such as '2026-11-30' and months such as '2026-11', of whatever time zone.

export const daysOfWeek = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

export type DayOfWeek = (typeof daysOfWeek)[number]

/** The weekday of a day: 'Monday' of '2026-11-30'. */
export function weekdayOf(day: string): DayOfWeek | undefined {
  // Sunday is the first of JavaScript's week.
  return daysOfWeek[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7]
}

/** The day so many days after another, or before it: '2026-12-01' of '2026-11-30' and 1. */
export function dayAfter(day: string, days: number): string {
  const moved = new Date(`${day}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

/** The month of a day: '2026-11' of '2026-11-23'. */
export function monthOf(day: string): string {
  return day.slice(0, 7)
}

/** The month so many months after another, or before it. */
export function monthAfter(month: string, months: number): string {
  const at = new Date(`${month}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() + months)
  return at.toISOString().slice(0, 7)
}

/** The last day of the month of a day: '2026-11-30' of '2026-11-23'. */
export function lastDayOfMonth(day: string): string {
  return dayAfter(`${monthAfter(monthOf(day), 1)}-01`, -1)
}

/** The days left of the month of a day, that day with them: counted by the calendar, because days have 23 and 25 hours, too. */
export function daysLeftOfMonth(day: string): number {
  return Number(lastDayOfMonth(day).slice(8)) - Number(day.slice(8)) + 1
}
