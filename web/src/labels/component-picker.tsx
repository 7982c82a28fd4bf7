import type { QuantityField } from '@inventory-manager/contract/locations'
import type { Component } from '@inventory-manager/contract/stock/endpoints'
import { formatNumber } from '../lib/numbers.ts'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { useVirtualRows } from '../ui/virtual-rows.ts'

type PickerProps = {
  components: Component[]
  /** By what they were found. */
  soughtBy: string
  field: QuantityField
  selected: ReadonlySet<string>
  onToggle: (barcode: string) => void
  emptyText: string
}

const heading = 'sticky top-0 bg-surface px-3 py-2 font-medium text-muted'
/** Pixels: two lines on a handheld, and a target for a thumb. */
const rowHeight = 60

/** Stands for rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return height === 0 ? null : <tr aria-hidden style={{ height }} />
}

/** The list to choose labels from: a click on a row or its checkbox chooses it. Only what is in view is drawn. */
export function ComponentPicker({ components, soughtBy, field, selected, onToggle, emptyText }: PickerProps) {
  const { scroller, indexes, before, after } = useVirtualRows({
    count: components.length,
    rowHeight,
    soughtBy,
  })
  if (components.length === 0) return <EmptyState title={emptyText} />
  return (
    <div ref={scroller} role="region" aria-label="Components" tabIndex={0} className="max-h-96 overflow-auto">
      <table
        aria-rowcount={components.length + 1}
        className="w-full table-fixed text-left text-base lg:text-sm"
      >
        <thead className="relative z-1">
          <tr>
            <th scope="col" className={classNames(heading, 'w-16 sm:w-20')}>
              Select
            </th>
            <th scope="col" className={heading}>
              Barcode
            </th>
            <th scope="col" className={classNames(heading, 'hidden sm:table-cell')}>
              Description
            </th>
            <th scope="col" className={classNames(heading, 'w-24 text-right sm:w-28')}>
              Quantity
            </th>
          </tr>
        </thead>
        <tbody>
          <Gap height={before} />
          {indexes.map((index) => {
            const item = components[index]
            if (item === undefined) return null
            const { id, barcode, description } = item
            return (
              <tr
                key={id}
                aria-rowindex={index + 2}
                onClick={() => onToggle(barcode)}
                style={{ height: rowHeight }}
                className={classNames(
                  'cursor-pointer border-t border-line',
                  selected.has(barcode) ? 'bg-accent-soft' : 'hover:bg-sunken',
                )}
              >
                <td className="px-3">
                  <input
                    type="checkbox"
                    aria-label={`Select ${barcode}`}
                    checked={selected.has(barcode)}
                    onClick={(event) => event.stopPropagation()}
                    onChange={() => onToggle(barcode)}
                    className="size-6 accent-accent lg:size-4"
                  />
                </td>
                <td className="px-3">
                  <span className="block truncate font-mono">{barcode}</span>
                  <span className="block truncate text-sm text-muted sm:hidden">
                    {description || 'No Description'}
                  </span>
                </td>
                <td className="hidden px-3 sm:table-cell">
                  <span className="line-clamp-2">{description || 'No Description'}</span>
                </td>
                <td className="px-3 text-right tabular-nums">{formatNumber(item[field])}</td>
              </tr>
            )
          })}
          <Gap height={after} />
        </tbody>
      </table>
    </div>
  )
}
