import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import readWorkbook from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import yauzl from 'yauzl'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'
import { writeXlsx } from './xlsx.ts'

let app: TestApp
let admin: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await makeCompany(app)
  staff = await makeStaff(app, admin)
  const rows = [
    { barcode: '00012', description: '=HYPERLINK("http://x")', primary_quantity: 5 },
    {
      barcode: '-7',
      description: 'Größe, "XL" & <b>\nnew line',
      secondary_quantity: 3,
      quarantine_quantity: 1,
    },
  ]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  for (const quantity of [4, 4, 5]) {
    const timestamp = new Date().toISOString()
    const count = { barcode: '00012', quantity, location: 'PRIMARY', session: 's', source: 'monthly' }
    const body = { ...count, timestamp }
    await app.done({ path: '/api/components/update-with-tracking', token: staff.token, body })
  }
})
afterAll(() => app.close())

const download = (path: string, person = admin) =>
  app.ask({ method: 'GET', path: `/api/exports/${path}`, token: person.token })

async function csv(path: string): Promise<string[][]> {
  const { status, bytes } = await download(path)
  expect(status).toBe(200)
  return parse(bytes, { bom: true })
}

it('a name that holds a formula after a semicolon runs nothing where cells are split there', async () => {
  const other = await makeCompany(app)
  const rows = [{ barcode: 'A-1', description: 'x;=1+1;' }]
  await app.done({ path: '/api/components/import', token: other.token, body: rows })
  expect((await download('components', other)).bytes.toString()).toContain(`A-1,"x;'=1+1;",`)
})

/** What the cells of the first row of a workbook are called. */
async function headPlaces(workbook: Buffer): Promise<string[]> {
  const zip = await yauzl.fromBufferPromise(workbook, { autoClose: false })
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'xl/worksheets/sheet1.xml') continue
    const xml = await text(await zip.openReadStreamPromise(entry))
    return Array.from(xml.matchAll(/<c r="([^"]*1)"/g), ([, place = '']) => place)
  }
  return []
}

/** A bin and a minimum of each location where none is said, and no other barcodes. */
const notPlaced = ['', '', '', '', '', '', '', '', '']

describe('components as CSV', () => {
  it('keep their codes, and run nothing in a spreadsheet', async () => {
    const { status, headers, bytes } = await download('components', staff)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="components_\d{4}-\d\d-\d\d\.csv"$/,
    )
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
    expect(parse(bytes, { bom: true })).toEqual([
      expect.arrayContaining(['Barcode', 'Primary Warehouse', 'Quarantine', 'Total']),
      ["'-7", 'Größe, "XL" & <b>\nnew line', '0', '3', '0', '0', '1', '4', '', '', ...notPlaced],
      [
        '00012',
        `'=HYPERLINK("http://x")`,
        '5',
        '0',
        '0',
        '0',
        '0',
        '5',
        expect.any(String),
        'Primary Warehouse',
        ...notPlaced,
      ],
    ])
  })

  it('can be a part of them', async () => {
    expect(await csv('components?text=gr%C3%B6')).toHaveLength(2)
    expect(await csv('components?text=%25')).toHaveLength(1)
  })
})

