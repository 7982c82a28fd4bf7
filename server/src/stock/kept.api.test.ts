import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompanyWithStock } from '../../test/company-with-stock.ts'
import { listBroken } from '../../test/invariants.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const companies = new Set<string>()
afterEach(async () => {
  const made = [...companies]
  companies.clear()
  for (const tenantId of made) {
    const broken = await listBroken(app.owner, tenantId)
    if (broken.length > 0) throw new Error(broken.join('\n'))
  }
})

/** A company with 5 bolts at Primary and 2 at Secondary, 7 nuts at Primary, and no washers and screws. */
async function companyWithStock() {
  const rows = [
    { barcode: 'BOLT', description: 'Bolt', primary_quantity: 5, secondary_quantity: 2 },
    { barcode: 'NUT', description: 'Nut', primary_quantity: 7 },
    { barcode: 'SCREW', description: 'Screw' },
    { barcode: 'WASHER', description: 'Washer' },
  ]
  const people = await makeCompanyWithStock(app, rows, { plan: 'professional' })
  companies.add(people.admin.tenantId)
  return people
}

const post = (person: Person, path: string, body: unknown) =>
  app.ask({ path: `/api${path}`, token: person.token, body })

const get = async (person: Person, path: string) =>
  (await app.ask({ method: 'GET', path: `/api${path}`, token: person.token })).body

const keep = async (person: Person, body: { location: string; kept: boolean; barcodes?: string[] }) =>
  (await post(person, '/components/keep', body)).body

const leaveOut = (person: Person, ...barcodes: string[]) =>
  keep(person, { location: 'SECONDARY', kept: false, barcodes })

/** Counts a component, at Secondary where no other location is named. */
const count = (person: Person, counted: { barcode: string; quantity: number; location?: string }) =>
  post(person, '/components/update-with-tracking', {
    location: 'SECONDARY',
    ...counted,
    source: 'monthly',
    session: 'Monthly_1',
    timestamp: new Date().toISOString(),
  })

const list = z.object({
  components: z.array(z.object({ barcode: z.string() })),
  counted: z.int(),
  total: z.int(),
})

/** What a location has to count. */
async function toCount(person: Person, location = 'SECONDARY') {
  const { components, counted, total } = list.parse(
    await get(person, `/components/to-count?location=${location}`),
  )
  return { barcodes: components.map(({ barcode }) => barcode), counted, total }
}

/** How many components each location has to count, as the overview says it. */
async function totals(person: Person) {
  const located = z.object({ location: z.string(), counted: z.int(), total: z.int() })
  const { counting } = z
    .object({ counting: z.object({ components: z.int(), locations: z.array(located) }) })
    .parse(await get(person, '/dashboard'))
  return {
    all: counting.components,
    ...Object.fromEntries(counting.locations.map((at) => [at.location, at.total])),
  }
}

const trail = z.object({
  entries: z.array(
    z.object({
      sku: z.string(),
      location: z.string().nullable(),
      metadata: z.looseObject({ event_type: z.string() }),
    }),
  ),
})

async function entriesOf(person: Person, event: string) {
  const { entries } = trail.parse(await get(person, '/audit/trail?limit=100'))
  return entries.filter(({ metadata }) => metadata.event_type === event)
}

const told = async (person: Person, event: string) =>
  (await entriesOf(person, event)).map(({ sku, location }) => `${sku} ${location}`).toSorted()

