import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilSomebodyWaits } from '../../test/leaving.ts'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const setPlan = (admin: Person, plan: string, accept = false) =>
  app.ask({ path: '/api/company/plan', token: admin.token, body: { plan, accept_read_only: accept } })

const stateOf = async (admin: Person) =>
  (await app.ask({ method: 'GET', path: '/api/company/plan', token: admin.token })).body

const count = (person: Person, location: string, quantity = 1) =>
  app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    body: { barcode: 'A', quantity, location, session: randomUUID(), timestamp: new Date().toISOString() },
  })

const importOne = (admin: Person, quantities: object) =>
  app.ask({
    path: '/api/components/import',
    token: admin.token,
    body: [{ barcode: 'A', ...quantities }],
  })

describe('a plan, without a payment provider', () => {
  it('is changed by an administrator at once, with a trace', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    expect(await stateOf(admin)).toMatchObject({
      plan: 'starter',
      status: 'trial',
      billing: { provider: 'none', has_subscription: false },
      usage: { labels: 0, locations: 1, users: 1, invited: 0 },
    })
    expect((await setPlan(admin, 'enterprise')).body).toEqual({
      success: true,
      plan: 'enterprise',
      checkout_url: null,
    })
    const { rows } = await app.owner.query(
      "select metadata ->> 'old_value' as old, metadata ->> 'new_value' as new from audit_entries where tenant_id = $1 and event = 'plan_changed'",
      [admin.tenantId],
    )
    expect(rows).toEqual([{ old: 'starter', new: 'enterprise' }])
  })

  it('sent again under its key does not undo a later choice', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const request = {
      path: '/api/company/plan',
      token: admin.token,
      key: 'plan-1',
      body: { plan: 'enterprise' },
    }
    const first = await app.ask(request)
    await setPlan(admin, 'professional')
    const again = await app.ask(request)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await stateOf(admin)).toMatchObject({ plan: 'professional' })
    const other = await app.ask({ ...request, body: { plan: 'starter' } })
    expect(other.status).toBe(422)
  })

  it('is not taken with what another administrator adds at the same moment, but says so', async () => {
    const admin = await makeCompany(app)
    const [, , fourth] = [
      await makeStaff(app, admin, 'Second'),
      await makeStaff(app, admin, 'Third'),
      await makeStaff(app, admin, 'Fourth'),
    ]
    const path = `/api/team/users/${fourth.userId}/deactivate`
    expect((await app.ask({ path, token: admin.token })).status).toBe(200)
    // As whoever reactivates somebody does: under the company's lock.
    const other = await app.owner.connect()
    await other.query('begin')
    await other.query('select from companies where tenant_id = $1 for no key update', [admin.tenantId])
    await other.query('update users set active = true where id = $1', [fourth.userId])
    const changing = setPlan(admin, 'starter')
    await untilSomebodyWaits(app)
    await other.query('commit')
    other.release()
    const { status, body } = await changing
    expect([status, body]).toMatchObject([
      409,
      { error: 'With the Starter plan this becomes read-only: Fourth. Nothing is deleted.' },
    ])
  })

  it('is used as the overview says, without emptied locations and reservations that ran out', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    await importOne(admin, { primary_quantity: 5, secondary_quantity: 5 })
    await importOne(admin, { secondary_quantity: 0 })
    const month = `start_of_month(now(), (select time_zone from companies where tenant_id = $1))`
    await app.owner.query(
      `insert into label_usage (tenant_id, month_start, used) values ($1, ${month}, 60)`,
      [admin.tenantId],
    )
    await app.owner.query(
      `insert into label_jobs (tenant_id, user_id, request_hash, month_start, labels, expires_at)
       select $1, id, '', ${month}, 20, now() - interval '1 hour' from users where tenant_id = $1`,
      [admin.tenantId],
    )
    const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })
    expect(body).toMatchObject({ usage: { labels_used: 40, locations_used: 1 } })
    expect(await stateOf(admin)).toMatchObject({ usage: { labels: 40, locations: 1 } })
  })

  it('has no location in use that only has counts of retired components', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    await importOne(admin, { secondary_quantity: 0 })
    expect((await count(admin, 'SECONDARY', 0)).status).toBe(200)
    await app.owner.query(
      `update stock set counted_at = counted_at - interval '40 days' where tenant_id = $1`,
      [admin.tenantId],
    )
    await app.done({ path: '/api/components/retire', token: admin.token, body: { barcode: 'A' } })
    expect(await stateOf(admin)).toMatchObject({ usage: { locations: 1 } })
    expect((await setPlan(admin, 'starter')).body).toMatchObject({ success: true })
  })

  it('is neither seen nor changed by staff', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    expect((await setPlan(staff, 'enterprise')).status).toBe(403)
    expect(await stateOf(staff)).toMatchObject({ code: 'forbidden' })
  })

  it('goes on when the trial ends', async () => {
    const admin = await makeCompany(app)
    await importOne(admin, { primary_quantity: 1 })
    await app.owner.query('update companies set trial_ends_at = now() where tenant_id = $1', [admin.tenantId])
    expect((await count(admin, 'PRIMARY')).status).toBe(200)
    expect(await stateOf(admin)).toMatchObject({ status: 'active', billing: { has_subscription: false } })
  })
})

