import { analyticsMessages } from '@inventory-manager/contract/analytics/messages'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useState } from 'react'
import { dayAt } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { useCompanyZone } from '../session/company-settings.ts'
import { placeName } from '../session/place-names.ts'
import { endSession, isAuthenticated, useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Loading, LoadingAgain } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { TryAgain } from '../ui/try-again.tsx'
import { charts, drawings, type ChartKey } from './drawings.tsx'
import { refreshAll, useAnalytics, type Analytics } from './queries.ts'

function NumbersTable({ head, rows }: { head: string[]; rows: (string | number)[][] }) {
  const alignment = (column: number) => classNames(typeof rows[0]?.[column] === 'number' && 'text-right')
  return (
    <details className="border-t border-line">
      <summary className="min-h-12 content-center px-4 py-3 text-sm font-medium lg:min-h-0">
        The numbers as a table
      </summary>
      <div className="max-h-96 overflow-auto">
        <table className="w-full text-left text-sm">
          <thead>
            <tr>
              {head.map((title, column) => (
                <th
                  key={title}
                  scope="col"
                  className={classNames('px-4 py-2 font-medium text-muted', alignment(column))}
                >
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={String(row[0])} className="border-t border-line">
                {row.map((cell, column) => (
                  <td
                    key={head[column]}
                    className={classNames('px-4 py-1.5 tabular-nums', alignment(column))}
                  >
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
      <dd className="font-semibold wrap-anywhere">{value}</dd>
    </div>
  )
}

/** What each chart is drawn of. */
const loads = {
  progressOverTime: 'progress',
  topSkus: 'top',
  heatmap: 'heatmap',
  weeklyTrends: 'trends',
} as const satisfies Record<ChartKey, keyof Analytics>

/** The loads that failed, whichever chart is chosen; heatmap and weekly trends just stay empty (specification 8). */
function loadFaults({ progress, top }: Analytics): string[] {
  return [
    ...(progress.error === null ? [] : [analyticsMessages.progress]),
    ...(top.error === null ? [] : [analyticsMessages.topSkus]),
  ]
}

/** One of the two words of specification 2, or null where neither is so: nobody is connected where none of the last loads came. */
function statusOf(data: Analytics, authenticated: boolean): string | null {
  if (!authenticated) return 'Not Authenticated'
  return Object.values(data).some(({ isSuccess }) => isSuccess) ? 'Connected' : null
}

/** What the red banners say: why nothing can be loaded, what a refresh came to, or which loads failed. */
function useFaults(data: Analytics, authenticated: boolean) {
  const [refreshed, setRefreshed] = useState<string | null>(null)
  const [isRefreshing, setIsRefreshing] = useState(false)

  async function refresh(): Promise<void> {
    if (!isAuthenticated()) {
      setRefreshed(analyticsMessages.loginToRefresh)
      return
    }
    setIsRefreshing(true)
    const { failed, all } = await refreshAll(data)
    setIsRefreshing(false)
    if (failed === 0) setRefreshed(null)
    else setRefreshed(failed === all ? analyticsMessages.allFailed : analyticsMessages.someFailed(failed))
  }

  const isAllThere = Object.values(data).every(({ isFetching, error }) => !isFetching && error === null)
  // The charts load again by themselves.
  if (refreshed !== null && authenticated && isAllThere) setRefreshed(null)
  const standing = authenticated ? loadFaults(data) : [analyticsMessages.loginToView]
  return { faults: refreshed === null ? standing : [refreshed], refresh, isRefreshing }
}

function ChartChoice({ active, onChoose }: { active: ChartKey; onChoose: (key: ChartKey) => void }) {
  return (
    <div role="group" aria-label="Chart" className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      {charts.map(({ key, name }) => (
        <Button
          key={key}
          look={key === active ? 'primary' : 'secondary'}
          aria-pressed={key === active}
          onClick={() => onChoose(key)}
        >
          {name}
        </Button>
      ))}
    </div>
  )
}

type Query = Analytics[keyof Analytics]

type BlankProps = { query: Query; authenticated: boolean }

/** In place of a chart that cannot be drawn; that there is nothing is said once that is known. */
function Blank({ query: { isLoading, isFetching, error, refetch }, authenticated }: BlankProps) {
  if (isLoading || (error !== null && isFetching)) return <Loading label="Loading..." />
  if (error !== null) return <TryAgain onRetry={refetch} />
  const hint = authenticated ? analyticsMessages.emptyHint : analyticsMessages.loginToView
  return <EmptyState title={analyticsMessages.empty}>{hint}</EmptyState>
}

type ChartCardProps = {
  active: ChartKey
  name: string
  data: Analytics
  authenticated: boolean
  isRefreshing: boolean
}

/** The chosen chart on a canvas of 70 % of the viewport's height, and its numbers. */
function ChartCard({ active, name, data, authenticated, isRefreshing }: ChartCardProps) {
  const zone = useCompanyZone()
  const query = data[loads[active]]
  const drawn = drawings[active](data, dayAt(query.dataUpdatedAt, zone))
  const isLoadingAgain = query.data !== undefined && query.isFetching
  return (
    <Card
      title={drawn === null ? name : `${name} ${drawn.period}`}
      aside={isLoadingAgain ? <LoadingAgain label="Loading..." isAsked={isRefreshing} /> : undefined}
      flush
    >
      <div
        role="region"
        aria-label={name}
        tabIndex={0}
        className={classNames('h-[70vh] overflow-auto p-2', drawn === null && 'grid place-items-center')}
      >
        {drawn === null ? <Blank query={query} authenticated={authenticated} /> : drawn.content}
      </div>
      {drawn !== null && <NumbersTable {...drawn.table} />}
    </Card>
  )
}

/** The four charts (specification 2, 'Analytics'). */
export function GraphsScreen() {
  const { location } = useLocatedSession()
  const [active, setActive] = useState<ChartKey>('progressOverTime')
  const authenticated = isAuthenticated()
  const data = useAnalytics(location, authenticated)
  const { faults, refresh, isRefreshing } = useFaults(data, authenticated)
  const status = statusOf(data, authenticated)
  const chart = charts.find(({ key }) => key === active) ?? charts[0]

  return (
    <Page
      title="Analytics"
      subtitle="What was scanned, where and when."
      actions={
        <Button
          rests={Object.values(data).some(({ isFetching }) => isFetching)}
          onClick={() => void refresh()}
        >
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      }
    >
      {faults.map((fault) => (
        <Banner key={fault} tone="bad">
          <span className="flex flex-wrap items-center justify-between gap-3">
            {fault}
            {!authenticated && <Button onClick={() => endSession()}>Go to Login</Button>}
          </span>
        </Banner>
      ))}
      <ChartChoice active={active} onChoose={setActive} />
      <ChartCard
        active={active}
        name={chart.name}
        data={data}
        authenticated={authenticated}
        isRefreshing={isRefreshing}
      />
      <Banner tone="info">{chart.about}</Banner>
      <dl className="grid gap-3 sm:grid-cols-3">
        <Tile label="Current Location" value={placeName(location)} />
        <Tile label="Data Updates" value="5 Min" />
        <Tile label="Analytics Period" value="All Time" />
      </dl>
      {status !== null && <p className="text-sm text-muted">Status: {status}</p>}
    </Page>
  )
}
