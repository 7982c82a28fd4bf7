import { randomUUID } from 'node:crypto'
import type { PlanKey } from '@inventory-manager/contract/plans'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { startStripe, type StripeStandIn } from '../../test/stripe.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let stripe: StripeStandIn
let app: TestApp
beforeAll(async () => {
  stripe = await startStripe()
  app = await startTestApp(stripe.settings)
})
afterAll(async () => {
  await app.close()
  await stripe.close()
})

const setPlan = (admin: Person, plan: string) =>
  app.ask({ path: '/api/company/plan', token: admin.token, body: { plan, accept_read_only: true } })

const stateOf = async (admin: Person) =>
  (await app.ask({ method: 'GET', path: '/api/company/plan', token: admin.token })).body

const endTrial = (admin: Person) =>
  app.owner.query('update companies set trial_ends_at = now() where tenant_id = $1', [admin.tenantId])

const deliver = (event: ReturnType<StripeStandIn['event']>) =>
  app.ask({ path: '/api/billing/stripe-events', ...event })

let subscriptions = 0

/** A subscription as Stripe has it after a checkout, and the event that says so. */
function subscribe(admin: Person, price: string) {
  subscriptions += 1
  const id = `sub_${subscriptions}`
  stripe.subscriptions.set(id, {
    id,
    price,
    status: 'active',
    tenantId: admin.tenantId,
    endsWithPeriod: false,
  })
  const about = { object: 'subscription', id, metadata: { tenant_id: admin.tenantId } }
  const checkout = {
    object: 'checkout.session',
    id: 'cs_1',
    subscription: id,
    client_reference_id: admin.tenantId,
  }
  return { id, about, checkout }
}

function end(id: string): void {
  const running = stripe.subscriptions.get(id)
  if (running !== undefined) running.status = 'canceled'
}

const writes = async (admin: Person) => {
  const token = admin.token
  const timestamp = new Date().toISOString()
  const replies = [
    await app.ask({ path: '/api/components/import', token, body: [{ barcode: 'A' }] }),
    await app.ask({
      path: '/api/components/update-with-tracking',
      token,
      body: { barcode: 'A', quantity: 0, location: 'PRIMARY', session: timestamp, timestamp },
    }),
    await app.ask({ path: '/api/generate-labels', token, body: { components: [{ barcode: 'A' }] } }),
    await app.ask({
      path: '/api/components/update-quantity',
      token,
      body: { barcode: 'A', quantity: 0, location: 'PRIMARY' },
    }),
    await app.ask({ path: '/api/components/reset-counts', token, body: { location: 'PRIMARY' } }),
  ]
  return replies.map(({ status }) => status)
}

/** A customer with a checkout behind it. */
async function customer(plan: PlanKey = 'starter'): Promise<Person> {
  const admin = await makeCompany(app, { plan })
  await setPlan(admin, plan)
  return admin
}

describe('a trial that ended without a subscription', () => {
  it('leaves everything readable and refuses whatever writes stock, counts or prints', async () => {
    const admin = await makeCompany(app)
    expect(await writes(admin)).toEqual([200, 200, 200, 200, 200])
    await endTrial(admin)
    expect(await writes(admin)).toEqual([402, 402, 402, 402, 402])
    const refused = await app.ask({
      path: '/api/components/import',
      token: admin.token,
      body: [{ barcode: 'B' }],
    })
    expect(refused.body).toEqual({
      success: false,
      error: 'Your free trial has ended. Choose a plan to continue.',
      code: 'trial_expired',
    })
    const labels = await app.ask({
      path: '/api/labels/bins',
      token: admin.token,
      body: { location: 'PRIMARY' },
    })
    expect([labels.status, labels.body]).toEqual([402, refused.body])
    for (const path of ['/api/components', '/api/count-history', '/api/audit/trail', '/api/dashboard']) {
      expect((await app.ask({ method: 'GET', path, token: admin.token })).status).toBe(200)
    }
    const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })
    expect(body).toMatchObject({ subscription: { status: 'trial_expired', trial_days_remaining: 0 } })
  })
})