describe('what a location keeps', () => {
  it('is everything until an administrator leaves something out: lists, totals and sheets are without it, elsewhere nothing changes', async () => {
    const { admin, staff } = await companyWithStock()
    expect(await totals(staff)).toMatchObject({ all: 4, PRIMARY: 4, SECONDARY: 4 })
    expect(await leaveOut(admin, 'WASHER', 'NUT')).toEqual({
      success: true,
      changed: 2,
      not_found: [],
      refused: [],
    })
    expect(await toCount(staff)).toEqual({ barcodes: ['BOLT', 'SCREW'], counted: 0, total: 2 })
    expect(await toCount(staff, 'PRIMARY')).toEqual({
      barcodes: ['BOLT', 'NUT', 'SCREW', 'WASHER'],
      counted: 0,
      total: 4,
    })
    expect(await totals(staff)).toMatchObject({ all: 4, PRIMARY: 4, SECONDARY: 2 })
    const status = await post(staff, '/components/with-count-status', { location: 'SECONDARY' })
    expect(list.parse(status.body)).toMatchObject({
      total: 2,
      components: [{ barcode: 'BOLT' }, { barcode: 'SCREW' }],
    })
    expect(await get(admin, '/components/kept?location=SECONDARY')).toEqual({
      kept: 2,
      not_kept: 2,
      empty: 1,
    })
    expect(await get(admin, '/counting/room')).toMatchObject({
      locations: [{ total: 4 }, { location: 'SECONDARY', total: 2, left: 2 }, { total: 4 }],
    })
    expect(await told(admin, 'component_not_kept')).toEqual(['NUT SECONDARY', 'WASHER SECONDARY'])
  })

  it('is missing from a list to count that says how many are', async () => {
    const { admin, staff } = await companyWithStock()
    const told = () => get(staff, '/components/to-count?location=SECONDARY')
    expect(await told()).not.toHaveProperty('not_kept')
    await leaveOut(admin, 'WASHER', 'NUT')
    expect(await told()).toMatchObject({ total: 2, not_kept: 2 })
    await count(staff, { barcode: 'NUT', quantity: 0 })
    expect(await told()).toMatchObject({ total: 3, not_kept: 1 })
  })

  it('is found by its state, and stands on the page of a component', async () => {
    const { admin, staff } = await companyWithStock()
    await leaveOut(admin, 'WASHER')
    await keep(admin, { location: 'FULFILLMENT', kept: false, barcodes: ['NUT'] })
    const search = (at: string) => get(staff, `/components/search?state=not_kept${at}`)
    expect(await search('')).toMatchObject({ components: [{ barcode: 'NUT' }, { barcode: 'WASHER' }] })
    expect(await search('&location=SECONDARY')).toMatchObject({ components: [{ barcode: 'WASHER' }] })
    expect(await get(staff, '/components/detail?barcode=WASHER')).toMatchObject({
      stock: [
        { location: 'PRIMARY', kept: true },
        { location: 'SECONDARY', kept: false },
        { location: 'FULFILLMENT', kept: true },
        { location: 'DISTRIBUTION', kept: true },
        { location: 'QUARANTINE', kept: true },
      ],
    })
    const download = async (at: string) => {
      const path = `/api/exports/components?format=csv&state=not_kept${at}`
      const file = await fetch(app.url + path, { headers: { authorization: `Bearer ${admin.token}` } })
      expect(file.headers.get('content-disposition')).toContain('components-not-kept')
      const rows: string[][] = parse(await file.text(), { bom: true })
      const [heads = []] = rows
      const told = heads.flatMap((head, column) => (/^Barcode$|leaves it out$/.test(head) ? [column] : []))
      return rows.map((row) => told.map((column) => row[column]))
    }
    expect(await download('&location=SECONDARY')).toEqual([
      ['Barcode', 'Secondary Warehouse leaves it out'],
      ['WASHER', 'yes'],
    ])
    expect(await download('')).toEqual([
      [
        'Barcode',
        'Primary Warehouse leaves it out',
        'Secondary Warehouse leaves it out',
        'Fulfillment Center leaves it out',
      ],
      ['NUT', '', '', 'yes'],
      ['WASHER', '', 'yes', ''],
    ])
  })

  it('may not leave out what has something to do there, and says what; the others it does', async () => {
    const { admin, staff } = await companyWithStock()
    await post(admin, '/transfers', { barcode: 'NUT', from: 'PRIMARY', to: 'SECONDARY', quantity: 1 })
    await count(staff, { barcode: 'SCREW', quantity: 3 })
    const day = { barcodes: ['WASHER'], day: 'Monday', location: 'SECONDARY', action: 'add' }
    await post(admin, '/components/bulk-high-volume', day)
    expect(await leaveOut(admin, 'BOLT', 'NUT', 'SCREW', 'WASHER', 'NONE')).toEqual({
      success: true,
      changed: 0,
      not_found: ['NONE'],
      refused: expect.arrayContaining([
        { barcode: 'BOLT', reason: 'stock' },
        { barcode: 'NUT', reason: 'on_its_way' },
        { barcode: 'SCREW', reason: 'difference' },
        { barcode: 'WASHER', reason: 'weekly' },
      ]),
    })
    expect((await toCount(staff)).total).toBe(4)
    expect(await told(admin, 'component_not_kept')).toEqual([])
    await post(admin, '/components/retire', { barcode: 'WASHER' })
    expect(await leaveOut(admin, 'WASHER')).toMatchObject({ changed: 0, not_found: ['WASHER'], refused: [] })
  })

  it('leaves the progress of its month alone where nothing is left out that was counted', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, { barcode: 'SCREW', quantity: 0 })
    const version = async () => {
      const { rows } = await app.owner.query(
        `select xmin::text from count_progress where tenant_id = $1 and location = 'SECONDARY'`,
        [admin.tenantId],
      )
      return rows
    }
    const before = await version()
    expect(before).toHaveLength(1)
    expect(await leaveOut(admin, 'BOLT')).toMatchObject({ changed: 0, refused: [{ reason: 'stock' }] })
    expect(await version()).toEqual(before)
    expect(await leaveOut(admin, 'SCREW')).toMatchObject({ changed: 1 })
    expect(await version()).not.toEqual(before)
  })

  it('says why under each code by which a component was named that it may not leave out', async () => {
    const { admin } = await companyWithStock()
    await post(admin, '/components/add-barcode', { barcode: 'BOLT', alias: 'CASE-OF-12', pieces: 12 })
    expect(await leaveOut(admin, 'BOLT', 'WASHER', 'CASE-OF-12')).toEqual({
      success: true,
      changed: 1,
      not_found: [],
      refused: [
        { barcode: 'BOLT', reason: 'stock' },
        { barcode: 'CASE-OF-12', reason: 'stock' },
      ],
    })
  })

  it('is said of all at once that has neither stock, bin, minimum nor a weekly list there, and taken back so', async () => {
    const { admin, staff } = await companyWithStock()
    const placed = { location: 'SECONDARY', components: [{ barcode: 'WASHER', bin: 'B-1' }] }
    await post(admin, '/components/place', placed)
    expect(await keep(admin, { location: 'SECONDARY', kept: false })).toMatchObject({
      changed: 2,
      refused: [],
    })
    expect(await toCount(staff)).toMatchObject({ barcodes: ['BOLT', 'WASHER'], total: 2 })
    expect(await keep(admin, { location: 'SECONDARY', kept: false })).toMatchObject({ changed: 0 })
    expect(await keep(admin, { location: 'SECONDARY', kept: true })).toMatchObject({ changed: 2 })
    expect(await toCount(staff)).toMatchObject({ total: 4 })
    expect(await told(admin, 'component_kept')).toEqual(['NUT SECONDARY', 'SCREW SECONDARY'])
  })

  it('of more components than the trail names it tells how many they are', async () => {
    const { admin } = await companyWithStock()
    const rows = Array.from({ length: 501 }, (_, index) => ({ barcode: `MORE-${index}` }))
    await app.done({ path: '/api/components/import', token: admin.token, body: rows })
    expect(await keep(admin, { location: 'SECONDARY', kept: false })).toMatchObject({ changed: 504 })
    expect(await entriesOf(admin, 'components_not_kept')).toMatchObject([
      { metadata: { new_value: { location: 'SECONDARY', changed: 504 } } },
    ])
  })

  it('is said of 10,000 components at once that were just imported', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    const barcodes = Array.from({ length: 10_000 }, (_, at) => `NEW-${at}`)
    const body = barcodes.map((barcode) => ({ barcode }))
    await app.done({ path: '/api/components/import', token: admin.token, body })
    for (const kept of [false, true]) {
      expect(await keep(admin, { location: 'SECONDARY', kept, barcodes })).toMatchObject({ changed: 10_000 })
    }
  })

  it('takes what was counted of it this month out of the progress, and brings none of it back', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, { barcode: 'WASHER', quantity: 0 })
    await count(staff, { barcode: 'SCREW', quantity: 0 })
    expect(await toCount(staff)).toMatchObject({ counted: 2, total: 4 })
    await leaveOut(admin, 'WASHER')
    expect(await toCount(staff)).toMatchObject({ counted: 1, total: 3 })
    await keep(admin, { location: 'SECONDARY', kept: true, barcodes: ['WASHER'] })
    expect(await toCount(staff)).toMatchObject({ counted: 1, total: 4 })
  })
})

