import { createHash } from 'node:crypto'
import { listComponents } from '@inventory-manager/contract/stock/endpoints'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import { listLedgerFaults } from './queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const importPath = '/api/components/import'

async function ledgerDifference(person: Person): Promise<unknown[]> {
  const { rows } = await app.owner.query(
    `select stock.component_id, stock.location, stock.quantity, coalesce(sum(movements.delta), 0)::integer as moved
     from stock left join movements using (tenant_id, component_id, location)
     where stock.tenant_id = $1
     group by stock.tenant_id, stock.component_id, stock.location, stock.quantity
     having stock.quantity <> coalesce(sum(movements.delta), 0)`,
    [person.tenantId],
  )
  return rows
}

describe('importing components', () => {
  it('creates, updates and leaves unchanged, and says how many of each', async () => {
    const { token } = await makeCompany(app)
    const first = [
      { barcode: 'A-1', description: 'Bolt', primary_quantity: 5 },
      { barcode: '0012', description: 'Łożysko', primary_quantity: 7, quarantine_quantity: 2 },
    ]
    expect((await app.ask({ path: importPath, token, body: first })).body).toEqual({
      success: true,
      created: 2,
      updated: 0,
      unchanged: 0,
      total: 2,
    })
    const second = [
      { barcode: 'A-1', description: 'Bolt M8' },
      { barcode: '0012', primary_quantity: 7 },
      { barcode: 'A-3', primary_quantity: 1 },
    ]
    expect((await app.ask({ path: importPath, token, body: second })).body).toEqual({
      success: true,
      created: 1,
      updated: 1,
      unchanged: 1,
      total: 3,
    })
    const { body } = await app.ask({ method: 'GET', path: '/api/components', token })
    expect(body).toMatchObject({
      total: 3,
      components: [
        {
          barcode: '0012',
          description: 'Łożysko',
          primary_quantity: 7,
          quarantine_quantity: 2,
          total_quantity: 9,
        },
        { barcode: 'A-1', description: 'Bolt M8', primary_quantity: 5, total_quantity: 5 },
        { barcode: 'A-3', description: '', primary_quantity: 1, total_quantity: 1 },
      ],
    })
  })

  it('leaves the stock of existing components alone when asked to keep it', async () => {
    const { token } = await makeCompany(app)
    await app.done({ path: importPath, token, body: [{ barcode: 'A-1', primary_quantity: 5 }] })
    const rows = [
      { barcode: 'A-1', primary_quantity: 99, description: 'Bolt' },
      { barcode: 'A-2', primary_quantity: 3 },
    ]
    const { body } = await app.ask({ path: `${importPath}?existing=keep`, token, body: rows })
    expect(body).toMatchObject({ created: 1, updated: 1 })
    const list = await app.ask({ method: 'GET', path: '/api/components', token })
    expect(list.body).toMatchObject({
      components: [
        { barcode: 'A-1', description: 'Bolt', primary_quantity: 5 },
        { barcode: 'A-2', primary_quantity: 3 },
      ],
    })
  })

  it('says of what it creates that components differ from it only by zeros in front, and takes it', async () => {
    const { token } = await makeCompany(app)
    const take = async (...codes: string[]) => {
      const rows = codes.map((barcode) => ({ barcode }))
      return (await app.ask({ path: importPath, token, body: rows })).body
    }
    expect(await take('0012', '7', '000000000000004711', '0012345', '0', 'A-1')).toMatchObject({ created: 6 })
    const body = await take('0012', '12', '07', '4711', '00', 'A-01', '12346')
    expect(body).toEqual({
      success: true,
      created: 6,
      updated: 0,
      unchanged: 1,
      differ_by_zeros: { rows: 3, barcode: '12', component: '0012' },
      total: 7,
    })
    expect(await take('0012', '12', '07', '8')).toEqual({
      success: true,
      created: 1,
      updated: 0,
      unchanged: 3,
      total: 4,
    })
  })

  it('takes all rows or none, and names each bad one', async () => {
    const { token } = await makeCompany(app)
    const rows = [
      { barcode: 'A-1', primary_quantity: 5 },
      { barcode: '', primary_quantity: 5 },
      { barcode: 'A-3', primary_quantity: -1, secondary_quantity: 0.5 },
      { barcode: 'A-4', primary_quantity: '5' },
      { barcode: 'A-5', primary_quantity: 1e40 },
    ]
    const { status, body } = await app.ask({ path: importPath, token, body: rows })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: 'Row 2: barcode must not be empty.',
      details: [
        { path: '1', message: 'barcode must not be empty.' },
        {
          path: '2',
          message:
            'primary_quantity must be a whole number from 0 to 2,147,483,647. secondary_quantity must be a whole number from 0 to 2,147,483,647.',
        },
        { path: '3', message: 'primary_quantity must be a whole number from 0 to 2,147,483,647.' },
        { path: '4', message: 'primary_quantity must be a whole number from 0 to 2,147,483,647.' },
      ],
    })
    const list = await app.ask({ method: 'GET', path: '/api/components', token })
    expect(list.body).toMatchObject({ total: 0, components: [] })
  })

  it('names each bad row at once, whatever is wrong with it', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const staff = await makeStaff(app, admin)
    const post = (path: string, body: object) => app.done({ path, token: admin.token, body })
    await post(importPath, [{ barcode: 'OLD' }, { barcode: 'BOLT' }, { barcode: '0123456789012' }])
    await post('/api/components/add-barcode', { barcode: 'BOLT', alias: 'BOX' })
    await post('/api/components/retire', { barcode: 'OLD' })
    const rows = [
      { barcode: 'A', secondary_quantity: 1 },
      { barcode: 'OLD' },
      { barcode: 'B', primary_quantity: 1.5 },
      { barcode: 'C' },
      { barcode: 'BOX', secondary_quantity: 2 },
      { barcode: 'B' },
      { barcode: '123456789012' },
      'D',
      { barcode: '' },
    ]
    const { status, body } = await app.ask({ path: importPath, token: staff.token, body: rows })
    expect([status, body]).toEqual([
      400,
      {
        success: false,
        code: 'invalid_request',
        error: 'Row 1 sets stock at a location your plan does not include.',
        details: [
          { path: '0', message: 'sets stock at a location your plan does not include.' },
          { path: '1', message: 'names OLD, which is retired. An administrator can bring it back.' },
          { path: '2', message: 'primary_quantity must be a whole number from 0 to 2,147,483,647.' },
          { path: '4', message: 'names BOX, which is another barcode of BOLT already.' },
          { path: '5', message: 'has the same barcode as row 3.' },
          { path: '6', message: 'names 123456789012, which is another writing of 0123456789012.' },
          { path: '7', message: 'it must be an object.' },
          { path: '8', message: 'barcode must not be empty.' },
        ],
      },
    ])
    const list = await app.ask({ method: 'GET', path: '/api/components', token: staff.token })
    expect(list.body).toMatchObject({ total: 2 })
  })

  it('names the first hundred bad rows', async () => {
    const { token } = await makeCompany(app)
    const rows = Array.from({ length: 150 }, (_, index) =>
      index % 2 === 0 ? { barcode: 'A' } : { barcode: `B-${index}`, primary_quantity: -1 },
    )
    const { body } = await app.ask({ path: importPath, token, body: rows })
    expect(body).toMatchObject({
      error: 'Row 2: primary_quantity must be a whole number from 0 to 2,147,483,647.',
    })
    const { details } = z.object({ details: z.array(z.object({ path: z.string() })) }).parse(body)
    expect(details.map(({ path }) => path)).toEqual(
      Array.from({ length: 100 }, (_, index) => String(index + 1)),
    )
  })

  it('refuses a barcode that stands twice', async () => {
    const { token } = await makeCompany(app)
    const { status, body } = await app.ask({
      path: importPath,
      token,
      body: [{ barcode: 'A' }, { barcode: ' A ' }],
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: 'Row 2 has the same barcode as row 1.' })
  })

  it('takes no UPC in its other writing for another component', async () => {
    const admin = await makeCompany(app)
    const send = (body: { barcode: string; description?: string }[]) =>
      app.ask({ path: importPath, token: admin.token, body })
    expect((await send([{ barcode: '0123456789012' }, { barcode: '036000291452' }])).status).toBe(200)
    expect((await send([{ barcode: 'A' }, { barcode: '123456789012' }])).body).toMatchObject({
      error: 'Row 2 names 123456789012, which is another writing of 0123456789012.',
      details: [{ path: '1' }],
    })
    expect((await send([{ barcode: '614141000036' }, { barcode: '0614141000036' }])).body).toMatchObject({
      error: 'Row 1 names 614141000036, which is another writing of 0614141000036.',
      details: [{ path: '0' }, { path: '1' }],
    })
    const another = await makeCompany(app)
    const own = await app.ask({ path: importPath, token: another.token, body: [{ barcode: '123456789012' }] })
    expect(own.body).toMatchObject({ created: 1 })
    // Those that are two already stay two.
    await app.owner.query(`insert into components (tenant_id, barcode) values ($1, '123456789012')`, [
      admin.tenantId,
    ])
    const both = [{ barcode: '123456789012', description: 'Soap' }, { barcode: '0123456789012' }]
    expect((await send(both)).body).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
  })

  it('sets no stock at a location that the plan does not include', async () => {
    const { token } = await makeCompany(app, { plan: 'starter' })
    const { status, body } = await app.ask({
      path: importPath,
      token,
      body: [{ barcode: 'A', secondary_quantity: 1, fulfillment_quantity: 1 }],
    })
    expect(status).toBe(403)
    expect(body).toMatchObject({
      details: [{ path: '0' }],
      error: 'Row 1 sets stock at a location your plan does not include.',
      code: 'location_not_in_plan',
    })
  })

  it('leaves the stock of a location that the plan has closed, where it says 0', async () => {
    const { token } = await makeCompany(app, { plan: 'enterprise' })
    await app.done({ path: importPath, token, body: [{ barcode: 'A', secondary_quantity: 50 }] })
    await app.done({ path: '/api/company/plan', token, body: { plan: 'starter', accept_read_only: true } })
    const rows = [{ barcode: 'A', primary_quantity: 3, secondary_quantity: 0 }]
    expect((await app.ask({ path: importPath, token, body: rows })).body).toMatchObject({ updated: 1 })
    expect((await app.ask({ method: 'GET', path: '/api/components', token })).body).toMatchObject({
      components: [{ primary_quantity: 3, secondary_quantity: 50 }],
    })
  })

  it('takes what it lists of a location that the plan has closed, where nothing changes there', async () => {
    const { token } = await makeCompany(app, { plan: 'enterprise' })
    await app.ask({
      path: importPath,
      token,
      body: [{ barcode: 'A', secondary_quantity: 50 }, { barcode: 'B' }],
    })
    await app.ask({ path: '/api/company/plan', token, body: { plan: 'starter', accept_read_only: true } })
    const rows = [
      { barcode: 'A', description: 'Bolt', primary_quantity: 3, secondary_quantity: 50 },
      { barcode: 'B', primary_quantity: 4 },
    ]
    expect((await app.ask({ path: importPath, token, body: rows })).body).toMatchObject({ updated: 2 })

    const other = [{ barcode: 'A', description: 'Nut', primary_quantity: 9, secondary_quantity: 60 }]
    expect((await app.ask({ path: importPath, token, body: other })).status).toBe(403)
    const kept = await app.ask({ path: `${importPath}?existing=keep`, token, body: other })
    expect(kept.body).toMatchObject({ updated: 1 })
    expect((await app.ask({ method: 'GET', path: '/api/components', token })).body).toMatchObject({
      components: [
        { description: 'Nut', primary_quantity: 3, secondary_quantity: 50 },
        { primary_quantity: 4, secondary_quantity: 0 },
      ],
    })
    const fresh = [{ barcode: 'C', secondary_quantity: 1 }]
    expect((await app.ask({ path: `${importPath}?existing=keep`, token, body: fresh })).status).toBe(403)
  })

  it('sent twice with the same key changes nothing the second time and answers alike', async () => {
    const admin = await makeCompany(app)
    const request = {
      path: importPath,
      token: admin.token,
      key: 'import-1',
      body: [{ barcode: 'A', primary_quantity: 4 }],
    }
    const replies = await Promise.all(Array.from({ length: 5 }, () => app.ask(request)))
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(replies[0]?.body).toMatchObject({ created: 1 })
    const other = await app.ask({ ...request, body: [{ barcode: 'B' }] })
    expect(other.status).toBe(422)
    expect(other.body).toMatchObject({ error: 'This Idempotency-Key was used for another request.' })
  })

  it('of 2,000 rows at once, five times at the same moment, leaves stock equal to its ledger', async () => {
    const admin = await makeCompany(app)
    const rows = (offset: number) =>
      Array.from({ length: 2000 }, (_, index) => ({
        barcode: `S-${index}`,
        primary_quantity: index + offset,
      }))
    const replies = await Promise.all(
      [0, 1, 2, 3, 4].map((offset) => app.ask({ path: importPath, token: admin.token, body: rows(offset) })),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await ledgerDifference(admin)).toEqual([])
    const list = await app.ask({ method: 'GET', path: '/api/components', token: admin.token })
    expect(list.body).toMatchObject({ total: 2000 })
  })
})

