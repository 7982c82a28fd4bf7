import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

type RecountProps = { barcode: string; onYes: () => void; onNo: () => void }

/** A weekly count asks before it counts a SKU a second time on one day (specification 5, 'Weekly'). */
export function RecountDialog({ barcode, onYes, onNo }: RecountProps) {
  return (
    <Dialog
      title="Count again?"
      onClose={onNo}
      actions={
        <>
          <Button onClick={onNo}>Keep the count</Button>
          <Button look="primary" onClick={onYes}>
            Count again
          </Button>
        </>
      }
    >
      <p>
        <span className="font-mono">{barcode}</span> was already counted today.
      </p>
    </Dialog>
  )
}
