import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

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

type SeveralProps = { decision: keyof typeof words; count: number; onClose: () => void; onSend: () => void }

/** Asks before several differences are dismissed or counted again at once, which cannot be undone in one step. */
export function SeveralDialog({ decision, count, onClose, onSend }: SeveralProps) {
  const { verb, effect } = words[decision]
  const act = `${verb} ${formatNumber(count)} differences`
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
      <p>{effect}</p>
    </Dialog>
  )
}
