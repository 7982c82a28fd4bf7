import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompanyWithStock, type People } from '../../test/company-with-stock.ts'
import { makeStaff, startTestApp, zoneOfNoon, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** A company with stock of 57 each, imported long before anything is counted. */
async function companyWithStock(): Promise<People> {
  const rows = ['A-11', 'A-12', 'A-21', 'B-77'].map((barcode) => ({
    barcode,
    description: `Part ${barcode}`,
    primary_quantity: 57,
    secondary_quantity: 57,
  }))
  return await makeCompanyWithStock(app, rows, { timeZone: zoneOfNoon() })
}

type Scan = { barcode?: string; quantity: number; location?: string; source?: string; minutesAgo: number }

let scans = 0

/** Scans, and gives the key under which that was sent. */
async function scan({ token }: Person, entry: Scan): Promise<string> {
  const { barcode = 'A-11', location = 'PRIMARY', source = 'monthly', quantity, minutesAgo } = entry
  const timestamp = new Date(Date.now() - minutesAgo * 60_000).toISOString()
  const body = { barcode, quantity, location, source, session: 's', timestamp }
  scans += 1
  const key = `scan-${scans}`
  const reply = await app.ask({ path: '/api/components/update-with-tracking', token, key, body })
  expect(reply.status).toBe(200)
  return key
}

async function scanAndTakeBack(person: Person, entry: Scan): Promise<void> {
  const body = { key: await scan(person, entry) }
  const reply = await app.ask({ path: '/api/components/undo-count', token: person.token, body })
  expect(reply.status).toBe(200)
}

/** Counted twice, five minutes apart, by two people: a difference with nothing suspicious about how it was entered. */
async function differ(people: People, entry: Omit<Scan, 'minutesAgo'>): Promise<void> {
  await scan(people.admin, { ...entry, minutesAgo: 190 })
  await scan(people.staff, { ...entry, minutesAgo: 185 })
}

const list = z.object({
  discrepancies: z.array(
    z.object({ id: z.string(), sku: z.string(), location: z.string(), likely_causes: z.array(z.unknown()) }),
  ),
})

async function differences(admin: Person) {
  const { body } = await app.ask({ method: 'GET', path: '/api/discrepancies', token: admin.token })
  return list.parse(body).discrepancies
}

async function causesOf(people: People, sku = 'A-11', location = 'PRIMARY'): Promise<unknown[]> {
  const found = await differences(people.admin)
  return found.find((item) => item.sku === sku && item.location === location)?.likely_causes ?? ['none there']
}

describe('the likely causes of a difference', () => {
  it('are none where nothing speaks for one', async () => {
    const people = await companyWithStock()
    await differ(people, { quantity: 54 })
    await differ(people, { barcode: 'B-77', quantity: 61 })
    expect(await causesOf(people)).toEqual([])
    expect(await causesOf(people, 'B-77')).toEqual([])
  })

  it('tell of the opposite difference at another location', async () => {
    const people = await companyWithStock()
    await differ(people, { quantity: 54 })
    await differ(people, { quantity: 60, location: 'SECONDARY' })
    expect(await causesOf(people)).toMatchObject([
      { kind: 'opposite_location', location: 'SECONDARY', difference: 3 },
    ])
    expect(await causesOf(people, 'A-11', 'SECONDARY')).toMatchObject([
      { kind: 'opposite_location', location: 'PRIMARY', difference: -3 },
    ])
  })

  it.each([
    ['one digit away', 'A-12'],
    ['with two digits swapped', 'A-21', 'A-12'],
  ])('tell of the opposite difference of a SKU %s', async (_, other, own = 'A-11') => {
    const people = await companyWithStock()
    await differ(people, { barcode: own, quantity: 54 })
    await differ(people, { barcode: other, quantity: 60 })
    expect(await causesOf(people, own)).toMatchObject([
      { kind: 'opposite_sku', sku: other, description: `Part ${other}`, difference: 3 },
    ])
  })

  it('take no notice of an opposite difference that is unlike, or of another company', async () => {
    const people = await companyWithStock()
    const others = await companyWithStock()
    await differ(people, { quantity: 54 })
    await differ(people, { barcode: 'B-77', quantity: 60 })
    await differ(people, { barcode: 'A-12', quantity: 61 })
    await differ(others, { quantity: 60, location: 'SECONDARY' })
    expect(await causesOf(people)).toEqual([])
  })

  it.each([
    [570, [{ kind: 'extra_zero' }]],
    [75, [{ kind: 'swapped_digits' }]],
    [47, [{ kind: 'round_difference', difference: -10 }]],
    [114, [{ kind: 'counted_twice' }]],
  ])('tell of what the number %i says of 57', async (quantity, causes) => {
    const people = await companyWithStock()
    await differ(people, { quantity })
    expect(await causesOf(people)).toEqual(causes)
  })

  it('tell of a movement entered around the time of the scan', async () => {
    const people = await companyWithStock()
    await scan(people.admin, { quantity: 54, minutesAgo: 6 })
    await scan(people.staff, { quantity: 54, minutesAgo: 1 })
    const body = { barcode: 'A-11', quantity: 54, location: 'PRIMARY' }
    await app.done({ path: '/api/components/update-quantity', token: people.admin.token, body })
    expect(await causesOf(people)).toMatchObject([
      { kind: 'movement', delta: -3, cause: 'correction', user_name: people.admin.name },
    ])
  })

  it('tell of what was entered where there was nothing, unless it was the first stock of all', async () => {
    const people = await companyWithStock()
    const correct = async (quantity: number) => {
      const body = { barcode: 'A-11', quantity, location: 'PRIMARY' }
      await app.done({ path: '/api/components/update-quantity', token: people.admin.token, body })
    }
    await correct(0)
    await correct(12)
    await scan(people.admin, { quantity: 0, minutesAgo: 1 })
    await scan(people.staff, { quantity: 0, minutesAgo: 0 })
    expect(await causesOf(people)).toMatchObject([
      { kind: 'movement', delta: 12, cause: 'correction' },
      { kind: 'movement', delta: -57, cause: 'correction' },
    ])
  })

  it('tell of an entry that one person made twice in a moment', async () => {
    const people = await companyWithStock()
    await scan(people.staff, { quantity: 54, minutesAgo: 185.05 })
    await scan(people.staff, { quantity: 54, minutesAgo: 185 })
    expect(await causesOf(people)).toEqual([
      { kind: 'double_entry', user_name: 'Sam Staff', counted: 54, seconds: expect.any(Number) },
    ])
  })

  it('tell of entries that together are what is expected', async () => {
    const people = await companyWithStock()
    await scan(people.staff, { quantity: 36, minutesAgo: 190 })
    await scan(people.staff, { quantity: 21, minutesAgo: 185 })
    expect(await causesOf(people)).toEqual([{ kind: 'in_parts', user_name: 'Sam Staff', parts: [36, 21] }])
  })

  it('take no notice of an entry that was taken back', async () => {
    const people = await companyWithStock()
    await scan(people.staff, { quantity: 36, minutesAgo: 190 })
    await scanAndTakeBack(people.staff, { quantity: 36, minutesAgo: 189.95 })
    await scan(people.staff, { quantity: 21, minutesAgo: 185 })
    expect(await causesOf(people)).toEqual([{ kind: 'in_parts', user_name: 'Sam Staff', parts: [36, 21] }])
  })

  it('do not take a count that was taken back for the difference of last time', async () => {
    const people = await companyWithStock()
    await scanAndTakeBack(people.staff, { quantity: 54, minutesAgo: 200 })
    await differ(people, { quantity: 54 })
    expect(await causesOf(people)).toEqual([])
  })

  it('tell that the difference was the same last time', async () => {
    const people = await companyWithStock()
    await differ(people, { quantity: 54 })
    const [first] = await differences(people.admin)
    await app.done({
      path: '/api/discrepancies/decide',
      token: people.admin.token,
      body: { ids: [first?.id], decision: 'dismiss' },
    })
    await differ(people, { quantity: 54 })
    const [latest] = await differences(people.admin)
    expect(latest?.likely_causes).toMatchObject([{ kind: 'same_as_last', status: 'dismissed' }])
  })
})

describe('packs of a component', () => {
  const addPack = (person: Person, pieces: number) =>
    app.done({
      path: '/api/components/add-barcode',
      token: person.token,
      body: { barcode: 'A-11', alias: `CASE-${pieces}`, pieces },
    })

  const explained = z.object({
    discrepancies: z.array(
      z.object({ sku: z.string(), likely_causes: z.array(z.unknown()), pack_cause: z.unknown().optional() }),
    ),
  })

  async function explainedOf({ admin }: People) {
    const { body } = await app.ask({ method: 'GET', path: '/api/discrepancies', token: admin.token })
    return explained.parse(body).discrepancies
  }

  it.each([
    [35, { kind: 'packs_as_pieces', packs: 2, pieces: 12 }],
    [68, { kind: 'pieces_as_packs', packs: 1, pieces: 12 }],
    [45, { kind: 'packs_missed', packs: 1, pieces: 12 }],
    [81, { kind: 'packs_twice', packs: 2, pieces: 12 }],
  ])(
    'may explain %i of 57, beside the causes that pages of the version before know',
    async (quantity, cause) => {
      const people = await companyWithStock()
      await addPack(people.admin, 12)
      await differ(people, { quantity })
      expect(await explainedOf(people)).toEqual([{ sku: 'A-11', likely_causes: [], pack_cause: cause }])
    },
  )

  it('explain nothing that is not of whole ones, of another SKU or of another company', async () => {
    const people = await companyWithStock()
    const others = await companyWithStock()
    await addPack(people.admin, 12)
    await differ(people, { quantity: 54 })
    await differ(people, { barcode: 'B-77', quantity: 45 })
    await differ(others, { quantity: 45 })
    expect(await explainedOf(people)).toEqual([
      { sku: 'B-77', likely_causes: [] },
      { sku: 'A-11', likely_causes: [] },
    ])
    expect(await explainedOf(others)).toEqual([{ sku: 'A-11', likely_causes: [] }])
  })

  it('explain a difference as soon as they are known, and no more once their barcode is removed', async () => {
    const people = await companyWithStock()
    await differ(people, { quantity: 33 })
    for (const pieces of [2, 12, 24]) await addPack(people.admin, pieces)
    const missed = { kind: 'packs_missed', packs: 1, pieces: 24 }
    expect(await explainedOf(people)).toMatchObject([{ pack_cause: missed }])
    const body = { barcode: 'A-11', alias: 'CASE-24' }
    await app.done({ path: '/api/components/remove-barcode', token: people.admin.token, body })
    expect(await explainedOf(people)).toMatchObject([{ pack_cause: { ...missed, packs: 2, pieces: 12 } }])
  })

  it('are told to administrators alone', async () => {
    const people = await companyWithStock()
    await addPack(people.admin, 12)
    await differ(people, { quantity: 45 })
    const asked = { method: 'GET', path: '/api/discrepancies', token: people.staff.token }
    expect((await app.ask(asked)).status).toBe(403)
  })
})

describe('the list of differences', () => {
  const ask = async (admin: Person, query: string) => {
    const { body } = await app.ask({ method: 'GET', path: `/api/discrepancies${query}`, token: admin.token })
    return z
      .object({
        total: z.int(),
        next_cursor: z.string().nullable(),
        discrepancies: z.array(z.object({ sku: z.string(), difference: z.int(), stock_now: z.int() })),
      })
      .parse(body)
  }

  async function companyWithDifferences(): Promise<People> {
    const people = await companyWithStock()
    await differ(people, { barcode: 'A-11', quantity: 54 })
    await differ(people, { barcode: 'B-77', quantity: 99 })
    await differ(people, { barcode: 'A-12', quantity: 56, location: 'SECONDARY' })
    return people
  }

  it.each([
    ['newest', ['A-12', 'B-77', 'A-11']],
    ['oldest', ['A-11', 'B-77', 'A-12']],
    ['largest', ['B-77', 'A-11', 'A-12']],
    ['sku', ['A-11', 'A-12', 'B-77']],
  ])('sorts by %s, over all pages', async (sort, skus) => {
    const { admin } = await companyWithDifferences()
    const first = await ask(admin, `?sort=${sort}&limit=2`)
    const second = await ask(admin, `?sort=${sort}&limit=2&cursor=${first.next_cursor}`)
    const all = [...first.discrepancies, ...second.discrepancies]
    expect(all.map(({ sku }) => sku)).toEqual(skus)
    expect([first.total, second.next_cursor]).toEqual([3, null])
  })

  it('skips nothing of the largest where the last of a page is counted again meanwhile', async () => {
    const people = await companyWithDifferences()
    const first = await ask(people.admin, '?sort=largest&limit=1')
    await scan(people.staff, { barcode: 'B-77', quantity: 59, minutesAgo: 5 })
    const rest = await ask(people.admin, `?sort=largest&cursor=${first.next_cursor}`)
    expect(rest.discrepancies.map(({ sku }) => sku)).toEqual(['A-11', 'B-77', 'A-12'])
  })

  it.each([
    ['search=b-7', ['B-77']],
    ['search=a-1%20part', ['A-12', 'A-11']],
    ['search=sam%2012', ['A-12']],
    ['search=sam', ['A-12', 'B-77', 'A-11']],
    ['search=%25', []],
    ['location=SECONDARY', ['A-12']],
    ['count_type=weekly', []],
    ['count_type=monthly&status=open&search=A-1', ['A-12', 'A-11']],
  ])('filters by %s', async (query, skus) => {
    const { admin } = await companyWithDifferences()
    const found = await ask(admin, `?${query}`)
    expect(found.discrepancies.map(({ sku }) => sku)).toEqual(skus)
    expect(found.total).toBe(skus.length)
  })

  it("says today's stock, for what accepting would make of it", async () => {
    const { admin } = await companyWithDifferences()
    const body = { barcode: 'A-11', quantity: 2, location: 'PRIMARY' }
    await app.done({ path: '/api/components/update-quantity', token: admin.token, body })
    const found = await ask(admin, '?search=A-11')
    expect(found.discrepancies).toMatchObject([{ difference: -3, stock_now: 2 }])
  })
})

describe('a recount that was asked for', () => {
  const recounts = async (person: Person, location = 'PRIMARY') =>
    await app.ask({ method: 'GET', path: `/api/recounts?location=${location}`, token: person.token })

  async function withRecount(): Promise<People & { other: Person }> {
    const people = await companyWithStock()
    const other = await makeStaff(app, people.admin, 'Olga Other')
    await differ(people, { quantity: 54 })
    const [item] = await differences(people.admin)
    const body = { ids: [item?.id], decision: 'recount' }
    await app.done({ path: '/api/discrepancies/decide', token: people.admin.token, body })
    return { ...people, other }
  }

  it('is shown to another person than who counted, without any quantity', async () => {
    const { admin, staff, other } = await withRecount()
    const { status, body } = await recounts(other)
    expect([status, body]).toEqual([
      200,
      {
        recounts: [
          {
            id: expect.any(String),
            sku: 'A-11',
            description: 'Part A-11',
            location: 'PRIMARY',
            count_type: 'monthly',
            asked_by: admin.name,
            asked_at: expect.any(String),
          },
        ],
        total: 1,
      },
    ])
    expect((await recounts(staff)).body).toEqual({ recounts: [], total: 0 })
    expect((await recounts(other, 'SECONDARY')).body).toEqual({ recounts: [], total: 0 })
    const anywhere = await app.ask({ method: 'GET', path: '/api/recounts', token: other.token })
    expect(anywhere.body).toMatchObject({ recounts: [{ sku: 'A-11' }] })
  })

  it('is not shown at a location that the plan does not include any more', async () => {
    const { admin, other } = await withRecount()
    await app.owner.query(`update discrepancies set location = 'SECONDARY' where tenant_id = $1`, [
      admin.tenantId,
    ])
    await app.owner.query(`update companies set plan = 'starter' where tenant_id = $1`, [admin.tenantId])
    const anywhere = await app.ask({ method: 'GET', path: '/api/recounts', token: other.token })
    expect(anywhere.body).toEqual({ recounts: [], total: 0 })
  })

  it('is one of many: the 200 oldest are listed, and how many there are', async () => {
    const { admin, other } = await withRecount()
    await app.owner.query(
      `insert into discrepancies (
         tenant_id, component_id, sku, location, count_type, period_start, expected, counted, attempts, status, user_id, user_name,
         updated_at
       )
       select tenant_id, component_id, sku, location, count_type, period_start - make_interval(days => place), expected, counted,
         attempts, status, user_id, user_name, updated_at
       from discrepancies, generate_series(1, 204) place
       where tenant_id = $1`,
      [admin.tenantId],
    )
    const { body } = await recounts(other)
    const list = z.object({ recounts: z.array(z.object({ id: z.string() })), total: z.number() }).parse(body)
    expect([list.recounts.length, list.total]).toEqual([200, 205])
    const ids = list.recounts.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
  })

  it('is shown to who counted after an hour, or where there is nobody else', async () => {
    const { admin, staff } = await withRecount()
    await app.owner.query(
      `update discrepancies set updated_at = updated_at - interval '61 minutes' where tenant_id = $1`,
      [admin.tenantId],
    )
    expect((await recounts(staff)).body).toMatchObject({ recounts: [{ sku: 'A-11' }] })
    await app.owner.query('update discrepancies set updated_at = now() where tenant_id = $1', [
      admin.tenantId,
    ])
    await app.owner.query('update users set active = false where tenant_id = $1 and id <> $2', [
      admin.tenantId,
      staff.userId,
    ])
    expect((await recounts(staff)).body).toMatchObject({ recounts: [{ sku: 'A-11' }] })
  })

  it('of an admin view is shown to administrators alone, at once to the only one who counted it', async () => {
    const { admin, staff } = await companyWithStock()
    for (const minutesAgo of [190, 185]) await scan(admin, { quantity: 54, source: 'admin', minutesAgo })
    const [item] = await differences(admin)
    const body = { ids: [item?.id], decision: 'recount' }
    await app.done({ path: '/api/discrepancies/decide', token: admin.token, body })
    expect((await recounts(staff)).body).toEqual({ recounts: [], total: 0 })
    expect((await recounts(admin)).body).toMatchObject({ recounts: [{ sku: 'A-11', count_type: 'admin' }] })
  })

  it('of a monthly count is shown at once to who counted where only administrators are beside', async () => {
    const { admin, staff } = await companyWithStock()
    for (const minutesAgo of [190, 185]) await scan(staff, { quantity: 54, minutesAgo })
    const [item] = await differences(admin)
    const body = { ids: [item?.id], decision: 'recount' }
    await app.done({ path: '/api/discrepancies/decide', token: admin.token, body })
    expect((await recounts(staff)).body).toMatchObject({ recounts: [{ sku: 'A-11' }] })
  })

  it('is gone once somebody counted it again', async () => {
    const { other } = await withRecount()
    await scan(other, { quantity: 57, minutesAgo: 0 })
    expect((await recounts(other)).body).toEqual({ recounts: [], total: 0 })
  })

  it('is not shown to another company, nor for a location outside the plan', async () => {
    const { other } = await withRecount()
    const strangers = await companyWithStock()
    expect((await recounts(strangers.staff)).body).toEqual({ recounts: [], total: 0 })
    expect((await recounts(other, 'DISTRIBUTION')).status).toBe(403)
    expect((await recounts(other, 'MOON')).status).toBe(400)
  })
})