describe('what a location leaves out', () => {
  it('is kept again when somebody counts it there', async () => {
    const { admin, staff } = await companyWithStock()
    await leaveOut(admin, 'WASHER', 'SCREW')
    await toCount(staff)
    const { body } = await count(staff, { barcode: 'WASHER', quantity: 0 })
    expect(body).toMatchObject({ matched: true, progress: { counted: 1, total: 3 } })
    expect(await toCount(staff)).toEqual({ barcodes: ['BOLT', 'NUT', 'WASHER'], counted: 1, total: 3 })
    expect(await told(admin, 'component_kept')).toEqual(['WASHER SECONDARY'])
  })

  it('is kept again by counts that come at the same moment, each of them once', async () => {
    const { admin, staff } = await companyWithStock()
    const barcodes = ['BOLT', 'NUT', 'SCREW', 'WASHER']
    for (const barcode of barcodes) {
      for (const quantity of [1, 0]) {
        await post(admin, '/components/update-quantity', { barcode, location: 'FULFILLMENT', quantity })
      }
    }
    await keep(admin, { location: 'FULFILLMENT', kept: false })
    const made = barcodes.map((barcode) => count(staff, { barcode, quantity: 0, location: 'FULFILLMENT' }))
    for (const { body } of await Promise.all(made)) expect(body).toMatchObject({ matched: true })
    expect(await toCount(staff, 'FULFILLMENT')).toMatchObject({ counted: 4, total: 4 })
    expect(await told(admin, 'component_kept')).toHaveLength(4)
  })

  it('stays so after a first entry that did not match, and is kept with the second', async () => {
    const { admin, staff } = await companyWithStock()
    await leaveOut(admin, 'WASHER')
    await count(staff, { barcode: 'WASHER', quantity: 4 })
    expect(await toCount(staff)).toMatchObject({ barcodes: ['BOLT', 'NUT', 'SCREW'], total: 3 })
    const { body } = await count(staff, { barcode: 'WASHER', quantity: 4 })
    expect(body).toMatchObject({ recorded: true, progress: { counted: 1, total: 4 } })
    expect(await toCount(staff)).toMatchObject({ counted: 1, total: 4 })
  })

  const atSecondary = { barcode: 'WASHER', location: 'SECONDARY' }

  /** Takes a file that says what stock of washers there is at Secondary, and gives its id. */
  async function importFile(admin: Person, quantity: string): Promise<string> {
    const fields = ['barcode', 'secondary_quantity']
    const { body } = await post(admin, '/imports', { name: 'stock.csv', fields })
    const { id } = z.object({ import: z.object({ id: z.string() }) }).parse(body).import
    await post(admin, `/imports/${id}/rows`, { rows: [{ line: 2, cells: ['WASHER', quantity] }] })
    await post(admin, `/imports/${id}/commit`, {})
    return id
  }

  async function receive(admin: Person): Promise<void> {
    await post(admin, '/components/update-quantity', { barcode: 'WASHER', location: 'PRIMARY', quantity: 4 })
    const sent = { barcode: 'WASHER', from: 'PRIMARY', to: 'SECONDARY', quantity: 3 }
    await post(admin, '/transfers', sent)
    const { transfers } = z
      .object({ transfers: z.array(z.object({ id: z.string() })) })
      .parse(await get(admin, '/transfers?to=SECONDARY'))
    for (const { id } of transfers) await post(admin, `/transfers/${id}/receive`, { location: 'SECONDARY' })
  }

  it.each<[how: string, comes: (admin: Person) => Promise<unknown>]>([
    ['a transfer is received', receive],
    [
      'its stock is corrected',
      (admin) => post(admin, '/components/update-quantity', { ...atSecondary, quantity: 3 }),
    ],
    [
      'some of it is received',
      (admin) =>
        post(admin, '/components/adjust-quantity', { ...atSecondary, amount: 3, reason: 'received' }),
    ],
    [
      'rows are imported',
      (admin) => post(admin, '/components/import', [{ barcode: 'WASHER', secondary_quantity: 3 }]),
    ],
    ['a file is imported', (admin) => importFile(admin, '3')],
  ])('is kept again when %s, also in lists that were given before', async (_, comes) => {
    const { admin, staff } = await companyWithStock()
    await leaveOut(admin, 'NUT', 'WASHER', 'SCREW')
    expect(await toCount(staff)).toEqual({ barcodes: ['BOLT'], counted: 0, total: 1 })
    await comes(admin)
    expect(await toCount(staff)).toEqual({ barcodes: ['BOLT', 'WASHER'], counted: 0, total: 2 })
    expect(await get(admin, '/components/kept?location=SECONDARY')).toMatchObject({ kept: 2, not_kept: 2 })
  })

  it('is kept again when the import is undone that had set its stock to 0', async () => {
    const { admin, staff } = await companyWithStock()
    await post(admin, '/components/update-quantity', { ...atSecondary, quantity: 3 })
    const id = await importFile(admin, '0')
    await leaveOut(admin, 'WASHER')
    expect((await toCount(staff)).total).toBe(3)
    expect((await post(admin, `/imports/${id}/undo`, {})).status).toBe(200)
    expect(await toCount(staff)).toMatchObject({ barcodes: ['BOLT', 'NUT', 'SCREW', 'WASHER'], total: 4 })
  })

  const onMondays = { barcodes: ['WASHER'], day: 'Monday', location: 'SECONDARY', action: 'add' }
  const olderForm = [
    { barcode: 'WASHER', is_high_volume: true, high_volume_config: { Monday: ['SECONDARY'] } },
  ]

  it.each<[how: string, lists: (admin: Person) => Promise<unknown>]>([
    [
      'its days are set',
      (admin) =>
        post(admin, '/components/configure-high-volume', {
          barcode: 'WASHER',
          assignments: { Monday: ['PRIMARY', 'SECONDARY'] },
        }),
    ],
    ['it is put on the list of a day', (admin) => post(admin, '/components/bulk-high-volume', onMondays)],
    [
      'its days are read from an older form',
      async (admin) => {
        await post(admin, '/components/import', olderForm)
        await post(admin, '/admin/migrate-high-volume', {})
      },
    ],
  ])('is kept again when %s there: what is counted each week belongs to the month', async (_, lists) => {
    const { admin, staff } = await companyWithStock()
    await leaveOut(admin, 'WASHER', 'SCREW')
    expect(await toCount(staff)).toMatchObject({ barcodes: ['BOLT', 'NUT'], total: 2 })
    await lists(admin)
    expect(await toCount(staff)).toEqual({ barcodes: ['BOLT', 'NUT', 'WASHER'], counted: 0, total: 3 })
  })

  it('is kept again when a difference of it is reopened, which would be counted again by nobody', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, { barcode: 'WASHER', quantity: 4 })
    await count(staff, { barcode: 'WASHER', quantity: 4 })
    const { discrepancies } = z
      .object({ discrepancies: z.array(z.object({ id: z.string() })) })
      .parse(await get(admin, '/discrepancies?search=WASHER'))
    const ids = discrepancies.map(({ id }) => id)
    await post(admin, '/discrepancies/decide', { ids, decision: 'dismiss', reason: 'other' })
    expect(await leaveOut(admin, 'WASHER')).toMatchObject({ changed: 1 })
    expect((await toCount(staff)).total).toBe(3)
    expect((await post(admin, '/discrepancies/reopen', { id: ids[0] })).body).toMatchObject({
      status: 'open',
    })
    expect(await toCount(staff)).toMatchObject({ total: 4 })
    expect(await told(admin, 'component_kept')).toEqual(['WASHER SECONDARY'])
    await post(admin, '/discrepancies/decide', { ids, decision: 'recount' })
    expect((await toCount(staff)).barcodes).toContain('WASHER')
  })

  it('is kept again when a recount of its first entry is asked for, which would be in no list', async () => {
    const { admin, staff } = await companyWithStock()
    await leaveOut(admin, 'WASHER', 'SCREW')
    for (const barcode of ['WASHER', 'BOLT']) await count(staff, { barcode, quantity: 4 })
    const { discrepancies } = z
      .object({ discrepancies: z.array(z.object({ id: z.string() })) })
      .parse(await get(admin, '/discrepancies?status=attempted'))
    const ids = discrepancies.map(({ id }) => id)
    expect(await post(admin, '/discrepancies/decide', { ids, decision: 'recount' })).toMatchObject({
      status: 200,
    })
    expect(await toCount(staff)).toEqual({ barcodes: ['BOLT', 'NUT', 'WASHER'], counted: 0, total: 3 })
    expect(await told(admin, 'component_kept')).toEqual(['WASHER SECONDARY'])
  })

  it('is not left out any more once it was retired and brought back', async () => {
    const { admin, staff } = await companyWithStock()
    await leaveOut(admin, 'WASHER', 'SCREW')
    await post(admin, '/components/retire', { barcode: 'WASHER' })
    expect(await totals(staff)).toMatchObject({ all: 3, PRIMARY: 3, SECONDARY: 2 })
    await post(admin, '/components/reinstate', { barcode: 'WASHER' })
    expect(await totals(staff)).toMatchObject({ all: 4, PRIMARY: 4, SECONDARY: 3 })
  })

  it('is not waited for by the cycle count', async () => {
    const { admin, staff } = await companyWithStock()
    const id = `Cycle_${new Date().toISOString().slice(0, 7)}_SECONDARY`
    const cycle = async () =>
      z
        .object({
          cycle_counts: z.array(z.object({ id: z.string(), completed: z.boolean(), progress: z.unknown() })),
        })
        .parse(await get(admin, '/cycle-counts')).cycle_counts
    await post(admin, '/cycle-counts', {
      id,
      location: 'SECONDARY',
      user_type: 'admin',
      progress: { BOLT: 2, NUT: 0, SCREW: 0 },
      completed: false,
    })
    expect(await cycle()).toMatchObject([{ id, completed: false }])
    await leaveOut(admin, 'WASHER')
    expect(await cycle()).toMatchObject([{ id, completed: true, progress: { BOLT: 2, NUT: 0, SCREW: 0 } }])
    expect((await toCount(staff)).total).toBe(3)
  })

  it('is to be counted in the cycle as in the month once it is kept again, also where its next count is taken back', async () => {
    const { admin } = await companyWithStock()
    const id = `Cycle_${new Date().toISOString().slice(0, 7)}_SECONDARY`
    const countInCycle = async (barcode: string): Promise<string> => {
      const key = randomUUID()
      const timestamp = new Date().toISOString()
      const entry = { barcode, quantity: 0, location: 'SECONDARY', source: 'admin', session: id, timestamp }
      const path = '/api/components/update-with-tracking'
      await app.done({ path, token: admin.token, key, body: entry })
      const body = {
        id,
        location: 'SECONDARY',
        user_type: 'admin',
        progress: { [barcode]: 0 },
        completed: false,
      }
      await app.done({ path: '/api/cycle-counts', token: admin.token, body })
      return key
    }
    await countInCycle('NUT')
    await countInCycle('WASHER')
    await leaveOut(admin, 'WASHER')
    await keep(admin, { location: 'SECONDARY', kept: true, barcodes: ['WASHER'] })
    const key = await countInCycle('WASHER')
    expect(await get(admin, '/cycle-counts')).toMatchObject({
      cycle_counts: [{ progress: { NUT: 0, WASHER: 0 } }],
    })
    await post(admin, '/components/undo-count', { key })
    const { cycle_counts: cycles } = z
      .object({ cycle_counts: z.array(z.object({ progress: z.unknown() })) })
      .parse(await get(admin, '/cycle-counts'))
    expect(cycles).toEqual([{ progress: { NUT: 0 } }])
    expect(await toCount(admin)).toMatchObject({ counted: 1, total: 4 })
  })

  it('is not on the sheets of the location', async () => {
    const { admin, staff } = await companyWithStock()
    await leaveOut(admin, 'WASHER', 'SCREW', 'NUT')
    await keep(admin, { location: 'FULFILLMENT', kept: false })
    const sheet = (location: string) =>
      app.ask({ method: 'GET', path: `/api/components/count-sheet?location=${location}`, token: staff.token })
    expect((await sheet('SECONDARY')).status).toBe(200)
    expect(await sheet('FULFILLMENT')).toMatchObject({
      status: 404,
      body: { error: 'Nothing is to be counted here.' },
    })
  })
})

