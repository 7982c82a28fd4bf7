import { Check, CircleHelp, TriangleAlert, Undo2, X, type LucideIcon } from 'lucide-react'
import { formatNumber } from '../lib/numbers.ts'
import { classNames } from '../ui/class-names.ts'
import { useRecentResults } from './count-entries.ts'
import type { CountResult } from './count-results.ts'

type Look = { icon: LucideIcon; word: string; classes: string }

/** Colour is never the only sign: each verdict has its word and its shape. */
const looks: Record<CountResult['verdict'], Look> = {
  matched: { icon: Check, word: 'Right', classes: 'border-good bg-good text-on-accent' },
  mismatched: { icon: X, word: 'Recount', classes: 'border-bad bg-bad text-on-accent' },
  recorded: { icon: TriangleAlert, word: 'Recorded', classes: 'border-warn bg-warn text-on-accent' },
  review: { icon: TriangleAlert, word: 'Recorded', classes: 'border-info bg-info text-on-accent' },
  unknown: { icon: CircleHelp, word: 'Unknown', classes: 'border-bad bg-bad text-on-accent' },
  again: { icon: CircleHelp, word: 'Counted already', classes: 'border-warn bg-warn text-on-accent' },
  refused: { icon: X, word: 'Not taken', classes: 'border-bad bg-bad text-on-accent' },
  undone: { icon: Undo2, word: 'Undone', classes: 'border-info bg-info text-on-accent' },
}

/** A result for the ear. */
export function spokenResult({ verdict, description, quantity }: CountResult): string {
  return `${looks[verdict].word}. ${description}, ${quantity}.`
}

/** The last result, the biggest thing of the screen; its space is there before it is. */
export function ResultPanel({ session }: { session: string }) {
  const [result] = useRecentResults(session)
  if (result === undefined) {
    return (
      <div className="grid min-h-36 place-items-center rounded-card border border-dashed border-line-strong/60 p-4 text-center text-muted">
        Scan a barcode to begin
      </div>
    )
  }
  const { icon: Icon, word, classes } = looks[result.verdict]
  return (
    <div role="status" className={classNames('min-h-36 rounded-card border p-4', classes)}>
      <div className="flex flex-wrap items-center gap-x-3">
        <Icon aria-hidden className="size-10 shrink-0" strokeWidth={3} />
        <p className="text-2xl font-bold">{word}</p>
        <p className="ml-auto text-2xl font-bold tabular-nums">{formatNumber(result.quantity)}</p>
      </div>
      <p className="mt-2 font-medium break-words">{result.message}</p>
      <p className="truncate font-mono text-sm">{result.barcode}</p>
    </div>
  )
}
