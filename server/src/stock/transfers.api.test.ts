import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompanyWithStock, type People } from '../../test/company-with-stock.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function companyWithStock(): Promise<People> {
  const rows = [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 10 }]
  return await makeCompanyWithStock(app, rows)
}

const send = (person: Person, part: Record<string, unknown> = {}) =>
  app.ask({
    path: '/api/transfers',
    token: person.token,
    body: { barcode: 'A-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 4, ...part },
  })

const sent = z.object({ transfer: z.object({ id: z.string() }) })

async function idOfSent(person: Person, part: Record<string, unknown> = {}): Promise<string> {
  const { body } = await send(person, part)
  return sent.parse(body).transfer.id
}

const receive = (person: Person, id: string, location = 'SECONDARY') =>
  app.ask({ path: `/api/transfers/${id}/receive`, token: person.token, body: { location } })

const receivePart = (person: Person, id: string, quantity: number) =>
  app.ask({
    path: `/api/transfers/${id}/receive`,
    token: person.token,
    body: { location: 'SECONDARY', quantity },
  })

const writeOff = (person: Person, id: string, body: object = {}) =>
  app.ask({ path: `/api/transfers/${id}/write-off`, token: person.token, body })

const cancel = (person: Person, id: string) =>
  app.ask({ path: `/api/transfers/${id}/cancel`, token: person.token, body: {} })

const detail = async (person: Person) =>
  (await app.ask({ method: 'GET', path: '/api/components/detail?barcode=A-1', token: person.token })).body

const stock = z.object({
  stock: z.array(z.object({ location: z.string(), quantity: z.int(), arriving: z.int() })),
})

/** Quantity and what is arriving, by location. */
async function stockOf(person: Person): Promise<Record<string, [number, number]>> {
  const lines = stock.parse(await detail(person)).stock
  return Object.fromEntries(lines.map(({ location, quantity, arriving }) => [location, [quantity, arriving]]))
}

/** Stock rows that are not the sum of their movements. */
async function ledgerDifference(person: Person): Promise<unknown[]> {
  const { rows } = await app.owner.query(
    `select stock.location, stock.quantity, coalesce(sum(movements.delta), 0)::integer as moved
     from stock left join movements using (tenant_id, component_id, location)
     where stock.tenant_id = $1
     group by stock.tenant_id, stock.component_id, stock.location, stock.quantity
     having stock.quantity <> coalesce(sum(movements.delta), 0)`,
    [person.tenantId],
  )
  return rows
}

describe('stock sent to another location', () => {
  it('belongs to neither location until somebody receives it there', async () => {
    const { admin, staff } = await companyWithStock()
    const reply = await send(admin, { note: 'van 7' })
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { success: true, transfer: { status: 'in_transit', quantity: 4, from: 'PRIMARY', note: 'van 7' } },
    ])
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [6, 0], SECONDARY: [0, 4] })
    expect(await ledgerDifference(admin)).toEqual([])

    const { id } = sent.parse(reply.body).transfer
    const received = await receive(staff, id)
    expect([received.status, received.body]).toMatchObject([
      200,
      { transfer: { status: 'received', closed_by: 'Sam Staff' } },
    ])
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [6, 0], SECONDARY: [4, 0] })
    expect(await ledgerDifference(admin)).toEqual([])
    const { rows } = await app.owner.query(
      `select location, delta, cause, reference = $2 as paired from movements
       where tenant_id = $1 and cause <> 'import' order by id`,
      [admin.tenantId, id],
    )
    expect(rows).toEqual([
      { location: 'PRIMARY', delta: -4, cause: 'transfer', paired: true },
      { location: 'SECONDARY', delta: 4, cause: 'transfer', paired: true },
    ])
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?sku=A-1', token: admin.token })
    expect(trail.body).toMatchObject({
      entries: [
        { metadata: { event_type: 'transfer_received', transfer_id: id }, user_name: 'Sam Staff' },
        { metadata: { event_type: 'transfer_sent', from: 'PRIMARY', to: 'SECONDARY' } },
      ],
    })
  })

  it('goes back when it is cancelled', async () => {
    const { admin } = await companyWithStock()
    const id = await idOfSent(admin)
    expect((await cancel(admin, id)).body).toMatchObject({ transfer: { status: 'cancelled' } })
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [10, 0], SECONDARY: [0, 0] })
    expect(await ledgerDifference(admin)).toEqual([])
    expect((await receive(admin, id)).body).toMatchObject({
      code: 'not_in_transit',
      error: 'This stock is no longer on its way: it was received, cancelled or written off.',
    })
  })

  it('arrives once, however many receive or cancel it at the same time', async () => {
    const { admin } = await companyWithStock()
    const id = await idOfSent(admin)
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? receive(admin, id) : cancel(admin, id))),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const { PRIMARY: [primary] = [0], SECONDARY: [secondary] = [0] } = await stockOf(admin)
    expect(primary + secondary).toBe(10)
    expect(await ledgerDifference(admin)).toEqual([])
  })

  it('is never more than there is, however many send at the same time', async () => {
    const { admin } = await companyWithStock()
    const replies = await Promise.all(Array.from({ length: 6 }, () => send(admin, { quantity: 3 })))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 409, 409, 409,
    ])
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [1, 0], SECONDARY: [0, 9] })
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
      error: 'Primary Warehouse has less stock than that. Nothing was moved.',
    })
    expect(await ledgerDifference(admin)).toEqual([])
  })

  it('is received at its target only', async () => {
    const { admin } = await companyWithStock()
    const id = await idOfSent(admin)
    expect((await receive(admin, id, 'FULFILLMENT')).body).toMatchObject({
      code: 'other_location',
      error: 'This stock is on its way to Secondary Warehouse. Receive it there.',
    })
    expect((await receive(admin, id, 'DISTRIBUTION')).status).toBe(403)
  })

  it('is summed over all of its transfers, however many there are', async () => {
    const { admin } = await companyWithStock()
    const body = { barcode: 'A-1', quantity: 300, location: 'PRIMARY' }
    await app.done({ path: '/api/components/update-quantity', token: admin.token, body })
    const first = await idOfSent(admin, { quantity: 4 })
    await receivePart(admin, first, 1)
    for (let round = 0; round < 21; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => idOfSent(admin, { quantity: 1 })))
    }
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [86, 0], SECONDARY: [1, 213] })
  })

  it('is listed for its target until it is there', async () => {
    const { admin, staff } = await companyWithStock()
    const first = await idOfSent(admin, { quantity: 1 })
    const second = await idOfSent(admin, { quantity: 2 })
    const list = (query: string) =>
      app.ask({ method: 'GET', path: `/api/transfers${query}`, token: staff.token })
    expect((await list('?to=SECONDARY')).body).toMatchObject({
      transfers: [{ id: second }, { id: first }],
      next_cursor: null,
    })
    expect((await list('?to=FULFILLMENT')).body).toMatchObject({ transfers: [] })
    expect((await list('?limit=1')).body).toMatchObject({ transfers: [{ id: second }], next_cursor: second })
    expect((await list(`?limit=1&cursor=${second}`)).body).toMatchObject({ transfers: [{ id: first }] })
    await receive(staff, first)
    expect((await list('?to=SECONDARY')).body).toMatchObject({ transfers: [{ id: second }] })
  })

  it.each([
    [{ to: 'PRIMARY' }, 400, 'Choose two different places to move stock between.'],
    [{ quantity: 0 }, 400, 'quantity must be at least 1.'],
    [{ to: 'MOON' }, 400, 'Invalid location selected.'],
    [{ to: 'DISTRIBUTION' }, 403, 'Your plan does not include this location.'],
    [{ barcode: 'GHOST' }, 404, 'There is no component with this barcode.'],
  ])('with %j is refused', async (part, status, error) => {
    const { admin } = await companyWithStock()
    const reply = await send(admin, part)
    expect([reply.status, reply.body]).toMatchObject([status, { error }])
  })

  it('is not given back to a location that the plan does not include any more, which is read-only', async () => {
    const { admin, staff } = await companyWithStock()
    await receive(staff, await idOfSent(admin))
    const id = await idOfSent(admin, { from: 'SECONDARY', to: 'PRIMARY', quantity: 3 })
    const plan = { plan: 'starter', accept_read_only: true }
    expect((await app.ask({ path: '/api/company/plan', token: admin.token, body: plan })).status).toBe(200)
    const reply = await cancel(admin, id)
    expect([reply.status, reply.body]).toMatchObject([403, { code: 'location_not_in_plan' }])
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [6, 3], SECONDARY: [1, 0] })
    expect((await receive(staff, id, 'PRIMARY')).status).toBe(200)
  })

  it('and what was on its way before is listed with what became of it, page by page', async () => {
    const { admin, staff } = await companyWithStock()
    const received = await idOfSent(admin, { quantity: 1 })
    const cancelled = await idOfSent(admin, { quantity: 2 })
    const lost = await idOfSent(admin, { quantity: 3 })
    await send(admin, { quantity: 4 })
    await receive(staff, received)
    await cancel(admin, cancelled)
    await receivePart(staff, lost, 1)
    await writeOff(admin, lost)
    const ended = async (query: string, person = staff) =>
      (await app.ask({ method: 'GET', path: `/api/transfers?state=ended${query}`, token: person.token })).body
    const first = await ended('&limit=2')
    expect(first).toMatchObject({
      transfers: [
        { id: lost, status: 'written_off', quantity: 3, received_quantity: 1, closed_by: admin.name },
        { id: cancelled, status: 'cancelled', quantity: 2, received_quantity: 0, closed_by: admin.name },
      ],
      next_cursor: cancelled,
    })
    expect(await ended(`&limit=2&cursor=${cancelled}`)).toMatchObject({
      transfers: [{ id: received, status: 'received', quantity: 1, closed_by: staff.name }],
      next_cursor: null,
    })
    expect(await ended('&to=PRIMARY')).toEqual({ transfers: [], next_cursor: null })
    expect(await ended('', await makeCompany(app))).toEqual({ transfers: [], next_cursor: null })
  })

  it('is sent and cancelled by administrators only', async () => {
    const { admin, staff } = await companyWithStock()
    const id = await idOfSent(admin)
    expect([(await send(staff)).status, (await cancel(staff, id)).status]).toEqual([403, 403])
  })

  it('is sent once for a key', async () => {
    const { admin } = await companyWithStock()
    const body = { barcode: 'A-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 4 }
    const once = { path: '/api/transfers', token: admin.token, body, key: 'one' }
    const [first, second] = [await app.ask(once), await app.ask(once)]
    expect(second.body).toEqual(first.body)
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [6, 0] })
  })
})

