import { listWithCountStatus } from '@inventory-manager/contract/counting/endpoints'
import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

const hour = 3_600_000
const zone = zoneOfNoon()

async function putOnList(admin: Person, barcodes: string[], day = 'Monday'): Promise<void> {
  await app.done({
    path: '/api/components/bulk-high-volume',
    token: admin.token,
    body: { barcodes, day, location: 'PRIMARY', action: 'add' },
  })
}

/** Three components, two of them on Monday's list at PRIMARY. */
async function companyWithList({ timeZone = zone } = {}): Promise<{ admin: Person; staff: Person }> {
  const admin = await makeCompany(app, { timeZone })
  await app.done({
    path: '/api/components/import',
    token: admin.token,
    body: [
      { barcode: 'A-1', description: 'Bolt', primary_quantity: 5, secondary_quantity: 1 },
      { barcode: 'A-2', description: 'Nut', primary_quantity: 7 },
      { barcode: 'A-3', description: 'Washer', primary_quantity: 9 },
    ],
  })
  await putOnList(admin, ['A-1', 'A-2'])
  return { admin, staff: await makeStaff(app, admin) }
}

const open = z.object({ discrepancies: z.array(z.object({ id: z.string() })) })

let scans = 0

function scan(person: Person, part: Record<string, unknown> = {}, key?: string) {
  scans += 1
  return app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    ...(key === undefined ? {} : { key }),
    body: {
      barcode: 'A-1',
      quantity: 5,
      location: 'PRIMARY',
      source: 'weekly',
      day: 'Monday',
      session: `Weekly_Monday_2026-11-21_PRIMARY_${scans}`,
      timestamp: new Date(Date.now() + scans).toISOString(),
      ...part,
    },
  })
}

const forDay = async (person: Person, day = 'Monday', location = 'PRIMARY') =>
  await app.ask({
    path: '/api/components/high-volume-for-day',
    token: person.token,
    body: { day, location },
  })

const monthly = async (person: Person, location = 'PRIMARY') =>
  (await app.ask({ path: '/api/components/with-count-status', token: person.token, body: { location } })).body

const withStatus = async (person: Person, part: object) =>
  await app.ask({
    path: '/api/components/with-count-status',
    token: person.token,
    body: { location: 'PRIMARY', count_type: 'weekly', ...part },
  })

const resetDay = (person: Person, part: Record<string, unknown> = {}) =>
  app.ask({
    path: '/api/components/reset-weekly-day',
    token: person.token,
    body: { day: 'Monday', location: 'PRIMARY', ...part },
  })

const append = (person: Person, part: Record<string, unknown> = {}, key?: string) =>
  app.ask({
    path: '/api/count-history',
    token: person.token,
    ...(key === undefined ? {} : { key }),
    body: {
      sku: 'A-1',
      quantity: 4,
      count_type: 'monthly',
      count_session: 's1',
      location: 'PRIMARY',
      ...part,
    },
  })

const history = async (person: Person, query = '') =>
  (await app.ask({ method: 'GET', path: `/api/count-history${query}`, token: person.token })).body

async function countRows(table: string, person: Person): Promise<number> {
  const { rows } = await app.owner.query<{ n: number }>(
    `select count(*)::integer as n from ${table} where tenant_id = $1`,
    [person.tenantId],
  )
  return rows[0]?.n ?? -1
}

function localDay(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone }).format(at)
}

/** The latest full hour of the last seven days at which it is the one day here and the other in UTC. */
function instantWhen({ here, utc, timeZone }: { here: string; utc: string; timeZone: string }): string {
  const hours = Array.from({ length: 166 }, (_, index) => new Date(Date.now() - (index + 1) * hour))
  const found = hours.find((at) => localDay(at, timeZone) === here && localDay(at, 'UTC') === utc)
  return found?.toISOString() ?? 'no such hour'
}

