import { useState } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { signOut } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { waitingScans } from './outbox.ts'

type LogoutDialogProps = { waiting: number; onStay: () => void }

function LogoutDialog({ waiting, onStay }: LogoutDialogProps) {
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
      <p>
        {waiting === 1
          ? '1 scan waits on this device. It is sent after you sign in here again.'
          : `${formatNumber(waiting)} scans wait on this device. They are sent after you sign in here again.`}
      </p>
    </Dialog>
  )
}

/** Logs out; asks first where scans wait, which go out only while their person is signed in. */
export function useLogout() {
  const [waiting, setWaiting] = useState(0)

  function logOut(): void {
    const scans = waitingScans()
    if (scans > 0) setWaiting(scans)
    else signOut()
  }

  return { logOut, question: waiting > 0 && <LogoutDialog waiting={waiting} onStay={() => setWaiting(0)} /> }
}
