import type { PlanKey } from '@inventory-manager/contract/plans'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPrinter, type Printer } from '../../test/printer.ts'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  testPassword,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'

let app: TestApp
let printer: Printer
beforeAll(async () => {
  app = await startTestApp()
  printer = await openPrinter()
})
afterAll(async () => {
  printer.close()
  await app.close()
})

const change = (person: Person, names: object) =>
  app.ask({ path: '/api/company/settings', token: person.token, body: { location_names: names } })

const get = (person: Person, path: string) => app.ask({ method: 'GET', path, token: person.token })
const post = (person: Person, path: string, body: unknown) => app.ask({ path, token: person.token, body })

/** What the browser of somebody learns of the names. */
async function namesFor(person: Person): Promise<unknown> {
  const { body } = await get(person, '/api/auth/user')
  return Object(body).user.locationNames
}

/** A company with 5 bolts at PRIMARY, which it calls Hamburg, and SECONDARY, which it calls Kühlhaus. */
async function companyOfHamburg(plan: PlanKey = 'professional'): Promise<Person> {
  const admin = await makeCompany(app, { plan })
  const rows = [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 5 }]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  const body = { location_names: { PRIMARY: 'Hamburg', SECONDARY: 'Kühlhaus' } }
  await app.done({ path: '/api/company/settings', token: admin.token, body })
  return admin
}

async function csv(person: Person, list: string): Promise<string[][]> {
  return parse((await get(person, `/api/exports/${list}`)).bytes, { bom: true })
}

