import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilSomebodyWaits } from '../../test/leaving.ts'
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

async function companyWithStock(): Promise<{ admin: Person; staff: Person; colleague: Person }> {
  const admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  await app.done({
    path: '/api/components/import',
    token: admin.token,
    body: [
      { barcode: 'A-1', description: 'Bolt', primary_quantity: 5, secondary_quantity: 1 },
      { barcode: 'A-2', description: 'Nut', primary_quantity: 7 },
    ],
  })
  await app.done({
    path: '/api/components/bulk-high-volume',
    token: admin.token,
    body: { barcodes: ['A-1', 'A-2'], day: 'Monday', location: 'PRIMARY', action: 'add' },
  })
  return {
    admin,
    staff: await makeStaff(app, admin),
    colleague: await makeStaff(app, admin, 'Kim Colleague'),
  }
}

let clock = Date.now() - 3_600_000

/** Counts A-1 at the Primary Warehouse, where 5 are right; gives the key of the entry. */
async function count(person: Person, part: Record<string, unknown> = {}): Promise<string> {
  clock += 5
  const key = randomUUID()
  const { status } = await app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    key,
    body: {
      barcode: 'A-1',
      quantity: 5,
      location: 'PRIMARY',
      source: 'monthly',
      session: 'Monthly_2026-11-21_PRIMARY_1',
      timestamp: new Date(clock).toISOString(),
      ...part,
    },
  })
  expect(status).toBe(200)
  return key
}

const undo = (person: Person, key: string, operation?: string) =>
  app.ask({
    path: '/api/components/undo-count',
    token: person.token,
    body: { key },
    ...(operation === undefined ? {} : { key: operation }),
  })

/** All that a count changes, but for the trail that it leaves. */
async function state(person: Person): Promise<unknown> {
  const { rows } = await app.owner.query(
    `select
      (select jsonb_agg(jsonb_build_array(
          barcode, location, quantity, counted_at, counted_source, weekly_counted_at, scans
        ) order by barcode, location)
        from stock join components on components.tenant_id = $1 and components.id = stock.component_id
        where stock.tenant_id = $1 and (scans > 0 or quantity > 0)) as stock,
      (select jsonb_agg(jsonb_build_array(sku, location, count_type, status, expected, counted, attempts, user_name)
          order by id)
        from discrepancies where tenant_id = $1 and attempts > 0) as discrepancies,
      (select coalesce(sum(counted), 0) from count_progress where tenant_id = $1) as progress,
      (select coalesce(sum(scans), 0) from scan_days where tenant_id = $1) as scans,
      (select jsonb_agg(jsonb_build_array(id, progress, completed)) from cycle_counts where tenant_id = $1) as cycles,
      (select count(*) from movements where tenant_id = $1) as movements`,
    [person.tenantId],
  )
  return rows[0]
}

async function countRows(table: string, person: Person): Promise<number> {
  const { rows } = await app.owner.query<{ n: number }>(
    `select count(*)::integer as n from ${table} where tenant_id = $1`,
    [person.tenantId],
  )
  return rows[0]?.n ?? -1
}

const sentenceOf = ({ status, body }: { status: number; body: unknown }) => [status, body]

