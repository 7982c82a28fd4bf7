import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompanyWithStock } from '../../test/company-with-stock.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** A company with 5 bolts at Primary and 2 at Secondary, 7 nuts at Primary, and no washers. */
async function companyWithStock() {
  const rows = [
    { barcode: 'BOLT-8', description: 'Bolt', primary_quantity: 5, secondary_quantity: 2 },
    { barcode: 'NUT-8', description: 'Nut', primary_quantity: 7 },
    { barcode: 'WASHER-8', description: 'Washer' },
  ]
  return await makeCompanyWithStock(app, rows, { plan: 'professional' })
}

const post = (person: Person, path: string, body: unknown) =>
  app.ask({ path: `/api${path}`, token: person.token, body })

const get = async (person: Person, path: string) =>
  (await app.ask({ method: 'GET', path: `/api${path}`, token: person.token })).body

const setCosts = (person: Person, components: unknown[]) =>
  post(person, '/components/set-costs', { components })

const detail = z.object({ administration: z.object({ unit_cost: z.number().nullable() }).optional() })

async function costOf(person: Person, barcode: string) {
  const { administration } = detail.parse(await get(person, `/components/detail?barcode=${barcode}`))
  return administration?.unit_cost
}

const trail = z.object({ entries: z.array(z.object({ user_name: z.string(), metadata: z.unknown() })) })

async function trailOf(person: Person, sku: string) {
  return trail.parse(await get(person, `/audit/trail?sku=${sku}&limit=1`)).entries
}

describe('unit costs', () => {
  it('are set for several components at once, to four decimals', async () => {
    const { admin } = await companyWithStock()
    expect(await costOf(admin, 'BOLT-8')).toBe(null)
    const { status, body } = await setCosts(admin, [
      { barcode: 'BOLT-8', unit_cost: 0.0125 },
      { barcode: 'NUT-8', unit_cost: 9_999_999.9999 },
    ])
    expect([status, body]).toEqual([200, { success: true, changed: 2, not_found: [] }])
    expect(await costOf(admin, 'BOLT-8')).toBe(0.0125)
    expect(await costOf(admin, 'NUT-8')).toBe(9_999_999.9999)
  })

  it('are said with the currency of the company', async () => {
    const { admin } = await companyWithStock()
    await post(admin, '/company/settings', { currency: 'KWD' })
    await setCosts(admin, [{ barcode: 'BOLT-8', unit_cost: 2 }])
    expect(await get(admin, '/components/detail?barcode=BOLT-8')).toMatchObject({
      administration: { unit_cost: 2, currency: 'KWD' },
    })
  })

  it('that are no amounts are refused, and change nothing', async () => {
    const { admin } = await companyWithStock()
    const wrong = 'Row 2: unit_cost must be a number from 0 to 9,999,999.9999 with at most four decimals.'
    for (const cost of [-1, 0.00001, 1e-300, 10_000_000, '12']) {
      const { status, body } = await setCosts(admin, [
        { barcode: 'BOLT-8', unit_cost: 1 },
        { barcode: 'NUT-8', unit_cost: cost },
      ])
      expect([cost, status, body]).toMatchObject([cost, 400, { error: wrong }])
    }
    expect(await costOf(admin, 'BOLT-8')).toBe(null)
  })

  it('of codes that mean nothing in use are named, and the others set; of two for one component the last', async () => {
    const { admin } = await companyWithStock()
    await post(admin, '/components/add-barcode', { barcode: 'BOLT-8', alias: '4006381333931' })
    await post(admin, '/components/retire', { barcode: 'WASHER-8' })
    const { body } = await setCosts(admin, [
      { barcode: 'BOLT-8', unit_cost: 1 },
      { barcode: 'NOTHING', unit_cost: 2 },
      { barcode: 'WASHER-8', unit_cost: 3 },
      { barcode: '4006381333931', unit_cost: 4 },
    ])
    expect(body).toEqual({ success: true, changed: 1, not_found: ['NOTHING', 'WASHER-8'] })
    expect(await costOf(admin, 'BOLT-8')).toBe(4)
  })

  it('are taken away again, and what stays as it is stands nowhere', async () => {
    const { admin } = await companyWithStock()
    await setCosts(admin, [{ barcode: 'BOLT-8', unit_cost: 2 }])
    expect((await setCosts(admin, [{ barcode: 'BOLT-8', unit_cost: 2 }])).body).toMatchObject({ changed: 0 })
    await setCosts(admin, [{ barcode: 'BOLT-8', unit_cost: null }])
    expect(await costOf(admin, 'BOLT-8')).toBe(null)
    expect(await trailOf(admin, 'BOLT-8')).toMatchObject([
      { user_name: admin.name, metadata: { event_type: 'cost_changed', old_value: 2, new_value: null } },
    ])
  })

  it('that two administrators set at the same moment are set one after the other', async () => {
    const { admin } = await companyWithStock()
    const costs = [1, 2, 3, 4, 5, 6, 7, 8]
    await Promise.all(costs.map((cost) => setCosts(admin, [{ barcode: 'BOLT-8', unit_cost: cost }])))
    const { entries } = trail.parse(await get(admin, '/audit/trail?sku=BOLT-8'))
    const changes = z
      .array(z.object({ metadata: z.object({ old_value: z.number().nullable(), new_value: z.number() }) }))
      .parse(entries.slice(0, costs.length))
    const olds = changes.map(({ metadata }) => metadata.old_value)
    const news = changes.map(({ metadata }) => metadata.new_value)
    expect(new Set(news)).toEqual(new Set(costs))
    expect(olds).toEqual([...news.slice(1), null])
    expect(await costOf(admin, 'BOLT-8')).toBe(news[0])
  })

  it('of more than 500 components at once are one entry, which says how many', async () => {
    const admin = await makeCompany(app)
    const barcodes = Array.from({ length: 501 }, (_, index) => `MANY-${index}`)
    await app.done({
      path: '/api/components/import',
      token: admin.token,
      body: barcodes.map((barcode) => ({ barcode, description: '' })),
    })
    const { body } = await setCosts(
      admin,
      barcodes.map((barcode) => ({ barcode, unit_cost: 1 })),
    )
    expect(body).toMatchObject({ changed: 501 })
    const { entries } = trail.parse(await get(admin, '/audit/trail?limit=1'))
    expect(entries).toMatchObject([
      { metadata: { event_type: 'costs_changed', new_value: { changed: 501 } } },
    ])
  })

  it('are the administrators’ alone: staff neither set nor see them, in the trail neither', async () => {
    const { admin, staff } = await companyWithStock()
    await setCosts(admin, [{ barcode: 'BOLT-8', unit_cost: 2 }])
    const refused = await setCosts(staff, [{ barcode: 'BOLT-8', unit_cost: 1 }])
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { error: 'Only an administrator can do this.' },
    ])
    expect(
      (await app.ask({ method: 'GET', path: '/api/components/stock-value', token: staff.token })).status,
    ).toBe(403)
    expect(await costOf(staff, 'BOLT-8')).toBe(undefined)
    expect(await trailOf(staff, 'BOLT-8')).toEqual([
      { user_name: admin.name, metadata: { event_type: 'cost_changed' } },
    ])
  })
})

