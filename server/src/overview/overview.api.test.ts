import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('the overview shows plan, limits and what happened last', async () => {
  const admin = await makeCompany(app, { plan: 'professional' })
  const { status, body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    subscription: { plan: 'professional', status: 'trial', trial_days_remaining: 14, provider: 'none' },
    usage: {
      labels_used: 0,
      labels_limit: 2000,
      locations_used: 1,
      locations_limit: 3,
      users_used: 1,
      users_limit: 10,
    },
    counting: {
      components: 0,
      locations: [
        { location: 'PRIMARY', counted: 0 },
        { location: 'SECONDARY', counted: 0 },
        { location: 'FULFILLMENT', counted: 0 },
      ],
      open_discrepancies: 0,
      open_unknown_codes: 0,
      has_costs: false,
    },
    recent_activity: [],
  })
})

it('the overview names the SKU and the place of what people did last', async () => {
  const admin = await makeCompany(app, { plan: 'professional' })
  const post = async (
    path: string,
    body: Record<string, unknown> | Record<string, unknown>[],
    key?: string,
  ) => {
    const reply = await app.ask({ path, token: admin.token, body, ...(key === undefined ? {} : { key }) })
    expect(reply.status).toBeLessThan(300)
    return reply
  }
  await post('/api/components/import', [{ barcode: 'A-1', primary_quantity: 5 }])
  const count = { barcode: 'A-1', quantity: 5, location: 'PRIMARY', source: 'monthly', session: 's' }
  const timestamp = new Date().toISOString()
  await post('/api/components/update-with-tracking', { ...count, timestamp }, 'taken-back')
  await post('/api/components/undo-count', { key: 'taken-back' })
  await post('/api/components/describe', { barcode: 'A-1', description: 'Bolt' })
  await post('/api/transfers', {
    barcode: 'A-1',
    from: 'PRIMARY',
    to: 'QUARANTINE',
    quantity: 2,
    note: 'wet',
  })
  await post('/api/generate-labels', { components: [{ barcode: 'A-1' }] })
  await post('/api/company/settings', { name: 'Nordlager' })
  const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })
  expect(body).toMatchObject({
    recent_activity: [
      { description: `${admin.name} changed the company settings` },
      { description: `${admin.name} generated 1 label` },
      { description: `${admin.name} moved 2 of A-1 at Primary Warehouse` },
      { description: `${admin.name} changed the description of A-1` },
      { description: `${admin.name} took a count of A-1 back at Primary Warehouse` },
    ],
  })
})

it('the overview says in words what was done with a component', async () => {
  const admin = await makeCompany(app)
  const post = async (path: string, body: unknown) => await app.ask({ path, token: admin.token, body })
  await post('/api/components/import', [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 0 }])
  await post('/api/components/add-barcode', { barcode: 'A-1', alias: 'B-1' })
  await post('/api/components/remove-barcode', { barcode: 'A-1', alias: 'B-1' })
  await post('/api/components/retire', { barcode: 'A-1' })
  await post('/api/components/reinstate', { barcode: 'A-1' })
  const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })
  expect(body).toMatchObject({
    recent_activity: [
      { description: `${admin.name} brought A-1 back` },
      { description: `${admin.name} retired A-1` },
      { description: `${admin.name} took a barcode from A-1` },
      { description: `${admin.name} gave A-1 another barcode` },
      { description: `${admin.name} imported 1 component` },
    ],
  })
})

it('recent activity says of which component it is, retired ones too, and nothing of what is none here', async () => {
  const other = await makeCompany(app)
  const rows = (barcode: string) => [{ barcode, primary_quantity: 0 }]
  await app.done({ path: '/api/components/import', token: other.token, body: rows('GHOST-7') })
  const admin = await makeCompany(app)
  const sam = await makeStaff(app, admin)
  await app.done({ path: '/api/components/import', token: admin.token, body: rows('A-1') })
  const count = {
    quantity: 0,
    location: 'PRIMARY',
    source: 'monthly',
    session: 's',
    timestamp: new Date().toISOString(),
  }
  for (const barcode of ['A-1', 'GHOST-7']) {
    const body = { ...count, barcode }
    await app.ask({ path: '/api/components/update-with-tracking', token: sam.token, body })
  }
  await app.done({ path: '/api/components/retire', token: admin.token, body: { barcode: 'A-1' } })
  for (const { token } of [admin, sam]) {
    const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token })
    expect(body).toMatchObject({
      recent_activity: [
        { description: `${admin.name} retired A-1`, sku: 'A-1' },
        { description: 'Sam Staff scanned an unknown code, GHOST-7 at Primary Warehouse', sku: null },
        { description: 'Sam Staff counted A-1 at Primary Warehouse', sku: 'A-1' },
        { description: `${admin.name} imported 1 component`, sku: null },
      ],
    })
  }
})

