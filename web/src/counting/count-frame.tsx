import { countMessages } from '@inventory-manager/contract/counting/messages'
import { Suspense, type ComponentProps, type ReactNode } from 'react'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Card } from '../ui/card.tsx'
import { Loading } from '../ui/loading.tsx'
import { PassingStatus } from '../ui/passing-status.tsx'
import type { ActiveCount } from './active-count.tsx'
import { activeCount, unsettled, useCountReady } from './active-part.tsx'
import { NotCounting, useUnheardScans } from './unheard-scans.tsx'

type ActiveProps = ComponentProps<typeof ActiveCount>

type CountFrameProps = Omit<ActiveProps, 'scope' | 'above'> & {
  /** What is counted in; null until it is started. */
  scope: ActiveProps['scope'] | null
  /** What is shown until then. */
  ready: ReactNode
  /** That everything is counted, where it is: first of all, but beside the fields while somebody scans into them. */
  done: ReactNode
  /** That the list is from before. */
  notice: ReactNode
}

function CountLoading() {
  return (
    <NotCounting why={countMessages.countLoading}>
      <Loading label="Loading the count..." />
    </NotCounting>
  )
}

/** A count, ready to start or running, and the list of what there is to count. */
export function CountFrame({ scope, ready, done, notice, ...active }: CountFrameProps) {
  // Not by its session: a month or day may end, and another session go on, while something is being scanned.
  const hasSeat = useLocatedSession().user.seated !== false
  const notCounted = hasSeat ? countMessages.notStarted : countMessages.noSeat
  useUnheardScans(scope === null ? notCounted : null, active.say)
  const isReady = useCountReady()
  if (scope !== null) {
    return (
      <Suspense fallback={<CountLoading />}>
        <activeCount.Content
          {...active}
          key={[scope.location, scope.day].join(' ')}
          scope={scope}
          above={
            <>
              {done}
              {notice}
            </>
          }
        />
      </Suspense>
    )
  }
  return (
    <>
      {done}
      <PassingStatus status={active.status} />
      {hasSeat ? ready : <Banner tone="warn">{countMessages.noSeat}</Banner>}
      {isReady && (
        <Suspense>
          <unsettled.Content />
        </Suspense>
      )}
      {active.asked}
      {notice}
      <Card title={active.listTitle} flush>
        {active.children}
      </Card>
    </>
  )
}
