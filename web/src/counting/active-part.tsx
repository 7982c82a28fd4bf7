import { countMessages } from '@inventory-manager/contract/counting/messages'
import { useEffect, useState } from 'react'
import { onceShown } from '../lib/in-passing.ts'
import { passed } from '../lib/tasks.ts'
import { NotLoadedPart } from '../ui/not-loaded-part.tsx'
import type { AbsentProps } from '../ui/not-loaded.tsx'
import { part } from '../ui/part.tsx'
import { NotCounting } from './unheard-scans.tsx'

function NotLoadedCount({ onRetry }: AbsentProps) {
  return (
    <NotCounting why={countMessages.countMissing}>
      <NotLoadedPart onRetry={onRetry} />
    </NotCounting>
  )
}

/** Apart, since a list is there to be looked at and started from without it; brought as soon as that is on the screen. */
export const activeCount = part(async () => (await import('./active-count.tsx')).ActiveCount, NotLoadedCount)

export const unsettled = part(
  async () => (await import('./unsettled/unsettled.tsx')).Unsettled,
  () => null,
)

/** How long who would start a count waits for what counts, which then says in its own place that it is missing. */
const patienceMs = 3_000

/** Whether a count may be started: what is scanned behind the press of the button is counted. */
export function useCountReady(): boolean {
  const [isReady, setReady] = useState(activeCount.isHere)
  useEffect(() => {
    async function bring(): Promise<void> {
      await Promise.allSettled([Promise.race([activeCount.load(), passed(patienceMs)])])
      setReady(true)
    }
    return onceShown(bring)
  }, [])
  return isReady
}
