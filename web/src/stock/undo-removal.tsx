import { unitMoney } from '@inventory-manager/contract/money'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { useOnce } from '../api/once.ts'
import { useCompanyCurrency } from '../session/company-settings.ts'
import { focusHeading } from '../ui/page.tsx'
import { useShown } from '../ui/use-shown.ts'
import { refreshStock } from './queries.ts'
import { saveUnitCost } from './unit-cost.ts'

type UndoRemovalProps = { barcode: string; cost: number; onSaid: (words: string) => void }

/** Says again what one piece costs where that was removed. */
export function UndoRemoval({ barcode, cost, onSaid }: UndoRemovalProps) {
  const currency = useCompanyCurrency()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const once = useOnce()
  const isShown = useShown()

  async function undo(said: string): Promise<void> {
    setBusy(true)
    setFault('')
    try {
      await once(cost, (idempotencyKey) => saveUnitCost(barcode, cost, { idempotencyKey }))
      if (isShown()) {
        focusHeading()
        onSaid(`One piece costs ${unitMoney(cost, said)} again.`)
      }
    } catch (error) {
      setFault(messageOf(error))
      setBusy(false)
    }
    // Also where the answer was lost.
    refreshStock().catch(reportError)
  }

  if (currency === null) return null
  return (
    <>
      {' '}
      <button
        type="button"
        disabled={busy}
        className="min-h-12 min-w-12 font-medium underline disabled:opacity-50 lg:min-h-6"
        onClick={() => void undo(currency)}
      >
        Undo
      </button>
      {fault !== '' && <span role="alert"> {fault}</span>}
    </>
  )
}
