import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilSomebodyWaits } from '../../test/leaving.ts'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfHour,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const change = (person: Person, body: object) =>
  app.ask({ path: '/api/company/settings', token: person.token, body })

const settingsOf = async (person: Person) =>
  (await app.ask({ method: 'GET', path: '/api/company/settings', token: person.token })).body

const importStock = (admin: Person, stock: Record<string, number>) =>
  app.ask({
    path: '/api/components/import',
    token: admin.token,
    body: Object.entries(stock).map(([barcode, quantity]) => ({ barcode, primary_quantity: quantity })),
  })

const countAt = (person: Person, timestamp: string, scan: { barcode: string; quantity: number }) =>
  app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    body: { ...scan, location: 'PRIMARY', session: randomUUID(), timestamp },
  })

const count = (person: Person, barcode: string, quantity: number) =>
  countAt(person, new Date().toISOString(), { barcode, quantity })

describe('company settings', () => {
  it('are changed by the administrator of a company whose time zone the database does not know', async () => {
    const admin = await makeCompany(app)
    await importStock(admin, { 'Z-1': 4 })
    await count(admin, 'Z-1', 4)
    await app.owner.query(`update companies set time_zone = 'AET' where tenant_id = $1`, [admin.tenantId])
    const counting = () =>
      app.ask({
        path: '/api/components/with-count-status',
        token: admin.token,
        body: { location: 'PRIMARY' },
      })
    expect(await counting()).toMatchObject({ status: 400 })
    expect(await change(admin, { time_zone: 'AET' })).toMatchObject({
      status: 200,
      body: { settings: { time_zone: 'Australia/Sydney' } },
    })
    expect(await counting()).toMatchObject({ status: 200, body: { counted: 1 } })
  })

  it('are changed by administrators, each with its old and new value on record', async () => {
    const admin = await makeCompany(app)
    const { status, body } = await change(admin, {
      name: 'Nordlager GmbH',
      scanner_prefix: ']C1',
      strict_blind_counts: true,
      first_count_sets_stock: true,
      count_tolerance_units: null,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      settings: {
        name: 'Nordlager GmbH',
        scanner_prefix: ']C1',
        scanner_suffix: '',
        administration: {
          strict_blind_counts: true,
          first_count_sets_stock: true,
          count_tolerance_units: null,
        },
      },
    })
    const { rows } = await app.owner.query(
      `select metadata ->> 'setting' as setting, metadata -> 'old_value' as old, metadata -> 'new_value' as new
       from audit_entries where tenant_id = $1 and event = 'settings_changed' order by id`,
      [admin.tenantId],
    )
    expect(rows).toEqual([
      { setting: 'name', old: expect.stringMatching(/^Company/), new: 'Nordlager GmbH' },
      { setting: 'scanner_prefix', old: '', new: ']C1' },
      { setting: 'strict_blind_counts', old: false, new: true },
      { setting: 'first_count_sets_stock', old: false, new: true },
    ])
  })

  it('say in which currency unit costs are taken, and whether there are any', async () => {
    const admin = await makeCompany(app)
    expect(await settingsOf(admin)).toMatchObject({ administration: { currency: 'USD', has_costs: false } })
    await app.done({ path: '/api/components/import', token: admin.token, body: [{ barcode: 'A-1' }] })
    const body = { components: [{ barcode: 'A-1', unit_cost: 2 }] }
    await app.done({ path: '/api/components/set-costs', token: admin.token, body })
    expect(await settingsOf(admin)).toMatchObject({ administration: { currency: 'USD', has_costs: true } })
  })

  it('are seen by staff without what counts are judged by, and not changed by them', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    await change(admin, { count_tolerance_units: 3, scanner_suffix: '#' })
    expect(await settingsOf(staff)).toEqual({
      name: expect.any(String),
      time_zone: 'UTC',
      scanner_prefix: '',
      scanner_suffix: '#',
      accent_colour: null,
      logo: null,
    })
    expect((await change(staff, { name: 'Ours' })).status).toBe(403)
  })

  it.each([
    [{ name: '  ' }, 'Company name is required'],
    [{ time_zone: 'Mars/Olympus' }, 'time_zone must be an IANA time zone.'],
    [{ scanner_prefix: 'ü' }, 'scanner_prefix must be at most 10 printable characters.'],
    [{ count_tolerance_units: 0 }, 'count_tolerance_units must be at least 1.'],
    [{ count_tolerance_percent: 101 }, 'count_tolerance_percent must be at most 100.'],
    [{ accent_colour: 'red' }, 'accent_colour must be a colour such as #1d4ed8.'],
    [{ accent_colour: '#ffff00' }, 'This colour is too light for white text.'],
  ])('refuse %j', async (body, sentence) => {
    const admin = await makeCompany(app)
    expect((await change(admin, body)).body).toMatchObject({ error: sentence, code: 'invalid_request' })
  })
})

