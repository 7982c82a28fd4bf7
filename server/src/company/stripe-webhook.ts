import { isPaying } from '@inventory-manager/contract/company/subscription'
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
async function takeOver(tx: Tx, now: ProviderSubscription): Promise<void> {
  const known = await lockSubscription(tx)
  const kept = findAnother(known, now.subscriptionId)
  if (kept !== null) {
    // The first one stays: which of two to end is for people to decide.
    const second = now.subscriptionId
    if (isPaying(now.status)) {
      await recordConfigurationChange(tx, stripeItself, {
        event: 'second_subscription',
        source: 'plan',
        kept,
        second,
      })
    }
    return
  }
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

/**
 * Asks the provider for a subscription's present state and takes it over. Under the lock of the company's own row, so
 * that what was asked first is also written first.
 */
export async function refreshSubscription(
  tx: Tx,
  paying: PayingProvider,
  subscriptionId: string,
): Promise<void> {
  await lockSubscription(tx)
  const now = await paying.getSubscription(subscriptionId)
  if (now.tenantId !== tx.tenantId) return
  // A company brought here from another installation is paid for, and nothing is known of it yet.
  await keepCustomer(tx, now.customerId)
  await takeOver(tx, now)
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