describe('paying by Stripe', () => {
  it('leads to a checkout for the plan, whose first payment waits for the end of the trial', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    expect((await setPlan(admin, 'professional')).body).toEqual({
      success: true,
      plan: 'starter',
      checkout_url: 'https://checkout.example/pay',
    })
    const order = stripe.requests.findLast(({ call }) => call === 'POST /v1/checkout/sessions')
    expect(order?.fields).toMatchObject({
      mode: 'subscription',
      customer: 'cus_1',
      client_reference_id: admin.tenantId,
      'line_items[0][price]': 'price_professional',
      'line_items[0][quantity]': '1',
      'subscription_data[metadata][tenant_id]': admin.tenantId,
      'subscription_data[trial_end]': expect.stringMatching(/^\d{10}$/),
      success_url: 'https://count.example.com/plan?paid=yes',
    })
    expect(await stateOf(admin)).toMatchObject({ plan: 'starter', status: 'trial' })
  })

  it('goes on with the customer whose making was not heard of, also when the company has another name since', async () => {
    const admin = await customer()
    // As where the answer got lost.
    await app.owner.query('delete from subscriptions where tenant_id = $1', [admin.tenantId])
    const body = { name: 'Nordlager AG' }
    await app.done({ path: '/api/company/settings', token: admin.token, body })
    const { status, body: chosen } = await setPlan(admin, 'professional')
    expect([status, chosen]).toMatchObject([200, { checkout_url: 'https://checkout.example/pay' }])
    const made = stripe.requests.filter(
      ({ call, fields }) => call === 'POST /v1/customers' && fields['metadata[tenant_id]'] === admin.tenantId,
    )
    expect(made).toHaveLength(2)
    expect(new Set(made.map(({ key }) => key)).size).toBe(1)
    const named = stripe.requests.findLast(({ call }) => call === 'POST /v1/customers/cus_1')
    expect(named?.fields).toEqual({ name: 'Nordlager AG', email: admin.email })
  })

  it('begins the plan when the payment is reported, and ends the wait of an ended trial', async () => {
    const admin = await customer()
    await endTrial(admin)
    const { checkout } = subscribe(admin, 'price_professional')
    const reported = await deliver(stripe.event('checkout.session.completed', checkout))
    expect([reported.status, reported.body]).toEqual([200, { received: true }])
    expect(await stateOf(admin)).toMatchObject({
      plan: 'professional',
      status: 'active',
      billing: { provider: 'stripe', has_subscription: true, ends_with_period: false },
    })
    expect(await writes(admin)).toEqual([200, 200, 200, 200, 200])
  })

  it('takes each event once, in whatever order events arrive', async () => {
    const admin = await customer()
    const { id, about } = subscribe(admin, 'price_professional')
    const created = stripe.event('customer.subscription.created', about)
    const deleted = stripe.event('customer.subscription.deleted', about)
    stripe.subscriptions.set(id, {
      id,
      price: 'price_professional',
      status: 'canceled',
      tenantId: admin.tenantId,
      endsWithPeriod: false,
    })
    // The older event comes last, and comes five times at once.
    expect((await deliver(deleted)).status).toBe(200)
    const replies = await Promise.all(Array.from({ length: 5 }, () => deliver(created)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await stateOf(admin)).toMatchObject({ status: 'trial', billing: { has_subscription: false } })
    const { rows } = await app.owner.query(
      `select (select count(*)::integer from billing_events where tenant_id = $1) as events,
         (select count(*)::integer from audit_entries where tenant_id = $1 and event = 'subscription_changed') as changes`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ events: 2, changes: 1 }])
  })

  it('asks again for an event that could not be handled', async () => {
    const admin = await customer()
    const { id, about } = subscribe(admin, 'price_professional')
    const stored = stripe.subscriptions.get(id)
    stripe.subscriptions.delete(id)
    const event = stripe.event('customer.subscription.created', about)
    expect((await deliver(event)).status).toBe(502)
    if (stored !== undefined) stripe.subscriptions.set(id, stored)
    expect((await deliver(event)).status).toBe(200)
    expect(await stateOf(admin)).toMatchObject({ plan: 'professional', status: 'active' })
  })

  it('holds nobody up while Stripe takes its time over more events than there are connections to the database', async () => {
    const admins = await Promise.all(Array.from({ length: 12 }, () => customer()))
    const events = admins.map((admin) => {
      const { about } = subscribe(admin, 'price_professional')
      return stripe.event('customer.subscription.created', about)
    })
    const answer = stripe.holdAnswers()
    const asked = stripe.requests.length
    let taken = 0
    const delivered = events.map(async (event) => {
      const { status } = await deliver(event)
      taken += 1
      return status
    })
    await expect.poll(() => stripe.requests.length).toBe(asked + 12)
    for (const admin of admins.slice(0, 3)) expect(await stateOf(admin)).toMatchObject({ plan: 'starter' })
    expect(taken).toBe(0)
    answer()
    expect(await Promise.all(delivered)).toEqual(events.map(() => 200))
    for (const admin of admins) expect(await stateOf(admin)).toMatchObject({ plan: 'professional' })
  })

  it('writes what Stripe said last, whichever of two answers comes first', async () => {
    const admin = await customer()
    const { id, about } = subscribe(admin, 'price_professional')
    await deliver(stripe.event('customer.subscription.created', about))
    const replies = await Promise.all(
      Array.from({ length: 6 }, async (_, nth) => {
        if (nth === 3) end(id)
        return await deliver(stripe.event('customer.subscription.updated', about))
      }),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(await stateOf(admin)).toMatchObject({ billing: { has_subscription: false } })
  })

  it('takes an event about a company that is not here, and leaves it at that', async () => {
    const gone = randomUUID()
    const about = { object: 'subscription', id: 'sub_gone', metadata: { tenant_id: gone } }
    const asked = stripe.requests.length
    const reply = await deliver(stripe.event('customer.subscription.deleted', about))
    expect([reply.status, reply.body]).toEqual([200, { received: true }])
    expect(stripe.requests).toHaveLength(asked)
  })

  it('gives a company the plan it pays for also where nothing is known of its payments, as after a restore', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const { about } = subscribe(admin, 'price_professional')
    expect((await deliver(stripe.event('customer.subscription.updated', about))).status).toBe(200)
    expect(await stateOf(admin)).toMatchObject({
      plan: 'professional',
      status: 'active',
      billing: { has_subscription: true },
    })
    await app.done({ path: '/api/company/plan/portal', token: admin.token })
    const portal = stripe.requests.findLast(({ call }) => call === 'POST /v1/billing_portal/sessions')
    expect(portal?.fields).toMatchObject({ customer: 'cus_1' })
  })

  it('changes a running subscription at once, and opens the portal', async () => {
    const admin = await customer()
    const { id, about } = subscribe(admin, 'price_starter')
    await deliver(stripe.event('customer.subscription.created', about))
    expect((await setPlan(admin, 'enterprise')).body).toEqual({
      success: true,
      plan: 'enterprise',
      checkout_url: null,
    })
    expect(stripe.subscriptions.get(id)?.price).toBe('price_enterprise')
    expect(await stateOf(admin)).toMatchObject({ plan: 'enterprise', status: 'active' })
    const portal = await app.ask({ path: '/api/company/plan/portal', token: admin.token })
    expect(portal.body).toEqual({ success: true, url: 'https://portal.example/' })
  })

  it('closes a checkout that is open still where another one is begun, so that not both are paid for', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const callsOf = async (plan: string) => {
      const asked = stripe.requests.length
      expect((await setPlan(admin, plan)).body).toMatchObject({ checkout_url: expect.any(String) })
      return stripe.requests.slice(asked).map(({ call }) => call.replace(/cs_\w+/, 'cs'))
    }
    await callsOf('professional')
    const calls = await callsOf('enterprise')
    expect(calls.slice(-3)).toEqual([
      'POST /v1/checkout/sessions',
      'GET /v1/checkout/sessions?customer=cus_1&status=open&limit=100',
      'POST /v1/checkout/sessions/cs/expire',
    ])
  })

  it('begins no second subscription where the first one was paid for and not yet reported', async () => {
    const admin = await customer()
    subscribe(admin, 'price_professional')
    const asked = stripe.requests.length
    expect((await setPlan(admin, 'professional')).body).toEqual({
      success: true,
      plan: 'professional',
      checkout_url: null,
    })
    const calls = stripe.requests.slice(asked).map(({ call }) => call)
    expect(calls).not.toContain('POST /v1/checkout/sessions')
    expect(await stateOf(admin)).toMatchObject({ plan: 'professional', status: 'active' })
  })

  it('begins no second subscription where the company began to pay since the backup that it was restored from', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    await endTrial(admin)
    const { id } = subscribe(admin, 'price_starter')
    expect(await stateOf(admin)).toMatchObject({ status: 'trial_expired' })
    expect((await setPlan(admin, 'professional')).body).toEqual({
      success: true,
      plan: 'professional',
      checkout_url: null,
    })
    expect(stripe.subscriptions.get(id)?.price).toBe('price_professional')
    expect(await stateOf(admin)).toMatchObject({ plan: 'professional', status: 'active' })
  })

  it('hears of an end of which no event came, once what was paid for is over by a day', async () => {
    const admin = await customer()
    await endTrial(admin)
    const { id, about } = subscribe(admin, 'price_professional')
    await deliver(stripe.event('customer.subscription.created', about))
    end(id)
    await app.owner.query(
      `update subscriptions set period_ends_at = now() - interval '25 hours', updated_at = now() - interval '51 minutes'
       where tenant_id = $1`,
      [admin.tenantId],
    )
    expect(await stateOf(admin)).toMatchObject({ status: 'active' })
    // A node looks as it begins, and then every hour.
    const second = await app.startSecondNode()
    await expect.poll(() => stateOf(admin)).toMatchObject({ status: 'trial_expired' })
    await second.close()
  })

  it('lets a company pay where Stripe searches for nothing', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    stripe.refuseSearch()
    expect((await setPlan(admin, 'professional')).body).toMatchObject({
      checkout_url: 'https://checkout.example/pay',
    })
  })

  it('does not say that nothing was changed where it was, and only the look at it failed', async () => {
    const admin = await customer()
    const { id, about } = subscribe(admin, 'price_starter')
    await deliver(stripe.event('customer.subscription.created', about))
    // Once before the change, and then after it.
    stripe.failOnce(`GET /v1/subscriptions/${id}`, 1)
    expect((await setPlan(admin, 'enterprise')).body).toMatchObject({ success: true, plan: 'enterprise' })
    expect(stripe.subscriptions.get(id)?.price).toBe('price_enterprise')
    await deliver(stripe.event('customer.subscription.updated', about))
    expect(await stateOf(admin)).toMatchObject({ plan: 'enterprise', status: 'active' })
  })

  it('opens the portal of who pays, where another customer was made for the company before', async () => {
    const admin = await customer()
    await app.owner.query("update subscriptions set customer_id = 'cus_other' where tenant_id = $1", [
      admin.tenantId,
    ])
    await deliver(stripe.event('customer.subscription.created', subscribe(admin, 'price_starter').about))
    await app.done({ path: '/api/company/plan/portal', token: admin.token })
    const portal = stripe.requests.findLast(({ call }) => call === 'POST /v1/billing_portal/sessions')
    expect(portal?.fields).toMatchObject({ customer: 'cus_1' })
  })

  it('keeps the subscription there is when a second one appears', async () => {
    const admin = await customer()
    const first = subscribe(admin, 'price_professional')
    await deliver(stripe.event('customer.subscription.created', first.about))
    const second = subscribe(admin, 'price_starter')
    await deliver(stripe.event('customer.subscription.created', second.about))
    expect(await stateOf(admin)).toMatchObject({ plan: 'professional', status: 'active' })
  })

  it('goes on with the second of two subscriptions when the first one ends', async () => {
    const admin = await customer()
    const other = await customer()
    await endTrial(admin)
    const first = subscribe(admin, 'price_professional')
    await deliver(stripe.event('customer.subscription.created', first.about))
    const second = subscribe(admin, 'price_enterprise')
    await deliver(stripe.event('customer.subscription.created', second.about))
    subscribe(other, 'price_starter')
    end(first.id)
    await deliver(stripe.event('customer.subscription.deleted', first.about))
    expect(await stateOf(admin)).toMatchObject({ plan: 'enterprise', status: 'active' })
    expect(await writes(admin)).toEqual([200, 200, 200, 200, 200])
    end(second.id)
    await deliver(stripe.event('customer.subscription.deleted', second.about))
    expect(await stateOf(admin)).toMatchObject({ status: 'trial_expired' })
  })

  it('says that a subscription has ended, not the trial, and opens the portal still', async () => {
    const dashboardOf = async (admin: Person) =>
      (await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })).body
    const admin = await customer()
    await endTrial(admin)
    expect(await dashboardOf(admin)).toMatchObject({
      subscription: { status: 'trial_expired', ended: false },
    })
    const { id, about } = subscribe(admin, 'price_starter')
    await deliver(stripe.event('customer.subscription.created', about))
    expect(await dashboardOf(admin)).toMatchObject({ subscription: { status: 'active', ended: false } })
    end(id)
    await deliver(stripe.event('customer.subscription.deleted', about))
    expect(await dashboardOf(admin)).toMatchObject({ subscription: { status: 'trial_expired', ended: true } })
    const portal = await app.ask({ path: '/api/company/plan/portal', token: admin.token })
    expect(portal.body).toEqual({ success: true, url: 'https://portal.example/' })
  })

  it('still says so, and opens the portal, where the first payment of another one does not go through', async () => {
    const admin = await customer()
    await endTrial(admin)
    const { id, about } = subscribe(admin, 'price_starter')
    await deliver(stripe.event('customer.subscription.created', about))
    end(id)
    await deliver(stripe.event('customer.subscription.deleted', about))
    const before = await stateOf(admin)

    const another = subscribe(admin, 'price_starter')
    for (const status of ['incomplete', 'incomplete_expired']) {
      Object.assign(stripe.subscriptions.get(another.id) ?? {}, { status })
      await deliver(stripe.event('customer.subscription.updated', another.about))
      expect(await stateOf(admin)).toEqual(before)
    }
    Object.assign(stripe.subscriptions.get(another.id) ?? {}, { status: 'active' })
    await deliver(stripe.event('customer.subscription.updated', another.about))
    expect(await stateOf(admin)).toMatchObject({ status: 'active' })
  })

  it('says when a subscription ends that was cancelled at Stripe, in whichever of its two ways that is told', async () => {
    const admin = await customer()
    const { id, about } = subscribe(admin, 'price_starter')
    const told = async (change: object) => {
      Object.assign(stripe.subscriptions.get(id) ?? {}, change)
      await deliver(stripe.event('customer.subscription.updated', about))
      return await stateOf(admin)
    }
    expect(await told({})).toMatchObject({ billing: { ends_with_period: false } })
    expect(await told({ endsWithPeriod: true })).toMatchObject({ billing: { ends_with_period: true } })
    expect(await told({ endsWithPeriod: false, endsAt: 1_800_000_000 })).toMatchObject({
      billing: { ends_with_period: true, period_ends_at: '2027-01-15T08:00:00.000Z' },
    })
  })

  it('does not undo a later choice when an earlier one is sent again', async () => {
    const admin = await customer()
    const { id, about } = subscribe(admin, 'price_starter')
    await deliver(stripe.event('customer.subscription.created', about))
    const wish = {
      path: '/api/company/plan',
      token: admin.token,
      // As long as one may be, and with the company before it longer than Stripe takes.
      key: 'wish'.padEnd(255, '!'),
      body: { plan: 'professional' },
    }
    expect((await app.ask(wish)).body).toMatchObject({ plan: 'professional' })
    expect((await setPlan(admin, 'enterprise')).body).toMatchObject({ plan: 'enterprise' })
    expect((await app.ask(wish)).body).toMatchObject({ plan: 'enterprise' })
    expect(stripe.subscriptions.get(id)?.price).toBe('price_enterprise')
    expect(await stateOf(admin)).toMatchObject({ plan: 'enterprise' })
  })

  it.each(['the checkout', 'a running subscription'])(
    'refuses another plan under the key of a wish: %s',
    async (where) => {
      const admin = await customer()
      if (where === 'a running subscription') {
        await deliver(stripe.event('customer.subscription.created', subscribe(admin, 'price_starter').about))
      }
      const wish = (plan: string) =>
        app.ask({ path: '/api/company/plan', token: admin.token, key: 'wish', body: { plan } })
      expect((await wish('professional')).status).toBe(200)
      const other = await wish('enterprise')
      expect([other.status, other.body]).toMatchObject([422, { code: 'key_reused' }])
    },
  )

  it('does not let one company pay for, or end, the plan of another', async () => {
    const admin = await customer()
    const other = await customer()
    const { id, about } = subscribe(other, 'price_enterprise')
    const forged = { ...about, metadata: { tenant_id: admin.tenantId } }
    expect((await deliver(stripe.event('customer.subscription.created', forged))).status).toBe(200)
    expect(stripe.subscriptions.has(id)).toBe(true)
    expect(await stateOf(admin)).toMatchObject({ plan: 'starter', status: 'trial' })
  })

  it.each([
    ['another secret', { secret: 'whsec_guessed' }],
    ['a signature of an hour ago', { at: Date.now() - 3_600_000 }],
  ])('refuses an event with %s', async (_name, options) => {
    const admin = await customer()
    const { about } = subscribe(admin, 'price_enterprise')
    const reply = await deliver(stripe.event('customer.subscription.created', about, options))
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { error: 'The signature of this event is not right.' },
    ])
    expect(await stateOf(admin)).toMatchObject({ plan: 'starter' })
  })

  it('refuses an event without a signature, and one changed on the way', async () => {
    const admin = await customer()
    const { about } = subscribe(admin, 'price_enterprise')
    const event = stripe.event('customer.subscription.created', about)
    expect((await deliver({ ...event, headers: {} })).status).toBe(400)
    expect((await deliver({ ...event, body: `${event.body} ` })).status).toBe(400)
  })

  it('lets events about other things pass', async () => {
    const event = stripe.event('invoice.created', { object: 'invoice', id: 'in_1' })
    expect((await deliver(event)).status).toBe(200)
  })

  it('goes on when it is tried again after Stripe itself failed', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const wish = {
      path: '/api/company/plan',
      token: admin.token,
      key: randomUUID(),
      body: { plan: 'enterprise' },
    }
    stripe.failOnce('POST /v1/customers')
    expect((await app.ask(wish)).status).toBe(502)
    stripe.failOnce('POST /v1/checkout/sessions')
    expect((await app.ask(wish)).status).toBe(502)
    expect((await app.ask(wish)).body).toMatchObject({ checkout_url: 'https://checkout.example/pay' })
    const { id, about } = subscribe(admin, 'price_starter')
    await deliver(stripe.event('customer.subscription.created', about))
    const change = { ...wish, key: randomUUID() }
    stripe.failOnce(`POST /v1/subscriptions/${id}`)
    expect((await app.ask(change)).status).toBe(502)
    expect((await app.ask(change)).body).toMatchObject({ plan: 'enterprise', checkout_url: null })
  })

  it('says so when Stripe does not answer', async () => {
    const broken = await startTestApp({ ...stripe.settings, STRIPE_API_URL: 'http://127.0.0.1:1' })
    const admin = await makeCompany(broken)
    const reply = await broken.ask({
      path: '/api/company/plan',
      token: admin.token,
      body: { plan: 'enterprise' },
    })
    expect([reply.status, reply.body]).toMatchObject([
      502,
      {
        error: 'The payment provider did not answer as expected. Nothing was changed. Please try again.',
      },
    ])
    await broken.close()
  })
})

it('half of the settings for Stripe are a mistake that is named', () => {
  expect(() => readConfig({ STRIPE_SECRET_KEY: 'sk_test_1234' })).toThrow(
    'STRIPE_WEBHOOK_SECRET must be set where payment by Stripe is.',
  )
})
