import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 5 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 7 },
  ]
  return await makeCompanyWithStock(app, rows)
}

let scans = 0

function scan(
  person: Person,
  barcode: string,
  { key, ...part }: Record<string, unknown> & { key?: string } = {},
) {
  scans += 1
  return app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    body: {
      barcode,
      quantity: 3,
      location: 'PRIMARY',
      session: `s${scans}`,
      timestamp: new Date(Date.now() + scans).toISOString(),
      ...part,
    },
    ...(key === undefined ? {} : { key }),
  })
}

const list = (person: Person, query = '') =>
  app.ask({ method: 'GET', path: `/api/unknown-codes${query}`, token: person.token })

const decide = (person: Person, body: Record<string, unknown>) =>
  app.ask({ path: '/api/unknown-codes/decide', token: person.token, body })

const create = (person: Person, body: Record<string, unknown>) =>
  app.ask({ path: '/api/unknown-codes/component', token: person.token, body })

const importRows = (person: Person, body: unknown) =>
  app.ask({ path: '/api/components/import', token: person.token, body })

/** As codes are left that were being scanned while they became known. */
async function leaveOpen(person: Person): Promise<void> {
  await app.owner.query(`update unknown_codes set status = 'open' where tenant_id = $1`, [person.tenantId])
}

const listed = z.object({ unknown_codes: z.array(z.object({ id: z.string(), code: z.string() })) })

async function idsOf(admin: Person, query = ''): Promise<string[]> {
  return listed.parse((await list(admin, query)).body).unknown_codes.map(({ id }) => id)
}

