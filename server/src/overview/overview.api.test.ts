import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany, startTestApp, type TestApp } from '../../test/test-app.ts'

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
    subscription: { plan: 'professional', status: 'trial', trial_days_remaining: 14 },
    usage: {
      labels_used: 0,
      labels_limit: 2000,
      locations_used: 1,
      locations_limit: 3,
      users_used: 1,
      users_limit: 10,
    },
    recent_activity: [
      { description: `${admin.name} signed in` },
      { description: `${admin.name} registered the company` },
    ],
  })
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
