import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompanyWithStock, type People } from '../../test/company-with-stock.ts'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const rows = [
  { barcode: 'A-1', description: 'Bolt', primary_quantity: 5, secondary_quantity: 5 },
  { barcode: 'A-2', description: 'Nut', primary_quantity: 7 },
  { barcode: 'A-3', description: 'Washer', primary_quantity: 9 },
]

async function companyWithStock(): Promise<People> {
  return await makeCompanyWithStock(app, rows, { timeZone: zoneOfNoon() })
}

let scans = 0

function scan(person: Person, part: Record<string, unknown> = {}) {
  scans += 1
  return app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    body: {
      barcode: 'A-1',
      quantity: 3,
      location: 'PRIMARY',
      source: 'monthly',
      session: `s${scans}`,
      timestamp: new Date(Date.now() + scans).toISOString(),
      ...part,
    },
  })
}

const list = (person: Person, query = '') =>
  app.ask({ method: 'GET', path: `/api/discrepancies${query}`, token: person.token })

const decide = (person: Person, body: Record<string, unknown>, key?: string) =>
  app.ask({
    path: '/api/discrepancies/decide',
    token: person.token,
    body,
    ...(key === undefined ? {} : { key }),
  })

const idList = z.object({ discrepancies: z.array(z.object({ id: z.string() })) })

/** Ids of the differences that wait, newest first. */
async function openIds(admin: Person): Promise<string[]> {
  const { body } = await list(admin, '?status=open')
  return idList.parse(body).discrepancies.map(({ id }) => id)
}

/** A difference that waits: counted twice as 3 where 5 are expected. */
async function difference(
  people: { admin: Person; staff: Person },
  part: Record<string, unknown> = {},
): Promise<string[]> {
  await scan(people.staff, part)
  await scan(people.staff, part)
  return await openIds(people.admin)
}

const setStock = (person: Person, quantity: number, barcode = 'A-1') =>
  app.ask({
    path: '/api/components/update-quantity',
    token: person.token,
    body: { barcode, quantity, location: 'PRIMARY' },
  })

async function stockOf(person: Person): Promise<unknown> {
  const { body } = await app.ask({ method: 'GET', path: '/api/components', token: person.token })
  return body
}

const status = async (person: Person) =>
  (
    await app.ask({
      path: '/api/components/with-count-status',
      token: person.token,
      body: { location: 'PRIMARY' },
    })
  ).body

async function movements(person: Person): Promise<unknown[]> {
  const { rows: found } = await app.owner.query(
    `select delta, quantity_after, note, user_name from movements
     where tenant_id = $1 and cause = 'discrepancy' order by id`,
    [person.tenantId],
  )
  return found
}

/** Stock rows that are not the sum of their movements. */
async function ledgerDifference(person: Person): Promise<unknown[]> {
  const { rows: found } = await app.owner.query(
    `select stock.component_id, stock.location, stock.quantity, coalesce(sum(movements.delta), 0)::integer as moved
     from stock left join movements using (tenant_id, component_id, location)
     where stock.tenant_id = $1
     group by stock.tenant_id, stock.component_id, stock.location, stock.quantity
     having stock.quantity <> coalesce(sum(movements.delta), 0)`,
    [person.tenantId],
  )
  return found
}

const unknownId = '01890000-0000-7000-8000-000000000000'