describe('names of locations', () => {
  it('are given by administrators, one by one, and read by everybody of the company', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    expect(await namesFor(staff)).toEqual({})
    expect(await change(admin, { PRIMARY: '  Hamburg ' })).toMatchObject({
      status: 200,
      body: { settings: { administration: { location_names: { PRIMARY: 'Hamburg' } } } },
    })
    await change(admin, { SECONDARY: 'Kühlhaus' })
    const both = { PRIMARY: 'Hamburg', SECONDARY: 'Kühlhaus' }
    expect(await namesFor(staff)).toEqual(both)
    expect((await get(admin, '/api/company/settings')).body).toMatchObject({
      administration: { location_names: both },
    })
    const body = { email: admin.email, passcode: testPassword }
    expect(await app.ask({ path: '/api/auth/login', body })).toMatchObject({
      body: { user: { locationNames: both } },
    })
    await change(admin, { PRIMARY: ' ' })
    expect(await namesFor(staff)).toEqual({ SECONDARY: 'Kühlhaus' })
  })

  it('are on record with what people read before and after, each that changed', async () => {
    const admin = await companyOfHamburg()
    await change(admin, { PRIMARY: '', SECONDARY: 'Kühlhaus', FULFILLMENT: 'Versand' })
    const { rows } = await app.owner.query(
      `select metadata ->> 'setting' as setting, metadata ->> 'location_code' as location,
         metadata ->> 'old_value' as old, metadata ->> 'new_value' as new
       from audit_entries where tenant_id = $1 and event = 'settings_changed' order by id`,
      [admin.tenantId],
    )
    const setting = 'location_name'
    expect(rows).toEqual([
      { setting, location: 'PRIMARY', old: 'Primary Warehouse', new: 'Hamburg' },
      { setting, location: 'SECONDARY', old: 'Secondary Warehouse', new: 'Kühlhaus' },
      { setting, location: 'PRIMARY', old: 'Hamburg', new: 'Primary Warehouse' },
      { setting, location: 'FULFILLMENT', old: 'Fulfillment Center', new: 'Versand' },
    ])
  })

  it('stand in the file of the trail, as in other files', async () => {
    const admin = await companyOfHamburg()
    const entry = { sku: 'A-1', location: 'PRIMARY' }
    await app.done({ path: '/api/audit/log', token: admin.token, body: entry })
    const rows = await csv(admin, 'audit?sku=A-1')
    expect(rows.map((row) => row[5])).toEqual(['Location', 'Hamburg'])
  })

  it('are told to programs beside their codes, which files have instead of names where that is asked for', async () => {
    const admin = await companyOfHamburg()
    const made = await app.done({
      path: '/api/api-keys',
      token: admin.token,
      body: { name: 'Shop', scopes: ['read', 'admin'] },
    })
    const program = { ...admin, token: String(Object(made.body).key) }
    expect((await get(program, '/api/company')).body).toEqual({
      name: expect.any(String),
      time_zone: 'UTC',
      currency: 'USD',
      locations: [
        { code: 'PRIMARY', name: 'Hamburg', in_plan: true },
        { code: 'SECONDARY', name: 'Kühlhaus', in_plan: true },
        { code: 'FULFILLMENT', name: 'Fulfillment Center', in_plan: true },
        { code: 'DISTRIBUTION', name: 'Distribution Center', in_plan: false },
      ],
    })
    const heads = (await csv(program, 'components?names=codes'))[0]
    expect(heads).toEqual(expect.arrayContaining(['PRIMARY', 'QUARANTINE', 'SECONDARY bin']))
    expect((await csv(program, 'movements?names=codes')).map((row) => row[2])).toEqual([
      'Location',
      'PRIMARY',
    ])
    expect((await csv(program, 'stock?names=codes'))[0]?.slice(2, 4)).toEqual(['PRIMARY', 'SECONDARY'])
  })

  it('are not given by staff', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    expect((await change(staff, { PRIMARY: 'Hamburg' })).status).toBe(403)
    expect(await namesFor(admin)).toEqual({})
  })

  it('are those of one company: another one neither reads nor loses any', async () => {
    const admin = await companyOfHamburg()
    const other = await makeCompany(app)
    expect(await namesFor(other)).toEqual({})
    expect((await change(other, { PRIMARY: 'Hamburg' })).status).toBe(200)
    await change(other, { PRIMARY: 'Lyon' })
    expect(await namesFor(admin)).toEqual({ PRIMARY: 'Hamburg', SECONDARY: 'Kühlhaus' })
    expect((await csv(other, 'components'))[0]).toEqual(
      expect.arrayContaining(['Lyon', 'Secondary Warehouse']),
    )
  })

  it.each([
    [{ SECONDARY: 'hamburg' }, 'Hamburg'],
    [{ SECONDARY: 'Fulfillment center' }, 'Fulfillment center'],
    [{ SECONDARY: 'QUARANTINE' }, 'QUARANTINE'],
    [{ SECONDARY: 'Distribution' }, 'Distribution'],
    [{ FULFILLMENT: 'Shop', DISTRIBUTION: 'SHOP' }, 'Shop'],
  ])('are refused where two places would read the same: %j', async (names, shared) => {
    const admin = await companyOfHamburg()
    expect(await change(admin, names)).toMatchObject({
      status: 400,
      body: {
        code: 'location_names_alike',
        error: `Two places would be called ${shared}. Give each location a name of its own.`,
      },
    })
    expect(await namesFor(admin)).toEqual({ PRIMARY: 'Hamburg', SECONDARY: 'Kühlhaus' })
  })

  it('may be what another location was called, once that has a name of its own', async () => {
    const admin = await companyOfHamburg()
    expect((await change(admin, { PRIMARY: 'Secondary Warehouse' })).status).toBe(200)
    expect((await change(admin, { SECONDARY: '' })).status).toBe(400)
  })

  it.each([
    [{ PRIMARY: 'x'.repeat(41) }, 'location_names must have at most 40 characters.'],
    [{ PRIMARY: 'Ham\nburg' }, 'location_names must not contain control characters.'],
    [{ PRIMARY: 7 }, 'location_names must be text.'],
  ])('are refused where they are no names: %j', async (names, sentence) => {
    const admin = await makeCompany(app)
    expect((await change(admin, names)).body).toMatchObject({ code: 'invalid_request', error: sentence })
  })

  it('of locations that there are not are refused', async () => {
    const admin = await makeCompany(app)
    expect((await change(admin, { BASEMENT: 'Keller' })).status).toBe(400)
  })

  it('with 40 characters are taken', async () => {
    const admin = await makeCompany(app)
    expect((await change(admin, { PRIMARY: 'x'.repeat(40) })).status).toBe(200)
  })
})

