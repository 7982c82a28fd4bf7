import { getPlanState, openBillingPortal } from '@inventory-manager/contract/company/plan-endpoints'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { getPlan, plans, type PlanKey } from '@inventory-manager/contract/plans'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { formatDate } from '../lib/dates.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { useListFocus } from '../ui/use-list-focus.ts'
import { PlanCard } from './plan-card.tsx'
import { PlanChangeDialog } from './plan-change-dialog.tsx'
import { PlanUse } from './plan-use.tsx'

type PlanState = EndpointReply<typeof getPlanState>

/** Where the company stands with its plan, in a sentence. */
function standing({ plan, status, billing, trial_ends_at: trialEnd }: PlanState): string {
  const period = billing.period_ends_at === null ? '' : formatDate(billing.period_ends_at)
  if (billing.has_subscription && period !== '') {
    return billing.ends_with_period ? `Ends on ${period}, and is not renewed.` : `Renews on ${period}.`
  }
  if (status !== 'trial') return ''
  const end = `Your free trial ends on ${formatDate(trialEnd)}.`
  return billing.provider === 'none'
    ? `${end} Your company then goes on with the ${getPlan(plan).name} plan, free of charge.`
    : end
}

/** Whether there is a subscription, or was one: the provider then has its bills and its card. */
function hasBilling({ billing }: PlanState): boolean {
  return billing.provider !== 'none' && billing.period_ends_at !== null
}

/** What came of a payment that somebody comes back from: some ways to pay are confirmed days `late`. */
type Payment = 'none' | 'awaited' | 'late' | 'confirmed'

function LatePayment() {
  return (
    <Banner tone="warn">
      No payment is confirmed yet. If you have just paid, do not pay again: your plan begins as soon as the
      payment is confirmed.
    </Banner>
  )
}

function Notices({ state, payment }: { state: PlanState; payment: Payment }) {
  if (state.status === 'trial_expired' && payment !== 'awaited') {
    return (
      <>
        <Banner tone="bad">
          {hasBilling(state) ? 'Your subscription' : 'Your free trial'} has ended. Choose a plan to continue.
          Everything you have stays readable.
        </Banner>
        {payment === 'late' && <LatePayment />}
      </>
    )
  }
  if (state.status === 'past_due') {
    return (
      <Banner tone="warn">The last payment did not go through. Check the card under ‘Manage billing’.</Banner>
    )
  }
  switch (payment) {
    case 'none':
      return null
    case 'late':
      return <LatePayment />
    case 'confirmed':
      return <Banner tone="good">Thank you. Your plan is paid.</Banner>
    case 'awaited':
      return <Banner tone="info">Thank you. Your plan begins as soon as the payment is confirmed.</Banner>
  }
}

function ManageBilling() {
  const portal = useMutation({
    mutationFn: () => call(openBillingPortal, {}),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <>
      {portal.error !== null && <Fault text={messageOf(portal.error)} />}
      <Button disabled={portal.isPending} onClick={() => portal.mutate()}>
        Manage billing
      </Button>
    </>
  )
}

type ChoicesProps = { state: PlanState; payment: Payment }

/** The plans side by side, and the dialog of the one that is wanted. */
function Choices({ state, payment }: ChoicesProps) {
  const [wanted, setWanted] = useState<PlanKey | null>(null)
  const { billing, choices } = state
  const free = billing.provider === 'none'
  const paying = !free && !billing.has_subscription
  const choice = choices.find(({ plan }) => plan === wanted)
  const list = useListFocus<HTMLUListElement>(choice === undefined ? choices.length : null)
  return (
    <>
      <Notices state={state} payment={payment} />
      <PlanUse plan={getPlan(state.plan)} usage={state.usage} />
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Plans"
        className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-3"
      >
        {plans.map((plan, index) => (
          <PlanCard
            key={plan.key}
            plan={plan}
            current={plan.key === state.plan}
            lesser={index < plans.findIndex(({ key }) => key === state.plan)}
            paying={paying}
            onChoose={() => setWanted(plan.key)}
          />
        ))}
      </ul>
      {free && (
        <p className="text-sm text-muted">
          This installation takes no payments: a plan begins as soon as you choose it.
        </p>
      )}
      {choice !== undefined && (
        <PlanChangeDialog
          plan={getPlan(choice.plan)}
          readOnly={choice.read_only}
          labelsUsed={state.usage.labels}
          invited={state.usage.invited}
          paying={paying}
          free={free}
          onClose={() => setWanted(null)}
        />
      )}
    </>
  )
}

/** How often a payment is asked for that is not confirmed yet. */
const confirmationMs: Partial<Record<Payment, number>> = { awaited: 3_000, late: 30_000 }

/** Who looks at the same address long after the payment is told how things stand. */
const longestConfirmationMs = 120_000

function useIsLate(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), longestConfirmationMs)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}

type Return = { comesBack: boolean; isLate: boolean }

function paymentOf({ billing }: PlanState, { comesBack, isLate }: Return): Payment {
  if (!comesBack) return 'none'
  if (billing.has_subscription) return 'confirmed'
  return isLate ? 'late' : 'awaited'
}

/** The company's plan: where it stands, what is used of it, and the way to another. */
export function PlanScreen() {
  const payment = { comesBack: useSearch().includes('paid=yes'), isLate: useIsLate() }
  const { data, error, refetch } = useQuery({
    queryKey: [getPlanState.path],
    queryFn: ({ signal }) => call(getPlanState, {}, { signal }),
    // The provider's confirmation comes to the server a moment after the customer comes back.
    refetchInterval: ({ state }) =>
      (state.data === undefined ? undefined : confirmationMs[paymentOf(state.data, payment)]) ?? false,
  })
  return (
    <Page
      title="Plan and Billing"
      subtitle={data === undefined ? undefined : `${getPlan(data.plan).name} plan. ${standing(data)}`}
      actions={data !== undefined && hasBilling(data) ? <ManageBilling /> : undefined}
    >
      {error !== null && (
        <LoadFailure text={`Error loading the plan: ${messageOf(error)}`} onRetry={refetch} />
      )}
      {data === undefined && error === null && <Loading label="Loading the plan..." />}
      {data !== undefined && <Choices state={data} payment={paymentOf(data, payment)} />}
    </Page>
  )
}
