import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, type RefObject } from 'react'

type VirtualRows = {
  /** Goes on the element that scrolls. */
  scroller: RefObject<HTMLDivElement | null>
  /** The places in the list that are drawn now. */
  indexes: number[]
  /** Heights in pixels of what is not drawn before and after them. */
  before: number
  after: number
}

/** `soughtBy`: by what the rows were found. */
type Rows = { count: number; rowHeight: number; soughtBy: string }

/**
 * Which rows of a long list are drawn: those in view and a few around them. Rows have one height, in pixels. What another search
 * finds is seen from its beginning.
 */
export function useVirtualRows({ count, rowHeight, soughtBy }: Rows): VirtualRows {
  const scroller = useRef<HTMLDivElement>(null)
  // The hook's own functions change with every scroll, which only a compiler's memoization would miss.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  useLayoutEffect(() => {
    if (scroller.current !== null && scroller.current.scrollTop > 0) scroller.current.scrollTop = 0
  }, [soughtBy])
  const items = virtualizer.getVirtualItems()
  return {
    scroller,
    indexes: items.map(({ index }) => index),
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
  }
}
