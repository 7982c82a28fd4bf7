import { useCallback, useEffect, useRef, type RefObject } from 'react'

/** Nearly all of it: what is half a pixel short is in view. */
const enough = 0.99

/**
 * Brings an element into view where it is not. The browser tells beforehand whether it is, so that nothing is laid out
 * for it with each scan.
 */
export function useBringIntoView(ref: RefObject<HTMLElement | null>): () => void {
  const isInView = useRef(true)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    // What the bar over the screen hides is not in view.
    const margin = Number.parseFloat(getComputedStyle(element).scrollMarginTop)
    const observer = new IntersectionObserver(
      (entries) => (isInView.current = (entries.at(-1)?.intersectionRatio ?? 0) >= enough),
      { rootMargin: `${-margin}px 0px 0px 0px`, threshold: enough },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return useCallback(() => {
    if (!isInView.current) ref.current?.scrollIntoView({ block: 'start', behavior: 'instant' })
  }, [ref])
}
