import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { formatNumber } from '../lib/numbers.ts'
import type { ScanEngine } from '../scanning/engine.ts'
import type { Added } from '../scanning/scan-form.ts'
import { useFormPart } from '../scanning/use-scan-engine.ts'
import { Button } from '../ui/button.tsx'
import { useOutboxState, useRecentResults, useUnmatched } from './count-entries.ts'
import type { CountResult } from './count-verdicts.ts'
import { listWaiting } from './held-entries.ts'

/** Results that a further amount may belong to: what was right is complete. */
const incomplete: ReadonlySet<CountResult['verdict']> = new Set(['mismatched', 'recorded', 'review'])

/** What this person has entered of a SKU last in this count, where that did not match or has no answer yet; else null. */
function useCountedBefore({
  session,
  code,
  isSame,
}: Pick<CountedBeforeProps, 'session' | 'code' | 'isSame'>): Added | null {
  const { jobs, takingBack } = useOutboxState()
  const recent = useRecentResults(session)
  const open = useUnmatched(session)
  const isOfCode = (barcode: string) => isSame(barcode, code)
  const entry = listWaiting(jobs, session).findLast(
    ({ id, value }) => !takingBack.has(id) && isOfCode(value.barcode),
  )
  if (entry !== undefined) return { id: entry.id, quantity: entry.value.quantity }
  const result = [...recent, ...open].find(
    ({ id, barcode, verdict }) => verdict !== 'undone' && !takingBack.has(id) && isOfCode(barcode),
  )
  return result !== undefined && incomplete.has(result.verdict) ? result : null
}

type CountedBeforeProps = {
  engine: ScanEngine
  session: string
  code: string
  /** Whether the entry with a key was not taken back. */
  stands: (id: string) => boolean
  /** Whether two codes are of the same SKU. */
  isSame: (one: string, other: string) => boolean
}

const row = 'flex items-center gap-2 rounded-card bg-sunken py-1 pr-1 pl-3 text-sm'

/** Offers to add what was counted of the scanned SKU before, as of one that lies in several places. */
export function CountedBefore({ engine, stands, ...scanned }: CountedBeforeProps) {
  const before = useCountedBefore(scanned)
  const added = useFormPart(engine, (form) => form.addsTo)
  if (added !== null && stands(added.id)) {
    return (
      <div className={row}>
        <p className="min-w-0 flex-1">
          {entryMessages.addedTo(added.quantity, formatNumber(added.quantity))}
        </p>
        <Button onClick={() => engine.addTo(null)}>Do not add</Button>
      </div>
    )
  }
  if (before === null || before.quantity === 0) return null
  const { id, quantity } = before
  return (
    <div className={row}>
      <p className="min-w-0 flex-1">{entryMessages.countedBefore(formatNumber(quantity))}</p>
      <Button onClick={() => engine.addTo({ id, quantity })}>Add to it</Button>
    </div>
  )
}
