import { isPaying } from '@inventory-manager/contract/company/subscription'
import type { PlanKey } from '@inventory-manager/contract/plans'
import type { FastifyInstance } from 'fastify'
import { isCompanyHere } from '../accounts/queries.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import { recordConfigurationChange } from '../audit/configuration.ts'
import type { PayingProvider, ProviderSubscription } from './billing.ts'
import {
  findSubscription,
  keepCustomer,
  lockSubscription,
  takeEvent,
  updateSubscription,
} from './plan-queries.ts'
import { applyPlan } from './plan-service.ts'

const stripeItself = { userId: null, role: 'admin', userName: 'Stripe' }

type Known = Awaited<ReturnType<typeof lockSubscription>>
type Before = Awaited<ReturnType<typeof findSubscription>>

type Asking = {
  tenantId: string
  subscriptionId: string
  /** What of the provider's told to ask; null where it was somebody here. */
  event: { id: string; type: string } | null
}

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

/** What the provider says of a subscription, and of another one that is paid for where that has ended; else of the same. */
type Answer = { asked: ProviderSubscription; paidFor: ProviderSubscription }

async function askProvider(paying: PayingProvider, { tenantId, subscriptionId }: Asking): Promise<Answer> {
  const asked = await paying.getSubscription(subscriptionId)
  if (asked.tenantId !== tenantId || isPaying(asked.status)) return { asked, paidFor: asked }
  const running = await paying.listSubscriptions(asked.customerId)
  const another = running.find((other) => other.tenantId === tenantId && isPaying(other.status))
  return { asked, paidFor: another ?? asked }
}

async function takeAnswer(tx: Tx, known: Known, { asked, paidFor }: Answer): Promise<void> {
  const kept = findAnother(known, asked.subscriptionId)
  // The bills of one that was paid for stay to be seen where another was not.
  const isUnbegun = paidFor.status === 'ended' && paidFor.periodEndsAt === null
  if (isUnbegun && known?.period_ends_at != null) return
  if (kept === null) {
    await takeOver(tx, known, paidFor)
  } else if (isPaying(asked.status)) {
    // The first one stays while it is paid for: which of two to end is for people to decide.
    const second = asked.subscriptionId
    const facts = { event: 'second_subscription', source: 'plan', kept, second } as const
    await recordConfigurationChange(tx, stripeItself, facts)
  }
}

/** Takes an answer over, and its event once; false where something else was taken over since it was asked for. */
async function takeInTurn(
  tx: Tx,
  { before, event, answer }: Pick<Asking, 'event'> & { before: Before; answer: Answer },
): Promise<boolean> {
  const isOurs = answer.asked.tenantId === tx.tenantId
  // A company brought here from another installation is paid for, and nothing is known of it yet.
  if (isOurs) await keepCustomer(tx, answer.asked.customerId)
  const known = await lockSubscription(tx)
  const isAsBefore =
    before === null
      ? (known?.subscription_id ?? null) === null
      : known?.updated_at.getTime() === before.updated_at.getTime()
  if (!isAsBefore) return false
  const isNews = event === null || (await takeEvent(tx, event))
  if (isOurs && isNews) await takeAnswer(tx, known, answer)
  return true
}

const mostTries = 10

/**
 * Asks the provider for a subscription's present state and takes it over, with no transaction open while the provider takes its time:
 * an answer beside which another one was written is asked for again, so that what was asked first is also written first. Gives the
 * plan that the subscription is for, null for none of this company's.
 */
export async function refreshSubscription(
  { database, paying }: Pick<WebhookParts, 'database' | 'paying'>,
  asking: Asking,
): Promise<PlanKey | null> {
  const { tenantId, event } = asking
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await database.inTenant(tenantId, findSubscription)
    const answer = await askProvider(paying, asking)
    const isTaken = await database.inTenant(tenantId, (tx) => takeInTurn(tx, { before, event, answer }))
    if (isTaken) return answer.asked.tenantId === tenantId ? answer.asked.plan : null
  }
  throw new AppError('unavailable')
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
        const { tenantId, subscriptionId } = event
        const isHere = await database.inTenant(tenantId, isCompanyHere)
        if (isHere) await refreshSubscription({ database, paying }, { tenantId, subscriptionId, event })
        if (isHere) notices.changed(tenantId)
        // Refused, it would be sent again for days.
        else request.log.warn({ event: event.id }, 'an event of Stripe is about a company that is not here')
      }
      return await reply.send({ received: true })
    })
    done()
  })
}
