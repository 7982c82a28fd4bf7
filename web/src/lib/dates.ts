const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
/** A day with its time, whose hour has as many digits as that of a time of today: '24 Nov, 04:09' beside '04:09'. */
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: time.format(new Date(2026, 0, 1, 4)).startsWith('0') ? '2-digit' : 'numeric',
  minute: '2-digit',
})
const calendarDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

const wholeDay = new Intl.DateTimeFormat(undefined, { month: 'long', day: 'numeric', timeZone: 'UTC' })

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

const dayMs = 86_400_000
/** So near to now nobody takes a day for that of another year. */
const halfAYearMs = 183 * dayMs

/** An instant as short as it can be read: the time of today, the day and time of this year or of half a year around now, else the date. */
export function formatMoment(iso: string, now = new Date()): string {
  const at = new Date(iso)
  if (at.toDateString() === now.toDateString()) return format(time, at)
  const isNear = Math.abs(at.getTime() - now.getTime()) < halfAYearMs
  return format(isNear || at.getFullYear() === now.getFullYear() ? dayAndTime : date, at)
}

/** A calendar day such as '2026-11-21' as month and day in the browser's locale. */
export function formatDay(text: string): string {
  return format(calendarDay, new Date(`${text}T00:00:00Z`))
}

/** The same with the month written out, for a sentence. */
export function formatWholeDay(text: string): string {
  return format(wholeDay, new Date(`${text}T00:00:00Z`))
}

/** A calendar month such as '2026-11' as month and year in the browser's locale. */
export function formatMonth(text: string): string {
  return format(calendarMonth, new Date(`${text}-01T00:00:00Z`))
}

type Span = { start: Date; end: Date }

const dayText = /^\d{4}-\d{2}-\d{2}$/

/** The day of a date input ('2026-11-21') from its first to its last moment in the browser's time zone; null for no day. */
export function dayBounds(day: string): Span | null {
  if (!dayText.test(day)) return null
  const start = new Date(`${day}T00:00:00`)
  const next = new Date(start)
  next.setDate(next.getDate() + 1)
  // Where there is no midnight the day began later.
  next.setHours(0, 0, 0, 0)
  return { start, end: new Date(next.getTime() - 1) }
}

/** How far the clocks of a time zone are before UTC at a moment; both in milliseconds. */
function aheadAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  const clock = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return clock - Math.floor(at / 1000) * 1000
}

/** The day of a moment, such as '2026-11-21', in a time zone that the browser knows, or in the browser's own. */
export function dayAt(at: number, timeZone: string | null): string {
  const ahead = timeZone === null ? -60_000 * new Date(at).getTimezoneOffset() : aheadAt(at, timeZone)
  return new Date(at + ahead).toISOString().slice(0, 10)
}

/** When a day begins in a time zone: where its clocks are changed on that day, its midnight may be twice, or never. */
function dayStart(midnightUtc: number, timeZone: string): number {
  const [first = midnightUtc] = [-dayMs, dayMs]
    .map((away) => midnightUtc - aheadAt(midnightUtc + away, timeZone))
    .filter((at) => at + aheadAt(at, timeZone) >= midnightUtc)
    .toSorted((one, other) => one - other)
  return first
}

/** As dayBounds, in a time zone that the browser knows, or in the browser's own. */
export function dayBoundsIn(day: string, timeZone: string | null): Span | null {
  if (timeZone === null) return dayBounds(day)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Of a year that is still being typed no zone has clocks.
  if (!dayText.test(day) || midnight < 0) return dayBounds(day)
  return {
    start: new Date(dayStart(midnight, timeZone)),
    end: new Date(dayStart(midnight + dayMs, timeZone) - 1),
  }
}

/** An instant as the server takes it: none before 1970, such as while a year is typed, and there is nothing from before. */
export function sentInstant(at: Date | undefined): string | undefined {
  if (at === undefined || Number.isNaN(at.getTime())) return undefined
  return new Date(Math.max(0, at.getTime())).toISOString()
}
