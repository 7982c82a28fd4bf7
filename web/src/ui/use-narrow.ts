import { useSyncExternalStore } from 'react'

/** Below the width from which on styles say 'lg'. */
const narrow = matchMedia('(width < 64rem)')

function follow(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Whether the screen is a handheld's or a tablet's, where what is beside each other at a desk stands in lines. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(follow, () => narrow.matches)
}
