import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openPrinter, type Printer } from '../../test/printer.ts'
import { isSoundPdf } from '../../test/qpdf.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
let printer: Printer
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  printer = await openPrinter()
})
afterAll(async () => {
  printer.close()
  await app.close()
})

const skus = ['A-1', 'A-2', 'A-3', 'A-4']

async function begin(): Promise<void> {
  admin = await makeCompany(app)
  const body = skus.map((barcode) => ({ barcode, primary_quantity: 100, secondary_quantity: 100 }))
  await app.done({ path: '/api/components/import', token: admin.token, body })
}

const post = (path: string, body: unknown) => app.done({ path: `/api${path}`, token: admin.token, body })
const get = (path: string, person = admin) => app.ask({ method: 'GET', path, token: person.token })

const setCosts = (costs: Record<string, number | null>) =>
  post('/components/set-costs', {
    components: Object.entries(costs).map(([barcode, cost]) => ({ barcode, unit_cost: cost })),
  })

/** Noon of yesterday, so that all is of one month. */
const noon = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000
const month = new Date(noon).toISOString().slice(0, 7)

let scans = 0

type Found = { difference: number; location?: string; source?: string; session?: string }

/** A difference to the hundred pieces that are expected, counted twice. */
async function differ(barcode: string, { difference, ...part }: Found): Promise<void> {
  for (const _ of [1, 2]) {
    scans += 1
    const place = { location: 'PRIMARY', source: 'monthly', session: 'Monthly_1', ...part }
    const timestamp = new Date(noon + scans).toISOString()
    await post('/components/update-with-tracking', {
      barcode,
      quantity: 100 + difference,
      timestamp,
      ...place,
    })
  }
}

const idList = z.object({ discrepancies: z.array(z.object({ id: z.string() })) })

async function decide(sku: string, decision: string): Promise<void> {
  const { body } = await get(`/api/discrepancies?status=open&search=${sku}`)
  const ids = idList.parse(body).discrepancies.map(({ id }) => id)
  await post('/discrepancies/decide', { ids, decision, reason: 'Damaged' })
}

const accuracyOf = async (query = '', person = admin) =>
  (await get(`/api/accuracy?until=${month}&months=1${query}`, person)).body

describe('what differs, in money', () => {
  it('is summed by line and never netted, by month, location, cause and SKU', async () => {
    await begin()
    await setCosts({ 'A-1': 12.5, 'A-2': 0.01, 'A-3': 2 })
    await differ('A-1', { difference: -3 })
    await differ('A-1', { difference: 1, location: 'SECONDARY' })
    await differ('A-2', { difference: 50 })
    await differ('A-3', { difference: -4 })
    await differ('A-4', { difference: -90 })
    await decide('A-3', 'accept')
    await setCosts({ 'A-3': 1_000 })
    const primary = { missing: 97, surplus: 50, missing_value: 45.5, surplus_value: 0.5 }
    const secondary = { missing: 0, surplus: 1, missing_value: 0, surplus_value: 12.5 }
    const total = { missing: 97, surplus: 51, missing_value: 45.5, surplus_value: 13 }
    expect(await accuracyOf()).toMatchObject({
      currency: 'USD',
      without_cost: 1,
      total: { differing: 5, ...total },
      months: [{ month, ...total }],
      locations: [
        { location: 'PRIMARY', ...primary },
        { location: 'SECONDARY', ...secondary },
      ],
      causes: [
        { status: 'open', lines: 4, missing_value: 37.5, surplus_value: 13 },
        { status: 'accepted', lines: 1, missing_value: 8, surplus_value: 0 },
      ],
      skus: [
        { sku: 'A-1', lines: 2, missing_value: 37.5, surplus_value: 12.5 },
        { sku: 'A-4', lines: 1, missing_value: 0, surplus_value: 0 },
        { sku: 'A-2', lines: 1, missing_value: 0, surplus_value: 0.5 },
        { sku: 'A-3', lines: 1, missing_value: 8, surplus_value: 0 },
      ],
    })
    expect(await accuracyOf('&location=SECONDARY')).toMatchObject({ without_cost: 0, total: secondary })
  })

  it('names the SKUs of most money first where that is asked', async () => {
    await begin()
    await setCosts({ 'A-1': 1, 'A-2': 100, 'A-3': 10 })
    await differ('A-1', { difference: -3 })
    await differ('A-1', { difference: 2, location: 'SECONDARY' })
    await differ('A-2', { difference: 1 })
    await differ('A-3', { difference: -4 })
    await differ('A-4', { difference: -90 })
    const order = async (by: string) => {
      const { skus: named } = z
        .object({ skus: z.array(z.object({ sku: z.string() })) })
        .parse(await accuracyOf(by))
      return named.map(({ sku }) => sku)
    }
    expect(await order('')).toEqual(['A-1', 'A-4', 'A-3', 'A-2'])
    expect(await order('&skus_by=lines')).toEqual(['A-1', 'A-4', 'A-3', 'A-2'])
    expect(await order('&skus_by=value')).toEqual(['A-2', 'A-3', 'A-1', 'A-4'])
    expect((await get('/api/accuracy?skus_by=pieces')).status).toBe(400)
  })

  it('is what decided differences were worth then, and what the others are worth now', async () => {
    await begin()
    await setCosts({ 'A-1': 10, 'A-2': 10 })
    await differ('A-1', { difference: -1 })
    await differ('A-2', { difference: -1 })
    await decide('A-1', 'dismiss')
    await setCosts({ 'A-1': 500, 'A-2': 3 })
    expect(await accuracyOf()).toMatchObject({ total: { missing_value: 13 }, without_cost: 0 })
    await setCosts({ 'A-1': null, 'A-2': null })
    expect(await accuracyOf()).toMatchObject({ total: { missing_value: 10 }, without_cost: 1 })
  })

  it('counts a shortage that two counts found once, as its pieces', async () => {
    await begin()
    await setCosts({ 'A-1': 10 })
    await differ('A-1', { difference: -2 })
    await differ('A-1', { difference: -2, source: 'admin' })
    expect(await accuracyOf()).toMatchObject({ total: { missing: 4, missing_value: 40 } })
    await decide('A-1', 'accept')
    expect(await accuracyOf()).toMatchObject({ total: { lines: 2, missing: 2, missing_value: 20 } })
  })

  it('is exact where floating point numbers are not', async () => {
    await begin()
    await setCosts({ 'A-1': 0.1, 'A-2': 0.2 })
    await differ('A-1', { difference: -1 })
    await differ('A-2', { difference: -1, location: 'SECONDARY' })
    expect(await accuracyOf()).toMatchObject({ total: { missing_value: 0.3 } })
  })

  it('is nothing where no cost is said, also not of another company', async () => {
    await begin()
    const first = admin
    await differ('A-1', { difference: -3 })
    await begin()
    await setCosts({ 'A-1': 5 })
    await post('/company/settings', { currency: 'EUR' })
    expect(await accuracyOf('', first)).toMatchObject({
      currency: 'USD',
      without_cost: 1,
      total: { missing: 3, missing_value: 0, surplus_value: 0 },
      skus: [{ sku: 'A-1', missing_value: 0 }],
    })
    expect(await accuracyOf()).toMatchObject({ currency: 'EUR', without_cost: 0, total: { missing: 0 } })
  })
})

