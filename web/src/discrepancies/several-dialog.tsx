import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TheyDiffer } from './worth-words.tsx'

const words = {
  recount: {
    verb: 'Recount',
    effect: 'Each SKU is to be counted again at its location, and does not pass as counted until then.',
  },
  dismiss: {
    verb: 'Dismiss',
    effect: 'Stock stays as it is, and what was counted is not looked at again.',
  },
}

type SeveralProps = {
  decision: keyof typeof words
  items: readonly Discrepancy[]
  currency: string | null
  onClose: () => void
  onSend: () => void
}

/** Asks before several differences are dismissed or counted again at once, which cannot be undone in one step. */
export function SeveralDialog({ decision, items, currency, onClose, onSend }: SeveralProps) {
  const { verb, effect } = words[decision]
  const act = `${verb} ${formatNumber(items.length)} differences`
  return (
    <Dialog
      title={`${act}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look={decision === 'dismiss' ? 'danger' : 'primary'}
            onClick={() => {
              onSend()
              onClose()
            }}
          >
            {act}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        <TheyDiffer items={items} currency={currency} />
        <p>{effect}</p>
      </div>
    </Dialog>
  )
}
