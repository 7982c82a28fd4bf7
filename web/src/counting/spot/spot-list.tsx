import { listSpotSkus, type SpotSku } from '@inventory-manager/contract/counting/spot/spot-count-endpoints'
import { compareBins } from '@inventory-manager/contract/stock/bins'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { asTimePassesMs } from '../../api/as-time-passes.ts'
import { call } from '../../api/client.ts'
import { formatDay } from '../../lib/dates.ts'
import { skus } from '../../lib/numbers.ts'
import { useLocatedSession } from '../../session/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Described } from '../bin.tsx'
import { useOutboxState } from '../count-entries.ts'
import { findIn, type ListedComponent } from '../count-list.ts'
import { skuOf } from '../count-results.ts'
import { isHeldEntry } from '../held-entries.ts'
import { keepOwnText, ownTextKey, useOwnText } from '../own-text.ts'
import { usePresent } from '../present-period.ts'

/** How many are shown at first: those whose turn is next. */
const preview = 5

/** Barcodes have no control characters, so that lines and tabs keep them apart. */
const write = (asked: readonly SpotSku[]) =>
  asked.map(({ barcode, asked_at: at, due_on: due }) => `${due}\t${at}\t${barcode}`).join('\n')

function read(kept: string): SpotSku[] {
  if (kept === '') return []
  return kept.split('\n').map((line) => {
    const [due = '', at = '', barcode = ''] = line.split('\t')
    return { barcode, asked_at: at, due_on: due }
  })
}

/** What this device last heard of spot counts of the location, whether there is a network or not. */
function useSpotSkus(): readonly SpotSku[] {
  const { location } = useLocatedSession()
  const [key] = useState(() => ownTextKey('spot_skus', location))
  const { data } = useQuery({
    queryKey: [listSpotSkus.path, location],
    queryFn: ({ signal }) => call(listSpotSkus, { query: { location } }, { signal }),
    refetchInterval: asTimePassesMs,
  })
  useEffect(() => {
    if (data !== undefined) keepOwnText(key, write(data.skus))
  }, [data, key])
  const kept = useOwnText(key)
  // A device that has no room for it knows it all the same for as long as the screen is open.
  return useMemo(() => data?.skus ?? read(kept), [data, kept])
}

/** The SKUs of a location with an entry that waits on this device. */
function useEntered(): ReadonlySet<string> {
  const { location } = useLocatedSession()
  const { jobs } = useOutboxState()
  return useMemo(() => {
    const entries = jobs.filter(isHeldEntry).filter(({ value }) => value.location === location)
    return new Set(entries.map(({ value }) => skuOf(value.barcode)))
  }, [jobs, location])
}

/** What is left of spot counts, from bin to bin, and goes away as it is counted; nothing where nothing is. */
export function SpotList({ components }: { components: readonly ListedComponent[] }) {
  const asked = useSpotSkus()
  const entered = useEntered()
  const { present } = usePresent('day')
  const [isAll, setAll] = useState(false)
  const left = useMemo(() => {
    const items = asked.flatMap(({ barcode, asked_at: askedAt, due_on: due }) => {
      const item = findIn(components, barcode)
      const isDone = item === undefined || (item.counted_at ?? '') >= askedAt || entered.has(skuOf(barcode))
      return isDone ? [] : [{ ...item, due }]
    })
    return items.toSorted((one, other) => compareBins(one.bin ?? '', other.bin ?? ''))
  }, [asked, components, entered])
  const [firstDay] = left.map(({ due }) => due).toSorted()
  if (firstDay === undefined) return null
  return (
    <Card title="Spot count" flush>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-3 tabular-nums">
        {skus(left.length)} left, by {formatDay(firstDay)}
        {firstDay < present.name && <Badge tone="warn">Overdue</Badge>}
      </p>
      <ul className="divide-y divide-line" aria-label="Left of the spot count">
        {(isAll ? left : left.slice(0, preview)).map(({ due, ...item }) => (
          <li key={item.barcode} className="px-4 py-2">
            <span className="flex items-baseline justify-between gap-3">
              <span className="truncate font-mono text-sm">{item.barcode}</span>
              {due !== firstDay && (
                <span className="shrink-0 text-sm text-muted tabular-nums">by {formatDay(due)}</span>
              )}
            </span>
            <Described {...item} />
          </li>
        ))}
      </ul>
      {left.length > preview && (
        <div className="border-t border-line p-3 text-center">
          <Button look="quiet" onClick={() => setAll(!isAll)}>
            {isAll ? 'Show Less' : `Show All ${skus(left.length)}`}
          </Button>
        </div>
      )}
    </Card>
  )
}
