import { useEffect, useEffectEvent, useRef, useState } from 'react'

const afterMs = 100

/**
 * The value as it was a moment ago: for what may come after the frame that shows what else has changed with it. Ten times
 * a second at most, however often the value changes.
 */
export function useShownAfterwards<T>(value: T): T {
  const [shown, setShown] = useState(value)
  const isAsked = useRef(false)
  const show = useEffectEvent(() => {
    isAsked.current = false
    setShown(value)
  })
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    setTimeout(() => show(), afterMs)
  }, [value])
  return shown
}
