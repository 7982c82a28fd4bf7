import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompanyWithStock } from '../../test/company-with-stock.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** A company with 5 bolts at Primary and 2 at Secondary, 7 nuts at Primary and no washers. */
async function companyWithStock(plan: 'starter' | 'professional' = 'professional') {
  const rows = [
    {
      barcode: 'BOLT-8',
      description: 'Bolt',
      primary_quantity: 5,
      ...(plan === 'starter' ? {} : { secondary_quantity: 2 }),
    },
    { barcode: 'NUT-8', description: 'Nut', primary_quantity: 7 },
    { barcode: 'WASHER-8', description: 'Washer' },
  ]
  return await makeCompanyWithStock(app, rows, { plan })
}

const post = (person: Person, path: string, body: unknown) =>
  app.ask({ path: `/api${path}`, token: person.token, body })

const get = async (person: Person, path: string) =>
  (await app.ask({ method: 'GET', path: `/api${path}`, token: person.token })).body

const place = (person: Person, components: unknown[], location = 'PRIMARY') =>
  post(person, '/components/place', { location, components })

const found = z.object({ components: z.array(z.object({ barcode: z.string() })) })

async function search(person: Person, query: string): Promise<string[]> {
  const { components } = found.parse(await get(person, `/components/search?${query}`))
  return components.map(({ barcode }) => barcode)
}

/** What the page of a component says of each location that has a bin or a minimum. */
async function placedOf(person: Person, barcode: string) {
  const line = z.object({ location: z.string(), bin: z.string(), minimum: z.int().nullable() })
  const { stock } = z
    .object({ stock: z.array(line) })
    .parse(await get(person, `/components/detail?barcode=${barcode}`))
  return stock.filter(({ bin, minimum }) => bin !== '' || minimum !== null)
}

const trail = z.object({
  entries: z.array(
    z.object({ user_name: z.string(), location: z.string().nullable(), metadata: z.unknown() }),
  ),
})