describe('the list of differences', () => {
  it('shows administrators expected, counted, difference, who, and every attempt', async () => {
    const people = await companyWithStock()
    await scan(people.staff, { quantity: 4 })
    await scan(people.admin, { quantity: 3 })
    const { status: code, body } = await list(people.admin)
    expect(code).toBe(200)
    expect(body).toMatchObject({
      discrepancies: [
        {
          sku: 'A-1',
          description: 'Bolt',
          location: 'PRIMARY',
          count_type: 'monthly',
          status: 'open',
          expected: 5,
          counted: 3,
          difference: -2,
          user_name: people.admin.name,
          reason: null,
          note: null,
          decided_by: null,
          attempts: [
            { attempt: 1, expected: 5, counted: 4, user_name: 'Sam Staff' },
            { attempt: 2, expected: 5, counted: 3, user_name: people.admin.name },
          ],
        },
      ],
      next_cursor: null,
    })
  })

  it('shows a single attempt as such, and a difference that a later count closed', async () => {
    const people = await companyWithStock()
    await scan(people.staff, { barcode: 'A-2' })
    await difference(people)
    await scan(people.staff, { quantity: 5 })
    expect((await list(people.admin)).body).toMatchObject({
      discrepancies: [
        { sku: 'A-1', status: 'matched', difference: 0, attempts: [{}, {}, { counted: 5 }] },
        { sku: 'A-2', status: 'attempted', attempts: [{}] },
      ],
    })
  })

  it.each([
    ['?status=open', ['A-1', 'A-2']],
    ['?status=attempted', ['A-3']],
    ['?location=SECONDARY', ['A-1']],
    ['?location=Primary%20Warehouse', ['A-3', 'A-2']],
    ['?status=open&location=PRIMARY', ['A-2']],
    ['?status=accepted', []],
  ])('with %s has these, newest first', async (query, skus) => {
    const people = await companyWithStock()
    await difference(people, { barcode: 'A-2' })
    await scan(people.staff, { barcode: 'A-3' })
    await difference(people, { location: 'SECONDARY' })
    expect((await list(people.admin, query)).body).toMatchObject({
      discrepancies: skus.map((sku) => ({ sku })),
    })
  })

  it('can be read page by page', async () => {
    const people = await companyWithStock()
    await difference(people)
    await difference(people, { barcode: 'A-2' })
    await difference(people, { barcode: 'A-3' })
    const first = await list(people.admin, '?limit=2')
    expect(first.body).toMatchObject({ discrepancies: [{ sku: 'A-3' }, { sku: 'A-2' }] })
    const cursor = /"next_cursor":"([^"]+)"/.exec(first.bytes.toString())?.[1]
    expect((await list(people.admin, `?limit=2&cursor=${cursor}`)).body).toMatchObject({
      discrepancies: [{ sku: 'A-1' }],
      next_cursor: null,
    })
  })

  it('and its decisions are closed to staff, and each try is audited', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    const replies = [
      await list(people.staff),
      await decide(people.staff, { ids, decision: 'accept', reason: 'Damaged' }),
    ]
    expect(replies.map(({ status: code }) => code)).toEqual([403, 403])
    const trail = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?sku=AUTH_ACCESS_REFUSED',
      token: people.admin.token,
    })
    expect(trail.body).toMatchObject({
      entries: [
        { user_name: 'Sam Staff', metadata: { call: 'POST /api/discrepancies/decide' } },
        { user_name: 'Sam Staff', metadata: { call: 'GET /api/discrepancies' } },
      ],
    })
  })
})