describe('a code that belongs to no component', () => {
  it('is not found and stays in the list with who scanned it, where, when and how often', async () => {
    const { admin, staff } = await companyWithStock()
    const reply = await scan(staff, 'X-9')
    expect([reply.status, reply.body]).toMatchObject([
      404,
      { error: 'There is no component with this barcode.', code: 'not_found' },
    ])
    await scan(admin, 'X-9', { quantity: 12 })
    const { status, body } = await list(admin)
    expect([status, body]).toMatchObject([
      200,
      {
        total: 1,
        unknown_codes: [
          {
            code: 'X-9',
            location: 'PRIMARY',
            status: 'open',
            times: 2,
            user_name: admin.name,
            scans: [
              { user_name: admin.name, quantity: 12 },
              { user_name: 'Sam Staff', quantity: 3 },
            ],
          },
        ],
      },
    ])
  })

  it('shows what the same person scanned before and after it', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'A-1', { quantity: 5 })
    await scan(admin, 'A-2', { quantity: 7 })
    await scan(staff, 'X-9')
    await scan(admin, 'A-2', { quantity: 7 })
    await scan(staff, 'A-2', { quantity: 6 })
    expect((await list(admin)).body).toMatchObject({
      unknown_codes: [
        {
          scans: [
            {
              before: { sku: 'A-1', description: 'Bolt' },
              after: { sku: 'A-2', description: 'Nut' },
            },
          ],
        },
      ],
    })
  })

  it('stands beside what lies near it in the trail of all, not further', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'A-1', { quantity: 5 })
    await scan(staff, 'X-9')
    const near = async () => {
      const { body } = await list(admin)
      const scanned = z.object({
        scans: z.array(z.object({ before: z.object({ sku: z.string() }).nullable() })),
      })
      return z.object({ unknown_codes: z.array(scanned) }).parse(body).unknown_codes[0]?.scans
    }
    expect(await near()).toMatchObject([{ before: { sku: 'A-1' } }])
    // As if others had counted 2,000 times between the two, within the same minutes.
    await app.owner.query(
      `insert into audit_entries (tenant_id, id, kind, event, sku, source, user_id, user_type, user_name)
      select $1, id_at(instant_of(id) + interval '1 ms', uuid_send(gen_random_uuid())), 'inventory_scan',
        'monthly_count_scan', 'A-2', 'monthly', $2, 'admin', 'Ada'
      from audit_entries cross join generate_series(1, 2000)
      where tenant_id = $1 and sku = 'A-1' and event = 'monthly_count_scan'`,
      [admin.tenantId, admin.userId],
    )
    expect(await near()).toMatchObject([{ before: null }])
  })

  it('stands between the scans it was made between, in whatever order they arrive', async () => {
    const { admin, staff } = await companyWithStock()
    const secondsAgo = (seconds: number) => ({
      timestamp: new Date(Date.now() - seconds * 1000).toISOString(),
    })
    await scan(staff, 'A-2', { quantity: 7, ...secondsAgo(20) })
    await scan(staff, 'X-9', secondsAgo(30))
    await scan(staff, 'A-1', { quantity: 5, ...secondsAgo(40) })
    expect((await list(admin)).body).toMatchObject({
      unknown_codes: [{ scans: [{ before: { sku: 'A-1' }, after: { sku: 'A-2' } }] }],
    })
  })

  it('is listed whatever somebody reports of a time', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'A-1', { quantity: 5 })
    await scan(staff, 'X-9')
    for (const sku of ['A-1', 'AUTH_session_inactive']) {
      const metadata = { counted_at: 'soon' }
      await app.done({ path: '/api/audit/log', token: staff.token, body: { sku, metadata } })
    }
    const { status, body } = await list(admin)
    expect([status, body]).toMatchObject([200, { unknown_codes: [{ scans: [{ before: { sku: 'A-1' } }] }] }])
  })

  it('with nothing scanned around it says so, also where a device reports of it', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'X-9')
    const body = { sku: 'X-9', metadata: { action: 'entry_discarded' } }
    await app.done({ path: '/api/audit/log', token: staff.token, body })
    expect((await list(admin)).body).toMatchObject({
      unknown_codes: [{ scans: [{ before: null, after: null }] }],
    })
  })

  it('is counted once however often a device sends the same scan', async () => {
    const { admin, staff } = await companyWithStock()
    const timestamp = new Date().toISOString()
    for (let send = 0; send < 3; send += 1) {
      expect((await scan(staff, 'X-9', { timestamp, session: 's', key: 'one-scan' })).status).toBe(404)
    }
    expect((await list(admin)).body).toMatchObject({ unknown_codes: [{ times: 1, scans: [{}] }] })
  })

  it('is kept by twenty people at once without losing one of them', async () => {
    const { admin, staff } = await companyWithStock()
    const replies = await Promise.all(Array.from({ length: 20 }, () => scan(staff, 'X-9')))
    expect(replies.map(({ status }) => status)).toEqual(Array<number>(20).fill(404))
    expect((await list(admin)).body).toMatchObject({ total: 1, unknown_codes: [{ times: 20 }] })
  })

  it('is kept for each location, and the list is filtered by it', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'X-9')
    await scan(staff, 'X-9', { location: 'SECONDARY' })
    expect((await list(admin)).body).toMatchObject({ total: 2 })
    expect((await list(admin, '?location=SECONDARY')).body).toMatchObject({
      total: 1,
      unknown_codes: [{ location: 'SECONDARY' }],
    })
  })

  it('stands once as found in the audit trail, and with each quantity that was entered for it', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'X-9')
    await scan(staff, 'X-9', { quantity: 14 })
    await scan(admin, 'X-9', { quantity: 6, source: 'admin' })
    const trail = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?sku=X-9',
      token: admin.token,
    })
    expect(trail.body).toMatchObject({
      total: 3,
      entries: [
        { quantity: 6, metadata: { event_type: 'admin_view_error', reason: 'not_found' } },
        { quantity: 14, metadata: { event_type: 'monthly_count_error', reason: 'not_found' } },
        { quantity: 3, location: 'PRIMARY', metadata: { event_type: 'unknown_code_found' } },
      ],
    })
  })

  it('leaves at most 1,000 to decide by one person, however many are made up', async () => {
    const { admin, staff } = await companyWithStock()
    await app.owner.query(
      `insert into unknown_codes (tenant_id, code, location, found_by, user_id, user_name)
       select $1, 'MADE-UP-' || i, 'PRIMARY', $2, $2, 'Sam' from generate_series(1, 1000) i`,
      [admin.tenantId, staff.userId],
    )
    expect((await scan(staff, 'ONE-MORE')).body).toMatchObject({
      error:
        'There is no component with this barcode. Too many unknown codes are waiting for an administrator, so this one is only in the audit trail.',
      code: 'unknown_code_not_kept',
    })
    expect((await scan(staff, 'MADE-UP-1')).body).toMatchObject({
      error: 'There is no component with this barcode.',
    })
    const kept = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?sku=ONE-MORE',
      token: admin.token,
    })
    expect(kept.body).toMatchObject({
      total: 1,
      entries: [{ quantity: 3, metadata: { event_type: 'monthly_count_error', not_kept: true } }],
    })
    expect((await list(admin)).body).toMatchObject({ total: 1000 })
    await scan(admin, 'ONE-MORE')
    expect((await list(admin, '?limit=1')).body).toMatchObject({
      total: 1001,
      unknown_codes: [{ code: 'ONE-MORE' }],
    })
  })

  it('leaves at most 5,000 to decide by a company, whoever found them', async () => {
    const { admin, staff } = await companyWithStock()
    await app.owner.query(
      `insert into unknown_codes (tenant_id, code, location, found_by, user_id, user_name)
       select $1, 'FOUND-' || i, 'PRIMARY', new_id(), $2, 'Sam' from generate_series(1, 4999) i`,
      [admin.tenantId, staff.userId],
    )
    await scan(staff, 'THE-LAST')
    await scan(admin, 'ONE-MORE')
    expect((await list(admin, '?limit=1')).body).toMatchObject({
      total: 5000,
      unknown_codes: [{ code: 'THE-LAST' }],
    })
  })

  it('keeps the last ten scans and counts the others', async () => {
    const { admin, staff } = await companyWithStock()
    for (let send = 0; send < 14; send += 1) await scan(staff, 'X-9')
    const { rows } = await app.owner.query(
      'select count(*)::integer as kept from unknown_code_scans where tenant_id = $1',
      [admin.tenantId],
    )
    expect(rows).toEqual([{ kept: 10 }])
    expect((await list(admin)).body).toMatchObject({ unknown_codes: [{ times: 14 }] })
  })

  it('comes in pages, newest first', async () => {
    const { admin, staff } = await companyWithStock()
    for (const code of ['X-1', 'X-2', 'X-3']) await scan(staff, code)
    const first = await list(admin, '?limit=2')
    expect(first.body).toMatchObject({ unknown_codes: [{ code: 'X-3' }, { code: 'X-2' }] })
    const next = z.object({ next_cursor: z.string() }).parse(first.body).next_cursor
    expect((await list(admin, `?limit=2&cursor=${next}`)).body).toMatchObject({
      unknown_codes: [{ code: 'X-1' }],
      next_cursor: null,
    })
  })
})

