import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { untilSomebodyWaits } from '../../test/leaving.ts'
import { countAsRecorded } from '../../test/recorded-counts.ts'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'

let app: TestApp
let admin: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function begin(): Promise<void> {
  admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  staff = await makeStaff(app, admin)
  await post('/api/components/import', [
    { barcode: 'A-1', primary_quantity: 10, secondary_quantity: 10 },
    { barcode: 'A-2', primary_quantity: 0 },
  ])
}

type Request = { path: string; body: object; key?: string }

const ask = ({ token }: Person, request: Request) => app.ask({ ...request, token })

async function post(path: string, body: object): Promise<unknown> {
  const reply = await ask(admin, { path, body })
  expect(reply.status).toBe(200)
  return reply.body
}

const get = async (path: string, person = admin) =>
  (await app.ask({ method: 'GET', path, token: person.token })).body

const counting = '/api/components/update-with-tracking'
let scans = 0

type Scan = { quantity: number; barcode?: string; source?: string; at?: number }

async function scan({ at, ...part }: Scan, person = staff): Promise<unknown> {
  scans += 1
  const timestamp = new Date(at ?? Date.now() - 60_000 + scans).toISOString()
  const place = { barcode: 'A-1', location: 'PRIMARY', source: 'monthly', session: 's' }
  const reply = await ask(person, { path: counting, body: { ...place, timestamp, ...part } })
  expect(reply.status).toBe(200)
  return reply.body
}

const listed = z.object({
  discrepancies: z.array(z.looseObject({ id: z.string(), status: z.string(), updated_at: z.string() })),
})

/** The differences, those found first before. */
async function differences() {
  return listed.parse(await get('/api/discrepancies?sort=oldest')).discrepancies
}

async function newestId(): Promise<string> {
  return (await differences()).at(-1)?.id ?? 'none'
}

const decide = (id: string, decision: string, reason?: string) =>
  post('/api/discrepancies/decide', { ids: [id], decision, ...(reason === undefined ? {} : { reason }) })

/** A difference that was found, 8 of 10, and dismissed. */
async function dismissed(part: Partial<Scan> = {}): Promise<string> {
  for (const _ of [1, 2]) await scan({ quantity: 8, ...part }, part.source === 'admin' ? admin : staff)
  const id = await newestId()
  await decide(id, 'dismiss', 'By mistake')
  return id
}

const reopen = (id: string, person = admin, key?: string) =>
  ask(person, { path: '/api/discrepancies/reopen', body: { id }, ...(key === undefined ? {} : { key }) })

async function refusalOf(id: string): Promise<unknown> {
  const { status, body } = await reopen(id)
  return [status, z.object({ code: z.string(), error: z.string() }).parse(body)]
}

const stock = () => post('/api/components/by-barcode', { barcode: 'A-1' })

const refused = (error: string) => [409, { code: 'cannot_reopen', error }]

const ofTheMoment = new Set([
  'now',
  'updated_at',
  'recent_activity',
  'expected_finish',
  'elapsed_share',
  'per_hour',
])

/** What lists, room, dashboard and accuracy say, without when anything was done. */
async function figures(): Promise<unknown> {
  const told = [
    await get('/api/discrepancies?status=open'),
    await get('/api/recounts', staff),
    await get('/api/counting/room'),
    await get('/api/accuracy?months=1'),
    await get('/api/dashboard'),
  ]
  return JSON.parse(
    JSON.stringify(told, (name, value: unknown) => (ofTheMoment.has(name) ? undefined : value)),
  )
}

/** Lets requests wait for the stock, one after the other, and then go on. */
async function inTurn<R>(...requests: (() => Promise<R>)[]): Promise<R[]> {
  const holder = await app.owner.connect()
  await holder.query('begin')
  await holder.query('select from stock where tenant_id = $1 for update', [admin.tenantId])
  const replies: Promise<R>[] = []
  for (const request of requests) {
    replies.push(request())
    await untilSomebodyWaits(app, replies.length)
  }
  await holder.query('commit')
  holder.release()
  return await Promise.all(replies)
}

