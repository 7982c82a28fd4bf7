import { howMany } from '@inventory-manager/contract/numbers'
import Undo2 from 'lucide-react/icons/undo-2'
import { memo } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { useListFocus } from '../ui/use-list-focus.ts'
import { useOutboxState, useResultsAfterwards } from './count-entries.ts'
import { listTakable } from './count-results.ts'
import type { CountResult } from './count-verdicts.ts'
import { listWaiting } from './held-entries.ts'
import { noteOn } from './notable.ts'
import { timeOfScan } from './time-of-scan.ts'
import { takingBackLook, verdictLooks } from './verdict-looks.ts'

type SaidProps = {
  /** What is said of a scan; empty where nothing is, or nothing is to be any more. */
  note: string
  isWaiting: boolean
}

/** In two lines at the most: who wrote it reads all of it where it is changed. */
function Said({ note, isWaiting }: SaidProps) {
  if (note !== '') {
    return (
      <p className="line-clamp-2 text-sm wrap-anywhere">
        <span className="text-muted">{isWaiting ? 'Note waiting:' : 'Note:'}</span> {note}
      </p>
    )
  }
  return isWaiting && <p className="text-sm text-muted">Its note is waiting to be removed.</p>
}

type ScanProps = {
  result: CountResult
  note: string
  /** What is said of it now is not stored yet. */
  isNoteWaiting: boolean
  /** It is being taken back. */
  isGoing: boolean
  /** Null where it cannot be taken back. */
  onTakeBack: ((id: string) => void) | null
}

const Scan = memo(function Scan({ result, note, isNoteWaiting, isGoing, onTakeBack }: ScanProps) {
  const { badge, word } = isGoing ? takingBackLook : verdictLooks[result.verdict]
  return (
    <li className="flex items-center gap-2 px-4 py-2">
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-0.5 text-sm">
          <span className="col-span-2 col-start-1 row-start-1 truncate font-mono">{result.barcode}</span>
          <span className="col-start-1 row-start-2 font-medium tabular-nums">
            {formatNumber(result.quantity)}
          </span>
          <span className="col-start-3 row-start-1 text-right">
            <Badge tone={badge}>{word}</Badge>
          </span>
          <span dir="auto" className="col-start-2 row-start-2 truncate text-muted">
            {result.description}
          </span>
          <time
            dateTime={result.timestamp}
            className="col-start-3 row-start-2 text-right text-xs whitespace-nowrap text-muted tabular-nums max-[22rem]:hidden"
          >
            {timeOfScan(result.timestamp)}
          </time>
        </div>
        <Said note={note} isWaiting={isNoteWaiting} />
      </div>
      <div className="-mr-3 w-12 lg:w-9">
        {onTakeBack !== null && (
          <Button
            look="quiet"
            className="w-full px-0!"
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

type RecentScansProps = {
  session: string
  onTakeBack: (id: string) => void
  /** Something is to be said of one of them. */
  onNote: () => void
}

/** What there is of a count of which nothing is stored yet. */
function sayWaiting(scans: number, noted: number): string {
  if (scans === 0) return 'Nothing scanned yet.'
  const along = noted === 0 ? '' : `, with ${howMany(noted, 'note')}`
  return `${howMany(scans, 'scan is', 'scans are')} waiting to be stored${along}.`
}

/** The last ten entries, newest first; each that the server would take back can be. */
export function RecentScans({ session, onTakeBack, onNote }: RecentScansProps) {
  const results = useResultsAfterwards(session)
  const { jobs, takingBack, notes } = useOutboxState()
  const waiting = listWaiting(jobs, session)
  const takable = listTakable(
    results,
    waiting.map(({ value }) => value.barcode),
  )
  for (const key of takingBack) takable.delete(key)
  const list = useListFocus<HTMLUListElement>(takable.size)
  const isAnyScanned = results.length + waiting.length > 0
  const add = isAnyScanned && (
    <Button look="quiet" className="-my-2 -mr-3" onClick={onNote}>
      Add a note
    </Button>
  )
  return (
    <Card title="Recent Scans" aside={add} flush>
      {results.length === 0 ? (
        <p className="p-4 text-sm text-muted">
          {sayWaiting(waiting.length, waiting.filter(({ id }) => notes.has(id)).length)}
        </p>
      ) : (
        <ul ref={list} tabIndex={-1} className="divide-y divide-line" aria-label="Recent scans">
          {results.map((result) => (
            <Scan
              key={result.id}
              result={result}
              note={noteOn(result, notes)}
              isNoteWaiting={notes.has(result.id)}
              isGoing={takingBack.has(result.id)}
              onTakeBack={takable.has(result.id) ? onTakeBack : null}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}