describe('a count certificate', () => {
  const certificateOf = async (scope = '') => {
    const { bytes } = await get(`/api/accuracy/certificate?month=${month}${scope}`)
    expect(await isSoundPdf(bytes)).toBe(true)
    return (await printer.readTexts(bytes)).join('\n').replaceAll(/\s+/g, ' ')
  }

  it('says what each difference was worth and the sums, where costs are said', async () => {
    await begin()
    await post('/company/settings', { currency: 'EUR' })
    await setCosts({ 'A-1': 12.5, 'A-2': 1_000, 'A-3': 0.0012 })
    await differ('A-1', { difference: -3 })
    await differ('A-2', { difference: 7 })
    await differ('A-3', { difference: -1 })
    await differ('A-4', { difference: -90 })
    await decide('A-1', 'accept')
    await setCosts({ 'A-1': 1 })
    for (const scope of ['', '&session=Monthly_1']) {
      const text = await certificateOf(scope)
      expect(text).toContain(
        'Pieces missing / surplus 94 / 7, not netted Value missing / surplus €37.50 / €7,000.00, not netted; 1 of 4 differing lines has no unit cost Inventory record accuracy',
      )
      expect(text).toContain('SKU Expected Counted Difference Value Counted by Decision')
      expect(text).toMatch(/A-1 .*100 97 −3 −€37\.50 .*A-2 .*100 107 \+7 \+€7,000\.00 .*/)
      expect(text).toMatch(/A-3 .*100 99 −1 −€0\.0012 .*A-4 .*100 10 −90 – .*/)
      expect(text).toContain(
        'differences are never netted. Values are at the unit cost when the difference was decided, or when this was issued where it still waits. Issuing',
      )
    }
  })

  it('counts a shortage that two counts found once, as the figures of accuracy do', async () => {
    await begin()
    await setCosts({ 'A-1': 10 })
    await differ('A-1', { difference: -2 })
    await differ('A-1', { difference: -2, source: 'admin', session: 'Admin_1' })
    const waiting = await certificateOf()
    expect(waiting).toContain(
      'Pieces missing / surplus 4 / 0, not netted Value missing / surplus $40.00 / $0.00,',
    )
    expect(waiting).not.toContain('settled by another count')
    await decide('A-1', 'accept')
    expect(await accuracyOf()).toMatchObject({ total: { lines: 2, missing: 2, missing_value: 20 } })
    const settled = await certificateOf()
    expect(settled).toContain('Lines that differ 2 ')
    expect(settled).toContain(
      'Pieces missing / surplus 2 / 0, not netted Value missing / surplus $20.00 / $0.00,',
    )
    expect(settled).toContain(
      'differences are never netted. What was settled by another count is in the pieces of that one, and is not summed again. Values are',
    )
  })

  it('says nothing of money where no cost of what differs is said', async () => {
    await begin()
    await setCosts({ 'A-1': 12.5 })
    await differ('A-2', { difference: -3 })
    const text = await certificateOf()
    expect(text).toContain('not netted Inventory record accuracy')
    expect(text).toContain('SKU Expected Counted Difference Counted by Decision')
    expect(text).toContain('differences are never netted. Issuing this certificate')
    expect(text).not.toMatch(/[Vv]alue|\$|unit cost/)
  })
})
