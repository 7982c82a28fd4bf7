import { useCallback, useState } from 'react'
import { report } from '../session/report.ts'

/** The SKU whose history is looked at, or null; that it was is in the audit trail. */
export function useHistory(location: string) {
  const [history, setHistory] = useState<string | null>(null)
  const openHistory = useCallback(
    (barcode: string): void => {
      setHistory(barcode)
      report({ sku: barcode, location, metadata: { event_type: 'sku_history_viewed' } }).catch(reportError)
    },
    [location],
  )
  return { history, openHistory, closeHistory: () => setHistory(null) }
}
