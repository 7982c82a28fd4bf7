import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makeCompanyWithStock, type People } from '../../test/company-with-stock.ts'
import { startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function companyWithStock(): Promise<People> {
  const rows = [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 5, secondary_quantity: 1 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 7 },
    { barcode: 'A-3', description: 'Washer' },
  ]
  return await makeCompanyWithStock(app, rows)
}

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
      source: 'monthly',
      session: 'Monthly_2026-11-21_PRIMARY_1',
      timestamp: new Date(Date.now() + scans).toISOString(),
      ...part,
    },
  })
}

const countStatus = (person: Person, location = 'PRIMARY') =>
  app.ask({ path: '/api/components/with-count-status', token: person.token, body: { location } })

async function countRows(table: string, person: Person): Promise<number> {
  const { rows } = await app.owner.query<{ n: number }>(
    `select count(*)::integer as n from ${table} where tenant_id = $1`,
    [person.tenantId],
  )
  return rows[0]?.n ?? -1
}

describe('a count that matches', () => {
  it('counts the component here and nowhere else', async () => {
    const { staff } = await companyWithStock()
    const { status, body } = await scan(staff)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      matched: true,
      component: { barcode: 'A-1', description: 'Bolt', counted_source: 'monthly' },
      progress: { counted: 1, total: 3 },
    })
    expect((await countStatus(staff)).body).toMatchObject({
      counted: 1,
      total: 3,
      components: [
        { barcode: 'A-1', counted: true, counted_source: 'monthly' },
        { counted: false },
        { counted: false },
      ],
    })
    expect((await countStatus(staff, 'SECONDARY')).body).toMatchObject({ counted: 0 })
  })

  it('of nothing is a count', async () => {
    const { staff } = await companyWithStock()
    expect((await scan(staff, { barcode: 'A-3', quantity: 0 })).body).toMatchObject({ matched: true })
  })

  it('again is no error and does not count twice in the progress', async () => {
    const { staff } = await companyWithStock()
    await scan(staff)
    expect((await scan(staff)).body).toMatchObject({ matched: true, progress: { counted: 1, total: 3 } })
    expect(await countRows('count_history', staff)).toBe(2)
  })

  it('leaves its history and its audit entry', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff)
    const history = await app.ask({
      path: '/api/components/count-history',
      token: admin.token,
      body: { barcode: 'A-1', location: 'PRIMARY' },
    })
    expect(history.body).toMatchObject({
      history: [
        {
          sku: 'A-1',
          location: 'PRIMARY',
          quantity: 5,
          source: 'monthly',
          user_name: 'Sam Staff',
          user_type: 'user',
        },
      ],
      next_cursor: null,
    })
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?sku=A-1', token: admin.token })
    expect(trail.body).toMatchObject({
      total: 1,
      entries: [
        { kind: 'inventory_scan', sku: 'A-1', quantity: 5, metadata: { event_type: 'monthly_count_scan' } },
      ],
    })
  })

  it('is in a history that goes on where a page of it ends', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff)
    await app.owner.query(
      `insert into count_history (
         tenant_id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type,
         user_name, counted_at, sets_mark
       )
       select tenant_id, component_id, sku, location, 1000 + number, count_type, count_session, source, user_id, user_type,
         user_name, counted_at, sets_mark
       from count_history, generate_series(1, 120) as number where tenant_id = $1`,
      [admin.tenantId],
    )
    const page = z.object({
      history: z.array(z.object({ quantity: z.int() })),
      next_cursor: z.string().nullable(),
    })
    const read = async (cursor?: string) => {
      const body = { barcode: 'A-1', location: 'PRIMARY', ...(cursor === undefined ? {} : { cursor }) }
      return page.parse(
        (await app.ask({ path: '/api/components/count-history', token: admin.token, body })).body,
      )
    }
    const first = await read()
    const second = await read(first.next_cursor ?? '')
    expect([first.history.length, second.history.length, second.next_cursor]).toEqual([100, 21, null])
    const all = [...first.history, ...second.history].map(({ quantity }) => quantity)
    expect(new Set(all).size).toBe(121)
  })

  it('is in the history of the component that is scanned, with its leading 0 or without', async () => {
    const { admin, staff } = await companyWithStock()
    const add = (barcode: string, quantity: number) =>
      app.ask({
        path: '/api/components/import',
        token: admin.token,
        body: [{ barcode, primary_quantity: quantity }],
      })
    const historyOf = async (barcode: string) => {
      const body = { barcode, location: 'PRIMARY' }
      const reply = await app.ask({ path: '/api/components/count-history', token: admin.token, body })
      return reply.body
    }
    const [upc, ean] = ['036000291452', '0036000291452']
    await add(upc, 3)
    await scan(staff, { barcode: upc, quantity: 3 })
    expect(await historyOf(ean)).toMatchObject({ history: [{ sku: upc, quantity: 3 }] })
    // As versions before have let one be made.
    await app.owner.query('insert into components (tenant_id, barcode) values ($1, $2)', [
      admin.tenantId,
      ean,
    ])
    expect(await historyOf(ean)).toMatchObject({ history: [] })
    expect(await historyOf(upc)).toMatchObject({ history: [{ sku: upc }] })
  })
})