describe('taking the last entry back', () => {
  it('makes everything as if it had not been, and says so in history and trail', async () => {
    const { admin, staff } = await companyWithStock()
    const before = await state(staff)
    const key = await count(staff)
    expect(await state(staff)).not.toEqual(before)
    const { status, body } = await undo(staff, key)
    expect([status, body]).toEqual([
      200,
      { success: true, barcode: 'A-1', quantity: 5, location: 'PRIMARY', source: 'monthly' },
    ])
    expect(await state(staff)).toEqual(before)
    const list = {
      path: '/api/components/with-count-status',
      token: staff.token,
      body: { location: 'PRIMARY' },
    }
    expect((await app.ask(list)).body).toMatchObject({ counted: 0, components: [{ counted: false }, {}] })
    const history = await app.ask({
      path: '/api/components/count-history',
      token: admin.token,
      body: { barcode: 'A-1', location: 'PRIMARY' },
    })
    expect(history.body).toMatchObject({
      history: [
        {
          sku: 'A-1',
          quantity: 5,
          entry: 'taken_back',
          source: 'undo',
          count_type: 'monthly',
          user_name: 'Sam Staff',
        },
        { sku: 'A-1', quantity: 5, entry: 'counted', source: 'monthly' },
      ],
    })
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?sku=A-1', token: admin.token })
    expect(trail.body).toMatchObject({
      entries: [
        {
          kind: 'inventory_scan',
          quantity: 5,
          user_name: 'Sam Staff',
          metadata: { event_type: 'monthly_count_undone' },
        },
        { metadata: { event_type: 'monthly_count_scan' } },
      ],
    })
  })

  it.each([
    ['a first mismatch', [4]],
    ['a second mismatch, recorded', [4, 3]],
    ['a third mismatch', [4, 3, 2]],
    ['the match that closed a difference', [4, 3, 5]],
    ['the match after a first mismatch', [4, 5]],
    ['the second of two matches', [5, 5]],
    ['a mismatch after a match', [5, 4]],
    ['a difference after a closed one', [4, 3, 5, 4, 3]],
  ])('undoes %s exactly', async (_, quantities) => {
    const { staff } = await companyWithStock()
    const states: unknown[] = []
    const keys: string[] = []
    for (const quantity of quantities) {
      states.push(await state(staff))
      keys.push(await count(staff, { quantity }))
    }
    // Not the last only: each that is then the newest, back to the beginning.
    for (const key of keys.toReversed()) {
      expect((await undo(staff, key)).status).toBe(200)
      expect(await state(staff)).toEqual(states.pop())
    }
  })

  it('leaves the mark of the newest count before it, and of two at the same moment that of the later', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff)
    const timestamp = new Date(clock + 5).toISOString()
    await count(admin, { source: 'admin', timestamp })
    await count(staff, { timestamp })
    const before = await state(staff)
    expect((await undo(staff, await count(staff))).status).toBe(200)
    expect(await state(staff)).toEqual(before)
  })

  it('leaves the next entry to count as it would have', async () => {
    const { staff } = await companyWithStock()
    await count(staff, { quantity: 4 })
    await undo(staff, await count(staff, { quantity: 3 }))
    await count(staff, { quantity: 2 })
    const { rows } = await app.owner.query(
      'select status, counted, attempts from discrepancies where tenant_id = $1',
      [staff.tenantId],
    )
    expect(rows).toEqual([{ status: 'open', counted: 2, attempts: 2 }])
  })

  it('keeps every attempt for the administrator', async () => {
    const { admin, staff } = await companyWithStock()
    for (const quantity of [3, 4]) await undo(staff, await count(staff, { quantity }))
    expect(await countRows('count_attempts', staff)).toBe(2)
    const list = await app.ask({ method: 'GET', path: '/api/discrepancies', token: admin.token })
    expect(list.body).toMatchObject({
      discrepancies: [
        { status: 'dismissed', reason: 'Taken back', decided_by: 'Sam Staff', attempts: [{ counted: 4 }] },
        { status: 'dismissed', reason: 'Taken back', attempts: [{ counted: 3 }] },
      ],
    })
  })

  it('of a weekly count makes the SKU pending today and leaves the monthly mark', async () => {
    const { staff } = await companyWithStock()
    await count(staff)
    const before = await state(staff)
    const key = await count(staff, { source: 'weekly', day: 'Monday', session: 'Weekly_Monday' })
    expect(await state(staff)).not.toEqual(before)
    expect((await undo(staff, key)).body).toMatchObject({ source: 'weekly' })
    expect(await state(staff)).toEqual(before)
  })

  it('of an administrator takes the SKU back to its quantity in the cycle before, which stays complete', async () => {
    const { admin } = await companyWithStock()
    const session = 'Cycle_2026-11_PRIMARY'
    const save = (progress: Record<string, number>) =>
      app.ask({
        path: '/api/cycle-counts',
        token: admin.token,
        body: { id: session, location: 'PRIMARY', user_type: 'admin', progress, completed: false },
      })
    await save({ 'A-2': 7 })
    const before = await state(admin)
    const first = await count(admin, { source: 'admin', session })
    await save({ 'A-1': 5 })
    const between = await state(admin)
    await count(admin, { source: 'admin', session, quantity: 4 })
    const third = await count(admin, { source: 'admin', session, quantity: 3 })
    await save({ 'A-1': 3 })
    await undo(admin, third)
    expect(await state(admin)).toMatchObject({ cycles: [[session, { 'A-1': 5, 'A-2': 7 }, true]] })
    const { rows } = await app.owner.query('select status from discrepancies where tenant_id = $1', [
      admin.tenantId,
    ])
    expect(rows).toEqual([{ status: 'attempted' }])
    const early = await undo(admin, first)
    expect(sentenceOf(early)).toMatchObject([409, { code: 'cannot_undo' }])
    expect(between).not.toEqual(before)
  })

  it('of an administrator with nothing counted before leaves the cycle without the SKU', async () => {
    const { admin } = await companyWithStock()
    const session = 'Cycle_2026-11_PRIMARY'
    const key = await count(admin, { source: 'admin', session })
    const body = {
      id: session,
      location: 'PRIMARY',
      user_type: 'admin',
      progress: { 'A-1': 5, 'A-2': 7 },
      completed: true,
    }
    await app.done({ path: '/api/cycle-counts', token: admin.token, body })
    await undo(admin, key)
    expect(await state(admin)).toMatchObject({ cycles: [[session, { 'A-2': 7 }, false]] })
  })

  it('of an administrator leaves the cycle without the SKU that was just being saved', async () => {
    const { admin } = await companyWithStock()
    const session = 'Cycle_2026-11_PRIMARY'
    const key = await count(admin, { source: 'admin', session })
    const record = { id: session, location: 'PRIMARY', user_type: 'admin', completed: false }
    const body = { ...record, progress: { 'A-2': 7 } }
    await app.done({ path: '/api/cycle-counts', token: admin.token, body })
    const saving = await app.owner.connect()
    await saving.query('begin')
    await saving.query(
      `update cycle_counts set progress = progress || '{"A-1": 5}', completed = true where tenant_id = $1`,
      [admin.tenantId],
    )
    const undoing = undo(admin, key)
    await untilSomebodyWaits(app)
    await saving.query('commit')
    saving.release()
    expect((await undoing).status).toBe(200)
    expect(await state(admin)).toMatchObject({ cycles: [[session, { 'A-2': 7 }, false]] })
  })

  it('after a reset brings no mark back from before it', async () => {
    const { staff } = await companyWithStock()
    await count(staff)
    await app.done({
      path: '/api/components/reset-counts',
      token: staff.token,
      body: { location: 'PRIMARY' },
    })
    const before = await state(staff)
    const key = await count(staff)
    await undo(staff, key)
    expect(await state(staff)).toEqual(before)
  })

  it('of an entry whose mark was reset since leaves the mark cleared', async () => {
    const { staff } = await companyWithStock()
    const key = await count(staff)
    await app.done({
      path: '/api/components/reset-counts',
      token: staff.token,
      body: { location: 'PRIMARY' },
    })
    expect((await undo(staff, key)).status).toBe(200)
    expect(await state(staff)).toMatchObject({ progress: '0', scans: '0' })
  })

  it('of the entries after a reset gives back the difference that was recorded before it', async () => {
    const { staff } = await companyWithStock()
    for (const quantity of [3, 3]) await count(staff, { quantity })
    await app.done({
      path: '/api/components/reset-counts',
      token: staff.token,
      body: { location: 'PRIMARY' },
    })
    const reset = await state(staff)
    const wrong = () => ({ quantity: 4, timestamp: new Date().toISOString() })
    const first = await count(staff, wrong())
    const entered = await state(staff)
    const second = await count(staff, wrong())
    expect(await state(staff)).toMatchObject({ progress: '1' })
    expect((await undo(staff, second)).status).toBe(200)
    expect(await state(staff)).toEqual(entered)
    expect((await undo(staff, first)).status).toBe(200)
    expect(await state(staff)).toEqual(reset)
  })

  it('is done once for its key, however often it is sent', async () => {
    const { staff } = await companyWithStock()
    const key = await count(staff)
    const replies = await Promise.all(Array.from({ length: 10 }, () => undo(staff, key, 'undo-1')))
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(await countRows('count_history', staff)).toBe(2)
  })
})

