import { createHash, randomUUID } from 'node:crypto'
import { planKeys, type PlanKey } from '@inventory-manager/contract/plans'
import { z } from 'zod'
import type { Stripe } from 'stripe'
import type { Config } from '../platform/config.ts'
import { AppError } from '../platform/http/app-error.ts'
import type {
  Billing,
  CheckoutOrder,
  PayingProvider,
  ProviderEvent,
  ProviderSubscription,
} from './billing.ts'

type Settings = {
  secretKey: string
  webhookSecret: string
  prices: Record<PlanKey, string>
  apiUrl: URL
  publicUrl: string
}

function settingsOf(config: Config): Settings | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, PUBLIC_URL: publicUrl } = config
  const starter = config.STRIPE_PRICE_STARTER
  const professional = config.STRIPE_PRICE_PROFESSIONAL
  const enterprise = config.STRIPE_PRICE_ENTERPRISE
  if (secretKey === undefined || webhookSecret === undefined || publicUrl === undefined) return null
  if (starter === undefined || professional === undefined || enterprise === undefined) return null
  return {
    secretKey,
    webhookSecret,
    publicUrl,
    prices: { starter, professional, enterprise },
    apiUrl: new URL(config.STRIPE_API_URL),
  }
}

const timeoutMs = 5_000

