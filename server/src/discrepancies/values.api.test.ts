import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, startTestApp, zoneOfNoon, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const skus = ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6']

async function begin(): Promise<void> {
  admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  const body = skus.map((barcode) => ({ barcode, primary_quantity: 100 }))
  await app.done({ path: '/api/components/import', token: admin.token, body })
}

const post = (path: string, body: unknown) => app.done({ path: `/api${path}`, token: admin.token, body })

const setCosts = (costs: Record<string, number | null>) =>
  post('/components/set-costs', {
    components: Object.entries(costs).map(([barcode, cost]) => ({ barcode, unit_cost: cost })),
  })

let scans = 0

/** Counts so many of the hundred pieces that are expected. */
async function count(barcode: string, quantity: number): Promise<void> {
  scans += 1
  const timestamp = new Date(Date.now() - 60_000 + scans).toISOString()
  const place = { location: 'PRIMARY', source: 'monthly', session: 's' }
  await post('/components/update-with-tracking', { barcode, quantity, ...place, timestamp })
}

/** Differences that wait for a decision, found in this order. */
async function differ(differences: Record<string, number>): Promise<void> {
  for (const [barcode, difference] of Object.entries(differences)) {
    for (const _ of [1, 2]) await count(barcode, 100 + difference)
  }
}

const listed = z.object({
  currency: z.string(),
  has_costs: z.boolean(),
  next_cursor: z.string().nullable(),
  discrepancies: z.array(
    z.object({
      id: z.string(),
      sku: z.string(),
      unit_cost: z.number().nullable(),
      value: z.number().nullable(),
    }),
  ),
})

const ask = (query: string, person = admin) =>
  app.ask({ method: 'GET', path: `/api/discrepancies${query}`, token: person.token })

const list = async (query = '', person = admin) => listed.parse((await ask(query, person)).body)

/** The unit costs and values of the only difference of a SKU. */
async function worthOf(sku: string): Promise<[number | null, number | null]> {
  const [found] = (await list(`?search=${sku}`)).discrepancies
  return [found?.unit_cost ?? null, found?.value ?? null]
}

async function idOf(sku: string): Promise<string> {
  return (await list(`?search=${sku}`)).discrepancies[0]?.id ?? 'none'
}

const decide = async (sku: string, decision: string) =>
  post('/discrepancies/decide', { ids: [await idOf(sku)], decision, reason: 'Damaged' })

/** The SKUs of all pages in an order; `between` is done after each page. */
async function pages(query: string, between: (page: number) => Promise<unknown> = async () => null) {
  const found: string[] = []
  let next: string | null = null
  for (let page = 0; page < 20; page += 1) {
    const cursor: string = next === null ? '' : `&cursor=${next}`
    const reply = await list(`${query}${cursor}`)
    found.push(...reply.discrepancies.map(({ sku }) => sku))
    next = reply.next_cursor
    if (next === null) return found
    await between(page)
  }
  throw new Error('The pages have no end.')
}

