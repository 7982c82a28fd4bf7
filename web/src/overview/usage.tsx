import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { howMany } from '@inventory-manager/contract/numbers'
import type { dashboard } from '@inventory-manager/contract/overview/endpoints'
import { usageTone } from '@inventory-manager/contract/overview/rules'
import { getPlan, type PlanKey } from '@inventory-manager/contract/plans'
import type { ReactNode } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { classNames } from '../ui/class-names.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'

type Dashboard = EndpointReply<typeof dashboard>

const planColours: Record<PlanKey, string> = {
  starter: 'bg-starter',
  professional: 'bg-professional',
  enterprise: 'bg-enterprise',
}

function PlanFigure({ plan }: { plan: PlanKey }) {
  return (
    <Figure label="Current Plan">
      <p>
        <span
          className={classNames(
            'rounded-full px-3 py-1 text-sm font-medium text-on-accent',
            planColours[plan],
          )}
        >
          {getPlan(plan).name}
        </span>
      </p>
    </Figure>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 grow basis-36 flex-col gap-2 rounded-card border border-line bg-surface p-4">
      <p className="text-sm text-muted">{label}</p>
      {children}
    </div>
  )
}

function shown(limit: number | 'unlimited'): string {
  return limit === 'unlimited' ? '∞' : formatNumber(limit)
}

function LabelsFigure({ used, limit }: { used: number; limit: number | 'unlimited' }) {
  return (
    <Figure label="Labels Used">
      <p className="text-lg font-semibold tabular-nums">
        {formatNumber(used)} / {shown(limit)}
      </p>
      {limit !== 'unlimited' && (
        <ProgressBar label="Labels used" value={used} max={limit} tone={usageTone(used / limit)} />
      )}
    </Figure>
  )
}

/** The plan, its limits, and how much of them is used. */
export function Usage({ data }: { data: Dashboard }) {
  const { subscription, usage } = data
  const { trial_days_remaining: days } = subscription
  return (
    <div className="flex flex-wrap gap-3">
      <PlanFigure plan={subscription.plan} />
      <LabelsFigure used={usage.labels_used} limit={usage.labels_limit} />
      <Figure label="Active Locations">
        <p className="text-lg font-semibold tabular-nums">
          {formatNumber(usage.locations_used)} / {shown(usage.locations_limit)}
        </p>
      </Figure>
      {days > 0 && (
        <Figure label="Trial Remaining">
          <p className="text-lg font-semibold tabular-nums">{howMany(days, 'day')}</p>
        </Figure>
      )}
    </div>
  )
}

/** What is known where the figures could not be loaded: the plan of the session. */
export function KnownPlan({ plan }: { plan: PlanKey }) {
  return (
    <div className="flex flex-wrap gap-3">
      <PlanFigure plan={plan} />
    </div>
  )
}
