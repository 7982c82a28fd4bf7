import { memo } from 'react'
import { Badge } from '../ui/badge.tsx'
import { formatNumber } from '../lib/numbers.ts'
import { useOutboxState, useResultsAfterwards } from './count-entries.ts'
import type { CountResult } from './count-results.ts'
import { takingBackLook, verdictLooks } from './verdict-looks.ts'

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** `isGoing`: it is being taken back. */
type ScanProps = { result: CountResult; isGoing: boolean }

const Scan = memo(function Scan({ result, isGoing }: ScanProps) {
  const { badge, word } = isGoing ? takingBackLook : verdictLooks[result.verdict]
  return (
    <li className="flex flex-col gap-0.5 px-4 py-2">
      <div className="flex items-center gap-3">
        <span className="min-w-0 flex-1 truncate font-mono text-sm">{result.barcode}</span>
        <span className="font-medium tabular-nums">{formatNumber(result.quantity)}</span>
        <Badge look={badge}>{word}</Badge>
      </div>
      <div className="flex items-baseline justify-between gap-3 text-sm text-muted">
        <span className="truncate">{result.description}</span>
        <time dateTime={result.timestamp} className="text-xs whitespace-nowrap tabular-nums">
          {time.format(new Date(result.timestamp))}
        </time>
      </div>
    </li>
  )
})

/** The last ten entries, newest first. */
export function RecentScans({ session }: { session: string }) {
  const results = useResultsAfterwards(session)
  const { takingBack } = useOutboxState()
  if (results.length === 0) return <p className="p-4 text-sm text-muted">Nothing scanned yet.</p>
  return (
    <ul className="divide-y divide-line" aria-label="Recent scans">
      {results.map((result) => (
        <Scan key={result.id} result={result} isGoing={takingBack.has(result.id)} />
      ))}
    </ul>
  )
}
