const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
/** A day of this year with its time, whose hour has as many digits as that of a time of today: '24 Nov, 04:09' beside '04:09'. */
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: time.format(new Date(2026, 0, 1, 4)).startsWith('0') ? '2-digit' : 'numeric',
  minute: '2-digit',
})
const calendarDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

const calendarMonth = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' })

function format(formatter: Intl.DateTimeFormat, at: Date): string {
  return Number.isNaN(at.getTime()) ? 'Invalid date' : formatter.format(at)
}

/** An instant in the browser's locale; 'Invalid date' for what is none (specification 5). */
export function formatDateTime(iso: string): string {
  return format(dateTime, new Date(iso))
}

export function formatDate(iso: string): string {
  return format(date, new Date(iso))
}

/** An instant as short as it can be read: the time of today, the day of this year, else the date. */
export function formatMoment(iso: string, now = new Date()): string {
  const at = new Date(iso)
  if (at.toDateString() === now.toDateString()) return format(time, at)
  return format(at.getFullYear() === now.getFullYear() ? dayAndTime : date, at)
}

/** A calendar day such as '2026-11-21' as month and day in the browser's locale. */
export function formatDay(text: string): string {
  return format(calendarDay, new Date(`${text}T00:00:00Z`))
}

/** A calendar month such as '2026-11' as month and year in the browser's locale. */
export function formatMonth(text: string): string {
  return format(calendarMonth, new Date(`${text}-01T00:00:00Z`))
}

/** The day of a date input ('2026-11-21') from its first to its last moment in the browser's time zone. */
export function dayBounds(day: string): { start: Date; end: Date } | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null
  return { start: new Date(`${day}T00:00:00`), end: new Date(`${day}T23:59:59.999`) }
}
