/** A wall-clock date and time in some time zone; month 1 to 12. */
type LocalTime = { year: number; month: number; day: number; hour: number; minute: number; second: number }

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formatters.set(timeZone, formatter)
  return formatter
}

/** The wall clock of a time zone at an instant. */
function localTime(at: Date, timeZone: string): LocalTime {
  const local: LocalTime = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  for (const part of formatterFor(timeZone).formatToParts(at)) {
    if (part.type in local) Object.assign(local, { [part.type]: Number(part.value) })
  }
  return local
}

/** Milliseconds the zone's wall clock is ahead of UTC at a whole second. */
function offsetAt(at: number, timeZone: string): number {
  const local = localTime(new Date(at), timeZone)
  const wall = Date.UTC(local.year, local.month - 1, local.day, local.hour, local.minute, local.second)
  return wall - at
}

/**
 * The instant a wall-clock midnight stands for; where clocks skip it, the first instant after the gap, and where
 * they pass it twice, the second pass: what PostgreSQL's `AT TIME ZONE` gives, so that both sides agree.
 */
function midnight(local: { year: number; month: number; day: number }, timeZone: string): Date {
  const wall = Date.UTC(local.year, local.month - 1, local.day)
  const before = wall - offsetAt(wall - 86_400_000, timeZone)
  const after = wall - offsetAt(wall + 86_400_000, timeZone)
  const valid = [after, before].filter((at) => at + offsetAt(at, timeZone) === wall)
  return new Date(valid[0] ?? before)
}

/** Start of the day that `now` falls on in a time zone. */
export function startOfDay(now: Date, timeZone: string): Date {
  return midnight(localTime(now, timeZone), timeZone)
}

/** Start of the month that `now` falls in, in a time zone. */
export function startOfMonth(now: Date, timeZone: string): Date {
  return midnight({ ...localTime(now, timeZone), day: 1 }, timeZone)
}

/** What is remembered of a component's counts at one location. */
export type CountMarks = { countedAt: Date | null; weeklyCountedAt: Date | null }

/** Whether a mark falls into the period that began at `start`; for lists, which know the start already. */
export function isCountedSince(mark: Date | null, start: Date): boolean {
  return mark !== null && mark >= start
}

/** Counted this month: any source, this location, since the month's start (decisions, 'Stock and counts'). */
export function countedThisMonth(marks: CountMarks, now: Date, timeZone: string): boolean {
  return isCountedSince(marks.countedAt, startOfMonth(now, timeZone))
}

/** Counted today: by a weekly count, this location, since the day's start (decisions, 'Stock and counts'). */
export function countedToday(marks: CountMarks, now: Date, timeZone: string): boolean {
  return isCountedSince(marks.weeklyCountedAt, startOfDay(now, timeZone))
}

/** How late a device may deliver a count, and how far its clock may run ahead (decisions, 'Time'). */
export const maxCountAgeDays = 7
export const maxClockAheadMinutes = 5

/**
 * How long a request that was done is known by its Idempotency-Key: as long as its count may be sent again, and as long
 * as it may be taken back, which is until the end of its month. Two days more, for clocks and time zones.
 */
export const daysRequestsAreKnown = 31 + maxCountAgeDays + 2

/** A quantity that is rather a barcode read into the wrong field (decisions, 'Stock and counts'). */
export const largestUnaskedQuantity = 999_999

/** The generated name of a counting session (specification 3). */
export function countingSessionId(session: {
  kind: 'Monthly' | 'Weekly'
  day?: string
  date: string
  location: string
  milliseconds: number
}): string {
  const parts = [session.kind, session.day, session.date, session.location, session.milliseconds]
  return parts.filter((part) => part !== undefined).join('_')
}