describe('bins and minimums', () => {
  it('are set for several components at a location, and shown with each', async () => {
    const { admin, staff } = await companyWithStock()
    const { status, body } = await place(admin, [
      { barcode: 'BOLT-8', bin: ' A-03-2 ', minimum: 6 },
      { barcode: 'NUT-8', bin: 'A-01-1' },
    ])
    expect([status, body]).toEqual([200, { success: true, changed: 2, not_found: [] }])
    await place(admin, [{ barcode: 'BOLT-8', minimum: 1 }], 'Secondary Warehouse')
    expect(await placedOf(staff, 'BOLT-8')).toEqual([
      { location: 'PRIMARY', bin: 'A-03-2', minimum: 6 },
      { location: 'SECONDARY', bin: '', minimum: 1 },
    ])
    expect(await get(staff, '/components/search?text=nut')).toMatchObject({
      components: [{ barcode: 'NUT-8', placements: [{ location: 'PRIMARY', bin: 'A-01-1', minimum: null }] }],
    })
  })

  it('stay where they are left out, and go where they are emptied', async () => {
    const { admin } = await companyWithStock()
    await place(admin, [{ barcode: 'BOLT-8', bin: 'A-1', minimum: 6 }])
    await place(admin, [{ barcode: 'BOLT-8', bin: 'A-2' }])
    expect(await placedOf(admin, 'BOLT-8')).toEqual([{ location: 'PRIMARY', bin: 'A-2', minimum: 6 }])
    await place(admin, [{ barcode: 'BOLT-8', minimum: null }])
    expect(await placedOf(admin, 'BOLT-8')).toEqual([{ location: 'PRIMARY', bin: 'A-2', minimum: null }])
    const { body } = await place(admin, [{ barcode: 'BOLT-8', bin: '' }])
    expect(body).toMatchObject({ changed: 1 })
    expect(await placedOf(admin, 'BOLT-8')).toEqual([])
  })

  it('of codes that mean nothing in use are named, and the others set; of two for one component the last', async () => {
    const { admin } = await companyWithStock()
    await post(admin, '/components/add-barcode', { barcode: 'BOLT-8', alias: '4006381333931' })
    await post(admin, '/components/retire', { barcode: 'WASHER-8' })
    const { body } = await place(admin, [
      { barcode: 'BOLT-8', bin: 'A-1' },
      { barcode: 'NOTHING', bin: 'A-2' },
      { barcode: 'WASHER-8', bin: 'A-3' },
      { barcode: '4006381333931', bin: 'A-4' },
    ])
    expect(body).toEqual({ success: true, changed: 1, not_found: ['NOTHING', 'WASHER-8'] })
    expect(await placedOf(admin, 'BOLT-8')).toMatchObject([{ bin: 'A-4' }])
    expect(await placedOf(admin, 'WASHER-8')).toEqual([])
  })

  it('of one component in several rows add up', async () => {
    const { admin } = await companyWithStock()
    const { body } = await place(admin, [
      { barcode: 'BOLT-8', bin: 'A-1' },
      { barcode: 'BOLT-8', minimum: 3 },
    ])
    expect(body).toMatchObject({ changed: 1 })
    expect(await placedOf(admin, 'BOLT-8')).toMatchObject([{ bin: 'A-1', minimum: 3 }])
  })

  it('that two administrators set at the same moment are both kept', async () => {
    const { admin } = await companyWithStock()
    const rounds = Array.from({ length: 5 }, (_, round) => round + 1)
    for (const round of rounds) {
      await Promise.all([
        place(admin, [{ barcode: 'BOLT-8', bin: `A-${round}` }]),
        place(admin, [{ barcode: 'BOLT-8', minimum: round }]),
      ])
      expect(await placedOf(admin, 'BOLT-8')).toMatchObject([{ bin: `A-${round}`, minimum: round }])
    }
  })

  it('stand in the trail with what they were; what stays as it is stands nowhere', async () => {
    const { admin } = await companyWithStock()
    await place(admin, [{ barcode: 'BOLT-8', bin: 'A-1', minimum: 4 }])
    await place(admin, [{ barcode: 'BOLT-8', bin: 'A-2' }])
    expect((await place(admin, [{ barcode: 'BOLT-8', bin: 'A-2', minimum: 4 }])).body).toMatchObject({
      changed: 0,
    })
    const { entries } = trail.parse(await get(admin, '/audit/trail?sku=BOLT-8'))
    expect(entries).toMatchObject([
      {
        user_name: admin.name,
        location: 'PRIMARY',
        metadata: {
          event_type: 'placement_changed',
          old_value: { bin: 'A-1', minimum: 4 },
          new_value: { bin: 'A-2', minimum: 4 },
        },
      },
      { metadata: { old_value: { bin: '', minimum: null }, new_value: { bin: 'A-1', minimum: 4 } } },
    ])
  })

  it('of more than 500 components at once are one entry, which says how many', async () => {
    const admin = await makeCompany(app)
    const barcodes = Array.from({ length: 501 }, (_, index) => `MANY-${index}`)
    await post(
      admin,
      '/components/import',
      barcodes.map((barcode) => ({ barcode })),
    )
    const { body } = await place(
      admin,
      barcodes.map((barcode) => ({ barcode, bin: 'A-1' })),
    )
    expect(body).toMatchObject({ changed: 501 })
    expect(await get(admin, '/audit/trail?action=Configuration')).toMatchObject({
      entries: [
        {
          metadata: {
            event_type: 'placements_changed',
            new_value: { location: 'PRIMARY', changed: 501 },
          },
        },
      ],
    })
  })

  it.each([
    [{ barcode: 'BOLT-8', bin: 'x'.repeat(41) }, 'Row 2: bin must have at most 40 characters.'],
    [{ barcode: 'BOLT-8', bin: 'A\n1' }, 'Row 2: bin must not contain control characters.'],
    [{ barcode: 'BOLT-8', minimum: -1 }, 'Row 2: minimum must be a whole number from 0 to 2,147,483,647.'],
    [{ barcode: 'BOLT-8', minimum: 1.5 }, 'Row 2: minimum must be a whole number from 0 to 2,147,483,647.'],
  ])('such as %j are refused, and nothing changes', async (row, sentence) => {
    const { admin } = await companyWithStock()
    const { status, body } = await place(admin, [{ barcode: 'NUT-8', bin: 'A-1' }, row])
    expect([status, body]).toMatchObject([400, { error: sentence }])
    expect(await placedOf(admin, 'NUT-8')).toEqual([])
  })

  it('are set by administrators only, at locations of the plan', async () => {
    const { admin, staff } = await companyWithStock('starter')
    const row = { barcode: 'BOLT-8', bin: 'A-1' }
    expect((await place(staff, [row])).status).toBe(403)
    expect(await place(admin, [row], 'SECONDARY')).toMatchObject({
      status: 403,
      body: { error: 'Your plan does not include this location.' },
    })
    expect(await placedOf(admin, 'BOLT-8')).toEqual([])
  })
})

