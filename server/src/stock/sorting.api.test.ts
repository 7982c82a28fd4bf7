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

const stock = [
  { barcode: 'A-1', description: 'washer', primary_quantity: 5, secondary_quantity: 1 },
  { barcode: 'A-2', description: 'Bolt', primary_quantity: 5, fulfillment_quantity: 9 },
  { barcode: 'A-3', secondary_quantity: 30 },
  { barcode: 'B-1', description: 'Äther', primary_quantity: 8 },
  { barcode: 'B-2', description: 'bolt', primary_quantity: 7, secondary_quantity: 7 },
  { barcode: 'C-1', description: 'Zip' },
]

const post = (person: Person, path: string, body: unknown) =>
  app.done({ path: `/api${path}`, token: person.token, body })

async function companyWithStock(rows: unknown[] = stock): Promise<{ admin: Person; staff: Person }> {
  const admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  await post(admin, '/components/import', rows)
  return { admin, staff: await makeStaff(app, admin) }
}

const ask = (person: Person, query: string) =>
  app.ask({ method: 'GET', path: `/api/components/search?${query}`, token: person.token })

const reply = z.object({
  components: z.array(z.object({ barcode: z.string(), counted_at: z.string().nullish() })),
  next_cursor: z.string().nullable(),
})

async function list(person: Person, query: string) {
  const { components, next_cursor: next } = reply.parse((await ask(person, query)).body)
  return { barcodes: components.map(({ barcode }) => barcode), components, next }
}

const sorted = async (person: Person, query: string) => (await list(person, query)).barcodes

/** The list page by page; `meanwhile` is done once, after the first. */
async function pages(person: Person, query: string, meanwhile?: () => Promise<unknown>): Promise<string[][]> {
  const all: string[][] = []
  let cursor = ''
  while (all.length < 20) {
    const { barcodes, next } = await list(person, `${query}${cursor}`)
    all.push(barcodes)
    if (next === null) return all
    cursor = `&cursor=${next}`
    if (all.length === 1) await meanwhile?.()
  }
  throw new Error(`A list that has no end: ${all.join(' | ')}`)
}

const adjust = (person: Person, barcode: string, amount: number) =>
  post(person, '/components/adjust-quantity', {
    barcode,
    location: 'PRIMARY',
    amount,
    reason: amount > 0 ? 'received' : 'damaged',
    note: '',
  })

const count = (person: Person, barcode: string, { quantity, at }: { quantity: number; at: string }) =>
  post(person, '/components/update-with-tracking', {
    barcode,
    quantity,
    location: 'PRIMARY',
    session: 's',
    source: 'monthly',
    timestamp: at,
  })

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

const sorts = [
  ['', ['A-1', 'A-2', 'A-3', 'B-1', 'B-2', 'C-1']],
  ['sort=barcode', ['A-1', 'A-2', 'A-3', 'B-1', 'B-2', 'C-1']],
  ['sort=description', ['B-1', 'A-2', 'B-2', 'A-1', 'C-1', 'A-3']],
  ['sort=here&sort_location=PRIMARY', ['B-1', 'B-2', 'A-1', 'A-2', 'A-3', 'C-1']],
  ['sort=here&sort_location=Secondary%20Warehouse', ['A-3', 'B-2', 'A-1', 'A-2', 'B-1', 'C-1']],
  ['sort=total', ['A-3', 'A-2', 'B-2', 'B-1', 'A-1', 'C-1']],
  ['sort=counted&sort_location=PRIMARY', ['A-3', 'B-1', 'B-2', 'C-1', 'A-2', 'A-1']],
] as const

