import type { SignedInUser } from '@inventory-manager/contract/accounts/endpoints'
import { unknownLocation, type Location, type LocationCode } from '@inventory-manager/contract/locations'
import { getPlan, planLocations } from '@inventory-manager/contract/plans'
import type { LucideIcon } from 'lucide-react'
import Boxes from 'lucide-react/icons/boxes'
import PackageCheck from 'lucide-react/icons/package-check'
import Truck from 'lucide-react/icons/truck'
import Warehouse from 'lucide-react/icons/warehouse'
import { useState } from 'react'
import { useLocation as useRoute } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { paths } from '../lib/paths.ts'
import { placeName } from '../session/place-names.ts'
import { report } from '../session/report.ts'
import { chooseLocation } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Fault } from '../ui/fault.tsx'
import { useWindowTitle } from '../ui/page.tsx'

const locationIcons: Record<LocationCode, LucideIcon> = {
  PRIMARY: Warehouse,
  SECONDARY: Boxes,
  FULFILLMENT: PackageCheck,
  DISTRIBUTION: Truck,
}

type CardProps = { location: Location; chosen: boolean; onChoose: () => void }

function LocationCard({ location, chosen, onChoose }: CardProps) {
  const Icon = locationIcons[location.code]
  const name = placeName(location.code)
  return (
    <label
      className={classNames(
        'flex min-h-20 cursor-pointer items-start gap-3 rounded-card border bg-surface p-4',
        chosen ? 'border-accent bg-accent-soft' : 'border-line hover:bg-sunken',
      )}
    >
      <input
        type="radio"
        name="location"
        checked={chosen}
        onChange={onChoose}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-semibold wrap-anywhere">{name}</span>
          {location.supportsWeeklyCount && <Badge tone="info">Weekly Counts</Badge>}
        </span>
        {/* What a place with a name of its own is for, only its company knows. */}
        <span className="mt-1 block text-sm text-muted">
          {name === location.standardName ? location.description : location.standardName}
        </span>
        <span className="mt-1 block font-mono text-xs text-muted">{location.code}</span>
      </span>
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
    </label>
  )
}

function UpgradeHint({ user, onUpgrade }: { user: SignedInUser; onUpgrade: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm text-muted">
      <p>
        Upgrade your plan to count in more locations.
        {user.role === 'admin' ? '' : ' Ask an administrator of your company.'}
      </p>
      {user.role === 'admin' && (
        <Button look="quiet" onClick={onUpgrade}>
          See the plans
        </Button>
      )}
    </div>
  )
}

/** Nobody waits longer for the trail's sake. */
const reportTimeoutMs = 3_000

type LocationScreenProps = {
  user: SignedInUser
  /** Where the person worked until the plan closed it. */
  closed: LocationCode | null
  onLogout: () => void
}

/** Where to work: shown instead of any screen until a location is chosen (specification 2). */
export function LocationScreen({ user, closed, onLogout }: LocationScreenProps) {
  const [, goTo] = useRoute()
  useWindowTitle('Select your location')
  const offered = planLocations(user.plan)
  const only = offered.length === 1 ? offered[0]?.code : undefined
  const [chosen, setChosen] = useState<LocationCode | null>(only ?? null)
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null })

  async function go(): Promise<void> {
    if (chosen === null) {
      setState({ busy: false, error: 'Please select a location.' })
      return
    }
    if (!offered.some((location) => location.code === chosen)) {
      setState({ busy: false, error: unknownLocation })
      return
    }
    setState({ busy: true, error: null })
    const event = { sku: 'CONFIG_LOCATION_SELECTION', location: chosen }
    await report(
      { ...event, metadata: { type: 'config_change', event_type: 'location_selection' } },
      { timeoutMs: reportTimeoutMs },
    )
    try {
      chooseLocation(chosen)
    } catch (error) {
      setState({ busy: false, error: `Error selecting location: ${messageOf(error)}` })
    }
  }

  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-2xl flex-col justify-center gap-5 p-4">
      <div>
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="text-lg font-semibold">Select your location</h1>
          <Badge>{getPlan(user.plan).name} plan</Badge>
        </div>
        <p className="mt-1 text-muted">
          {user.companyName}, {user.name}
        </p>
      </div>
      {closed !== null && (
        <Banner tone="warn">
          {placeName(closed)} is no longer part of your company’s plan: choose another location.
        </Banner>
      )}
      {state.error !== null && <Fault text={state.error} />}
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          go().catch(reportError)
        }}
      >
        <fieldset disabled={state.busy} className="flex flex-col gap-3 disabled:opacity-60">
          <legend className="sr-only">Location</legend>
          {offered.map((location) => (
            <LocationCard
              key={location.code}
              location={location}
              chosen={chosen === location.code}
              onChoose={() => setChosen(location.code)}
            />
          ))}
        </fieldset>
        {user.plan === 'starter' && (
          <UpgradeHint user={user} onUpgrade={() => void go().then(() => goTo(paths.plan))} />
        )}
        <div className="flex flex-wrap gap-3">
          <Button look="primary" submits rests={state.busy} className="flex-1">
            {state.busy ? 'Setting up...' : 'Continue to Dashboard'}
          </Button>
          <Button look="quiet" onClick={onLogout}>
            Logout
          </Button>
        </div>
      </form>
    </main>
  )
}
