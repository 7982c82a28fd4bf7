import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && target.type === 'checkbox')
  )
}

type Keys = Readonly<Record<string, () => void>>

/** What a key means that is pressed anywhere but in a field or a dialog, where keys mean what they say. */
function actionOf(actions: Keys, event: KeyboardEvent): (() => void) | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return undefined
  if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return undefined
  return Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
}

/** The longest pause between two keys of a scanner that types. */
const longestPauseMs = 120

/** When the last sign was pressed that did nothing; and the last key, judged once for all parts of a screen that have keys. */
let signAt = Number.NEGATIVE_INFINITY
let judged: { event: KeyboardEvent; isWithin: boolean } | null = null

/** Whether a key is a sign that follows another as closely as a scanner types them. */
function isWithinScan(event: KeyboardEvent): boolean {
  if (judged?.event !== event) {
    const isSign = event.key.length === 1
    judged = { event, isWithin: isSign && event.timeStamp - signAt <= longestPauseMs }
    if (isSign) signAt = event.timeStamp
  }
  return judged.isWithin
}

/** Does something for a key pressed anywhere but in a field or a dialog; a sign within what a scanner types does nothing. */
export function useKeys(actions: Keys): void {
  const find = useEffectEvent((event: KeyboardEvent) => actionOf(actions, event))
  // Before the screen is painted: a key that is pressed at its first sight counts.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const action = isWithinScan(event) ? undefined : find(event)
      if (action === undefined) return
      signAt = Number.NEGATIVE_INFINITY
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/**
 * The same for keys that choose or decide something, while the focus is within what they are about, as somebody who speaks to the device
 * expects it (WCAG 2.1.4). One that others come before or behind at once is a scanner's, and does nothing.
 */
export function useDecidingKeys(part: RefObject<HTMLElement | null>, actions: Keys): void {
  const find = useEffectEvent((event: KeyboardEvent) =>
    part.current?.contains(document.activeElement) === true ? actionOf(actions, event) : undefined,
  )
  // What a key does is what it does when it has its turn: the key before may have moved on meanwhile.
  const press = useEffectEvent((key: string) => actions[key]?.())
  useLayoutEffect(() => {
    let lastAt = Number.NEGATIVE_INFINITY
    let alone: ReturnType<typeof setTimeout> | undefined
    let waiting: string | undefined
    const act = () => {
      const key = waiting
      waiting = undefined
      if (key !== undefined) press(key)
    }
    const listen = (event: KeyboardEvent) => {
      const isAlone = event.timeStamp - lastAt > longestPauseMs
      lastAt = event.timeStamp
      clearTimeout(alone)
      // On a device that is busy the key before may not have had its turn yet.
      if (isAlone) act()
      waiting = undefined
      if (find(event) === undefined) return
      event.preventDefault()
      if (!isAlone) return
      waiting = event.key
      alone = setTimeout(act, longestPauseMs)
    }
    document.addEventListener('keydown', listen)
    return () => {
      clearTimeout(alone)
      document.removeEventListener('keydown', listen)
    }
  }, [])
}