describe('setting a quantity', () => {
  it('posts the difference as a movement', async () => {
    const admin = await makeCompany(app)
    await app.done({ path: importPath, token: admin.token, body: [{ barcode: 'A', primary_quantity: 4 }] })
    const { status, body } = await app.ask({
      path: '/api/components/update-quantity',
      token: admin.token,
      body: { barcode: 'A', quantity: 10, location: 'Primary Warehouse' },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, component: { barcode: 'A', primary_quantity: 10 } })
    const { rows } = await app.owner.query(
      'select delta, quantity_after, cause from movements where tenant_id = $1 order by id',
      [admin.tenantId],
    )
    expect(rows).toEqual([
      { delta: 4, quantity_after: 4, cause: 'import' },
      { delta: 6, quantity_after: 10, cause: 'correction' },
    ])
  })

  it('is done by anybody of the company, with a note in the history and the audit trail', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    await app.done({ path: importPath, token: admin.token, body: [{ barcode: 'A', primary_quantity: 4 }] })
    const correct = (quantity: number, location: string) =>
      app.ask({
        path: '/api/components/update-quantity',
        token: staff.token,
        body: { barcode: 'A', quantity, location, note: ' two broken ' },
      })
    expect((await correct(2, 'PRIMARY')).status).toBe(200)
    expect((await correct(2, 'PRIMARY')).status).toBe(200)
    expect((await correct(0, 'SECONDARY')).status).toBe(200)
    expect((await correct(7, 'SECONDARY')).status).toBe(200)
    const { body } = await app.ask({
      method: 'GET',
      path: '/api/components/movements?barcode=A',
      token: staff.token,
    })
    expect(body).toMatchObject({
      movements: [
        { location: 'SECONDARY', delta: 7, quantity_after: 7, note: 'two broken' },
        { location: 'PRIMARY', delta: -2, quantity_after: 2, cause: 'correction', note: 'two broken' },
        { cause: 'import', note: '' },
      ],
    })
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=4', token: admin.token })
    expect(trail.body).toMatchObject({
      entries: [
        { metadata: { old_value: 0, new_value: 7, note: 'two broken' } },
        { metadata: { old_value: 0, new_value: 0 } },
        { metadata: { old_value: 2, new_value: 2 } },
        { metadata: { old_value: 4, new_value: 2 } },
      ],
    })
  })

  it.each([
    [{ location: 'Moon' }, 400, 'Invalid location selected.'],
    [{ location: 'DISTRIBUTION' }, 403, 'Your plan does not include this location.'],
    [{ barcode: 'nothing' }, 404, 'There is no component with this barcode.'],
    [{ quantity: 2147483648 }, 400, 'quantity must be a whole number from 0 to 2,147,483,647.'],
    [{ quantity: null }, 400, 'quantity must be a whole number from 0 to 2,147,483,647.'],
    [{ quantity: 1.5 }, 400, 'quantity must be a whole number from 0 to 2,147,483,647.'],
  ])('with %j is refused', async (part, expected, sentence) => {
    const { token } = await makeCompany(app)
    await app.done({ path: importPath, token, body: [{ barcode: 'A', primary_quantity: 4 }] })
    const { status, body } = await app.ask({
      path: '/api/components/update-quantity',
      token,
      body: { barcode: 'A', quantity: 1, location: 'PRIMARY', ...part },
    })
    expect([status, body]).toMatchObject([expected, { error: sentence }])
  })
})