/** The SDK is large, so it is loaded with the first call that needs it. */
async function connect({ secretKey, apiUrl }: Settings): Promise<Stripe> {
  const { Stripe: Sdk } = await import('stripe')
  const http = apiUrl.protocol === 'http:'
  const usualPort = http ? 80 : 443
  return new Sdk(secretKey, {
    host: apiUrl.hostname,
    port: apiUrl.port === '' ? usualPort : Number(apiUrl.port),
    protocol: http ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

const statuses: Record<string, ProviderSubscription['status']> = {
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
}

/** Of which nothing was ever paid: they have not begun. */
const unbegun = new Set(['incomplete', 'incomplete_expired'])

function present(subscription: Stripe.Subscription, prices: Settings['prices']): ProviderSubscription {
  const { customer } = subscription
  const [item] = subscription.items.data
  // Stripe tells the end of a cancelled one in one of two ways, by how it reckons the subscription (its changelog of 2025-09-30).
  const { cancel_at: end, cancel_at_period_end: endsWithPeriod } = subscription
  const period = unbegun.has(subscription.status) ? undefined : (end ?? item?.current_period_end)
  const tenantId = z.uuid().safeParse(subscription.metadata['tenant_id'])
  return {
    subscriptionId: subscription.id,
    customerId: typeof customer === 'string' ? customer : customer.id,
    tenantId: tenantId.data ?? null,
    status: statuses[subscription.status] ?? 'ended',
    plan: planKeys.find((key) => prices[key] === item?.price.id) ?? null,
    periodEndsAt: period === undefined ? null : new Date(period * 1000),
    endsWithPeriod: endsWithPeriod || end !== null,
  }
}

/** What the events this product handles have in common, whichever version of the interface sent them. */
const aboutSubscription = z.object({
  object: z.literal('subscription'),
  id: z.string(),
  metadata: z.object({ tenant_id: z.uuid() }),
})
const aboutCheckout = z.object({
  object: z.literal('checkout.session'),
  subscription: z.string(),
  client_reference_id: z.uuid(),
})

function eventOf({ id, type, data }: Stripe.Event): ProviderEvent | null {
  const subscription = aboutSubscription.safeParse(data.object)
  if (subscription.success) {
    return {
      id,
      type,
      tenantId: subscription.data.metadata.tenant_id,
      subscriptionId: subscription.data.id,
    }
  }
  const checkout = aboutCheckout.safeParse(data.object)
  if (!checkout.success) return null
  return {
    id,
    type,
    tenantId: checkout.data.client_reference_id,
    subscriptionId: checkout.data.subscription,
  }
}

/** Stripe takes the end of a trial only when it is at least two days ahead. */
const leastTrialMs = 49 * 3_600_000

function checkoutOf(
  order: CheckoutOrder,
  { prices, publicUrl }: Settings,
): Stripe.Checkout.SessionCreateParams {
  const ahead = order.trialEndsAt.getTime() - Date.now()
  const trialEnd = Math.floor(order.trialEndsAt.getTime() / 1000)
  return {
    mode: 'subscription',
    customer: order.customerId,
    client_reference_id: order.tenantId,
    line_items: [{ price: prices[order.plan], quantity: 1 }],
    subscription_data: {
      metadata: { tenant_id: order.tenantId },
      ...(ahead > leastTrialMs ? { trial_end: trialEnd } : {}),
    },
    success_url: `${publicUrl}/plan?paid=yes`,
    cancel_url: `${publicUrl}/plan`,
  }
}

/**
 * Does a work at Stripe once for a key. Where Stripe itself failed it keeps that answer for a day, and who tries again would have it
 * again: then it is done under another key.
 */
async function under<T>(
  { key, stripe }: { key: string | null; stripe: Stripe },
  work: (options: { idempotencyKey?: string }) => Promise<T>,
): Promise<T> {
  if (key === null) return await work({})
  // Stripe takes no longer one, and clients of ours may send one of their own as long as that.
  const idempotencyKey = key.length <= 255 ? key : createHash('sha256').update(key).digest('hex')
  try {
    return await work({ idempotencyKey })
  } catch (error) {
    const isKeptFault =
      error instanceof stripe.errors.StripeError &&
      (error.statusCode ?? 0) >= 500 &&
      error.headers?.['idempotent-replayed'] === 'true'
    if (!isKeptFault) throw error
    return await work({ idempotencyKey: randomUUID() })
  }
}

/** Whether a key came with something else than before; one that is still in use is no such. */
function isKeyReused(error: Error, { errors }: Stripe): boolean {
  return error instanceof errors.StripeIdempotencyError && error.code !== 'idempotency_key_in_use'
}

/** Does a work with the SDK; what Stripe says no to is 'billing_failed', or 'key_reused'. */
async function ask<T>(connected: Promise<Stripe>, work: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = await connected
  try {
    return await work(stripe)
  } catch (error) {
    if (!(error instanceof stripe.errors.StripeError)) throw error
    throw new AppError(isKeyReused(error, stripe) ? 'key_reused' : 'billing_failed', { cause: error })
  }
}

type Signed = { body: Buffer; signature: string; secret: string }

function readSigned(stripe: Stripe, { body, signature, secret }: Signed): ProviderEvent | null {
  try {
    return eventOf(stripe.webhooks.constructEvent(body, signature, secret))
  } catch (error) {
    if (error instanceof stripe.errors.StripeSignatureVerificationError) {
      throw new AppError('invalid_request', {
        sentence: 'The signature of this event is not right.',
        cause: error,
      })
    }
    throw error
  }
}

/** Closes the checkouts that were opened before: paid for as well, each would be a subscription of its own. */
async function closeOtherCheckouts(
  stripe: Stripe,
  { kept, customer }: { kept: string; customer: string },
): Promise<void> {
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
  for (const { id } of data) if (id !== kept) await stripe.checkout.sessions.expire(id)
}

/** The subscriptions that were begun for a company; none where Stripe lets the account search nothing, as in some countries. */
async function search(stripe: Stripe, tenantId: string): Promise<Stripe.Subscription[]> {
  const query = `metadata["tenant_id"]:"${tenantId}"`
  try {
    return (await stripe.subscriptions.search({ query, limit: 100 })).data
  } catch (error) {
    // Who first pays there must be able to.
    if (error instanceof stripe.errors.StripeInvalidRequestError) return []
    throw error
  }
}

/** The calls the product makes of Stripe. */
function createProvider(settings: Settings): PayingProvider {
  let connecting: Promise<Stripe> | undefined
  const connected = () => (connecting ??= connect(settings))
  const { prices, publicUrl } = settings

  return {
    createCustomer: ({ tenantId, name, email }) =>
      ask(connected(), async (stripe) => {
        const metadata = { tenant_id: tenantId }
        // Stripe refuses a key with anything else than before for a day, and with another key there were two customers.
        const key = `customer of ${tenantId}`
        const { id } = await under({ key, stripe }, (options) =>
          stripe.customers.create({ metadata }, options),
        )
        await stripe.customers.update(id, { name, email })
        return id
      }),
    startCheckout: (order) =>
      ask(connected(), async (stripe) => {
        const key = order.key === null ? null : `${order.tenantId} ${order.key}`
        const session = await under({ key, stripe }, (options) =>
          stripe.checkout.sessions.create(checkoutOf(order, settings), options),
        )
        if (session.url === null) throw new AppError('billing_failed')
        await closeOtherCheckouts(stripe, { kept: session.id, customer: order.customerId })
        return session.url
      }),
    openPortal: (customer) =>
      ask(connected(), async (stripe) => {
        const session = await stripe.billingPortal.sessions.create({
          customer,
          return_url: `${publicUrl}/plan`,
        })
        return session.url
      }),
    changeSubscription: (id, { plan, key }) =>
      ask(connected(), async (stripe) => {
        const [item] = (await stripe.subscriptions.retrieve(id)).items.data
        if (item === undefined) throw new AppError('billing_failed')
        const items = [{ id: item.id, price: prices[plan] }]
        const change = { items, proration_behavior: 'create_prorations' } as const
        await under({ key: key === null ? null : `${id} ${key}`, stripe }, (options) =>
          stripe.subscriptions.update(id, change, options),
        )
      }),
    getSubscription: (id) =>
      ask(connected(), async (stripe) => present(await stripe.subscriptions.retrieve(id), prices)),
    listSubscriptions: (customer) =>
      ask(connected(), async (stripe) => {
        const { data } = await stripe.subscriptions.list({ customer })
        return data.map((subscription) => present(subscription, prices))
      }),
    searchSubscriptions: (tenantId) =>
      ask(connected(), async (stripe) => {
        const found = await search(stripe, tenantId)
        return found.map((subscription) => present(subscription, prices))
      }),
    async readEvent(body, signature) {
      return readSigned(await connected(), { body, signature, secret: settings.webhookSecret })
    },
  }
}

/** How companies of this installation come to their plan: by Stripe where its settings are there, else freely. */
export function createBilling(config: Config): Billing {
  const settings = settingsOf(config)
  return settings === null ? { provider: 'none' } : { provider: 'stripe', paying: createProvider(settings) }
}
