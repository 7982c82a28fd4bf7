/** The last day of the month of a day: '2026-11-30' of '2026-11-23'. */
export function lastDayOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  // The day before the first of the next month.
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

/** Whether somebody can be asked on a day to count by another: one from then to the end of that month. */
export function isDueThisMonth(due: string, today: string): boolean {
  return due >= today && due <= lastDayOfMonth(today)
}

export const notDueThisMonth = 'Choose a day from today to the end of this month.'
