import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/**
 * How many scans wait on a device to be sent, how many to be taken back, and how many for a decision; and how many pieces stand in
 * the fields of this tab.
 */
export type WaitingScans = { toSend: number; toTakeBack: number; toDecide: number; toEnter: number }

/** What becomes of the scans that wait on this device, or are not entered, when nobody is signed in. */
export function WaitingSentences({ waiting }: { waiting: WaitingScans }) {
  const { toSend, toTakeBack, toDecide, toEnter } = waiting
  return (
    <div className="flex flex-col gap-2">
      {toEnter > 0 && (
        <p>
          {toEnter === 1
            ? '1 scanned piece is not entered. It is in its count again when you sign in again in this tab, and gone once the tab is closed.'
            : `${formatNumber(toEnter)} scanned pieces are not entered. They are in their count again when you sign in again in this tab, and gone once the tab is closed.`}
        </p>
      )}
      {toSend > 0 && (
        <p>
          {toSend === 1
            ? '1 scan waits on this device. It is sent after you sign in here again.'
            : `${formatNumber(toSend)} scans wait on this device. They are sent after you sign in here again.`}
        </p>
      )}
      {toTakeBack > 0 && (
        <p>
          {toTakeBack === 1 ? '1 scan is' : `${formatNumber(toTakeBack)} scans are`} still to be taken back.
          That is done after you sign in here again.
        </p>
      )}
      {toDecide > 0 && (
        <p>
          {toDecide === 1
            ? '1 scan was not taken and is still to decide. It waits on this device until you sign in here again.'
            : `${formatNumber(toDecide)} scans were not taken and are still to decide. They wait on this device until you sign in here again.`}
        </p>
      )}
    </div>
  )
}

type LogoutDialogProps = { waiting: WaitingScans; onStay: () => void; onLeave: () => void }

/** Asks whoever logs out while scans wait. */
export function LogoutDialog({ waiting, onStay, onLeave }: LogoutDialogProps) {
  return (
    <Dialog
      title="Log out?"
      onClose={onStay}
      actions={
        <>
          <Button onClick={onStay}>Stay here</Button>
          <Button look="primary" onClick={onLeave}>
            Log out
          </Button>
        </>
      }
    >
      <WaitingSentences waiting={waiting} />
    </Dialog>
  )
}