describe('a count that does not match', () => {
  it('is kept as attempt 1 and leaves the component pending', async () => {
    const { staff } = await companyWithStock()
    const { status, body } = await scan(staff, { quantity: 4 })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: false,
      matched: false,
      recorded: false,
      attempt: 1,
      message: 'Incorrect quantity for Bolt',
    })
    expect((await countStatus(staff)).body).toMatchObject({ counted: 0 })
  })

  it('a second time is recorded as a difference, and stock stays as it is', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, { quantity: 4 })
    expect((await scan(staff, { quantity: 3 })).body).toEqual({
      success: false,
      matched: false,
      recorded: true,
      attempt: 2,
      message: 'Incorrect quantity for Bolt',
      barcode: 'A-1',
      progress: { counted: 1, total: 3 },
      sets_mark: true,
    })
    const { rows } = await app.owner.query(
      'select sku, status, expected, counted, attempts from discrepancies where tenant_id = $1',
      [admin.tenantId],
    )
    expect(rows).toEqual([{ sku: 'A-1', status: 'open', expected: 5, counted: 3, attempts: 2 }])
    expect(await countRows('count_attempts', staff)).toBe(2)
    const found = await app.ask({
      path: '/api/components/by-barcode',
      token: admin.token,
      body: { barcode: 'A-1' },
    })
    expect(found.body).toMatchObject({ component: { primary_quantity: 5, last_counted_source: 'monthly' } })
  })

  it('closes its difference by itself when a later count matches', async () => {
    const { staff } = await companyWithStock()
    await scan(staff, { quantity: 4 })
    await scan(staff, { quantity: 3 })
    expect((await scan(staff)).body).toMatchObject({ matched: true, progress: { counted: 1, total: 3 } })
    const { rows } = await app.owner.query('select status, counted from discrepancies where tenant_id = $1', [
      staff.tenantId,
    ])
    expect(rows).toEqual([{ status: 'matched', counted: 5 }])
  })

  it('tells the expected quantity to an administrator only', async () => {
    const { admin, staff } = await companyWithStock()
    expect((await scan(admin, { quantity: 4 })).body).toMatchObject({
      message: 'Incorrect quantity for Bolt (Correct: 5)',
      expected_quantity: 5,
    })
    expect(JSON.stringify((await scan(staff, { quantity: 3 })).body)).not.toContain('5')
    expect((await countStatus(admin)).body).toMatchObject({ components: [{ expected_quantity: 5 }, {}, {}] })
    const blind = JSON.stringify((await countStatus(staff)).body)
    expect(blind).not.toContain('expected')
    expect(blind).not.toContain('primary_quantity')
  })

  it('gives staff no verdict after the second attempt where the company counts strictly blind', async () => {
    const { admin, staff } = await companyWithStock()
    await app.owner.query('update companies set strict_blind_counts = true where tenant_id = $1', [
      staff.tenantId,
    ])
    await scan(staff, { quantity: 4 })
    expect((await scan(staff, { quantity: 3 })).body).toMatchObject({ matched: false, attempt: 2 })
    expect((await scan(staff, { quantity: 5 })).body).toEqual({
      success: true,
      matched: null,
      recorded: true,
      message: 'Recorded for review.',
      barcode: 'A-1',
      progress: { counted: 1, total: 3 },
      sets_mark: true,
    })
    await scan(admin, { quantity: 4 })
    await scan(admin, { quantity: 3 })
    expect((await scan(admin, { quantity: 2 })).body).toMatchObject({ matched: false, attempt: 3 })
  })
})

