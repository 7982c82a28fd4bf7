import type { LocationCode } from '@inventory-manager/contract/locations'
import { money } from '@inventory-manager/contract/money'
import {
  daysSuggested,
  suggestHighVolume,
  type HighVolumeSuggestion,
} from '@inventory-manager/contract/stock/suggestion-endpoints'
import type { WeekDay } from '@inventory-manager/contract/stock/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { messageOf } from '../api/api-error.ts'

/** Why a SKU is suggested: '1,200 went out, worth $480.00, differed once'. */
function reasonOf({ pieces, value, differences }: HighVolumeSuggestion, currency: string): string {
  const worth = value === null ? '' : `, worth ${money(value, currency)}`
  const out = pieces === 0 ? [] : [`${formatNumber(pieces)} went out${worth}`]
  const times = differences === 1 ? 'once' : `${formatNumber(differences)} times`
  return [...out, ...(differences === 0 ? [] : [`differed ${times}`])].join(', ')
}

type Props = {
  location: LocationCode
  day: WeekDay
  busy: boolean
  onAdd: (barcodes: string[]) => void
}

function Suggestions({ location, day, busy, onAdd }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: [suggestHighVolume.path, location],
    queryFn: ({ signal }) => call(suggestHighVolume, { query: { location } }, { signal }),
  })
  if (error !== null) return <LoadFailure text={messageOf(error)} onRetry={refetch} />
  if (data === undefined) return <Loading label="Looking for SKUs..." />
  const { suggestions, currency } = data
  if (suggestions.length === 0) {
    return (
      <p className="text-sm text-muted">
        Nothing went out of this location or differed in the last {daysSuggested} days that is on no list.
      </p>
    )
  }
  return (
    <>
      <p className="text-sm text-muted">
        On no list here; what went out or differed in the last {daysSuggested} days.
      </p>
      <ul aria-label="Suggested SKUs" className="flex max-h-80 flex-col overflow-y-auto">
        {suggestions.map((item) => (
          <li
            key={item.barcode}
            className="flex items-center gap-3 border-t border-line py-2 first:border-t-0"
          >
            <span className="min-w-0 flex-1 text-xs text-muted">
              <span className="block truncate font-mono text-sm text-text">{item.barcode}</span>
              <span className="block truncate">{item.description}</span>
              {reasonOf(item, currency)}
            </span>
            <Button
              aria-label={`Add ${item.barcode} to ${day}`}
              disabled={busy}
              onClick={() => onAdd([item.barcode])}
            >
              Add
            </Button>
          </li>
        ))}
      </ul>
      {suggestions.length > 1 && (
        <Button disabled={busy} onClick={() => onAdd(suggestions.map(({ barcode }) => barcode))}>
          Add all {formatNumber(suggestions.length)} to {day}
        </Button>
      )}
    </>
  )
}

/** Which SKUs are worth a count each week: shown to who asks for them. */
export function HighVolumeSuggestions(props: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-col gap-2">
      <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide suggestions' : 'Suggest SKUs'}
      </Button>
      {isOpen && <Suggestions {...props} />}
    </div>
  )
}
