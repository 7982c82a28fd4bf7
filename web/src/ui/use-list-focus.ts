import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { focusHeading } from './page.tsx'

/**
 * When the focused row disappears, moves the focus to its list, or where that is gone too, to the heading of its dialog or screen.
 * The list takes the focus with `tabIndex={-1}`. `rows` is null while a dialog of one of them is open, which has the focus.
 */
export function useListFocus<E extends HTMLElement>(rows: number | null): RefObject<E | null> {
  const list = useRef<E>(null)
  const wasInside = useRef(false)
  const home = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const look = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const dialog = target.closest('dialog')
      // Closed, a dialog gives the focus back to the list. One that the list itself stands in is where it is.
      if (dialog !== null && !dialog.contains(list.current)) return
      wasInside.current = list.current?.contains(target) === true
      if (wasInside.current) home.current = dialog
    }
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [])
  useLayoutEffect(() => {
    const holder = document.activeElement
    // A button that is disabled in the same moment loses the focus only with the next frame.
    const isLost = holder === document.body || holder?.matches(':disabled') === true
    if (!wasInside.current || !isLost) return
    if (list.current === null) focusHeading(home.current)
    else list.current.focus({ preventScroll: true })
  }, [rows])
  return list
}
