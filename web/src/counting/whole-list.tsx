import { useMemo, type ReactNode } from 'react'
import { VirtualList } from '../ui/virtual-list.tsx'

type WholeListProps = {
  label: string
  count: number
  soughtBy: string
  keyAt: (place: number) => string
  /** Pixels. */
  rowHeight: number
  children: (place: number) => ReactNode
}

/** The rows of a count's list, however many, by their places in it. */
export function WholeList({ count, keyAt, children, ...list }: WholeListProps) {
  const places = useMemo(() => Array.from({ length: count }, (_, place) => place), [count])
  return (
    <VirtualList {...list} items={places} keyOf={keyAt} className="max-h-(--list-height,70vh)">
      {children}
    </VirtualList>
  )
}
