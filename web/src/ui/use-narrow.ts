import { useSyncExternalStore } from 'react'

function watch(condition: string) {
  const list = matchMedia(condition)
  return {
    follow: (listener: () => void): (() => void) => {
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    matches: () => list.matches,
  }
}

/** Below the width from which on styles say 'lg', and 'sm'. */
const narrow = watch('(width < 64rem)')
const phone = watch('(width < 40rem)')

/** Whether the screen is a handheld's or a tablet's, where what is beside each other at a desk stands in lines. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(narrow.follow, narrow.matches)
}

/** Whether it is a handheld's, where the rows of a list have a line more. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(phone.follow, phone.matches)
}
