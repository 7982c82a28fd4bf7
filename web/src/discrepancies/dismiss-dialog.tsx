import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

type DismissProps = { count: number; onClose: () => void; onDismiss: () => void }

/** Asks before several differences are dismissed at once: each is reopened by itself. */
export function DismissDialog({ count, onClose, onDismiss }: DismissProps) {
  const what = `${formatNumber(count)} differences`
  return (
    <Dialog
      title={`Dismiss ${what}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            onClick={() => {
              onDismiss()
              onClose()
            }}
          >
            Dismiss {what}
          </Button>
        </>
      }
    >
      <p>Stock stays as it is, and what was counted is not looked at again.</p>
    </Dialog>
  )
}
