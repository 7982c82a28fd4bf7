import { howMany } from '@inventory-manager/contract/numbers'
import { formatNumber, percentDone } from '../lib/numbers.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { useIsNarrow } from '../ui/use-narrow.ts'
import { useEntryCounts, useOpenRecounts, type CountScope } from './count-entries.ts'
import type { CountList } from './count-list.ts'

type QueueLineProps = { scope: CountScope; components: CountList['components'] }

/** Where the scans are: on this device, safe on the server, or waiting for a person; and what is to be counted again. */
function QueueLine({ scope, components }: QueueLineProps) {
  const { scanned, stored, waiting, refused, takingBack } = useEntryCounts(scope.session)
  const again = useOpenRecounts(scope, components).length
  if (scanned === 0) return <span>No scans yet</span>
  const isAllStored = waiting + refused + takingBack === 0
  const allStored = `${scanned === 1 ? '' : 'All '}${howMany(scanned, 'scan')} stored`
  const open = [
    { scans: waiting, standing: 'waiting' },
    { scans: refused, standing: 'to decide' },
    { scans: takingBack, standing: 'being taken back' },
    { scans: again, standing: 'to count again' },
  ]
  const parts = [
    ...(isAllStored ? [allStored] : [`${formatNumber(scanned)} scanned`, `${formatNumber(stored)} stored`]),
    ...open
      .filter(({ scans }) => scans > 0)
      .map(({ scans, standing }) => `${formatNumber(scans)} ${standing}`),
  ]
  const isGood = isAllStored && again === 0
  return <span className={isGood ? '' : 'font-medium text-warn-text'}>{parts.join(', ')}</span>
}

type ProgressProps = { label: string; list: CountList; scope: CountScope }

/** Enough of a session's id to tell it from another (specification 3, 'Counting session id'). */
const shownCharacters = 8

/** By which a person names their count; an administrator counts in a cycle, which the month and the location name. */
export function SessionMark({ scope: { source, session } }: { scope: CountScope }) {
  if (source === 'admin') return null
  return (
    <p className="-mt-1 text-right text-xs text-muted">
      Session <span className="font-mono">{session.slice(-shownCharacters)}</span>
    </p>
  )
}

export function CountProgress({ label, list, scope }: ProgressProps) {
  const { components, counted, total } = list
  const percent = percentDone(counted, total)
  const isNarrow = useIsNarrow()
  return (
    <div className="flex flex-col gap-2">
      {/* On a handheld as high as it usually gets: what is pressed below stays where it is. */}
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm tabular-nums lg:min-h-10 lg:content-start max-lg:min-h-[4.125rem] max-lg:flex-col max-lg:flex-nowrap max-lg:justify-start">
        <span className="font-medium">
          {formatNumber(counted)} of {formatNumber(total)} counted, {percent}% complete
        </span>
        <QueueLine scope={scope} components={components} />
      </div>
      <ProgressBar label={label} value={counted} max={total} tone={percent === 100 ? 'good' : 'accent'} />
      {/* A handheld has no room for it here. */}
      {!isNarrow && <SessionMark scope={scope} />}
    </div>
  )
}
