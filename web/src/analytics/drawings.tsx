import { locations } from '@inventory-manager/contract/locations'
import { howMany } from '@inventory-manager/contract/numbers'
import type { ReactNode } from 'react'
import { formatDate, formatDay } from '../lib/dates.ts'
import { ownNameOrCode } from '../session/place-codes.ts'
import { placeName } from '../session/place-names.ts'
import { ProgressChart, TopSkusChart } from './charts.tsx'
import { scansSoFar } from './days.ts'
import { Matrix } from './matrix.tsx'
import type { Analytics } from './queries.ts'

export const charts = [
  {
    key: 'progressOverTime',
    name: 'Progress Over Time',
    about:
      'Items scanned in total, day by day since the first scan, at all locations. Days are those of your company’s time zone.',
  },
  {
    key: 'topSkus',
    name: 'Top SKUs',
    about: 'The ten most scanned SKUs of all time by number of scans, at all locations.',
  },
  {
    key: 'heatmap',
    name: 'Location Heatmap',
    about: 'Where the ten most scanned SKUs are counted: the stronger the colour, the more scans.',
  },
  {
    key: 'weeklyTrends',
    name: 'Weekly Trends',
    about:
      'Scans per day of the last four weeks at this location, Monday to Sunday in your company’s time zone.',
  },
] as const

export type ChartKey = (typeof charts)[number]['key']

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

type Drawn = {
  /** The days it is of, as its title goes on. */
  period: string
  content: ReactNode
  table: { head: string[]; rows: (string | number)[][] }
} | null

function titleOf(day: string, scans: number | null): string {
  return `${formatDay(day)}: ${scans === null ? 'still to come' : howMany(scans, 'scan')}`
}

/** The chosen chart with its numbers as a table, as they are today; null while there is nothing to draw. */
export const drawings: Record<ChartKey, (data: Analytics, today: string) => Drawn> = {
  progressOverTime({ progress }, today) {
    const points = progress.data?.days ?? []
    const [first] = points
    if (first === undefined) return null
    // With the year: the first scan may be long ago.
    const rows = points.map(({ day, scans, cumulative }) => [formatDate(`${day}T00:00`), scans, cumulative])
    return {
      period: `since ${formatDate(`${first.day}T00:00`)}`,
      content: <ProgressChart points={points} today={today} />,
      table: { head: ['Day', 'Scans', 'Total'], rows },
    }
  },
  topSkus({ top }) {
    const points = top.data?.skus ?? []
    if (points.length === 0) return null
    const rows = points.map(({ sku, description, scans }) => [sku, description, scans])
    return {
      period: 'of all time',
      content: <TopSkusChart points={points} />,
      table: { head: ['SKU', 'Description', 'Scans'], rows },
    }
  },
  heatmap({ heatmap }) {
    const skus = heatmap.data?.skus ?? []
    if (skus.length === 0) return null
    const rows = skus.map(({ sku, description, scans }) => ({
      name: sku,
      hint: description,
      cells: locations.map(({ code }) => ({
        column: ownNameOrCode(code),
        value: scans[code] ?? 0,
        title: `${sku}, ${placeName(code)}: ${howMany(scans[code] ?? 0, 'scan')}`,
      })),
    }))
    const table = {
      head: ['SKU', ...locations.map(({ code }) => ownNameOrCode(code))],
      rows: skus.map(({ sku, scans }) => [sku, ...locations.map(({ code }) => scans[code] ?? 0)]),
    }
    return {
      period: 'of all time',
      content: <Matrix caption="Scans of each SKU by location" corner="SKU" rows={rows} />,
      table,
    }
  },
  weeklyTrends({ trends }, today) {
    const weeks = (trends.data?.weeks ?? []).map(({ week_start: start, days }) => ({
      name: formatDay(start),
      days: days.map(({ day, scans }) => ({ day, scans: scansSoFar({ day, scans }, today) })),
    }))
    if (weeks.every(({ days }) => days.every(({ scans }) => (scans ?? 0) === 0))) return null
    const rows = weeks.map(({ name, days }) => ({
      name,
      cells: days.map(({ day, scans }, index) => ({
        column: weekdays[index] ?? '',
        value: scans,
        title: titleOf(day, scans),
      })),
    }))
    const table = {
      head: ['Week of', ...weekdays],
      rows: weeks.map(({ name, days }) => [name, ...days.map(({ scans }) => scans ?? '')]),
    }
    return {
      period: `from ${weeks[0]?.name} to ${formatDay(today)}`,
      content: <Matrix caption="Scans per day by week" corner="Week of" rows={rows} />,
      table,
    }
  },
}
