import {
  suggestSpotCount,
  type SpotSuggestion,
} from '@inventory-manager/contract/counting/spot/spot-count-endpoints'
import { minutesFor, skusIn } from '@inventory-manager/contract/counting/spot/spot-count-rules'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { money } from '@inventory-manager/contract/money'
import { howMany } from '@inventory-manager/contract/numbers'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { messageOf } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { formatDate } from '../../lib/dates.ts'
import { formatNumber, skus } from '../../lib/numbers.ts'
import { TextField } from '../../ui/field.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Loading } from '../../ui/loading.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { faultsOfTime, type PlanTime } from './spot-time.ts'

type Plan = EndpointReply<typeof suggestSpotCount>

/** Not each digit that is typed. */
const settledMs = 300

/** What to count in the time that there is; what was suggested before stays until another suggestion has come. */
export function usePlan(location: string, time: PlanTime, isWanted: boolean) {
  const typed = `${time.minutes.trim()} ${time.people.trim()}`
  const settled = useSettled(typed, settledMs)
  const [minutes = '', people = ''] = settled.split(' ')
  const isPossible = Object.keys(faultsOfTime(time)).length === 0
  const query = useQuery({
    queryKey: [suggestSpotCount.path, location, minutes, people],
    queryFn: ({ signal }) => call(suggestSpotCount, { query: { location, minutes, people } }, { signal }),
    enabled: isWanted && Object.keys(faultsOfTime({ minutes, people })).length === 0,
    placeholderData: keepPreviousData,
  })
  return {
    ...query,
    minutes: Number(minutes),
    people: Number(people),
    /** What is shown is of another time than is typed. */
    isBehind: isPossible && (typed !== settled || query.isPlaceholderData),
    isPossible,
  }
}

function reasonsOf({ last_counted: last, pieces, value, differences }: SpotSuggestion, currency: string) {
  const worth = value === null ? '' : `, worth ${money(value, currency)}`
  const reasons = [
    last === null ? 'not counted' : `last counted ${formatDate(last)}`,
    ...(pieces === 0 ? [] : [`${formatNumber(pieces)} moved ${last === null ? 'lately' : 'since'}${worth}`]),
    ...(differences === 0
      ? []
      : [`differed ${differences === 1 ? 'once' : `${formatNumber(differences)} times`}`]),
  ]
  return reasons.join(', ')
}

type RowProps = {
  item: SpotSuggestion
  currency: string
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

function SuggestedRow({ item, currency, isChosen, onChoose }: RowProps) {
  const { barcode, description, bin } = item
  return (
    <li className="border-t border-line first:border-t-0">
      <label className="flex items-center gap-3 py-2">
        <input
          type="checkbox"
          aria-label={barcode}
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked)}
          className="size-5 shrink-0 accent-accent lg:size-4"
        />
        <span className="min-w-0 flex-1 text-sm text-muted">
          <span className="flex items-baseline justify-between gap-3">
            <span className="truncate font-mono text-text">{barcode}</span>
            {bin !== '' && <span className="shrink-0 truncate font-medium text-text">Bin {bin}</span>}
          </span>
          {description !== '' && <span className="block truncate">{description}</span>}
          <span className="block tabular-nums">{reasonsOf(item, currency)}</span>
        </span>
      </label>
    </li>
  )
}

type TimeFieldsProps = {
  time: PlanTime
  faults: Partial<PlanTime>
  onTime: (part: Partial<PlanTime>) => void
}

export function TimeFields({ time, faults, onTime }: TimeFieldsProps) {
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <TextField
        label="Minutes"
        name="minutes"
        inputMode="numeric"
        value={time.minutes}
        error={faults.minutes}
        onChange={({ target }) => onTime({ minutes: target.value })}
      />
      <TextField
        label="People"
        name="people"
        inputMode="numeric"
        value={time.people}
        error={faults.people}
        onChange={({ target }) => onTime({ people: target.value })}
      />
    </div>
  )
}

/** '30 seconds a SKU, as counted here lately' */
function paceOf({ seconds_per_sku: seconds, measured }: Plan): string {
  return `${howMany(seconds, 'second')} a SKU, ${measured ? 'as counted here lately' : 'until it is measured here'}`
}

/** How long what was chosen takes: '12 SKUs, about 6 minutes at 30 seconds a SKU, as counted here lately.' */
function sumOf({ data, people }: { data: Plan; people: number }, chosen: number): string {
  const minutes = minutesFor({ skus: chosen, people, secondsPerSku: data.seconds_per_sku })
  return `${skus(chosen)}, about ${howMany(minutes, 'minute')} at ${paceOf(data)}.`
}

type PlanProps = { plan: ReturnType<typeof usePlan> }

type ExpectedProps = PlanProps & {
  /** Whether today is one of the days. */
  asksNow: boolean
}

/** How much is asked for each time, where it is suggested anew. */
export function Expected({ plan, asksNow }: ExpectedProps) {
  const { data, error, isPossible, refetch, minutes, people } = plan
  if (!isPossible) return null
  if (error !== null) return <LoadFailure text={messageOf(error)} onRetry={refetch} />
  if (data === undefined) return null
  const most = skusIn({ minutes, people, secondsPerSku: data.seconds_per_sku })
  return (
    <p role="status" className="text-sm text-muted tabular-nums">
      At the start of each of these days, up to {skus(most)} {most === 1 ? 'is' : 'are'} requested, at{' '}
      {paceOf(data)}: what is most likely wrong by then, in place of what was left the time before.
      {asksNow && ' Today is one of them, so its request is made at once.'}
    </p>
  )
}

type SuggestedProps = PlanProps & {
  /** What of it is not wanted. */
  leftOut: ReadonlySet<string>
  onLeaveOut: (leftOut: ReadonlySet<string>) => void
}

/** What is suggested and why, all of it chosen until somebody says otherwise. */
export function Suggested({ plan, leftOut, onLeaveOut }: SuggestedProps) {
  const { data, error, isFetching, isPossible, refetch } = plan
  // What was suggested for another time says nothing of one that nobody has.
  if (!isPossible) return null
  if (error !== null) return <LoadFailure text={messageOf(error)} onRetry={refetch} />
  if (data === undefined) return isFetching ? <Loading label="Looking for SKUs..." /> : null
  const { suggestions, currency } = data
  if (suggestions.length === 0) {
    return (
      <p className="text-sm text-muted">
        Nothing to suggest: everything that has stock here was counted today, is already requested, or is
        waiting for a decision. Others can be named.
      </p>
    )
  }
  const chosen = suggestions.filter(({ barcode }) => !leftOut.has(barcode)).length

  function choose(barcode: string, isChosen: boolean): void {
    const left = new Set(leftOut)
    if (isChosen) left.delete(barcode)
    else left.add(barcode)
    onLeaveOut(left)
  }

  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        First: SKUs not counted for long, with most value moved since, or that differed recently.
      </p>
      <ul
        aria-label="Suggested SKUs"
        className="rounded-control border border-line px-3 sm:max-h-72 sm:overflow-y-auto"
      >
        {suggestions.map((item) => (
          <SuggestedRow
            key={item.barcode}
            item={item}
            currency={currency}
            isChosen={!leftOut.has(item.barcode)}
            onChoose={(isChosen) => choose(item.barcode, isChosen)}
          />
        ))}
      </ul>
      <p role="status" className="text-sm tabular-nums">
        {sumOf({ data, people: plan.people }, chosen)}
      </p>
    </div>
  )
}