describe('a smaller plan', () => {
  it('says exactly what becomes read-only before anything is done', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    await importOne(admin, { primary_quantity: 1, distribution_quantity: 5 })
    for (const name of ['Ben', 'Cleo', 'Dan']) await makeStaff(app, admin, name)
    const refused = await setPlan(admin, 'starter')
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'plan_reduces',
        error: 'With the Starter plan this becomes read-only: Distribution Center, Dan. Nothing is deleted.',
      },
    ])
    expect(await stateOf(admin)).toMatchObject({
      plan: 'enterprise',
      choices: [
        {
          plan: 'starter',
          read_only: {
            locations: [{ code: 'DISTRIBUTION', name: 'Distribution Center', skus: 1, units: 5 }],
            users: [{ name: 'Dan' }],
          },
        },
        { plan: 'professional', read_only: { locations: [{ code: 'DISTRIBUTION' }], users: [] } },
        { plan: 'enterprise', read_only: { locations: [], users: [] } },
      ],
    })
  })

  it('says how many open invitations would find no seat', async () => {
    const admin = await makeCompany(app)
    for (let number = 1; number <= 9; number += 1) {
      const body = { email: `invited${number}-${admin.email}`, role: 'user', mail: false }
      await app.done({ path: '/api/team/invitations', token: admin.token, body })
    }
    expect(await stateOf(admin)).toMatchObject({
      usage: { users: 1, invited: 9 },
      choices: [
        { plan: 'starter', read_only: { users: [], invitations: 7 } },
        { plan: 'professional', read_only: { invitations: 0 } },
        { plan: 'enterprise', read_only: { invitations: 0 } },
      ],
    })
  })

  it('says what stops for other programs and looks, and only where it would', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    const ask = (path: string, body: unknown) => app.ask({ path, token: admin.token, body })
    const nothing = { api_keys: 0, webhooks: 0, branding: false }
    expect(await stateOf(admin)).toMatchObject({ choices: [{ read_only: { stops: nothing } }, {}, {}] })
    await ask('/api/api-keys', { name: 'Robot', scopes: ['read'] })
    await ask('/api/webhooks', { url: 'https://receiver.example/in', events: ['count.recorded'] })
    await ask('/api/company/settings', { accent_colour: '#7c3aed' })
    expect(await stateOf(admin)).toMatchObject({
      choices: [
        { plan: 'starter', read_only: { stops: { api_keys: 1, webhooks: 1, branding: true } } },
        { plan: 'professional', read_only: { stops: nothing } },
        { plan: 'enterprise', read_only: { stops: nothing } },
      ],
    })
  })

  it('leaves everything readable: stock of a closed location, and users without a seat', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    await importOne(admin, { primary_quantity: 1, distribution_quantity: 5 })
    const staff = []
    for (const name of ['Ben', 'Cleo', 'Dan']) staff.push(await makeStaff(app, admin, name))
    const [ben, , dan] = staff
    if (ben === undefined || dan === undefined) throw new Error('There are three.')
    expect((await setPlan(admin, 'starter', true)).status).toBe(200)

    expect((await count(ben, 'DISTRIBUTION', 5)).body).toMatchObject({ code: 'location_not_in_plan' })
    const list = await app.ask({ method: 'GET', path: '/api/components', token: dan.token })
    expect(list.body).toMatchObject({ components: [{ distribution_quantity: 5 }] })
    const refused = await count(dan, 'PRIMARY')
    expect([refused.status, refused.body]).toMatchObject([
      402,
      {
        error:
          'Your company has more users than its plan allows. You can read everything but change nothing: ask an administrator.',
      },
    ])
    expect((await importOne(dan, { primary_quantity: 9 })).body).toMatchObject({ code: 'not_seated' })
    const labels = {
      path: '/api/generate-labels',
      token: dan.token,
      body: { components: [{ barcode: 'A' }] },
    }
    expect((await app.ask(labels)).body).toMatchObject({ code: 'not_seated' })
    const binLabels = { path: '/api/labels/bins', token: dan.token, body: { location: 'PRIMARY' } }
    expect(await app.ask(binLabels)).toMatchObject({ status: 402, body: { code: 'not_seated' } })
    expect((await count(ben, 'PRIMARY')).status).toBe(200)

    // A seat that is given up goes to the next one.
    await app.done({ path: `/api/team/users/${ben.userId}/deactivate`, token: admin.token })
    expect((await count(dan, 'PRIMARY')).status).toBe(200)
    await setPlan(admin, 'enterprise')
    expect((await count(dan, 'DISTRIBUTION', 5)).status).toBe(200)
  })

  it('takes no seat from an administrator', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    const staff = []
    for (const name of ['Ben', 'Cleo', 'Dan']) staff.push(await makeStaff(app, admin, name))
    const dan = staff.at(-1)
    await app.done({
      path: `/api/team/users/${dan?.userId ?? ''}/role`,
      token: admin.token,
      body: { role: 'admin' },
    })
    expect((await setPlan(admin, 'starter')).body).toMatchObject({
      error: 'With the Starter plan this becomes read-only: Cleo. Nothing is deleted.',
    })
  })
})