describe('the list of components', () => {
  let people: { admin: Person; staff: Person }
  beforeAll(async () => {
    people = await companyWithStock()
    await count(people.staff, 'A-1', { quantity: 5, at: hoursAgo(1) })
    await count(people.staff, 'A-2', { quantity: 5, at: hoursAgo(2) })
  })

  it.each(sorts)('with "%s" is in this order, equal ones by barcode, for everybody', async (query, order) => {
    expect(await sorted(people.admin, query)).toEqual(order)
    expect(await sorted(people.staff, query)).toEqual(order)
  })

  it.each(sorts)('with "%s" is in the same order page by page, each component once', async (query, order) => {
    for (const limit of [1, 2, 3, 5]) {
      expect((await pages(people.staff, `${query}&limit=${limit}`)).flat()).toEqual(order)
    }
  })

  it('sorts what a text finds, and other lists as well', async () => {
    const { admin, staff } = await companyWithStock()
    expect(await sorted(staff, 'text=b&sort=total')).toEqual(['A-2', 'B-2', 'B-1'])
    const components = stock.map(({ barcode }) => ({ barcode, minimum: 6 }))
    await post(admin, '/components/place', { location: 'PRIMARY', components })
    expect(await sorted(staff, 'state=low&sort=total')).toEqual(['A-3', 'A-2', 'A-1', 'C-1'])
    expect(await sorted(staff, 'state=low&sort=total&text=a-')).toEqual(['A-3', 'A-2', 'A-1'])
    const elsewhere = 'state=low&location=PRIMARY&sort=here&sort_location=SECONDARY'
    expect(await sorted(staff, elsewhere)).toEqual(['A-3', 'A-1', 'A-2', 'C-1'])
    expect((await pages(staff, `${elsewhere}&limit=3`)).flat()).toEqual(['A-3', 'A-1', 'A-2', 'C-1'])
    await post(admin, '/components/set-costs', { components: [{ barcode: 'A-2', unit_cost: 3 }] })
    expect(await sorted(admin, 'state=uncosted&sort=description')).toEqual(['B-1', 'B-2', 'A-1', 'A-3'])
    await post(admin, '/components/import', [{ barcode: 'D-1', description: 'Axle' }])
    for (const barcode of ['C-1', 'D-1']) await post(admin, '/components/retire', { barcode })
    expect(await sorted(staff, 'state=retired&sort=description')).toEqual(['D-1', 'C-1'])
  })

  it('is sorted for staff in every way, and what has no unit cost in none', async () => {
    for (const query of ['sort=total', 'sort=here&sort_location=PRIMARY']) {
      expect((await ask(people.staff, `state=uncosted&${query}`)).status).toBe(403)
    }
  })

  it('counts what is in quarantine into the total, and nowhere else', async () => {
    const { admin } = await companyWithStock([
      { barcode: 'A-1', primary_quantity: 5 },
      { barcode: 'A-2', primary_quantity: 4 },
      { barcode: 'A-3', primary_quantity: 3 },
    ])
    const aside = { barcode: 'A-1', from: 'PRIMARY', to: 'QUARANTINE', quantity: 3 }
    await post(admin, '/transfers', aside)
    expect(await sorted(admin, 'sort=here&sort_location=PRIMARY')).toEqual(['A-2', 'A-3', 'A-1'])
    expect(await sorted(admin, 'sort=total')).toEqual(['A-1', 'A-2', 'A-3'])
  })

  it('shows no other company, wherever a cursor comes from', async () => {
    const other = await makeCompany(app)
    await post(other, '/components/import', [
      { barcode: 'A-1', description: 'Ours', primary_quantity: 1 },
      { barcode: 'Z-1', description: 'Zero' },
    ])
    for (const [query] of sorts) {
      const { next } = await list(people.admin, `${query}&limit=1`)
      const { barcodes } = await list(other, `${query}&cursor=${next ?? ''}`)
      expect(['A-1', 'Z-1']).toEqual(expect.arrayContaining(barcodes))
    }
    expect(await sorted(other, 'sort=here&sort_location=PRIMARY')).toEqual(['A-1', 'Z-1'])
  })
})

