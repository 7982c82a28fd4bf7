import type { PlanKey } from '@inventory-manager/contract/plans'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, startTestApp, zoneOfNoon, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function begin(plan: PlanKey = 'professional'): Promise<void> {
  admin = await makeCompany(app, { plan, timeZone: zoneOfNoon() })
  const body = [
    { barcode: 'A-1', primary_quantity: 10, secondary_quantity: 10 },
    { barcode: 'A-2', primary_quantity: 10 },
  ]
  await post('/api/components/import', body)
}

const post = (path: string, body: unknown) => app.ask({ path, token: admin.token, body })

let scans = 0

type Count = { barcode: string; quantity: number; location?: string }

async function scan(part: Count): Promise<void> {
  scans += 1
  const timestamp = new Date(Date.now() - 60_000 + scans).toISOString()
  const body = { location: 'PRIMARY', source: 'monthly', session: 's', timestamp, ...part }
  expect((await post('/api/components/update-with-tracking', body)).status).toBe(200)
}

/** Counts twice, so that a difference is recorded. */
async function count(part: Count): Promise<void> {
  for (const _ of [1, 2]) await scan(part)
}

const setStock = (barcode: string, quantity: number) =>
  post('/api/components/update-quantity', { barcode, quantity, location: 'PRIMARY' })

const listed = z.object({
  discrepancies: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      expected: z.int(),
      counted: z.int(),
    }),
  ),
})

/** The differences, those found first before. */
async function differences() {
  const path = '/api/discrepancies?sort=oldest'
  return listed.parse((await app.ask({ method: 'GET', path, token: admin.token })).body).discrepancies
}

const decide = (body: Record<string, unknown>) =>
  post('/api/discrepancies/decide', { decision: 'accept', reason: 'Damaged', ...body })

async function stock(): Promise<unknown> {
  const { rows } = await app.owner.query(
    `select barcode, quantity from stock join components on components.tenant_id = stock.tenant_id
       and components.id = stock.component_id
     where stock.tenant_id = $1 and location = 'PRIMARY' order by barcode`,
    [admin.tenantId],
  )
  return rows.map(({ quantity }) => quantity)
}

describe('a difference that somebody looks at', () => {
  it('and that was counted again meanwhile is not accepted as it is now', async () => {
    await begin()
    await count({ barcode: 'A-1', quantity: 9 })
    await count({ barcode: 'A-2', quantity: 8 })
    const seen = (await differences()).map(({ id, expected, counted }) => ({ id, expected, counted }))
    await scan({ barcode: 'A-2', quantity: 80 })
    const ids = seen.map(({ id }) => id)
    const inCapitals = seen.map((each) => ({ ...each, id: each.id.toUpperCase() }))
    expect((await decide({ ids: inCapitals.map(({ id }) => id), seen: inCapitals })).status).toBe(409)
    const refused = await decide({ ids, seen })
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        success: false,
        code: 'changed_since',
        error: 'A-2 at Primary Warehouse was counted again since: 80 instead of 8.',
        details: [
          { path: 'ids.1', message: 'A-2 at Primary Warehouse was counted again since: 80 instead of 8.' },
        ],
      },
    ])
    expect(await stock()).toEqual([10, 10])
    expect(await differences()).toMatchObject([{ status: 'open' }, { status: 'open' }])
    const now = (await differences()).map(({ id, expected, counted }) => ({ id, expected, counted }))
    expect((await decide({ ids, seen: now })).body).toEqual({ success: true, decided: 2 })
    expect(await stock()).toEqual([9, 80])
  })

  it('and of which another number is expected meanwhile is not accepted', async () => {
    await begin()
    await count({ barcode: 'A-1', quantity: 8 })
    const [item] = await differences()
    await setStock('A-1', 9)
    await scan({ barcode: 'A-1', quantity: 8 })
    const refused = await decide({ ids: [item?.id], seen: [item] })
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: 'What is expected of A-1 at Primary Warehouse has changed since: 9 instead of 10.' },
    ])
    expect(await stock()).toEqual([9, 10])
  })

  it('is accepted as it is now by who does not say what was seen', async () => {
    await begin()
    await count({ barcode: 'A-1', quantity: 8 })
    const [item] = await differences()
    await scan({ barcode: 'A-1', quantity: 80 })
    expect((await decide({ ids: [item?.id] })).status).toBe(200)
    expect(await stock()).toEqual([80, 10])
  })
})