describe('the count tolerance', () => {
  async function within(settings: object, stock: number): Promise<Person> {
    const admin = await makeCompany(app)
    await change(admin, settings)
    await importStock(admin, { A: stock })
    return admin
  }

  it('accepts a small difference by itself: stock, ledger, history, discrepancy and audit say so', async () => {
    const admin = await within({ count_tolerance_units: 2 }, 100)
    const staff = await makeStaff(app, admin)
    const taken = await count(staff, 'A', 98)
    expect(taken.body).toMatchObject({ success: true, matched: true, progress: { counted: 1, total: 1 } })
    expect(taken.body).not.toHaveProperty('accepted_difference')
    const { rows } = await app.owner.query(
      `select
         (select quantity from stock where tenant_id = $1) as stock,
         (select array_agg(delta order by id) from movements where tenant_id = $1) as deltas,
         (select quantity from count_history where tenant_id = $1) as history,
         (select array[status, decided_by, reason] from discrepancies where tenant_id = $1) as discrepancy,
         (select metadata ->> 'accepted_difference' from audit_entries
          where tenant_id = $1 and event = 'monthly_count_scan') as audited`,
      [admin.tenantId],
    )
    expect(rows).toEqual([
      {
        stock: 98,
        deltas: [100, -2],
        history: 98,
        discrepancy: ['accepted', 'Count tolerance', 'Within tolerance'],
        audited: '-2',
      },
    ])
  })

  it('tells administrators the difference it accepted', async () => {
    const admin = await within({ count_tolerance_percent: 2.5 }, 200)
    expect((await count(admin, 'A', 205)).body).toMatchObject({ matched: true, accepted_difference: 5 })
  })

  it.each([
    {
      difference: 'more pieces than allowed',
      settings: { count_tolerance_units: 2 },
      stock: 100,
      counted: 97,
    },
    {
      difference: 'a larger share than allowed',
      settings: { count_tolerance_percent: 1 },
      stock: 100,
      counted: 102,
    },
    {
      difference: 'few pieces that are a large share, where both are limited',
      settings: { count_tolerance_units: 2, count_tolerance_percent: 5 },
      stock: 10,
      counted: 9,
    },
    {
      difference: 'anything where nothing is expected',
      settings: { count_tolerance_percent: 50 },
      stock: 0,
      counted: 1,
    },
    { difference: 'any difference without a tolerance', settings: {}, stock: 100, counted: 99 },
  ])('does not accept $difference', async ({ settings, stock, counted }) => {
    const admin = await within(settings, stock)
    expect((await count(admin, 'A', counted)).body).toMatchObject({ matched: false, recorded: false })
  })

  it('does not accept a late count of stock that has moved since', async () => {
    const admin = await within({ count_tolerance_units: 5 }, 100)
    const earlier = new Date(Date.now() - 60_000).toISOString()
    await app.done({
      path: '/api/components/update-quantity',
      token: admin.token,
      body: { barcode: 'A', quantity: 103, location: 'PRIMARY' },
    })
    expect((await countAt(admin, earlier, { barcode: 'A', quantity: 100 })).body).toMatchObject({
      matched: false,
    })
  })

  it('sent again under the same key changes nothing a second time', async () => {
    const admin = await within({ count_tolerance_units: 5 }, 100)
    const body = {
      barcode: 'A',
      quantity: 98,
      location: 'PRIMARY',
      session: 's',
      // Not in the millisecond of the import, which would make it a count from before it.
      timestamp: new Date(Date.now() + 5).toISOString(),
    }
    const request = { path: '/api/components/update-with-tracking', token: admin.token, key: 'k-1', body }
    const first = await app.ask(request)
    expect((await app.ask(request)).body).toEqual(first.body)
    const { rows } = await app.owner.query(
      'select count(*)::integer as movements from movements where tenant_id = $1',
      [admin.tenantId],
    )
    expect(rows).toEqual([{ movements: 2 }])
  })
})