describe('a component made from an unknown code', () => {
  it('has its barcode and the given description, stock 0, and is found by the next scan', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'X-9')
    await scan(staff, 'X-9', { location: 'SECONDARY' })
    const [id] = await idsOf(admin, '?location=PRIMARY')
    const reply = await create(admin, { id, description: ' Washer ' })
    expect([reply.status, reply.body]).toEqual([
      201,
      { success: true, barcode: 'X-9', created: true, reinstated: false, stocked: false },
    ])
    expect((await list(admin)).body).toMatchObject({ total: 0, unknown_codes: [] })
    expect((await list(admin, '?status=component')).body).toMatchObject({
      total: 2,
      unknown_codes: [{ decided_by: admin.name }, {}],
    })
    expect((await scan(staff, 'X-9', { quantity: 0 })).body).toMatchObject({
      matched: true,
      component: { barcode: 'X-9', description: 'Washer' },
    })
  })

  it('begins with what was counted under it at each location, as an administrator gives it', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'X-9', { quantity: 4 })
    await scan(staff, 'X-9', { quantity: 9 })
    await scan(staff, 'X-9', { quantity: 14, location: 'SECONDARY' })
    const [id] = await idsOf(admin, '?location=PRIMARY')
    expect((await list(admin, '?location=PRIMARY')).body).toMatchObject({
      unknown_codes: [
        {
          counted: [
            { location: 'PRIMARY', quantity: 9 },
            { location: 'SECONDARY', quantity: 14 },
          ],
        },
      ],
    })
    const stock = [
      { location: 'PRIMARY', quantity: 9 },
      { location: 'Secondary Warehouse', quantity: 15 },
    ]
    expect((await create(admin, { id, stock: [...stock, ...stock] })).status).toBe(400)
    expect((await create(admin, { id, description: 'Washer', stock })).body).toEqual({
      success: true,
      barcode: 'X-9',
      created: true,
      reinstated: false,
      stocked: true,
    })
    const { rows } = await app.owner.query(
      `select location, quantity, cause, delta from stock
       join movements using (tenant_id, component_id, location)
       join components on components.tenant_id = stock.tenant_id and components.id = stock.component_id
       where stock.tenant_id = $1 and barcode = 'X-9' order by location`,
      [admin.tenantId],
    )
    expect(rows).toEqual([
      { location: 'PRIMARY', quantity: 9, cause: 'import', delta: 9 },
      { location: 'SECONDARY', quantity: 15, cause: 'import', delta: 15 },
    ])
    expect(await scan(staff, 'X-9', { quantity: 9 })).toMatchObject({ body: { matched: true } })
    const decided = (await list(admin, '?status=component')).body
    expect(JSON.stringify(decided)).not.toContain('"counted"')
  })

  it('takes no stock at a location that the plan does not include', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'X-9')
    const [id] = await idsOf(admin)
    const plan = { plan: 'starter', accept_read_only: true }
    await app.done({ path: '/api/company/plan', token: admin.token, body: plan })
    const stock = [{ location: 'SECONDARY', quantity: 9 }]
    expect(await create(admin, { id, stock })).toMatchObject({
      status: 403,
      body: { code: 'location_not_in_plan' },
    })
  })

  it('that exists meanwhile keeps its stock', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'X-9')
    const [id] = await idsOf(admin)
    const rows = [{ barcode: 'X-9', description: 'Washer', primary_quantity: 4 }]
    await importRows(admin, rows)
    await leaveOpen(admin)
    const stock = [{ location: 'PRIMARY', quantity: 3 }]
    expect((await create(admin, { id, description: 'Ring', stock })).body).toMatchObject({
      created: false,
      stocked: false,
    })
    expect((await scan(staff, 'X-9', { quantity: 4 })).body).toMatchObject({
      matched: true,
      component: { description: 'Washer' },
    })
    expect((await list(admin)).body).toMatchObject({ total: 0 })
  })

  it.each([
    ['0036000291452', '036000291452'],
    ['036000291452', '0036000291452'],
  ])('from %s is none where %s is one', async (code, barcode) => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, code)
    const [id] = await idsOf(admin)
    await importRows(admin, [{ barcode, primary_quantity: 4 }])
    await leaveOpen(admin)
    expect((await create(admin, { id })).body).toEqual({
      success: true,
      barcode,
      created: false,
      reinstated: false,
      stocked: false,
    })
    const { rows } = await app.owner.query(
      `select barcode from components where tenant_id = $1 and barcode like '%036000291452'`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ barcode }])
  })

  it('is made once', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'X-9')
    const [id] = await idsOf(admin)
    const replies = await Promise.all([1, 2, 3].map(() => create(admin, { id })))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404, 404])
  })
})

