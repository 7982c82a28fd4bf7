import type { LocationCode } from '@inventory-manager/contract/locations'
import { money } from '@inventory-manager/contract/money'
import {
  daysSuggested,
  suggestHighVolume,
  type HighVolumeSuggestion,
} from '@inventory-manager/contract/stock/suggestion-endpoints'
import type { WeekDay } from '@inventory-manager/contract/stock/rules'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { formatNumber } from '../../lib/numbers.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Loading } from '../../ui/loading.tsx'
import { useListFocus } from '../../ui/use-list-focus.ts'
import type { Status } from '../counting-session.ts'
import { keepPlaces, type ShownSuggestion } from '../kept-places.ts'

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
  /** Puts SKUs on the day, and says what came of it. */
  onAdd: (barcodes: string[]) => Promise<Status>
}

type RowProps = {
  item: HighVolumeSuggestion
  currency: string
  /** Why it cannot be added; null where it can. */
  state: { tone: 'good' | 'neutral'; text: string } | null
  children: ReactNode
}

/** A SKU, which stays where it is when it is added, so that the next one does not slide under the finger. */
function Suggestion({ item, currency, state, children }: RowProps) {
  return (
    <li className="flex items-center gap-3 border-t border-line py-2 first:border-t-0">
      <span className="min-w-0 flex-1 text-xs text-muted">
        <span className="block truncate font-mono text-sm text-text">{item.barcode}</span>
        <span className="block truncate">{item.description}</span>
        {reasonOf(item, currency)}
      </span>
      {state === null ? (
        children
      ) : (
        <span className={classNames('text-sm', state.tone === 'good' ? 'text-good-text' : 'text-muted')}>
          {state.text}
        </span>
      )}
    </li>
  )
}

type Suggested = { shown: ShownSuggestion[]; currency: string }

/** What is suggested at a location; news of its lists ask for it again. */
function useSuggested(location: LocationCode) {
  return useQuery({
    queryKey: [suggestHighVolume.path, location],
    queryFn: async ({ signal, client, queryKey }): Promise<Suggested> => {
      const { suggestions, currency } = await call(suggestHighVolume, { query: { location } }, { signal })
      const before = client.getQueryData<Suggested>(queryKey)?.shown ?? []
      return { shown: keepPlaces(before, suggestions), currency }
    },
    staleTime: Infinity,
    // Opened again, it is made anew.
    gcTime: 0,
  })
}

/** `shownAt`: which suggestions it was added from. */
type Added = ReadonlyMap<string, { day: WeekDay; shownAt: number }>

/** Where a SKU is that is not to be added: suggestions from before it was added still hold it. */
function stateOf(
  { barcode, isSuggested }: ShownSuggestion,
  { added, shownAt }: { added: Added; shownAt: number },
): RowProps['state'] {
  const own = added.get(barcode)
  if (own !== undefined && (!isSuggested || own.shownAt === shownAt)) {
    return { tone: 'good', text: `On ${own.day}` }
  }
  return isSuggested ? null : { tone: 'neutral', text: 'No longer suggested' }
}

type ListProps = Omit<Props, 'location'> & { data: Suggested; shownAt: number }

function SuggestionList({ data, shownAt, day, busy, onAdd }: ListProps) {
  const [added, setAdded] = useState<Added>(new Map())
  const [notice, setNotice] = useState<Status | null>(null)
  const rows = data.shown.map((item) => ({ item, state: stateOf(item, { added, shownAt }) }))
  const left = rows.filter(({ state }) => state === null).map(({ item }) => item.barcode)
  const list = useListFocus<HTMLDivElement>(busy ? null : left.length)

  async function add(barcodes: string[]): Promise<void> {
    const status = await onAdd(barcodes)
    setNotice(status)
    if (status.tone !== 'good') return
    setAdded((now) => new Map([...now, ...barcodes.map((code) => [code, { day, shownAt }] as const)]))
  }

  return (
    <div ref={list} tabIndex={-1} role="group" aria-label="Suggestions" className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        Not on a weekly list here, but issued or miscounted in the last {daysSuggested} days.
      </p>
      <ul aria-label="Suggested SKUs" className="flex max-h-80 flex-col overflow-y-auto">
        {rows.map(({ item, state }) => (
          <Suggestion key={item.barcode} item={item} currency={data.currency} state={state}>
            <Button
              aria-label={`Add ${item.barcode} to ${day}`}
              disabled={busy}
              onClick={() => void add([item.barcode])}
            >
              Add
            </Button>
          </Suggestion>
        ))}
      </ul>
      {/* What was added shows in its row: a banner would move the next one away. */}
      <p role="status" className="sr-only">
        {notice?.tone === 'good' && notice.text}
      </p>
      {notice !== null && notice.tone !== 'good' && <Banner tone={notice.tone}>{notice.text}</Banner>}
      {left.length > 1 && (
        <Button disabled={busy} onClick={() => void add(left)}>
          Add all {formatNumber(left.length)} to {day}
        </Button>
      )}
    </div>
  )
}

function Suggestions(props: Props) {
  const { data, dataUpdatedAt, error, refetch } = useSuggested(props.location)
  if (data === undefined) {
    if (error !== null) return <LoadFailure text={messageOf(error)} onRetry={refetch} />
    return <Loading label="Looking for SKUs..." />
  }
  if (data.shown.length === 0) {
    return (
      <p className="text-sm text-muted">
        Everything issued or miscounted here in the last {daysSuggested} days is already on a weekly list.
      </p>
    )
  }
  return <SuggestionList {...props} data={data} shownAt={dataUpdatedAt} />
}

/** Which SKUs are worth a count each week: shown to who asks for them. */
export function HighVolumeSuggestions(props: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-col gap-2">
      <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide suggestions' : 'Suggest SKUs'}
      </Button>
      {isOpen && <Suggestions key={props.location} {...props} />}
    </div>
  )
}