describe('finding a component by barcode', () => {
  it('takes the exact code first, then with a leading 0 taken off or put on', async () => {
    const { token } = await makeCompany(app)
    await app.done({ path: importPath, token, body: [{ barcode: '036000291452', description: 'Retail' }] })
    const find = (barcode: string) =>
      app.ask({ path: '/api/components/by-barcode', token, body: { barcode } })
    expect((await find('0036000291452')).body).toMatchObject({ component: { barcode: '036000291452' } })
    expect((await find('36000291452')).status).toBe(404)
  })
})

describe('the list of components', () => {
  it('is answered with 304 while nothing has changed', async () => {
    const { token } = await makeCompany(app)
    await app.done({ path: importPath, token, body: [{ barcode: 'A', primary_quantity: 1 }] })
    const list = (tag = '') =>
      app.ask({
        method: 'GET',
        path: '/api/components',
        token,
        headers: tag === '' ? {} : { 'if-none-match': tag },
      })
    const tag = (await list()).headers.get('etag') ?? ''
    const strong = tag.replace('W/', '')
    const named = [tag, strong, `"other", ${tag}`, `W/"a,b",${strong}`, '*', ' * ']
    for (const value of named) expect([value, (await list(value)).status]).toEqual([value, 304])
    const others = ['W/"other"', strong.slice(0, -2), `"x${strong.slice(1)}`, tag.slice(0, -1)]
    for (const value of others) expect([value, (await list(value)).status]).toEqual([value, 200])
    await app.done({ path: importPath, token, body: [{ barcode: 'A', primary_quantity: 2 }] })
    expect((await list(tag)).status).toBe(200)
  })

  it('is in the shape of the contract and says of each component what asking for it says', async () => {
    const { token } = await makeCompany(app, { plan: 'enterprise' })
    const rows = [
      {
        barcode: 'A "quoted" \\ code',
        description: 'Łożysko\t"6204"',
        primary_quantity: 3,
        secondary_quantity: 4,
      },
      { barcode: 'B', quarantine_quantity: 2 },
      { barcode: 'C' },
    ]
    await app.done({ path: importPath, token, body: rows })
    await app.done({
      path: '/api/components/configure-high-volume',
      token,
      body: { barcode: 'B', assignments: { Friday: ['SECONDARY', 'PRIMARY'], Monday: ['PRIMARY'] } },
    })
    for (const location of ['PRIMARY', 'SECONDARY']) {
      const count = { barcode: rows[0]?.barcode, quantity: location === 'PRIMARY' ? 3 : 4, location }
      const body = { ...count, source: 'monthly', session: 's', timestamp: new Date().toISOString() }
      await app.done({ path: '/api/components/update-with-tracking', token, body })
    }
    const list = await app.ask({ method: 'GET', path: '/api/components', token })
    const { components } = listComponents.reply.json.parse(list.body)
    expect(components.map(({ barcode }) => barcode)).toEqual(['A "quoted" \\ code', 'B', 'C'])
    for (const component of components) {
      const body = { barcode: component.barcode }
      const one = await app.ask({ path: '/api/components/by-barcode', token, body })
      expect(one.body).toEqual({ component })
    }
  })

  it('can be read page by page', async () => {
    const { token } = await makeCompany(app)
    await app.done({ path: importPath, token, body: ['C', 'A', 'B'].map((barcode) => ({ barcode })) })
    const first = await app.ask({ method: 'GET', path: '/api/components?limit=2', token })
    expect(first.body).toMatchObject({
      components: [{ barcode: 'A' }, { barcode: 'B' }],
      total: 3,
      next_cursor: 'B',
    })
    const second = await app.ask({ method: 'GET', path: '/api/components?limit=2&cursor=B', token })
    expect(second.body).toMatchObject({ components: [{ barcode: 'C' }], next_cursor: null })
  })
})

