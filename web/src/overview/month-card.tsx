import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { howMany } from '@inventory-manager/contract/numbers'
import type { dashboard } from '@inventory-manager/contract/overview/endpoints'
import FileCheck from 'lucide-react/icons/file-check'
import { Link } from 'wouter'
import { formatNumber, percentDone } from '../lib/numbers.ts'
import { certificatePath, lowPath, paths } from '../lib/paths.ts'
import { placeName } from '../session/place-names.ts'
import { Badge } from '../ui/badge.tsx'
import { buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { AskedToCount, type Asked } from './asked-to-count.tsx'
import { StockWorth } from './stock-worth.tsx'

type Counting = EndpointReply<typeof dashboard>['counting']

/** Behind by more than this share of the components, a month is called late. */
const tolerance = 0.1

type PaceProps = { counted: number; total: number; elapsed: number }

/** How a location stands; nothing of one without components. */
function Pace({ counted, total, elapsed }: PaceProps) {
  if (total === 0) return null
  const share = counted / total
  if (share >= 1) return <Badge tone="good">Complete</Badge>
  return share + tolerance >= elapsed ? (
    <Badge tone="good">On track</Badge>
  ) : (
    <Badge tone="warn">Behind</Badge>
  )
}

function OtherLocations({ counting, here }: { counting: Counting; here: LocationCode }) {
  const others = counting.locations.filter(({ location }) => location !== here)
  if (others.length === 0) return null
  return (
    <ul className="grid gap-x-6 gap-y-3 border-t border-line pt-4 sm:grid-cols-2 lg:grid-cols-3">
      {others.map(({ location, counted, total = counting.components }) => (
        <li key={location} className="flex min-w-0 flex-col gap-1.5">
          <p className="flex items-center justify-between gap-3 text-sm">
            <span className="truncate">{placeName(location)}</span>
            <Pace counted={counted} total={total} elapsed={counting.elapsed_share} />
          </p>
          <ProgressBar label={`Counted this month at ${placeName(location)}`} value={counted} max={total} />
          <p className="text-sm text-muted tabular-nums">
            {formatNumber(counted)} of {formatNumber(total)}
          </p>
        </li>
      ))}
    </ul>
  )
}

type WaitingProps = { path: string; number: number; one: string; several: string }

function Waiting({ path, number, one, several }: WaitingProps) {
  return (
    <Link
      href={path}
      className="flex min-h-12 items-baseline gap-2 py-2 text-accent-text underline-offset-4 hover:underline lg:min-h-0 lg:py-0"
    >
      <span className="text-lg font-semibold tabular-nums">{formatNumber(number)}</span>
      <span>{number === 1 ? one : several}</span>
    </Link>
  )
}

/** `low`: how many components are low. */
type WhatWaitsProps = { counting: Counting; here: LocationCode; low: number }

/** What waits for administrators, the certificate of a location where something is counted, and for everybody what is low. */
function WhatWaits({ counting, here, low }: WhatWaitsProps) {
  const { open_discrepancies: open, open_unknown_codes: unknown = 0, locations } = counting
  const isCounted = locations.some(({ location, counted }) => location === here && counted > 0)
  if (open === undefined && low === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
      {open !== undefined && (
        <Waiting
          path={paths.discrepancies}
          number={open}
          one="difference waits for a decision"
          several="differences wait for a decision"
        />
      )}
      {unknown > 0 && (
        <Waiting path={paths.unknownCodes} number={unknown} one="unknown code" several="unknown codes" />
      )}
      {low > 0 && <Waiting path={lowPath} number={low} one="component is low" several="components are low" />}
      {open !== undefined && isCounted && (
        <Link href={certificatePath({ location: here })} className={buttonClasses('secondary')}>
          <FileCheck aria-hidden className="size-4" />
          Count certificate
        </Link>
      )}
    </div>
  )
}

/**
 * What whoever is signed in is asked to count, whether this month's count is on track, what waits for an administrator, what is low and
 * what stock is worth: the first thing of the overview.
 */
export function MonthCard({ counting, here, low, asked }: WhatWaitsProps & { asked: Asked }) {
  const { components, days_left: days } = counting
  const { counted = 0, total = components } =
    counting.locations.find(({ location }) => location === here) ?? {}
  return (
    <Card title="This month">
      <div className="flex flex-col gap-4">
        <AskedToCount asked={asked} here={here} />
        <div className="flex flex-col gap-2">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-2xl font-semibold tabular-nums">{percentDone(counted, total)}%</span>
            <Pace counted={counted} total={total} elapsed={counting.elapsed_share} />
            <p className="wrap-anywhere text-muted tabular-nums">
              {formatNumber(counted)} of {formatNumber(total)} counted at {placeName(here)},{' '}
              {howMany(days, 'day')} left
            </p>
          </div>
          <ProgressBar label="Counted this month" value={counted} max={total} />
        </div>
        <WhatWaits counting={counting} here={here} low={low} />
        <OtherLocations counting={counting} here={here} />
        <StockWorth hasCosts={counting.has_costs ?? false} />
      </div>
    </Card>
  )
}
