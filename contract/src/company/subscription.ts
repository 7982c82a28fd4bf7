/** How a company stands with its plan. With billing provider 'none' a trial that ends turns into 'active'. */
export const subscriptionStatuses = ['trial', 'active', 'past_due', 'trial_expired'] as const

export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

export type BillingProvider = 'none' | 'stripe'

/** What the payment provider last said of a company's subscription. */
export type PaidStatus = 'none' | 'active' | 'past_due' | 'ended'

/** Whether a subscription runs: paid for, or its payment being tried again. */
export function isPaying(status: SubscriptionStatus | PaidStatus): status is 'active' | 'past_due' {
  return status === 'active' || status === 'past_due'
}

/** How a company stands, from its trial and its subscription. */
export function subscriptionStatus(company: {
  provider: BillingProvider
  paid: PaidStatus
  trialIsOver: boolean
}): SubscriptionStatus {
  const { provider, paid, trialIsOver } = company
  if (provider === 'stripe' && isPaying(paid)) return paid
  if (!trialIsOver) return 'trial'
  return provider === 'none' ? 'active' : 'trial_expired'
}
