import { dayAfter } from '@inventory-manager/contract/calendar'

/** The present day of a time zone, and others from there. */
export function dayIn(timeZone: string, away = 0): string {
  return dayAfter(new Date().toLocaleDateString('sv-SE', { timeZone }), away)
}