describe('what a difference is worth', () => {
  it('is not known where no cost is said', async () => {
    await begin()
    await differ({ 'A-1': -3 })
    expect(await list()).toMatchObject({
      currency: 'USD',
      has_costs: false,
      discrepancies: [{ sku: 'A-1', unit_cost: null, value: null }],
    })
    await setCosts({ 'A-2': 1 })
    await post('/company/settings', { currency: 'EUR' })
    expect(await list()).toMatchObject({
      currency: 'EUR',
      has_costs: true,
      discrepancies: [{ sku: 'A-1', unit_cost: null, value: null }],
    })
  })

  it('is its pieces at the unit cost, with its sign and to four decimals', async () => {
    await begin()
    await differ({ 'A-1': -3, 'A-2': 7, 'A-3': -9 })
    await setCosts({ 'A-1': 12.5, 'A-2': 0.0123, 'A-3': 0 })
    expect(await worthOf('A-1')).toEqual([12.5, -37.5])
    expect(await worthOf('A-2')).toEqual([0.0123, 0.0861])
    expect(await worthOf('A-3')).toEqual([0, 0])
  })

  it('is that of now while it waits, and once it was decided stays what it was then', async () => {
    await begin()
    await differ({ 'A-1': -2, 'A-2': -2, 'A-3': -2, 'A-4': -2 })
    await setCosts({ 'A-1': 10, 'A-2': 10, 'A-3': 10, 'A-4': 10 })
    await setCosts({ 'A-1': 20, 'A-2': 20, 'A-3': 20, 'A-4': 20 })
    expect(await worthOf('A-1')).toEqual([20, -40])
    await decide('A-1', 'accept')
    await decide('A-2', 'dismiss')
    await decide('A-3', 'recount')
    await count('A-4', 100)
    await setCosts({ 'A-1': 7, 'A-2': 7, 'A-3': 7, 'A-4': 7 })
    await setCosts({ 'A-1': null, 'A-2': null })
    expect(await worthOf('A-1')).toEqual([20, -40])
    expect(await worthOf('A-2')).toEqual([20, -40])
    expect(await worthOf('A-3')).toEqual([7, -14])
    expect(await worthOf('A-4')).toEqual([20, 0])
  })

  it('is that of now again where it is reopened', async () => {
    await begin()
    await differ({ 'A-1': -2, 'A-2': -2 })
    await setCosts({ 'A-1': 10, 'A-2': 10 })
    await decide('A-1', 'dismiss')
    await decide('A-2', 'accept')
    await setCosts({ 'A-1': 30, 'A-2': 30 })
    for (const sku of ['A-1', 'A-2']) {
      expect(await worthOf(sku)).toEqual([10, -20])
      await post('/discrepancies/reopen', { id: await idOf(sku) })
      expect(await worthOf(sku)).toEqual([30, -60])
    }
  })

  it('is at what was said on the first day where it was decided before any cost was said', async () => {
    await begin()
    await differ({ 'A-1': -2 })
    await decide('A-1', 'accept')
    await setCosts({ 'A-1': 400 })
    await setCosts({ 'A-1': 4 })
    expect(await worthOf('A-1')).toEqual([4, -8])
    await app.owner.query(
      `update discrepancies set updated_at = updated_at - interval '3 days' where tenant_id = $1`,
      [admin.tenantId],
    )
    await app.owner.query(
      `update component_costs set since = since - interval '2 days' where tenant_id = $1`,
      [admin.tenantId],
    )
    await setCosts({ 'A-1': 5 })
    expect(await worthOf('A-1')).toEqual([4, -8])
    const { body } = await app.ask({ method: 'GET', path: '/api/accuracy', token: admin.token })
    expect(body).toMatchObject({ total: { missing_value: 8 } })
  })

  it('is not known any more where the cost was taken away while it waits', async () => {
    await begin()
    await differ({ 'A-1': -2 })
    await setCosts({ 'A-1': 4 })
    await setCosts({ 'A-1': null })
    expect(await worthOf('A-1')).toEqual([null, null])
  })

  it('is nobody else’s: costs of another company change nothing', async () => {
    await begin()
    const first = admin
    await differ({ 'A-1': -2 })
    await begin()
    await setCosts({ 'A-1': 4 })
    await post('/company/settings', { currency: 'EUR' })
    expect(await list('?sort=value', first)).toMatchObject({
      currency: 'USD',
      has_costs: false,
      discrepancies: [{ sku: 'A-1', unit_cost: null, value: null }],
    })
    expect((await list()).discrepancies).toEqual([])
  })
})

