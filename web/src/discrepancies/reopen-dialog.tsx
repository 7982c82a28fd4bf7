import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { discrepancyMessages } from '@inventory-manager/contract/discrepancies/messages'
import { signed } from '@inventory-manager/contract/signed'
import { useState } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { useShown } from '../ui/use-shown.ts'
import { useReopen } from './queries.ts'

type ReopenProps = { item: Discrepancy; onClose: () => void; onReopened: (words: string) => void }

/** What becomes of the stock of a difference that waits again. */
function stockWords({ status, difference, stock_now: now }: Discrepancy): string {
  if (status !== 'accepted') return 'Stock stays as it is.'
  return `Its stock is moved back by ${signed(-difference)}: ${formatNumber(now)} → ${formatNumber(now - difference)}.`
}

/** Asks before a decided difference waits again, and says why it cannot. It closes when it is reopened. */
export function ReopenDialog({ item, onClose, onReopened }: ReopenProps) {
  const reopen = useReopen()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const isShown = useShown()
  const place = placeName(item.location)

  async function submit(): Promise<void> {
    setBusy(true)
    setFailure(null)
    const outcome = await reopen(item.id, 0)
    setBusy(false)
    if ('failure' in outcome) {
      setFailure(outcome.failure)
      return
    }
    onReopened(discrepancyMessages.reopened(item.sku, place, outcome.status))
    if (isShown()) onClose()
  }

  return (
    <Dialog
      title={`Reopen ${item.sku}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={busy} onClick={() => void submit().catch(reportError)}>
            Reopen
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {failure !== null && <Fault text={failure} />}
        <p>
          The difference of <span className="font-mono wrap-anywhere">{item.sku}</span> at {place} (expected{' '}
          {formatNumber(item.expected)}, counted {formatNumber(item.counted)}, {signed(item.difference)})
          waits again as it did before it was {item.status}. {stockWords(item)}
        </p>
      </div>
    </Dialog>
  )
}
