import { parse } from 'csv-parse/sync'
import readWorkbook from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { untilSomebodyWaits } from '../../test/leaving.ts'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const post = (person: Person, path: string, body: unknown) =>
  app.done({ path: `/api${path}`, token: person.token, body })

const setCost = (person: Person, barcode: string, cost: number | null) =>
  post(person, '/components/set-costs', { components: [{ barcode, unit_cost: cost }] })

const download = async (person: Person, path: string) =>
  (await app.done({ method: 'GET', path: `/api/exports/${path}`, token: person.token })).bytes

/** The first cell of each row and the last two before its other barcodes. */
async function ends(person: Person, path: string): Promise<(string | undefined)[][]> {
  const rows: string[][] = parse(await download(person, path), { bom: true })
  return rows.map((row) => [row[0], ...row.slice(-3, -1)])
}

/** Bolts at 0.0125 at two locations, nuts without a cost, and no seals, which cost 3; of bolts and nuts there are too few at Primary. */
async function companyWithCosts() {
  const admin = await makeCompany(app)
  await post(admin, '/components/import', [
    { barcode: 'BOLT-8', primary_quantity: 5, quarantine_quantity: 2 },
    { barcode: 'NUT-8', primary_quantity: 7 },
    { barcode: 'SEAL-8' },
  ])
  const components = ['BOLT-8', 'NUT-8'].map((barcode) => ({ barcode, minimum: 8 }))
  await post(admin, '/components/place', { location: 'PRIMARY', components })
  await setCost(admin, 'BOLT-8', 2)
  await setCost(admin, 'BOLT-8', 0.0125)
  await setCost(admin, 'SEAL-8', 3)
  await post(admin, '/company/settings', { currency: 'EUR' })
  return { admin, staff: await makeStaff(app, admin) }
}

