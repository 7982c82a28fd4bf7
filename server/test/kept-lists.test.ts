import { afterAll, beforeAll, expect, it } from 'vitest'
import { groupOf } from '../src/audit/events.ts'
import { makeCompany, makeStaff, startTestApp, type Ask, type Person, type TestApp } from './test-app.ts'

let app: TestApp
let admin: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await makeCompany(app)
  staff = await makeStaff(app, admin)
})
afterAll(() => app.close())

const toCount = (location: string): Ask[] => [
  { method: 'GET', path: `/api/components/to-count?location=${location}` },
  { path: '/api/components/with-count-status', body: { location } },
  { path: '/api/components/with-count-status', body: { location, count_type: 'weekly', day: 'Monday' } },
]
const lists: Ask[] = [
  { method: 'GET', path: '/api/components' },
  { method: 'GET', path: '/api/components?limit=1' },
  ...toCount('PRIMARY'),
  ...toCount('SECONDARY'),
]

/** All lists as a node gives them to an administrator and to staff, compressed and not. */
async function listsOf({ ask }: Pick<TestApp, 'ask'>): Promise<unknown[]> {
  const asked = [admin, staff].flatMap(({ token }) =>
    ['br', 'gzip', 'identity'].flatMap((encoding) =>
      lists.map((list) => ask({ ...list, token, headers: { 'accept-encoding': encoding } })),
    ),
  )
  return (await Promise.all(asked)).map(({ status, body }) => ({ status, body }))
}

async function idOf(table: 'transfers' | 'imports' | 'discrepancies' | 'unknown_codes'): Promise<string> {
  const { rows } = await app.owner.query<{ id: string }>(
    `select id from ${table} where tenant_id = $1 order by id desc limit 1`,
    [admin.tenantId],
  )
  return rows[0]?.id ?? ''
}

const post = (path: string, body: unknown, { by = admin, key }: { by?: Person; key?: string } = {}) =>
  app.ask({ path: `/api${path}`, token: by.token, body, ...(key === undefined ? {} : { key }) })

let scans = 0

function count(part: Record<string, unknown>, key = `scan-${scans}`) {
  scans += 1
  const scan = {
    barcode: 'A-1',
    quantity: 10,
    location: 'PRIMARY',
    session: `Monthly_2026-11-21_PRIMARY_${scans}`,
    timestamp: new Date(Date.now() + scans).toISOString(),
    ...part,
  }
  return post('/components/update-with-tracking', scan, { by: staff, key })
}

const ofMonday = { source: 'weekly', day: 'Monday', session: 'Weekly_Monday_2026-11-23_PRIMARY_1' }

/** Only a second look is recorded where the first does not agree. */
async function countTwice(part: Record<string, unknown>, key?: string) {
  await count(part)
  return await count(part, key)
}

async function importFile(cells: string[]) {
  await post('/imports', { name: 'stock.csv', fields: ['barcode', 'description', 'primary_quantity'] })
  const id = await idOf('imports')
  await post(`/imports/${id}/rows`, { rows: [{ line: 2, cells }] })
  await post(`/imports/${id}/preview`, {})
  return await post(`/imports/${id}/commit`, {})
}

