import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { listLedgerFaults } from '../stock/queries.ts'
import { lookAtStock } from '../stock/low-stock.ts'
import { demoPassword, demoPeople, makeDemoCompany } from './service.ts'

const assets = resolve(import.meta.dirname, '../../assets')
const options = { assets, people: demoPeople, password: demoPassword, timeZone: 'Europe/Berlin' }
const signedIn = z.object({ token: z.string(), user: z.object({ tenantId: z.string() }) })

let app: TestApp
let admin: { token: string; tenantId: string }
let seconds: number

async function signIn(email: string) {
  const { body } = await app.ask({ path: '/api/auth/login', body: { email, passcode: demoPassword } })
  const { token, user } = signedIn.parse(body)
  return { token, tenantId: user.tenantId }
}

beforeAll(async () => {
  app = await startTestApp()
  const began = performance.now()
  await makeDemoCompany(app.database, options)
  seconds = (performance.now() - began) / 1000
  admin = await signIn('ada@demo.example')
}, 120_000)
afterAll(() => app.close())

const get = async (path: string) => (await app.ask({ method: 'GET', path, token: admin.token })).body

/** How many rows a statement finds wrong; 0 is right. */
async function wrong(statement: string): Promise<number> {
  const { rows } = await app.owner.query<{ wrong: number }>(statement)
  return rows[0]?.wrong ?? NaN
}