describe('while stock changes between two pages', () => {
  it.each(['sort=total', 'sort=here&sort_location=PRIMARY'])(
    'with %s what keeps its stock is on exactly one of them',
    async (sort) => {
      const rows = [9, 7, 7, 7, 5, 3].map((quantity, index) => ({
        barcode: `A-${index}`,
        primary_quantity: quantity,
      }))
      // The last that was listed rises or falls, and so does one that comes later.
      for (const [ofLast, ofLater] of [
        [-7, 100],
        [5, -2],
        [-3, -1],
      ] as const) {
        const { admin } = await companyWithStock(rows)
        const [first, ...others] = await pages(admin, `${sort}&limit=2`, async () => {
          await adjust(admin, 'A-1', ofLast)
          await adjust(admin, 'A-4', ofLater)
        })
        expect(first).toEqual(['A-0', 'A-1'])
        const moved = new Set(['A-1', 'A-4'])
        expect(others.flat().filter((barcode) => !moved.has(barcode))).toEqual(['A-2', 'A-3', 'A-5'])
      }
    },
  )

  it('what was described anew meanwhile moves alone', async () => {
    const rows = ['Axle', 'Bolt', 'Bolt', 'Cap', 'Drill'].map((description, index) => ({
      barcode: `A-${index}`,
      description,
    }))
    const { admin } = await companyWithStock(rows)
    const all = await pages(admin, 'sort=description&limit=2', () =>
      post(admin, '/components/describe', { barcode: 'A-1', description: 'Zip' }),
    )
    expect(all).toEqual([
      ['A-0', 'A-1'],
      ['A-2', 'A-3'],
      ['A-4', 'A-1'],
    ])
  })

  it('what is counted meanwhile moves to the end', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, 'A-1', { quantity: 5, at: hoursAgo(2) })
    const all = await pages(staff, 'sort=counted&sort_location=PRIMARY&limit=3', () =>
      count(admin, 'B-1', { quantity: 8, at: hoursAgo(1) }),
    )
    expect(all).toEqual([['A-2', 'A-3', 'B-1'], ['B-2', 'C-1', 'A-1'], ['B-1']])
  })
})

describe('by when it was counted', () => {
  it('says when that was, and what was not counted since a reset comes first', async () => {
    const { admin, staff } = await companyWithStock(stock.slice(0, 2))
    const at = hoursAgo(1)
    await count(staff, 'A-1', { quantity: 5, at })
    const query = 'sort=counted&sort_location=PRIMARY'
    expect((await list(staff, query)).components).toEqual([
      { barcode: 'A-2', counted_at: null },
      { barcode: 'A-1', counted_at: at },
    ])
    expect((await list(staff, 'sort=counted&sort_location=SECONDARY')).components).toEqual([
      { barcode: 'A-1', counted_at: null },
      { barcode: 'A-2', counted_at: null },
    ])
    expect((await list(staff, 'sort=here&sort_location=PRIMARY')).components).toEqual([
      { barcode: 'A-1' },
      { barcode: 'A-2' },
    ])
    await post(admin, '/components/reset-counts', { location: 'PRIMARY' })
    expect((await list(staff, query)).components).toEqual([
      { barcode: 'A-1', counted_at: null },
      { barcode: 'A-2', counted_at: null },
    ])
  })

  it('tells apart what was counted within the same millisecond', async () => {
    const { admin } = await companyWithStock(stock.slice(0, 3))
    const { rowCount } = await app.owner.query(
      `update stock set counted_at = timestamptz '2026-01-01 12:00:00Z' + (case components.barcode
        when 'A-1' then interval '999 microseconds' else interval '1 microsecond' end)
      from components
      where components.tenant_id = stock.tenant_id and components.id = stock.component_id
        and stock.tenant_id = $1 and location in ('PRIMARY', 'SECONDARY')`,
      [admin.tenantId],
    )
    expect(rowCount).toBe(4)
    const all = await pages(admin, 'sort=counted&sort_location=PRIMARY&limit=1')
    expect(all).toEqual([['A-3'], ['A-2'], ['A-1']])
  })
})

const cursorOf = (...parts: string[]) => Buffer.from(parts.join('\n')).toString('base64url')

