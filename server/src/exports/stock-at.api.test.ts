import { setTimeout as sleep } from 'node:timers/promises'
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
  app.done({ path: `/api/${path}`, token: person.token, body })

const download = (person: Person, query: string) =>
  app.ask({ method: 'GET', path: `/api/exports/stock?${query}`, token: person.token })

async function stockAt(person: Person, at: string): Promise<string[][]> {
  const { status, bytes } = await download(person, `at=${at}`)
  expect(status).toBe(200)
  return parse(bytes, { bom: true })
}

/** A moment with nothing else in its millisecond. */
async function moment(): Promise<string> {
  await sleep(5)
  const at = new Date().toISOString()
  await sleep(5)
  return at
}

const importMade = z.object({ import: z.object({ id: z.string() }) })

const listed = async (person: Person, at: string) =>
  (await stockAt(person, at)).slice(1).map(([barcode, , primary]) => `${barcode} ${primary}`)

/** A moment after an import has moved its stock and before it ends, and what the list of that moment says just then. */
async function inItsMidst(person: Person, work: () => Promise<unknown>) {
  const holder = await app.owner.connect()
  await holder.query('begin')
  await holder.query('select from companies where tenant_id = $1 for no key update', [person.tenantId])
  const working = work()
  await untilSomebodyWaits(app)
  const at = await moment()
  const seen = await listed(person, at)
  await holder.query('commit')
  holder.release()
  await working
  return { at, seen }
}

const adjust = (person: Person, barcode: string, change: Record<string, unknown>) =>
  post(person, 'components/adjust-quantity', { barcode, location: 'PRIMARY', ...change })

