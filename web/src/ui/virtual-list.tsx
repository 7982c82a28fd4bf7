import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { inRem } from './text-size.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

type VirtualListProps<T> = {
  label: string
  items: readonly T[]
  keyOf: (item: T) => string
  /** By what the items were found. */
  soughtBy: string
  /** The height of every row in pixels at the usual size of texts, or of each. */
  rowHeight: number | ((item: T) => number)
  /** Classes that give the list its height. */
  className: string
  /** Whoever comes back to its screen finds it as far down as it was left. */
  keepsPlace?: boolean
  children: (item: T) => ReactNode
}

/** A list of any length that draws only what is in view. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, rowHeight, soughtBy, keepsPlace } = props
  const heightOf = typeof rowHeight === 'number' ? () => rowHeight : rowHeight
  const { scroller, indexes, before, after } = useVirtualRows({
    count: items.length,
    rowHeight:
      typeof rowHeight === 'number'
        ? rowHeight
        : (index) => {
            const item = items[index]
            return item === undefined ? 0 : rowHeight(item)
          },
    soughtBy,
    keepsPlace,
  })
  return (
    <div
      ref={scroller}
      role="region"
      aria-label={props.label}
      tabIndex={0}
      className={classNames('overflow-y-auto', props.className)}
    >
      <ul aria-label={props.label} style={{ paddingTop: before, paddingBottom: after }}>
        {indexes.map((index) => {
          const item = items[index]
          if (item === undefined) return null
          return (
            <li
              key={props.keyOf(item)}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ height: inRem(heightOf(item)) }}
              className="overflow-hidden border-b border-line"
            >
              {props.children(item)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
