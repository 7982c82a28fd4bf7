/** Writes moments by the clock of a time zone: '28 Nov 2026, 15:17'. */
export function clockOf(timeZone: string): (at: Date) => string {
  const formatter = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' })
  return (at) => formatter.format(at)
}

/** Writes the months of moments by the calendar of a time zone: 'November 2026'. */
export function monthNamesIn(timeZone: string): (at: Date) => string {
  const formatter = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone })
  return (at) => formatter.format(at)
}

/** '2026-11' as 'November 2026'. */
export function monthName(month: string): string {
  return monthNamesIn('UTC')(new Date(`${month}-01T00:00:00Z`))
}
