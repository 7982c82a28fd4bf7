import {
  listAssignments,
  type Assignment,
} from '@inventory-manager/contract/counting/assignments/assignment-endpoints'
import {
  listSpotCounts,
  type SpotCount,
} from '@inventory-manager/contract/counting/spot/spot-count-endpoints'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { binsInWords } from '@inventory-manager/contract/stock/bin-names'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { asTimePassesMs } from '../api/as-time-passes.ts'
import { call } from '../api/client.ts'
import { formatWholeDay } from '../lib/dates.ts'
import { formatNumber, skus } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { buttonClasses } from '../ui/button.tsx'

/** What somebody is asked to count: a location or bins of it, and some SKUs. */
export type Asked = { assignments: readonly Assignment[]; spotCounts: readonly SpotCount[] }

/** Whether there is anything of it. */
const isAsked = ({ assignments, spotCounts }: Asked): boolean => assignments.length + spotCounts.length > 0

/** What whoever is signed in is asked to count; null while that is on its way for the first time. */
export function useAskedToCount(): Asked | null {
  const { user } = useLocatedSession()
  const assigned = useQuery({
    queryKey: [listAssignments.path],
    queryFn: ({ signal }) => call(listAssignments, {}, { signal }),
    refetchInterval: asTimePassesMs,
  })
  const spots = useQuery({
    queryKey: [listSpotCounts.path],
    queryFn: ({ signal }) => call(listSpotCounts, {}, { signal }),
    refetchInterval: asTimePassesMs,
  })
  // What does not come holds up nothing.
  if ([assigned, spots].some(({ isPending, failureCount }) => isPending && failureCount === 0)) return null
  // Administrators are told of everybody, and ask for what whoever counts there is to count.
  const isTheirs = (id: string | null) => id === user.id || (id === null && user.role !== 'admin')
  return {
    assignments:
      assigned.data?.assignments.filter(({ user_id: id, total }) => isTheirs(id) && total > 0) ?? [],
    spotCounts:
      spots.data?.spot_counts.filter(({ user_id: id, counted, total }) => isTheirs(id) && counted < total) ??
      [],
  }
}

type TaskProps = { location: string; here: LocationCode; text: string; overdue: boolean }

/** What is left of something that is asked for, and the way to it. */
function Task({ location, here, text, overdue }: TaskProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2">
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium wrap-anywhere">{text}</span>
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

function AssignedTask({ asked, here }: { asked: Assignment; here: LocationCode }) {
  const { location, due_on: due, bins = [], counted, total, overdue } = asked
  const left = Math.max(0, total - counted)
  const where = bins.length === 0 ? placeName(location) : `${binsInWords(bins)} at ${placeName(location)}`
  const what = `You are asked to count ${where} by ${formatWholeDay(due)}`
  if (left > 0) return <Task text={`${what}: ${formatNumber(left)} left.`} {...{ location, here, overdue }} />
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="wrap-anywhere">{what}.</span>
      <Badge tone="good">Done</Badge>
    </li>
  )
}

function SpotTask({ spot, here }: { spot: SpotCount; here: LocationCode }) {
  const { location, user_id: user, due_on: due, counted, total, overdue } = spot
  const what = user === null ? `Spot count of ${skus(total)}` : `You are asked to count ${skus(total)}`
  const text = `${what} at ${placeName(location)} by ${formatWholeDay(due)}: ${formatNumber(total - counted)} left.`
  return <Task {...{ location, here, text, overdue }} />
}

/** What somebody is asked to count, by when, and how much of it is left; nothing where they are not asked. */
export function AskedToCount({ asked, here }: { asked: Asked; here: LocationCode }) {
  if (!isAsked(asked)) return null
  return (
    <ul
      aria-label="What you are asked to count"
      className="-mt-2 divide-y divide-line border-b border-line pb-2"
    >
      {asked.spotCounts.map((each) => (
        <SpotTask key={each.id} spot={each} here={here} />
      ))}
      {asked.assignments.map((each) => (
        <AssignedTask key={each.id} asked={each} here={here} />
      ))}
    </ul>
  )
}
