import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const change = (admin: Person, settings: Record<string, unknown>) =>
  app.ask({ path: '/api/company/settings', token: admin.token, body: settings })

/** A company with five of A-1, and somebody who counts. */
async function companyWith(settings: Record<string, unknown>): Promise<{ admin: Person; staff: Person }> {
  const admin = await makeCompany(app)
  const rows = [{ barcode: 'A-1', primary_quantity: 5 }]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  const changed = await change(admin, settings)
  expect(changed.status).toBe(200)
  return { admin, staff: await makeStaff(app, admin) }
}

let scans = 0

async function count(person: Person, ...quantities: number[]): Promise<void> {
  for (const quantity of quantities) {
    scans += 1
    const timestamp = new Date(Date.now() + scans).toISOString()
    const body = { barcode: 'A-1', quantity, location: 'PRIMARY', source: 'monthly', session: 's', timestamp }
    const { status } = await app.ask({
      path: '/api/components/update-with-tracking',
      token: person.token,
      body,
    })
    expect(status).toBe(200)
  }
}

async function accept(admin: Person): Promise<void> {
  const list = await app.ask({ method: 'GET', path: '/api/discrepancies', token: admin.token })
  const { discrepancies } = z
    .object({ discrepancies: z.array(z.object({ id: z.string() })) })
    .parse(list.body)
  const ids = discrepancies.map(({ id }) => id)
  const body = { ids, decision: 'accept', reason: 'Damaged', note: 'One of five was broken.' }
  const { status } = await app.ask({ path: '/api/discrepancies/decide', token: admin.token, body })
  expect(status).toBe(200)
}

const page = z.object({
  total: z.number(),
  entries: z.array(
    z.object({ quantity: z.number().nullable(), metadata: z.record(z.string(), z.unknown()) }),
  ),
})

async function trail(person: Person, query: string) {
  const { body } = await app.ask({ method: 'GET', path: `/api/audit/trail?${query}`, token: person.token })
  return page.parse(body)
}

const facts = ['event_type', 'attempt', 'recorded', 'accepted_difference', 'expected', 'counted', 'reason']

/** What the trail says of A-1, newest first: event, quantity and all that could tell whether it was right. */
async function toldOf(person: Person) {
  const { entries } = await trail(person, 'sku=A-1')
  return entries.map(({ quantity, metadata }) => ({
    quantity,
    ...Object.fromEntries(Object.entries(metadata).filter(([name]) => facts.includes(name))),
  }))
}

async function activity(person: Person): Promise<string[]> {
  const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: person.token })
  const { recent_activity: recent } = z
    .object({ recent_activity: z.array(z.object({ description: z.string() })) })
    .parse(body)
  return recent.map(({ description }) => description)
}

describe('where the company counts strictly blind', () => {
  it('neither the trail nor the overview tells staff whether a count was right', async () => {
    const { admin, staff } = await companyWith({ strict_blind_counts: true })
    await count(staff, 4, 3, 5, 4)
    const scan = { event_type: 'monthly_count_scan' }
    expect(await toldOf(staff)).toEqual([
      { ...scan, quantity: 4 },
      { ...scan, quantity: 5 },
      { ...scan, quantity: 3 },
      { ...scan, quantity: 4 },
    ])
    expect((await activity(staff)).slice(0, 2)).toEqual([
      'Sam Staff counted A-1 at Primary Warehouse',
      'Sam Staff counted A-1 at Primary Warehouse',
    ])
    expect((await toldOf(admin))[0]).toMatchObject({ event_type: 'monthly_count_mismatch', attempt: 4 })
    expect((await activity(admin))[0]).toBe('Sam Staff found a difference on A-1 at Primary Warehouse')
  })

  it('what is decided of a difference is told to administrators only, and not even counted for staff', async () => {
    const { admin, staff } = await companyWith({ strict_blind_counts: true })
    await count(staff, 4, 4)
    await accept(admin)
    expect((await toldOf(admin)).length).toBe(3)
    expect((await toldOf(staff)).length).toBe(2)
    const totals = async (query: string) => [
      (await trail(admin, query)).total,
      (await trail(staff, query)).total,
    ]
    const [all = 0, told] = await totals('')
    expect(told).toBe(all - 1)
    const [configuration = 0, toldOfIt] = await totals('action=configuration')
    expect(toldOfIt).toBe(configuration - 1)
    expect((await activity(staff))[0]).toBe('Sam Staff counted A-1 at Primary Warehouse')
  })

  it('the movements of a component do not tell staff that a difference was accepted', async () => {
    const { admin, staff } = await companyWith({ strict_blind_counts: true, count_tolerance_units: 2 })
    await count(staff, 4)
    const movements = async (person: Person) => {
      const path = '/api/components/movements?barcode=A-1'
      const { body } = await app.ask({ method: 'GET', path, token: person.token })
      return Object(body).movements
    }
    const stock = { location: 'PRIMARY', quantity_after: 4 }
    const accepted = { ...stock, cause: 'discrepancy', delta: -1, note: 'Within the count tolerance' }
    expect(await movements(admin)).toMatchObject([accepted, { cause: 'import', delta: 5 }])
    expect(await movements(staff)).toMatchObject([
      { ...stock, cause: 'hidden', delta: null, note: '' },
      { cause: 'import', delta: 5 },
    ])
    await change(admin, { strict_blind_counts: false })
    expect(await movements(staff)).toMatchObject([accepted, { cause: 'import', delta: 5 }])
  })

  it('an API key without the scope admin is told no more than staff', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    const rows = [{ barcode: 'A-1', primary_quantity: 5 }]
    await app.done({ path: '/api/components/import', token: admin.token, body: rows })
    await change(admin, { strict_blind_counts: true })
    const made = await app.ask({
      path: '/api/api-keys',
      token: admin.token,
      body: { name: 'Robot', scopes: ['read', 'count'] },
    })
    const { key } = z.object({ key: z.string() }).parse(made.body)
    await count(admin, 4)
    expect(await toldOf({ ...admin, token: key })).toEqual([
      { event_type: 'monthly_count_scan', quantity: 4 },
    ])
  })
})

