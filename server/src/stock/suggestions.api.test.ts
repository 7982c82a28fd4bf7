import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
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

const idList = z.object({ discrepancies: z.array(z.object({ id: z.string() })) })

const post = (person: Person, path: string, body: unknown) =>
  app.done({ path: `/api/components/${path}`, token: person.token, body })

const ask = (person: Person, query = 'location=PRIMARY') =>
  app.ask({ method: 'GET', path: `/api/components/high-volume-suggestions?${query}`, token: person.token })

const issue = (person: Person, given: { barcode: string; amount: number; location?: string }) =>
  post(person, 'adjust-quantity', { location: 'PRIMARY', reason: 'issued', ...given })

/** A company with 100 of each of five SKUs at Primary and Secondary. */
async function companyWithStock() {
  const admin = await makeCompany(app, { plan: 'professional', timeZone: zoneOfNoon() })
  const rows = ['A', 'B', 'C', 'D', 'E'].map((barcode) => ({
    barcode,
    description: `Part ${barcode}`,
    primary_quantity: 100,
    secondary_quantity: 100,
  }))
  await post(admin, 'import', rows)
  return { admin, staff: await makeStaff(app, admin) }
}

async function countWrong(staff: Person, barcode: string): Promise<void> {
  const count = { barcode, quantity: 50, location: 'PRIMARY', source: 'monthly' }
  for (const session of ['first', 'second']) {
    const timestamp = new Date().toISOString()
    await post(staff, 'update-with-tracking', { ...count, session, timestamp })
  }
}

/** Takes a file that says there is less of a SKU at Primary, and then takes it back. */
async function takeBackFile(admin: Person, sku: string): Promise<void> {
  const imports = (path: string, body: unknown) =>
    app.ask({ path: `/api/imports${path}`, token: admin.token, body })
  const fields = ['barcode', 'primary_quantity']
  const { body } = await imports('', { name: 'less.csv', fields })
  const { id } = z.object({ import: z.object({ id: z.string() }) }).parse(body).import
  await imports(`/${id}/rows`, { rows: [{ line: 2, cells: [sku, '3'] }] })
  expect((await imports(`/${id}/commit`, {})).status).toBe(200)
  expect((await imports(`/${id}/undo`, {})).status).toBe(200)
}

