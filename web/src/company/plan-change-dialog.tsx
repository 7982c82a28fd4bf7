import {
  changePlan,
  getPlanState,
  type ReadOnlyAfter,
} from '@inventory-manager/contract/company/plan-endpoints'
import type { Plan } from '@inventory-manager/contract/plans'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { newId } from '../lib/ids.ts'
import { formatNumber } from '../lib/numbers.ts'
import { updateUser } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Everything a smaller plan takes from people's hands, by name, and that nothing of it is lost. */
function BecomesReadOnly({ locations, users }: ReadOnlyAfter) {
  if (locations.length === 0 && users.length === 0) {
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
            <span className="font-medium">{name}</span>: {formatNumber(skus)} SKUs, {formatNumber(units)}{' '}
            pieces. Shown everywhere, but not counted or changed.
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
          Places go to administrators first, then to who joined first. Under Team you decide otherwise by
          deactivating somebody else.
        </p>
      )}
    </div>
  )
}

type PlanChangeDialogProps = { plan: Plan; readOnly: ReadOnlyAfter; paying: boolean; onClose: () => void }

/** Says what a plan means before it is taken. */
export function PlanChangeDialog({ plan, readOnly, paying, onClose }: PlanChangeDialogProps) {
  const client = useQueryClient()
  // One for all tries of this dialog, so that a lost answer begins no second checkout.
  const [idempotencyKey] = useState(newId)
  const change = useMutation({
    mutationFn: () =>
      call(changePlan, { body: { plan: plan.key, accept_read_only: true } }, { idempotencyKey }),
    onSuccess: async (reply) => {
      if (reply.checkout_url !== null) {
        window.location.assign(reply.checkout_url)
        return
      }
      await client.invalidateQueries({ queryKey: [getPlanState.path] })
      onClose()
      updateUser({ plan: reply.plan })
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
        {change.error !== null && <Banner tone="bad">{messageOf(change.error)}</Banner>}
        <p>
          {plan.name}, {plan.price}: {plan.features.slice(0, 3).join(', ').toLowerCase()}.
        </p>
        <BecomesReadOnly {...readOnly} />
      </div>
    </Dialog>
  )
}
