import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import { compareBins } from '@inventory-manager/contract/stock/bins'
import { useMemo } from 'react'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Card } from '../ui/card.tsx'
import { Described } from './bin.tsx'
import { useByBin } from './by-bin.ts'
import { useOpenRecounts, type CountScope } from './count-entries.ts'
import { findIn, type CountList } from './count-list.ts'

type ToCountAgainProps = { scope: CountScope; components: CountList['components'] }

/**
 * What did not match, until it is counted again, by anybody: results that come back together are more than one can look at. Newest
 * first, or from bin to bin where the list is.
 */
export function ToCountAgain({ scope, components }: ToCountAgainProps) {
  const found = useOpenRecounts(scope, components)
  const [isByBin] = useByBin()
  const open = useMemo(() => {
    const placed = found.map((result) => ({ ...result, bin: findIn(components, result.barcode)?.bin }))
    return isByBin ? placed.toSorted((one, other) => compareBins(one.bin ?? '', other.bin ?? '')) : placed
  }, [found, components, isByBin])
  if (open.length === 0) return null
  return (
    <Card title="To count again" flush>
      <p className="border-b border-line px-4 py-3 text-sm">{entryMessages.countAgain}</p>
      <ul className="divide-y divide-line" aria-label="Scans to count again">
        {open.map(({ id, barcode, quantity, timestamp, ...item }) => (
          <li key={id} className="flex items-center gap-3 px-4 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-mono text-sm">{barcode}</p>
              <Described {...item} />
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