describe('what people read of a location with a name of its own', () => {
  it('is that name, in heads and cells of files, whose rows are otherwise as they were', async () => {
    const admin = await companyOfHamburg()
    const [heads = [], row = []] = await csv(admin, 'components')
    expect(heads).toEqual(expect.arrayContaining(['Hamburg', 'Kühlhaus', 'Hamburg bin', 'Kühlhaus minimum']))
    expect(heads.join()).not.toMatch(/Primary|Secondary/)
    expect(row[heads.indexOf('Hamburg')]).toBe('5')
    expect((await csv(admin, 'stock'))[0]).toEqual(expect.arrayContaining(['Hamburg', 'Kühlhaus']))
    expect((await csv(admin, 'components?state=low'))[0]).toContain('Hamburg below minimum')
    const [movementHeads = [], movement = []] = await csv(admin, 'movements')
    expect(movement[movementHeads.indexOf('Location')]).toBe('Hamburg')
  })

  it('is that name on a count sheet', async () => {
    const admin = await companyOfHamburg()
    const { bytes } = await get(admin, '/api/components/count-sheet?location=PRIMARY')
    const text = (await printer.readTexts(bytes)).join('\n')
    expect(text).toContain(', Hamburg\n')
    expect(text).toContain('Count sheet, Hamburg')
    expect(text).not.toContain('Primary Warehouse')
  })

  it('is that name on a count certificate', async () => {
    const admin = await companyOfHamburg()
    const scan = { barcode: 'A-1', location: 'PRIMARY', session: 's', source: 'monthly', quantity: 4 }
    for (const key of ['first', 'second']) {
      await app.done({
        path: '/api/components/update-with-tracking',
        token: admin.token,
        key: `${admin.userId}-${key}`,
        body: { ...scan, timestamp: new Date().toISOString() },
      })
    }
    const month = new Date().toISOString().slice(0, 7)
    const { bytes } = await get(admin, `/api/accuracy/certificate?month=${month}`)
    const [text = ''] = await printer.readTexts(bytes)
    expect(text).toContain('Hamburg: 1 of 1 (100.0%)\nKühlhaus: 0 of 1 (0.0%)')
    expect(text).toContain('A-1\nBolt\nHamburg\n')
    const ofHamburg = await get(admin, `/api/accuracy/certificate?month=${month}&location=PRIMARY`)
    expect((await printer.readTexts(ofHamburg.bytes))[0]).toContain('Location Hamburg')
  })

  it('is that name on the barcodes that change the location', async () => {
    const admin = await companyOfHamburg()
    const { bytes } = await post(admin, '/api/labels/command-sheet', { page: 'letter', symbology: 'qr' })
    const text = (await printer.readTexts(bytes)).join('\n')
    expect(text).toContain('Location: Hamburg')
    expect(text).toContain('IM:LOC:PRIMARY')
  })

  it('is that name in refusals and in what happened last', async () => {
    const admin = await companyOfHamburg('enterprise')
    const issue = { barcode: 'A-1', amount: -6, reason: 'issued', location: 'PRIMARY' }
    expect(await post(admin, '/api/components/adjust-quantity', issue)).toMatchObject({
      body: { error: 'Only 5 of A-1 are in stock at Hamburg. Nothing was changed.' },
    })
    await post(admin, '/api/components/adjust-quantity', { ...issue, amount: -1 })
    expect(JSON.stringify((await get(admin, '/api/dashboard')).body)).toContain(
      `${admin.name} changed A-1 by −1 at Hamburg`,
    )
    const move = { barcode: 'A-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 9 }
    expect(await post(admin, '/api/transfers', move)).toMatchObject({
      body: { error: 'Hamburg has less stock than that. Nothing was moved.' },
    })
    await app.done({
      path: '/api/components/import',
      token: admin.token,
      body: [{ barcode: 'B-1', secondary_quantity: 1 }],
    })
    expect(await post(admin, '/api/company/plan', { plan: 'starter' })).toMatchObject({
      body: { error: 'With the Starter plan this becomes read-only: Kühlhaus. Nothing is deleted.' },
    })
  })

  it('is that name in what is wrong with a file', async () => {
    const admin = await companyOfHamburg()
    const fields = ['barcode', 'primary_quantity', 'distribution_bin']
    const { body } = await post(admin, '/api/imports', { name: 'x.csv', fields })
    const path = `/api/imports/${Object(body).import.id}/rows`
    const rows = [{ line: 2, cells: ['B-1', 'many', ''] }]
    await app.done({ path, token: admin.token, body: { rows } })
    expect(JSON.stringify((await get(admin, path)).body)).toContain(
      'the quantity of Hamburg is not a whole number from 0 up: many',
    )
  })

  it('is a name for people: requests and replies go by the codes, and no request takes it', async () => {
    const admin = await companyOfHamburg()
    const issue = { barcode: 'A-1', amount: 1, reason: 'found' }
    expect(
      (await post(admin, '/api/components/adjust-quantity', { ...issue, location: 'Hamburg' })).status,
    ).toBe(400)
    expect(
      await post(admin, '/api/components/adjust-quantity', { ...issue, location: 'Primary Warehouse' }),
    ).toMatchObject({ status: 200, body: { component: { primary_quantity: 6 } } })
    expect((await get(admin, '/api/components/detail?barcode=A-1')).body).toMatchObject({
      stock: expect.arrayContaining([expect.objectContaining({ location: 'PRIMARY', quantity: 6 })]),
    })
  })
})