describe('with-count-status of a weekly count', () => {
  it("has the day's list alone, counted by a weekly count of today", async () => {
    const { admin, staff } = await companyWithList()
    await scan(staff, { source: 'monthly', day: null, barcode: 'A-2', quantity: 7 })
    await scan(staff)
    const { status, body } = await withStatus(staff, { day: 'Monday' })
    expect(status).toBe(200)
    expect(listWithCountStatus.reply.json.parse(body)).toEqual(body)
    expect(body).toEqual({
      components: [
        {
          id: expect.any(String),
          barcode: 'A-1',
          description: 'Bolt',
          last_counted_date: expect.stringMatching(/Z$/),
          last_counted_location: 'PRIMARY',
          last_counted_source: 'weekly',
          is_high_volume: true,
          is_high_volume_today: expect.any(Boolean),
          high_volume_config: { Monday: ['PRIMARY'] },
          counted: true,
          counted_at: expect.stringMatching(/Z$/),
          counted_source: 'weekly',
        },
        expect.objectContaining({
          barcode: 'A-2',
          last_counted_source: 'monthly',
          counted: false,
          counted_at: null,
          counted_source: null,
        }),
      ],
      counted: 1,
      total: 2,
    })
    expect((await withStatus(staff, { day: 'Tuesday' })).body).toEqual({
      components: [],
      counted: 0,
      total: 0,
    })
    await app.owner.query(
      `update stock set weekly_counted_at = weekly_counted_at - interval '1 day' where tenant_id = $1`,
      [staff.tenantId],
    )
    // The list is kept until somebody does something.
    await putOnList(admin, ['A-3'], 'Tuesday')
    expect((await withStatus(staff, { day: 'Monday' })).body).toMatchObject({ counted: 0, total: 2 })
  })

  it('tells administrators what is expected', async () => {
    const { admin } = await companyWithList()
    expect((await withStatus(admin, { day: 'Monday' })).body).toMatchObject({
      components: [
        { barcode: 'A-1', expected_quantity: 5 },
        { barcode: 'A-2', expected_quantity: 7 },
      ],
    })
  })

  it('says what is counted weekly today by its location, as the status of the month does', async () => {
    const { admin, staff } = await companyWithList()
    // Today is one of these days at the other location, and at this one another day.
    const body = { action: 'add', location: 'SECONDARY', barcodes: ['A-3'] }
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) {
      await app.done({ path: '/api/components/bulk-high-volume', token: admin.token, body: { ...body, day } })
    }
    const day = localDay(new Date(), zone) === 'Friday' ? 'Thursday' : 'Friday'
    await putOnList(admin, ['A-3'], day)
    const notToday = { components: [{ barcode: 'A-3', is_high_volume_today: false }] }
    expect((await withStatus(staff, { day })).body).toMatchObject(notToday)
    expect((await forDay(admin, day)).body).toMatchObject(notToday)
    expect(await monthly(staff)).toMatchObject({
      components: [{}, {}, { barcode: 'A-3', is_high_volume_today: false }],
    })
  })

  it('is of today where no day is given', async () => {
    const { admin, staff } = await companyWithList()
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])
      await putOnList(admin, ['A-3'], day)
    const today = localDay(new Date(), zone)
    const totals: Record<string, number> = { Monday: 3, Saturday: 0, Sunday: 0 }
    expect((await withStatus(staff, {})).body).toMatchObject({ total: totals[today] ?? 1 })
  })
})

