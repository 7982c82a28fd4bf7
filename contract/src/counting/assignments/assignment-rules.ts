import { lastDayOfMonth } from '../../calendar.ts'

/** Whether somebody can be asked on a day to count by another: one from then to the end of that month. */
export function isDueThisMonth(due: string, today: string): boolean {
  return due >= today && due <= lastDayOfMonth(today)
}

export const notDueThisMonth = 'Choose a day from today to the end of this month.'
