import { isPaying } from '@inventory-manager/contract/company/subscription'
import type { PlanKey } from '@inventory-manager/contract/plans'
import type { FastifyInstance } from 'fastify'
import type { Database, Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import { recordConfigurationChange } from '../audit/configuration.ts'
import type { PayingProvider, ProviderSubscription } from './billing.ts'
import {
  isCompanyHere,
  keepCustomer,
  lockSubscription,
  takeEvent,
  updateSubscription,
} from './plan-queries.ts'
import { applyPlan } from './plan-service.ts'

const stripeItself = { userId: null, role: 'admin', userName: 'Stripe' }

type Known = Awaited<ReturnType<typeof lockSubscription>>

/** The running subscription of the company where that is another one. */
function findAnother(known: Known, subscriptionId: string): string | null {
  const id = known?.subscription_id ?? subscriptionId
  return id !== subscriptionId && isPaying(known?.status ?? 'none') ? id : null
}

/** Writes down what the provider says of a subscription, and gives the company the plan it pays for. */
async function takeOver(tx: Tx, known: Known, now: ProviderSubscription): Promise<void> {
  await updateSubscription(tx, now)
  const [before, after] = [known?.status ?? 'none', now.status]
  if (before !== after) {
    await recordConfigurationChange(tx, stripeItself, {
      event: 'subscription_changed',
      source: 'plan',
      old_value: before,
      new_value: after,
    })
  }
  if (isPaying(now.status) && now.plan !== null) await applyPlan(tx, stripeItself, now.plan)
}

/** What the company pays for when one of its subscriptions has ended: another one, or else the ended one. */
async function findPaidFor(
  { tenantId }: Tx,
  paying: PayingProvider,
  ended: ProviderSubscription,
): Promise<ProviderSubscription> {
  const running = await paying.listSubscriptions(ended.customerId)
  return running.find((other) => other.tenantId === tenantId && isPaying(other.status)) ?? ended
}

/**
 * Asks the provider for a subscription's present state and takes it over. Under the lock of the company's own row, so
 * that what was asked first is also written first. Gives the plan that the subscription is for, null for none of this
 * company's.
 */
export async function refreshSubscription(
  tx: Tx,
  paying: PayingProvider,
  subscriptionId: string,
): Promise<PlanKey | null> {
  const known = await lockSubscription(tx)
  const asked = await paying.getSubscription(subscriptionId)
  if (asked.tenantId !== tx.tenantId) return null
  const kept = findAnother(known, subscriptionId)
  if (kept === null) {
    // A company brought here from another installation is paid for, and nothing is known of it yet.
    await keepCustomer(tx, asked.customerId)
    const now = isPaying(asked.status) ? asked : await findPaidFor(tx, paying, asked)
    await takeOver(tx, known, now)
  } else if (isPaying(asked.status)) {
    // The first one stays while it is paid for: which of two to end is for people to decide.
    const facts = { event: 'second_subscription', source: 'plan', kept, second: subscriptionId } as const
    await recordConfigurationChange(tx, stripeItself, facts)
  }
  return asked.plan
}

type WebhookParts = { app: FastifyInstance; database: Database; notices: Notices; paying: PayingProvider }

/** Takes Stripe's events. Outside the contract: Stripe gives the form, and the signature needs the body as it came. */
export async function stripeWebhook({ app, database, notices, paying }: WebhookParts): Promise<void> {
  await app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    )
    scope.post('/api/billing/stripe-events', async (request, reply) => {
      const signature = request.headers['stripe-signature']
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body)) {
        throw new AppError('invalid_request', { sentence: 'The signature of this event is missing.' })
      }
      const event = await paying.readEvent(request.body, signature)
      if (event !== null) {
        // What the event says may be old by now, so it only says that there is something to ask for.
        const isHere = await database.inTenant(event.tenantId, async (tx) => {
          if (!(await isCompanyHere(tx))) return false
          if (await takeEvent(tx, event)) await refreshSubscription(tx, paying, event.subscriptionId)
          return true
        })
        if (isHere) notices.changed(event.tenantId)
        // Refused, it would be sent again for days.
        else request.log.warn({ event: event.id }, 'an event of Stripe is about a company that is not here')
      }
      return await reply.send({ received: true })
    })
    done()
  })
}
