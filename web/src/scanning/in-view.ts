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

const turns = ['wheel', 'touchmove', 'pointerdown', 'focusin', 'keydown'] as const

/** Whether an event says that somebody looks elsewhere: scrolls, or goes to what is outside of an element. */
function isTurn(event: Event, element: HTMLElement | null): boolean {
  const { type, target } = event
  if (event instanceof KeyboardEvent) return event.key.startsWith('Page')
  if (type === 'wheel' || type === 'touchmove') return true
  return !(target instanceof Node && element?.contains(target) === true)
}

/** When a person last turned to something else than an element, in milliseconds; at first, when they came. */
export function useTurnedAt(ref: RefObject<HTMLElement | null>): RefObject<number> {
  const turnedAt = useRef(0)
  useEffect(() => {
    turnedAt.current = Date.now()
    const look = (event: Event) => {
      if (isTurn(event, ref.current)) turnedAt.current = Date.now()
    }
    for (const type of turns) document.addEventListener(type, look, { capture: true, passive: true })
    return () => {
      for (const type of turns) document.removeEventListener(type, look, { capture: true })
    }
  }, [ref])
  return turnedAt
}