describe('bins and minimums', () => {
  /** Three components, of which two are low: one at a location, one at two. */
  async function companyWithLow(): Promise<Person> {
    const person = await makeCompany(app)
    const ask = (path: string, body: unknown) =>
      app.ask({ path: `/api/components/${path}`, token: person.token, body })
    await ask('import', [
      { barcode: 'A-1', primary_quantity: 5, secondary_quantity: 1 },
      { barcode: 'B-2', primary_quantity: 7 },
      { barcode: 'C-3', primary_quantity: 9 },
    ])
    const placed = [
      { barcode: 'A-1', bin: '=A-01-1', minimum: 8 },
      { barcode: 'B-2', bin: 'A-01-2', minimum: 7 },
    ]
    await ask('place', { location: 'PRIMARY', components: placed })
    const elsewhere = [
      { barcode: 'A-1', minimum: 3 },
      { barcode: 'C-3', minimum: 4 },
    ]
    await ask('place', { location: 'SECONDARY', components: elsewhere })
    return person
  }

  /** What stands in some columns of a list of components, by their heads. */
  async function columns(person: Person, query: string, heads: string[]): Promise<(string | undefined)[][]> {
    const { bytes } = await download(`components?${query}`, person)
    const [names = [], ...rows]: string[][] = parse(bytes, { bom: true })
    return rows.map((row) => heads.map((head) => row[names.indexOf(head)]))
  }

  it('of each location stand after the last count in the list of components', async () => {
    const { bytes } = await download('components', await companyWithLow())
    const rows: string[][] = parse(bytes, { bom: true })
    expect(rows.map((row) => [row[0], ...row.slice(10, 18)])).toEqual([
      [
        'Barcode',
        'Primary Warehouse bin',
        'Primary Warehouse minimum',
        'Secondary Warehouse bin',
        'Secondary Warehouse minimum',
        'Fulfillment Center bin',
        'Fulfillment Center minimum',
        'Distribution Center bin',
        'Distribution Center minimum',
      ],
      ['A-1', "'=A-01-1", '8', '', '3', '', '', '', ''],
      ['B-2', 'A-01-2', '7', '', '', '', '', '', ''],
      ['C-3', '', '', '', '4', '', '', '', ''],
    ])
  })

  it('make a list of what is low, with by how much at each location of the plan', async () => {
    const person = await companyWithLow()
    const { headers } = await download('components?state=low', person)
    expect(headers.get('content-disposition')).toMatch(/filename="low-stock_\d{4}-\d\d-\d\d\.csv"$/)
    const heads = ['Barcode', 'Primary Warehouse below minimum', 'Secondary Warehouse below minimum']
    expect(await columns(person, 'state=low', heads)).toEqual([
      ['A-1', '3', '2'],
      ['C-3', '', '4'],
    ])
    const sending = { barcode: 'A-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 1 }
    await app.done({ path: '/api/transfers', token: person.token, body: sending })
    expect(await columns(person, 'state=low', [...heads, 'Secondary Warehouse on its way'])).toEqual([
      ['A-1', '4', '2', '1'],
      ['C-3', '', '4', ''],
    ])
    expect(await columns(person, 'state=low&text=c-', heads)).toEqual([['C-3', '', '4']])
    const change = { plan: 'starter', accept_read_only: true }
    await app.done({ path: '/api/company/plan', token: person.token, body: change })
    expect(await columns(person, 'state=low', heads)).toEqual([['A-1', '4', undefined]])
  })

  it('make a list of what is low at one location, as a workbook too', async () => {
    const person = await companyWithLow()
    const { bytes } = await download(
      'components?format=xlsx&state=low&location=Secondary%20Warehouse',
      person,
    )
    const [sheet] = await readWorkbook(bytes)
    expect(sheet?.data.map((row) => [row[0], row[3], row[18]])).toEqual([
      ['Barcode', 'Secondary Warehouse', 'Secondary Warehouse below minimum'],
      ['A-1', 1, 2],
      ['C-3', 0, 4],
    ])
  })

  it('of what is low at all locations stand in a workbook with more columns than there are letters', async () => {
    const person = await companyWithLow()
    const change = { plan: 'enterprise', accept_read_only: true }
    await app.done({ path: '/api/company/plan', token: person.token, body: change })
    const sending = { barcode: 'A-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 1 }
    await app.done({ path: '/api/transfers', token: person.token, body: sending })
    const { bytes } = await download('components?format=xlsx&state=low', person)
    const [sheet] = await readWorkbook(bytes)
    expect(sheet?.data.map((row) => [row.length, ...row.slice(21, 26), row[28]])).toEqual([
      [
        29,
        'Distribution Center below minimum',
        'Primary Warehouse on its way',
        'Secondary Warehouse on its way',
        'Fulfillment Center on its way',
        'Distribution Center on its way',
        'Other barcodes',
      ],
      [29, null, null, 1, null, null, null],
      [29, null, null, null, null, null, null],
    ])
    // Excel takes a file with other names for damaged.
    expect((await headPlaces(bytes)).slice(23)).toEqual(['X1', 'Y1', 'Z1', 'AA1', 'AB1', 'AC1'])
  })

  it('of what is retired stand in a list of its own, and it is low nowhere', async () => {
    const person = await companyWithLow()
    const ask = (path: string, body: unknown) =>
      app.done({ path: `/api/components/${path}`, token: person.token, body })
    await ask('import', [{ barcode: 'D-4' }])
    await ask('place', { location: 'PRIMARY', components: [{ barcode: 'D-4', bin: 'Z-9', minimum: 8 }] })
    expect(await columns(person, 'state=low', ['Barcode'])).toEqual([['A-1'], ['C-3'], ['D-4']])
    await ask('retire', { barcode: 'D-4' })
    expect(await columns(person, 'state=retired', ['Barcode', 'Primary Warehouse bin'])).toEqual([
      ['D-4', 'Z-9'],
    ])
    expect(await columns(person, 'state=low', ['Barcode'])).toEqual([['A-1'], ['C-3']])
  })
})

describe('other barcodes', () => {
  async function companyWithOthers(): Promise<Person> {
    const person = await makeCompany(app)
    const post = (path: string, body: unknown) =>
      app.done({ path: `/api/components/${path}`, token: person.token, body })
    await post('import', [{ barcode: 'A-1' }, { barcode: 'B-2' }])
    for (const [alias, pieces] of [
      ['4006381333931', 12],
      ['OLD-77', 1],
      ['-7', 1],
      ['BOX x6', 1],
      ['BOX', 6],
      ['6" PIPE;x', 10_000],
    ] as const) {
      await post('add-barcode', { barcode: 'A-1', alias, pieces })
    }
    return person
  }

  const written = [`"6"" PIPE;x" x10000`, '-7', '4006381333931 x12', 'BOX x6', '"BOX x6"', 'OLD-77']

  it('stand in the last column, those of packs with their pieces, and each can be told from the next', async () => {
    const person = await companyWithOthers()
    const [sheet] = await readWorkbook((await download('components?format=xlsx', person)).bytes)
    const cells = sheet?.data.map((row) => row.at(-1)) ?? []
    expect(cells).toEqual(['Other barcodes', expect.any(String), null])
    expect(String(cells[1]).split('; ').toSorted()).toEqual(written.toSorted())
  })

  it('stand there for staff, too, and run nothing in a spreadsheet that splits cells', async () => {
    const person = await companyWithOthers()
    const { bytes } = await download('components', await makeStaff(app, person, 'Olga Other'))
    const [heads, ...rows]: string[][] = parse(bytes, { bom: true })
    expect(heads?.slice(-2)).toEqual(['Distribution Center minimum', 'Other barcodes'])
    const cells = rows.map((row) => row.at(-1)?.split('; ').toSorted())
    const harmless = written.map((code) => (code === '-7' ? "'-7" : code))
    expect(cells).toEqual([harmless.toSorted(), ['']])
  })

  it('of another company stand in none', async () => {
    await companyWithOthers()
    const rows = await csv('components')
    expect(rows.map((row) => row.at(-1))).toEqual(['Other barcodes', '', ''])
  })
})

describe('components as a workbook', () => {
  it('keep codes and text as text', async () => {
    const { headers, bytes } = await download('components?format=xlsx')
    expect(headers.get('content-disposition')).toMatch(/filename="components_[\d-]+\.xlsx"/)
    const [sheet] = await readWorkbook(bytes)
    expect(sheet?.sheet).toBe('components')
    expect(sheet?.data.map((row) => row.slice(0, 8))).toEqual([
      expect.arrayContaining(['Barcode']),
      ['-7', 'Größe, "XL" & <b>\nnew line', 0, 3, 0, 0, 1, 4],
      ['00012', '=HYPERLINK("http://x")', 5, 0, 0, 0, 0, 5],
    ])
  })

  it('go on in a further sheet where one is full', async () => {
    async function* pieces() {
      yield await Promise.resolve([['a_x0041_'], ['b\r\nb'], ['c\u0000\uD800']])
      yield [['d'], ['e']]
    }
    const chunks: Buffer[] = []
    const file = writeXlsx({ name: 'n', heads: ['Head'], pieces: pieces() }, { sheetRows: 3 })
    for await (const chunk of file) chunks.push(Buffer.from(chunk))
    const sheets = await readWorkbook(Buffer.concat(chunks))
    expect(sheets).toEqual([
      { sheet: 'n', data: [['Head'], ['a_x0041_'], ['b\r\nb']] },
      { sheet: 'n 2', data: [['Head'], ['c\uFFFD\uFFFD'], ['d']] },
      { sheet: 'n 3', data: [['Head'], ['e']] },
    ])
  })
})

describe('the other lists', () => {
  it('counts, newest first, filtered', async () => {
    const rows = await csv('counts')
    expect(rows.slice(1).map((row) => row.slice(1, 5))).toEqual([
      ['00012', 'Primary Warehouse', '5', 'monthly'],
      ['00012', 'Primary Warehouse', '4', 'monthly'],
    ])
    expect(await csv('counts?location=SECONDARY')).toHaveLength(1)
    expect(await csv('counts?from=2030-01-01T00:00:00Z')).toHaveLength(1)
    expect(await csv('counts?to=2030-01-01T00:00:00Z&sku=0001')).toHaveLength(3)
  })

  it('counts by when they were made, also where they came later than others', async () => {
    const other = await makeCompany(app)
    await app.done({ path: '/api/components/import', token: other.token, body: [{ barcode: 'A-1' }] })
    const hour = 3_600_000
    const madeAt = (ago: number) => new Date(Date.now() - ago * hour).toISOString()
    for (const ago of [30, 0, 100]) {
      const count = {
        barcode: 'A-1',
        quantity: 0,
        location: 'PRIMARY',
        session: `${ago} ago`,
        source: 'monthly',
      }
      const body = { ...count, timestamp: madeAt(ago) }
      await app.done({ path: '/api/components/update-with-tracking', token: other.token, body })
    }
    const sessions = async (query: string) => {
      const { bytes } = await download(`counts?${query}`, other)
      const rows: string[][] = parse(bytes, { bom: true, from: 2 })
      return rows.map((row) => row[5])
    }
    expect(await sessions('')).toEqual(['100 ago', '0 ago', '30 ago'])
    expect(await sessions(`from=${madeAt(40)}`)).toEqual(['0 ago', '30 ago'])
    expect(await sessions(`to=${madeAt(20)}`)).toEqual(['100 ago', '30 ago'])
    expect(await sessions('from=1970-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z')).toHaveLength(3)
    expect(await sessions(`from=${madeAt(110)}&to=${madeAt(90)}`)).toEqual(['100 ago'])
  })

  it('counts, with what was taken back and what a device only reported', async () => {
    const other = await makeCompany(app)
    await app.done({ path: '/api/components/import', token: other.token, body: [{ barcode: 'A-1' }] })
    const count = { barcode: 'A-1', quantity: 0, location: 'PRIMARY', session: 's', source: 'monthly' }
    const body = { ...count, timestamp: new Date().toISOString() }
    await app.done({ path: '/api/components/update-with-tracking', token: other.token, key: 'first', body })
    await app.done({ path: '/api/components/undo-count', token: other.token, body: { key: 'first' } })
    const reported = { sku: 'A-1', quantity: 3, location: 'PRIMARY' }
    await app.done({ path: '/api/count-history', token: other.token, body: reported })
    const { bytes } = await download('counts', other)
    const rows: string[][] = parse(bytes, { bom: true })
    const back = rows[2]?.[0]
    expect(rows.map((row) => [row[3], row[8], row[11]])).toEqual([
      ['Quantity', 'Entry', 'Taken back (UTC)'],
      ['3', 'Reported by the device', ''],
      ['0', 'Taken back', ''],
      ['0', 'Counted', back],
    ])
    const history = await app.ask({ method: 'GET', path: '/api/count-history', token: other.token })
    expect(history.body).toMatchObject({
      history: [
        { entry: 'reported', taken_back: null },
        { entry: 'taken_back', timestamp: back, taken_back: null },
        { entry: 'counted', taken_back: back },
      ],
    })
  })

  it('by which account each count and movement was made, whatever the person is called', async () => {
    const other = await makeCompany(app)
    const [one, two] = [await makeStaff(app, other, 'Mia Moreno'), await makeStaff(app, other, 'Mia Moreno')]
    await app.done({ path: '/api/components/import', token: other.token, body: [{ barcode: 'A-1' }] })
    for (const person of [one, two]) {
      const timestamp = new Date().toISOString()
      const body = {
        barcode: 'A-1',
        quantity: 0,
        location: 'PRIMARY',
        session: 's',
        source: 'monthly',
        timestamp,
      }
      await app.done({ path: '/api/components/update-with-tracking', token: person.token, body })
    }
    await app.done({
      path: '/api/components/adjust-quantity',
      token: other.token,
      body: { barcode: 'A-1', location: 'PRIMARY', amount: 2, reason: 'received' },
    })
    const told = async (path: string) => {
      const { bytes } = await download(path, other)
      const rows: string[][] = parse(bytes, { bom: true })
      const [user = 0, account = 0] = ['User', 'Account'].map((head) => rows[0]?.indexOf(head))
      return rows.map((row) => [row[user], row[account]])
    }
    expect(await told('counts')).toEqual([
      ['User', 'Account'],
      ['Mia Moreno', two.email],
      ['Mia Moreno', one.email],
    ])
    expect(await told('movements')).toEqual([
      ['User', 'Account'],
      [other.name, other.email],
    ])
  })

  it('counts and movements, with the ids that other calls know them by', async () => {
    for (const list of ['counts', 'movements']) {
      const { rows } = await app.owner.query<{ id: string }>(
        `select id from ${list === 'counts' ? 'count_history' : list} where tenant_id = $1 order by id desc`,
        [admin.tenantId],
      )
      const written = (await csv(list)).map((row) => row.at(-1))
      expect(written).toEqual(['Number', ...rows.map(({ id }) => id)])
    }
  })

  it('movements', async () => {
    const rows = await csv('movements?sku=-7')
    // Of one import, so in no order among themselves.
    const posted = rows.slice(1).map((row) => row.slice(1, 6))
    expect(posted.toSorted((one, other) => String(one[1]).localeCompare(String(other[1])))).toEqual([
      ["'-7", 'Quarantine', '1', '1', 'Import'],
      ["'-7", 'Secondary Warehouse', '3', '3', 'Import'],
    ])
  })

  it('differences, with their numbers as numbers', async () => {
    const rows = await csv('discrepancies')
    expect(rows[1]?.slice(2, 11)).toEqual([
      '00012',
      `'=HYPERLINK("http://x")`,
      'Primary Warehouse',
      'monthly',
      'matched',
      '5',
      '5',
      '0',
      '3',
    ])
    expect(await csv('discrepancies?status=open')).toHaveLength(1)
  })

  it('differences, first counted when they were scanned, and decided by nobody once they were counted again', async () => {
    const other = await makeCompany(app, { timeZone: zoneOfNoon() })
    const stock = [{ barcode: 'A-1', primary_quantity: 5 }]
    await app.done({ path: '/api/components/import', token: other.token, body: stock })
    const scan = async (quantity: number, minutesAgo: number) => {
      const timestamp = new Date(Date.now() - minutesAgo * 60_000).toISOString()
      const count = {
        barcode: 'A-1',
        quantity,
        location: 'PRIMARY',
        session: 's',
        source: 'monthly',
        timestamp,
      }
      await app.done({ path: '/api/components/update-with-tracking', token: other.token, body: count })
      return timestamp
    }
    const difference = async () => {
      const { bytes } = await download('discrepancies', other)
      const rows: string[][] = parse(bytes, { bom: true, from: 2 })
      return rows.map((row) => [row[0], row[6], row[14]])
    }
    const first = await scan(4, 90)
    await scan(4, 80)
    const list = await app.ask({ method: 'GET', path: '/api/discrepancies', token: other.token })
    const [id] = JSON.stringify(list.body).match(/(?<="id":")[0-9a-f-]{36}/) ?? []
    const decision = { ids: [id], decision: 'recount' }
    await app.done({ path: '/api/discrepancies/decide', token: other.token, body: decision })
    expect(await difference()).toEqual([[first, 'recount', other.name]])
    await scan(3, 0)
    expect(await difference()).toEqual([[first, 'open', '']])
  })

  it('differences of the days on which they were first scanned, however late they came', async () => {
    const other = await makeCompany(app)
    const rows = [{ barcode: 'A-1', primary_quantity: 5 }]
    await app.done({ path: '/api/components/import', token: other.token, body: rows })
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const scan = { barcode: 'A-1', quantity: 4, location: 'PRIMARY', session: 's', source: 'monthly' }
    const body = { ...scan, timestamp: daysAgo(3) }
    await app.done({ path: '/api/components/update-with-tracking', token: other.token, body })
    const found = async (query: string) => {
      const { bytes } = await download(`discrepancies?${query}`, other)
      const found: string[][] = parse(bytes, { bom: true, from: 2 })
      return found.map(([first, , sku]) => [first, sku])
    }
    const kept = [[body.timestamp, 'A-1']]
    expect(await found('')).toEqual(kept)
    expect(await found(`from=${daysAgo(4)}&to=${daysAgo(2)}`)).toEqual(kept)
    expect(await found(`from=${body.timestamp}&to=${body.timestamp}`)).toEqual(kept)
    expect(await found(`from=${daysAgo(2)}`)).toEqual([])
    expect(await found(`to=${daysAgo(4)}`)).toEqual([])
  })

  it.each([
    ['count_type=monthly', 1],
    ['count_type=weekly', 0],
    ['search=hyperlink', 1],
    ['search=0001', 1],
    ['search=0001%20hyperlink', 1],
    ['search=0001%20nobody', 0],
    ['search=%25', 0],
    ['search=nobody', 0],
  ])('differences with %s, as the screen filters them', async (filter, differences) => {
    expect(await csv(`discrepancies?${filter}`)).toHaveLength(1 + differences)
  })

  it('the audit trail, in which the export itself stands', async () => {
    await download('counts?format=xlsx&location=PRIMARY')
    const [, latest, before] = await csv('audit?action=config')
    expect(latest?.[2]).toBe('list_exported')
    expect(before?.[10]).toBe(
      '{"list":"counts","type":"export","filter":{"location":"PRIMARY"},"format":"xlsx"}',
    )
  })

  it.each(['counts', 'movements', 'discrepancies', 'audit', 'archive'])(
    '%s are for administrators',
    async (name) => {
      const { status, body } = await download(name, staff)
      expect([status, body]).toMatchObject([403, { error: 'Only an administrator can do this.' }])
    },
  )

  it.each(['csv', 'xlsx'])('break off as %s where they cannot be read', async (format) => {
    await app.owner.query('revoke select on movements from inventory_manager_app')
    await expect(download(`movements?format=${format}`)).rejects.toThrow('terminated')
    await app.owner.query('grant select on movements to inventory_manager_app')
  })

  it('refuse a format there is none of', async () => {
    expect((await download('components?format=pdf')).status).toBe(400)
  })
})

describe('a long list', () => {
  it('arrives whole, and is given up when nobody reads on', async () => {
    const many = await makeCompany(app)
    await app.owner.query(
      `insert into components (tenant_id, barcode)
       select $1, 'SKU-' || lpad(number::text, 6, '0') from generate_series(1, 5000) as number`,
      [many.tenantId],
    )
    const { bytes } = await download('components', many)
    const rows: string[][] = parse(bytes, { bom: true })
    expect(rows).toHaveLength(5001)
    expect(new Set(rows.map(([code]) => code)).size).toBe(5001)

    await new Promise<void>((resolve) => {
      const url = `${app.url}/api/exports/components?format=xlsx`
      const headers = { authorization: `Bearer ${many.token}` }
      request(url, { headers, agent: false }, (response) => {
        response.destroy()
        resolve()
      }).end()
    })
    expect((await app.ask({ method: 'GET', path: '/health' })).status).toBe(200)
  })
})