describe('the time zone', () => {
  it('takes progress, days, labels and open differences along', async () => {
    // In the same month, which begins at another moment.
    const [before, after] = [zoneOfNoon(), zoneOfHour(14)]
    const admin = await makeCompany(app, { timeZone: before })
    await importStock(admin, { A: 1, B: 2, C: 3 })
    await count(admin, 'A', 1)
    await count(admin, 'B', 2)
    await count(admin, 'C', 9)
    await app.done({
      path: '/api/generate-labels',
      token: admin.token,
      body: { components: [{ barcode: 'A' }] },
    })
    expect((await change(admin, { time_zone: after })).status).toBe(200)
    const { rows } = await app.owner.query(
      `with month as (select start_of_month(now(), $3) as start)
       select
         (select counted from count_progress, month where tenant_id = $1 and month_start = month.start) as counted,
         (select count(*)::integer from count_progress where tenant_id = $1) as months,
         (select sum(scans)::integer from scan_days where tenant_id = $1) as scans,
         (select used from label_usage where tenant_id = $1 and month_start = (
           start_of_month(now(), $2) at time zone $2) at time zone $3) as labels,
         (select metadata ->> 'old_value' from audit_entries
          where tenant_id = $1 and event = 'settings_changed') as before`,
      [admin.tenantId, before, after],
    )
    expect(rows).toEqual([{ counted: 2, months: 1, scans: 2, labels: 1, before }])
    // The first wrong entry from before the change still counts as the first of two.
    expect((await count(admin, 'C', 9)).body).toMatchObject({ recorded: true, attempt: 2 })
  })

  it('leaves the days whose counts were put aside', async () => {
    const admin = await makeCompany(app, { timeZone: 'UTC' })
    await importStock(admin, { A: 1 })
    await count(admin, 'A', 1)
    await app.owner.query(
      `insert into scan_days (tenant_id, location, day, scans)
       values ($1, 'PRIMARY', '2025-02-03', 500), ($1, 'PRIMARY', '2025-05-06', 7)`,
      [admin.tenantId],
    )
    await app.owner.query(
      `insert into detached_history (tenant_id, history, part, first_id, next_id, entries)
       values ($1, 'count_history', '2025_q1', id_at('2025-01-01'), id_at('2025-04-01'), 500)`,
      [admin.tenantId],
    )
    expect((await change(admin, { time_zone: 'Pacific/Auckland' })).status).toBe(200)
    const { rows } = await app.owner.query(
      `select scans, day < '2025-03-01' as early from scan_days where tenant_id = $1 order by day`,
      [admin.tenantId],
    )
    expect(rows).toEqual([
      { scans: 500, early: true },
      { scans: 1, early: false },
    ])
  })

  it.each(['Asia/Kolkata', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
    'neither doubles nor loses scans beside those that were put aside, on the way to %s and back',
    async (zone) => {
      const admin = await makeCompany(app, { timeZone: 'UTC' })
      const scans = async () => {
        const path = '/api/analytics/progress-over-time'
        return (await app.ask({ method: 'GET', path, token: admin.token })).body
      }
      // One came late: it was made in the quarter that was put aside.
      const moments = ['2025-03-30T12:00Z', '2025-04-01T05:00Z', '2025-04-01T20:00Z', '2025-04-02T11:00Z']
      for (const [place, at] of moments.entries()) {
        await app.owner.query(
          `insert into count_history (tenant_id, id, sku, location, quantity, count_type, count_session, source, user_id,
             user_type, user_name, counted_at)
           values ($1, id_at($3, uuid_send(gen_random_uuid())), 'A', 'PRIMARY', 1, 'monthly', 's', 'monthly', $2, 'admin',
             'Ada', $4)`,
          [admin.tenantId, admin.userId, new Date(Date.UTC(2025, 3, 2, 12 + place)), at],
        )
      }
      await app.owner.query(
        `insert into scan_days (tenant_id, location, day, scans)
         values ($1, 'PRIMARY', '2025-03-30', 5), ($1, 'PRIMARY', '2025-03-31', 4), ($1, 'PRIMARY', '2025-04-01', 2),
           ($1, 'PRIMARY', '2025-04-02', 1)`,
        [admin.tenantId],
      )
      await app.owner.query(
        `insert into detached_history (tenant_id, history, part, first_id, next_id, entries)
         values ($1, 'count_history', '2025_q1', id_at('2025-01-01Z'), id_at('2025-04-01Z'), 8)`,
        [admin.tenantId],
      )
      const before = await scans()
      await change(admin, { time_zone: zone })
      const aside = [
        ['2025-03-30', 4],
        ['2025-03-31', 4],
      ] as const
      const byDay = new Map<string, number>(aside)
      for (const at of moments) {
        const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(at))
        byDay.set(day, (byDay.get(day) ?? 0) + 1)
      }
      const days = [...byDay].toSorted(([one], [other]) => one.localeCompare(other))
      expect(await scans()).toMatchObject({ days: days.map(([day, number]) => ({ day, scans: number })) })
      await change(admin, { time_zone: 'UTC' })
      expect(await scans()).toEqual(before)
    },
  )

  it('waits for a count that began before it, which then lands in the month as it is now', async () => {
    const admin = await makeCompany(app, { timeZone: 'UTC' })
    await importStock(admin, { A: 1 })
    const holder = await app.owner.connect()
    await holder.query('begin')
    await holder.query('select 1 from stock where tenant_id = $1 for update', [admin.tenantId])
    // What every count holds: one that waits for its stock lets go of it now and then, to let others count.
    await holder.query('select pg_advisory_xact_lock_shared(time_zone_lock($1))', [admin.tenantId])
    const waiting = async (kind: string) => {
      const { rows } = await app.owner.query(
        `select from pg_locks join pg_stat_activity using (pid)
         where datname = current_database() and not granted and locktype = $1`,
        [kind],
      )
      return rows.length
    }
    const counting = count(admin, 'A', 1)
    await expect.poll(() => waiting('transactionid'), { interval: 10 }).toBe(1)
    const changing = change(admin, { time_zone: 'Pacific/Kiritimati' })
    await expect.poll(() => waiting('advisory')).toBe(1)
    await holder.query('commit')
    holder.release()
    expect([(await counting).status, (await changing).status]).toEqual([200, 200])
    const { rows } = await app.owner.query(
      `select
         (select counted from count_progress
          where tenant_id = $1 and month_start = start_of_month(now(), companies.time_zone)) as counted,
         (select scans from scan_days
          where tenant_id = $1 and day = (now() at time zone companies.time_zone)::date) as today
       from companies where tenant_id = $1`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ counted: 1, today: 1 }])
  })

  it('is waited for while it changes: labels are not allowed twice in a month, nor cleared counts left in its progress', async () => {
    const admin = await makeCompany(app, { timeZone: zoneOfNoon() })
    await importStock(admin, { A: 1, B: 2 })
    await count(admin, 'A', 1)
    await count(admin, 'B', 2)
    const print = (labels: number) => {
      const components = Array.from({ length: labels }, (_, place) => ({ barcode: `L-${place}` }))
      const path = '/api/generate-labels'
      return app.ask({ path, token: admin.token, body: { components, format: 'zpl' } })
    }
    expect((await print(1_500)).status).toBe(200)
    const changing = await app.owner.connect()
    await changing.query('begin')
    await changing.query('select change_time_zone($1, $2)', [admin.tenantId, zoneOfHour(14)])
    const printing = print(1_500)
    const resetting = app.ask({
      path: '/api/components/reset-counts',
      token: admin.token,
      body: { location: 'PRIMARY' },
    })
    await untilSomebodyWaits(app, 2)
    await changing.query('commit')
    changing.release()
    expect([await printing, await resetting]).toMatchObject([
      { status: 402 },
      { status: 200, body: { reset: 2 } },
    ])
    const { rows } = await app.owner.query('select counted from count_progress where tenant_id = $1', [
      admin.tenantId,
    ])
    expect(rows).toEqual([{ counted: 0 }])
  })

  it('holds nothing that whoever retires a component waits for while it waits for counts itself', async () => {
    const admin = await makeCompany(app, { timeZone: 'UTC' })
    await importStock(admin, { A: 0 })
    const counting = await app.owner.connect()
    await counting.query('begin')
    await counting.query('select pg_advisory_xact_lock_shared(time_zone_lock($1))', [admin.tenantId])
    const changing = change(admin, { time_zone: 'Pacific/Kiritimati' })
    await untilSomebodyWaits(app)
    const retiring = app.ask({ path: '/api/components/retire', token: admin.token, body: { barcode: 'A' } })
    await untilSomebodyWaits(app, 2)
    const { rowCount: free } = await app.owner.query(
      'select from companies where tenant_id = $1 for no key update skip locked',
      [admin.tenantId],
    )
    await counting.query('commit')
    counting.release()
    expect([(await changing).status, (await retiring).status]).toEqual([200, 200])
    expect(free).toBe(1)
  })

  it('is waited for by a count that a program reports, which then stands on its day in the new zone', async () => {
    const admin = await makeCompany(app, { timeZone: 'Pacific/Pago_Pago' })
    await importStock(admin, { A: 1 })
    const changing = await app.owner.connect()
    await changing.query('begin')
    await changing.query('select change_time_zone($1, $2)', [admin.tenantId, 'Pacific/Kiritimati'])
    const reporting = app.ask({
      path: '/api/count-history',
      token: admin.token,
      body: { sku: 'A', quantity: 1, location: 'PRIMARY' },
    })
    await untilSomebodyWaits(app)
    await changing.query('commit')
    changing.release()
    expect((await reporting).status).toBe(201)
    const { rows } = await app.owner.query(
      `select day = (now() at time zone 'Pacific/Kiritimati')::date as today, scans from scan_days
       where tenant_id = $1`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ today: true, scans: 1 }])
  })

  it('counts nothing that is retired among what is counted of the new month', async () => {
    const admin = await makeCompany(app, { timeZone: zoneOfNoon() })
    await importStock(admin, { A: 0, B: 2 })
    await count(admin, 'A', 0)
    await count(admin, 'B', 2)
    await app.done({ path: '/api/components/retire', token: admin.token, body: { barcode: 'A' } })
    // As of the month before where it was retired, which by the new zone is not over.
    await app.owner.query('update stock set counted_at = now() where tenant_id = $1', [admin.tenantId])
    await change(admin, { time_zone: zoneOfHour(14) })
    const { rows } = await app.owner.query(
      `select counted from count_progress
       where tenant_id = $1 and month_start = start_of_month(now(), $2)`,
      [admin.tenantId, zoneOfHour(14)],
    )
    expect(rows).toEqual([{ counted: 1 }])
  })

  it('counts nothing that the location does not keep among what is counted of the new month', async () => {
    const admin = await makeCompany(app, { timeZone: zoneOfNoon() })
    await importStock(admin, { A: 0, B: 2 })
    await count(admin, 'A', 0)
    await count(admin, 'B', 2)
    const body = { location: 'PRIMARY', kept: false, barcodes: ['A'] }
    await app.done({ path: '/api/components/keep', token: admin.token, body })
    // As of the month before where it was left out, which by the new zone is not over.
    await app.owner.query('update stock set counted_at = now() where tenant_id = $1', [admin.tenantId])
    await change(admin, { time_zone: zoneOfHour(14) })
    const { rows } = await app.owner.query(
      `select counted from count_progress
       where tenant_id = $1 and month_start = start_of_month(now(), $2)`,
      [admin.tenantId, zoneOfHour(14)],
    )
    expect(rows).toEqual([{ counted: 1 }])
  })

  it('can change while 60 counts arrive: none is missed or taken twice', async () => {
    const admin = await makeCompany(app, { timeZone: 'UTC' })
    const codes = Array.from({ length: 60 }, (_, index) => `SKU-${index}`)
    await importStock(admin, Object.fromEntries(codes.map((code) => [code, 1])))
    const zones = ['Pacific/Kiritimati', 'Pacific/Honolulu', 'UTC', 'Asia/Kathmandu']
    const work = codes.flatMap((code, index) => {
      const zone = zones[index / 15]
      const counting = () => count(admin, code, 1)
      return zone === undefined ? [counting] : [() => change(admin, { time_zone: zone }), counting]
    })
    const replies = await Promise.all(work.map((start) => start()))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const { rows } = await app.owner.query(
      `select
         (select counted from count_progress
          where tenant_id = $1 and month_start = start_of_month(now(), companies.time_zone)) as counted,
         (select sum(scans)::integer from scan_days
          where tenant_id = $1 and day = (now() at time zone companies.time_zone)::date) as today
       from companies where tenant_id = $1`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ counted: 60, today: 60 }])
  })
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const encode = (text: string) => Buffer.from(text).toString('base64')
const svg = (inside: string) =>
  encode(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`)

const upload = (admin: Person, content: string) =>
  app.ask({ path: '/api/company/logo', token: admin.token, body: { content } })

const fetchLogo = (person: Person, headers: Record<string, string> = {}) =>
  app.ask({ method: 'GET', path: '/api/company/logo', token: person.token, headers })

describe('branding', () => {
  it('a logo is served as the picture it is, and as nothing else', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    expect((await upload(admin, png)).status).toBe(200)
    const logo = await fetchLogo(staff)
    expect([logo.status, logo.bytes.toString('base64')]).toEqual([200, png])
    expect(Object.fromEntries(logo.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
    })
    const etag = logo.headers.get('etag') ?? ''
    expect((await fetchLogo(staff, { 'if-none-match': etag })).status).toBe(304)
    const stranger = await makeCompany(app)
    expect((await fetchLogo(stranger)).status).toBe(404)
    const remove = { method: 'DELETE', path: '/api/company/logo' }
    expect((await app.ask({ ...remove, token: staff.token })).status).toBe(403)
    expect((await app.ask({ ...remove, token: admin.token })).status).toBe(200)
    expect((await fetchLogo(admin)).status).toBe(404)
  })

  it.each([
    ['a plain drawing', svg('<!-- ours --><g fill="#f00"><path d="M0 0h9v9z"/></g>')],
    ['a gradient of its own', svg('<defs><linearGradient id="a"/></defs><rect fill="url(#a)" width="9"/>')],
    ['a reference to its own part', svg('<g id="a"/><use href="#a"/><text>A &amp; B</text>')],
  ])('takes an SVG with %s', async (_name, content) => {
    const admin = await makeCompany(app)
    expect((await upload(admin, content)).status).toBe(200)
    expect((await fetchLogo(admin)).headers.get('content-type')).toBe('image/svg+xml')
  })

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['a script in another case', '<SCRIPT>alert(1)</SCRIPT>'],
    ['an event handler', '<g onload="alert(1)"/>'],
    ['an event handler without quotes', '<g onload=alert(1) />'],
    ['a link', '<a href="https://evil.example"><path/></a>'],
    ['a foreign object', '<foreignObject><body/></foreignObject>'],
    ['a picture from elsewhere', '<image href="https://evil.example/x.png"/>'],
    ['a reference elsewhere', '<use href="https://evil.example/x.svg#a"/>'],
    [
      'a part that repeats another that repeats one',
      '<g id="a"/><g id="b"><use href="#a"/></g><use href="#b"/>',
    ],
    ['a repetition of what is repeated', '<g id="a"/><use id="b" href="#a"/><use xlink:href="#b"/>'],
    ['a repetition under another spelling', '<g id="a"/><g id="b"><use href="#a"/></g><use href="#%62"/>'],
    // For each of them all that is open would be looked through, which took half a minute.
    [
      'thousands of repetitions of nothing within as many parts',
      '<g>'.repeat(5_000) + '<use/>'.repeat(5_000),
    ],
    ['hundreds of repetitions', `<g id="a"/>${'<use href="#a"/>'.repeat(300)}`],
    ['a set of pictures from elsewhere', `<g style="mask:image-set('https://evil.example/x.png' 1x)"/>`],
    ['a style from elsewhere', '<rect style="fill:url(https://evil.example)"/>'],
    ['a style element', '<style>@import "x"</style>'],
    ['an animation', '<animate attributeName="href" to="javascript:alert(1)"/>'],
    ['an entity', '<text>&x;</text>'],
    ['a hidden character', '<rect fill="&#106;avascript:"/>'],
    ['an instruction', '<?xml-stylesheet href="x"?>'],
    ['a cut-off tag', '<path d="M0'],
    ['character data', '<![CDATA[<script>alert(1)</script>]]>'],
  ])('refuses an SVG with %s', async (_name, inside) => {
    const admin = await makeCompany(app)
    const { status, body } = await upload(admin, svg(inside))
    expect([status, body]).toMatchObject([400, { code: 'logo_refused' }])
  })

  it.each([
    ['a web page', encode('<html><body>hi</body></html>')],
    ['a page that begins like an SVG', encode('<svg></svg><script>alert(1)</script>')],
    ['an entity table', encode('<!DOCTYPE svg [<!ENTITY x "y">]><svg>&x;</svg>')],
    ['a PNG in name only', Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')],
    ['a PNG of a million pixels a side', `${png.slice(0, 20)}${'/'.repeat(12)}${png.slice(32)}`],
    ['a JPEG that ends early', Buffer.from('ffd8ffe0', 'hex').toString('base64')],
    ['nothing', ''],
  ])('refuses %s', async (_name, content) => {
    const admin = await makeCompany(app)
    const { status, body } = await upload(admin, content)
    expect([status, body]).toMatchObject([400, { code: 'logo_refused' }])
  })

  it('refuses a file of more than 128 kB', async () => {
    const admin = await makeCompany(app)
    const large = Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(140_000)]).toString('base64')
    expect((await upload(admin, large)).status).toBe(400)
  })

  it('begins with the professional plan, and waits there after a smaller one', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    expect((await upload(admin, png)).body).toMatchObject({ code: 'branding_not_in_plan' })
    expect((await change(admin, { accent_colour: '#7C3AED' })).body).toMatchObject({
      error: 'Your plan does not include branding. It begins with the Professional plan.',
    })
    const setPlan = (plan: string) =>
      app.ask({ path: '/api/company/plan', token: admin.token, body: { plan, accept_read_only: true } })
    await setPlan('professional')
    await upload(admin, png)
    await change(admin, { accent_colour: '#7C3AED' })
    expect(await settingsOf(admin)).toMatchObject({ accent_colour: '#7c3aed', logo: expect.any(String) })
    await setPlan('starter')
    expect(await settingsOf(admin)).toMatchObject({ accent_colour: null, logo: null })
    expect((await fetchLogo(admin)).status).toBe(404)
    await setPlan('professional')
    expect(await settingsOf(admin)).toMatchObject({ accent_colour: '#7c3aed' })
  })

  it('is printed on labels where an administrator says so, until it changes', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    const ask = (person: Person, rows: unknown) =>
      app.ask({ path: '/api/company/label-logo', token: person.token, body: { rows } })
    const onLabels = async () =>
      (await app.ask({ method: 'GET', path: '/api/labels/logo', token: staff.token })).body
    expect((await ask(admin, ['10'])).status).toBe(404)
    await upload(admin, png)
    expect((await ask(staff, ['10'])).status).toBe(403)
    for (const rows of [[], ['00'], ['1', '10'], ['2'], ['1'.repeat(361)], Array(97).fill('1')]) {
      expect((await ask(admin, rows)).status).toBe(400)
    }
    expect((await ask(admin, ['10', '01'])).status).toBe(200)
    expect(await onLabels()).toEqual({ rows: ['10', '01'] })
    expect(await settingsOf(admin)).toMatchObject({ administration: { logo_on_labels: true } })
    const labels = { components: [{ barcode: 'A-1' }] }
    const pdf = await app.ask({ path: '/api/generate-labels', token: staff.token, body: labels })
    expect(pdf.bytes.toString('latin1')).toContain('/Subtype/Image')
    await upload(admin, png)
    expect(await onLabels()).toEqual({ rows: null })
    const plain = await app.ask({ path: '/api/generate-labels', token: staff.token, body: labels })
    expect(plain.bytes.toString('latin1')).not.toContain('/Subtype/Image')
  })
})