describe('a list that cannot be sorted', () => {
  let people: { admin: Person; staff: Person }
  beforeAll(async () => {
    people = await companyWithStock()
  })

  it.each([
    ['sort=here', 'sort_location is needed with sort=here.'],
    ['sort=counted&location=PRIMARY', 'sort_location is needed with sort=counted.'],
    ['sort=here&sort_location=MOON', 'Invalid location selected.'],
    ['sort=newest', 'sort must be one of: barcode, description, here, total, counted.'],
  ])('with "%s" is refused', async (query, sentence) => {
    const { status, body } = await ask(people.staff, query)
    expect([status, body]).toMatchObject([400, { error: sentence, code: 'invalid_request' }])
  })

  it.each([
    ['of a list by barcode', 'sort=total', 'A-1'],
    ['that is empty', 'sort=total', ''],
    ['of an order alone', 'sort=total', cursorOf('total')],
    ['without a figure', 'sort=total', cursorOf('total', 'A-1')],
    ['of half a piece', 'sort=total', cursorOf('total', 'A-1', '1.5')],
    ['of less than nothing', 'sort=total', cursorOf('total', 'A-1', '-1')],
    ['of more than there can be', 'sort=total', cursorOf('total', 'A-1', '99999999999999999')],
    ['without a barcode', 'sort=total', cursorOf('total', '', '5')],
    ['with a barcode that is too long', 'sort=total', cursorOf('total', 'A'.repeat(49), '5')],
    ['of another order', 'sort=total', cursorOf('here', 'A-1', '5')],
    ['with more in it', 'sort=total', cursorOf('total', 'A-1', '5', '6')],
    ['of a list by stock', 'sort=description', cursorOf('total', 'A-1', '5')],
    ['without a description', 'sort=description', cursorOf('description', 'A-1')],
    ['that nothing can keep', 'sort=description', cursorOf('description', 'A-1', 'Bo\0lt')],
    ['with too long a description', 'sort=description', cursorOf('description', 'A-1', 'B'.repeat(501))],
    ['longer than a barcode', 'sort=barcode', cursorOf('description', 'A-1', 'A long description of a bolt')],
  ])('does not begin at a cursor %s', async (_, query, cursor) => {
    const { status, body } = await ask(people.staff, `${query}&cursor=${cursor}`)
    const error = 'cursor must be a cursor of an earlier reply with the same sort.'
    expect([status, body]).toMatchObject([400, { error, code: 'invalid_request' }])
  })

  it('does not begin at a cursor of any length', async () => {
    const { status, body } = await ask(people.staff, `sort=total&cursor=${'A'.repeat(2_213)}`)
    expect([status, body]).toMatchObject([400, { error: 'cursor must have at most 2,212 characters.' }])
  })

  it('takes the cursor of a long description in any letters', async () => {
    const rows = ['\u{10348}', '漢', 'é', '\n'].map((letter, index) => ({
      barcode: `漢字-${index}-${'字'.repeat(40)}`,
      description: `A${letter.repeat(499 / letter.length)}Z`.slice(0, 500),
    }))
    const { admin } = await companyWithStock(rows)
    expect((await pages(admin, 'sort=description&limit=1')).flat()).toHaveLength(4)
  })
})

it('a list is sorted by stock where the plan opens nothing any more, as far as anybody may read it', async () => {
  const { admin, staff } = await companyWithStock()
  await post(admin, '/company/plan', { plan: 'starter', accept_read_only: true })
  const query = 'sort=here&sort_location=SECONDARY'
  expect(await sorted(staff, query)).toEqual(['A-3', 'B-2', 'A-1', 'A-2', 'B-1', 'C-1'])
  const starter = await makeCompany(app, { plan: 'starter' })
  await post(starter, '/components/import', [{ barcode: 'B-1', primary_quantity: 1 }, { barcode: 'A-1' }])
  expect(await sorted(starter, query)).toEqual(['A-1', 'B-1'])
})

it('a sorted list of a company that was just filled is there at once, though the planner still takes it for small', async () => {
  const fresh = await startTestApp()
  for (let company = 0; company < 20; company += 1) {
    const other = await makeCompany(fresh)
    await fresh.done({ path: '/api/components/import', token: other.token, body: stock })
  }
  await fresh.owner.query('analyze')
  const { token } = await makeCompany(fresh)
  const rows = Array.from({ length: 10_000 }, (_, index) => ({
    barcode: `SKU-${index}`,
    primary_quantity: 1,
    secondary_quantity: 2,
  }))
  await fresh.done({ path: '/api/components/import', token, body: rows })
  // Where every row is compared with every other, the database ends the statement and the answer is 503.
  for (const [query] of sorts) {
    const path = `/api/components/search?${query}`
    expect((await fresh.ask({ method: 'GET', path, token })).status).toBe(200)
  }
  await fresh.close()
}, 120_000)
