const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

function format(formatter: Intl.DateTimeFormat, iso: string): string {
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? 'Invalid date' : formatter.format(at)
}

/** An instant in the browser's locale; 'Invalid date' for what is none (specification 5). */
export function formatDateTime(iso: string): string {
  return format(dateTime, iso)
}

export function formatDate(iso: string): string {
  return format(date, iso)
}

/** The day of a date input ('2026-11-21') from its first to its last moment in the browser's time zone. */
export function dayBounds(day: string): { start: Date; end: Date } | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null
  return { start: new Date(`${day}T00:00:00`), end: new Date(`${day}T23:59:59.999`) }
}
