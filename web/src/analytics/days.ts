import { dayAfter } from '@inventory-manager/contract/calendar'

export type ProgressPoint = { day: string; scans: number; cumulative: number }

const dayMs = 86_400_000

/** Every day from the first scan to today, so that those without a scan take their room on the axis, too. */
export function everyDay(points: readonly ProgressPoint[], today: string): Omit<ProgressPoint, 'scans'>[] {
  return points.flatMap(({ day, cumulative }, index) => {
    // A device whose clock is behind still shows the last day.
    const end = points[index + 1]?.day ?? dayAfter(today > day ? today : day, 1)
    return Array.from({ length: Math.round((Date.parse(end) - Date.parse(day)) / dayMs) }, (_, later) => ({
      day: dayAfter(day, later),
      cumulative,
    }))
  })
}

type DayScans = { day: string; scans: number }

/** The scans of a day; null for a day that is still to come. */
export function scansSoFar({ day, scans }: DayScans, today: string): number | null {
  return day > today && scans === 0 ? null : scans
}