describe('a difference that was dismissed by mistake', () => {
  it('waits again as it did, with all figures as before', async () => {
    await begin()
    for (const quantity of [7, 8]) await scan({ quantity })
    const before = await figures()
    const [found] = await differences()
    await decide(await newestId(), 'dismiss', 'By mistake')
    expect(await figures()).not.toEqual(before)
    const reply = await reopen(await newestId())
    expect([reply.status, reply.body]).toEqual([200, { success: true, status: 'open' }])
    expect(await figures()).toEqual(before)
    const [again] = await differences()
    expect({ ...again, updated_at: '' }).toEqual({ ...found, updated_at: '' })
    expect(again).toMatchObject({ status: 'open', reason: null, note: null, decided_by: null })
  })

  it('and was reopened is accepted and posted once, as it would have been', async () => {
    await begin()
    const id = await dismissed()
    await reopen(id)
    await decide(id, 'accept', 'Damaged')
    expect(await stock()).toMatchObject({ component: { primary_quantity: 8 } })
  })

  it('stays in the trail with who reopened it and why it had been dismissed', async () => {
    await begin()
    const id = await dismissed()
    await reopen(id)
    const trail = await get('/api/audit/trail?sku=A-1')
    expect(trail).toMatchObject({
      entries: [
        {
          user_name: admin.name,
          sku: 'A-1',
          location: 'PRIMARY',
          metadata: {
            event_type: 'discrepancy_reopened',
            expected: 10,
            counted: 8,
            status: 'open',
            reason: 'By mistake',
            dismissed_by: admin.name,
          },
        },
        { metadata: { event_type: 'discrepancy_dismissed', reason: 'By mistake' } },
        {},
        {},
      ],
    })
    expect(JSON.stringify(await get('/api/dashboard'))).toContain(
      `${admin.name} reopened a difference of A-1 at Primary Warehouse`,
    )
  })

  it('goes on with the next count of staff, who learn nothing of it', async () => {
    await begin()
    const id = await dismissed()
    await reopen(id)
    expect(JSON.stringify(await scan({ quantity: 7 }))).not.toMatch(/expected|discrepanc/)
    expect(await differences()).toMatchObject([{ id, status: 'open', counted: 7, attempts: [{}, {}, {}] }])
    await scan({ quantity: 10 })
    expect(await differences()).toMatchObject([{ id, status: 'matched' }])
    expect(await refusalOf(id)).toEqual(
      refused('The difference of A-1 at Primary Warehouse has matched later: there is nothing to decide.'),
    )
  })

  it('is reopened whatever reason somebody gave', async () => {
    await begin()
    for (const _ of [1, 2]) await scan({ quantity: 8 })
    const id = await newestId()
    await decide(id, 'dismiss', 'Counted again')
    expect((await reopen(id)).status).toBe(200)
  })

  it('and that waited for its second count waits for it again', async () => {
    await begin()
    await scan({ quantity: 8 })
    const id = await newestId()
    await decide(id, 'dismiss')
    expect((await reopen(id)).body).toEqual({ success: true, status: 'attempted' })
    await scan({ quantity: 8 })
    expect(await differences()).toMatchObject([{ id, status: 'open', attempts: [{}, {}] }])
  })

  it('and of which a recount was asked for is to be counted again, since it was asked', async () => {
    await begin()
    for (const _ of [1, 2]) await scan({ quantity: 8 }, admin)
    const id = await newestId()
    await decide(id, 'recount', 'Look behind the door')
    const asked = await get('/api/recounts', staff)
    expect(asked).toMatchObject({ recounts: [{ id, sku: 'A-1', asked_by: admin.name }] })
    await decide(id, 'dismiss')
    expect(await get('/api/recounts', staff)).toEqual({ recounts: [], total: 0 })
    expect((await reopen(id)).body).toEqual({ success: true, status: 'recount' })
    expect(await get('/api/recounts', staff)).toEqual(asked)
    expect(await differences()).toMatchObject([{ reason: 'Look behind the door', decided_by: admin.name }])
    await scan({ quantity: 10 })
    expect(await differences()).toMatchObject([{ id, status: 'matched' }])
  })

  it('and that the version before dismissed is open again where it was counted twice', async () => {
    await begin()
    const twice = await dismissed()
    await scan({ quantity: 3, barcode: 'A-2' })
    const once = await newestId()
    await decide(once, 'dismiss')
    await app.owner.query('update discrepancies set before_dismissal = null where tenant_id = $1', [
      admin.tenantId,
    ])
    expect((await reopen(twice)).body).toEqual({ success: true, status: 'open' })
    expect((await reopen(once)).body).toEqual({ success: true, status: 'attempted' })
  })

  it('goes on in its month where the company’s time zone was changed since', async () => {
    await begin()
    const id = await dismissed()
    await post('/api/company/settings', { time_zone: 'Pacific/Auckland' })
    await reopen(id)
    const { rows } = await app.owner.query(
      `select to_char(period_start at time zone 'Pacific/Auckland', 'DD HH24:MI') as begins from discrepancies
       where tenant_id = $1`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ begins: '01 00:00' }])
  })

  it('is not reopened by staff nor by another company', async () => {
    await begin()
    const id = await dismissed()
    expect((await reopen(id, staff)).status).toBe(403)
    expect((await reopen(id, await makeCompany(app))).status).toBe(404)
    expect(await differences()).toMatchObject([{ status: 'dismissed' }])
  })

  it('is reopened once by a repeated request, and once where two administrators do it', async () => {
    await begin()
    const id = await dismissed()
    const twice = await Promise.all([reopen(id, admin, 'again-1'), reopen(id, admin, 'again-1')])
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    await decide(id, 'dismiss')
    const both = await inTurn(
      () => reopen(id),
      () => reopen(id),
    )
    expect(both.map(({ status }) => status)).toEqual([200, 409])
    expect(both[1]?.body).toEqual({
      success: false,
      code: 'cannot_reopen',
      error: 'The difference of A-1 at Primary Warehouse is not decided: it waits already.',
    })
    const { rows } = await app.owner.query(
      `select count(*)::integer as entries from audit_entries where tenant_id = $1 and event = 'discrepancy_reopened'`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ entries: 2 }])
  })

  it('and that is reopened just before somebody counts is what that count goes on with', async () => {
    await begin()
    const id = await dismissed()
    await inTurn<unknown>(
      () => reopen(id),
      () => scan({ quantity: 7 }),
    )
    expect(await differences()).toMatchObject([{ id, status: 'open', counted: 7 }])
  })
})

