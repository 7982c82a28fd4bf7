import { memo } from 'react'
import { formatMoment } from '../lib/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { useIsPhone } from '../ui/use-narrow.ts'
import { Described } from './bin.tsx'
import { isPending, type ListedComponent } from './count-list.ts'
import { LongList } from './long-list.tsx'

/** On a phone its first word is left to be guessed, for the sake of the moment behind it. */
function LastCount({
  counted_at: countedAt,
  counted_source: countedBy,
  last_counted_date: last,
  last_counted_source: lastBy,
}: ListedComponent) {
  // The mark of a weekly list is the week's; its last count may be another.
  const date = last ?? countedAt ?? null
  if (date === null) return 'Not counted'
  return (
    <>
      <span className="max-sm:sr-only">Last: </span>
      {formatMoment(date)}, {lastBy ?? countedBy ?? ''}
    </>
  )
}

/** Code and state, where it lies and what it is, and the last count; for administrators of a weekly list also its configuration. */
const Row = memo(function Row({
  item,
  isOfMonth,
  onOpen,
}: {
  item: ListedComponent
  isOfMonth: boolean
  onOpen: (barcode: string) => void
}) {
  const config = item.high_volume_config ?? null
  return (
    <button
      type="button"
      onClick={() => onOpen(item.barcode)}
      className="flex h-full w-full flex-col justify-center gap-0.5 px-4 py-2 text-left hover:bg-sunken"
    >
      <span className="flex w-full items-center justify-between gap-3">
        <span className="truncate font-mono text-sm">{item.barcode}</span>
        {item.counted === true ? (
          <Badge tone="good">
            Counted<span className="max-sm:sr-only">&nbsp;{formatMoment(item.counted_at ?? '')}</span>
          </Badge>
        ) : (
          <Badge>Pending</Badge>
        )}
      </span>
      <Described {...item} />
      <span
        className={classNames(
          'flex w-full items-center gap-x-2 text-xs text-muted',
          config !== null && 'max-sm:flex-wrap',
        )}
      >
        {/* Of a weekly list all are. */}
        {isOfMonth && item.is_high_volume === true && <Badge tone="info">High volume</Badge>}
        <span className="truncate">
          <LastCount {...item} />
        </span>
        {config !== null && (
          <span className="ml-auto truncate font-mono max-sm:w-full">{JSON.stringify(config)}</span>
        )}
      </span>
    </button>
  )
})

/** Pixels: three lines of text and their padding, and four where a phone shows the configuration of a weekly list. */
const rowHeight = 88
const configuredHeight = 108

const isConfigured = ({ high_volume_config: config }: ListedComponent) => (config ?? null) !== null

type ComponentListProps = {
  components: readonly ListedComponent[]
  /** How many rows are shown at first, and what 'Show All n …' calls them. */
  preview: number
  noun: string
  isOfMonth: boolean
  /** Stays the same function, so that rows are drawn again only where they change. */
  onOpen: (barcode: string) => void
}

/** What is to be counted here: the first rows, or all. A row opens its count history. */
export function ComponentList({ components, onOpen, ...list }: ComponentListProps) {
  const isPhone = useIsPhone()
  if (components.length === 0) {
    return (
      <EmptyState title="No components available">Generate labels for your products to add them.</EmptyState>
    )
  }
  return (
    <LongList
      label="Components to count"
      items={components}
      {...list}
      rowHeight={isPhone && components.some(isConfigured) ? configuredHeight : rowHeight}
      isPending={isPending}
    >
      {(item) => <Row item={item} isOfMonth={list.isOfMonth} onOpen={onOpen} />}
    </LongList>
  )
}
