import type { Transfer } from '@inventory-manager/contract/stock/transfer-endpoints'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import { useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { formatDateTime } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { componentPath, paths } from '../lib/paths.ts'
import { placeName } from '../session/place-names.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ListEnd, ListFailure } from '../ui/paged-list.tsx'
import { Who } from '../ui/who.tsx'
import { Transfers } from './arrivals.tsx'
import { usePastTransfers, useUnderWay } from './queries.ts'

const outcomes: Record<Transfer['status'], { tone: BadgeTone; word: string }> = {
  in_transit: { tone: 'info', word: 'On its way' },
  received: { tone: 'good', word: 'Received' },
  cancelled: { tone: 'plain', word: 'Cancelled' },
  written_off: { tone: 'warn', word: 'Written off' },
}

function Moment({ at, by }: { at: string; by: string }) {
  return (
    <span className="max-sm:text-right">
      <time dateTime={at} className="tabular-nums">
        {formatDateTime(at)}
      </time>
      <span className="block text-sm text-muted">
        <Who name={by} />
      </span>
    </span>
  )
}

const columns: readonly Column<Transfer>[] = [
  {
    head: 'SKU',
    cell: ({ barcode, description }) => (
      <span className="min-w-0 max-sm:text-right">
        <Link href={componentPath(barcode)} className="font-mono wrap-anywhere text-accent-text underline">
          {barcode}
        </Link>
        <span className="block break-words text-sm text-muted">{description || 'No Description'}</span>
      </span>
    ),
  },
  {
    head: 'Way',
    cell: ({ from, to, note }) => (
      <span className="inline-block min-w-24 wrap-anywhere max-sm:min-w-0 max-sm:text-right">
        {placeName(from)} to {placeName(to)}
        {note !== '' && <span className="block break-words text-sm text-muted">{note}</span>}
      </span>
    ),
  },
  { head: 'Sent', numeric: true, cell: ({ quantity }) => formatNumber(quantity) },
  { head: 'Arrived', numeric: true, cell: ({ received_quantity: pieces }) => formatNumber(pieces) },
  {
    head: 'Outcome',
    cell: ({ status }) => <Badge tone={outcomes[status].tone}>{outcomes[status].word}</Badge>,
  },
  { head: 'Sent at', cell: ({ timestamp, user_name: by }) => <Moment at={timestamp} by={by} /> },
  {
    head: 'Ended at',
    cell: ({ closed_at: at, closed_by: by }) => at !== null && <Moment at={at} by={by ?? ''} />,
  },
]

/** What is on its way between any places: who sent it looks here for what never arrived. */
function UnderWay() {
  const list = useUnderWay()
  const [said, setSaid] = useState<string | null>(null)
  const failure =
    list.error === null ? null : `What is on its way could not be loaded: ${messageOf(list.error)}`
  return (
    <>
      <ListFailure list={list} failure={failure} />
      {said !== null && <Banner tone="good">{said}</Banner>}
      <Transfers
        title="On their way"
        transfers={list.data?.pages.flatMap(({ transfers }) => transfers) ?? []}
        named
        onSaid={setSaid}
      >
        <ListEnd list={list} failure={failure} more="Show older" />
      </Transfers>
    </>
  )
}

/** Transfers that are on their way, and those that were and what became of them, newest first, page by page. */
export function TransfersScreen() {
  const list = usePastTransfers()
  const rows = list.data?.pages.flatMap(({ transfers }) => transfers)
  const failure = list.error === null ? null : `The transfers could not be loaded: ${messageOf(list.error)}`
  return (
    <Page
      title="Transfers"
      subtitle="What is on its way between places, and what was, by when it was sent."
      actions={
        <Link href={paths.components} className={buttonClasses('quiet')}>
          <ChevronLeft aria-hidden className="size-4" />
          All components
        </Link>
      }
    >
      <UnderWay />
      <Card title="Past transfers" flush>
        <div className="p-4 empty:hidden">
          <ListFailure list={list} failure={failure} />
        </div>
        {rows === undefined && failure === null && <LoadingRows label="Loading transfers..." rows={5} />}
        {rows?.length === 0 && (
          <EmptyState title="No past transfers">
            A transfer is listed here once it has arrived, or has ended without arriving.
          </EmptyState>
        )}
        {rows !== undefined && rows.length > 0 && (
          <DataTable
            label="Past transfers"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            cards="tablet"
          />
        )}
        <ListEnd list={list} failure={failure} more="Show older" />
      </Card>
    </Page>
  )
}
