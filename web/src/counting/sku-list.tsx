import type { ComponentToCount } from '@inventory-manager/contract/counting/endpoints'
import { listHistory } from '@inventory-manager/contract/counting/history-endpoints'
import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { Link } from 'wouter'
import { call } from '../api/client.ts'
import { formatNumber } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { buttonClasses } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { useIsPhone } from '../ui/use-narrow.ts'
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
  if (error !== null) return entryMessages.retrievingSource
  if (data === undefined) return '…'
  const [latest] = data.history
  if (latest === undefined) return entryMessages.notYetCounted
  return entrySource(latest) || entryMessages.noSource
}

type RowProps = { item: ComponentToCount; counted: unknown }

/** On a phone what it is has a line of its own. */
const Row = memo(function Row({ item, counted }: RowProps) {
  const isCounted = typeof counted === 'number'
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 gap-y-0.5 px-4 py-2">
      <span className="truncate font-mono text-sm">{item.barcode}</span>
      <span className="max-sm:col-span-2 max-sm:row-start-2 sm:col-start-1 sm:row-start-2">
        <Described {...item} />
      </span>
      <span
        className={classNames(
          'col-start-2 row-start-1 text-right text-sm tabular-nums',
          !isCounted && 'sm:row-span-2',
        )}
      >
        {isCounted ? (
          <Badge tone="good">Counted {formatNumber(counted)}</Badge>
        ) : (
          <Badge>Expected {formatNumber(item.expected_quantity ?? 0)}</Badge>
        )}
      </span>
      {isCounted && (
        <span className="truncate text-xs text-muted max-sm:col-span-2 sm:col-start-2 sm:row-start-2 sm:max-w-64 sm:text-right">
          Latest: {item.counted_source ?? <LatestSource sku={item.barcode} />}
        </span>
      )}
    </div>
  )
})

/** Pixels: two lines of text and their padding, and three on a phone. */
const rowHeight = 68
const phoneRowHeight = 88

/** The SKUs of a cycle: expected quantities, or what was counted. */
export function SkuList({
  components,
  progress,
}: {
  components: readonly ComponentToCount[]
  progress: Record<string, unknown>
}) {
  const isPhone = useIsPhone()
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
      rowHeight={isPhone ? phoneRowHeight : rowHeight}
      isPending={({ barcode }) => typeof progress[barcode] !== 'number'}
    >
      {(item) => <Row item={item} counted={progress[item.barcode]} />}
    </LongList>
  )
}