describe('where the company counts strictly blind', () => {
  const reviewed = { success: true, matched: null, recorded: true, message: 'Recorded for review.' }

  async function strictCompany(): Promise<People> {
    const people = await companyWithStock()
    await app.done({
      path: '/api/company/settings',
      token: people.admin.token,
      body: { strict_blind_counts: true },
    })
    return people
  }

  it('attempts go on after a match, so that the next entry does not tell that the last was right', async () => {
    const { staff } = await strictCompany()
    for (const quantity of [4, 3]) await scan(staff, { quantity })
    for (const quantity of [5, 5, 4, 5, 2]) {
      expect((await scan(staff, { quantity })).body).toEqual({
        ...reviewed,
        barcode: 'A-1',
        progress: { counted: 1, total: 3 },
        sets_mark: true,
      })
    }
    expect(await countRows('count_history', staff)).toBe(6)
  })

  it('a wrong entry after a match waits for administrators at once, and theirs are judged as ever', async () => {
    const { admin, staff } = await strictCompany()
    for (const quantity of [4, 5, 3]) await scan(staff, { quantity })
    const list = await app.ask({ method: 'GET', path: '/api/discrepancies?status=open', token: admin.token })
    expect(list.body).toMatchObject({ discrepancies: [{ counted: 3, expected: 5 }] })
    expect((await scan(admin, { quantity: 5 })).body).toMatchObject({ matched: true })
    expect((await scan(admin, { quantity: 6 })).body).toMatchObject({ matched: false, attempt: 1 })
  })

  it('a difference that administrators begin after a match gives staff no further verdict', async () => {
    const { admin, staff } = await strictCompany()
    for (const quantity of [4, 3, 5]) await scan(staff, { quantity })
    expect((await scan(admin, { quantity: 4 })).body).toMatchObject({ matched: false, attempt: 1 })
    for (const quantity of [5, 3]) {
      expect((await scan(staff, { quantity })).body).toMatchObject(reviewed)
    }
  })

  it('another place and another kind have attempts of their own', async () => {
    const { staff } = await strictCompany()
    for (const quantity of [4, 3, 5]) await scan(staff, { quantity })
    expect((await scan(staff, { quantity: 9, location: 'SECONDARY' })).body).toMatchObject({
      matched: false,
      attempt: 1,
    })
    expect((await scan(staff, { barcode: 'A-2', quantity: 99 })).body).toMatchObject({
      matched: false,
      attempt: 1,
    })
  })
})

describe('a count sent again', () => {
  it('with its key answers as before and changes nothing', async () => {
    const { staff } = await companyWithStock()
    const timestamp = new Date().toISOString()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => scan(staff, { timestamp, quantity: 4 }, 'k1')),
    )
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(await countRows('count_attempts', staff)).toBe(1)
  })

  it('without a key is known by session, barcode and time', async () => {
    const { staff } = await companyWithStock()
    const timestamp = new Date().toISOString()
    await Promise.all(Array.from({ length: 20 }, () => scan(staff, { timestamp })))
    expect(await countRows('count_history', staff)).toBe(1)
  })

  it('without a key is another count at another place or of another kind', async () => {
    const { admin, staff } = await companyWithStock()
    const timestamp = new Date().toISOString()
    await scan(staff, { timestamp })
    const there = await scan(staff, { timestamp, location: 'SECONDARY', quantity: 1 })
    expect([there.status, there.body]).toMatchObject([200, { matched: true }])
    await scan(admin, { timestamp })
    const ofAdmin = await scan(admin, { timestamp, source: 'admin' })
    expect([ofAdmin.status, ofAdmin.body]).toMatchObject([200, { matched: true }])
    expect(await countRows('count_history', staff)).toBe(4)
  })

  it('without a key but with another quantity is refused without speaking of a key', async () => {
    const { staff } = await companyWithStock()
    const timestamp = new Date().toISOString()
    await scan(staff, { timestamp })
    const { status, body } = await scan(staff, { timestamp, quantity: 6 })
    const error =
      'In this session this barcode was counted at the same moment with other values. Send another time, or an Idempotency-Key.'
    expect([status, body]).toMatchObject([422, { code: 'key_reused', error }])
  })

  it('with its key but another quantity is refused', async () => {
    const { staff } = await companyWithStock()
    const timestamp = new Date().toISOString()
    await scan(staff, { timestamp }, 'k2')
    const { status, body } = await scan(staff, { timestamp, quantity: 6 }, 'k2')
    expect([status, body]).toMatchObject([422, { code: 'key_reused' }])
    expect(await countRows('count_history', staff)).toBe(1)
  })
})

