import type { KeyboardEvent } from 'react'
import { maxPauseMs } from '../scanning/wedge.ts'

/** A scanner ends a code with Enter: that goes on to the next field, and no further where it sends two, for CR and LF. */
export function goOnAtEnter(event: KeyboardEvent, next: HTMLInputElement | null): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  next?.focus()
  const { timeStamp } = event
  next?.addEventListener(
    'keydown',
    (second) => {
      if (second.key === 'Enter' && second.timeStamp - timeStamp <= maxPauseMs) second.preventDefault()
    },
    { once: true },
  )
}
