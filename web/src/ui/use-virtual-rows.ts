import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { textScale } from './text-size.ts'
import { readListPlace, useListPlace } from './use-list-place.ts'

type VirtualRows = {
  /** Goes on the element that scrolls. */
  scroller: RefObject<HTMLDivElement | null>
  /** The places in the list that are drawn now. */
  indexes: number[]
  /** Heights in pixels of what is not drawn before and after them. */
  before: number
  after: number
}

/**
 * `rowHeight`: of every row, or of each by its place, at the usual size of texts. `soughtBy`: by what the rows were found. `keepsPlace`: whoever comes back finds the
 * list as far down as it was left.
 */
type Rows = {
  count: number
  rowHeight: number | ((index: number) => number)
  soughtBy: string
  keepsPlace?: boolean | undefined
}

/** What tells whether heights have changed. */
function heightsOf({ count, rowHeight }: Pick<Rows, 'count' | 'rowHeight'>): string {
  if (typeof rowHeight === 'number') return String(rowHeight)
  return Array.from({ length: count }, (_, index) => rowHeight(index)).join(' ')
}

/**
 * Which rows of a long list are drawn: those in view and a few around them. Their heights, in pixels, are known before. What another
 * search finds is seen from its beginning.
 */
export function useVirtualRows({ count, rowHeight, soughtBy, keepsPlace = false }: Rows): VirtualRows {
  const [first] = useState(() => (keepsPlace ? readListPlace(soughtBy) : 0))
  const [scale] = useState(textScale)
  const shownBy = useRef<string>(null)
  const scroller = useRef<HTMLDivElement>(null)
  // The hook's own functions change with every scroll, which only a compiler's memoization would miss.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => scale * (typeof rowHeight === 'number' ? rowHeight : rowHeight(index)),
    overscan: 8,
    initialOffset: first,
  })
  useLayoutEffect(() => {
    if (shownBy.current === soughtBy) return
    const top = shownBy.current === null ? first : 0
    shownBy.current = soughtBy
    const list = scroller.current
    if (list !== null && list.scrollTop !== top) list.scrollTop = top
  }, [soughtBy, first])
  useListPlace(scroller, { isKept: keepsPlace, soughtBy })
  const heights = heightsOf({ count, rowHeight })
  const drawnWith = useRef(heights)
  useLayoutEffect(() => {
    if (drawnWith.current === heights) return
    drawnWith.current = heights
    virtualizer.measure()
  }, [heights, virtualizer])
  const items = virtualizer.getVirtualItems()
  return {
    scroller,
    indexes: items.map(({ index }) => index),
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
  }
}
