const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** A pace of the first moments says nothing yet: nobody is reckoned to have counted for less. */
const leastMinutes = 2

/** SKUs per hour, from how many were counted since `firstAt` within the last minutes. */
export function perHour(facts: { skus: number; firstAt: Date; now: Date; paceMinutes: number }): number {
  const since = (facts.now.getTime() - facts.firstAt.getTime()) / minuteMs
  const minutes = Math.min(facts.paceMinutes, Math.max(leastMinutes, since))
  return Math.round((facts.skus * 60) / minutes)
}

const longestDays = 60

/** When the rest is counted at this pace; null when there is none, nobody counts, or it is months away. */
export function expectedFinish(facts: { left: number; perHour: number; now: Date }): Date | null {
  if (facts.left === 0 || facts.perHour === 0) return null
  const ms = (facts.left / facts.perHour) * hourMs
  return ms > longestDays * 24 * hourMs ? null : new Date(facts.now.getTime() + ms)
}