describe('stock that arrives in parts', () => {
  it('stays on its way as far as it has not arrived', async () => {
    const { admin, staff } = await companyWithStock()
    const id = await idOfSent(admin)
    expect((await receivePart(staff, id, 3)).body).toMatchObject({
      transfer: { status: 'in_transit', quantity: 4, received_quantity: 3, closed_by: null },
    })
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [6, 0], SECONDARY: [3, 1] })
    expect((await receive(staff, id)).body).toMatchObject({
      transfer: { status: 'received', quantity: 4, received_quantity: 4, closed_by: 'Sam Staff' },
    })
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [6, 0], SECONDARY: [4, 0] })
    expect(await ledgerDifference(admin)).toEqual([])
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?sku=A-1', token: admin.token })
    expect(trail.body).toMatchObject({
      entries: [
        { quantity: 1, location: 'SECONDARY', metadata: { event_type: 'transfer_received' } },
        {
          quantity: 3,
          location: 'SECONDARY',
          metadata: { event_type: 'transfer_received', still_on_its_way: 1 },
        },
        { quantity: 4, metadata: { event_type: 'transfer_sent' } },
      ],
    })
  })

  it('is received with its last part', async () => {
    const { admin, staff } = await companyWithStock()
    const id = await idOfSent(admin)
    await receivePart(staff, id, 3)
    expect((await receivePart(staff, id, 1)).body).toMatchObject({ transfer: { status: 'received' } })
    expect((await receivePart(staff, id, 1)).body).toMatchObject({ code: 'not_in_transit' })
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [6, 0], SECONDARY: [4, 0] })
  })

  it('is never more than was sent, however many receive at the same time', async () => {
    const { admin, staff } = await companyWithStock()
    const id = await idOfSent(admin)
    const much = await receivePart(staff, id, 5)
    expect([much.status, much.body]).toMatchObject([
      409,
      { error: 'Less than that is still on its way. Nothing was received.' },
    ])
    expect((await receivePart(staff, id, 0)).body).toMatchObject({ error: 'quantity must be at least 1.' })
    const replies = await Promise.all(Array.from({ length: 6 }, () => receivePart(staff, id, 1)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [6, 0], SECONDARY: [4, 0] })
    expect(await ledgerDifference(admin)).toEqual([])
  })

  it('is received once for a key', async () => {
    const { admin, staff } = await companyWithStock()
    const id = await idOfSent(admin)
    const body = { location: 'SECONDARY', quantity: 1 }
    const once = { path: `/api/transfers/${id}/receive`, token: staff.token, body, key: 'part' }
    const [first, second] = [await app.ask(once), await app.ask(once)]
    expect(second.body).toEqual(first.body)
    expect(await stockOf(admin)).toMatchObject({ SECONDARY: [1, 3] })
  })

  it('goes back as far as it has not arrived', async () => {
    const { admin, staff } = await companyWithStock()
    const id = await idOfSent(admin)
    await receivePart(staff, id, 3)
    expect((await cancel(admin, id)).body).toMatchObject({
      transfer: { status: 'cancelled', quantity: 4, received_quantity: 3 },
    })
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [7, 0], SECONDARY: [3, 0] })
    expect(await ledgerDifference(admin)).toEqual([])
  })

  it('is written off by an administrator as far as it has not arrived, once', async () => {
    const { admin, staff } = await companyWithStock()
    const id = await idOfSent(admin)
    await receivePart(staff, id, 3)
    expect((await writeOff(staff, id)).status).toBe(403)
    expect((await writeOff(admin, id, { reason: 'fell off the van' })).body).toMatchObject({
      transfer: { status: 'written_off', quantity: 4, received_quantity: 3, closed_by: admin.name },
    })
    const again = await Promise.all([writeOff(admin, id), cancel(admin, id), receive(staff, id)])
    expect(again.map(({ status }) => status)).toEqual([409, 409, 409])
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [6, 0], SECONDARY: [3, 0] })
    expect(await ledgerDifference(admin)).toEqual([])
    const trail = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?sku=A-1&limit=1',
      token: admin.token,
    })
    expect(trail.body).toMatchObject({
      entries: [
        { quantity: 1, metadata: { event_type: 'transfer_written_off', reason: 'fell off the van' } },
      ],
    })
  })
})

