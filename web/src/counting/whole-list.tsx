import { useMemo, type ReactNode } from 'react'
import { VirtualList } from '../ui/virtual-list.tsx'

type WholeListProps = {
  label: string
  count: number
  keyAt: (place: number) => string
  /** Pixels. */
  rowHeight: number
  children: (place: number) => ReactNode
}

/** The rows of a count's list, however many, by their places in it. */
export function WholeList({ label, count, keyAt, rowHeight, children }: WholeListProps) {
  const places = useMemo(() => Array.from({ length: count }, (_, place) => place), [count])
  return (
    <VirtualList label={label} items={places} keyOf={keyAt} rowHeight={rowHeight} className="max-h-[70vh]">
      {children}
    </VirtualList>
  )
}
