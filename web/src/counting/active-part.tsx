import { countMessages } from '@inventory-manager/contract/counting/messages'
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
  async () => (await import('./unsettled.tsx')).Unsettled,
  () => null,
)
