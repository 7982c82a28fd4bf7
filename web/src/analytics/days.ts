import { dayAfter } from '@inventory-manager/contract/calendar'
import { formatDate, formatDay } from '../lib/dates.ts'

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

/** How days are written on an axis: with their year where they are of several, as each day is then there more than once. */
export function dayFormatOf(days: readonly { day: string }[]): (day: string) => string {
  const yearOf = (place: number) => days.at(place)?.day.slice(0, 4)
  return yearOf(0) === yearOf(-1) ? formatDay : (day) => formatDate(`${day}T00:00`)
}

type DayScans = { day: string; scans: number }

/** The scans of a day; null for a day that is still to come. */
export function scansSoFar({ day, scans }: DayScans, today: string): number | null {
  return day > today && scans === 0 ? null : scans
}
