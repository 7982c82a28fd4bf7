import { Suspense, useState, type ReactNode } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { useCountReady } from './active-part.tsx'
import { sheetDialog } from './parts.ts'
import type { SheetOf } from './sheet-dialog.tsx'

type ReadyProps = {
  title: string
  total: number
  counted: number
  countedWords: string
  startLabel: string
  sheetOf: SheetOf
  /** Whether it is said of anything in which bin it lies. */
  hasBins: boolean
  /** Answers when the count has begun, or what kept it from that was said. */
  onStart: () => void | Promise<void>
  /** What can be done besides. */
  children?: ReactNode
}

/** What there is to count and how far it is, with the one thing to press. */
export function ReadyToCount(props: ReadyProps) {
  const { title, total, counted, countedWords, startLabel, sheetOf, hasBins, onStart, children } = props
  const isReady = useCountReady()
  const [isStarting, setStarting] = useState(false)
  const [isPrinting, setPrinting] = useState(false)

  async function start(): Promise<void> {
    if (isStarting || !isReady) return
    setStarting(true)
    try {
      await onStart()
    } finally {
      setStarting(false)
    }
  }

  return (
    <Card>
      <div className="flex flex-col items-center gap-4 py-6 text-center">
        <h2 className="text-lg font-semibold">{title}</h2>
        <dl className="flex max-w-full flex-wrap justify-center gap-x-10 gap-y-4">
          <div className="flex min-w-min flex-1 flex-col-reverse sm:flex-none">
            <dt className="text-sm text-muted">components to count</dt>
            <dd className="text-2xl font-semibold tabular-nums">{formatNumber(total)}</dd>
          </div>
          <div className="flex min-w-min flex-1 flex-col-reverse sm:flex-none">
            <dt className="text-sm text-muted">{countedWords}</dt>
            <dd className="text-2xl font-semibold tabular-nums">{formatNumber(counted)}</dd>
          </div>
        </dl>
        {/* Not disabled: the focus stays for who starts it by the keyboard. */}
        <Button
          look="primary"
          aria-disabled={isStarting || !isReady}
          onClick={() => void start().catch(reportError)}
          className="w-full max-w-sm"
        >
          {isStarting ? 'Starting...' : startLabel}
        </Button>
        <Button look="quiet" onClick={() => setPrinting(true)}>
          Count sheet
        </Button>
        {children}
      </div>
      {isPrinting && (
        <Suspense>
          <sheetDialog.Content of={sheetOf} hasBins={hasBins} onClose={() => setPrinting(false)} />
        </Suspense>
      )}
    </Card>
  )
}
