import { listAssignments, type Assignment } from '@inventory-manager/contract/counting/assignment-endpoints'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { binsInWords } from '@inventory-manager/contract/stock/bin-names'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { call } from '../api/client.ts'
import { formatWholeDay } from '../lib/dates.ts'
import { formatNumber } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { buttonClasses } from '../ui/button.tsx'

export type Asked = Assignment

/** What whoever is signed in is asked to count this month; null while that is on its way for the first time. */
export function useAskedToCount(refetchMs: number): readonly Asked[] | null {
  const { user } = useLocatedSession()
  const { data, isPending, failureCount } = useQuery({
    queryKey: [listAssignments.path],
    queryFn: ({ signal }) => call(listAssignments, {}, { signal }),
    // A day is over when nothing happens that would be news.
    refetchInterval: refetchMs,
  })
  // What does not come holds up nothing.
  if (isPending && failureCount === 0) return null
  // Administrators are told of everybody.
  return data?.assignments.filter(({ user_id: id, total }) => id === user.id && total > 0) ?? []
}

function Task({ asked, here }: { asked: Asked; here: LocationCode }) {
  const { location, due_on: due, bins = [], counted, total, overdue } = asked
  const left = Math.max(0, total - counted)
  const where = bins.length === 0 ? placeName(location) : `${binsInWords(bins)} at ${placeName(location)}`
  const what = `You are asked to count ${where} by ${formatWholeDay(due)}`
  if (left === 0) {
    return (
      <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
        <span className="wrap-anywhere">{what}.</span>
        <Badge tone="good">Done</Badge>
      </li>
    )
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2">
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium wrap-anywhere">
          {what}: {formatNumber(left)} left.
        </span>
        {overdue && <Badge tone="warn">Overdue</Badge>}
      </span>
      {location === here ? (
        <Link href={paths.monthlyCount} className={buttonClasses('primary')}>
          Count
        </Link>
      ) : (
        <span className="text-sm text-muted">To count there, change your location.</span>
      )}
    </li>
  )
}

/** What somebody is asked to count, by when, and how much of it is left; nothing where they are not asked. */
export function AskedToCount({ asked, here }: { asked: readonly Asked[]; here: LocationCode }) {
  if (asked.length === 0) return null
  return (
    <ul
      aria-label="What you are asked to count"
      className="-mt-2 divide-y divide-line border-b border-line pb-2"
    >
      {asked.map((each) => (
        <Task key={each.id} asked={each} here={here} />
      ))}
    </ul>
  )
}
