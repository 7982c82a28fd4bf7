import { countMessages } from '@inventory-manager/contract/counting/messages'
import type { ComponentProps, ReactNode } from 'react'
import { PassingStatus } from '../ui/passing-status.tsx'
import { ActiveCount } from './active-count.tsx'
import { useUnheardScans } from './unheard-scans.tsx'
import { Unsettled } from './unsettled.tsx'

type ActiveProps = ComponentProps<typeof ActiveCount>

type CountFrameProps = Omit<ActiveProps, 'scope'> & {
  /** What is counted in; null until it is started. */
  scope: ActiveProps['scope'] | null
  /** What is shown until then. */
  ready: ReactNode
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