describe('a code of a retired component', () => {
  it('says whose it is, and brings that back as it was', async () => {
    const { admin, staff } = await companyWithStock()
    const post = (path: string, body: unknown) =>
      app.ask({ path: `/api/components/${path}`, token: admin.token, body })
    await importRows(admin, [{ barcode: 'OLD', description: 'Old bolt' }])
    await post('add-barcode', { barcode: 'OLD', alias: 'OLD-B' })
    await post('retire', { barcode: 'OLD' })
    for (const code of ['OLD', 'OLD-B', 'X-9']) await scan(staff, code)
    expect((await list(admin)).body).toMatchObject({
      unknown_codes: [
        { code: 'X-9', retired_owner: null },
        { code: 'OLD-B', retired_owner: 'OLD' },
        { code: 'OLD', retired_owner: 'OLD' },
      ],
    })
    const id = (await idsOf(admin))[1]
    expect((await create(admin, { id, description: 'Typed' })).body).toEqual({
      success: true,
      barcode: 'OLD',
      created: false,
      reinstated: true,
      stocked: false,
    })
    expect((await list(admin)).body).toMatchObject({ unknown_codes: [{ code: 'X-9' }] })
    const detail = { method: 'GET', path: '/api/components/detail?barcode=OLD', token: admin.token }
    expect((await app.ask(detail)).body).toMatchObject({
      barcode: 'OLD',
      description: 'Old bolt',
      retired: null,
    })
  })
})

describe('a code that becomes unknown again', () => {
  it('stands first in the list and once more in the audit trail', async () => {
    const { admin, staff } = await companyWithStock()
    const post = (path: string, body: unknown) => app.done({ path, token: admin.token, body })
    for (const code of ['X-8', 'X-9']) await scan(staff, code)
    const [, id] = await idsOf(admin)
    await post('/api/unknown-codes/component', { id, description: 'Found' })
    await post('/api/components/retire', { barcode: 'X-8' })
    for (const time of [1, 2]) await scan(staff, 'X-8', { key: `again-${time}` })
    expect((await list(admin)).body).toMatchObject({
      unknown_codes: [
        { code: 'X-8', times: 3, decided_by: null, counted: [{ location: 'PRIMARY', quantity: 3 }] },
        { code: 'X-9', times: 1 },
      ],
    })
    expect((await list(admin, '?limit=1')).body).toMatchObject({ unknown_codes: [{ code: 'X-8' }] })
    const { rows } = await app.owner.query(
      `select sku, user_name from audit_entries
      where tenant_id = $1 and event = 'unknown_code_found' order by id`,
      [admin.tenantId],
    )
    expect(rows).toEqual(['X-8', 'X-9', 'X-8'].map((sku) => ({ sku, user_name: 'Sam Staff' })))
  })
})