describe('a dismissed difference is not reopened', () => {
  it('where another one of that SKU and place waits', async () => {
    await begin()
    const id = await dismissed()
    await scan({ quantity: 8 })
    const sentence = 'Another difference of A-1 at Primary Warehouse waits already. Decide that one.'
    expect(await refusalOf(id)).toEqual(refused(sentence))
    await scan({ quantity: 8 })
    expect(await refusalOf(id)).toEqual(refused(sentence))
    expect(await differences()).toMatchObject([{ status: 'dismissed' }, { status: 'open' }])
  })

  it('where another kind of count has begun to find one', async () => {
    await begin()
    const id = await dismissed()
    await scan({ quantity: 8, source: 'admin' }, admin)
    expect(await refusalOf(id)).toEqual(
      refused('Another difference of A-1 at Primary Warehouse waits already. Decide that one.'),
    )
  })

  it('where somebody counts just before', async () => {
    await begin()
    const id = await dismissed()
    const count = await countAsRecorded(app, staff, { codes: ['A-1'], quantity: 7 })
    const counting = await app.owner.connect()
    await counting.query('begin')
    await counting.query('select from record_counts($1, $2)', [JSON.stringify([count]), 'none'])
    const reopened = reopen(id)
    await untilSomebodyWaits(app)
    await counting.query('commit')
    counting.release()
    expect((await reopened).status).toBe(409)
    expect(await differences()).toMatchObject([{ id, status: 'dismissed' }, { status: 'attempted' }])
  })

  it('where one that was dismissed before it waits in its stead', async () => {
    await begin()
    await scan({ quantity: 8 })
    const first = await newestId()
    await decide(first, 'dismiss')
    await scan({ quantity: 7, at: Date.now() - 30 * 60_000 })
    const second = await newestId()
    await decide(second, 'dismiss')
    expect((await reopen(first)).status).toBe(200)
    expect(await refusalOf(second)).toEqual(
      refused('Another difference of A-1 at Primary Warehouse waits already. Decide that one.'),
    )
  })

  it('where another kind of count has found one since, but where that waited before', async () => {
    await begin()
    const monthly = await dismissed()
    await dismissed({ source: 'admin' })
    expect(await refusalOf(monthly)).toEqual(
      refused(
        'A-1 at Primary Warehouse was counted again since this difference was dismissed: the newer count says what is there.',
      ),
    )
    await begin()
    for (const _ of [1, 2]) await scan({ quantity: 8 })
    const first = await newestId()
    for (const _ of [1, 2]) await scan({ quantity: 8, source: 'admin' }, admin)
    await decide(first, 'dismiss')
    expect((await reopen(first)).status).toBe(200)
    await decide(first, 'accept', 'Damaged')
    expect(await differences()).toMatchObject([{ status: 'accepted' }, { status: 'dismissed' }])
    expect(await stock()).toMatchObject({ component: { primary_quantity: 8 } })
  })

  it('where a newer count has matched, until that is taken back', async () => {
    await begin()
    const id = await dismissed()
    const place = { barcode: 'A-1', location: 'PRIMARY', source: 'monthly', session: 's' }
    const body = { ...place, quantity: 10, timestamp: new Date().toISOString() }
    await ask(staff, { path: counting, key: 'matching', body })
    expect(await refusalOf(id)).toEqual(
      refused(
        'A-1 at Primary Warehouse was counted again since this difference was dismissed: the newer count says what is there.',
      ),
    )
    expect((await ask(staff, { path: '/api/components/undo-count', body: { key: 'matching' } })).status).toBe(
      200,
    )
    expect((await reopen(id)).status).toBe(200)
  })

  it('where a count is newer than all of its entries but the one that was taken back', async () => {
    await begin()
    const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000
    await scan({ quantity: 8, at: minutesAgo(30) })
    const place = { barcode: 'A-1', location: 'PRIMARY', source: 'monthly', session: 's' }
    const body = { ...place, quantity: 7, timestamp: new Date(minutesAgo(1)).toISOString() }
    await ask(staff, { path: counting, key: 'wrong', body })
    expect((await ask(staff, { path: '/api/components/undo-count', body: { key: 'wrong' } })).status).toBe(
      200,
    )
    await scan({ quantity: 8, at: minutesAgo(20) })
    const id = await newestId()
    await decide(id, 'dismiss')
    await scan({ quantity: 10, at: minutesAgo(10) })
    expect(await refusalOf(id)).toEqual(
      refused(
        'A-1 at Primary Warehouse was counted again since this difference was dismissed: the newer count says what is there.',
      ),
    )
  })

  it('where a count that came since is older, it is', async () => {
    await begin()
    const id = await dismissed()
    await scan({ quantity: 10, at: Date.now() - 10 * 60_000 })
    expect((await reopen(id)).status).toBe(200)
  })

  it('where its stock was corrected since', async () => {
    await begin()
    const id = await dismissed()
    await post('/api/components/update-quantity', { barcode: 'A-1', quantity: 8, location: 'PRIMARY' })
    expect(await refusalOf(id)).toEqual(
      refused(
        'The stock of A-1 at Primary Warehouse was corrected since this difference was dismissed, so it is not what it was. Count it again.',
      ),
    )
  })

  it('where what another count found is in the stock since', async () => {
    await begin()
    for (const _ of [1, 2]) await scan({ quantity: 8 })
    const first = await newestId()
    for (const _ of [1, 2]) await scan({ quantity: 8, source: 'admin' }, admin)
    await decide(first, 'dismiss')
    await decide(await newestId(), 'accept', 'Damaged')
    expect(await refusalOf(first)).toMatchObject([409, { error: expect.stringContaining('was corrected') }])
    expect(await stock()).toMatchObject({ component: { primary_quantity: 8 } })
  })

  it('where stock was only moved to another place, it is', async () => {
    await begin()
    const id = await dismissed()
    const move = { barcode: 'A-1', quantity: 4, from: 'PRIMARY', to: 'SECONDARY' }
    await post('/api/transfers', move)
    expect((await reopen(id)).status).toBe(200)
    await decide(id, 'accept', 'Damaged')
    expect(await stock()).toMatchObject({ component: { primary_quantity: 4 } })
  })

  it('where its component is retired', async () => {
    await begin()
    const id = await dismissed({ quantity: 3, barcode: 'A-2' })
    await post('/api/components/retire', { barcode: 'A-2' })
    expect(await refusalOf(id)).toEqual([
      409,
      { code: 'component_retired', error: 'This component is retired. Bring it back first.' },
    ])
  })

  it('where a count has ended it and nobody decided', async () => {
    await begin()
    for (const _ of [1, 2]) await scan({ quantity: 8 })
    const id = await newestId()
    for (const _ of [1, 2]) await scan({ quantity: 8, source: 'admin' }, admin)
    await decide(await newestId(), 'accept', 'Damaged')
    expect(await refusalOf(id)).toEqual(
      refused(
        `The difference of A-1 at Primary Warehouse was dismissed by ${admin.name} (Settled by another count): by what was counted, not by a decision.`,
      ),
    )
  })
})