describe('saying what a location keeps', () => {
  it('is for administrators, at locations of the plan, of at most 10,000 components', async () => {
    const { admin, staff } = await companyWithStock()
    const one = { location: 'SECONDARY', kept: false, barcodes: ['WASHER'] }
    expect((await post(staff, '/components/keep', one)).status).toBe(403)
    expect(
      (await app.ask({ method: 'GET', path: '/api/components/kept?location=SECONDARY', token: staff.token }))
        .status,
    ).toBe(403)
    expect((await post(admin, '/components/keep', { ...one, location: 'DISTRIBUTION' })).status).toBe(403)
    expect((await post(admin, '/components/keep', { ...one, barcodes: [] })).status).toBe(400)
    expect((await toCount(staff)).total).toBe(4)
  })

  it('finds nothing of another company', async () => {
    const { admin, staff } = await companyWithStock()
    const other = await makeCompany(app, { plan: 'professional' })
    expect(await leaveOut(other, 'WASHER')).toMatchObject({ changed: 0, not_found: ['WASHER'] })
    await leaveOut(admin, 'SCREW')
    expect(await keep(other, { location: 'SECONDARY', kept: true })).toMatchObject({ changed: 0 })
    expect((await toCount(staff)).barcodes).toEqual(['BOLT', 'NUT', 'WASHER'])
  })
})
