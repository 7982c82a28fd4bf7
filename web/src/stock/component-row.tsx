import type { LocationCode } from '@inventory-manager/contract/locations'
import type { ListedComponent } from '@inventory-manager/contract/stock/component-endpoints'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { componentPath } from '../lib/paths.ts'
import { Badge } from '../ui/badge.tsx'
import { isLow, placedAt } from './placements.ts'

/** Where the list is sorted by it, when it was last counted, else how much there is in all. */
function BesideStock({ counted_at: at, total_quantity: total }: ListedComponent) {
  if (at === undefined) return `${formatNumber(total)} in all`
  if (at === null) return 'Not counted'
  return (
    <>
      {/* On a phone a barcode beside it is read whole without. */}
      <span className="max-sm:sr-only">Counted </span>
      {formatMoment(at)}
    </>
  )
}

type RowProps = {
  item: ListedComponent
  here: LocationCode
  isRetired: boolean
  /** Where it is low, in the lists of what is; empty in the others. */
  low: readonly string[]
  onShown: (() => void) | null
}

/** One component; the last one of what is loaded says when it is drawn, so that more is. */
export function ComponentRow({ item, here, isRetired, low, onShown }: RowProps) {
  useEffect(() => onShown?.(), [onShown])
  const placed = placedAt(item, here)
  return (
    <Link
      href={componentPath(item.barcode)}
      className="flex h-full flex-col justify-center px-4 hover:bg-sunken focus-visible:-outline-offset-2"
    >
      {/* On a phone what it is has a line of its own. */}
      <span className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
        <span className="truncate font-mono">
          {item.barcode}
          {item.aliases.length > 0 && <span className="text-sm text-muted"> {item.aliases.join(', ')}</span>}
        </span>
        <span className="truncate text-sm text-muted max-sm:col-span-2 max-sm:row-start-2 sm:col-start-1 sm:row-start-2">
          {placed.bin !== '' && <span className="text-text">Bin {placed.bin} · </span>}
          <bdi>{item.description || 'No Description'}</bdi>
        </span>
        <span className="col-start-2 row-start-1 text-right text-sm font-medium tabular-nums">
          {!isRetired && isLow(placed) && <Badge tone="warn">Low</Badge>} {formatNumber(placed.quantity)} here
        </span>
        <span className="col-start-2 text-right text-sm text-muted tabular-nums max-sm:row-start-3">
          <BesideStock {...item} />
        </span>
      </span>
      {low.length > 0 && (
        <span className="block text-sm text-warn-text tabular-nums lg:truncate">
          {low.map((words, index) => (
            <span key={words} className="max-lg:block">
              {words}
              {index < low.length - 1 && <span className="max-lg:hidden">, </span>}
            </span>
          ))}
        </span>
      )}
    </Link>
  )
}
