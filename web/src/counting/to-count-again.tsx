import { countMessages } from '@inventory-manager/contract/counting/messages'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Card } from '../ui/card.tsx'
import { useOpenRecounts, type CountScope } from './count-entries.ts'
import type { CountList } from './count-list.ts'

type ToCountAgainProps = { scope: CountScope; components: CountList['components'] }

/** What did not match, until it is counted again, by anybody: results that come back together are more than one can look at. */
export function ToCountAgain({ scope, components }: ToCountAgainProps) {
  const open = useOpenRecounts(scope, components)
  if (open.length === 0) return null
  return (
    <Card title="To count again" flush>
      <p className="border-b border-line px-4 py-3 text-sm">{countMessages.countAgain}</p>
      <ul className="divide-y divide-line" aria-label="Scans to count again">
        {open.map(({ id, barcode, quantity, description, timestamp }) => (
          <li key={id} className="flex items-center gap-3 px-4 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-mono text-sm">{barcode}</p>
              <p className="truncate text-sm text-muted">{description}</p>
            </div>
            <div className="text-right">
              <p className="font-medium tabular-nums">{formatNumber(quantity)}</p>
              <p className="text-xs text-muted tabular-nums">{formatMoment(timestamp)}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