describe('what is suggested for the weekly lists of a location', () => {
  it('is what left it, by value, then by pieces, and then what differed', async () => {
    const { admin, staff } = await companyWithStock()
    await post(admin, 'set-costs', {
      components: [
        { barcode: 'A', unit_cost: 1 },
        { barcode: 'B', unit_cost: 50 },
      ],
    })
    await issue(admin, { barcode: 'A', amount: -90 })
    await issue(admin, { barcode: 'B', amount: -2 })
    await issue(admin, { barcode: 'B', amount: -1 })
    await issue(admin, { barcode: 'C', amount: -20 })
    await issue(admin, { barcode: 'E', amount: -100, location: 'SECONDARY' })
    await countWrong(staff, 'D')
    await countWrong(staff, 'C')
    expect((await ask(admin)).body).toEqual({
      currency: 'USD',
      suggestions: [
        { barcode: 'B', description: 'Part B', pieces: 3, value: 150, differences: 0 },
        { barcode: 'A', description: 'Part A', pieces: 90, value: 90, differences: 0 },
        { barcode: 'C', description: 'Part C', pieces: 20, value: null, differences: 1 },
        { barcode: 'D', description: 'Part D', pieces: 0, value: null, differences: 1 },
      ],
    })
    expect((await ask(admin, 'location=PRIMARY&limit=1')).body).toMatchObject({
      suggestions: [{ barcode: 'B' }],
    })
  })

  it('says how often a SKU differed as accuracy does, without entries that were mended, taken back or reset', async () => {
    const { admin, staff } = await companyWithStock()
    const count = (barcode: string, quantity: number, key: string) =>
      app.done({
        path: '/api/components/update-with-tracking',
        token: staff.token,
        key,
        body: {
          barcode,
          quantity,
          location: 'PRIMARY',
          source: 'monthly',
          session: 's',
          timestamp: new Date().toISOString(),
        },
      })
    await countWrong(staff, 'A')
    await count('B', 50, 'wrong')
    await count('B', 100, 'right')
    await count('C', 50, 'back')
    await app.done({ path: '/api/components/undo-count', token: staff.token, body: { key: 'back' } })
    await count('D', 50, 'reset')
    await post(admin, 'reset-counts', { location: 'PRIMARY' })
    const accuracy = await app.ask({ method: 'GET', path: '/api/accuracy?months=1', token: admin.token })
    expect(accuracy.body).toMatchObject({ total: { lines: 2, differing: 1 }, skus: [{ sku: 'A', lines: 1 }] })
    expect((await ask(admin)).body).toMatchObject({ suggestions: [{ barcode: 'A', differences: 1 }] })
  })

  it('leaves out what is on a list there or retired, and what came or was only set right', async () => {
    const { admin, staff } = await companyWithStock()
    await issue(admin, { barcode: 'A', amount: -5 })
    await issue(admin, { barcode: 'B', amount: -5 })
    await post(admin, 'bulk-high-volume', {
      barcodes: ['A'],
      day: 'Monday',
      location: 'PRIMARY',
      action: 'add',
    })
    await post(admin, 'bulk-high-volume', {
      barcodes: ['B'],
      day: 'Monday',
      location: 'SECONDARY',
      action: 'add',
    })
    await issue(admin, { barcode: 'C', amount: -100 })
    await issue(admin, { barcode: 'C', amount: -100, location: 'SECONDARY' })
    await post(admin, 'retire', { barcode: 'C' })
    await post(admin, 'adjust-quantity', { barcode: 'D', location: 'PRIMARY', amount: 5, reason: 'received' })
    await countWrong(staff, 'E')
    const { body } = await app.ask({ method: 'GET', path: '/api/discrepancies', token: admin.token })
    const ids = idList.parse(body).discrepancies.map(({ id }) => id)
    await app.done({
      path: '/api/discrepancies/decide',
      token: admin.token,
      body: { ids, decision: 'accept', reason: 'Lost' },
    })
    expect((await ask(admin)).body).toMatchObject({
      suggestions: [
        { barcode: 'B', pieces: 5, differences: 0 },
        { barcode: 'E', pieces: 0, differences: 1 },
      ],
    })
  })

  it('puts what only differed last, whatever it costs, and counts no pieces that came back', async () => {
    const { admin, staff } = await companyWithStock()
    await post(admin, 'set-costs', { components: [{ barcode: 'D', unit_cost: 9 }] })
    await countWrong(staff, 'D')
    await issue(admin, { barcode: 'A', amount: -60 })
    const { body } = await app.ask({
      path: '/api/transfers',
      token: admin.token,
      body: { barcode: 'B', from: 'PRIMARY', to: 'SECONDARY', quantity: 70 },
    })
    const { id } = z.object({ transfer: z.object({ id: z.string() }) }).parse(body).transfer
    await app.done({ path: `/api/transfers/${id}/cancel`, token: admin.token, body: {} })
    await takeBackFile(admin, 'C')
    expect((await ask(admin)).body).toMatchObject({
      suggestions: [
        { barcode: 'A', pieces: 60, value: null },
        { barcode: 'D', pieces: 0, value: 0, differences: 1 },
      ],
    })
  })

  it('comes at once where there are many components', { timeout: 60_000 }, async () => {
    const admin = await makeCompany(app)
    await app.owner.query(
      `insert into components (tenant_id, barcode) select $1, 'SKU-' || i from generate_series(1, 10000) i`,
      [admin.tenantId],
    )
    await app.owner.query(
      `insert into movements (tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name)
      select $1, components.id, 'PRIMARY', -place, 0, 'issued', $2, 'Ada'
      from components cross join generate_series(1, 10) as place where components.tenant_id = $1`,
      [admin.tenantId, admin.userId],
    )
    await app.owner.query(
      `insert into component_costs (tenant_id, component_id, since, unit_cost)
      select $1, id, now(), substr(barcode, 5)::integer from components where tenant_id = $1`,
      [admin.tenantId],
    )
    expect(await ask(admin, 'location=PRIMARY&limit=1')).toMatchObject({
      status: 200,
      body: { suggestions: [{ barcode: 'SKU-10000', pieces: 55, value: 550_000 }] },
    })
  })

  it('is for administrators', async () => {
    const { staff } = await companyWithStock()
    expect((await ask(staff)).status).toBe(403)
  })
})