describe('lists of components', () => {
  it('say to administrators at their end what one piece costs now and what all of it is worth', async () => {
    const { admin } = await companyWithCosts()
    expect(await ends(admin, 'components')).toEqual([
      ['Barcode', 'Unit cost (EUR)', 'Value (EUR)'],
      ['BOLT-8', '0.0125', '0.0875'],
      ['NUT-8', '', ''],
      ['SEAL-8', '3', '0'],
    ])
    expect(await ends(admin, 'components?state=low')).toEqual([
      ['Barcode', 'Unit cost (EUR)', 'Value (EUR)'],
      ['BOLT-8', '0.0125', '0.0875'],
      ['NUT-8', '', ''],
    ])
    await setCost(admin, 'SEAL-8', null)
    await post(admin, '/components/retire', { barcode: 'SEAL-8' })
    expect(await ends(admin, 'components?state=retired')).toEqual([
      ['Barcode', 'Unit cost (EUR)', 'Value (EUR)'],
      ['SEAL-8', '', ''],
    ])
  })

  it('have numbers there in a workbook, after what is missing where they are of what is low', async () => {
    const { admin } = await companyWithCosts()
    const path = 'components?format=xlsx&state=low&location=PRIMARY'
    const [sheet] = await readWorkbook(await download(admin, path))
    expect(sheet?.data.map((row) => [row[0], ...row.slice(-5, -1)])).toEqual([
      [
        'Barcode',
        'Primary Warehouse below minimum',
        'Primary Warehouse on its way',
        'Unit cost (EUR)',
        'Value (EUR)',
      ],
      ['BOLT-8', 3, null, 0.0125, 0.0875],
      ['NUT-8', 1, null, null, null],
    ])
  })

  it('of what is in stock without a unit cost name that alone, and are refused to staff', async () => {
    const { admin, staff } = await companyWithCosts()
    await post(admin, '/components/import', [{ barcode: 'CLIP-8', quarantine_quantity: 1 }])
    const path = 'components?state=uncosted'
    expect(await ends(admin, path)).toEqual([
      ['Barcode', 'Unit cost (EUR)', 'Value (EUR)'],
      ['CLIP-8', '', ''],
      ['NUT-8', '', ''],
    ])
    expect(await ends(admin, `${path}&text=nut`)).toHaveLength(2)
    expect(await ends(await makeCompany(app), path)).toHaveLength(1)
    expect(await app.ask({ method: 'GET', path: `/api/exports/${path}`, token: staff.token })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
  })

  it('say nothing of it to staff, and are for them as they were', async () => {
    const { staff } = await companyWithCosts()
    expect(await ends(staff, 'components')).toEqual([
      ['Barcode', 'Distribution Center bin', 'Distribution Center minimum'],
      ['BOLT-8', '', ''],
      ['NUT-8', '', ''],
      ['SEAL-8', '', ''],
    ])
    const text = (await download(staff, 'components?state=low')).toString()
    expect(text.split('\r\n')).toEqual([
      '\uFEFFBarcode,Description,Primary Warehouse,Secondary Warehouse,Fulfillment Center,Distribution Center,Quarantine,Total,Last counted (UTC),Last counted at,Primary Warehouse bin,Primary Warehouse minimum,Secondary Warehouse bin,Secondary Warehouse minimum,Fulfillment Center bin,Fulfillment Center minimum,Distribution Center bin,Distribution Center minimum,Primary Warehouse below minimum,Secondary Warehouse below minimum,Fulfillment Center below minimum,Primary Warehouse on its way,Secondary Warehouse on its way,Fulfillment Center on its way,Other barcodes',
      'BOLT-8,,5,0,0,0,2,7,,,,8,,,,,,,3,,,,,,',
      'NUT-8,,7,0,0,0,0,7,,,,8,,,,,,,1,,,,,,',
      '',
    ])
  })

  it('tell an API key what its scopes tell: one that only reads what staff read', async () => {
    const { admin } = await companyWithCosts()
    await post(admin, '/company/plan', { plan: 'enterprise' })
    const keyed = async (scopes: string[]) => {
      const { body } = await post(admin, '/api-keys', { name: scopes.join(), scopes })
      const { key } = z.object({ key: z.string() }).parse(body)
      return await ends({ ...admin, token: key }, 'components?text=bolt')
    }
    expect(await keyed(['read'])).toEqual([
      ['Barcode', 'Distribution Center bin', 'Distribution Center minimum'],
      ['BOLT-8', '', ''],
    ])
    expect(await keyed(['read', 'admin'])).toEqual([
      ['Barcode', 'Unit cost (EUR)', 'Value (EUR)'],
      ['BOLT-8', '0.0125', '0.0875'],
    ])
  })

  it('break off for an administrator who is made staff meanwhile', async () => {
    const admin = await makeCompany(app)
    const other = await makeStaff(app, admin)
    await post(admin, `/team/users/${other.userId}/role`, { role: 'admin' })
    await app.owner.query(
      `insert into components (tenant_id, barcode)
       select $1, 'SKU-' || lpad(number::text, 6, '0') from generate_series(1, 2500) as number`,
      [admin.tenantId],
    )
    const holder = await app.owner.connect()
    await holder.query('begin; lock table component_costs in access exclusive mode')
    const outcome = download(admin, 'components').then(() => 'arrived', String)
    await untilSomebodyWaits(app)
    await post(other, `/team/users/${admin.userId}/role`, { role: 'user' })
    await holder.query('commit')
    holder.release()
    expect(await outcome).toContain('terminated')
    expect((await ends(admin, 'components'))[0]).toEqual([
      'Barcode',
      'Distribution Center bin',
      'Distribution Center minimum',
    ])
  })
})

const listed = z.object({ discrepancies: z.array(z.object({ id: z.string() })) })

describe('lists of differences', () => {
  const count = async (person: Person, barcode: string, quantity: number) => {
    const scan = { barcode, quantity, location: 'PRIMARY', session: 's', source: 'monthly' }
    const body = { ...scan, timestamp: new Date().toISOString() }
    await post(person, '/components/update-with-tracking', body)
    await post(person, '/components/update-with-tracking', { ...body, timestamp: new Date().toISOString() })
  }

  /** The SKU, the status and the last two cells of each difference. */
  const worths = async (person: Person) => {
    const rows: string[][] = parse(await download(person, 'discrepancies'), { bom: true })
    return rows.map((row) => [row[2], row[6], row[9], ...row.slice(-2)])
  }

  async function decide(person: Person, decision: object): Promise<void> {
    const { body } = await app.ask({
      method: 'GET',
      path: '/api/discrepancies?status=open',
      token: person.token,
    })
    const ids = listed.parse(body).discrepancies.map(({ id }) => id)
    await post(person, '/discrepancies/decide', { ids, ...decision })
  }

  it('say what each is worth at what one piece costs now, and at what it cost when it was decided', async () => {
    const { admin, staff } = await companyWithCosts()
    await count(staff, 'BOLT-8', 2)
    await count(staff, 'NUT-8', 8)
    const heads = ['SKU', 'Status', 'Difference', 'Unit cost (EUR)', 'Value (EUR)']
    expect(await worths(admin)).toEqual([
      heads,
      ['NUT-8', 'open', '1', '', ''],
      ['BOLT-8', 'open', '-3', '0.0125', '-0.0375'],
    ])
    await setCost(admin, 'BOLT-8', 0.5)
    expect(await worths(admin)).toContainEqual(['BOLT-8', 'open', '-3', '0.5', '-1.5'])
    await decide(admin, { decision: 'accept', reason: 'Found' })
    await setCost(admin, 'BOLT-8', 9)
    // What was said first held before, too.
    await setCost(admin, 'NUT-8', 4)
    expect(await worths(admin)).toEqual([
      heads,
      ['NUT-8', 'accepted', '1', '4', '4'],
      ['BOLT-8', 'accepted', '-3', '0.5', '-1.5'],
    ])
    await setCost(admin, 'BOLT-8', null)
    expect(await worths(admin)).toContainEqual(['BOLT-8', 'accepted', '-3', '0.5', '-1.5'])
  })

  it('have numbers there in a workbook, and nothing where no cost is said any more', async () => {
    const { admin, staff } = await companyWithCosts()
    await count(staff, 'BOLT-8', 2)
    const last = async () => {
      const [sheet] = await readWorkbook(await download(admin, 'discrepancies?format=xlsx'))
      return sheet?.data.at(-1)?.slice(15)
    }
    expect(await last()).toEqual([0.0125, -0.0375])
    await decide(admin, { decision: 'recount' })
    await setCost(admin, 'BOLT-8', null)
    expect(await last()).toEqual([null, null])
  })

  it('are no matter of staff', async () => {
    const { staff } = await companyWithCosts()
    const path = '/api/exports/discrepancies'
    expect((await app.ask({ method: 'GET', path, token: staff.token })).status).toBe(403)
  })
})

it('movements say what one piece cost when it was moved, and what they came to', async () => {
  const { admin } = await companyWithCosts()
  const lost = { barcode: 'BOLT-8', location: 'PRIMARY', amount: -4, reason: 'lost' }
  await post(admin, '/components/adjust-quantity', lost)
  await setCost(admin, 'BOLT-8', 3)
  const rows: string[][] = parse(await download(admin, 'movements'), { bom: true })
  const told = rows.map((row) => [row[1], row[3], ...row.slice(-4, -1)])
  expect(told.slice(0, 2)).toEqual([
    ['SKU', 'Change', 'Description', 'Unit cost (EUR)', 'Value (EUR)'],
    ['BOLT-8', '-4', '', '0.0125', '-0.05'],
  ])
  expect(told).toContainEqual(['NUT-8', '7', '', '', ''])
})
