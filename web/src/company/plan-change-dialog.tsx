import {
  changePlan,
  getPlanState,
  type ReadOnlyAfter,
} from '@inventory-manager/contract/company/plan-endpoints'
import { howMany } from '@inventory-manager/contract/numbers'
import type { Plan } from '@inventory-manager/contract/plans'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { readAnew, readAnewAfter } from '../api/read-anew.ts'
import { formatNumber } from '../lib/numbers.ts'
import { askAsPresent, updateUser } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { useShown } from '../ui/use-shown.ts'

type Stops = ReadOnlyAfter['stops'] & { labels: string | null }

/** What a smaller plan no longer does, a sentence each. */
function stopsOf({ api_keys: keys, webhooks, branding, labels }: Stops): string[] {
  const access = [
    ...(keys > 0 ? [howMany(keys, 'API key')] : []),
    ...(webhooks > 0 ? [howMany(webhooks, 'webhook')] : []),
  ]
  return [
    ...(access.length > 0 ? [`${access.join(' and ')}, until a larger plan.`] : []),
    ...(branding ? ['Your logo and colour, until a larger plan.'] : []),
    ...(labels === null ? [] : [labels]),
  ]
}

/** Why no more labels can be printed this month; null where they can. */
function labelsStop({ labelsPerMonth: limit }: Plan, used: number): string | null {
  if (limit === null || used < limit) return null
  return `Labels, until next month: ${formatNumber(used)} of the plan’s ${formatNumber(limit)} are used.`
}

type Reduced = Omit<ReadOnlyAfter, 'stops' | 'invitations'>

function isAny({ locations, users }: Reduced): boolean {
  return locations.length > 0 || users.length > 0
}

/** Everything a smaller plan takes from people's hands, by name, and that nothing of it is lost. */
function BecomesReadOnly({ locations, users }: Reduced) {
  if (!isAny({ locations, users })) {
    return <p>Nothing that you use now becomes read-only.</p>
  }
  return (
    <div className="flex flex-col gap-3">
      <Banner tone="warn">
        This becomes read-only. Nothing is deleted, and a larger plan frees it again.
      </Banner>
      <ul className="list-disc space-y-1 pl-5">
        {locations.map(({ code, name, skus, units }) => (
          <li key={code}>
            <span className="font-medium">{name}</span>: {howMany(skus, 'SKU')}, {howMany(units, 'piece')}.
            Shown everywhere, but not counted or changed.
          </li>
        ))}
        {users.map(({ email, name }) => (
          <li key={email}>
            <span className="font-medium">{name}</span>{' '}
            <span className="wrap-anywhere text-muted">({email})</span>: signs in and sees everything, but
            does not count, change or print.
          </li>
        ))}
      </ul>
      {users.length > 0 && (
        <p className="text-sm text-muted">
          Seats go to administrators first, then to those who joined first. To choose differently, go to Team
          and deactivate somebody else.
        </p>
      )}
    </div>
  )
}

/** Who was invited and accepts too late is refused, so it is said before. */
function Invitations({ unseated, invited }: { unseated: number; invited: number }) {
  if (unseated === 0) return null
  return (
    <p>
      {formatNumber(unseated)} of {howMany(invited, 'open invitation')} will find no seat.
    </p>
  )
}

function Stops({ sentences }: { sentences: string[] }) {
  if (sentences.length === 0) return null
  return (
    <div>
      <p className="font-medium">This stops:</p>
      <ul className="list-disc space-y-1 pl-5">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  )
}

type PlanChangeDialogProps = {
  plan: Plan
  readOnly: ReadOnlyAfter
  labelsUsed: number
  /** How many invitations are open. */
  invited: number
  paying: boolean
  /** Whether nobody pays for anything here. */
  free: boolean
  onClose: () => void
}

/** Says what a plan means before it is taken. */
export function PlanChangeDialog(props: PlanChangeDialogProps) {
  const { plan, readOnly, labelsUsed, invited, paying, free, onClose } = props
  const isShown = useShown()
  // A lost answer begins no second checkout.
  const once = useOnce()
  const change = useMutation({
    mutationFn: () => {
      // Where nothing was shown, nothing is accepted: what has come since is named by the refusal.
      const body = { plan: plan.key, accept_read_only: isAny(readOnly) }
      const ask = () =>
        askAsPresent(
          () => once(body, (idempotencyKey) => call(changePlan, { body }, { idempotencyKey })),
          ({ checkout_url: checkout, plan: now }) => {
            if (checkout === null) updateUser({ plan: now })
            else window.location.assign(checkout)
          },
        )
      return readAnewAfter(ask, () => readAnew(getPlanState.path))
    },
    onSuccess({ checkout_url: checkout }) {
      if (checkout === null && isShown()) onClose()
    },
  })
  return (
    <Dialog
      title={paying ? `Subscribe to ${plan.name}` : `Change to ${plan.name}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={change.isPending} onClick={() => change.mutate()}>
            {paying ? 'Continue to payment' : 'Change plan'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {change.error !== null && <Fault text={messageOf(change.error)} />}
        <p>
          {plan.name}, {plan.price}: {plan.features.slice(0, 3).join(', ').toLowerCase()}.
          {free && ' Free of charge on this installation.'}
        </p>
        <BecomesReadOnly {...readOnly} />
        <Invitations unseated={readOnly.invitations ?? 0} invited={invited} />
        <Stops sentences={stopsOf({ ...readOnly.stops, labels: labelsStop(plan, labelsUsed) })} />
      </div>
    </Dialog>
  )
}
