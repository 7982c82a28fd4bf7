import type { Plan } from '@inventory-manager/contract/plans'
import Check from 'lucide-react/icons/check'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'

type PlanCardProps = {
  plan: Plan
  current: boolean
  /** Whether it is less than the company has. */
  lesser: boolean
  /** Whether the company has yet to pay for a plan, also for the one it has. */
  paying: boolean
  onChoose: () => void
}

function buttonText({ name }: Plan, { current, paying }: { current: boolean; paying: boolean }): string {
  if (paying) return `Subscribe to ${name}`
  return current ? 'Your plan' : `Change to ${name}`
}

/** One plan of the catalogue. */
export function PlanCard({ plan, current, lesser, paying, onChoose }: PlanCardProps) {
  return (
    <li
      className={classNames(
        'flex flex-col gap-4 rounded-card border bg-surface p-4',
        current ? 'border-accent' : 'border-line',
      )}
    >
      <div>
        <h2 className="flex flex-wrap items-center gap-2 font-semibold">
          {plan.name}
          {current && <Badge tone="info">Your plan</Badge>}
          {plan.popular && !current && <Badge>Popular</Badge>}
        </h2>
        <p className="mt-1 text-lg font-semibold tabular-nums">{plan.price}</p>
        <p className="text-sm text-muted">{plan.description}</p>
      </div>
      <ul className="flex flex-1 flex-col gap-1.5">
        {plan.features.map((feature) => (
          <li key={feature} className="flex items-start gap-2 text-sm">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
            {feature}
          </li>
        ))}
      </ul>
      <Button
        look={(current || lesser) && !paying ? 'secondary' : 'primary'}
        disabled={current && !paying}
        onClick={onChoose}
      >
        {buttonText(plan, { current, paying })}
      </Button>
    </li>
  )
}
