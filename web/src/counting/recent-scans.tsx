import { memo } from 'react'
import { Badge, type BadgeLook } from '../ui/badge.tsx'
import { formatNumber } from '../lib/numbers.ts'
import { useResultsAfterwards } from './count-entries.ts'
import type { CountResult } from './count-results.ts'

const words: Record<CountResult['verdict'], { look: BadgeLook; word: string }> = {
  matched: { look: 'good', word: 'Right' },
  mismatched: { look: 'bad', word: 'Recount' },
  recorded: { look: 'warn', word: 'Recorded' },
  review: { look: 'info', word: 'Recorded' },
  unknown: { look: 'bad', word: 'Unknown' },
  again: { look: 'warn', word: 'Already' },
  refused: { look: 'bad', word: 'Not taken' },
  undone: { look: 'plain', word: 'Undone' },
}

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

const Scan = memo(function Scan({ result }: { result: CountResult }) {
  return (
    <li className="flex flex-col gap-0.5 px-4 py-2">
      <div className="flex items-center gap-3">
        <span className="min-w-0 flex-1 truncate font-mono text-sm">{result.barcode}</span>
        <span className="font-medium tabular-nums">{formatNumber(result.quantity)}</span>
        <Badge look={words[result.verdict].look}>{words[result.verdict].word}</Badge>
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
  if (results.length === 0) return <p className="p-4 text-sm text-muted">Nothing scanned yet.</p>
  return (
    <ul className="divide-y divide-line" aria-label="Recent scans">
      {results.map((result) => (
        <Scan key={result.id} result={result} />
      ))}
    </ul>
  )
}
