import type { getPlanState } from '@inventory-manager/contract/company/plan-endpoints'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { howMany } from '@inventory-manager/contract/numbers'
import type { Plan } from '@inventory-manager/contract/plans'
import { formatNumber } from '../lib/numbers.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'

type Usage = EndpointReply<typeof getPlanState>['usage']

type FigureProps = { label: string; used: number; limit: number | null; note?: string }

function Figure({ label, used, limit, note }: FigureProps) {
  return (
    <div className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4">
      <p className="text-sm text-muted">{label}</p>
      <p className="text-lg font-semibold tabular-nums">
        {formatNumber(used)} / {limit === null ? '∞' : formatNumber(limit)}
      </p>
      {limit !== null && (
        <ProgressBar label={label} value={used} max={limit} tone={used >= limit ? 'warn' : 'accent'} />
      )}
      {note !== undefined && <p className="text-sm text-muted">{note}</p>}
    </div>
  )
}

/** What is used of each limit of the present plan. */
export function PlanUse({ plan, usage }: { plan: Plan; usage: Usage }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-3">
      <Figure label="Labels this month" used={usage.labels} limit={plan.labelsPerMonth} />
      <Figure label="Locations in use" used={usage.locations} limit={plan.maxLocations} />
      <Figure
        label="Users"
        used={usage.users + usage.invited}
        limit={plan.maxUsers}
        {...(usage.invited > 0 ? { note: `With ${howMany(usage.invited, 'open invitation')}.` } : {})}
      />
    </div>
  )
}
