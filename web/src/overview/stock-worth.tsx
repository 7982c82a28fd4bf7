import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { money } from '@inventory-manager/contract/money'
import { howMany } from '@inventory-manager/contract/numbers'
import { getStockValue } from '@inventory-manager/contract/stock/cost-endpoints'
import { places as allPlaces } from '@inventory-manager/contract/stock/places'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { uncostedPath } from '../lib/paths.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { classNames } from '../ui/class-names.ts'
import { LoadFailure } from '../ui/load-failure.tsx'

type StockValue = EndpointReply<typeof getStockValue>

function Sentence({ value, currency }: Pick<StockValue, 'value' | 'currency'>) {
  return (
    <>
      Stock is worth <span className="font-semibold tabular-nums">{money(value, currency)}</span>.
    </>
  )
}

/** The sentence, which opens to what is worth how much where; with one place there is nothing to open. */
function Value({ value, currency, places }: Pick<StockValue, 'value' | 'currency' | 'places'>) {
  if (places.length < 2) {
    return (
      <p className="min-h-12 content-center wrap-anywhere lg:min-h-0">
        <Sentence value={value} currency={currency} />
      </p>
    )
  }
  const inOrder = allPlaces.flatMap((name) => places.filter(({ place }) => place === name))
  return (
    <details className="min-w-0 wrap-anywhere">
      <summary className="min-h-12 cursor-pointer content-center lg:min-h-0">
        <Sentence value={value} currency={currency} />
      </summary>
      <ul className="flex flex-col gap-1 py-2 text-sm">
        {inOrder.map((held) => (
          <li key={held.place} className="flex flex-wrap justify-between gap-x-6">
            <span>{placeName(held.place)}</span>
            <span className="text-muted tabular-nums">{money(held.value, currency)}</span>
          </li>
        ))}
      </ul>
      <p className="pb-2 text-sm text-muted">Without what is on its way between locations.</p>
    </details>
  )
}

const line = 'border-t border-line pt-2 lg:pt-4'

function Known({ data }: { data: StockValue }) {
  const { without_cost: without } = data
  return (
    <div className={classNames('flex flex-wrap items-start justify-between gap-x-6', line)}>
      <Value value={data.value} currency={data.currency} places={data.places} />
      {without > 0 && (
        <Link
          href={uncostedPath}
          className="min-h-12 content-center text-accent-text underline-offset-4 hover:underline lg:min-h-0"
        >
          {howMany(without, 'component in stock has', 'components in stock have')} no unit cost.
        </Link>
      )}
    </div>
  )
}

/**
 * What all stock is worth, for administrators of a company that says what something costs. `hasCosts`: that it did was known before;
 * what is to come has its place then, so that nothing jumps.
 */
export function StockWorth({ hasCosts }: { hasCosts: boolean }) {
  const { user } = useLocatedSession()
  const { data, error, refetch } = useQuery({
    queryKey: [getStockValue.path],
    queryFn: ({ signal }) => call(getStockValue, {}, { signal }),
    enabled: user.role === 'admin',
  })
  if (user.role !== 'admin') return null
  if (data !== undefined) return data.with_cost === 0 ? null : <Known data={data} />
  if (!hasCosts) return null
  if (error !== null) {
    return (
      <LoadFailure text={`What stock is worth could not be loaded: ${messageOf(error)}`} onRetry={refetch} />
    )
  }
  return (
    <div aria-hidden className={line}>
      <p className="min-h-12 lg:min-h-6" />
    </div>
  )
}