describe('the check of the ledger', () => {
  it('finds nothing after imports and corrections, and a figure that was changed behind its back', async () => {
    const admin = await makeCompany(app)
    await app.done({
      path: importPath,
      token: admin.token,
      body: [{ barcode: 'A', primary_quantity: 4 }, { barcode: 'B' }],
    })
    const check = () => app.database.inTenant(admin.tenantId, listLedgerFaults)
    expect(await check()).toEqual([])
    await app.owner.query('update stock set quantity = 5 where tenant_id = $1', [admin.tenantId])
    expect(await check()).toEqual([{ barcode: 'A', location: 'PRIMARY', quantity: 5, moved: 4 }])
    await app.owner.query('delete from stock where tenant_id = $1', [admin.tenantId])
    expect(await check()).toEqual([{ barcode: 'A', location: 'PRIMARY', quantity: 0, moved: 4 }])
  })
})

it('a component is looked up by its own key, though all companies were small when the planner last looked', async () => {
  const fresh = await startTestApp()
  for (let company = 0; company < 25; company += 1) {
    const { token } = await makeCompany(fresh)
    const body = Array.from({ length: 1 + (company % 4) }, (_, index) => ({ barcode: `A-${index}` }))
    await fresh.ask({ path: importPath, token, body })
  }
  await fresh.owner.query('analyze')
  const { token } = await makeCompany(fresh)
  const body = Array.from({ length: 10_000 }, (_, index) => ({
    barcode: createHash('sha256').update(String(index)).digest('base64url').slice(0, 28),
    primary_quantity: 1,
  }))
  const imported = await fresh.ask({ path: importPath, token, body })
  expect([imported.status, imported.body]).toMatchObject([200, { created: 10_000 }])
  for (const key of ['barcode', 'id']) {
    const { rows } = await fresh.owner.query(
      `explain (generic_plan) select from components where tenant_id = $1 and ${key} = $2`,
    )
    expect(JSON.stringify(rows)).toMatch(
      new RegExp(`Index Cond: \\(\\(tenant_id = \\$1\\) AND \\(${key} = \\$2`),
    )
  }
  await fresh.close()
})

it('the lists of a company that was just filled are there at once, though the planner still takes it for small', async () => {
  const fresh = await startTestApp()
  await fresh.ask({
    path: importPath,
    token: (await makeCompany(fresh)).token,
    body: [{ barcode: 'A-1', primary_quantity: 1 }],
  })
  await fresh.owner.query('analyze')
  const { token } = await makeCompany(fresh)
  const rows = Array.from({ length: 5_000 }, (_, index) => ({
    barcode: `SKU-${index}`,
    primary_quantity: 1,
    secondary_quantity: 2,
  }))
  await fresh.ask({ path: importPath, token, body: rows })
  // Where every row is compared with every other, the database ends the statement and the answer is 503.
  const list = await fresh.ask({ method: 'GET', path: '/api/components', token })
  expect([list.status, list.body]).toMatchObject([200, { total: 5_000 }])
  const countable = await fresh.ask({
    path: '/api/components/with-count-status',
    token,
    body: { location: 'PRIMARY' },
  })
  expect([countable.status, countable.body]).toMatchObject([200, { total: 5_000 }])
  await fresh.close()
})