describe('a decision about several differences that is refused', () => {
  it('names the one that would bring the stock below 0', async () => {
    await begin()
    await count({ barcode: 'A-1', quantity: 3 })
    await count({ barcode: 'A-2', quantity: 3 })
    await setStock('A-1', 6)
    const ids = (await differences()).map(({ id }) => id)
    expect((await decide({ ids })).body).toMatchObject({
      code: 'below_zero',
      error:
        'Accepting A-1 at Primary Warehouse would bring its stock below 0. Check what was moved since, or ask for a recount.',
    })
  })

  it('names the one that would bring the stock above what can be kept', async () => {
    await begin()
    await count({ barcode: 'A-1', quantity: 20 })
    await count({ barcode: 'A-2', quantity: 20 })
    await setStock('A-2', 2_147_483_640)
    const ids = (await differences()).map(({ id }) => id)
    expect((await decide({ ids })).body).toMatchObject({
      code: 'stock_limit',
      error:
        'Accepting A-2 at Primary Warehouse would bring its stock above 2,147,483,647, which is more than can be kept.',
    })
  })

  it('names the one that waits for its second count', async () => {
    await begin()
    await count({ barcode: 'A-1', quantity: 3 })
    await scan({ barcode: 'A-2', quantity: 3 })
    const ids = (await differences()).map(({ id }) => id)
    expect((await decide({ ids })).body).toMatchObject({
      code: 'not_recorded',
      error:
        'Only a recorded difference can be accepted: A-2 at Primary Warehouse still waits for its second count.',
    })
  })

  it('names the location that the plan does not include', async () => {
    await begin('enterprise')
    await count({ barcode: 'A-1', quantity: 3 })
    await count({ barcode: 'A-1', quantity: 3, location: 'SECONDARY' })
    await post('/api/company/plan', { plan: 'starter', accept_read_only: true })
    const ids = (await differences()).map(({ id }) => id)
    expect((await decide({ ids })).body).toMatchObject({
      code: 'location_not_in_plan',
      error: 'Your plan does not include Secondary Warehouse, where A-1 was counted.',
    })
  })

  it('says how many somebody else has decided meanwhile, and which', async () => {
    await begin()
    await count({ barcode: 'A-1', quantity: 3 })
    await count({ barcode: 'A-1', quantity: 3, location: 'SECONDARY' })
    await count({ barcode: 'A-2', quantity: 3 })
    const ids = (await differences()).map(({ id }) => id)
    await decide({ ids: ids.slice(0, 1) })
    await scan({ barcode: 'A-1', quantity: 10, location: 'SECONDARY' })
    const refused = await decide({ ids })
    expect([refused.status, refused.body]).toEqual([
      404,
      {
        success: false,
        code: 'not_found',
        error: `2 of these 3 differences were decided meanwhile, among them that of A-1 at Primary Warehouse, accepted by ${admin.name} (Damaged).`,
        details: [
          { path: 'ids.0', message: `A-1 at Primary Warehouse: accepted by ${admin.name} (Damaged).` },
          { path: 'ids.1', message: 'A-1 at Secondary Warehouse: matched later.' },
        ],
      },
    ])
    expect((await decide({ ids: ids.slice(0, 1) })).body).toMatchObject({
      error: `This difference was decided meanwhile: that of A-1 at Primary Warehouse, accepted by ${admin.name} (Damaged).`,
    })
  })
})
