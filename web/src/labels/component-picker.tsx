import type { QuantityField } from '@inventory-manager/contract/locations'
import type { Component } from '@inventory-manager/contract/stock/endpoints'
import { formatNumber } from '../lib/numbers.ts'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'

type PickerProps = {
  components: Component[]
  field: QuantityField
  selected: ReadonlySet<string>
  onToggle: (barcode: string) => void
  emptyText: string
}

const heading = 'sticky top-0 bg-surface px-3 py-2 font-medium text-muted'

/** The list to choose labels from: a click on a row or its checkbox chooses it. */
export function ComponentPicker({ components, field, selected, onToggle, emptyText }: PickerProps) {
  if (components.length === 0) return <EmptyState title={emptyText} />
  return (
    <div className="max-h-96 overflow-auto">
      <table className="w-full text-left text-base lg:text-sm">
        <thead>
          <tr>
            <th scope="col" className={heading}>
              Select
            </th>
            <th scope="col" className={heading}>
              Barcode
            </th>
            <th scope="col" className={classNames(heading, 'hidden sm:table-cell')}>
              Description
            </th>
            <th scope="col" className={classNames(heading, 'text-right')}>
              Quantity
            </th>
          </tr>
        </thead>
        <tbody>
          {components.map((item) => (
            <tr
              key={item.id}
              onClick={() => onToggle(item.barcode)}
              className={classNames(
                'cursor-pointer border-t border-line',
                selected.has(item.barcode) ? 'bg-accent-soft' : 'hover:bg-sunken',
              )}
            >
              <td className="px-3 py-2">
                <input
                  type="checkbox"
                  aria-label={`Select ${item.barcode}`}
                  checked={selected.has(item.barcode)}
                  onClick={(event) => event.stopPropagation()}
                  onChange={() => onToggle(item.barcode)}
                  className="size-6 accent-accent lg:size-4"
                />
              </td>
              <td className="px-3 py-2">
                <span className="font-mono whitespace-nowrap">{item.barcode}</span>
                <span className="block text-sm text-muted sm:hidden">
                  {item.description || 'No Description'}
                </span>
              </td>
              <td className="hidden px-3 py-2 sm:table-cell">{item.description || 'No Description'}</td>
              <td className="px-3 py-2 text-right tabular-nums">{formatNumber(item[field])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
