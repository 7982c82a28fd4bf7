import { Suspense, useRef, useState } from 'react'
import { readOwner } from '../api/token.ts'
import { signOut } from '../session/session.ts'
import { isAnyWaiting, logoutDialog, waitingScans } from './outbox.ts'
import type { WaitingScans } from './waiting-scans.tsx'

/** Logs out; asks first where scans wait, for which their person has to be signed in. */
export function useLogout() {
  const [waiting, setWaiting] = useState<WaitingScans | null>(null)
  const isLooking = useRef(false)

  async function look(): Promise<void> {
    isLooking.current = true
    const owner = readOwner()
    const scans = await waitingScans()
    isLooking.current = false
    // Meanwhile the session may have ended, and another person's begun.
    if (readOwner() !== owner) return
    if (isAnyWaiting(scans)) setWaiting(scans)
    else signOut()
  }

  function logOut(): void {
    if (!isLooking.current) look().catch(reportError)
  }

  const question = waiting !== null && (
    <Suspense>
      <logoutDialog.Content waiting={waiting} onStay={() => setWaiting(null)} onLeave={signOut} />
    </Suspense>
  )
  return { logOut, question }
}
