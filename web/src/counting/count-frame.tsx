import { countMessages } from '@inventory-manager/contract/counting/messages'
import { useEffectEvent, useLayoutEffect, useState, type ComponentProps, type ReactNode } from 'react'
import { signal, speak } from '../scanning/feedback.ts'
import { createStrayScans } from '../scanning/stray-scans.ts'
import { Loading } from '../ui/loading.tsx'
import { PassingStatus } from '../ui/passing-status.tsx'
import { ActiveCount } from './active-count.tsx'
import { useStatus, type Say } from './counting-session.ts'
import { Unsettled } from './unsettled.tsx'

type ActiveProps = ComponentProps<typeof ActiveCount>

type CountFrameProps = Omit<ActiveProps, 'scope'> & {
  /** What is counted in; null until it is started. */
  scope: ActiveProps['scope'] | null
  /** What is shown until then. */
  ready: ReactNode
}

/** Whether a person may be typing text there: a scan into it is meant for it. */
function isTypedInto(target: EventTarget | null): boolean {
  const isField = target instanceof HTMLInputElement && !['checkbox', 'radio'].includes(target.type)
  return isField || target instanceof HTMLTextAreaElement
}

/** What is scanned while nothing can be counted is counted nowhere, and heard to be so; `why` is null while it can. */
function useUnheardScans(why: string | null, say: Say): void {
  const [follow] = useState(createStrayScans)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, timeStamp, ctrlKey, metaKey, altKey } = event
    if (why === null || ctrlKey || metaKey || altKey || isTypedInto(target)) return
    const followed = follow({ key, at: timeStamp })
    if (followed !== null) event.preventDefault()
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

/** While the list of a count loads, which takes seconds where it is long or the network is slow. */
export function ListLoading() {
  const { status, setStatus } = useStatus()
  useUnheardScans(countMessages.listLoading, setStatus)
  return (
    <>
      <PassingStatus status={status} />
      <Loading label="Loading components..." />
    </>
  )
}

/** A count, ready to start or running, and the list of what there is to count. */
export function CountFrame({ scope, ready, ...active }: CountFrameProps) {
  // Not by its session: a month or day may end, and another session go on, while something is being scanned.
  useUnheardScans(scope === null ? countMessages.notStarted : null, active.say)
  if (scope !== null) {
    return <ActiveCount {...active} key={[scope.location, scope.day].join(' ')} scope={scope} />
  }
  return (
    <>
      <PassingStatus status={active.status} />
      {ready}
      <Unsettled />
      {active.children}
    </>
  )
}
