import { analyticsMessages } from '@inventory-manager/contract/analytics/messages'
import { getLocation, locations } from '@inventory-manager/contract/locations'
import { RefreshCw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ProgressChart, TopSkusChart } from './charts.tsx'
import { Matrix } from './matrix.tsx'
import { useAnalytics, type Analytics } from './queries.ts'

const charts = [
  {
    key: 'progressOverTime',
    name: 'Progress Over Time',
    about: 'Items scanned in total, day by day, at all locations.',
  },
  { key: 'topSkus', name: 'Top SKUs', about: 'The ten most scanned SKUs by number of scans.' },
  {
    key: 'heatmap',
    name: 'Location Heatmap',
    about: 'Where the ten most scanned SKUs are counted: the stronger the colour, the more scans.',
  },
  {
    key: 'weeklyTrends',
    name: 'Weekly Trends',
    about: 'Scans per day of the last four weeks at this location, Monday to Sunday.',
  },
] as const

type ChartKey = (typeof charts)[number]['key']

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

type Drawn = { content: ReactNode; table: { head: string[]; rows: (string | number)[][] } } | null

/** The chosen chart with its numbers as a table; null while there is nothing to draw. */
const drawers: Record<ChartKey, (data: Analytics) => Drawn> = {
  progressOverTime({ progress }) {
    const points = progress.data?.days ?? []
    if (points.length === 0) return null
    const rows = points.map(({ day, scans, cumulative }) => [day, scans, cumulative])
    return { content: <ProgressChart points={points} />, table: { head: ['Day', 'Scans', 'Total'], rows } }
  },
  topSkus({ top }) {
    const points = top.data?.skus ?? []
    if (points.length === 0) return null
    const rows = points.map(({ sku, description, scans }) => [sku, description, scans])
    return {
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
      cells: locations.map(({ code, name }) => ({
        column: code,
        value: scans[code] ?? 0,
        title: `${sku}, ${name}: ${formatNumber(scans[code] ?? 0)} scans`,
      })),
    }))
    const table = {
      head: ['SKU', ...locations.map(({ code }) => code)],
      rows: skus.map(({ sku, scans }) => [sku, ...locations.map(({ code }) => scans[code] ?? 0)]),
    }
    return { content: <Matrix caption="Scans of each SKU by location" corner="SKU" rows={rows} />, table }
  },
  weeklyTrends({ trends }) {
    const weeks = trends.data?.weeks ?? []
    if (weeks.every(({ days }) => days.every(({ scans }) => scans === 0))) return null
    const rows = weeks.map(({ week_start: start, days }) => ({
      name: start,
      cells: days.map(({ day, scans }, index) => ({
        column: weekdays[index] ?? '',
        value: scans,
        title: `${day}: ${formatNumber(scans)} scans`,
      })),
    }))
    const table = {
      head: ['Week of', ...weekdays],
      rows: weeks.map(({ week_start: start, days }) => [start, ...days.map(({ scans }) => scans)]),
    }
    return { content: <Matrix caption="Scans per day by week" corner="Week of" rows={rows} />, table }
  },
}

function NumbersTable({ head, rows }: { head: string[]; rows: (string | number)[][] }) {
  return (
    <details className="border-t border-line">
      <summary className="px-4 py-3 text-sm font-medium">The numbers as a table</summary>
      <div className="max-h-96 overflow-auto">
        <table className="w-full text-left text-sm">
          <thead>
            <tr>
              {head.map((title) => (
                <th key={title} scope="col" className="px-4 py-2 font-medium text-muted">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={String(row[0])} className="border-t border-line">
                {row.map((cell, index) => (
                  <td key={head[index]} className="px-4 py-1.5 tabular-nums">
                    {typeof cell === 'number' ? formatNumber(cell) : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function Tile({ label, value }: { label: string; value: string }) {
  return (
    <div className="rounded-card border border-line bg-surface p-4">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  )
}

/** The red banner of a load that failed; heatmap and weekly trends just stay empty (specification 8). */
function faultOf({ progress, top }: Analytics): string | null {
  if (progress.error !== null) return analyticsMessages.progress
  return top.error === null ? null : analyticsMessages.topSkus
}

export function GraphsScreen() {
  const { location } = useLocatedSession()
  const [active, setActive] = useState<ChartKey>('progressOverTime')
  const data = useAnalytics(location)
  const all = [data.progress, data.top, data.heatmap, data.trends]
  const chart = charts.find(({ key }) => key === active) ?? charts[0]
  const drawn = drawers[active](data)
  const fault = faultOf(data)
  const loading = all.some(({ isPending }) => isPending)

  return (
    <Page
      title="Analytics"
      subtitle="What was scanned, where and when."
      actions={
        <Button
          disabled={all.some(({ isFetching }) => isFetching)}
          onClick={() => void Promise.all(all.map(({ refetch }) => refetch()))}
        >
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      }
    >
      {fault !== null && <Banner tone="bad">{fault}</Banner>}
      <div role="group" aria-label="Chart" className="flex flex-wrap gap-2">
        {charts.map(({ key, name }) => (
          <Button
            key={key}
            look={key === active ? 'primary' : 'secondary'}
            aria-pressed={key === active}
            onClick={() => setActive(key)}
          >
            {name}
          </Button>
        ))}
      </div>
      <Card title={chart.name} flush>
        <div
          role="region"
          aria-label={chart.name}
          tabIndex={0}
          className={classNames('h-[70vh] overflow-auto p-2', drawn === null && 'grid place-items-center')}
        >
          {loading && drawn === null && <Loading label="Loading..." />}
          {!loading && drawn === null && (
            <EmptyState title={analyticsMessages.empty}>{analyticsMessages.emptyHint}</EmptyState>
          )}
          {drawn?.content}
        </div>
        {drawn !== null && <NumbersTable {...drawn.table} />}
      </Card>
      <Banner tone="info">{chart.about}</Banner>
      <dl className="grid gap-3 sm:grid-cols-3">
        <Tile label="Current Location" value={getLocation(location).name} />
        <Tile label="Data Updates" value="5 Min" />
        <Tile label="Analytics Period" value="All Time" />
      </dl>
      <p className="text-sm text-muted">Status: Connected</p>
    </Page>
  )
}
