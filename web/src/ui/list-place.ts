import { useEffect, type RefObject } from 'react'

/** Browsers refuse a page that writes to its history with each step of scrolling. */
const settledMs = 200

/** How far down a list was, in pixels, when its entry of the history was left; 0 in a new one. */
export function readListPlace(): number {
  const state: unknown = history.state
  const hasPlace = typeof state === 'object' && state !== null && 'listPlace' in state
  return hasPlace && typeof state.listPlace === 'number' ? state.listPlace : 0
}

function writeListPlace(listPlace: number): void {
  const state: unknown = history.state
  history.replaceState({ ...(typeof state === 'object' ? state : null), listPlace }, '')
}

/** Keeps how far down a list is with its entry of the history, where the way back finds it. */
export function useListPlace(scroller: RefObject<HTMLElement | null>, isKept: boolean): void {
  useEffect(() => {
    const list = scroller.current
    if (!isKept || list === null) return undefined
    const { pathname } = location
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        // A link may have led away already.
        if (location.pathname === pathname) writeListPlace(list.scrollTop)
      }, settledMs)
    }
    list.addEventListener('scroll', follow, { passive: true })
    return () => {
      clearTimeout(timer)
      list.removeEventListener('scroll', follow)
    }
  }, [scroller, isKept])
}
