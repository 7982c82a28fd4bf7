const names = { short: 'short', long: 'long' } as const

/** A day as a sentence of the screens has it: 'Nov 30', 'November 30'. */
export function said(day: string, month: keyof typeof names): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { month, day: 'numeric', timeZone: 'UTC' })
}

/** The day so many after another, or before it. */
export function daysFrom(day: string, away: number): string {
  const other = new Date(`${day}T00:00:00Z`)
  other.setUTCDate(other.getUTCDate() + away)
  return other.toISOString().slice(0, 10)
}

/** The last day of the month of a day. */
export function endOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

/** The present day of a time zone: '2026-11-30'. */
export const dayIn = (timeZone: string) => new Date().toLocaleDateString('sv-SE', { timeZone })