describe('the high-volume list of a day', () => {
  it('has the components of that day and location, and no others', async () => {
    const { staff } = await companyWithList()
    const { status, body } = await forDay(staff)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      components: [
        { barcode: 'A-1', description: 'Bolt', is_high_volume: true, counted_today: false, counted: false },
        { barcode: 'A-2', description: 'Nut', is_high_volume: true, counted_today: false, counted: false },
      ],
    })
    expect((await forDay(staff, 'Tuesday')).body).toEqual({ components: [] })
    expect((await forDay(staff, 'Monday', 'SECONDARY')).body).toEqual({ components: [] })
  })

  it('shows staff neither quantities nor the configuration', async () => {
    const { staff } = await companyWithList()
    const text = JSON.stringify((await forDay(staff)).body)
    expect(text).not.toContain('quantity')
    expect(text).not.toContain('high_volume_config')
  })

  it('shows administrators the quantities and the configuration', async () => {
    const { admin } = await companyWithList()
    expect((await forDay(admin)).body).toMatchObject({
      components: [
        {
          barcode: 'A-1',
          primary_quantity: 5,
          secondary_quantity: 1,
          total_quantity: 6,
          expected_quantity: 5,
          high_volume_config: { Monday: ['PRIMARY'] },
        },
        { barcode: 'A-2', expected_quantity: 7 },
      ],
    })
  })

  it('says what is counted today, to everybody', async () => {
    const { admin, staff } = await companyWithList()
    await scan(staff)
    for (const person of [admin, staff]) {
      expect((await forDay(person)).body).toMatchObject({
        components: [
          { barcode: 'A-1', counted_today: true },
          { barcode: 'A-2', counted_today: false },
        ],
      })
    }
  })

  it('counts what was counted weekly since its first moment as counted today', async () => {
    const { staff } = await companyWithList()
    await scan(staff)
    await scan(staff, { barcode: 'A-2' })
    await app.owner.query(
      `update stock set weekly_counted_at = date_trunc('day', now() at time zone $2) at time zone $2
         - case barcode when 'A-2' then interval '1 millisecond' else interval '0' end
       from components
       where stock.tenant_id = $1 and components.tenant_id = $1 and components.id = component_id`,
      [staff.tenantId, zone],
    )
    expect((await forDay(staff)).body).toMatchObject({
      components: [
        { barcode: 'A-1', counted_today: true },
        { barcode: 'A-2', counted_today: false },
      ],
    })
  })

  it('does not count what was counted weekly on an earlier day as counted today', async () => {
    const { staff } = await companyWithList()
    await scan(staff, { timestamp: new Date(Date.now() - 30 * hour).toISOString() })
    expect((await forDay(staff)).body).toMatchObject({ components: [{ counted_today: false }, {}] })
  })

  it.each([
    [{ day: 'Sunday', location: 'PRIMARY' }, 400],
    [{ day: 'monday', location: 'PRIMARY' }, 400],
    [{ location: 'PRIMARY' }, 400],
    [{ day: 'Monday', location: 'Moon' }, 400],
    [{ day: 'Monday', location: 'DISTRIBUTION' }, 403],
  ])('for %j is refused', async (body, expected) => {
    const { staff } = await companyWithList()
    const reply = await app.ask({ path: '/api/components/high-volume-for-day', token: staff.token, body })
    expect(reply.status).toBe(expected)
  })
})