describe('an entry is not taken back', () => {
  it('twice', async () => {
    const { staff } = await companyWithStock()
    const key = await count(staff)
    await undo(staff, key)
    const after = await state(staff)
    const replies = await Promise.all(Array.from({ length: 5 }, () => undo(staff, key)))
    for (const reply of replies) {
      expect(sentenceOf(reply)).toMatchObject([409, { error: 'This entry was taken back already.' }])
    }
    expect(await state(staff)).toEqual(after)
  })

  it('by anybody else: not by a colleague, an administrator or another company', async () => {
    const { admin, staff, colleague } = await companyWithStock()
    const key = await count(staff)
    const before = await state(staff)
    for (const person of [colleague, admin, await makeCompany(app, { timeZone: zoneOfNoon() })]) {
      expect(sentenceOf(await undo(person, key))).toMatchObject([
        404,
        { error: 'There is no entry of yours to take back.' },
      ])
    }
    expect(await state(staff)).toEqual(before)
  })

  it.each([
    ['counted', { quantity: 5 }],
    ['tried', { quantity: 4 }],
  ])('after somebody else has %s the SKU', async (_, part) => {
    const { staff, colleague } = await companyWithStock()
    const key = await count(staff)
    await count(colleague, part)
    const before = await state(staff)
    expect(sentenceOf(await undo(staff, key))).toMatchObject([
      409,
      { error: 'This SKU has been counted again since. Only its newest entry can be taken back.' },
    ])
    expect(await state(staff)).toEqual(before)
  })

  it('for counts of another SKU or location it still is', async () => {
    const { staff, colleague } = await companyWithStock()
    const key = await count(staff)
    await count(colleague, { barcode: 'A-2', quantity: 7 })
    await count(colleague, { location: 'SECONDARY', quantity: 1 })
    expect((await undo(staff, key)).status).toBe(200)
  })

  it('after an administrator has decided', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, { quantity: 4 })
    const key = await count(staff, { quantity: 4 })
    const { rows } = await app.owner.query<{ id: string }>(
      'select id from discrepancies where tenant_id = $1',
      [staff.tenantId],
    )
    const decision = { ids: rows.map(({ id }) => id), decision: 'accept', reason: 'Damaged' }
    await app.done({ path: '/api/discrepancies/decide', token: admin.token, body: decision })
    expect(sentenceOf(await undo(staff, key))).toMatchObject([
      409,
      { error: 'This entry is settled already and cannot be taken back. Count the SKU again instead.' },
    ])
  })

  it('after the tolerance has accepted it, which tells staff nothing of a difference', async () => {
    const { staff } = await companyWithStock()
    await app.owner.query('update companies set count_tolerance_units = 2 where tenant_id = $1', [
      staff.tenantId,
    ])
    const key = await count(staff, { quantity: 4, timestamp: new Date().toISOString() })
    const [status, said] = sentenceOf(await undo(staff, key))
    expect([status, said]).toMatchObject([409, { code: 'cannot_undo' }])
    expect(JSON.stringify(said)).not.toMatch(/differ|decided/)
  })

  it('from an earlier month', async () => {
    const { staff } = await companyWithStock()
    const key = await count(staff)
    await app.owner.query(
      `update operations set reply = jsonb_set(reply, '{component,counted_at}', to_jsonb(now() - interval '40 days'))
       where tenant_id = $1 and key = $2`,
      [staff.tenantId, key],
    )
    await app.owner.query(
      `update count_history set counted_at = (
        select (reply->'component'->>'counted_at')::timestamptz from operations where tenant_id = $1 and key = $2
      ) where tenant_id = $1`,
      [staff.tenantId, key],
    )
    expect(sentenceOf(await undo(staff, key))).toMatchObject([
      409,
      { error: 'This entry belongs to an earlier day or month and can no longer be taken back.' },
    ])
  })

  it('by staff of a company that counts strictly, where it did not match', async () => {
    const { staff } = await companyWithStock()
    await app.owner.query('update companies set strict_blind_counts = true where tenant_id = $1', [
      staff.tenantId,
    ])
    const wrong = await count(staff, { quantity: 4 })
    expect(sentenceOf(await undo(staff, wrong))).toMatchObject([409, { code: 'cannot_undo' }])
    const right = await count(staff, { barcode: 'A-2', quantity: 7 })
    expect((await undo(staff, right)).status).toBe(200)
  })

  it('by staff of a company that counts strictly, after the second entry, whether it matched or not', async () => {
    const { staff, colleague } = await companyWithStock()
    await app.owner.query('update companies set strict_blind_counts = true where tenant_id = $1', [
      staff.tenantId,
    ])
    const refused = [
      409,
      {
        code: 'cannot_undo',
        error: 'Your company counts strictly: enter the quantity again instead of taking it back.',
      },
    ]
    for (const quantity of [4, 3]) await count(staff, { quantity })
    for (const quantity of [2, 5, 5, 6]) {
      expect(sentenceOf(await undo(staff, await count(staff, { quantity })))).toMatchObject(refused)
    }
    expect(sentenceOf(await undo(colleague, await count(colleague, { quantity: 5 })))).toMatchObject(refused)
  })

  it('at a location that the plan does not include any more, which is read-only', async () => {
    const { admin, staff } = await companyWithStock()
    const key = await count(staff, { location: 'SECONDARY', quantity: 1 })
    const plan = { plan: 'starter', accept_read_only: true }
    const changed = await app.ask({ path: '/api/company/plan', token: admin.token, body: plan })
    expect(changed.status).toBe(200)
    const before = await state(staff)
    const reply = await undo(staff, key)
    expect([reply.status, reply.body]).toMatchObject([403, { code: 'location_not_in_plan' }])
    expect(await state(staff)).toEqual(before)
  })

  it.each([{}, { key: '' }, { key: 'x'.repeat(256) }, { key: 7 }])('for %j', async (body) => {
    const { staff } = await companyWithStock()
    const reply = await app.ask({ path: '/api/components/undo-count', token: staff.token, body })
    expect(reply.status).toBe(400)
  })
})

describe('people who count and take back at once', () => {
  it('leave the progress equal to the marks', async () => {
    const { staff, colleague } = await companyWithStock()
    const one = async (person: Person, barcode: string, quantity: number) => {
      for (let turn = 0; turn < 8; turn += 1) await undo(person, await count(person, { barcode, quantity }))
    }
    await Promise.all([
      one(staff, 'A-1', 5),
      one(colleague, 'A-1', 4),
      one(staff, 'A-2', 7),
      one(colleague, 'A-2', 7),
    ])
    const { rows } = await app.owner.query(
      `select
        (select count(*) from stock where tenant_id = $1 and counted_at is not null)
          = (select coalesce(sum(counted), 0) from count_progress where tenant_id = $1) as progress,
        (select coalesce(sum(scans), 0) from stock where tenant_id = $1)
          = (select coalesce(sum(scans), 0) from scan_days where tenant_id = $1) as scans`,
      [staff.tenantId],
    )
    expect(rows).toEqual([{ progress: true, scans: true }])
  })
})
