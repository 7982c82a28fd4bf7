import { countMessages } from '@inventory-manager/contract/counting/messages'
import { useEffectEvent, useLayoutEffect, useState, type ReactNode } from 'react'
import { signal, speak } from '../scanning/feedback.ts'
import { createStrayScans, isEndCharacter, isForBrowser } from '../scanning/stray-scans.ts'
import { Loading } from '../ui/loading.tsx'
import { PassingStatus } from '../ui/passing-status.tsx'
import { useStatus, type Say } from './counting-session.ts'

/** Whether a person may be typing text there: a scan into it is meant for it. */
function isTypedInto(target: EventTarget | null): boolean {
  const isField = target instanceof HTMLInputElement && !['checkbox', 'radio'].includes(target.type)
  return isField || target instanceof HTMLTextAreaElement
}

/** Shortcuts, but for the control characters that end a code, and what is typed into a field. */
function isForOthers({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return metaKey || altKey || isTypedInto(target) || (ctrlKey && !isEndCharacter(key))
}

/** What is scanned while nothing can be counted is counted nowhere, and heard to be so; `why` is null while it can. */
export function useUnheardScans(why: string | null, say: Say): void {
  const [follow] = useState(createStrayScans)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, timeStamp, ctrlKey } = event
    if (why === null || isForOthers(event)) return
    const followed = follow({ key: ctrlKey ? 'Enter' : key, at: timeStamp })
    if (followed !== null || isForBrowser(event)) event.preventDefault()
    if (followed !== 'end') return
    signal('wrong')
    speak(why)
    say({ tone: 'bad', text: why })
  })
  // With what is shown: a scanner does not wait for an effect that comes later.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener, { capture: true })
    return () => document.removeEventListener('keydown', listener, { capture: true })
  }, [])
}

/** What stands where there is nothing yet to count in: a scan is said not to be counted, and why. */
export function NotCounting({ why, children }: { why: string; children: ReactNode }) {
  const { status, setStatus } = useStatus()
  useUnheardScans(why, setStatus)
  return (
    <>
      <PassingStatus status={status} />
      {children}
    </>
  )
}

/** While the list of a count loads, which takes seconds where it is long or the network is slow. */
export function ListLoading() {
  return (
    <NotCounting why={countMessages.listLoading}>
      <Loading label="Loading components..." />
    </NotCounting>
  )
}
