import { useEffect } from 'react'

const load = () => import('../counting/count-outbox.ts')
let loaded: ReturnType<typeof load> | undefined

/**
 * Sends what waits on this device for whoever is signed in, on every screen and not on the count screens only.
 * With nobody signed in it stops, and what waits stays.
 */
export function useOutbox(user: string | null): void {
  useEffect(() => {
    if (user === null && loaded === undefined) return
    loaded ??= load()
    loaded
      .then(({ countOutbox, closeCountOutbox }) =>
        user === null ? closeCountOutbox() : countOutbox().wake(),
      )
      .catch(reportError)
  }, [user])
}