/** All that people do that changes a list. */
const changes: [does: string, change: () => Promise<{ status: number }>][] = [
  [
    'components are imported',
    () =>
      post('/components/import', [
        { barcode: 'A-1', description: 'Bolt', primary_quantity: 10, secondary_quantity: 2 },
        { barcode: 'A-2', description: 'Nut', primary_quantity: 7 },
      ]),
  ],
  [
    'a quantity is imported again',
    () => post('/components/import', [{ barcode: 'A-2', primary_quantity: 8 }]),
  ],
  ['a file is imported', () => importFile(['A-3', 'Washer', '3'])],
  ['a file is imported that only describes', () => importFile(['A-3', 'Spring washer', '3'])],
  ['an import is taken back', async () => post(`/imports/${await idOf('imports')}/undo`, {})],
  [
    'a component is described',
    () => post('/components/describe', { barcode: 'A-1', description: 'Hex bolt' }),
  ],
  ['a component without stock is made', () => post('/components/import', [{ barcode: 'A-4' }])],
  ['a component is retired', () => post('/components/retire', { barcode: 'A-4' })],
  ['a component is brought back', () => post('/components/reinstate', { barcode: 'A-4' })],
  [
    'a component gets another barcode',
    () => post('/components/add-barcode', { barcode: 'A-1', alias: '"barcode":"A-2"' }),
  ],
  [
    'a component gets one more',
    () => post('/components/add-barcode', { barcode: 'A-1', alias: '4006381333931' }),
  ],
  [
    'another barcode is taken from a component',
    () => post('/components/remove-barcode', { barcode: '4006381333931', alias: '"barcode":"A-2"' }),
  ],
  [
    'a component gets a bin',
    () =>
      post('/components/place', {
        location: 'PRIMARY',
        components: [{ barcode: 'A-1', bin: 'A-03 "counted":true', minimum: 4 }],
      }),
  ],
  [
    'stock is received',
    () =>
      post('/components/adjust-quantity', {
        barcode: 'A-1',
        location: 'PRIMARY',
        amount: 3,
        reason: 'received',
      }),
  ],
  [
    'stock is corrected',
    () => post('/components/update-quantity', { barcode: 'A-1', location: 'PRIMARY', quantity: 12 }),
  ],
  [
    'a component is planned for days',
    () => post('/components/configure-high-volume', { barcode: 'A-1', assignments: { Monday: ['PRIMARY'] } }),
  ],
  [
    'components are put on a list',
    () =>
      post('/components/bulk-high-volume', {
        barcodes: ['A-2'],
        day: 'Monday',
        location: 'PRIMARY',
        action: 'add',
      }),
  ],
  [
    'a component is left out at a location',
    () => post('/components/keep', { location: 'SECONDARY', kept: false, barcodes: ['A-3'] }),
  ],
  [
    'stock of it comes there',
    () => post('/components/update-quantity', { barcode: 'A-3', location: 'SECONDARY', quantity: 2 }),
  ],
  [
    'all is left out that a location has nothing of',
    () => post('/components/keep', { location: 'SECONDARY', kept: false }),
  ],
  ['all is kept there again', () => post('/components/keep', { location: 'SECONDARY', kept: true })],
  ['a component is counted', () => count({ quantity: 12 })],
  ['a component is counted with a difference', () => countTwice({ quantity: 11 })],
  [
    'the difference is accepted',
    async () =>
      post('/discrepancies/decide', {
        ids: [await idOf('discrepancies')],
        decision: 'accept',
        reason: 'Damaged',
      }),
  ],
  ['a component is counted on its day', () => count({ ...ofMonday, quantity: 11 }, 'undone')],
  ['that count is taken back', () => post('/components/undo-count', { key: 'undone' }, { by: staff })],
  ['a component is counted on its day again', () => count({ ...ofMonday, quantity: 11 })],
  ['marks of the month are reset', () => post('/components/reset-counts', { location: 'PRIMARY' })],
  [
    'stock is sent',
    () => post('/transfers', { barcode: 'A-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 4 }),
  ],
  [
    'stock is received',
    async () => post(`/transfers/${await idOf('transfers')}/receive`, { location: 'SECONDARY' }),
  ],
  [
    'stock is sent again',
    () => post('/transfers', { barcode: 'A-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 1 }),
  ],
  ['that is cancelled', async () => post(`/transfers/${await idOf('transfers')}/cancel`, {})],
  [
    'an unknown code is made a component',
    async () => {
      await count({ barcode: 'X-9' })
      return await post('/unknown-codes/component', { id: await idOf('unknown_codes'), description: 'Found' })
    },
  ],
]

it.each(changes)('when %s, every list shows it at once', async (_, change) => {
  const before = await listsOf(app)
  expect((await change()).status).toBeLessThan(300)
  const after = await listsOf(app)
  expect(after).not.toEqual(before)
  const other = await app.startSecondNode()
  expect(after).toEqual(await listsOf(other))
  await other.close()
})

it('a list that one node kept shows what was written through another', async () => {
  const other = await app.startSecondNode()
  await listsOf(other)
  await count({ quantity: 5 })
  expect(await listsOf(other)).toEqual(await listsOf(app))
  await other.close()
})

const records: [of: string, path: string, part: object][] = [
  ['a weekly count', '/weekly-counts', { day: 'Monday' }],
  ['a cycle', '/cycle-counts', { user_type: 'user' }],
]

it.each(records)('a list is kept where a record of %s is saved and deleted', async (...[, path, part]) => {
  const list = async () => {
    const { headers } = await app.ask({ method: 'GET', path: '/api/components', token: staff.token })
    return headers.get('etag')
  }
  const describeUnseen = (description: string) =>
    app.owner.query(`update components set description = $2 where tenant_id = $1 and barcode = 'A-2'`, [
      admin.tenantId,
      description,
    ])
  const before = await list()
  // As nobody does, without an entry in the trail: only a list that is written anew has it.
  await describeUnseen(`Not in any list kept when ${path} was asked`)
  const body = { id: 'own', location: 'PRIMARY', progress: { 'A-1': 1 }, ...part }
  expect((await post(path, body, { by: staff })).status).toBe(200)
  const saved = await list()
  const record = { method: 'DELETE', path: `/api${path}/own`, token: staff.token } as const
  expect((await app.ask(record)).status).toBe(200)
  expect([saved, await list()]).toEqual([before, before])
  await describeUnseen('Nut')
})

it('a list with odd descriptions shows each count where it belongs', async () => {
  const odd = [
    '"barcode":"A-1",',
    'two\nlines },{',
    '"counted":true',
    'Ölwanne 漢字 "M8"',
    '\\","barcode":"A-2"',
  ]
  await post(
    '/components/import',
    odd.map((description, at) => ({ barcode: `ODD-"${at}`, description, primary_quantity: at })),
  )
  await listsOf(app)
  for (const [at] of odd.entries()) await count({ barcode: `ODD-"${at}`, quantity: at })
  const other = await app.startSecondNode()
  const shown = await listsOf(app)
  expect(shown).toEqual(await listsOf(other))
  await other.close()
  const { body } = await app.ask({
    method: 'GET',
    path: '/api/components/to-count?location=PRIMARY',
    token: staff.token,
  })
  expect(body).toMatchObject({ counted: 5, total: 10 })
})

it('lists asked for while many people count are right when they have counted', async () => {
  const skus = Array.from({ length: 60 }, (_, at) => `MANY-${at}`)
  await post(
    '/components/import',
    skus.map((barcode, at) => ({ barcode, primary_quantity: at })),
  )
  await listsOf(app)
  const counted = Promise.all(skus.map((barcode, at) => count({ barcode, quantity: at }, `many-${at}`)))
  const asked = skus.slice(0, 10).map(() => listsOf(app))
  await Promise.all([counted, ...asked])
  const other = await app.startSecondNode()
  expect(await listsOf(app)).toEqual(await listsOf(other))
  await other.close()
})

it('a code that nobody knows changes no list, and what is counted after it is shown', async () => {
  const before = await listsOf(app)
  await count({ barcode: 'NOBODY-KNOWS' })
  expect(await listsOf(app)).toEqual(before)
  await count({ barcode: 'ODD-"2', quantity: 3 })
  await count({ barcode: 'ODD-"2', quantity: 3 })
  const other = await app.startSecondNode()
  expect(await listsOf(app)).toEqual(await listsOf(other))
  await other.close()
})

it('a company without components has whole lists after a count of what it does not have', async () => {
  const empty = await makeCompany(app)
  const path = '/api/components/to-count?location=PRIMARY'
  const ask = () => app.ask({ method: 'GET', path, token: empty.token })
  expect((await ask()).body).toEqual({ components: [], counted: 0, total: 0 })
  const scan = {
    barcode: 'A-1',
    quantity: 1,
    location: 'PRIMARY',
    session: 's',
    timestamp: new Date().toISOString(),
  }
  expect((await post('/components/update-with-tracking', scan, { by: empty })).status).toBe(404)
  expect((await ask()).body).toEqual({ components: [], counted: 0, total: 0 })
})

it('after more entries than are looked through, a list is whole, and what is counted then is shown', async () => {
  await listsOf(app)
  await count({ quantity: 12 })
  await app.owner.query(
    `insert into audit_entries (tenant_id, kind, event, sku, source, user_type, user_name)
     select $1, 'inventory_scan', 'monthly_count_scan', 'S-' || n, 'monthly', 'user', 'Sam' from generate_series(1, 5001) n`,
    [admin.tenantId],
  )
  for (const quantity of [12, 13, 13]) {
    await count({ quantity })
    const other = await app.startSecondNode()
    expect(await listsOf(app)).toEqual(await listsOf(other))
    await other.close()
  }
})

it('a sign-in changes no list, and neither does what a client reports', async () => {
  const before = await app.ask({ method: 'GET', path: '/api/components', token: staff.token })
  await makeStaff(app, admin)
  expect(await post('/audit/log', { sku: 'CONFIG_A-1' }, { by: staff })).toMatchObject({ status: 201 })
  const after = await app.ask({ method: 'GET', path: '/api/components', token: staff.token })
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
})

it('a location that the plan has closed is closed for lists that were asked for before, too', async () => {
  const [closed] = toCount('SECONDARY')
  if (closed === undefined) throw new Error('There are lists of each location.')
  expect((await app.ask({ ...closed, token: staff.token })).status).toBe(200)
  await post('/company/plan', { plan: 'starter', accept_read_only: true })
  expect(await app.ask({ ...closed, token: admin.token })).toMatchObject({
    status: 403,
    body: { code: 'location_not_in_plan' },
  })
})

it('the same list of two companies is never the other one', async () => {
  const stranger = await makeCompany(app)
  const path = '/api/components/to-count?location=PRIMARY'
  for (const { token } of [admin, stranger, admin, stranger]) {
    const { body } = await app.ask({ method: 'GET', path, token })
    expect(body).toMatchObject({ total: token === stranger.token ? 0 : 70 })
  }
})

it('everybody who asks for a list at the same moment gets all of it', async () => {
  await post('/components/describe', { barcode: 'A-1', description: 'Asked for by many' })
  const path = '/api/components/to-count?location=PRIMARY'
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => app.ask({ method: 'GET', path, token: staff.token })),
  )
  const [first] = replies
  expect(first?.body).toMatchObject({
    components: expect.arrayContaining([
      expect.objectContaining({ description: 'Asked for by many' }),
    ]) as unknown,
    total: 70,
  })
  for (const { status, body } of replies) expect([status, body]).toEqual([200, first?.body])
})

it('all that was recorded here is told apart by its event, also what the database itself writes', async () => {
  const { rows } = await app.owner.query<{ event: string }>(
    `select distinct event from audit_entries where origin = 'server'`,
  )
  const events = rows.map(({ event }) => event)
  expect(events).toEqual(
    expect.arrayContaining(['monthly_count_scan', 'monthly_count_mismatch', 'unknown_code_found']),
  )
  expect(events.filter((event) => groupOf(event) === undefined)).toEqual([])
})