describe('a code that becomes known otherwise', () => {
  it('leaves the list when it is imported, at every location, also where it was ignored', async () => {
    const { admin, staff } = await companyWithStock()
    const stranger = await companyWithStock()
    await scan(stranger.staff, 'NEW-1')
    for (const location of ['PRIMARY', 'SECONDARY']) await scan(staff, 'NEW-1', { location })
    const ids = await idsOf(admin, '?location=SECONDARY')
    await decide(admin, { ids, decision: 'ignore' })
    await scan(staff, 'NEW-2')
    await importRows(admin, [{ barcode: 'NEW-1' }])
    expect((await list(admin)).body).toMatchObject({ total: 1, unknown_codes: [{ code: 'NEW-2' }] })
    expect((await list(admin, '?status=ignored')).body).toMatchObject({ total: 0 })
    expect((await list(admin, '?status=component')).body).toMatchObject({
      total: 2,
      unknown_codes: [
        { code: 'NEW-1', decided_by: admin.name },
        { code: 'NEW-1', decided_by: admin.name },
      ],
    })
    expect((await list(stranger.admin)).body).toMatchObject({ total: 1 })
    const { rows } = await app.owner.query(
      `select sku, location, user_name from audit_entries
      where tenant_id = $1 and event = 'unknown_code_settled' order by location`,
      [admin.tenantId],
    )
    const settled = { sku: 'NEW-1', user_name: admin.name }
    expect(rows).toEqual([
      { ...settled, location: 'PRIMARY' },
      { ...settled, location: 'SECONDARY' },
    ])
  })

  it('leaves the list as the code of a pack, of which quantities are pieces as before', async () => {
    const { admin, staff } = await companyWithStock()
    const stranger = await companyWithStock()
    const give = (person: Person, pieces: number) => {
      const body = { barcode: 'A-1', alias: 'CASE-1', pieces }
      return app.ask({ path: '/api/components/add-barcode', token: person.token, body })
    }
    for (const quantity of [2, 5]) await scan(staff, 'CASE-1', { quantity })
    await scan(stranger.staff, 'CASE-1')
    expect((await give(staff, 12)).status).toBe(403)
    expect((await give(admin, 0)).status).toBe(400)
    expect((await list(admin)).body).toMatchObject({ total: 1 })
    expect((await give(admin, 12)).body).toMatchObject({ packs: [{ barcode: 'CASE-1', pieces: 12 }] })
    expect((await list(admin, '?status=component')).body).toMatchObject({
      total: 1,
      unknown_codes: [{ code: 'CASE-1', scans: [{ quantity: 5 }, { quantity: 2 }] }],
    })
    expect((await scan(staff, 'CASE-1', { quantity: 5 })).body).toMatchObject({ matched: true })
    expect((await list(stranger.admin)).body).toMatchObject({ total: 1 })
  })

  it.each([
    ['0036000291452', '036000291452'],
    ['036000291452', '0036000291452'],
  ])('leaves the list as %s when %s is imported', async (code, barcode) => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, code)
    await importRows(admin, [{ barcode }])
    expect((await list(admin)).body).toMatchObject({ total: 0 })
  })

  it.each([
    ['0036000291452', '036000291452'],
    ['036000291452', '0036000291452'],
  ])('leaves the list as %s when a component is given %s, or brought back with it', async (code, alias) => {
    const { admin, staff } = await companyWithStock()
    await importRows(admin, [{ barcode: 'A-3' }])
    await scan(staff, code)
    await scan(staff, 'A-9')
    const body = { barcode: 'A-3', alias }
    await app.done({ path: '/api/components/add-barcode', token: admin.token, body })
    expect((await list(admin)).body).toMatchObject({ total: 1, unknown_codes: [{ code: 'A-9' }] })
    await app.done({ path: '/api/components/retire', token: admin.token, body: { barcode: 'A-3' } })
    await scan(staff, code)
    expect((await list(admin)).body).toMatchObject({ total: 2 })
    await app.done({ path: '/api/components/reinstate', token: admin.token, body: { barcode: 'A-3' } })
    expect((await list(admin)).body).toMatchObject({ total: 1, unknown_codes: [{ code: 'A-9' }] })
  })

  it('stays where its zeros are those of no UPC', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, '00012')
    await importRows(admin, [{ barcode: '0012' }, { barcode: '12' }])
    expect((await list(admin)).body).toMatchObject({ total: 1 })
  })

  it('leaves the list when a file with it is taken', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, '0036000291452')
    const post = (path: string, body: unknown) =>
      app.ask({ path: `/api/imports${path}`, token: admin.token, body })
    const begun = await post('', { name: 'stock.csv', fields: ['barcode', 'description'] })
    const { id } = z.object({ import: z.object({ id: z.string() }) }).parse(begun.body).import
    await post(`/${id}/rows`, { rows: [{ line: 2, cells: ['036000291452', 'Soap'] }] })
    expect((await list(admin)).body).toMatchObject({ total: 1 })
    expect((await post(`/${id}/commit`, {})).status).toBe(200)
    expect((await list(admin)).body).toMatchObject({ total: 0 })
  })
})

