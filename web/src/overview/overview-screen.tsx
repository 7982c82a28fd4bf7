import { getLocation, type LocationCode } from '@inventory-manager/contract/locations'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { dashboard } from '@inventory-manager/contract/overview/endpoints'
import type { PlanKey } from '@inventory-manager/contract/plans'
import { useQuery } from '@tanstack/react-query'
import Barcode from 'lucide-react/icons/barcode'
import CalendarCheck from 'lucide-react/icons/calendar-check'
import ChartLine from 'lucide-react/icons/chart-line'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import Printer from 'lucide-react/icons/printer'
import ScrollText from 'lucide-react/icons/scroll-text'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { asTimePassesMs } from '../api/as-time-passes.ts'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { formatDateTime } from '../lib/dates.ts'
import { componentPath, paths } from '../lib/paths.ts'
import { placeName } from '../session/place-names.ts'
import { updateUser, useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { isFromNowhere } from '../ui/use-address.ts'
import { useAskedToCount, type Asked } from './asked-to-count.tsx'
import { useLow } from './low-stock.ts'
import { MonthCard } from './month-card.tsx'
import { SeatNotice } from './seat-notice.tsx'
import { TrialNotice } from './trial-notice.tsx'
import { KnownPlan, Usage } from './usage.tsx'

type Dashboard = EndpointReply<typeof dashboard>

const tiles = [
  {
    path: paths.monthlyCount,
    icon: ClipboardCheck,
    title: 'Monthly Count',
    text: 'Scan and count every component',
  },
  {
    path: paths.weeklyCount,
    icon: CalendarCheck,
    title: 'Weekly Count',
    text: 'The high-volume SKUs of a day',
  },
  { path: paths.generateLabels, icon: Barcode, title: 'Generate Labels', text: 'Labels for new products' },
  { path: paths.printSettings, icon: Printer, title: 'Print Labels', text: 'Labels for components you have' },
  { path: paths.graphs, icon: ChartLine, title: 'Analytics', text: 'What was scanned, where and when' },
  { path: paths.auditTrail, icon: ScrollText, title: 'Audit Trail', text: 'Who did what, and when' },
]

function Tiles({ weekly }: { weekly: boolean }) {
  const shown = tiles.filter(({ path }) => path !== paths.weeklyCount || weekly)
  return (
    <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {shown.map(({ path, icon: Icon, title, text }) => (
        <li key={path}>
          <Link
            href={path}
            className="flex h-full items-start gap-3 rounded-card border border-line bg-surface p-4 transition-colors hover:border-accent hover:bg-accent-soft"
          >
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-text" />
            <span>
              <span className="block font-medium">{title}</span>
              <span className="block text-sm text-muted">{text}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** What happened, with the way to the component that it names. */
function Sentence({ description, sku = null }: Dashboard['recent_activity'][number]) {
  // As a word of its own: a short SKU may be a part of others.
  const start = sku === null ? -1 : ` ${description} `.lastIndexOf(` ${sku} `)
  if (sku === null || start < 0) return description
  return (
    <>
      {description.slice(0, start)}
      <Link href={componentPath(sku)} className="font-mono wrap-anywhere text-accent-text underline">
        {sku}
      </Link>
      {description.slice(start + sku.length)}
    </>
  )
}

function RecentActivity({ entries }: { entries: Dashboard['recent_activity'] }) {
  if (entries.length === 0) return <EmptyState title="No recent activity" />
  return (
    <ul className="divide-y divide-line">
      {entries.map((entry) => (
        <li
          // Two of one moment may say the same.
          key={`${entry.timestamp} ${entries.indexOf(entry)}`}
          className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-4 py-3"
        >
          <span className="min-w-0 break-words">
            <Sentence {...entry} />
          </span>
          <time dateTime={entry.timestamp} className="text-sm text-muted tabular-nums">
            {formatDateTime(entry.timestamp)}
          </time>
        </li>
      ))}
    </ul>
  )
}

/** What an empty company needs before anything can be counted. */
function FirstProducts() {
  const { user } = useLocatedSession()
  const isAdmin = user.role === 'admin'
  return (
    <Card title="Add your products">
      <div className="flex flex-col gap-4">
        <p className="max-w-prose text-muted">
          There are no components yet, so there is nothing to count.{' '}
          {isAdmin
            ? 'Import a file with what you have, or type products: each gets its stock and a label.'
            : 'Type products: each gets its stock and a label.'}
        </p>
        <div className="flex flex-wrap gap-2">
          {isAdmin && (
            <Link href={paths.importComponents} className={buttonClasses('primary')}>
              Import a file
            </Link>
          )}
          <Link href={paths.generateLabels} className={buttonClasses(isAdmin ? 'secondary' : 'primary')}>
            Type products and print labels
          </Link>
        </div>
      </div>
    </Card>
  )
}

/** `entries`: null where nobody knows them. */
type BelowProps = { entries: Dashboard['recent_activity'] | null; weekly: boolean; isEmpty: boolean }

function QuickActions({ weekly, isEmpty }: Omit<BelowProps, 'entries'>) {
  return (
    <div className="flex flex-col gap-2 p-4">
      <Link href={paths.monthlyCount} className={buttonClasses(isEmpty ? 'secondary' : 'primary')}>
        Start Monthly Count
      </Link>
      <Link href={paths.generateLabels} className={buttonClasses('secondary')}>
        Create Labels
      </Link>
      {weekly && (
        <Link href={paths.weeklyCount} className={buttonClasses('secondary')}>
          Start Weekly Count
        </Link>
      )}
      <Link href={paths.graphs} className={buttonClasses('secondary')}>
        View Analytics
      </Link>
    </div>
  )
}

function Below({ entries, weekly, isEmpty }: BelowProps) {
  return (
    <>
      <Tiles weekly={weekly} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-3">
        {entries !== null && (
          <div className="lg:col-span-2">
            <Card title="Recent Activity" flush>
              <RecentActivity entries={entries} />
            </Card>
          </div>
        )}
        <Card title="Quick Actions" flush>
          <QuickActions weekly={weekly} isEmpty={isEmpty} />
        </Card>
      </div>
    </>
  )
}

/** Says once why one is here who asked for an address of no screen. */
function NowhereNotice() {
  const [isShown] = useState(isFromNowhere)
  useEffect(() => {
    if (isShown) history.replaceState(null, '')
  }, [isShown])
  if (!isShown) return null
  return <Banner tone="warn">There is no screen at the address you opened. This is the overview.</Banner>
}

type StandingProps = { data: Dashboard; location: LocationCode; low: number; asked: Asked }

/** Where the company stands: trial, month and plan. */
function Standing({ data, location, low, asked }: StandingProps) {
  return (
    <>
      <SeatNotice />
      <TrialNotice subscription={data.subscription} />
      {data.counting.components === 0 && <FirstProducts />}
      <MonthCard counting={data.counting} here={location} low={low} asked={asked} />
      <Usage data={data} />
    </>
  )
}

/** Nothing stands below the spinner, so that nothing jumps when the figures come. */
function WithoutFigures({ failed, plan, weekly }: { failed: boolean; plan: PlanKey; weekly: boolean }) {
  if (!failed) return <Loading label="Loading..." />
  return (
    <>
      <KnownPlan plan={plan} />
      <Below entries={null} weekly={weekly} isEmpty={false} />
    </>
  )
}

export function OverviewScreen() {
  const { user, location } = useLocatedSession()
  const place = getLocation(location)
  const { data, isFetchedAfterMount, error, refetch } = useQuery({
    queryKey: [dashboard.path],
    queryFn: ({ signal }) => call(dashboard, {}, { signal }),
    refetchInterval: asTimePassesMs,
  })
  const asked = useAskedToCount()
  // Asked for beside the figures, so that it comes with them and pushes nothing down.
  const low = useLow()
  // All of it comes together: what is asked stands first, and would push the rest away from under a finger.
  const isHere = data !== undefined && asked !== null
  const plan = data?.subscription.plan ?? user.plan
  // An administrator may have changed the plan since this person signed in; what was kept of before knows less than that.
  useEffect(() => {
    if (isFetchedAfterMount) updateUser({ plan })
  }, [plan, isFetchedAfterMount])
  return (
    <Page
      title={`Welcome to Inventory Manager, ${user.name}`}
      subtitle={
        <span className="flex flex-wrap items-center gap-2">
          {user.companyName} · {placeName(location)}
          <Badge>{user.role === 'admin' ? 'Administrator' : 'User'}</Badge>
          {place.supportsWeeklyCount && <Badge tone="info">Weekly counting available</Badge>}
        </span>
      }
    >
      <NowhereNotice />
      {error !== null && (
        <LoadFailure text={`Error loading dashboard data: ${messageOf(error)}`} onRetry={refetch} />
      )}
      {isHere && (
        <>
          <Standing data={data} location={location} low={low} asked={asked} />
          <Below
            entries={data.recent_activity}
            weekly={place.supportsWeeklyCount}
            isEmpty={data.counting.components === 0}
          />
        </>
      )}
      {!isHere && (
        <WithoutFigures
          failed={data === undefined && error !== null}
          plan={plan}
          weekly={place.supportsWeeklyCount}
        />
      )}
    </Page>
  )
}
