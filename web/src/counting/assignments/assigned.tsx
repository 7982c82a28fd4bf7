import type { Assignment } from '@inventory-manager/contract/counting/assignments/assignment-endpoints'
import { binsInWords } from '@inventory-manager/contract/stock/bin-names'
import { useQuery } from '@tanstack/react-query'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Suspense, useState } from 'react'
import { formatDay } from '../../lib/dates.ts'
import { formatNumber } from '../../lib/numbers.ts'
import { placeName } from '../../session/place-names.ts'
import { Button } from '../../ui/button.tsx'
import { assignDialog } from './assign-part.ts'
import { assignmentsQuery } from './assignments-query.ts'

const shown = 4

function AskedPerson({ asked }: { asked: Assignment }) {
  const { bins = [], counted, total } = asked
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="max-w-full truncate font-medium">{asked.user_name}</span>
      {asked.overdue ? (
        <span className="flex items-baseline gap-1.5 text-base font-medium text-warn-text tabular-nums">
          <TriangleAlert aria-hidden className="size-5 shrink-0 self-center" />
          by {formatDay(asked.due_on)}, overdue
        </span>
      ) : (
        <span className="text-base text-muted tabular-nums">by {formatDay(asked.due_on)}</span>
      )}
      {bins.length > 0 && (
        <span className="w-full text-base wrap-anywhere text-muted tabular-nums">
          {binsInWords(bins)}: {formatNumber(counted)} of {formatNumber(total)}
        </span>
      )}
    </li>
  )
}

function People({ asked, name }: { asked: readonly Assignment[]; name: string }) {
  if (asked.length === 0) return null
  const more = asked.length - shown
  return (
    <ul aria-label={`Who is asked to count ${name}`} className="flex flex-col gap-1 text-lg">
      {asked.slice(0, shown).map((each) => (
        <AskedPerson key={each.id} asked={each} />
      ))}
      {more > 0 && <li className="text-base text-muted">and {formatNumber(more)} more</li>}
    </ul>
  )
}

/** Who is asked to count a location this month and by when, and the way to ask somebody. */
export function Assigned({ location }: { location: string }) {
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery(assignmentsQuery)
  const asked = data?.assignments.filter((each) => each.location === location) ?? []
  // As long as nobody knows, nothing is said of it.
  const isNobody = data !== undefined && asked.length === 0
  const name = placeName(location)
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-3">
      <div className="flex items-center justify-between gap-4">
        <h3 className="text-base text-muted desk:text-lg">
          {isNobody ? 'Nobody is asked to count' : 'Asked to count'}
        </h3>
        <Button
          look="quiet"
          className="-mr-4 lg:-mr-3"
          aria-label={`Assign who counts ${name}`}
          onClick={() => setOpen(true)}
        >
          Assign
        </Button>
      </div>
      <People asked={asked} name={name} />
      {isOpen && (
        <Suspense>
          <assignDialog.Content location={location} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