describe('ignoring unknown codes', () => {
  it('takes them out of the list for good, several at once, and can be taken back', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'X-1')
    await scan(staff, 'X-2')
    const ids = await idsOf(admin)
    expect((await decide(admin, { ids, decision: 'ignore' })).body).toEqual({ success: true, decided: 2 })
    await scan(staff, 'X-1')
    expect((await list(admin)).body).toMatchObject({ total: 0 })
    expect((await list(admin, '?status=ignored')).body).toMatchObject({
      unknown_codes: [
        { code: 'X-2', times: 1 },
        { code: 'X-1', times: 2 },
      ],
    })
    await decide(admin, { ids: [ids[0]], decision: 'reopen' })
    expect((await list(admin)).body).toMatchObject({ total: 1 })
  })

  it('takes none where one is unknown or decided', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'X-1')
    const [id] = await idsOf(admin)
    const stranger = '01890000-0000-7000-8000-000000000000'
    expect((await decide(admin, { ids: [id, stranger], decision: 'ignore' })).status).toBe(404)
    expect((await create(admin, { id: stranger })).status).toBe(404)
    expect((await list(admin)).body).toMatchObject({ total: 1 })
    await scan(staff, 'X-2')
    const [other] = await idsOf(admin)
    const sentences = [
      await decide(admin, { ids: [id], decision: 'reopen' }),
      await create(admin, { id: other }).then(() => create(admin, { id: other })),
      await decide(admin, { ids: [id, other], decision: 'ignore' }),
      await decide(admin, { ids: [id, other], decision: 'reopen' }),
    ].map(({ status, body }) => [status, body])
    expect(sentences).toMatchObject([
      [404, { error: 'This code is no longer ignored. The list shows how it is.' }],
      [404, { error: 'This code is already decided. The list shows how it is.' }],
      [404, { error: 'Of these codes, 1 is already decided. The list shows how it is.' }],
      [404, { error: 'Of these codes, 2 are no longer ignored. The list shows how it is.' }],
    ])
    expect((await list(admin)).body).toMatchObject({ total: 1 })
  })

  it.each([
    [{ ids: [], decision: 'ignore' }, 'Choose at least one code.'],
    [{ ids: ['7'], decision: 'ignore' }, 'ids must be the id of an unknown code.'],
  ])('is refused for %j', async (body, sentence) => {
    const { admin } = await companyWithStock()
    const reply = await decide(admin, body)
    expect([reply.status, reply.body]).toMatchObject([400, { error: sentence }])
  })
})

describe('the list of unknown codes', () => {
  it('is for administrators of the company', async () => {
    const { admin, staff } = await companyWithStock()
    const other = await companyWithStock()
    await scan(staff, 'X-9')
    const [id] = await idsOf(admin)
    expect((await list(staff)).status).toBe(403)
    expect((await decide(staff, { ids: [id], decision: 'ignore' })).status).toBe(403)
    expect((await create(staff, { id })).status).toBe(403)
    expect((await list(other.admin)).body).toMatchObject({ total: 0 })
    expect((await decide(other.admin, { ids: [id], decision: 'ignore' })).status).toBe(404)
    expect((await create(other.admin, { id })).status).toBe(404)
    expect((await app.ask({ method: 'GET', path: '/api/unknown-codes' })).status).toBe(401)
  })
})
