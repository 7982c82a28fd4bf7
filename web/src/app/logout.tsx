import { useState } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { signOut } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { waitingScans, type WaitingScans } from './outbox.ts'

type LogoutDialogProps = { waiting: WaitingScans; onStay: () => void }

function LogoutDialog({ waiting: { toSend, toTakeBack }, onStay }: LogoutDialogProps) {
  return (
    <Dialog
      title="Log out?"
      onClose={onStay}
      actions={
        <>
          <Button onClick={onStay}>Stay here</Button>
          <Button look="primary" onClick={signOut}>
            Log out
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
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
      </div>
    </Dialog>
  )
}

/** Logs out; asks first where scans wait, which go out only while their person is signed in. */
export function useLogout() {
  const [waiting, setWaiting] = useState<WaitingScans | null>(null)

  function logOut(): void {
    const scans = waitingScans()
    if (scans.toSend + scans.toTakeBack > 0) setWaiting(scans)
    else signOut()
  }

  const question = waiting !== null && <LogoutDialog waiting={waiting} onStay={() => setWaiting(null)} />
  return { logOut, question }
}
