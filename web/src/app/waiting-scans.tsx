import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { howMany } from '@inventory-manager/contract/numbers'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/**
 * How many scans wait on a device to be sent, how many to be taken back, how many notes to be sent, and how many scans for a
 * decision; and how many pieces stand in the fields of this tab.
 */
export type WaitingScans = {
  toSend: number
  toTakeBack: number
  toNote: number
  toDecide: number
  toEnter: number
  /** Whether nothing but this page keeps them. */
  isKeptByPage: boolean
}

type SentenceProps = { count: number; one: string; several: string }

/** What becomes of one, or of several; nothing where there is none. */
function Sentence({ count, one, several }: SentenceProps) {
  return count === 0 ? null : <p>{howMany(count, one, several)}</p>
}

/** What becomes of the scans that wait on this device, or are not entered, when nobody is signed in. */
export function WaitingSentences({ waiting }: { waiting: WaitingScans }) {
  const { toSend, toTakeBack, toNote, toDecide, toEnter, isKeptByPage } = waiting
  return (
    <div className="flex flex-col gap-2">
      {isKeptByPage && <p className="font-medium">{entryMessages.keptByPage}</p>}
      <Sentence
        count={toEnter}
        one="scanned piece is not entered. It is in its count again when you sign in again in this tab, and gone once the tab is closed."
        several="scanned pieces are not entered. They are in their count again when you sign in again in this tab, and gone once the tab is closed."
      />
      <Sentence
        count={toSend}
        one="scan waits on this device. It is sent after you sign in here again."
        several="scans wait on this device. They are sent after you sign in here again."
      />
      <Sentence
        count={toTakeBack}
        one="scan is still to be taken back. That is done after you sign in here again."
        several="scans are still to be taken back. That is done after you sign in here again."
      />
      <Sentence
        count={toNote}
        one="note waits on this device. It is sent after you sign in here again."
        several="notes wait on this device. They are sent after you sign in here again."
      />
      <Sentence
        count={toDecide}
        one="scan was not taken and is still to decide. It waits on this device until you sign in here again."
        several="scans were not taken and are still to decide. They wait on this device until you sign in here again."
      />
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
