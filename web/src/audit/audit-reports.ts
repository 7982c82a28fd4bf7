import { useEffect } from 'react'
import { report } from '../session/report.ts'

type TrailEvent =
  | 'audit_trail_accessed'
  | 'audit_trail_error'
  | 'audit_trail_filtered'
  | 'audit_trail_filters_cleared'
  | 'audit_trail_refreshed'

/** Tells the trail that it was looked at, and how (specification 7, 'Configuration changes of the audit screen'). */
export function reportTrail(event: TrailEvent, details: Record<string, unknown> = {}): void {
  const metadata = { type: 'config_change', event_type: event, ...details }
  report({ sku: `CONFIG_${event.toUpperCase()}`, metadata }).catch(reportError)
}

const settledMs = 1_500

/** Reports a filter once it has stayed the same for a moment: not each letter of it. */
export function useFilterReport(filter: Record<string, string>): void {
  const text = JSON.stringify(filter)
  const used = Object.values(filter).some((value) => value !== '')
  useEffect(() => {
    if (!used) return undefined
    const timer = setTimeout(() => reportTrail('audit_trail_filtered', { filter: text }), settledMs)
    return () => clearTimeout(timer)
  }, [used, text])
}
