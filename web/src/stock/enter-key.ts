import type { KeyboardEvent } from 'react'

/** A scanner ends a code with Enter: that goes on to the next field. */
export function goOnAtEnter(event: KeyboardEvent, next: HTMLInputElement | null): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  next?.focus()
}
