import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
let admin: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  admin = await makeCompany(app)
  staff = await makeStaff(app, admin)
  await post('/api/components/import', [{ barcode: 'A-1', primary_quantity: 10 }])
})
afterAll(() => app.close())

const path = '/api/components/adjust-quantity'

const ask = (body: object, { token } = admin, key?: string) =>
  app.ask({ path, token, body, ...(key === undefined ? {} : { key }) })

async function post(to: string, body: object): Promise<unknown> {
  const reply = await app.ask({ path: to, token: admin.token, body })
  expect(reply.status).toBe(200)
  return reply.body
}

const get = async (from: string) => (await app.ask({ method: 'GET', path: from, token: admin.token })).body

const change = (amount: number, reason: string, part: object = {}) => ({
  barcode: 'A-1',
  location: 'PRIMARY',
  amount,
  reason,
  ...part,
})

const stock = () => post('/api/components/by-barcode', { barcode: 'A-1' })

describe('stock that is received or issued by an amount', () => {
  it('comes on top of what is there, with its reason in the ledger and in the trail', async () => {
    const received = await ask(change(12, 'received', { note: ' Order 77 ' }))
    expect([received.status, received.body]).toMatchObject([
      200,
      { success: true, component: { primary_quantity: 22 } },
    ])
    expect((await ask(change(-3, 'damaged'))).body).toMatchObject({ component: { primary_quantity: 19 } })
    expect(await get('/api/components/movements?barcode=A-1')).toMatchObject({
      movements: [
        { delta: -3, quantity_after: 19, cause: 'damaged', note: '', user_name: admin.name },
        { delta: 12, quantity_after: 22, cause: 'received', note: 'Order 77' },
        { delta: 10, cause: 'import' },
      ],
    })
    expect(await get('/api/audit/trail?sku=A-1')).toMatchObject({
      entries: [
        {
          quantity: -3,
          location: 'PRIMARY',
          user_name: admin.name,
          metadata: { event_type: 'quantity_adjusted', reason: 'damaged', old_value: 22, new_value: 19 },
        },
        { quantity: 12, metadata: { reason: 'received', old_value: 10, new_value: 22, note: 'Order 77' } },
      ],
    })
    const told = JSON.stringify(await get('/api/dashboard'))
    expect(told).toContain(`${admin.name} changed A-1 by +12 at Primary Warehouse`)
    expect(told).toContain(`${admin.name} changed A-1 by −3 at Primary Warehouse`)
  })

  it('begins at 0 where there never was any', async () => {
    await post('/api/components/import', [{ barcode: 'B-1' }])
    expect((await ask(change(4, 'found', { barcode: 'B-1' }))).body).toMatchObject({
      component: { primary_quantity: 4 },
    })
  })

  it('adds up where several people do it at the same moment', async () => {
    const amounts = Array.from({ length: 12 }, (_, index) => index + 1)
    const replies = await Promise.all(amounts.map((amount) => ask(change(amount, 'received'))))
    expect(replies.map(({ status }) => status)).toEqual(amounts.map(() => 200))
    expect(await stock()).toMatchObject({ component: { primary_quantity: 10 + 78 } })
  })

  it('never takes more than there is, however many take at the same moment', async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(() => ask(change(-4, 'issued'))))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409, 409])
    expect(await stock()).toMatchObject({ component: { primary_quantity: 2 } })
    const refused = await ask(change(-4, 'issued'))
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        success: false,
        code: 'below_zero',
        error: 'Only 2 of A-1 are in stock at Primary Warehouse. Nothing was changed.',
      },
    ])
  })

  it('is changed once by a repeated request', async () => {
    const twice = [
      await ask(change(5, 'received'), admin, 'k-1'),
      await ask(change(5, 'received'), admin, 'k-1'),
    ]
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    expect(await stock()).toMatchObject({ component: { primary_quantity: 15 } })
    expect((await ask(change(6, 'received'), admin, 'k-1')).status).toBe(422)
  })

  it('is in the exported movements by its reason', async () => {
    await ask(change(-3, 'other', { note: 'Sample for a customer' }))
    const reply = await fetch(`${app.url}/api/exports/movements`, {
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect(await reply.text()).toContain('A-1,Primary Warehouse,-3,7,Other,Sample for a customer,')
  })

  const wrongAmount = 'amount must be a whole number other than 0, from -2,147,483,647 to 2,147,483,647.'

  it.each([
    [change(0, 'received'), 400, wrongAmount],
    [change(3_000_000_000, 'received'), 400, wrongAmount],
    [change(1.5, 'received'), 400, wrongAmount],
    [change(-1, 'received'), 400, "'Received' adds to the stock. Give an amount above 0."],
    [change(3, 'issued'), 400, "'Issued' takes from the stock. Give an amount below 0."],
    [change(3, 'other', { note: ' ' }), 400, 'Say in the note why the stock changes.'],
    [change(3, 'received', { location: 'Moon' }), 400, 'Invalid location selected.'],
    [change(3, 'received', { location: 'DISTRIBUTION' }), 403, 'Your plan does not include this location.'],
    [change(3, 'received', { barcode: 'nothing' }), 404, 'There is no component with this barcode.'],
    [
      change(2_147_483_647, 'received'),
      409,
      'This would bring the stock there above 2,147,483,647, which is more than can be kept. Nothing was changed.',
    ],
  ])('with %j is refused', async (body, status, error) => {
    const reply = await ask(body)
    expect([reply.status, reply.body]).toMatchObject([status, { error }])
    expect(await stock()).toMatchObject({ component: { primary_quantity: 10 } })
  })

  it('with a number that breaks all rules at once is told them once', async () => {
    const { body } = await ask(change(1e40, 'received'))
    expect(body).toMatchObject({
      error: wrongAmount,
      details: [
        {
          path: 'amount',
          message: 'must be a whole number other than 0, from -2,147,483,647 to 2,147,483,647.',
        },
      ],
    })
  })

  it('is refused for a retired component', async () => {
    await post('/api/components/import', [{ barcode: 'OLD-1' }])
    await post('/api/components/retire', { barcode: 'OLD-1' })
    expect((await ask(change(1, 'received', { barcode: 'OLD-1' }))).body).toMatchObject({
      code: 'component_retired',
    })
  })

  it('is for administrators of the company', async () => {
    expect((await ask(change(1, 'received'), staff)).status).toBe(403)
    expect((await ask(change(1, 'received'), await makeCompany(app))).status).toBe(404)
    expect(await stock()).toMatchObject({ component: { primary_quantity: 10 } })
  })

  it('leaves a difference as it is that is reopened later', async () => {
    for (const _ of [1, 2]) {
      await post('/api/components/update-with-tracking', {
        barcode: 'A-1',
        quantity: 8,
        location: 'PRIMARY',
        source: 'monthly',
        session: 's',
        timestamp: new Date().toISOString(),
      })
    }
    const listed = await app.owner.query<{ id: string }>(
      'select id from discrepancies where tenant_id = $1',
      [admin.tenantId],
    )
    const id = listed.rows[0]?.id
    await post('/api/discrepancies/decide', { ids: [id], decision: 'accept', reason: 'Damaged' })
    await ask(change(20, 'received'))
    await ask(change(-5, 'issued'))
    expect(await post('/api/discrepancies/reopen', { id })).toMatchObject({ status: 'open' })
    expect(await stock()).toMatchObject({ component: { primary_quantity: 25 } })
    await post('/api/discrepancies/decide', { ids: [id], decision: 'dismiss' })
    await ask(change(-2, 'lost'))
    expect(
      (await app.ask({ path: '/api/discrepancies/reopen', token: admin.token, body: { id } })).body,
    ).toMatchObject({
      code: 'cannot_reopen',
    })
  })
})