describe('what was expected', () => {
  it('is told to administrators alone when a difference was accepted', async () => {
    const { admin, staff } = await companyWith({})
    await count(staff, 4, 4)
    await accept(admin)
    const accepted = { event_type: 'discrepancy_accepted', quantity: 4 }
    const figures = { expected: 5, counted: 4, reason: 'Damaged' }
    expect((await toldOf(admin))[0]).toEqual({ ...accepted, ...figures })
    expect(await toldOf(staff)).toEqual([
      accepted,
      { event_type: 'monthly_count_mismatch', quantity: 4, attempt: 2, recorded: true },
      { event_type: 'monthly_count_mismatch', quantity: 4, attempt: 1, recorded: false },
    ])
  })

  it('is not told to staff by a count within the tolerance, nor is the tolerance', async () => {
    const { admin, staff } = await companyWith({ count_tolerance_units: 2 })
    await count(staff, 4)
    expect((await toldOf(admin))[0]).toMatchObject({ accepted_difference: -1 })
    expect(await toldOf(staff)).toEqual([{ event_type: 'monthly_count_scan', quantity: 4 }])
    const [settings] = (await trail(staff, 'sku=SETTINGS_CHANGED')).entries
    expect(settings?.metadata).toEqual({
      type: 'config_change',
      event_type: 'settings_changed',
      setting: 'count_tolerance_units',
    })
  })
})

describe('that a count was the first one, which has set the stock', () => {
  it('is not told to staff, nor that it was moved back', async () => {
    const { admin, staff } = await companyWith({ first_count_sets_stock: true })
    const body = { barcode: 'A-1', quantity: 4, location: 'SECONDARY', session: 's' }
    const request = { path: '/api/components/update-with-tracking', token: staff.token, key: 'first-1' }
    await app.done({ ...request, body: { ...body, timestamp: new Date().toISOString() } })
    await app.done({ path: '/api/components/undo-count', token: staff.token, body: { key: 'first-1' } })
    const told = async (person: Person) =>
      (await trail(person, 'sku=A-1&location=SECONDARY')).entries.map(({ metadata }) => metadata)
    const [undone, counted] = await told(admin)
    expect([undone, counted]).toMatchObject([
      { moved_back: -4 },
      { accepted_difference: 4, first_count: true },
    ])
    const toldStaff = await told(staff)
    expect(toldStaff).toHaveLength(2)
    expect(JSON.stringify(toldStaff)).not.toMatch(/first_count|accepted_difference|moved_back/)
  })
})

describe('what else is for administrators', () => {
  it('the address of a webhook, which may hold a secret, is not told to staff', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    const staff = await makeStaff(app, admin)
    const url = 'https://hooks.example.com/services/a-secret'
    const added = await app.ask({
      path: '/api/webhooks',
      token: admin.token,
      body: { url, events: ['count.recorded'] },
    })
    expect(added.status).toBe(201)
    const told = async (person: Person) => (await trail(person, 'sku=WEBHOOK_ADDED')).entries[0]?.metadata
    expect(await told(admin)).toMatchObject({ event_type: 'webhook_added', url })
    expect(await told(staff)).toEqual({
      type: 'config_change',
      event_type: 'webhook_added',
      events: ['count.recorded'],
    })
  })

  it('nor are the addresses of colleagues, whatever happened to their accounts', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    const post = (path: string, body: unknown) => app.done({ path: `/api/${path}`, token: admin.token, body })
    await post('team/invitations', { email: 'ina@example.com', role: 'user', mail: false })
    const { body } = await post('api-keys', { name: 'Reader', scopes: ['read'] })
    const { key } = z.object({ key: z.string() }).parse(body)
    const promoted = await makeStaff(app, admin)
    await post(`team/users/${promoted.userId}/role`, { role: 'admin' })
    const staff = await makeStaff(app, admin, 'Olga Other')
    const told = async (person: Person) =>
      (await trail(person, '')).entries
        .map(({ metadata }) => `${String(metadata['event_type'])} ${String(metadata['email'])}`)
        .filter((each) => /invited|role|registration/.test(each))
    expect(await told(admin)).toEqual([
      `role_changed ${promoted.email}`,
      'user_invited ina@example.com',
      `registration_completed ${admin.email}`,
    ])
    for (const other of [staff, { ...admin, token: key }]) {
      expect(await told(other)).toEqual([
        'role_changed undefined',
        'user_invited undefined',
        'registration_completed undefined',
      ])
      expect(JSON.stringify((await trail(other, '')).entries)).not.toContain('@')
    }
  })

  it('nor, by the entry of a certificate, how accurate counts were', async () => {
    const { admin, staff } = await companyWith({ count_tolerance_units: 2 })
    await count(staff, 4)
    const path = `/api/accuracy/certificate?month=${new Date().toISOString().slice(0, 7)}`
    expect((await app.ask({ method: 'GET', path, token: admin.token })).status).toBe(200)
    const told = async (person: Person) =>
      (await trail(person, 'sku=COUNT_CERTIFICATE_ISSUED')).entries[0]?.metadata
    expect(await told(admin)).toMatchObject({ lines: 1, matched: 0, tolerated: 1 })
    expect(Object.keys((await told(staff)) ?? {}).toSorted()).toEqual([
      'event_type',
      'month',
      'session',
      'type',
    ])
  })
})