describe('lists to count', () => {
  it('say in which bin of their location a component lies', async () => {
    const { admin, staff } = await companyWithStock()
    await place(admin, [{ barcode: 'BOLT-8', bin: 'A-03', minimum: 6 }])
    await place(admin, [{ barcode: 'NUT-8', bin: 'Z-9' }], 'SECONDARY')
    const days = { Monday: ['PRIMARY'] }
    await post(admin, '/components/configure-high-volume', { barcode: 'BOLT-8', assignments: days })
    expect(await get(staff, '/components/to-count?location=PRIMARY')).toMatchObject({
      components: [
        { barcode: 'BOLT-8', description: 'Bolt', bin: 'A-03', is_high_volume: true },
        { barcode: 'NUT-8', description: 'Nut' },
        { barcode: 'WASHER-8', description: 'Washer' },
      ],
    })
    const day = { day: 'Monday', location: 'PRIMARY' }
    expect((await post(staff, '/components/high-volume-for-day', day)).body).toMatchObject({
      components: [{ barcode: 'BOLT-8', bin: 'A-03' }],
    })
  })
})

describe('what is low', () => {
  it('is what has less than its minimum, at a location that is named or at any', async () => {
    const { admin, staff } = await companyWithStock()
    await place(admin, [
      { barcode: 'BOLT-8', minimum: 5 },
      { barcode: 'NUT-8', minimum: 8 },
      { barcode: 'WASHER-8', minimum: 1 },
    ])
    await place(admin, [{ barcode: 'BOLT-8', minimum: 3 }], 'SECONDARY')
    expect(await search(staff, 'state=low')).toEqual(['BOLT-8', 'NUT-8', 'WASHER-8'])
    expect(await search(staff, 'state=low&location=PRIMARY')).toEqual(['NUT-8', 'WASHER-8'])
    expect(await search(staff, 'state=low&location=SECONDARY')).toEqual(['BOLT-8'])
    expect(await search(staff, 'state=low&text=nut')).toEqual(['NUT-8'])
    expect(await get(staff, '/components/low')).toEqual({ low: 3 })
  })

  it('is no more so once there is enough, and where it is retired', async () => {
    const { admin } = await companyWithStock()
    await place(admin, [
      { barcode: 'NUT-8', minimum: 8 },
      { barcode: 'WASHER-8', minimum: 1 },
    ])
    const received = { barcode: 'NUT-8', location: 'PRIMARY', amount: 1, reason: 'received' }
    await post(admin, '/components/adjust-quantity', received)
    await post(admin, '/components/retire', { barcode: 'WASHER-8' })
    expect(await search(admin, 'state=low')).toEqual([])
    expect(await get(admin, '/components/low')).toEqual({ low: 0 })
  })

  it('at a location that the plan no longer opens is told only where it is named', async () => {
    const { admin } = await companyWithStock()
    await place(admin, [{ barcode: 'BOLT-8', minimum: 3 }], 'SECONDARY')
    expect(await get(admin, '/components/low')).toEqual({ low: 1 })
    await post(admin, '/company/plan', { plan: 'starter', accept_read_only: true })
    expect(await get(admin, '/components/low')).toEqual({ low: 0 })
    expect(await search(admin, 'state=low')).toEqual([])
    expect(await search(admin, 'state=low&location=SECONDARY')).toEqual(['BOLT-8'])
  })
})

it('what is low in a company that was just filled is told at once, though the planner still takes it for small', async () => {
  const fresh = await startTestApp()
  for (let company = 0; company < 20; company += 1) {
    const other = await makeCompany(fresh)
    const few = Array.from({ length: 10 }, (_, index) => ({
      barcode: `A-${index}`,
      primary_quantity: 1,
      secondary_quantity: 1,
    }))
    await fresh.done({ path: '/api/components/import', token: other.token, body: few })
  }
  await fresh.owner.query('analyze')
  const { token } = await makeCompany(fresh)
  const barcodes = Array.from({ length: 10_000 }, (_, index) => `SKU-${index}`)
  const rows = barcodes.map((barcode) => ({ barcode, primary_quantity: 1, secondary_quantity: 1 }))
  await fresh.done({ path: '/api/components/import', token, body: rows })
  for (const location of ['PRIMARY', 'SECONDARY']) {
    const components = barcodes.map((barcode) => ({ barcode, minimum: barcode.startsWith('SKU-99') ? 2 : 1 }))
    await fresh.done({ path: '/api/components/place', token, body: { location, components } })
  }
  // Where every row is compared with every other, the database ends the statement and the answer is 503.
  const ask = (path: string) => fresh.ask({ method: 'GET', path: `/api/components/${path}`, token })
  expect((await ask('low')).body).toEqual({ low: 111 })
  expect(found.parse((await ask('search?state=low')).body).components).toHaveLength(111)
  await fresh.close()
}, 90_000)

describe('a component', () => {
  it('is found by its bin', async () => {
    const { admin, staff } = await companyWithStock()
    await place(admin, [{ barcode: 'NUT-8', bin: 'Aisle 3' }], 'SECONDARY')
    expect(await search(staff, 'text=aisle')).toEqual(['NUT-8'])
  })
})