describe('stock at a moment', () => {
  it('is what there was then, wherever it lay, at what it cost then', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    await post(admin, 'company/settings', { currency: 'EUR' })
    const before = await moment()
    await post(admin, 'components/import', [
      { barcode: 'BOLT', description: 'Bolt', primary_quantity: 10, secondary_quantity: 2 },
      { barcode: 'NUT', description: 'Nut', primary_quantity: 7 },
    ])
    await post(admin, 'components/set-costs', { components: [{ barcode: 'BOLT', unit_cost: 0.5 }] })
    const first = await moment()
    await adjust(admin, 'BOLT', { amount: -4, reason: 'issued' })
    await post(admin, 'transfers', {
      barcode: 'NUT',
      from: 'PRIMARY',
      to: 'QUARANTINE',
      quantity: 3,
      immediate: true,
    })
    await post(admin, 'components/set-costs', { components: [{ barcode: 'BOLT', unit_cost: 2 }] })
    const second = await moment()
    await adjust(admin, 'BOLT', { amount: -6, reason: 'issued' })
    await adjust(admin, 'BOLT', { location: 'SECONDARY', amount: -2, reason: 'issued' })
    await post(admin, 'components/retire', { barcode: 'BOLT' })
    await post(admin, 'components/import', [
      { barcode: 'WASHER', description: 'Washer', primary_quantity: 1 },
    ])

    expect((await stockAt(admin, before)).slice(1)).toEqual([
      // Nothing was said of costs yet: what was on the first day, at its end.
      ['BOLT', 'Bolt', '0', '0', '0', '0', '0', '0', '2', '0'],
      ['NUT', 'Nut', '0', '0', '0', '0', '0', '0', '', ''],
      ['WASHER', 'Washer', '0', '0', '0', '0', '0', '0', '', ''],
    ])
    expect(await stockAt(admin, first)).toEqual([
      [
        'Barcode',
        'Description',
        'Primary Warehouse',
        'Secondary Warehouse',
        'Fulfillment Center',
        'Distribution Center',
        'Quarantine',
        expect.stringMatching(/^Total on \d{1,2} \w{3,4} \d{4}, \d\d:\d\d$/),
        'Unit cost (EUR)',
        'Value (EUR)',
      ],
      ['BOLT', 'Bolt', '10', '2', '0', '0', '0', '12', '0.5', '6'],
      ['NUT', 'Nut', '7', '0', '0', '0', '0', '7', '', ''],
      ['WASHER', 'Washer', '0', '0', '0', '0', '0', '0', '', ''],
    ])
    expect((await stockAt(admin, second)).slice(1)).toEqual([
      ['BOLT', 'Bolt', '6', '2', '0', '0', '0', '8', '2', '16'],
      ['NUT', 'Nut', '4', '0', '0', '0', '3', '7', '', ''],
      ['WASHER', 'Washer', '0', '0', '0', '0', '0', '0', '', ''],
    ])
  })

  it('is that of now where no moment is named, and numbers are numbers in a workbook', async () => {
    const admin = await makeCompany(app)
    await post(admin, 'components/import', [{ barcode: '0012', description: 'Bolt', primary_quantity: 3 }])
    await post(admin, 'components/set-costs', { components: [{ barcode: '0012', unit_cost: 1.25 }] })
    const { bytes, headers } = await download(admin, 'format=xlsx')
    expect(headers.get('content-disposition')).toMatch(
      /filename="stock-at-\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.xlsx"/,
    )
    expect((await readWorkbook(bytes))[0]?.data[1]).toEqual(['0012', 'Bolt', 3, 0, 0, 0, 0, 3, 1.25, 3.75])
  })

  it('has nothing of an import that had not ended yet, nor of one that was just being undone', async () => {
    const admin = await makeCompany(app)
    await post(admin, 'components/import', [{ barcode: 'BOLT', primary_quantity: 3 }])
    const { id } = importMade.parse(
      (await post(admin, 'imports', { name: 'a.csv', fields: ['barcode', 'primary_quantity'] })).body,
    ).import
    const rows = ['BOLT', 'NUT'].map((barcode, place) => ({ line: place + 2, cells: [barcode, '10'] }))
    await post(admin, `imports/${id}/rows`, { rows })

    const during = await inItsMidst(admin, () => post(admin, `imports/${id}/commit`, {}))
    expect(during.seen).toEqual(['BOLT 3'])
    expect(await listed(admin, during.at)).toEqual(['BOLT 3', 'NUT 0'])
    expect(await listed(admin, await moment())).toEqual(['BOLT 10', 'NUT 10'])

    const undoing = await inItsMidst(admin, () => post(admin, `imports/${id}/undo`, {}))
    expect(undoing.seen).toEqual(['BOLT 10', 'NUT 10'])
    expect(await listed(admin, undoing.at)).toEqual(['BOLT 10', 'NUT 10'])
    expect(await listed(admin, await moment())).toEqual(['BOLT 3', 'NUT 0'])
  })

  it('of a day that is not over is that of now, and says so', async () => {
    const admin = await makeCompany(app)
    const ends = new Date()
    ends.setUTCHours(23, 59, 59, 999)
    const head = async (query: string) => {
      const rows: string[][] = parse((await download(admin, query)).bytes, { bom: true })
      return rows[0]?.[7]
    }
    // The minute may end between the two.
    const before = await head('')
    const ofToday = await head(`at=${ends.toISOString()}`)
    expect([before, await head('')]).toContain(ofToday)
  })

  it('of a day to come is refused, in the sentence of the screen', async () => {
    const admin = await makeCompany(app)
    const { status, body } = await download(admin, 'at=2999-01-01T00:00:00.000Z')
    expect([status, body]).toMatchObject([400, { error: 'That day has not come yet.' }])
    const endOfToday = `${new Date().toISOString().slice(0, 10)}T23:59:59.999Z`
    expect((await download(admin, `at=${endOfToday}`)).status).toBe(200)
  })

  it('says of which day it is, by the clock of the company', async () => {
    const admin = await makeCompany(app, { timeZone: 'Pacific/Auckland' })
    const { headers, bytes } = await download(admin, 'at=2026-09-15T13:30:00.000Z')
    expect(headers.get('content-disposition')).toContain('filename="stock-at-2026-09-16_')
    expect(bytes.toString()).toContain('"Total on 16 Sept 2026, 01:30"')
  })

  it('has one name in the trail, with its day beside it', async () => {
    const admin = await makeCompany(app, { timeZone: 'Pacific/Auckland' })
    const at = '2026-09-15T13:30:00.000Z'
    for (const query of [`at=${at}`, 'at=2026-09-14T13:30:00.000Z&format=xlsx']) {
      expect((await download(admin, query)).status).toBe(200)
    }
    const { body } = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=2', token: admin.token })
    const told = { event_type: 'list_exported', type: 'export', list: 'stock-at' }
    expect(body).toMatchObject({
      entries: [
        { metadata: { ...told, day: '2026-09-15', format: 'xlsx' } },
        { metadata: { ...told, day: '2026-09-16', format: 'csv', filter: { at } } },
      ],
    })
  })

  it('is for administrators', async () => {
    const admin = await makeCompany(app)
    expect((await download(await makeStaff(app, admin), '')).status).toBe(403)
  })
})
