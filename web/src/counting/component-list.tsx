import type { CountableComponent } from '@inventory-manager/contract/counting/endpoints'
import { useState } from 'react'
import { formatDateTime } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'

function Row({ item, onOpen }: { item: CountableComponent; onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex h-full min-h-16 w-full items-center gap-3 px-4 py-2 text-left hover:bg-sunken"
    >
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className="truncate font-mono text-sm">{item.barcode}</span>
          {item.is_high_volume && <Badge look="info">High volume</Badge>}
        </span>
        <span className="block truncate text-sm text-muted">{item.description || 'No Description'}</span>
      </span>
      <span className="text-right text-sm">
        {item.counted && item.counted_at !== null ? (
          <Badge look="good">Counted {formatDateTime(item.counted_at)}</Badge>
        ) : (
          <Badge>Pending</Badge>
        )}
        <span className="mt-1 block text-xs text-muted">
          {item.last_counted_date === null
            ? 'No count yet'
            : `Last: ${formatDateTime(item.last_counted_date)}, ${item.last_counted_source ?? ''}`}
        </span>
      </span>
    </button>
  )
}

/** Pixels: two lines of text and their padding. */
const rowHeight = 68

type ComponentListProps = {
  components: CountableComponent[]
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
            <li key={item.id}>
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
