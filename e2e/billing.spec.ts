import { startStripe, type StripeStandIn } from '../server/test/stripe.ts'
import {
  chooseLocation,
  divert,
  expect,
  goTo,
  importRows,
  register,
  signIn,
  test as base,
  type Company,
} from './fixtures.ts'
import { startProgram, type Program } from './program.ts'
import { scanLines } from './scanner.ts'

/** A program that is paid by a stand-in for Stripe on loopback. */
const test = base.extend<{ paid: Company }, { stripe: StripeStandIn; program: Program }>({
  stripe: [
    async ({}, use) => {
      const stripe = await startStripe()
      await use(stripe)
      await stripe.close()
    },
    { scope: 'worker' },
  ],
  program: [
    async ({ stripe }, use) => {
      const program = await startProgram(stripe.settings)
      await use(program)
      await program.stop()
    },
    { scope: 'worker' },
  ],
  paid: async ({ program }, use) => use(await register(program, 'professional')),
})

test('a plan is paid at the provider, and managed there', async ({ page, program, stripe, paid }) => {
  await divert(page, 'https://checkout.example/pay', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Checkout</title><h1>Pay here</h1>' }),
  )
  await divert(page, 'https://portal.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Portal</title><h1>Your card</h1>' }),
  )
  await signIn(page, paid)
  await chooseLocation(page, 'Primary Warehouse')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await page.goto('/plan')
  await page.getByRole('button', { name: 'Subscribe to Enterprise' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('heading', { name: 'Pay here' })).toBeVisible()
  const checkout = stripe.requests.find(({ call }) => call === 'POST /v1/checkout/sessions')
  const tenantId = checkout?.fields['client_reference_id'] ?? ''
  expect(checkout?.fields['line_items[0][price]']).toBe('price_enterprise')

  await page.goto('/plan?paid=yes')
  await expect(page.getByText('Your plan begins as soon as the payment is confirmed.')).toBeVisible()
  const subscription = { id: 'sub_1', status: 'active', price: 'price_enterprise', tenantId }
  stripe.subscriptions.set('sub_1', { ...subscription, endsWithPeriod: false })
  const session = { object: 'checkout.session', id: 'cs_1', subscription: 'sub_1' }
  const event = stripe.event('checkout.session.completed', { ...session, client_reference_id: tenantId })
  const told = await fetch(`${program.url}/api/billing/stripe-events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...event.headers },
    body: event.body,
  })
  expect(told.status).toBe(200)
  await expect(page.getByText('Thank you. Your plan is paid.')).toBeVisible()
  await expect(page.getByText(/^Enterprise plan\. Renews on/)).toBeVisible()
  await page.getByRole('button', { name: 'Manage billing' }).click()
  await expect(page.getByRole('heading', { name: 'Your card' })).toBeVisible()
})

const trialEnds = `update companies set trial_ends_at = now() + make_interval(hours => $2)
  where tenant_id = (select tenant_id from users where email = $1)`

test('what was scanned when the trial was over stays on the device, and is sent when a plan runs', async ({
  page,
  program,
  paid,
}) => {
  await signIn(page, paid)
  await chooseLocation(page, 'Primary Warehouse')
  await importRows(page, [
    { barcode: 'A-1', primary_quantity: 3 },
    { barcode: 'A-2', primary_quantity: 4 },
  ])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await program.sql(trialEnds, [paid.email, 0])
  await scanLines(page, ['A-1', '3', 'A-2', '4'])
  await expect(page.getByText('2 scanned, 0 stored, 2 to decide')).toBeVisible()
  await page.reload()
  await expect(
    page.getByText(
      'Your free trial has ended. These scans stay on this device. Send them again once the problem is solved.',
    ),
  ).toBeVisible()
  // Both have been refused, and nothing more is on its way.
  await expect(page.getByRole('button', { name: 'Send all 2 again' })).toBeVisible()
  let refusals = 0
  page.on('response', (response) => (refusals += response.status() === 402 ? 1 : 0))
  await page.getByRole('button', { name: 'Send all 2 again' }).click()
  await expect.poll(() => refusals).toBe(2)
  await expect(page.getByRole('list', { name: 'Scans to decide' }).getByText('Trial ended')).toHaveCount(2)
  await program.sql(trialEnds, [paid.email, 48])
  await page.getByRole('button', { name: 'Send all 2 again' }).click()
  await expect(page.getByRole('list', { name: 'Scans to decide' })).toBeHidden()
  await page.reload()
  await expect(page.getByText('This month’s cycle count is complete.')).toBeVisible({ timeout: 30_000 })
})

test('after the trial everything can be read, and nothing counted before a plan is chosen', async ({
  page,
  program,
  paid,
}) => {
  await signIn(page, paid)
  await chooseLocation(page, 'Primary Warehouse')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await program.sql(trialEnds, [paid.email, 0])
  await page.goto('/plan')
  await expect(page.getByText('Your free trial has ended. Choose a plan to continue.')).toBeVisible()
  await page.goto('/components')
  await expect(page.getByRole('link', { name: /A-1/ })).toBeVisible()
  await goTo(page, 'Monthly Count')
  await expect(page.getByText('Expected 3')).toBeVisible()
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(
    page.getByText('Error starting admin view: Your free trial has ended. Choose a plan to continue.'),
  ).toBeVisible()
  await expect(page.getByLabel('Barcode')).toBeHidden()
})

test('who comes back from a payment that is never confirmed is told how things stand', async ({
  page,
  program,
  paid,
}) => {
  await program.sql(trialEnds, [paid.email, -1])
  await signIn(page, paid)
  await chooseLocation(page, 'Primary Warehouse')
  await expect(page.getByRole('heading', { name: /Welcome/ })).toBeVisible()
  await page.clock.install()
  await page.goto('/plan?paid=yes')
  await expect(page.getByText('Your plan begins as soon as the payment is confirmed.')).toBeVisible()
  await page.clock.runFor('02:00')
  await expect(page.getByText('Your free trial has ended. Choose a plan to continue.')).toBeVisible()
  await expect(page.getByText('If you have just paid, do not pay again')).toBeVisible()
  let asked = 0
  await divert(page, '**/api/company/plan', async (route) => {
    asked += 1
    await route.continue()
  })
  // What was asked last before may still have been on its way.
  await page.waitForTimeout(500)
  asked = 0
  await page.clock.runFor('00:20')
  expect(asked).toBe(0)
  await page.clock.runFor('00:20')
  await expect.poll(() => asked).toBe(1)
})

test('a subscription that ended is not called a trial, and its bills can be reached', async ({
  page,
  program,
  paid,
}) => {
  await program.sql(trialEnds, [paid.email, -1])
  await program.sql(
    `insert into subscriptions (tenant_id, customer_id, subscription_id, status, period_ends_at)
      select tenant_id, 'cus_9', 'sub_9', 'ended', now() from users where email = $1`,
    [paid.email],
  )
  await divert(page, 'https://portal.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Portal</title><h1>Your card</h1>' }),
  )
  await signIn(page, paid)
  await chooseLocation(page, 'Primary Warehouse')
  await expect(page.getByText('Your subscription has ended. Choose a plan to continue.')).toBeVisible()
  await page.getByRole('link', { name: 'Upgrade Now' }).click()
  await expect(
    page.getByText(
      'Your subscription has ended. Choose a plan to continue. Everything you have stays readable.',
    ),
  ).toBeVisible()
  await expect(page.getByText('Your free trial has ended.')).toBeHidden()
  await page.getByRole('button', { name: 'Manage billing' }).click()
  await expect(page.getByRole('heading', { name: 'Your card' })).toBeVisible()
})