describe('stock that would pass what can be kept', () => {
  const most = 2_147_483_647
  const setAll = (admin: Person, quantities: object) =>
    app.ask({ path: '/api/components/import', token: admin.token, body: [{ barcode: 'A-1', ...quantities }] })
  const refusal = [
    409,
    {
      success: false,
      code: 'stock_limit',
      error:
        'This would bring the stock there above 2,147,483,647, which is more than can be kept. Nothing was changed.',
    },
  ]

  it('is not received, called back or put into quarantine', async () => {
    const { admin, staff } = await companyWithStock()
    const id = await idOfSent(admin)
    await setAll(admin, { primary_quantity: most, secondary_quantity: most, quarantine_quantity: most })
    const received = await receive(staff, id, 'SECONDARY')
    expect([received.status, received.body]).toEqual(refusal)
    const cancelled = await cancel(admin, id)
    expect([cancelled.status, cancelled.body]).toEqual(refusal)
    const moved = await send(admin, { to: 'QUARANTINE', quantity: 1 })
    expect([moved.status, moved.body]).toEqual(refusal)
  })
})

describe('quarantine', () => {
  it('takes stock at once, and gives it back at once', async () => {
    const { admin } = await companyWithStock()
    const reply = await send(admin, { to: 'QUARANTINE', quantity: 3 })
    expect(reply.body).toMatchObject({ transfer: { status: 'received', closed_by: admin.name } })
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [7, 0], QUARANTINE: [3, 0] })
    await send(admin, { from: 'QUARANTINE', to: 'SECONDARY', quantity: 2 })
    expect(await stockOf(admin)).toMatchObject({ SECONDARY: [2, 0], QUARANTINE: [1, 0] })
    expect((await send(admin, { from: 'QUARANTINE', to: 'PRIMARY', quantity: 2 })).status).toBe(409)
    expect(await ledgerDifference(admin)).toEqual([])
  })
})

