import type { SpotCount } from '@inventory-manager/contract/counting/spot/spot-count-endpoints'
import { useQuery } from '@tanstack/react-query'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Suspense, useState } from 'react'
import { formatDay } from '../../lib/dates.ts'
import { formatNumber, skus } from '../../lib/numbers.ts'
import { placeName } from '../../session/place-names.ts'
import { Button } from '../../ui/button.tsx'
import { spotDialog } from './spot-part.ts'
import { spotCountsQuery } from './spot-counts-query.ts'

const shown = 4

function Row({ spot: { user_name: name, due_on: due, counted, total, overdue } }: { spot: SpotCount }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="max-w-full font-medium wrap-anywhere tabular-nums">
        {formatNumber(counted)} of {skus(total)}
        {name !== null && `, ${name}`}
      </span>
      {overdue ? (
        <span className="flex items-baseline gap-1.5 text-base font-medium text-warn-text tabular-nums">
          <TriangleAlert aria-hidden className="size-5 shrink-0 self-center" />
          by {formatDay(due)}, overdue
        </span>
      ) : (
        <span className="text-base text-muted tabular-nums">
          by {formatDay(due)}
          {total > 0 && counted >= total && ', done'}
        </span>
      )}
    </li>
  )
}

/** The spot counts of a location, how far they are, and the way to plan one. */
export function SpotCounts({ location }: { location: string }) {
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery(spotCountsQuery)
  const spots = data?.spot_counts.filter((each) => each.location === location) ?? []
  const isNone = data !== undefined && spots.length === 0
  const more = spots.length - shown
  const name = placeName(location)
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-3">
      <div className="flex items-center justify-between gap-4">
        <h3 className="text-base text-muted desk:text-lg">{isNone ? 'No spot count' : 'Spot counts'}</h3>
        <Button
          look="quiet"
          className="-mr-4 lg:-mr-3"
          aria-label={`Plan a spot count of ${name}`}
          onClick={() => setOpen(true)}
        >
          Plan
        </Button>
      </div>
      {spots.length > 0 && (
        <ul aria-label={`Spot counts of ${name}`} className="flex flex-col gap-1 text-lg">
          {spots.slice(0, shown).map((spot) => (
            <Row key={spot.id} spot={spot} />
          ))}
          {more > 0 && <li className="text-base text-muted">and {formatNumber(more)} more</li>}
        </ul>
      )}
      {isOpen && (
        <Suspense>
          <spotDialog.Content location={location} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