describe('a device whose clock is wrong', () => {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

  const scanBy = (person: Person, clock: { timestamp: string; sentAt: string }) => {
    const place = { barcode: 'A-1', quantity: 5, location: 'PRIMARY', source: 'monthly', session: 's' }
    return app.ask({
      path: '/api/components/update-with-tracking',
      token: person.token,
      key: 'wrong-clock',
      headers: { 'sent-at': clock.sentAt },
      body: { ...place, timestamp: clock.timestamp },
    })
  }

  it.each([
    ['behind', -1],
    ['ahead', 1],
  ])('by an hour, %s, and says so, counts now', async (_, off) => {
    const { staff } = await companyWithStock()
    await app.done({
      path: '/api/components/reset-counts',
      token: staff.token,
      body: { location: 'PRIMARY' },
    })
    const clock = hours(off)
    const reply = await scanBy(staff, { timestamp: clock, sentAt: clock })
    expect([reply.status, reply.body]).toMatchObject([200, { progress: { counted: 1 } }])
    const { rows } = await app.owner.query<{ off: number }>(
      `select abs(extract(epoch from now() - counted_at))::float8 as off from count_history where tenant_id = $1`,
      [staff.tenantId],
    )
    expect(rows[0]?.off).toBeLessThan(60)
  })

  it('by some minutes ahead counts now where it shows tomorrow, so that no month has a count before it begins', async () => {
    const { staff } = await companyWithStock()
    const untilMidnight = 24 * 60 - 2 - Math.floor((Date.now() % 86_400_000) / 60_000)
    const minutes = (untilMidnight + 24 * 60) % (24 * 60)
    // Where it is two minutes before midnight; the sign is that of POSIX.
    const zone = `<here>-${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
    await app.owner.query('update companies set time_zone = $2 where tenant_id = $1', [staff.tenantId, zone])
    const timestamp = new Date(Date.now() + 4 * 60_000).toISOString()
    expect((await scan(staff, { timestamp })).status).toBe(200)
    const { rows } = await app.owner.query<{ ahead: boolean }>(
      'select counted_at > clock_timestamp() as ahead from count_history where tenant_id = $1',
      [staff.tenantId],
    )
    expect(rows).toEqual([{ ahead: false }])
  })

  /** How many minutes ago the only count of the company was scanned, by what was recorded. */
  const minutesAgo = async (person: Person) => {
    const { rows } = await app.owner.query<{ minutes: number }>(
      `select round(extract(epoch from clock_timestamp() - counted_at) / 60)::integer as minutes
       from count_history where tenant_id = $1`,
      [person.tenantId],
    )
    return rows.map(({ minutes }) => minutes)
  }

  it.each([
    ['that is less than a minute behind', { scanned: -1 / 6, sent: -5 / 360, ago: 10 }],
    ['that is an hour behind', { scanned: -3, sent: -1, ago: 120 }],
    ['that is a day ahead', { scanned: 22, sent: 24, ago: 120 }],
    ['that was set back by two hours after the scan', { scanned: -0.15, sent: -2, ago: 9 }],
  ])('counts when it was scanned, by a clock %s', async (_, { scanned, sent, ago }) => {
    const { staff } = await companyWithStock()
    const reply = await scanBy(staff, { timestamp: hours(scanned), sentAt: hours(sent) })
    expect([reply.status, await minutesAgo(staff)]).toEqual([200, [ago]])
  })

  it('counts the same on a node whose clock is wrong, too', async () => {
    const { staff } = await companyWithStock()
    const clock = { timestamp: hours(-0.15), sentAt: hours(0) }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    const reply = await scanBy(staff, clock).finally(() => vi.useRealTimers())
    expect([reply.status, await minutesAgo(staff)]).toEqual([200, [9]])
  })

  it('and was thousands of years apart between scan and sending, counts too late', async () => {
    const { staff } = await companyWithStock()
    const clock = { timestamp: '1970-01-01T00:00:00Z', sentAt: '9999-12-31T23:59:59Z' }
    const { status, body } = await scanBy(staff, clock)
    expect([status, body]).toMatchObject([
      400,
      { error: 'This count is more than 7 days old and can no longer be accepted.', code: 'count_too_old' },
    ])
  })

  it('and was ahead as it scanned, and is right as it sends, is told so, and not that it is ahead', async () => {
    const { staff } = await companyWithStock()
    const { status, body } = await scanBy(staff, { timestamp: hours(2), sentAt: hours(0) })
    expect([status, body]).toMatchObject([
      400,
      {
        error:
          'The clock of this device was ahead when this was scanned and has been set back since. Count it again.',
      },
    ])
    expect(await countRows('count_history', staff)).toBe(0)
  })

  it('and sends the same again, which its clock calls another moment, gets the same answer', async () => {
    const { staff } = await companyWithStock()
    const timestamp = hours(-2)
    const first = await scanBy(staff, { timestamp, sentAt: timestamp })
    const second = await scanBy(staff, { timestamp, sentAt: hours(-1) })
    expect([second.status, second.body]).toEqual([200, first.body])
    expect(await countRows('count_history', staff)).toBe(1)
  })

  it('has to say it as a date and time', async () => {
    const { staff } = await companyWithStock()
    const { status, body } = await scanBy(staff, { timestamp: hours(0), sentAt: 'noon' })
    expect([status, body]).toMatchObject([
      400,
      { error: 'Sent-At must be a date and time such as 2026-11-30T10:00:00Z.' },
    ])
  })
})

describe('a count is refused and changes nothing', () => {
  it.each([
    [{ barcode: 'TOKEN-1' }, 404, 'There is no component with this barcode.'],
    [{ location: 'DISTRIBUTION' }, 403, 'Your plan does not include this location.'],
    [{ location: 'Nowhere' }, 400, 'Invalid location selected.'],
    [{ source: 'admin' }, 403, 'Only an administrator can do this.'],
    [{ source: 'weekly' }, 409, 'This barcode is not part of the high-volume count of that day.'],
    [
      { timestamp: new Date(Date.now() - 8 * 86_400_000).toISOString() },
      400,
      'This count is more than 7 days old and can no longer be accepted.',
    ],
    [
      { timestamp: new Date(Date.now() + 10 * 60_000).toISOString() },
      400,
      'The clock of this device is more than 5 minutes ahead.',
    ],
    [{ timestamp: 'yesterday' }, 400, 'timestamp must be a date and time such as 2026-11-30T10:00:00Z.'],
    [{ quantity: '5' }, 400, 'quantity must be a whole number from 0 to 2,147,483,647.'],
    [{ quantity: true }, 400, 'quantity must be a whole number from 0 to 2,147,483,647.'],
    [{ barcode: 'A\u0000' }, 400, 'barcode must not contain control characters.'],
  ])('with %j', async (part, expected, sentence) => {
    const { staff } = await companyWithStock()
    const { status, body } = await scan(staff, part)
    expect([status, body]).toMatchObject([expected, { error: sentence }])
    expect(await countRows('count_history', staff)).toBe(0)
    // That a refusal stands in the trail, once, is kept under a key of its own.
    expect(await countRows("(select * from operations where key not like 'refused %') taken", staff)).toBe(0)
  })

  it('when the session is over', async () => {
    const { staff } = await companyWithStock()
    await app.done({ path: '/api/auth/logout', token: staff.token })
    expect((await scan(staff)).status).toBe(401)
  })
})

describe('a late count', () => {
  it('never moves a newer mark back', async () => {
    const { staff } = await companyWithStock()
    const newer = new Date(Date.now() - 1000)
    await scan(staff, { timestamp: newer.toISOString() })
    await scan(staff, { timestamp: new Date(Date.now() - 3_600_000).toISOString() })
    expect((await countStatus(staff)).body).toMatchObject({
      components: [{ counted_at: newer.toISOString() }, {}, {}],
    })
    expect(await countRows('count_history', staff)).toBe(2)
  })
})

describe('resetting the month', () => {
  it('clears the marks of the location, keeps the history, and counting starts again', async () => {
    const { staff } = await companyWithStock()
    await scan(staff)
    await scan(staff, { barcode: 'A-2', quantity: 7 })
    await scan(staff, { location: 'SECONDARY', quantity: 1 })
    const { body } = await app.ask({
      path: '/api/components/reset-counts',
      token: staff.token,
      body: { location: 'PRIMARY', count_type: 'monthly' },
    })
    expect(body).toEqual({ success: true, reset: 2 })
    expect((await countStatus(staff)).body).toMatchObject({ counted: 0 })
    expect((await countStatus(staff, 'SECONDARY')).body).toMatchObject({ counted: 1 })
    expect(await countRows('count_history', staff)).toBe(3)
    expect((await scan(staff)).body).toMatchObject({ progress: { counted: 1, total: 3 } })
  })

  it('while others count leaves progress equal to the marks', async () => {
    const { admin } = await companyWithStock()
    const rows = Array.from({ length: 60 }, (_, index) => ({ barcode: `R-${index}`, primary_quantity: 1 }))
    await app.done({ path: '/api/components/import', token: admin.token, body: rows })
    const work = rows.map(
      ({ barcode }) =>
        () =>
          scan(admin, { barcode, quantity: 1 }),
    )
    const resets = Array.from(
      { length: 5 },
      () => () =>
        app.ask({ path: '/api/components/reset-counts', token: admin.token, body: { location: 'PRIMARY' } }),
    )
    const mixed = [
      ...work.slice(0, 20),
      ...resets.slice(0, 3),
      ...work.slice(20, 40),
      ...resets.slice(3),
      ...work.slice(40),
    ]
    const replies = await Promise.all(mixed.map((act) => act()))
    expect(replies.map(({ status }) => status)).toEqual(mixed.map(() => 200))
    const { rows: counted } = await app.owner.query(
      `select (select count(*)::integer from stock where tenant_id = $1 and counted_at is not null) as marked,
        (select counted from count_progress where tenant_id = $1 and location = 'PRIMARY') as progress`,
      [admin.tenantId],
    )
    expect(counted).toEqual([{ marked: counted[0].marked, progress: counted[0].marked }])
  })
})

describe('the wall clock of the company', () => {
  type Moment = readonly [zone: string, at: string, start: string]

  const starts = async (unit: 'day' | 'month', moments: readonly Moment[]) => {
    const { rows } = await app.owner.query<{ start: Date }>(
      `select start_of_${unit}(at, zone) as start
       from unnest($1::text[], $2::timestamptz[]) with ordinality as given (zone, at, place) order by place`,
      [moments.map(([zone]) => zone), moments.map(([, at]) => at)],
    )
    return rows.map(({ start }) => start.toISOString())
  }

  it('begins a month at its midnight, not at that of Greenwich', async () => {
    const moments = [
      ['UTC', '2026-11-21T12:00:00Z', '2026-11-01T00:00:00.000Z'],
      ['Pacific/Kiritimati', '2026-10-31T10:30:00Z', '2026-10-31T10:00:00.000Z'],
      ['Pacific/Pago_Pago', '2026-10-31T10:30:00Z', '2026-10-01T11:00:00.000Z'],
      ['Asia/Kolkata', '2026-11-30T18:29:59.999Z', '2026-10-31T18:30:00.000Z'],
      ['Europe/Berlin', '2026-11-30T22:59:59.999Z', '2026-10-31T23:00:00.000Z'],
      ['Europe/Berlin', '2026-11-30T23:00:00Z', '2026-11-30T23:00:00.000Z'],
      // The clocks change within the month, and the month before.
      ['Europe/Berlin', '2026-10-31T12:00:00Z', '2026-09-30T22:00:00.000Z'],
      ['America/Los_Angeles', '2026-11-21T12:00:00Z', '2026-11-01T07:00:00.000Z'],
    ] as const
    expect(await starts('month', moments)).toEqual(moments.map(([, , start]) => start))
  })

  it('begins a day at its midnight, also where clocks change', async () => {
    const moments = [
      ['UTC', '2026-11-21T23:59:59.999Z', '2026-11-21T00:00:00.000Z'],
      ['UTC', '1969-12-31T23:59:59.500Z', '1969-12-31T00:00:00.000Z'],
      ['Asia/Kathmandu', '2026-11-21T12:34:56Z', '2026-11-20T18:15:00.000Z'],
      ['Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00.000Z'],
      ['Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00.000Z'],
      // Midnight is skipped: the day begins with the first moment that exists.
      ['Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-23T22:00:00.000Z'],
      ['America/Santiago', '2026-09-06T12:00:00Z', '2026-09-06T04:00:00.000Z'],
      // Midnight comes twice: the day begins with the second.
      ['America/Havana', '2026-11-01T18:00:00Z', '2026-11-01T05:00:00.000Z'],
    ] as const
    expect(await starts('day', moments)).toEqual(moments.map(([, , start]) => start))
  })
})
