import type { QuantityField } from '@inventory-manager/contract/locations'
import type { Component } from '@inventory-manager/contract/stock/endpoints'
import type { ReactNode } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { inRem } from '../ui/text-size.ts'
import { useVirtualRows } from '../ui/use-virtual-rows.ts'
import { ownCopiesOf } from './own-copies.ts'
import type { Selection } from './use-selection.ts'

type PickerProps = {
  components: Component[]
  /** By what they were found. */
  soughtBy: string
  field: QuantityField
  selection: Pick<Selection, 'barcodes' | 'ownCopies' | 'typeCopies' | 'toggle'>
  /** Those of each label. */
  copies: number
  emptyText: string
  /** What to do where there is nothing. */
  emptyHint: ReactNode
}

const heading = 'sticky top-0 bg-surface px-3 py-2 font-medium text-muted'
/** Pixels: two lines on a handheld, and a target for a thumb. */
const rowHeight = 60

/** Stands for rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return height === 0 ? null : <tr aria-hidden style={{ height }} />
}

type RowProps = Pick<PickerProps, 'field' | 'selection' | 'copies'> & { item: Component; index: number }

/** How many labels of a chosen component; empty, as many as of each. */
function CopiesCell({ item: { barcode }, selection, copies }: Omit<RowProps, 'field' | 'index'>) {
  const { ownCopies, typeCopies } = selection
  return (
    <span className="flex items-center justify-end gap-1">
      <span aria-hidden className="text-muted">
        ×
      </span>
      <input
        aria-label={`Copies of ${barcode}`}
        aria-invalid={ownCopiesOf(barcode, ownCopies) === 0}
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        placeholder={copies === 0 ? '' : String(copies)}
        value={ownCopies.get(barcode) ?? ''}
        onChange={(event) => typeCopies(barcode, event.target.value)}
        className="h-12 w-14 rounded-control border border-line-strong bg-surface px-2 text-right tabular-nums placeholder:text-muted aria-invalid:border-bad lg:h-8"
      />
    </span>
  )
}

function Row({ item, index, field, selection, copies }: RowProps) {
  const { barcode, description } = item
  const { barcodes, toggle } = selection
  const isChosen = barcodes.has(barcode)
  return (
    <tr
      aria-rowindex={index + 2}
      onClick={() => toggle(barcode)}
      style={{ height: inRem(rowHeight) }}
      className={classNames(
        'cursor-pointer border-t border-line',
        isChosen ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
    >
      <td className="px-3">
        <input
          type="checkbox"
          aria-label={`Select ${barcode}`}
          checked={isChosen}
          onClick={(event) => event.stopPropagation()}
          onChange={() => toggle(barcode)}
          className="block size-6 accent-accent lg:size-4"
        />
      </td>
      <td className="px-3">
        <span className="block truncate font-mono">{barcode}</span>
        <span dir="auto" className="block truncate text-sm text-muted sm:hidden">
          {description || 'No Description'}
        </span>
      </td>
      <td className="hidden px-3 sm:table-cell">
        <span dir="auto" className="line-clamp-2">
          {description || 'No Description'}
        </span>
      </td>
      {/* A handheld has room for one of the two. */}
      <td className={classNames('px-3 text-right tabular-nums', isChosen && 'max-sm:hidden')}>
        {formatNumber(item[field])}
      </td>
      <td
        className={classNames('px-3 text-right', !isChosen && 'max-sm:hidden')}
        onClick={(event) => isChosen && event.stopPropagation()}
      >
        {isChosen && <CopiesCell item={item} selection={selection} copies={copies} />}
      </td>
    </tr>
  )
}

/** The list to choose labels from: a click on a row or its checkbox chooses it. Only what is in view is drawn. */
export function ComponentPicker(props: PickerProps) {
  const { components, soughtBy, field, selection, copies, emptyText, emptyHint } = props
  const { scroller, indexes, before, after } = useVirtualRows({
    count: components.length,
    rowHeight,
    soughtBy,
  })
  if (components.length === 0) return <EmptyState title={emptyText}>{emptyHint}</EmptyState>
  return (
    <div
      ref={scroller}
      role="region"
      aria-label="Components"
      tabIndex={0}
      className="max-h-96 scroll-pt-11 overflow-auto"
    >
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
            <th scope="col" className={classNames(heading, 'hidden w-28 text-right sm:table-cell')}>
              Copies
            </th>
          </tr>
        </thead>
        <tbody>
          <Gap height={before} />
          {indexes.map((index) => {
            const item = components[index]
            if (item === undefined) return null
            return (
              <Row
                key={item.barcode}
                item={item}
                index={index}
                field={field}
                selection={selection}
                copies={copies}
              />
            )
          })}
          <Gap height={after} />
        </tbody>
      </table>
    </div>
  )
}