describe('accepting a difference', () => {
  it('posts it to the stock as a movement with its reason and note', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    const reply = await decide(people.admin, {
      ids,
      decision: 'accept',
      reason: 'Damaged',
      note: 'fell down',
    })
    expect([reply.status, reply.body]).toEqual([200, { success: true, decided: 1 }])
    expect(await stockOf(people.admin)).toMatchObject({
      components: [{ primary_quantity: 3, secondary_quantity: 5 }, {}, {}],
    })
    expect(await movements(people.admin)).toEqual([
      { delta: -2, quantity_after: 3, note: 'Damaged: fell down', user_name: people.admin.name },
    ])
    expect((await list(people.admin)).body).toMatchObject({
      discrepancies: [
        { status: 'accepted', reason: 'Damaged', note: 'fell down', decided_by: people.admin.name },
      ],
    })
    expect(await ledgerDifference(people.admin)).toEqual([])
  })

  it('adds a surplus', async () => {
    const people = await companyWithStock()
    const ids = await difference(people, { quantity: 12 })
    await decide(people.admin, { ids, decision: 'accept', reason: 'Found' })
    expect(await stockOf(people.admin)).toMatchObject({ components: [{ primary_quantity: 12 }, {}, {}] })
  })

  it('leaves right what was received by a correction since the scan', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await setStock(people.staff, 105)
    await decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' })
    expect(await stockOf(people.admin)).toMatchObject({ components: [{ primary_quantity: 103 }, {}, {}] })
    expect(await movements(people.admin)).toMatchObject([{ delta: -2, quantity_after: 103 }])
    expect(await ledgerDifference(people.admin)).toEqual([])
  })

  it('leaves right what was imported since the scan', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await app.done({
      path: '/api/components/import',
      token: people.staff.token,
      body: [{ barcode: 'A-1', primary_quantity: 20 }],
    })
    await decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' })
    expect(await stockOf(people.admin)).toMatchObject({ components: [{ primary_quantity: 18 }, {}, {}] })
  })

  it('takes the stock at the latest attempt as what was expected', async () => {
    const people = await companyWithStock()
    await scan(people.staff, { quantity: 3 })
    await setStock(people.admin, 10)
    const ids = await difference(people, { quantity: 8 })
    await decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' })
    expect(await stockOf(people.admin)).toMatchObject({ components: [{ primary_quantity: 8 }, {}, {}] })
    expect(await movements(people.admin)).toMatchObject([{ delta: -2, quantity_after: 8 }])
  })

  it.each([{}, { reason: '' }, { reason: '   ' }])('with %j needs a reason', async (part) => {
    const people = await companyWithStock()
    const ids = await difference(people)
    const reply = await decide(people.admin, { ids, decision: 'accept', ...part })
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { error: 'Give a reason for accepting a difference.', code: 'reason_required' },
    ])
    expect(await openIds(people.admin)).toEqual(ids)
    expect(await movements(people.admin)).toEqual([])
  })

  it('never brings the stock below 0, and then changes nothing', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await setStock(people.admin, 1)
    const before = await stockOf(people.admin)
    const reply = await decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' })
    expect([reply.status, reply.body]).toEqual([
      409,
      {
        success: false,
        error:
          'Accepting A-1 at Primary Warehouse would bring its stock below 0. Check what was moved since, or ask for a recount.',
        code: 'below_zero',
      },
    ])
    expect(await stockOf(people.admin)).toEqual(before)
    expect(await openIds(people.admin)).toEqual(ids)
    expect(await ledgerDifference(people.admin)).toEqual([])
  })

  it('may bring the stock to exactly 0', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await setStock(people.admin, 2)
    expect((await decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' })).status).toBe(200)
    expect(await stockOf(people.admin)).toMatchObject({ components: [{ primary_quantity: 0 }, {}, {}] })
  })

  it('never brings the stock above the largest quantity, and then changes nothing', async () => {
    const people = await companyWithStock()
    const ids = await difference(people, { quantity: 100 })
    await setStock(people.admin, 2_147_483_647)
    const reply = await decide(people.admin, { ids, decision: 'accept', reason: 'Found' })
    expect([reply.status, reply.body]).toMatchObject([
      409,
      {
        error:
          'Accepting A-1 at Primary Warehouse would bring its stock above 2,147,483,647, which is more than can be kept.',
      },
    ])
    expect(await openIds(people.admin)).toEqual(ids)
    expect(await movements(people.admin)).toEqual([])
  })

  it('of several at once takes all of them', async () => {
    const people = await companyWithStock()
    await difference(people)
    const ids = await difference(people, { barcode: 'A-2', quantity: 8 })
    const reply = await decide(people.admin, { ids, decision: 'accept', reason: 'Recounted' })
    expect(reply.body).toEqual({ success: true, decided: 2 })
    expect(await stockOf(people.admin)).toMatchObject({
      components: [{ primary_quantity: 3 }, { primary_quantity: 8 }, { primary_quantity: 9 }],
    })
  })

  it('of several at once takes none where one would fall below 0', async () => {
    const people = await companyWithStock()
    await difference(people, { barcode: 'A-2', quantity: 8 })
    const ids = await difference(people)
    await setStock(people.admin, 0)
    const before = await stockOf(people.admin)
    expect((await decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' })).status).toBe(409)
    expect(await stockOf(people.admin)).toEqual(before)
    expect(await openIds(people.admin)).toEqual(ids)
    expect(await movements(people.admin)).toEqual([])
  })

  it('of several at once takes none where one is unknown', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    const reply = await decide(people.admin, {
      ids: [...ids, unknownId],
      decision: 'accept',
      reason: 'Damaged',
    })
    expect(reply.status).toBe(404)
    expect(await openIds(people.admin)).toEqual(ids)
    expect(await movements(people.admin)).toEqual([])
  })

  it('at a location that the plan has closed is refused, and may be dismissed', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const people = { admin, staff: await makeStaff(app, admin) }
    await app.done({ path: '/api/components/import', token: admin.token, body: rows })
    const ids = await difference(people, { location: 'SECONDARY' })
    const plan = { plan: 'starter', accept_read_only: true }
    await app.done({ path: '/api/company/plan', token: admin.token, body: plan })
    const reply = await decide(admin, { ids, decision: 'accept', reason: 'Damaged' })
    expect([reply.status, reply.body]).toMatchObject([
      403,
      { error: 'Your plan does not include Secondary Warehouse, where A-1 was counted.' },
    ])
    expect(await movements(admin)).toEqual([])
    // Nobody could count it there.
    const recount = await decide(admin, { ids, decision: 'recount' })
    expect([recount.status, recount.body]).toEqual([reply.status, reply.body])
    expect(await openIds(admin)).toEqual(ids)
    expect((await decide(admin, { ids, decision: 'dismiss' })).status).toBe(200)
  })

  it('named twice in one call is decided once', async () => {
    const people = await companyWithStock()
    const [id] = await difference(people)
    const reply = await decide(people.admin, { ids: [id, id], decision: 'accept', reason: 'Damaged' })
    expect(reply.body).toEqual({ success: true, decided: 1 })
    expect(await movements(people.admin)).toHaveLength(1)
  })

  it('leaves the component counted', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' })
    expect(await status(people.staff)).toMatchObject({ counted: 1 })
    expect((await scan(people.staff, { quantity: 3 })).body).toMatchObject({
      matched: true,
      progress: { counted: 1, total: 3 },
    })
  })

  it('is in the audit trail with what was decided', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await decide(people.admin, { ids, decision: 'accept', reason: 'Damaged', note: 'fell down' })
    const trail = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?limit=1',
      token: people.admin.token,
    })
    expect(trail.body).toMatchObject({
      entries: [
        {
          sku: 'A-1',
          location: 'PRIMARY',
          user_name: people.admin.name,
          user_type: 'admin',
          metadata: {
            event_type: 'discrepancy_accepted',
            expected: 5,
            counted: 3,
            reason: 'Damaged',
            note: 'fell down',
          },
        },
      ],
    })
  })
})

