import { health } from '@inventory-manager/contract/overview/endpoints'
import { call, type CallOptions } from '../api/client.ts'
import { readOwner } from '../api/token.ts'
import { inPassing } from '../lib/in-passing.ts'
import { report } from './report.ts'

type SessionEvent = 'session_restored' | 'session_expired' | 'session_ended' | 'session_inactive'

/** Tells the audit trail what happened to the session on this device (specification 4, 'session_restored'). */
export function reportSession(
  event: SessionEvent,
  details: { reason?: string },
  options: CallOptions = {},
): void {
  report(
    {
      sku: `AUTH_${event.toUpperCase()}`,
      metadata: { type: 'auth_event', event_type: event, ...details },
    },
    { outlivesPage: true, ...options },
  ).catch(reportError)
}

/** What a screen needs first has the network to itself until then. */
const settledMs = 1_000

/**
 * Reports that a session goes on in this page, a second after the start, and that the tab is hidden or closed; and checks the server's
 * health with the first.
 */
export function startReporting(isSignedIn: () => boolean): void {
  let toRestore = isSignedIn() ? readOwner() : null
  function restore(): void {
    if (isSignedIn() && readOwner() === toRestore) reportSession('session_restored', {})
    toRestore = null
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden' || !isSignedIn()) return
    restore()
    reportSession('session_inactive', {})
  })
  window.addEventListener('pagehide', (event) => {
    if (event.persisted || !isSignedIn()) return
    restore()
    reportSession('session_ended', { reason: 'window_close' })
  })
  setTimeout(() => {
    restore()
    // Screens say themselves what they cannot load: this is for the server's log (specification 4, 'a health check').
    inPassing(call(health, {}))
  }, settledMs)
}
