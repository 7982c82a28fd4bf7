import { countRoom, type RoomLocation } from '@inventory-manager/contract/counting/room-endpoints'
import { useQuery } from '@tanstack/react-query'
import Radio from 'lucide-react/icons/radio'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { formatMoment } from '../lib/dates.ts'
import { formatNumber, percentDone } from '../lib/numbers.ts'
import { componentPath } from '../lib/paths.ts'
import { useIsLive } from '../session/news.ts'
import { ownNameOrCode } from '../session/place-codes.ts'
import { placeName } from '../session/place-names.ts'
import { classNames } from '../ui/class-names.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { Assigned } from './assignments/assigned.tsx'
import { assignmentsQuery } from './assignments/assignments-query.ts'
import { SpotCounts } from './spot/spot-counts.tsx'
import { spotCountsQuery } from './spot/spot-counts-query.ts'

/** The pace falls when nobody scans, and nobody's scan tells so. */
const refetchMs = 30_000

const countersShown = 5

function Fact({ label, value, alarm = false }: { label: string; value: string; alarm?: boolean }) {
  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="text-base text-muted desk:text-lg desk:leading-snug">{label}</dt>
      <dd
        className={classNames(
          'flex items-center gap-2 text-xl font-semibold tabular-nums desk:text-[clamp(1.5rem,1.75vw,2.75rem)] desk:leading-tight',
          alarm && 'text-warn-text',
        )}
      >
        {value}
        {alarm && <TriangleAlert aria-hidden className="size-6" />}
      </dd>
    </div>
  )
}

function finishOf({ left, expected_finish: finish, total }: RoomLocation): string {
  if (total === 0) return '–'
  if (left === 0) return 'Done'
  return finish === null ? '–' : formatMoment(finish)
}

function Counters({ place }: { place: RoomLocation }) {
  if (place.counters.length === 0) {
    return <p className="text-lg text-muted">Nobody is counting here now.</p>
  }
  const more = place.counters.length - countersShown
  return (
    <ul aria-label={`Who counts at ${ownNameOrCode(place.location)}`} className="flex flex-col gap-1 text-lg">
      {place.counters.slice(0, countersShown).map((person) => (
        <li key={person.user_id} className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="max-w-full truncate font-medium">{person.user_name}</span>
          <span className="max-w-full truncate text-base text-muted tabular-nums">
            <Link href={componentPath(person.last_sku)} className="font-mono text-accent-text underline">
              {person.last_sku}
            </Link>
            , {formatMoment(person.last_at)}
          </span>
        </li>
      ))}
      {more > 0 && <li className="text-base text-muted">and {formatNumber(more)} more</li>}
    </ul>
  )
}

function Place({ place }: { place: RoomLocation }) {
  const name = placeName(place.location)
  const percent = percentDone(place.counted, place.total)
  return (
    <section
      aria-label={name}
      className="flex min-w-0 flex-col gap-5 rounded-card border border-line bg-surface p-4 desk:p-6"
    >
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2 desk:flex-col desk:items-start">
        <h2 className="text-lg font-semibold text-balance wrap-anywhere desk:text-xl">{name}</h2>
        <p className="text-[clamp(3rem,5.75vw,8rem)] leading-none font-bold tabular-nums">{percent}%</p>
      </div>
      <div className="flex flex-col gap-2">
        <ProgressBar
          label={`Counted at ${name}`}
          value={place.counted}
          max={place.total}
          tone={percent === 100 ? 'good' : 'accent'}
        />
        <p className="text-lg tabular-nums">
          {formatNumber(place.counted)} of {formatNumber(place.total)} counted this month
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4">
        <Fact label="left" value={formatNumber(place.left)} />
        <Fact label="per hour" value={place.per_hour === 0 ? '–' : formatNumber(place.per_hour)} />
        <Fact label="expected finish" value={finishOf(place)} />
        <Fact label="recounts waiting" value={formatNumber(place.recounts)} />
        <Fact
          label="differences to decide"
          value={formatNumber(place.differences)}
          alarm={place.differences > 0}
        />
        <Fact
          label="unknown codes"
          value={formatNumber(place.unknown_codes)}
          alarm={place.unknown_codes > 0}
        />
      </dl>
      <Assigned location={place.location} />
      <SpotCounts location={place.location} />
      <div className="border-t border-line pt-4">
        <Counters place={place} />
      </div>
    </section>
  )
}

/** All locations side by side, so that nothing on the wall is out of sight. */
const columnsFor: Record<number, string> = {
  2: 'desk:grid-cols-2',
  3: 'desk:grid-cols-3',
  4: 'desk:grid-cols-2 xl:grid-cols-4',
}

function LiveSign() {
  const isLive = useIsLive()
  const [wasLive, setWasLive] = useState(isLive)
  if (isLive && !wasLive) setWasLive(true)
  const notLive = wasLive ? 'Connecting again' : 'Connecting'
  return (
    <span
      role="status"
      className={classNames(
        'flex items-center gap-2 text-base font-medium',
        isLive ? 'text-good-text' : 'text-warn-text',
      )}
    >
      <Radio aria-hidden className="size-5" />
      {isLive ? 'Live' : notLive}
    </span>
  )
}

/** How counting goes at each location, for a screen on the wall: it keeps itself up to date. */
export function CountRoomScreen() {
  const { data, error, refetch } = useQuery({
    queryKey: [countRoom.path],
    queryFn: ({ signal }) => call(countRoom, {}, { signal }),
    refetchInterval: refetchMs,
  })
  const assigned = useQuery(assignmentsQuery)
  const spots = useQuery(spotCountsQuery)
  return (
    <Page
      wide
      title="Live Count Room"
      subtitle="Pace and expected finish from the last 15 minutes."
      actions={<LiveSign />}
    >
      {error !== null && (
        <LoadFailure text={`Error loading the count room: ${messageOf(error)}`} onRetry={refetch} />
      )}
      {assigned.error !== null && (
        <LoadFailure
          text={`Error loading who is asked to count: ${messageOf(assigned.error)}`}
          onRetry={assigned.refetch}
        />
      )}
      {spots.error !== null && (
        <LoadFailure
          text={`Error loading the spot counts: ${messageOf(spots.error)}`}
          onRetry={spots.refetch}
        />
      )}
      {data === undefined && error === null && <Loading label="Loading the count room..." />}
      {data !== undefined && (
        <div
          className={classNames(
            'grid grid-cols-[minmax(0,1fr)] gap-4 desk:gap-6',
            columnsFor[data.locations.length],
          )}
        >
          {data.locations.map((place) => (
            <Place key={place.location} place={place} />
          ))}
        </div>
      )}
    </Page>
  )
}