describe('asking for a recount', () => {
  it('makes the component pending again and takes it out of the progress', async () => {
    const people = await companyWithStock()
    await scan(people.staff, { barcode: 'A-2', quantity: 7 })
    const ids = await difference(people)
    expect(await status(people.staff)).toMatchObject({ counted: 2 })
    expect((await decide(people.admin, { ids, decision: 'recount' })).status).toBe(200)
    expect(await status(people.staff)).toMatchObject({
      counted: 1,
      components: [{ barcode: 'A-1', counted: false }, { counted: true }, { counted: false }],
    })
    expect((await scan(people.staff, { quantity: 5 })).body).toMatchObject({
      matched: true,
      progress: { counted: 2, total: 3 },
    })
    expect((await list(people.admin)).body).toMatchObject({ discrepancies: [{ status: 'matched' }] })
  })

  it('keeps all attempts, and a further difference waits again', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await decide(people.admin, { ids, decision: 'recount' })
    expect((await scan(people.staff, { quantity: 2 })).body).toMatchObject({ recorded: true })
    expect((await list(people.admin)).body).toMatchObject({
      discrepancies: [{ status: 'open', counted: 2, attempts: [{}, {}, { attempt: 3, counted: 2 }] }],
    })
  })

  it('of a monthly count leaves the weekly count of the day', async () => {
    const people = await companyWithStock()
    await app.done({
      path: '/api/components/bulk-high-volume',
      token: people.admin.token,
      body: { barcodes: ['A-1'], day: 'Monday', location: 'PRIMARY', action: 'add' },
    })
    await scan(people.staff, { source: 'weekly', day: 'Monday', quantity: 5 })
    const ids = await difference(people)
    await decide(people.admin, { ids, decision: 'recount' })
    const weekly = await app.ask({
      path: '/api/components/high-volume-for-day',
      token: people.staff.token,
      body: { day: 'Monday', location: 'PRIMARY' },
    })
    expect(weekly.body).toMatchObject({ components: [{ counted_today: true }] })
    expect(await status(people.staff)).toMatchObject({ counted: 0 })
  })

  it('of a weekly count lets it be counted again without asking', async () => {
    const people = await companyWithStock()
    await app.done({
      path: '/api/components/bulk-high-volume',
      token: people.admin.token,
      body: { barcodes: ['A-1'], day: 'Monday', location: 'PRIMARY', action: 'add' },
    })
    const ids = await difference(people, { source: 'weekly', day: 'Monday' })
    await decide(people.admin, { ids, decision: 'recount' })
    const again = await scan(people.staff, { source: 'weekly', day: 'Monday', quantity: 5 })
    expect(again.body).toMatchObject({ matched: true, progress: { counted: 1, total: 1 } })
  })

  it('leaves the stock and the history as they are', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await decide(people.admin, { ids, decision: 'recount' })
    expect(await stockOf(people.admin)).toMatchObject({ components: [{ primary_quantity: 5 }, {}, {}] })
    const history = await app.ask({ method: 'GET', path: '/api/count-history', token: people.admin.token })
    expect(history.body).toMatchObject({ history: [{ sku: 'A-1', quantity: 3 }] })
  })

  it('of several while others count refuses nobody and leaves progress equal to the marks', async () => {
    const people = await companyWithStock()
    const many = Array.from({ length: 30 }, (_, index) => ({ barcode: `M-${index}`, primary_quantity: 5 }))
    await app.done({ path: '/api/components/import', token: people.admin.token, body: many })
    for (const { barcode } of many) await difference(people, { barcode })
    const ids = await openIds(people.admin)
    const replies = await Promise.all(
      ids.flatMap((id, index) => [
        decide(people.admin, { ids: [id], decision: 'recount' }),
        scan(people.staff, { barcode: `M-${29 - index}`, quantity: 4 }),
        scan(people.staff, { barcode: `M-${29 - index}`, quantity: 6 }),
      ]),
    )
    const { rows: found } = await app.owner.query<{ marked: number; progress: number }>(
      `select (select count(*)::integer from stock where tenant_id = $1 and counted_at is not null) as marked,
        (select counted from count_progress where tenant_id = $1 and location = 'PRIMARY') as progress`,
      [people.admin.tenantId],
    )
    expect([found[0]?.progress, [...new Set(replies.map(({ status: code }) => code))]]).toEqual([
      found[0]?.marked,
      [200],
    ])
  })
})