describe('a weekly count', () => {
  it('that matches marks the component and answers with the progress of the list of the day', async () => {
    const { staff } = await companyWithList()
    expect((await scan(staff)).body).toMatchObject({
      success: true,
      matched: true,
      component: { barcode: 'A-1', counted_source: 'weekly' },
      progress: { counted: 1, total: 2 },
    })
    expect((await scan(staff, { barcode: 'A-2', quantity: 7 })).body).toMatchObject({
      progress: { counted: 2, total: 2 },
    })
  })

  it('also counts for the month', async () => {
    const { staff } = await companyWithList()
    await scan(staff)
    expect(await monthly(staff)).toMatchObject({
      counted: 1,
      components: [{ counted: true, counted_source: 'weekly' }, { counted: false }, { counted: false }],
    })
  })

  it('is not made by a monthly count', async () => {
    const { staff } = await companyWithList()
    await scan(staff, { source: 'monthly' })
    expect((await forDay(staff)).body).toMatchObject({ components: [{ counted_today: false }, {}] })
    expect((await scan(staff)).body).toMatchObject({ matched: true, progress: { counted: 1, total: 2 } })
  })

  it('stays when the month is counted or reset afterwards', async () => {
    const { staff } = await companyWithList()
    await scan(staff)
    await scan(staff, { source: 'monthly' })
    await app.done({
      path: '/api/components/reset-counts',
      token: staff.token,
      body: { location: 'PRIMARY', count_type: 'monthly' },
    })
    expect((await forDay(staff)).body).toMatchObject({ components: [{ counted_today: true }, {}] })
    expect(await monthly(staff)).toMatchObject({ counted: 0 })
  })

  it.each([
    ['a component that is on no list', { barcode: 'A-3', quantity: 9 }],
    ['a component of another day', { day: 'Tuesday' }],
    ['a component of another location', { location: 'SECONDARY', quantity: 1 }],
  ])('of %s is refused and changes nothing', async (_name, part) => {
    const { staff } = await companyWithList()
    const { status, body } = await scan(staff, part)
    expect([status, body]).toEqual([
      409,
      {
        success: false,
        error: 'This barcode is not part of the high-volume count of that day.',
        code: 'not_in_list',
      },
    ])
    expect(await countRows('count_history', staff)).toBe(0)
    // That it stands in the trail, once, is kept under a key of its own.
    expect(await countRows("(select * from operations where key not like 'refused %') taken", staff)).toBe(0)
  })

  it('does a recount that was asked for where the SKU has left every list since', async () => {
    const { admin, staff } = await companyWithList()
    await scan(staff, { quantity: 3 })
    await scan(staff, { quantity: 4 })
    const path = '/api/discrepancies?status=open'
    const { body } = await app.ask({ method: 'GET', path, token: admin.token })
    const ids = open.parse(body).discrepancies.map(({ id }) => id)
    await app.done({
      path: '/api/discrepancies/decide',
      token: admin.token,
      body: { ids, decision: 'recount' },
    })
    await app.done({
      path: '/api/components/bulk-high-volume',
      token: admin.token,
      body: { barcodes: ['A-1'], day: 'Monday', location: 'PRIMARY', action: 'remove' },
    })

    const colleague = await makeStaff(app, admin, 'Tom Staff')
    expect((await forDay(colleague, 'Wednesday')).body).toMatchObject({ components: [{ barcode: 'A-1' }] })
    expect(await scan(colleague, { day: 'Wednesday', recount: true })).toMatchObject({
      status: 200,
      body: { matched: true },
    })
    expect((await forDay(colleague, 'Wednesday')).body).toMatchObject({ components: [] })
    expect(await scan(colleague, { day: 'Wednesday', recount: true })).toMatchObject({
      status: 409,
      body: { code: 'not_in_list' },
    })
  })

  it('of a component that was already counted today asks first and changes nothing', async () => {
    const { staff } = await companyWithList()
    await scan(staff)
    const { status, body } = await scan(staff)
    expect([status, body]).toEqual([
      409,
      { success: false, error: 'This SKU was already counted today.', code: 'already_counted' },
    ])
    expect(await countRows('count_history', staff)).toBe(1)
  })

  it('asks first also when the first count came from another person', async () => {
    const { admin, staff } = await companyWithList()
    await scan(admin)
    expect(await scan(staff)).toMatchObject({ status: 409, body: { code: 'already_counted' } })
  })

  it('goes on when the person says so, under the same key', async () => {
    const { admin, staff } = await companyWithList()
    await scan(admin)
    const timestamp = new Date().toISOString()
    expect((await scan(staff, { session: 's1', timestamp }, 'k1')).status).toBe(409)
    expect((await scan(staff, { session: 's1', timestamp, recount: true }, 'k1')).body).toMatchObject({
      matched: true,
      progress: { counted: 1, total: 2 },
    })
    expect(await countRows('count_history', staff)).toBe(2)
  })

  it('by ten people at the same moment is taken once', async () => {
    const { staff } = await companyWithList()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => scan(staff, { session: `device ${index}` })),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(9).fill(409),
    ])
    expect(await countRows('count_history', staff)).toBe(1)
  })

  it('sent again with its key answers as before instead of asking', async () => {
    const { staff } = await companyWithList()
    const timestamp = new Date().toISOString()
    const first = await scan(staff, { session: 's1', timestamp }, 'k2')
    expect(await scan(staff, { session: 's1', timestamp }, 'k2')).toMatchObject({
      status: 200,
      body: first.body,
    })
  })

  it('that was made on an earlier day and arrives late is taken without asking', async () => {
    const { staff } = await companyWithList()
    await scan(staff)
    const yesterday = new Date(Date.now() - 30 * hour).toISOString()
    expect(await scan(staff, { timestamp: yesterday })).toMatchObject({
      status: 200,
      body: { matched: true },
    })
  })

  it('that does not match twice is recorded as a difference and counts in the progress', async () => {
    const { admin, staff } = await companyWithList()
    expect((await scan(staff, { quantity: 4 })).body).toEqual({
      success: false,
      matched: false,
      recorded: false,
      attempt: 1,
      message: 'Incorrect quantity for Bolt',
    })
    expect((await scan(staff, { quantity: 4 })).body).toMatchObject({
      recorded: true,
      attempt: 2,
      progress: { counted: 1, total: 2 },
    })
    const open = await app.ask({
      method: 'GET',
      path: '/api/discrepancies?status=open',
      token: admin.token,
    })
    expect(open.body).toMatchObject({ discrepancies: [{ sku: 'A-1', count_type: 'weekly', counted: 4 }] })
  })

  it('keeps its attempts apart from those of the month', async () => {
    const { staff } = await companyWithList()
    await scan(staff, { source: 'monthly', quantity: 4 })
    expect((await scan(staff, { quantity: 4 })).body).toMatchObject({ recorded: false, attempt: 1 })
  })
})