describe('the demo company', () => {
  it('is made once, in seconds', async () => {
    expect(await makeDemoCompany(app.database, options)).toBe('there already')
    expect(seconds).toBeLessThan(60)
  })

  it('has stock that is the sum of its movements, which never fell below 0', async () => {
    expect(await app.database.inTenant(admin.tenantId, listLedgerFaults)).toEqual([])
    expect(
      await wrong(`
        select count(*)::integer as wrong from (
          select quantity_after, sum(delta) over (
            partition by component_id, location order by id rows unbounded preceding
          ) as summed from movements
        ) as ledger where quantity_after <> summed or quantity_after < 0
      `),
    ).toBe(0)
  })

  it('has roll-ups and marks that agree with the history', async () => {
    const local = `(counted_at at time zone 'Europe/Berlin')`
    expect(
      await wrong(`
        select count(*)::integer as wrong
        from (select location, ${local}::date as day, count(*) as scans from count_history group by 1, 2) as history
        full join scan_days using (location, day)
        where history.scans is distinct from scan_days.scans
      `),
    ).toBe(0)
    expect(
      await wrong(`
        select count(*)::integer as wrong
        from (
          select location, date_trunc('month', ${local}) at time zone 'Europe/Berlin' as month_start,
            count(distinct component_id) as counted
          from count_history group by 1, 2
        ) as history
        full join count_progress using (location, month_start)
        where history.counted is distinct from count_progress.counted
      `),
    ).toBe(0)
    expect(
      await wrong(`
        select count(*)::integer as wrong
        from stock
        left join (
          select component_id, location, count(*) as scans, max(counted_at) as at,
            max(counted_at) filter (where count_type = 'weekly') as weekly_at
          from count_history group by 1, 2
        ) as history using (component_id, location)
        where stock.scans <> coalesce(history.scans, 0) or stock.counted_at is distinct from history.at
          or stock.weekly_counted_at is distinct from history.weekly_at
      `),
    ).toBe(0)
  })

  it('has an audit entry for every count, and counts that met the stock of their moment', async () => {
    expect(
      await wrong(`
        select abs((select count(*) from count_history)
          - (select count(*) from audit_entries where kind = 'inventory_scan' and event not like '%mismatch')
          - (select count(*) from count_attempts where attempt = 2 and counted <> expected))::integer as wrong
      `),
    ).toBe(0)
    expect(
      await wrong(`
        select count(*)::integer as wrong from count_attempts
        where expected <> (
          select coalesce(sum(delta), 0) from movements
          join discrepancies on discrepancies.id = count_attempts.discrepancy_id
          where movements.component_id = discrepancies.component_id and movements.location = discrepancies.location
            and movements.created_at <= (
              select max(counted_at) from count_attempts as others where others.discrepancy_id = discrepancies.id
            )
        )
      `),
    ).toBe(0)
  })

  it('has something on every list: weekly lists, counts of the month, transfers under way, unknown codes', async () => {
    expect(await get('/api/weekly-counts?location=PRIMARY&day=Monday')).toMatchObject({
      weekly_counts: expect.arrayContaining([expect.objectContaining({ day: 'Monday' })]),
    })
    expect(JSON.stringify(await get('/api/cycle-counts'))).toContain('_PRIMARY')
    const transfers = z.object({ transfers: z.array(z.object({ status: z.string() })) })
    const statuses = transfers.parse(await get('/api/transfers')).transfers.map(({ status }) => status)
    expect(statuses).toEqual(['in_transit', 'in_transit', 'in_transit'])
  })

  it('is the same again for another company of the same day', async () => {
    const people = demoPeople.map((person) => ({ ...person, email: `other-${person.email}` }))
    expect(await makeDemoCompany(app.database, { ...options, people })).toBe('made')
    const { rows } = await app.owner.query<{ imported: string }>(`
      select md5(string_agg(format('%s %s %s', barcode, location, delta), ',' order by barcode, location)) as imported
      from movements join components using (tenant_id)
      where movements.component_id = components.id and cause = 'import'
      group by tenant_id
    `)
    expect(rows.length).toBe(2)
    expect(rows[0]).toEqual(rows[1])
  })

  it('has a bin for whatever lies at a location, and a few components below their minimum', async () => {
    expect(
      await wrong(`
        select count(*)::integer as wrong
        from (select distinct component_id, location from movements where cause = 'import') as laid
        full join placements using (component_id, location)
        where placements.bin is null or placements.bin !~ '^[A-H]-\\d\\d-[1-5]$'
      `),
    ).toBe(0)
    const first = { location: 'PRIMARY', bin: 'A-01-1' }
    expect(await get('/api/components/search?text=A-01-1')).toMatchObject({
      components: expect.arrayContaining([
        expect.objectContaining({ placements: expect.arrayContaining([expect.objectContaining(first)]) }),
      ]),
    })
    const low = z.object({ components: z.array(z.unknown()) })
    const { components } = low.parse(await get('/api/components/search?state=low'))
    expect(components.length).toBeGreaterThan(5)
    expect(components.length).toBeLessThan(20)
    expect(await get('/api/components/low')).toEqual({ low: components.length })
    expect(JSON.stringify(await get('/api/audit/trail?sku=CONFIG_PLACEMENTS_CHANGED'))).toContain('"total":4')
    await app.database.inTenant(admin.tenantId, lookAtStock)
    expect(JSON.stringify(await get('/api/audit/trail?source=stock'))).toContain('"total":0')
  })

  it('has a unit cost for most of what lies somewhere, in its currency, and some that have risen', async () => {
    const value = z.object({
      currency: z.string(),
      value: z.number(),
      places: z.array(z.object({ place: z.string() })),
      with_cost: z.int(),
      without_cost: z.int(),
    })
    const held = value.parse(await get('/api/components/stock-value'))
    expect(held.currency).toBe('EUR')
    expect(held.places.map(({ place }) => place)).toEqual([
      'DISTRIBUTION',
      'FULFILLMENT',
      'PRIMARY',
      'SECONDARY',
    ])
    expect(held.value).toBeGreaterThan(100_000)
    expect(held.value).toBeLessThan(5_000_000)
    expect(held.with_cost).toBeGreaterThan(1_800)
    expect(held.with_cost + held.without_cost).toBeLessThanOrEqual(2_000)
    expect(held.without_cost).toBeGreaterThan(50)
    const { rows } = await app.owner.query<{ risen: number }>(
      `select count(*)::integer as risen from (
         select component_id from component_costs where tenant_id = $1 group by component_id having count(*) = 2
       ) as twice`,
      [admin.tenantId],
    )
    // So many at once are one entry of the trail.
    expect(rows[0]?.risen).toBeGreaterThan(500)
    expect(rows[0]?.risen).toBeLessThan(1_000)
    expect(JSON.stringify(await get('/api/audit/trail?sku=CONFIG_COSTS_CHANGED'))).toContain('"total":2')
  })

  it('shows something on every screen', async () => {
    expect(await get('/api/dashboard')).toMatchObject({
      subscription: { plan: 'enterprise', status: 'active' },
      usage: { users_used: 3 },
      counting: { components: 2000 },
      recent_activity: expect.arrayContaining([expect.anything()]),
    })
    for (const path of ['progress-over-time', 'top-skus', 'heatmap', 'weekly-trends?location=PRIMARY']) {
      const text = JSON.stringify(await get(`/api/analytics/${path}`))
      expect([path, text.length > 500]).toEqual([path, true])
    }
    for (const status of ['open', 'accepted', 'dismissed', 'matched']) {
      const list = z
        .object({ discrepancies: z.array(z.unknown()) })
        .parse(await get(`/api/discrepancies?status=${status}`))
      expect([status, list.discrepancies.length > 0]).toEqual([status, true])
    }
    expect(JSON.stringify(await get('/api/unknown-codes?status=open'))).toContain('PALLET-0042')
    const list = await app.ask({
      path: '/api/components/high-volume-for-day',
      token: admin.token,
      body: { day: 'Wednesday', location: 'PRIMARY' },
    })
    expect(JSON.stringify(list.body).length).toBeGreaterThan(1000)
  })

  it('can be counted on', async () => {
    const mia = await signIn('mia@demo.example')
    const { rows } = await app.owner.query<{ barcode: string; quantity: number }>(
      `select barcode, quantity from stock join components on components.id = component_id
       where location = 'PRIMARY' and quantity > 0 order by barcode limit 1`,
    )
    const reply = await app.ask({
      path: '/api/components/update-with-tracking',
      token: mia.token,
      body: {
        ...rows[0],
        location: 'PRIMARY',
        source: 'monthly',
        session: 's',
        timestamp: new Date().toISOString(),
      },
    })
    expect(reply).toMatchObject({ status: 200, body: { matched: true } })
  })

  it('is made with the days of UTC on a machine whose time zone the database does not know', async () => {
    const people = demoPeople.map((person) => ({ ...person, email: `far-${person.email}` }))
    const far = { ...options, people, timeZone: 'Etc/Unknown' }
    expect(await makeDemoCompany(app.database, far)).toBe('made')
    const { rows } = await app.owner.query(
      'select distinct time_zone from companies join users using (tenant_id) where email like $1',
      ['far-%'],
    )
    expect(rows).toEqual([{ time_zone: 'UTC' }])
  })

  it('has counts and labels of a month that began half an hour ago, and nothing after now', async () => {
    const local = '2026-03-01 00:30'
    const zone = 'Pacific/Auckland'
    const moment = `(timestamp '${local}' at time zone '${zone}')`
    const email = 'night-ada@demo.example'
    const folder = await mkdtemp(join(tmpdir(), 'demo-assets-'))
    await mkdir(join(folder, 'demo'))
    const text = await readFile(join(assets, 'demo', 'company.sql'), 'utf8')
    await writeFile(join(folder, 'demo', 'company.sql'), text.replaceAll('now()', moment))
    const people = demoPeople.map((person) => ({ ...person, email: `night-${person.email}` }))
    expect(await makeDemoCompany(app.database, { ...options, assets: folder, people, timeZone: zone })).toBe(
      'made',
    )
    await rm(folder, { recursive: true })
    const company = `(select tenant_id from users where email = '${email}')`
    const month = `start_of_month(${moment}, '${zone}')`
    const { rows } = await app.owner.query<{
      counted: number
      used: number
      printed: number
      after: number
      early: number
    }>(`
      select
        (select sum(counted)::integer from count_progress where tenant_id = ${company} and month_start = ${month}) as counted,
        (select used from label_usage where tenant_id = ${company} and month_start = ${month}) as used,
        (select sum(copies)::integer from label_prints where tenant_id = ${company} and printed_at >= ${month}) as printed,
        (select count(*)::integer from (
          select counted_at as at from count_history where tenant_id = ${company}
          union all select counted_at from count_attempts where tenant_id = ${company}
          union all select printed_at from label_prints where tenant_id = ${company}
          union all select created_at from audit_entries where tenant_id = ${company} and source <> 'transfer'
          union all select last_updated from cycle_counts where tenant_id = ${company}
        ) as moments where at > ${moment}) as after,
        (select count(*)::integer from discrepancies where tenant_id = ${company} and created_at < period_start) as early
    `)
    const [figures] = rows
    expect(figures).toMatchObject({ used: figures?.printed, after: 0, early: 0 })
    expect(figures?.used).toBeGreaterThan(20)
    expect(figures?.counted).toBeGreaterThan(150)
    expect(figures?.counted).toBeLessThan(280)
  })
})
