export type ProgressPoint = { day: string; scans: number; cumulative: number }

const dayMs = 86_400_000

/** Every day from the first scan to today, so that those without a scan take their room on the axis, too. */
export function everyDay(points: readonly ProgressPoint[], today: string): Omit<ProgressPoint, 'scans'>[] {
  return points.flatMap(({ day, cumulative }, index) => {
    const start = Date.parse(day)
    // A device whose clock is behind still shows the last day.
    const end = points[index + 1]?.day ?? nextDay(today > day ? today : day)
    return Array.from({ length: Math.round((Date.parse(end) - start) / dayMs) }, (_, later) => ({
      day: dayOf(start + later * dayMs),
      cumulative,
    }))
  })
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

const nextDay = (day: string) => dayOf(Date.parse(day) + dayMs)

type DayScans = { day: string; scans: number }

/** The scans of a day; null for a day that is still to come. */
export function scansSoFar({ day, scans }: DayScans, today: string): number | null {
  return day > today && scans === 0 ? null : scans
}