describe('dismissing a difference', () => {
  it('leaves the stock and the count, and needs no reason', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    const reply = await decide(people.admin, { ids, decision: 'dismiss' })
    expect(reply.body).toEqual({ success: true, decided: 1 })
    expect(await stockOf(people.admin)).toMatchObject({ components: [{ primary_quantity: 5 }, {}, {}] })
    expect(await status(people.staff)).toMatchObject({ counted: 1 })
    expect((await list(people.admin)).body).toMatchObject({
      discrepancies: [{ status: 'dismissed', reason: null, decided_by: people.admin.name }],
    })
    expect(await movements(people.admin)).toEqual([])
  })

  it('lets a later difference of the same component begin anew', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await decide(people.admin, { ids, decision: 'dismiss' })
    expect((await scan(people.staff)).body).toMatchObject({ attempt: 1, recorded: false })
    expect((await list(people.admin)).body).toMatchObject({
      discrepancies: [{ status: 'attempted' }, { status: 'dismissed' }],
    })
  })
})

describe('a difference', () => {
  it.each(['accept', 'dismiss'])('that was decided cannot be decided again: %s', async (decision) => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await decide(people.admin, { ids, decision, reason: 'Damaged' })
    for (const second of ['accept', 'recount', 'dismiss']) {
      const reply = await decide(people.admin, { ids, decision: second, reason: 'Damaged' })
      expect([reply.status, reply.body]).toMatchObject([
        404,
        { error: expect.stringMatching(/^This difference was decided meanwhile: that of A-1 at Primary/) },
      ])
    }
    expect((await list(people.admin, '?status=recount')).body).toMatchObject({ discrepancies: [] })
  })

  it('that a later count has closed cannot be decided', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await scan(people.staff, { quantity: 5 })
    expect((await decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' })).status).toBe(404)
  })

  it('of a single attempt is not a count yet and cannot be accepted', async () => {
    const people = await companyWithStock()
    await scan(people.staff)
    const ids = idList.parse((await list(people.admin)).body).discrepancies.map(({ id }) => id)
    const reply = await decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' })
    expect([reply.status, reply.body]).toMatchObject([
      409,
      {
        error:
          'Only a recorded difference can be accepted: A-1 at Primary Warehouse still waits for its second count.',
      },
    ])
    expect(await stockOf(people.admin)).toMatchObject({ components: [{ primary_quantity: 5 }, {}, {}] })
  })

  it('that is to be counted again cannot be accepted meanwhile', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    await decide(people.admin, { ids, decision: 'recount' })
    const reply = await decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' })
    expect([reply.status, reply.body]).toMatchObject([
      409,
      {
        error:
          'A-1 at Primary Warehouse is to be counted again, so its difference cannot be accepted. Dismiss it, or wait for the count.',
      },
    ])
    expect((await list(people.admin, '?status=recount')).body).toMatchObject({
      discrepancies: [{ sku: 'A-1' }],
    })
  })

  it('decided by ten administrators at the same moment is decided by exactly one', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' })),
    )
    expect(replies.map(({ status: code }) => code).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(9).fill(404),
    ])
    expect(await movements(people.admin)).toMatchObject([{ delta: -2, quantity_after: 3 }])
  })

  it('decided in two different ways at the same moment is decided in one', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    const replies = await Promise.all([
      decide(people.admin, { ids, decision: 'accept', reason: 'Damaged' }),
      decide(people.admin, { ids, decision: 'dismiss' }),
    ])
    expect(replies.map(({ status: code }) => code).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect(await ledgerDifference(people.admin)).toEqual([])
  })

  it('accepted again under the same key answers as before and posts nothing', async () => {
    const people = await companyWithStock()
    const ids = await difference(people)
    const body = { ids, decision: 'accept', reason: 'Damaged' }
    const replies = await Promise.all(Array.from({ length: 5 }, () => decide(people.admin, body, 'd1')))
    expect(replies.map(({ status: code, body: said }) => [code, said])).toEqual(
      replies.map(() => [200, { success: true, decided: 1 }]),
    )
    expect(await movements(people.admin)).toHaveLength(1)
    expect((await decide(people.admin, { ...body, decision: 'dismiss' }, 'd1')).status).toBe(422)
  })

  it('counted again while it is accepted never blocks either', async () => {
    const people = await companyWithStock()
    for (let round = 0; round < 10; round += 1) {
      const ids = await difference(people, { quantity: 1000 + round })
      const replies = await Promise.all([
        decide(people.admin, { ids, decision: 'accept', reason: 'Found' }),
        scan(people.staff, { quantity: 2000 + round }),
        scan(people.staff, { quantity: 3000 + round }),
        setStock(people.admin, 5),
      ])
      expect(replies.map(({ status: code }) => code)).toEqual([200, 200, 200, 200])
      await decide(people.admin, { ids: await openIds(people.admin), decision: 'dismiss' })
    }
    expect(await ledgerDifference(people.admin)).toEqual([])
  })

  it.each([
    [{ ids: [] }, 'Choose at least one difference.'],
    [{ ids: ['7'] }, 'ids must be the id of a difference.'],
    [{ ids: unknownId }, 'ids must be a list.'],
    [{ ids: [unknownId], decision: 'delete' }, 'decision must be one of: accept, recount, dismiss.'],
    [{ ids: [unknownId], reason: 'x'.repeat(101) }, 'reason must have at most 100 characters.'],
    [{ ids: [unknownId], note: 'a\u0000b' }, 'note must not contain characters that cannot be stored.'],
  ])('is not decided with %j', async (part, sentence) => {
    const { admin } = await companyWithStock()
    const reply = await decide(admin, { decision: 'dismiss', ...part })
    expect([reply.status, reply.body]).toMatchObject([400, { error: sentence }])
  })
})
