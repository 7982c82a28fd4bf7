import type { ComponentToCount } from '@inventory-manager/contract/counting/endpoints'
import { listHistory } from '@inventory-manager/contract/counting/history-endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { Link } from 'wouter'
import { call } from '../api/client.ts'
import { formatNumber } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { buttonClasses } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Described } from './bin.tsx'
import { entrySource } from './entry-source.ts'
import { LongList } from './long-list.tsx'

const previewRows = 5

/** The source of the newest history entry, for a SKU whose marks were cleared since (specification 8). */
function LatestSource({ sku }: { sku: string }) {
  const { location } = useLocatedSession()
  const { data, error } = useQuery({
    queryKey: [listHistory.path, location, sku],
    queryFn: ({ signal }) => call(listHistory, { query: { sku, location, limit: '1' } }, { signal }),
  })
  if (error !== null) return countMessages.retrievingSource
  if (data === undefined) return '…'
  const [latest] = data.history
  if (latest === undefined) return countMessages.notYetCounted
  return entrySource(latest) || countMessages.noSource
}

type RowProps = { item: ComponentToCount; counted: unknown }

const Row = memo(function Row({ item, counted }: RowProps) {
  return (
    <div className="flex min-h-16 items-center gap-3 px-4 py-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-mono text-sm">{item.barcode}</span>
        <Described {...item} />
      </span>
      <span className="text-right text-sm tabular-nums">
        {typeof counted === 'number' ? (
          <>
            <Badge tone="good">Counted {formatNumber(counted)}</Badge>
            <span className="mt-1 block text-xs text-muted">
              Latest: {item.counted_source ?? <LatestSource sku={item.barcode} />}
            </span>
          </>
        ) : (
          <Badge>Expected {formatNumber(item.expected_quantity ?? 0)}</Badge>
        )}
      </span>
    </div>
  )
})

/** Pixels: two lines of text and their padding. */
const rowHeight = 68

/** The SKUs of a cycle: expected quantities, or what was counted. */
export function SkuList({
  components,
  progress,
}: {
  components: readonly ComponentToCount[]
  progress: Record<string, unknown>
}) {
  if (components.length === 0) {
    return (
      <EmptyState title="No components available">
        <p className="mb-4">Import a file with what you have, or generate labels for new products.</p>
        <Link href={paths.importComponents} className={buttonClasses('secondary')}>
          Import a file
        </Link>
      </EmptyState>
    )
  }
  return (
    <LongList
      label="SKUs to count"
      items={components}
      preview={previewRows}
      noun="SKUs"
      isOfMonth
      rowHeight={rowHeight}
      isPending={({ barcode }) => typeof progress[barcode] !== 'number'}
    >
      {(item) => <Row item={item} counted={progress[item.barcode]} />}
    </LongList>
  )
}
