import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { nextTask } from '../lib/tasks.ts'

/** The value as it was until the screen shows what else has changed with it: for what may come a frame later. */
export function useShownAfterwards<T>(value: T): T {
  const [shown, setShown] = useState(value)
  const isAsked = useRef(false)
  const show = useEffectEvent(() => setShown(value))
  useEffect(() => {
    // Once for all that change before it: a new value must not put the frame off.
    if (isAsked.current) return
    isAsked.current = true
    const showAfterwards = () => {
      isAsked.current = false
      show()
    }
    // Behind the frame that shows what has changed by now.
    requestAnimationFrame(() => void nextTask().then(showAfterwards))
  }, [value])
  return shown
}
