import { auditScreenSize, type AuditEntry } from '@inventory-manager/contract/audit/endpoints'
import { auditMessages } from '@inventory-manager/contract/audit/messages'
import { auditKinds } from '@inventory-manager/contract/audit/rules'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { messageOf } from '../api/api-error.ts'
import { readOwner } from '../api/token.ts'
import { formatDate, formatDateTime } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { CompanyDays } from '../session/company-days.tsx'
import { endSession, isAuthenticated, useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { isBackwards } from '../ui/date-fields.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FoundStatus } from '../ui/found-status.tsx'
import { Loading, LoadingRows } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { TryAgain } from '../ui/try-again.tsx'
import { readAddress, useKeptInAddress } from '../ui/use-address.ts'
import { AuditExport } from './audit-export.tsx'
import { FilterBar, filtersFrom, isFiltering, type Filters } from './audit-filters.tsx'
import { AuditList } from './audit-list.tsx'
import { reportTrail, useFilterReport } from './audit-reports.ts'
import { Pager } from './pager.tsx'
import type { Trail } from './trail-search.ts'
import { isLonger, useTrail, type Reach } from './use-trail.ts'
import { VerifyTrail } from './verify-trail.tsx'

const pageSize = 10

/** What there is of each kind. Where the trail is longer than what is loaded, each figure says what it is about. */
function Tiles({ newest }: { newest: Trail }) {
  const { entries, total, looked_back_to: lookedBackTo } = newest
  const count = (label: string) => entries.filter((entry) => auditKinds[entry.kind].label === label).length
  const loaded = `of the newest ${formatNumber(entries.length)}`
  const tiles = [
    {
      label: 'Total Actions',
      value: total,
      about: lookedBackTo === null ? 'in the whole trail' : `since ${formatDate(lookedBackTo)}`,
    },
    { label: 'Inventory Scans', value: count('Inventory Scan'), about: loaded },
    { label: 'Weekly Counts', value: count('Weekly Count'), about: loaded },
    { label: 'Monthly Counts', value: count('Monthly Count'), about: loaded },
  ]
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {tiles.map(({ label, value, about }) => (
        <div key={label} className="rounded-card border border-line bg-surface p-4">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-lg font-semibold tabular-nums">{formatNumber(value)}</dd>
          {isLonger(newest) && <dd className="text-xs text-muted">{about}</dd>}
        </div>
      ))}
    </dl>
  )
}

function FailureBanner({ sentence, children }: { sentence: string; children?: ReactNode }) {
  return (
    <Banner tone="bad">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="font-semibold">Error Loading Audit Data</h2>
          <p>{sentence}</p>
        </div>
        {children}
      </div>
    </Banner>
  )
}

function Failure({ sentence, onRetry }: { sentence: string; onRetry: (() => void) | null }) {
  return (
    <Page title="Audit Trail">
      <FailureBanner sentence={sentence} />
      <div>
        {onRetry === null ? (
          <Button look="primary" onClick={() => endSession()}>
            Go to Login
          </Button>
        ) : (
          <Button onClick={onRetry}>Try again</Button>
        )}
      </div>
    </Page>
  )
}

const reachWords: Record<Reach, string | null> = {
  whole: null,
  newest: `Newest ${formatNumber(auditScreenSize)} loaded`,
  searching: 'Searching...',
  failed: 'Search failed',
}

function SearchFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div className="flex flex-col items-start gap-3 p-4">
      <FailureBanner sentence={auditMessages.failed(messageOf(error))} />
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

type EntriesProps = {
  entries: AuditEntry[]
  reach: Reach
  isLoadingMore: boolean
  lookedBackTo: string | null
  filters: Filters
}

/** A page of the entries that pass the filters; that there are none is said once that is known. */
function Entries({ entries, reach, isLoadingMore, lookedBackTo, filters }: EntriesProps) {
  if (entries.length > 0) return <AuditList entries={entries} />
  if (isBackwards(filters.start, filters.end)) {
    return <EmptyState title="No audit entries found">{auditMessages.backwards}</EmptyState>
  }
  if (reach === 'searching' || isLoadingMore) return <Loading label="Searching the whole trail..." />
  if (reach === 'failed') return null
  return (
    <EmptyState title="No audit entries found">
      {lookedBackTo === null
        ? 'Start using the system, or adjust the filters.'
        : 'Look further back, or adjust the filters.'}
    </EmptyState>
  )
}

type LookProps = { lookedBackTo: string; isLooking: boolean; onLookFurther: () => void }