describe('differences by value', () => {
  /** Of much is missing or too much, and nobody knows what they cost; are worth the same. */
  async function beginWithCosts(): Promise<void> {
    await begin()
    await differ({ 'A-1': -50, 'A-2': -1, 'A-3': 10, 'A-4': -20, 'A-5': 60, 'A-6': -5 })
    await setCosts({ 'A-2': 300, 'A-3': 8, 'A-4': 4, 'A-6': 0 })
  }

  const byValue = ['A-2', 'A-4', 'A-3', 'A-6', 'A-5', 'A-1']

  it.each([1, 2, 3, 4, 5, 6])(
    'begin with most money, missing or too much, and end with those without a cost: %i a page',
    async (limit) => {
      await beginWithCosts()
      expect(await pages(`?sort=value&limit=${limit}`)).toEqual(byValue)
    },
  )

  it('pass the filters first', async () => {
    await beginWithCosts()
    await decide('A-4', 'dismiss')
    await decide('A-5', 'dismiss')
    expect(await pages('?sort=value&limit=1&status=open')).toEqual(['A-2', 'A-3', 'A-6', 'A-1'])
    expect(await pages('?sort=value&limit=1&status=dismissed')).toEqual(['A-4', 'A-5'])
    expect(await pages('?sort=value&limit=1&search=a-3')).toEqual(['A-3'])
  })

  it('that are decided stand where they were worth then', async () => {
    await beginWithCosts()
    await decide('A-2', 'accept')
    await setCosts({ 'A-2': 1, 'A-3': 1 })
    expect(await pages('?sort=value&limit=2')).toEqual(['A-2', 'A-4', 'A-3', 'A-6', 'A-5', 'A-1'])
  })

  it('go on where they were though what a page ended with has another cost by then, or none', async () => {
    await beginWithCosts()
    const changes = [{ 'A-2': 2 }, { 'A-4': null }, { 'A-3': 0.1 }]
    const found = await pages('?sort=value&limit=1', async (page) => {
      for (const costs of changes.slice(page, page + 1)) await setCosts(costs)
    })
    expect(found).toEqual(['A-2', 'A-4', 'A-3', 'A-2', 'A-3', 'A-6', 'A-5', 'A-1', 'A-4'])
  })

  it('go on where they were though a cost is said of what a page without any ended with', async () => {
    await beginWithCosts()
    const first = await list('?sort=value&limit=5')
    await setCosts({ 'A-5': 1 })
    const rest = await list(`?sort=value&cursor=${first.next_cursor}`)
    expect(rest.discrepancies.map(({ sku }) => sku)).toEqual(['A-1'])
  })

  it('are found one by one though they are worth the same, and more than a number can say', async () => {
    await begin()
    await post('/components/import', [{ barcode: 'B-1', primary_quantity: 0 }])
    const most = 2_147_483_647
    for (const _ of [1, 2]) await count('B-1', most)
    await differ({ 'A-1': -3, 'A-2': 3, 'A-3': -3 })
    await setCosts({ 'B-1': 9_999_999.9999, 'A-1': 0.3333, 'A-2': 0.3333, 'A-3': 0.3333 })
    expect(await pages('?sort=value&limit=1')).toEqual(['B-1', 'A-3', 'A-2', 'A-1'])
  })

  it('are those of most pieces where the company has said no cost', async () => {
    await begin()
    await differ({ 'A-1': -5, 'A-2': 9, 'A-3': -5 })
    expect(await pages('?sort=value&limit=1')).toEqual(['A-2', 'A-3', 'A-1'])
    expect(await pages('?sort=largest&limit=1')).toEqual(['A-2', 'A-3', 'A-1'])
  })

  it.each(['-1.5.', '1.2.3.', `${'9'.repeat(22)}.5.`, '1.99999999999.', 'x.5.'])(
    'do not begin at %s…',
    async (before) => {
      await begin()
      const { status, body } = await ask(`?sort=value&cursor=${before}01890000-0000-7000-8000-000000000000`)
      expect([status, body]).toMatchObject([400, { error: 'cursor must be a cursor of an earlier reply.' }])
    },
  )

  it('begin where a cursor of another order says, without a value', async () => {
    await beginWithCosts()
    const rest = async (cursor: string) =>
      (await list(`?sort=value&cursor=${cursor}`)).discrepancies.map(({ sku }) => sku)
    const id = await idOf('A-5')
    expect(await rest(id)).toEqual(['A-1'])
    expect(await rest(`60.${id}`)).toEqual(['A-1'])
    const { discrepancies } = await list(`?sort=largest&cursor=10000000.60.${id}`)
    expect(discrepancies[0]?.sku).toBe('A-1')
  })
})
