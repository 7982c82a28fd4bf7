import { useEffect, type RefObject } from 'react'

/** Browsers refuse a page that writes to its history with each step of scrolling. */
const settledMs = 200

type KeptPlace = { listPlace: number; placeOf: string }

/** How far down the list of a search was, in pixels, when its entry of the history was left; 0 in a new one. */
export function readListPlace(soughtBy: string): number {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !('placeOf' in state) || !('listPlace' in state))
    return 0
  return state.placeOf === soughtBy && typeof state.listPlace === 'number' ? state.listPlace : 0
}

function writeListPlace(place: KeptPlace): void {
  const state: unknown = history.state
  history.replaceState({ ...(typeof state === 'object' ? state : null), ...place }, '')
}

/** Keeps how far down a list is with its entry of the history, where the way back finds it. */
export function useListPlace(
  scroller: RefObject<HTMLElement | null>,
  { isKept, soughtBy }: { isKept: boolean; soughtBy: string },
): void {
  useEffect(() => {
    const list = scroller.current
    if (!isKept || list === null) return undefined
    const { pathname } = location
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        // A link may have led away already.
        if (location.pathname === pathname) writeListPlace({ listPlace: list.scrollTop, placeOf: soughtBy })
      }, settledMs)
    }
    list.addEventListener('scroll', follow, { passive: true })
    return () => {
      clearTimeout(timer)
      list.removeEventListener('scroll', follow)
    }
  }, [scroller, isKept, soughtBy])
}