it('the overview calls the limits of the enterprise plan unlimited', async () => {
  const admin = await makeCompany(app, { plan: 'enterprise' })
  const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })
  expect(body).toMatchObject({
    usage: { labels_limit: 'unlimited', locations_limit: 'unlimited', users_limit: 'unlimited' },
  })
})

it('the days of the trial are rounded up and never below 0', async () => {
  const admin = await makeCompany(app)
  const daysWith = async (left: string) => {
    await app.owner.query('update companies set trial_ends_at = now() + $2::interval where tenant_id = $1', [
      admin.tenantId,
      left,
    ])
    const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })
    return body
  }
  expect(await daysWith('25 hours')).toMatchObject({
    subscription: { status: 'trial', trial_days_remaining: 2 },
  })
  expect(await daysWith('1 minute')).toMatchObject({ subscription: { trial_days_remaining: 1 } })
  expect(await daysWith('-1 minute')).toMatchObject({
    subscription: { status: 'active', trial_days_remaining: 0 },
  })
})

it('health says that the server and its database work', async () => {
  const { status, body } = await app.ask({ method: 'GET', path: '/health' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'ok', database: 'ok', version: '0.0.0' })
})

it('of its first month, a company sees how much is over of what was left when it came', async () => {
  const { tenantId, token } = await makeCompany(app)
  const reply = z.object({ counting: z.object({ elapsed_share: z.number() }) })
  const shareOf = async (created: string) => {
    await app.owner.query(`update companies set created_at = ${created} where tenant_id = $1`, [tenantId])
    const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token })
    return reply.parse(body).counting.elapsed_share
  }
  expect(await shareOf('now()')).toBeLessThan(0.1)
  const whole = await shareOf("now() - interval '40 days'")
  const half = await shareOf("now() - (now() - date_trunc('month', now(), 'UTC')) / 2")
  expect(half).toBeCloseTo(whole / 2 / (1 - whole / 2), 3)
})

it('the overview says how far the month is, per location, and what waits for a decision', async () => {
  const admin = await makeCompany(app, { plan: 'professional' })
  const sam = await makeStaff(app, admin)
  const count = (barcode: string, quantity: number) =>
    app.ask({
      path: '/api/components/update-with-tracking',
      token: sam.token,
      body: {
        barcode,
        quantity,
        location: 'SECONDARY',
        source: 'monthly',
        session: 's',
        timestamp: new Date().toISOString(),
      },
    })
  const rows = [
    { barcode: 'A-1', secondary_quantity: 3 },
    { barcode: 'A-2', secondary_quantity: 4 },
  ]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  const costs = { components: [{ barcode: 'A-1', unit_cost: 2 }] }
  await app.done({ path: '/api/components/set-costs', token: admin.token, body: costs })
  await count('A-1', 3)
  await count('A-2', 9)
  await count('A-2', 9)
  await count('GHOST-7', 1)
  const counting = async (token: string) =>
    (await app.ask({ method: 'GET', path: '/api/dashboard', token })).body
  expect(await counting(admin.token)).toMatchObject({
    counting: {
      components: 2,
      locations: [
        { location: 'PRIMARY', counted: 0 },
        { location: 'SECONDARY', counted: 2 },
        { location: 'FULFILLMENT', counted: 0 },
      ],
      open_discrepancies: 1,
      open_unknown_codes: 1,
      has_costs: true,
    },
  })
  for (const figure of ['open_discrepancies', 'open_unknown_codes', 'has_costs']) {
    expect(await counting(sam.token)).not.toHaveProperty(`counting.${figure}`)
  }
})
