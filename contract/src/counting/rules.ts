/** How late a device may deliver a count, and how far its clock may run ahead (docs/security/rules.md, 'Limits'). */
export const maxCountAgeDays = 7
export const maxClockAheadMinutes = 5

/**
 * How long a request that was done is known by its Idempotency-Key: as long as its count may be sent again, and as long
 * as it may be taken back, which is until the end of its month. Two days more, for clocks and time zones.
 */
export const daysRequestsAreKnown = 31 + maxCountAgeDays + 2

/** A quantity that is rather a barcode read into the wrong field. */
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

/** The administrators' cycle of a month ('2026-11') at a location (specification 3, 'Weekly and cycle count records'). */
export function cycleId(month: string, location: string): string {
  return `Cycle_${month}_${location}`
}

/** When a counting session began, by the clock of its device; null for what is no generated name. */
export function countingSessionBegan(id: string): Date | null {
  const began = new Date(Number(id.slice(id.lastIndexOf('_') + 1)))
  return Number.isNaN(began.getTime()) ? null : began
}