describe('the weekday of a weekly count', () => {
  it.each([
    ['Pacific/Kiritimati', 'Tuesday', 'Monday'],
    ['America/Los_Angeles', 'Wednesday', 'Thursday'],
  ])(
    'without a day is that of its own date in the time zone of the company, %s',
    async (timeZone, here, utc) => {
      const { admin, staff } = await companyWithList({ timeZone })
      await putOnList(admin, ['A-3'], here)
      const timestamp = instantWhen({ here, utc, timeZone })
      const count = { barcode: 'A-3', quantity: 9, timestamp }
      expect((await scan(staff, { ...count, day: undefined })).body).toMatchObject({
        matched: true,
        progress: { total: 1 },
      })
      expect(await scan(staff, { ...count, day: utc, recount: true })).toMatchObject({
        body: { code: 'not_in_list' },
      })
    },
  )

  it('is the given one whatever day it is', async () => {
    const { admin, staff } = await companyWithList()
    const days = ['Tuesday', 'Wednesday', 'Thursday', 'Friday']
    for (const day of days) {
      await putOnList(admin, ['A-3'], day)
      const reply = await scan(staff, { barcode: 'A-3', quantity: 9, day, recount: true })
      expect(reply.body).toMatchObject({ matched: true, progress: { counted: 1, total: 1 } })
    }
  })

  it('can only be a weekday', async () => {
    const { staff } = await companyWithList()
    expect(await scan(staff, { day: 'Saturday' })).toMatchObject({
      status: 400,
      body: { error: 'day must be one of: Monday, Tuesday, Wednesday, Thursday, Friday.' },
    })
  })
})

