import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

type ResetDialogProps = { title: string; consequence: string; onReset: () => void; onClose: () => void }

/** Asks before it clears other people's work, and says how much that is. */
export function ResetDialog({ title, consequence, onReset, onClose }: ResetDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep counting</Button>
          <Button look="danger" onClick={onReset}>
            {title}
          </Button>
        </>
      }
    >
      <p>{consequence}</p>
    </Dialog>
  )
}