const move = (quantity: number, from = 'PRIMARY', to = 'SECONDARY') =>
  post('/api/transfers', { barcode: 'A-1', quantity, from, to })

const primary = async () =>
  z.object({ component: z.object({ primary_quantity: z.int() }) }).parse(await stock()).component
    .primary_quantity

/** A difference that was found, 8 of 10, and accepted. */
async function accepted(): Promise<string> {
  for (const _ of [1, 2]) await scan({ quantity: 8 })
  const id = await newestId()
  await post('/api/discrepancies/decide', {
    ids: [id],
    decision: 'accept',
    reason: 'Damaged',
    note: 'The wrong one',
  })
  return id
}

describe('a difference that was accepted by mistake', () => {
  it('waits again, and exactly what was posted is moved back, with both in the ledger', async () => {
    await begin()
    for (const quantity of [7, 8]) await scan({ quantity })
    const [found] = await differences()
    const before = await figures()
    await decide(await newestId(), 'accept', 'Damaged')
    const reply = await reopen(await newestId())
    expect([reply.status, reply.body]).toEqual([200, { success: true, status: 'open' }])
    expect(await figures()).toEqual(before)
    const [again] = await differences()
    expect({ ...again, updated_at: '' }).toEqual({ ...found, updated_at: '' })
    expect(again).toMatchObject({ status: 'open', reason: null, note: null, decided_by: null })
    expect(await get('/api/components/movements?barcode=A-1')).toMatchObject({
      movements: [
        {
          delta: 2,
          quantity_after: 10,
          cause: 'discrepancy',
          note: 'Reopened, was accepted as: Damaged',
          user_name: admin.name,
        },
        { delta: -2, quantity_after: 8, cause: 'discrepancy', note: 'Damaged' },
        { delta: 10, location: 'SECONDARY', cause: 'import' },
        { delta: 10, location: 'PRIMARY', cause: 'import' },
      ],
    })
  })

  it('leaves what was moved since as it is', async () => {
    await begin()
    const id = await accepted()
    await move(5)
    expect((await reopen(id)).status).toBe(200)
    expect(await primary()).toBe(5)
    await decide(id, 'accept', 'Damaged')
    expect(await primary()).toBe(3)
  })

  it('stays in the trail with who reopened it, what was moved back and why it had been accepted', async () => {
    await begin()
    await reopen(await accepted())
    expect(await get('/api/audit/trail?sku=A-1')).toMatchObject({
      entries: [
        {
          user_name: admin.name,
          sku: 'A-1',
          location: 'PRIMARY',
          metadata: {
            event_type: 'discrepancy_reopened',
            expected: 10,
            counted: 8,
            status: 'open',
            reason: 'Damaged',
            note: 'The wrong one',
            accepted_by: admin.name,
            moved_back: 2,
          },
        },
        { metadata: { event_type: 'discrepancy_accepted', reason: 'Damaged' } },
        {},
        {},
      ],
    })
  })

  it('is not reopened where the stock would go below 0, and nothing is changed', async () => {
    await begin()
    for (const _ of [1, 2]) await scan({ quantity: 14 })
    const id = await newestId()
    await decide(id, 'accept', 'Found')
    await move(12)
    const reply = await reopen(id)
    expect([reply.status, reply.body]).toEqual([
      409,
      {
        success: false,
        code: 'below_zero',
        error:
          'Reopening A-1 at Primary Warehouse would bring its stock below 0: what was found then is no longer all there. Count it again.',
      },
    ])
    expect(await primary()).toBe(2)
    expect(await differences()).toMatchObject([{ status: 'accepted' }])
  })

  it('is not reopened where its place was counted or corrected since, nor where another one waits', async () => {
    await begin()
    const id = await accepted()
    await scan({ quantity: 10 })
    const [, attempted] = await differences()
    expect(await refusalOf(id)).toEqual(
      refused('Another difference of A-1 at Primary Warehouse waits already. Decide that one.'),
    )
    await decide(attempted?.id ?? '', 'dismiss')
    await scan({ quantity: 8 })
    expect(await refusalOf(id)).toEqual(
      refused(
        'A-1 at Primary Warehouse was counted again since this difference was accepted: the newer count says what is there.',
      ),
    )
    await begin()
    const other = await accepted()
    await post('/api/components/update-quantity', { barcode: 'A-1', quantity: 10, location: 'PRIMARY' })
    expect(await refusalOf(other)).toEqual(
      refused(
        'The stock of A-1 at Primary Warehouse was corrected since this difference was accepted, so it is not what it was. Count it again.',
      ),
    )
  })

  it('gives what else waits there back what was expected of it', async () => {
    await begin()
    for (const _ of [1, 2]) await scan({ quantity: 8 })
    const first = await newestId()
    for (const _ of [1, 2]) await scan({ quantity: 7, source: 'admin' }, admin)
    await decide(first, 'accept', 'Damaged')
    expect(await differences()).toMatchObject([{}, { status: 'open', expected: 8, counted: 7 }])
    expect((await reopen(first)).status).toBe(200)
    expect(await differences()).toMatchObject([
      { status: 'open', expected: 10, counted: 8 },
      { status: 'open', expected: 10, counted: 7 },
    ])
    await decide(await newestId(), 'accept', 'Lost or stolen')
    expect(await primary()).toBe(7)
  })

  it('within the tolerance is corrected by a count instead', async () => {
    await begin()
    await post('/api/company/settings', { count_tolerance_units: 3 })
    await scan({ quantity: 8, at: Date.now() })
    expect(await refusalOf(await newestId())).toEqual(
      refused(
        'The difference of A-1 at Primary Warehouse was accepted by Count tolerance (Within tolerance): by the company’s settings, not by a decision. Count it again or correct the stock instead.',
      ),
    )
    expect(await primary()).toBe(8)
  })

  it('is not reopened by staff nor by another company', async () => {
    await begin()
    const id = await accepted()
    expect((await reopen(id, staff)).status).toBe(403)
    expect((await reopen(id, await makeCompany(app))).status).toBe(404)
    expect(await primary()).toBe(8)
  })

  it('is moved back once by a repeated request, and once where two administrators do it', async () => {
    await begin()
    const id = await accepted()
    const twice = await Promise.all([reopen(id, admin, 'back-1'), reopen(id, admin, 'back-1')])
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    expect(await primary()).toBe(10)
    await decide(id, 'accept', 'Damaged')
    const both = await inTurn(
      () => reopen(id),
      () => reopen(id),
    )
    expect(both.map(({ status }) => status)).toEqual([200, 409])
    expect(await primary()).toBe(10)
  })
})