const receiveAll = (person: Person, ids: string[], location = 'SECONDARY') =>
  app.ask({ path: '/api/transfers/receive-all', token: person.token, body: { location, ids } })

describe('several transfers at once', () => {
  it('are received with all that is left of each, by anybody of the company', async () => {
    const { admin, staff } = await companyWithStock()
    const whole = await idOfSent(admin, { quantity: 4 })
    const rest = await idOfSent(admin, { quantity: 3 })
    await receivePart(staff, rest, 1)
    const reply = await receiveAll(staff, [whole, rest, whole])
    expect([reply.status, reply.body]).toEqual([
      200,
      { success: true, received: 2, pieces: 6, ended_before: 0 },
    ])
    expect(await stockOf(admin)).toMatchObject({ PRIMARY: [3, 0], SECONDARY: [7, 0] })
    expect(await ledgerDifference(admin)).toEqual([])
    const trail = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?sku=A-1&limit=2',
      token: admin.token,
    })
    expect(JSON.stringify(trail.body)).toContain('"transfer_id":"' + whole)
    expect(trail.body).toMatchObject({
      entries: [
        { location: 'SECONDARY', user_name: staff.name, metadata: { event_type: 'transfer_received' } },
        { location: 'SECONDARY', user_name: staff.name, metadata: { event_type: 'transfer_received' } },
      ],
    })
  })

  it('leave out what has ended meanwhile', async () => {
    const { admin, staff } = await companyWithStock()
    const ids = [await idOfSent(admin, { quantity: 1 }), await idOfSent(admin, { quantity: 2 })]
    await receive(staff, ids[0] ?? '')
    expect((await receiveAll(staff, ids)).body).toMatchObject({ received: 1, pieces: 2, ended_before: 1 })
    expect((await receiveAll(staff, ids)).body).toMatchObject({ received: 0, pieces: 0, ended_before: 2 })
    expect(await stockOf(admin)).toMatchObject({ SECONDARY: [3, 0] })
  })

  it('arrive once, however many receive them at the same time', async () => {
    const { admin, staff } = await companyWithStock()
    const rows = ['B-1', 'B-2', 'B-3'].map((barcode) => ({ barcode, primary_quantity: 5 }))
    await app.done({ path: '/api/components/import', token: admin.token, body: rows })
    const ids: string[] = []
    for (const barcode of ['B-1', 'A-1', 'B-3', 'B-2'])
      ids.push(await idOfSent(admin, { barcode, quantity: 2 }))
    const replies = await Promise.all([
      ...ids.map((_, turn) => receiveAll(staff, [...ids.slice(turn), ...ids.slice(0, turn)])),
      ...ids.map((id) => receive(admin, id)),
    ])
    expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect(await stockOf(admin)).toMatchObject({ SECONDARY: [2, 0] })
    expect(await ledgerDifference(admin)).toEqual([])
  })

  it('are received once for a key', async () => {
    const { admin, staff } = await companyWithStock()
    const body = { location: 'SECONDARY', ids: [await idOfSent(admin)] }
    const again = () =>
      app.ask({ path: '/api/transfers/receive-all', token: staff.token, key: 'all-1', body })
    const replies = [await again(), await again()]
    expect(replies.map((reply) => reply.body)).toEqual([
      { success: true, received: 1, pieces: 4, ended_before: 0 },
      { success: true, received: 1, pieces: 4, ended_before: 0 },
    ])
  })

  it('are received at their target only, of one company only, all or none', async () => {
    const { admin, staff } = await companyWithStock()
    const other = await companyWithStock()
    const own = await idOfSent(admin, { quantity: 1 })
    const elsewhere = await idOfSent(admin, { quantity: 2, to: 'FULFILLMENT' })
    const foreign = await idOfSent(other.admin)
    const wrong = await receiveAll(staff, [own, elsewhere])
    expect([wrong.status, wrong.body]).toMatchObject([
      409,
      { error: 'This stock is on its way to Fulfillment Center. Receive it there.' },
    ])
    const unknown = await receiveAll(staff, [own, foreign])
    expect([unknown.status, unknown.body]).toMatchObject([404, { error: 'There is no such transfer.' }])
    expect((await receiveAll(staff, [own], 'DISTRIBUTION')).status).toBe(403)
    expect((await receiveAll(staff, [])).body).toMatchObject({ error: 'Choose at least one transfer.' })
    expect(await stockOf(admin)).toMatchObject({ SECONDARY: [0, 1], FULFILLMENT: [0, 2] })
  })
})