describe('resetting the list of a day', () => {
  it('makes its components pending and leaves the month, the history and other locations alone', async () => {
    const { admin, staff } = await companyWithList()
    await app.done({
      path: '/api/components/bulk-high-volume',
      token: admin.token,
      body: { barcodes: ['A-1'], day: 'Monday', location: 'SECONDARY', action: 'add' },
    })
    await scan(staff)
    await scan(staff, { barcode: 'A-2', quantity: 7 })
    await scan(staff, { location: 'SECONDARY', quantity: 1 })
    const { status, body } = await resetDay(staff)
    expect([status, body]).toEqual([200, { success: true, reset: 2 }])
    expect((await forDay(staff)).body).toMatchObject({
      components: [{ counted_today: false }, { counted_today: false }],
    })
    expect((await forDay(staff, 'Monday', 'SECONDARY')).body).toMatchObject({
      components: [{ counted_today: true }],
    })
    expect(await monthly(staff)).toMatchObject({ counted: 2 })
    expect(await countRows('count_history', staff)).toBe(3)
  })

  it('lets counting start again without asking', async () => {
    const { staff } = await companyWithList()
    await scan(staff)
    await resetDay(staff)
    expect((await scan(staff)).body).toMatchObject({ matched: true, progress: { counted: 1, total: 2 } })
  })

  it('leaves the components of other days counted', async () => {
    const { admin, staff } = await companyWithList()
    await putOnList(admin, ['A-3'], 'Tuesday')
    await scan(staff, { barcode: 'A-3', quantity: 9, day: 'Tuesday' })
    expect((await resetDay(staff)).body).toEqual({ success: true, reset: 0 })
    expect((await forDay(staff, 'Tuesday')).body).toMatchObject({ components: [{ counted_today: true }] })
  })

  it('is in the audit trail', async () => {
    const { staff } = await companyWithList()
    await scan(staff)
    await resetDay(staff)
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=1', token: staff.token })
    expect(trail.body).toMatchObject({
      entries: [{ kind: 'weekly_count', quantity: 1, location: 'PRIMARY', user_name: 'Sam Staff' }],
    })
  })

  it('by several people at once while others count never fails', async () => {
    const { admin, staff } = await companyWithList()
    const rows = Array.from({ length: 40 }, (_, index) => ({ barcode: `R-${index}`, primary_quantity: 1 }))
    await app.done({ path: '/api/components/import', token: admin.token, body: rows })
    await putOnList(
      admin,
      rows.map(({ barcode }) => barcode),
    )
    const replies = await Promise.all(
      rows.flatMap(({ barcode }, index) => [
        scan(staff, { barcode, quantity: 1, recount: true }),
        ...(index % 4 === 0 ? [resetDay(admin)] : []),
      ]),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it.each([
    [{ day: 'Sunday' }, 400],
    [{ location: 'Moon' }, 400],
    [{ location: 'DISTRIBUTION' }, 403],
  ])('with %j is refused', async (part, expected) => {
    const { staff } = await companyWithList()
    expect((await resetDay(staff, part)).status).toBe(expected)
  })
})

describe('resetting the weekly counts of a location', () => {
  const resetAll = (token: string, location = 'PRIMARY') =>
    app.ask({ path: '/api/components/reset-counts', token, body: { location, count_type: 'weekly' } })

  it('starts those of today again, of all lists, there and in this company alone', async () => {
    const { admin, staff } = await companyWithList()
    const other = await companyWithList()
    await putOnList(admin, ['A-1', 'A-3'], 'Tuesday')
    await scan(staff)
    await scan(staff, { barcode: 'A-3', quantity: 9, day: 'Tuesday' })
    await scan(other.staff)
    expect((await resetAll(staff.token, 'SECONDARY')).body).toEqual({ success: true, reset: 0 })
    const { status, body } = await resetAll(staff.token)
    expect([status, body]).toEqual([200, { success: true, reset: 2 }])
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=1', token: staff.token })
    expect(trail.body).toMatchObject({
      entries: [
        { kind: 'weekly_count', sku: 'WEEKLY_COUNT_WEEKLY_COUNT_RESET', quantity: 2, source: 'weekly' },
      ],
    })
    expect((await withStatus(staff, { day: 'Monday' })).body).toMatchObject({ counted: 0 })
    expect((await withStatus(staff, { day: 'Tuesday' })).body).toMatchObject({ counted: 0 })
    expect(await monthly(staff)).toMatchObject({ counted: 2 })
    expect(await countRows('count_history', staff)).toBe(2)
    expect((await withStatus(other.staff, { day: 'Monday' })).body).toMatchObject({ counted: 1 })
  })

  it('is for those who count at a location of the plan', async () => {
    const { staff } = await companyWithList()
    expect((await resetAll(staff.token, 'DISTRIBUTION')).status).toBe(403)
    expect((await resetAll('')).status).toBe(401)
  })
})

describe('appending to the history', () => {
  it('adds an entry and marks nothing', async () => {
    const { staff } = await companyWithList()
    const { status, body } = await append(staff)
    expect(status).toBe(201)
    expect(body).toMatchObject({ success: true, id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(await history(staff)).toMatchObject({
      history: [
        {
          sku: 'A-1',
          location: 'PRIMARY',
          quantity: 4,
          count_type: 'monthly',
          count_session: 's1',
          source: 'monthly',
        },
      ],
    })
    expect(await monthly(staff)).toMatchObject({
      counted: 0,
      components: [{ last_counted_date: null }, {}, {}],
    })
    expect((await forDay(staff)).body).toMatchObject({ components: [{ counted_today: false }, {}] })
  })

  it('takes the actor from the session whatever the body says', async () => {
    const { admin, staff } = await companyWithList()
    await append(staff, { user_type: 'admin', user_name: 'The Boss', user_id: admin.userId })
    expect(await history(admin)).toMatchObject({ history: [{ user_type: 'user', user_name: 'Sam Staff' }] })
    await append(admin, { user_type: 'user' })
    expect(await history(admin)).toMatchObject({ history: [{ user_type: 'admin' }, {}] })
  })

  it('as an administrator count is for administrators only', async () => {
    const { admin, staff } = await companyWithList()
    expect(await append(staff, { count_type: 'admin' })).toMatchObject({
      status: 403,
      body: { error: 'Only an administrator can do this.' },
    })
    expect(await countRows('count_history', staff)).toBe(0)
    const refused = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?sku=AUTH_ACCESS_REFUSED',
      token: admin.token,
    })
    expect(refused.body).toMatchObject({
      entries: [{ user_name: 'Sam Staff', metadata: { call: 'POST /api/count-history' } }],
    })
    expect((await append(admin, { count_type: 'admin' })).status).toBe(201)
  })

  it('sent twice with its key adds one entry', async () => {
    const { staff } = await companyWithList()
    const replies = await Promise.all(Array.from({ length: 10 }, () => append(staff, {}, 'h1')))
    expect(new Set(replies.map(({ status, bytes }) => `${status} ${bytes.toString()}`)).size).toBe(1)
    expect(await countRows('count_history', staff)).toBe(1)
  })

  it.each([
    [{ sku: 'nothing' }, 404, 'There is no component with this barcode.'],
    [{ sku: '' }, 400, 'sku must not be empty.'],
    [{ quantity: -1 }, 400, 'quantity must be a whole number from 0 to 2,147,483,647.'],
    [{ quantity: '4' }, 400, 'quantity must be a whole number from 0 to 2,147,483,647.'],
    [{ count_type: 'daily' }, 400, 'count_type must be one of: monthly, weekly, admin.'],
    [{ location: 'Moon' }, 400, 'Invalid location selected.'],
    [{ location: 'DISTRIBUTION' }, 403, 'Your plan does not include this location.'],
    [{ count_session: 'x'.repeat(201) }, 400, 'count_session must have at most 200 characters.'],
  ])('with %j is refused and adds nothing', async (part, expected, sentence) => {
    const { staff } = await companyWithList()
    const { status, body } = await append(staff, part)
    expect([status, body]).toMatchObject([expected, { error: sentence }])
    expect(await countRows('count_history', staff)).toBe(0)
  })
})

describe('the history of counts', () => {
  async function companyWithHistory(): Promise<Person> {
    const { admin } = await companyWithList()
    await append(admin, { quantity: 1 })
    await append(admin, { quantity: 2, location: 'SECONDARY', count_type: 'weekly' })
    await append(admin, { quantity: 3, sku: 'A-2', count_type: 'admin' })
    await append(admin, { quantity: 4, sku: 'A-2', source: 'handheld' })
    return admin
  }

  it.each([
    ['', [4, 3, 2, 1]],
    ['?sku=A-1', [2, 1]],
    ['?location=SECONDARY', [2]],
    ['?location=Primary%20Warehouse', [4, 3, 1]],
    ['?count_type=admin', [3]],
    ['?sku=A-2&count_type=monthly&location=PRIMARY', [4]],
    ['?sku=A-1&count_type=weekly', [2]],
    ['?sku=a-1', []],
  ])('with %s has these quantities, newest first', async (query, quantities) => {
    const admin = await companyWithHistory()
    expect(await history(admin, query)).toMatchObject({
      history: quantities.map((quantity) => ({ quantity })),
      next_cursor: null,
    })
  })

  it('can be read page by page without losing or doubling an entry', async () => {
    const admin = await companyWithHistory()
    const first = await app.ask({ method: 'GET', path: '/api/count-history?limit=3', token: admin.token })
    expect(first.body).toMatchObject({ history: [{ quantity: 4 }, { quantity: 3 }, { quantity: 2 }] })
    const cursor = /"next_cursor":"([^"]+)"/.exec(first.bytes.toString())?.[1]
    expect(await history(admin, `?limit=3&cursor=${cursor}`)).toMatchObject({
      history: [{ quantity: 1 }],
      next_cursor: null,
    })
  })

  it('of one SKU at all locations can be read page by page', async () => {
    const admin = await companyWithHistory()
    for (const [index, location] of ['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'SECONDARY'].entries()) {
      await append(admin, { quantity: 5 + index, location })
    }
    const pages: unknown[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const path = `/api/count-history?sku=A-1&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { body, bytes } = await app.ask({ method: 'GET', path, token: admin.token })
      pages.push(body)
      cursor = /"next_cursor":"([^"]+)"/.exec(bytes.toString())?.[1]
    }
    expect(pages).toMatchObject(
      [
        [8, 7],
        [6, 5],
        [2, 1],
      ].map((page) => ({ history: page.map((quantity) => ({ quantity })) })),
    )
  })

  it('says the source that was given', async () => {
    const admin = await companyWithHistory()
    expect(await history(admin, '?limit=1')).toMatchObject({
      history: [{ source: 'handheld', last_counted_source: 'handheld', last_counted_location: 'PRIMARY' }],
    })
  })

  it.each(['?count_type=daily', '?location=Moon', '?limit=0', '?limit=ten', '?cursor=1', '?limit=1&limit=2'])(
    'with %s is refused',
    async (query) => {
      const { admin } = await companyWithList()
      const { status } = await app.ask({
        method: 'GET',
        path: `/api/count-history${query}`,
        token: admin.token,
      })
      expect(status).toBe(400)
    },
  )
})
