import Undo2 from 'lucide-react/icons/undo-2'
import { memo } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { useListFocus } from '../ui/use-list-focus.ts'
import { useOutboxState, useResultsAfterwards } from './count-entries.ts'
import { listTakable } from './count-results.ts'
import type { CountResult } from './count-verdicts.ts'
import { isHeldEntry } from './held-entries.ts'
import { takingBackLook, verdictLooks } from './verdict-looks.ts'

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** `isGoing`: it is being taken back. `onTakeBack` is null where it cannot be. */
type ScanProps = { result: CountResult; isGoing: boolean; onTakeBack: ((id: string) => void) | null }

const Scan = memo(function Scan({ result, isGoing, onTakeBack }: ScanProps) {
  const { badge, word } = isGoing ? takingBackLook : verdictLooks[result.verdict]
  return (
    <li className="flex items-center gap-2 px-4 py-2">
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <div className="flex items-center gap-3">
          <span className="min-w-0 flex-1 truncate font-mono text-sm">{result.barcode}</span>
          <span className="font-medium tabular-nums">{formatNumber(result.quantity)}</span>
          <Badge tone={badge}>{word}</Badge>
        </div>
        <div className="flex items-baseline justify-between gap-3 text-sm text-muted">
          <span className="truncate">{result.description}</span>
          <time dateTime={result.timestamp} className="text-xs whitespace-nowrap tabular-nums">
            {time.format(new Date(result.timestamp))}
          </time>
        </div>
      </div>
      <div className="-mr-3 w-12 lg:w-9">
        {onTakeBack !== null && (
          <Button
            look="quiet"
            className="w-full px-0 lg:px-0"
            aria-label={`Take back ${result.barcode}`}
            title="Take back"
            onClick={() => onTakeBack(result.id)}
          >
            <Undo2 aria-hidden className="size-5" />
          </Button>
        )}
      </div>
    </li>
  )
})

type RecentScansProps = { session: string; onTakeBack: (id: string) => void }

/** The last ten entries, newest first; each that the server would take back can be. */
export function RecentScans({ session, onTakeBack }: RecentScansProps) {
  const results = useResultsAfterwards(session)
  const { jobs, takingBack } = useOutboxState()
  const waiting = jobs
    .filter(isHeldEntry)
    .filter(({ group, state }) => group === session && state === 'waiting')
    .map(({ value }) => value.barcode)
  const takable = listTakable(results, waiting)
  for (const key of takingBack) takable.delete(key)
  const list = useListFocus<HTMLUListElement>(takable.size)
  if (results.length === 0) return <p className="p-4 text-sm text-muted">Nothing scanned yet.</p>
  return (
    <ul ref={list} tabIndex={-1} className="divide-y divide-line" aria-label="Recent scans">
      {results.map((result) => (
        <Scan
          key={result.id}
          result={result}
          isGoing={takingBack.has(result.id)}
          onTakeBack={takable.has(result.id) ? onTakeBack : null}
        />
      ))}
    </ul>
  )
}
