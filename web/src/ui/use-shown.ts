import { useEffect, useRef } from 'react'

/** Tells whether what asks is still shown: an answer that comes later must not close what was opened since. */
export function useShown(): () => boolean {
  const shown = useRef(true)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  return () => shown.current
}
