import {
  changePlan,
  getPlanState,
  openBillingPortal,
} from '@inventory-manager/contract/company/plan-endpoints'
import { isPaying } from '@inventory-manager/contract/company/subscription'
import { planKeys, type PlanKey } from '@inventory-manager/contract/plans'
import { countSeats } from '../accounts/seats.ts'
import { countLabelsUsed } from '../accounts/plan-use.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { lockCompany } from '../platform/db/lock-company.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import { once, requestHash } from '../platform/http/idempotency.ts'
import type { Actor } from '../platform/http/identity.ts'
import type { Billing, PayingProvider } from './billing.ts'
import { findSubscription, keepCustomer } from './plan-queries.ts'
import { applyPlan, readOnlyAfter, readUse, requireAccepted } from './plan-service.ts'
import { refreshSubscription } from './stripe-webhook.ts'

export type PlanParts = { database: Database; billing: Billing }

type Wish = { plan: PlanKey; accepted: boolean; key: string | null }

/** The customer the provider knows the company as, made where there is none yet. */
async function customerOf({ database }: PlanParts, paying: PayingProvider, actor: Actor): Promise<string> {
  const known = await database.inTenant(actor.tenantId, findSubscription)
  if (known !== null) return known.customer_id
  const { tenantId, companyName: name, email } = actor
  const customerId = await paying.createCustomer({ tenantId, name, email })
  return await database.inTenant(tenantId, async (tx) => {
    await keepCustomer(tx, customerId)
    return (await findSubscription(tx))?.customer_id ?? customerId
  })
}

/** The subscription that the company pays for; one that was begun a moment ago, or since a backup, may be known to the provider alone. */
async function findRunning(
  { database }: PlanParts,
  paying: PayingProvider,
  { tenantId, subscription }: Actor,
): Promise<string | null> {
  const known = await database.inTenant(tenantId, findSubscription)
  if (isPaying(subscription) && known !== null && known.subscription_id !== null) return known.subscription_id
  const all = await (known === null
    ? paying.searchSubscriptions(tenantId)
    : paying.listSubscriptions(known.customer_id))
  const running = all.find((each) => each.tenantId === tenantId && isPaying(each.status))
  return running?.subscriptionId ?? null
}

/** Sets the plan of a running subscription; answers the plan that it is for then. */
async function changeRunning(
  { database }: PlanParts,
  paying: PayingProvider,
  { subscriptionId, actor, wish }: { subscriptionId: string; actor: Actor; wish: Wish },
): Promise<PlanKey> {
  await paying.changeSubscription(subscriptionId, wish)
  try {
    // A wish that was sent again changes nothing, and another may have been fulfilled since.
    const asking = { tenantId: actor.tenantId, subscriptionId, event: null }
    return (await refreshSubscription({ database, paying }, asking)) ?? actor.plan
  } catch (error) {
    // It is changed, and the provider's event tells the rest.
    if (error instanceof AppError && error.code === 'billing_failed') return wish.plan
    throw error
  }
}

/** Changes a running subscription at once, or says where one is begun. No transaction stays open meanwhile. */
async function payFor(
  parts: PlanParts,
  paying: PayingProvider,
  { actor, wish }: { actor: Actor; wish: Wish },
): Promise<{ plan: PlanKey; checkout_url: string | null }> {
  const subscriptionId = await findRunning(parts, paying, actor)
  if (subscriptionId !== null) {
    const plan = await changeRunning(parts, paying, { subscriptionId, actor, wish })
    return { plan, checkout_url: null }
  }
  const customerId = await customerOf(parts, paying, actor)
  const { tenantId, trialEndsAt } = actor
  const order = { tenantId, customerId, plan: wish.plan, trialEndsAt, key: wish.key }
  return { plan: actor.plan, checkout_url: await paying.startCheckout(order) }
}

/** Gives the company a plan that is not paid for here, once for a key: a retry must not undo a later choice. */
async function takePlan(tx: Tx, actor: Actor, { key, ...wish }: Wish): Promise<void> {
  async function work(): Promise<null> {
    // What another administrator adds at the same moment is seen, or comes after.
    await lockCompany(tx)
    await requireAccepted(tx, wish)
    await applyPlan(tx, actor, wish.plan)
    return null
  }
  if (key === null) await work()
  else await once({ tx, actor }, { key, hash: requestHash(changePlan.path, wish) }, work)
}

export function planRoutes(bind: Binder, parts: PlanParts): void {
  const { billing } = parts

  bind.member(getPlanState, async ({ tx, actor }) => {
    const [subscription, seats, labels, use] = await Promise.all([
      findSubscription(tx),
      countSeats(tx),
      countLabelsUsed(tx, actor.timeZone),
      readUse(tx),
    ])
    return {
      plan: actor.plan,
      status: actor.subscription,
      trial_ends_at: actor.trialEndsAt.toISOString(),
      billing: {
        provider: billing.provider,
        has_subscription: billing.provider !== 'none' && isPaying(actor.subscription),
        period_ends_at: subscription?.period_ends_at?.toISOString() ?? null,
        ends_with_period: subscription?.ends_with_period ?? false,
      },
      usage: {
        labels,
        locations: Math.max(1, use.locationsInUse.length),
        users: seats.users,
        invited: seats.invited,
      },
      choices: planKeys.map((plan) => ({ plan, read_only: readOnlyAfter(use, plan) })),
    }
  })

  bind.ownTransaction(
    changePlan,
    async ({ tx, actor, body, key }) => {
      const wish: Wish = { plan: body.plan, accepted: body.accept_read_only, key }
      if (billing.provider === 'none') await takePlan(tx, actor, wish)
      else await requireAccepted(tx, wish)
      return wish
    },
    async ({ actor, begun: wish }) => {
      if (billing.provider === 'none') return { success: true, plan: wish.plan, checkout_url: null }
      return { success: true, ...(await payFor(parts, billing.paying, { actor, wish })) }
    },
  )

  bind.ownTransaction(
    openBillingPortal,
    ({ tx }) => findSubscription(tx),
    async ({ begun: known }) => {
      if (billing.provider === 'none' || known === null) throw new AppError('no_subscription')
      return { success: true, url: await billing.paying.openPortal(known.customer_id) }
    },
  )
}
