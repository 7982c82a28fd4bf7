import { Suspense, useState } from 'react'
import { signOut } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { isAnyWaiting, waitingScans, waitingSentences } from './outbox.ts'
import type { WaitingScans } from './waiting-scans.tsx'

type LogoutDialogProps = { waiting: WaitingScans; onStay: () => void }

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
      <Suspense>
        <waitingSentences.Content waiting={waiting} />
      </Suspense>
    </Dialog>
  )
}

/** Logs out; asks first where scans wait, for which their person has to be signed in. */
export function useLogout() {
  const [waiting, setWaiting] = useState<WaitingScans | null>(null)

  function logOut(): void {
    const scans = waitingScans()
    if (isAnyWaiting(scans)) setWaiting(scans)
    else signOut()
  }

  const question = waiting !== null && <LogoutDialog waiting={waiting} onStay={() => setWaiting(null)} />
  return { logOut, question }
}
