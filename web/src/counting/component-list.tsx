import type { CountableComponent, WeeklyComponent } from '@inventory-manager/contract/counting/endpoints'
import { useState } from 'react'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'

type Listed = CountableComponent & Partial<Pick<WeeklyComponent, 'high_volume_config'>>

function lastCount({ last_counted_date: date, last_counted_source: source }: Listed): string {
  return date === null ? 'No count yet' : `Last: ${formatMoment(date)}, ${source ?? ''}`
}

/** Code and state, what it is, and the last count; for administrators of a weekly list also its configuration. */
function Row({ item, onOpen }: { item: Listed; onOpen: () => void }) {
  const { high_volume_config: config } = item
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex h-full w-full flex-col justify-center gap-0.5 px-4 py-2 text-left hover:bg-sunken"
    >
      <span className="flex w-full items-center justify-between gap-3">
        <span className="truncate font-mono text-sm">{item.barcode}</span>
        {item.counted && item.counted_at !== null ? (
          <Badge look="good">Counted {formatMoment(item.counted_at)}</Badge>
        ) : (
          <Badge>Pending</Badge>
        )}
      </span>
      <span className="block w-full truncate text-sm text-muted">{item.description || 'No Description'}</span>
      <span className="flex w-full items-center gap-2 text-xs text-muted">
        {item.is_high_volume && <Badge look="info">High volume</Badge>}
        <span className="truncate">{lastCount(item)}</span>
        {config !== undefined && config !== null && (
          <span className="ml-auto truncate font-mono">{JSON.stringify(config)}</span>
        )}
      </span>
    </button>
  )
}

/** Pixels: three lines of text and their padding. */
const rowHeight = 88

type ComponentListProps = {
  components: Listed[]
  /** How many rows are shown at first, and what 'Show All n …' calls them. */
  preview: number
  noun: string
  onOpen: (barcode: string) => void
}

/** What is to be counted here: the first rows, or all. A row opens its count history. */
export function ComponentList({ components, preview, noun, onOpen }: ComponentListProps) {
  const [all, setAll] = useState(false)
  if (components.length === 0) {
    return (
      <EmptyState title="No components available">Generate labels for your products to add them.</EmptyState>
    )
  }
  return (
    <>
      {all ? (
        <VirtualList
          label="Components to count"
          items={components}
          keyOf={(item) => item.id}
          rowHeight={rowHeight}
          className="max-h-[70vh]"
        >
          {(item) => <Row item={item} onOpen={() => onOpen(item.barcode)} />}
        </VirtualList>
      ) : (
        <ul className="divide-y divide-line" aria-label="Components to count">
          {components.slice(0, preview).map((item) => (
            <li key={item.id} style={{ height: rowHeight }}>
              <Row item={item} onOpen={() => onOpen(item.barcode)} />
            </li>
          ))}
        </ul>
      )}
      {components.length > preview && (
        <div className="border-t border-line p-3 text-center">
          <Button look="quiet" onClick={() => setAll(!all)}>
            {all ? 'Show Less' : `Show All ${formatNumber(components.length)} ${noun}`}
          </Button>
        </div>
      )}
    </>
  )
}
