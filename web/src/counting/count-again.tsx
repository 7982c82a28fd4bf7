import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { discardEntry, sendEntryAgain } from './count-decisions.ts'
import { useState } from 'react'
import type { HeldEntry } from './held-entries.ts'

type CountAgainProps = {
  entry: HeldEntry
  onDiscarded: (entry: HeldEntry) => void
  /** It is answered: scanning goes on in the fields. */
  onAnswered: () => void
}

/**
 * A weekly count asks before it counts a SKU a second time on one day (specification 5, 'Weekly'). Scanning goes on
 * meanwhile: the question takes no focus, so that no scan answers it.
 */
export function CountAgain({ entry, onDiscarded, onAnswered }: CountAgainProps) {
  // The outbox is drawn a moment later; the question goes with the answer, since the next scan may come at once.
  const [answered, setAnswered] = useState(false)
  const [isLost, setLost] = useState(false)
  if (answered) return null

  function decide(again: boolean): void {
    setAnswered(true)
    const work = again ? sendEntryAgain(entry) : discardEntry(entry)
    work.then(
      (isKept) => {
        setAnswered(isKept)
        setLost(!isKept)
      },
      (error: unknown) => {
        setAnswered(false)
        reportError(error)
      },
    )
    if (!again) onDiscarded(entry)
    onAnswered()
  }

  const { barcode, description, quantity } = entry.value
  return (
    <div
      role="dialog"
      aria-label="Count again?"
      className="flex flex-1 flex-col justify-between gap-1 rounded-card border border-warn/40 bg-warn-soft px-2 py-1.5 text-warn-text"
    >
      <div role="alert">
        <p className="truncate sm:line-clamp-2 sm:text-lg sm:leading-snug sm:whitespace-normal">
          <span className="font-bold">Count again?</span> {description !== barcode && description}
        </p>
        <p className="text-sm max-sm:leading-5">
          <span className="font-mono wrap-anywhere">{barcode}</span> was already counted today. You entered{' '}
          {formatNumber(quantity)}.
        </p>
      </div>
      {isLost && <p role="alert">{entryMessages.notDecided}</p>}
      <div className="flex gap-2 *:flex-1 *:px-2">
        <Button onClick={() => decide(false)}>Keep the count</Button>
        <Button look="primary" onClick={() => decide(true)}>
          Count again
        </Button>
      </div>
    </div>
  )
}
