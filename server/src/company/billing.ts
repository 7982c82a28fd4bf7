import type { BillingProvider } from '@inventory-manager/contract/company/subscription'
import type { PlanKey } from '@inventory-manager/contract/plans'
import type { KnownSubscription } from './plan-queries.ts'

/** What a payment provider says of a subscription now. */
export type ProviderSubscription = KnownSubscription & {
  tenantId: string | null
  /** Null for a price that is none of this installation's plans. */
  plan: PlanKey | null
}

export type ProviderEvent = { id: string; type: string; tenantId: string; subscriptionId: string }

export type CheckoutOrder = {
  tenantId: string
  customerId: string
  plan: PlanKey
  /** The first payment is due when the trial ends, not before. */
  trialEndsAt: Date
  /** The same key never begins a second checkout. */
  key: string | null
}

/** A payment provider. Its calls throw 'billing_failed' when it does not answer as expected, 'key_reused' for another wish. */
export type PayingProvider = {
  createCustomer(company: { tenantId: string; name: string; email: string }): Promise<string>
  /** The address of the page where the plan is paid for. */
  startCheckout(order: CheckoutOrder): Promise<string>
  /** The address of the page where cards, invoices and the end are managed. */
  openPortal(customerId: string): Promise<string>
  /** Sets the plan of a subscription; the same key never does it a second time. */
  changeSubscription(subscriptionId: string, change: { plan: PlanKey; key: string | null }): Promise<void>
  getSubscription(subscriptionId: string): Promise<ProviderSubscription>
  /** A customer's subscriptions that have not ended, the newest first. */
  listSubscriptions(customerId: string): Promise<ProviderSubscription[]>
  /** A company's subscriptions, whoever the customer is: for one of which no customer is known here. */
  searchSubscriptions(tenantId: string): Promise<ProviderSubscription[]>
  /** Checks the signature; null for an event that is about no subscription here. Throws 'invalid_request'. */
  readEvent(body: Buffer, signature: string): Promise<ProviderEvent | null>
}

/** How companies come to their plan: chosen freely, or paid for. */
export type Billing =
  | { provider: Extract<BillingProvider, 'none'> }
  | { provider: Extract<BillingProvider, 'stripe'>; paying: PayingProvider }
