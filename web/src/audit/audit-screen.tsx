import { auditScreenSize, listAuditTrail, type AuditEntry } from '@inventory-manager/contract/audit/endpoints'
import { auditMessages } from '@inventory-manager/contract/audit/messages'
import { auditKinds, matchesAuditFilter } from '@inventory-manager/contract/audit/rules'
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useSearch } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { dayBounds } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { endSession, isAuthenticated } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { AuditExport } from './audit-export.tsx'
import { FilterBar, noFilters, serverQuery, type Filters } from './audit-filters.tsx'
import { AuditList } from './audit-list.tsx'
import { VerifyTrail } from './verify-trail.tsx'
import { reportTrail, useFilterReport } from './audit-reports.ts'

const pageSize = 10

function passes(entry: AuditEntry, filters: Filters): boolean {
  return matchesAuditFilter(entry, {
    action: filters.action,
    sku: filters.sku,
    from: dayBounds(filters.start)?.start ?? null,
    to: dayBounds(filters.end)?.end ?? null,
  })
}

function useTrail(filters: Filters, enabled: boolean) {
  const newest = useQuery({
    queryKey: ['audit-trail'],
    queryFn: ({ signal }) => call(listAuditTrail, { query: { limit: String(auditScreenSize) } }, { signal }),
    enabled,
  })
  const longer = newest.data !== undefined && newest.data.total > newest.data.entries.length
  const filtered =
    filters.action !== '' || filters.sku.trim() !== '' || filters.start !== '' || filters.end !== ''
  const older = useQuery({
    queryKey: ['audit-trail', filters],
    queryFn: ({ signal }) =>
      call(
        listAuditTrail,
        { query: { ...serverQuery(filters), limit: String(auditScreenSize) } },
        { signal },
      ),
    enabled: longer && filtered,
  })
  const source = longer && filtered && older.data !== undefined ? older.data : newest.data
  return { newest, longer, source }
}

function Tiles({ entries, total }: { entries: AuditEntry[]; total: number }) {
  const count = (label: string) => entries.filter((entry) => auditKinds[entry.kind].label === label).length
  const tiles = [
    { label: 'Total Actions', value: total },
    { label: 'Inventory Scans', value: count('Inventory Scan') },
    { label: 'Weekly Counts', value: count('Weekly Count') },
    { label: 'Monthly Counts', value: count('Monthly Count') },
  ]
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {tiles.map(({ label, value }) => (
        <div key={label} className="rounded-card border border-line bg-surface p-4">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-lg font-semibold tabular-nums">{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

type PagerProps = { page: number; pages: number; onPage: (page: number) => void }

function Pager({ page, pages, onPage }: PagerProps) {
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3 border-t border-line p-3">
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span className="text-sm tabular-nums">
        Page {page} of {pages}
      </span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}

function Failure({ sentence, onRetry }: { sentence: string; onRetry: (() => void) | null }) {
  return (
    <Page title="Audit Trail">
      <Banner tone="bad">
        <h2 className="font-semibold">Error Loading Audit Data</h2>
        <p>{sentence}</p>
      </Banner>
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

type TrailProps = {
  trail: ReturnType<typeof useTrail>
  filters: Filters
  onFilters: (filters: Filters) => void
}

/** The loaded entries: filtered, ten a page (specification 4, 'Audit'). */
function Trail({ trail, filters, onFilters }: TrailProps) {
  const { newest, longer, source } = trail
  const [page, setPage] = useState(1)
  const shown = useMemo(
    () => (source?.entries ?? []).filter((entry) => passes(entry, filters)),
    [source, filters],
  )
  if (newest.data === undefined) return <Loading label="Loading audit trail..." />
  const pages = Math.max(1, Math.ceil(shown.length / pageSize))
  const current = Math.min(page, pages)
  const { total } = newest.data

  function applyFilters(changed: Filters): void {
    onFilters(changed)
    setPage(1)
  }

  return (
    <>
      <Tiles entries={newest.data.entries} total={total} />
      <Card>
        <FilterBar filters={filters} onChange={applyFilters} />
        <AuditExport filters={filters} />
      </Card>
      <Card
        title={`Showing ${formatNumber(shown.length)} of ${formatNumber(total)} total entries`}
        aside={longer ? <Badge look="info">Newest {formatNumber(auditScreenSize)} loaded</Badge> : undefined}
        flush
      >
        {shown.length === 0 ? (
          <EmptyState title="No audit entries found">
            Start using the system, or adjust the filters.
          </EmptyState>
        ) : (
          <AuditList entries={shown.slice((current - 1) * pageSize, current * pageSize)} />
        )}
        <Pager page={current} pages={pages} onPage={setPage} />
      </Card>
    </>
  )
}

export function AuditScreen() {
  const asked = new URLSearchParams(useSearch()).get('sku')
  const [filters, setFilters] = useState({ ...noFilters, sku: asked ?? '' })
  const authenticated = isAuthenticated()
  const trail = useTrail(filters, authenticated)
  const { error, isFetching, refetch } = trail.newest
  useFilterReport(filters)
  useEffect(() => reportTrail('audit_trail_accessed'), [])
  useEffect(() => {
    if (error !== null) reportTrail('audit_trail_error', { message: error.message })
  }, [error])

  function refresh(): void {
    reportTrail('audit_trail_refreshed')
    refetch().catch(reportError)
  }

  if (!authenticated) return <Failure sentence={auditMessages.notAuthenticated} onRetry={null} />
  if (error !== null) return <Failure sentence={auditMessages.failed(messageOf(error))} onRetry={refresh} />

  return (
    <Page
      title="Audit Trail"
      subtitle="Everything that was counted, printed, imported and changed, and by whom."
      actions={
        <Button onClick={refresh} disabled={isFetching}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      }
    >
      <Trail trail={trail} filters={filters} onFilters={setFilters} />
      <VerifyTrail />
    </Page>
  )
}