describe('the value of stock', () => {
  it('is that of what is in use, place by place, at what it costs now', async () => {
    const { admin } = await companyWithStock()
    const nothing = { currency: 'USD', value: 0, places: [], without_cost: 2, with_cost: 0 }
    expect(await get(admin, '/components/stock-value')).toEqual(nothing)
    await setCosts(admin, [
      { barcode: 'BOLT-8', unit_cost: 100 },
      { barcode: 'WASHER-8', unit_cost: 1 },
    ])
    await setCosts(admin, [{ barcode: 'BOLT-8', unit_cost: 0.3 }])
    await post(admin, '/company/settings', { currency: 'eur' })
    expect(await get(admin, '/components/stock-value')).toEqual({
      currency: 'EUR',
      value: 2.1,
      places: [
        { place: 'PRIMARY', value: 1.5 },
        { place: 'SECONDARY', value: 0.6 },
      ],
      without_cost: 1,
      with_cost: 2,
    })
    const issue = (location: string, amount: number) =>
      post(admin, '/components/adjust-quantity', { barcode: 'BOLT-8', location, amount, reason: 'issued' })
    await issue('PRIMARY', -5)
    await issue('SECONDARY', -2)
    await post(admin, '/components/retire', { barcode: 'BOLT-8' })
    expect(await get(admin, '/components/stock-value')).toMatchObject({ value: 0, places: [], with_cost: 1 })
  })
})

const found = z.object({ components: z.array(z.object({ barcode: z.string() })), next_cursor: z.unknown() })

describe('the list of what is in stock without a unit cost', () => {
  const listed = async (person: Person, query = '') => {
    const body = await get(person, `/components/search?state=uncosted${query}`)
    return found.parse(body).components.map(({ barcode }) => barcode)
  }

  it('names to administrators what is in use and in stock somewhere, by barcode and page by page', async () => {
    const { admin } = await companyWithStock()
    await post(admin, '/components/import', [{ barcode: 'SEAL-8', quarantine_quantity: 1 }])
    expect(await listed(admin)).toEqual(['BOLT-8', 'NUT-8', 'SEAL-8'])
    expect(await listed(admin, '&limit=2')).toEqual(['BOLT-8', 'NUT-8'])
    expect(await listed(admin, '&limit=2&cursor=NUT-8')).toEqual(['SEAL-8'])
    expect(await listed(admin, '&text=nut')).toEqual(['NUT-8'])
    await setCosts(admin, [
      { barcode: 'BOLT-8', unit_cost: 0 },
      { barcode: 'NUT-8', unit_cost: 2 },
    ])
    expect(await listed(admin)).toEqual(['SEAL-8'])
    await setCosts(admin, [{ barcode: 'NUT-8', unit_cost: null }])
    expect(await listed(admin)).toEqual(['NUT-8', 'SEAL-8'])
  })

  it('is refused to staff, who still get the other lists', async () => {
    const { staff } = await companyWithStock()
    const path = '/api/components/search?state='
    const { status, body } = await app.ask({ method: 'GET', path: `${path}uncosted`, token: staff.token })
    expect([status, body]).toMatchObject([
      403,
      { code: 'forbidden', error: 'Only an administrator can do this.' },
    ])
    for (const state of ['active', 'low', 'retired']) {
      expect(await app.ask({ method: 'GET', path: path + state, token: staff.token })).toMatchObject({
        status: 200,
      })
    }
  })

  it('names nothing of another company', async () => {
    await companyWithStock()
    expect(await listed(await makeCompany(app))).toEqual([])
  })
})