/** How far a search of a trail of millions has come, and the way on. */
function Look({ lookedBackTo, isLooking, onLookFurther }: LookProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line p-3">
      <p role="status" className="text-sm text-muted">
        {auditMessages.lookedBackTo(formatDateTime(lookedBackTo))}
      </p>
      <Button rests={isLooking} onClick={onLookFurther}>
        {isLooking ? 'Looking...' : 'Look further back'}
      </Button>
    </div>
  )
}

type TrailProps = {
  trail: ReturnType<typeof useTrail>
  filters: Filters
  onFilters: (filters: Filters) => void
  page: number
  onPage: (page: number) => void
}

/** The entries that pass the filters, ten a page (specification 4, 'Audit'). */
function TrailCards({ trail, filters, onFilters, page, onPage }: TrailProps) {
  const { newest, shown, all, reach, searchError, isLoadingMore, lookedBackTo } = trail
  const list = useRef<HTMLDivElement>(null)
  const { user } = useLocatedSession()
  if (newest === undefined) {
    return (
      <Card flush>
        <LoadingRows label="Loading audit trail..." rows={pageSize} />
      </Card>
    )
  }
  const pages = Math.max(1, Math.ceil(all / pageSize))
  const current = Math.min(page, pages)
  const words = reachWords[reach]

  function turnTo(next: number): void {
    onPage(next)
    if (Math.min(next * pageSize, all) > shown.length) trail.loadMore().catch(reportError)
    // A page of cards is read from its beginning; where it fits, the buttons stay under the finger.
    if (list.current !== null && list.current.offsetHeight > innerHeight) list.current.scrollIntoView()
  }

  return (
    <>
      <Tiles newest={newest} />
      <Card>
        <FilterBar filters={filters} onChange={onFilters} />
        <div className="mt-3 empty:hidden">
          <CompanyDays hasFiles={user.role === 'admin'} hasTimes />
        </div>
        <AuditExport filters={filters} />
      </Card>
      <FoundStatus
        found={isFiltering(filters) && reach === 'whole' && !isLoadingMore ? all : null}
        hasMore={lookedBackTo !== null}
      />
      <div ref={list} className="scroll-mt-16 desk:scroll-mt-26">
        <Card
          title={`Showing ${formatNumber(all)} of ${formatNumber(newest.total)} total entries`}
          aside={
            words === null ? undefined : <Badge tone={reach === 'failed' ? 'warn' : 'info'}>{words}</Badge>
          }
          flush
        >
          {reach === 'failed' && searchError !== null && (
            <SearchFailure error={searchError} onRetry={() => void trail.retry()} />
          )}
          <Entries
            entries={shown.slice((current - 1) * pageSize, current * pageSize)}
            reach={reach}
            isLoadingMore={isLoadingMore}
            lookedBackTo={lookedBackTo}
            filters={filters}
          />
          {lookedBackTo !== null && (
            <Look lookedBackTo={lookedBackTo} isLooking={isLoadingMore} onLookFurther={trail.lookFurther} />
          )}
          <Pager page={current} pages={pages} onPage={turnTo} />
        </Card>
      </div>
    </>
  )
}

export function AuditScreen() {
  const [owner] = useState(readOwner)
  const [filters, setFilters] = useState(() => filtersFrom(readAddress(owner)))
  const [page, setPage] = useState(1)
  const applyFilters = (changed: Filters) => {
    setFilters(changed)
    setPage(1)
  }
  useKeptInAddress(filters, { owner, onAsked: (address) => applyFilters(filtersFrom(address)) })
  const authenticated = isAuthenticated()
  const trail = useTrail(filters, authenticated)
  const { error, searchError } = trail
  const failure = error ?? searchError
  useFilterReport(filters)
  useEffect(() => reportTrail('audit_trail_accessed'), [])
  useEffect(() => {
    if (failure !== null) reportTrail('audit_trail_error', { message: failure.message })
  }, [failure])

  async function refresh(): Promise<void> {
    reportTrail('audit_trail_refreshed')
    await trail.refresh()
  }
  const onRetry = () => void refresh()

  if (!authenticated) return <Failure sentence={auditMessages.notAuthenticated} onRetry={null} />
  const sentence = error === null ? null : auditMessages.failed(messageOf(error))
  if (sentence !== null && trail.newest === undefined) {
    return <Failure sentence={sentence} onRetry={onRetry} />
  }

  return (
    <Page
      title="Audit Trail"
      subtitle="Everything that was counted, printed, imported and changed, and by whom."
      actions={
        <Button onClick={onRetry} rests={trail.isFetching}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      }
    >
      {sentence !== null && (
        <FailureBanner sentence={sentence}>
          <TryAgain onRetry={refresh} />
        </FailureBanner>
      )}
      <TrailCards {...{ trail, filters, page }} onFilters={applyFilters} onPage={setPage} />
      <VerifyTrail />
    </Page>
  )
}
