import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
let admin: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  admin = await makeCompany(app, { plan: 'enterprise' })
  staff = await makeStaff(app, admin)
  await ask('/api/components/import', [
    { barcode: 'OLD-1', description: 'Old bolt' },
    { barcode: 'NEW-1', description: 'New bolt', primary_quantity: 5 },
  ])
})
afterAll(() => app.close())

const ask = (path: string, body: unknown, by = admin) => app.ask({ path, token: by.token, body })
const get = async (path: string, by = admin) => (await app.ask({ method: 'GET', path, token: by.token })).body

const retire = (barcode = 'OLD-1', by = admin) => ask('/api/components/retire', { barcode }, by)
const reinstate = (barcode = 'OLD-1', by = admin) => ask('/api/components/reinstate', { barcode }, by)

async function count(part: Record<string, unknown> = {}, by = staff, key: string = randomUUID()) {
  const timestamp = new Date().toISOString()
  const scan = { barcode: 'OLD-1', quantity: 0, location: 'PRIMARY', session: 's', timestamp, ...part }
  return await app.ask({ path: '/api/components/update-with-tracking', token: by.token, key, body: scan })
}

const toCount = () => get('/api/components/to-count?location=PRIMARY', staff)

const inList = (...barcodes: string[]) => barcodes.map((barcode) => expect.objectContaining({ barcode }))

describe('a retired component', () => {
  it('leaves every list, and is no part of what is to be counted', async () => {
    await ask('/api/components/configure-high-volume', {
      barcode: 'OLD-1',
      assignments: { Monday: ['PRIMARY'] },
    })
    expect(await retire()).toMatchObject({ status: 200, body: { success: true } })

    expect(await get('/api/components')).toMatchObject({ components: inList('NEW-1'), total: 1 })
    expect(await toCount()).toMatchObject({ components: inList('NEW-1'), counted: 0, total: 1 })
    expect(await get('/api/components/search')).toMatchObject({ components: inList('NEW-1') })
    expect(await get('/api/components/search?state=retired')).toMatchObject({ components: inList('OLD-1') })
    const status = await ask('/api/components/with-count-status', { location: 'PRIMARY' })
    expect(status.body).toMatchObject({ components: inList('NEW-1'), total: 1 })
    const monday = await ask('/api/components/high-volume-for-day', { day: 'Monday', location: 'PRIMARY' })
    expect(monday.body).toEqual({ components: [] })
    const file = await app.ask({
      method: 'GET',
      path: '/api/exports/components?format=csv',
      token: admin.token,
    })
    expect(file.bytes.toString()).toContain('NEW-1')
    expect(file.bytes.toString()).not.toContain('OLD-1')
  })

  it('keeps its page and its history, and says since when it is retired and by whom', async () => {
    await count()
    await retire()
    expect(await get('/api/components/detail?barcode=OLD-1')).toMatchObject({
      description: 'Old bolt',
      retired: { at: expect.any(String), by: admin.name },
    })
    expect(await get('/api/components/counts?barcode=OLD-1')).toMatchObject({ counts: [{ quantity: 0 }] })
    expect(await get('/api/audit/trail?sku=OLD-1')).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ sku: 'OLD-1', metadata: { event_type: 'component_retired' } }),
      ]),
    })
  })

  it('is not counted: its code waits for a decision with those that nobody knows', async () => {
    await retire()
    expect(await count({ quantity: 3 })).toMatchObject({
      status: 404,
      body: {
        error: 'This component is retired. An administrator can bring it back.',
        code: 'barcode_retired',
      },
    })
    expect(await get('/api/components/counts?barcode=OLD-1')).toMatchObject({ counts: [] })
    const unknown = await get('/api/unknown-codes')
    expect(unknown).toMatchObject({ unknown_codes: [{ code: 'OLD-1', times: 1 }] })
  })

  it('gets no stock and no weekly count before it is back', async () => {
    await retire()
    const sentence = 'This component is retired. Bring it back first.'
    const corrected = { barcode: 'OLD-1', quantity: 4, location: 'PRIMARY' }
    const planned = { barcode: 'OLD-1', assignments: { Monday: ['PRIMARY'] } }
    const reported = { sku: 'OLD-1', quantity: 4, location: 'PRIMARY' }
    for (const [path, body] of [
      ['update-quantity', corrected],
      ['configure-high-volume', planned],
    ] as const) {
      expect(await ask(`/api/components/${path}`, body)).toMatchObject({
        status: 409,
        body: { error: sentence },
      })
    }
    expect(await ask('/api/count-history', reported)).toMatchObject({
      status: 409,
      body: { error: sentence },
    })
    const many = { barcodes: ['OLD-1', 'NEW-1'], day: 'Monday', location: 'PRIMARY', action: 'add' }
    expect((await ask('/api/components/bulk-high-volume', many)).body).toMatchObject({
      changed: 1,
      not_found: ['OLD-1'],
    })
    expect((await ask('/api/components/by-barcode', { barcode: 'OLD-1' })).status).toBe(404)
  })

  it('takes its mark of this month with it, so that progress is of what is left', async () => {
    await count()
    await count({ barcode: 'NEW-1', quantity: 5 })
    expect(await toCount()).toMatchObject({ counted: 2, total: 2 })
    await retire()
    expect(await toCount()).toMatchObject({ counted: 1, total: 1 })
    expect((await count({ barcode: 'NEW-1', quantity: 5 })).body).toMatchObject({
      progress: { counted: 1, total: 1 },
    })
    await ask('/api/components/reset-counts', { location: 'PRIMARY' }, staff)
    expect(await toCount()).toMatchObject({ counted: 0, total: 1 })
  })
})

describe('retiring', () => {
  const refused = (sentence: string) => ({ status: 409, body: { error: sentence } })

  it('is refused while there is stock of it', async () => {
    expect(await retire('NEW-1')).toMatchObject(
      refused('There is still stock of it. Correct it to 0 first, or count 0 and accept the difference.'),
    )
    expect(await toCount()).toMatchObject({ total: 2 })
  })

  it('says what to do about stock that no correction and no count reaches', async () => {
    const aside = { barcode: 'NEW-1', from: 'PRIMARY', to: 'QUARANTINE', quantity: 5 }
    expect((await ask('/api/transfers', aside)).status).toBe(200)
    expect(await retire('NEW-1')).toMatchObject(
      refused(
        'There is still stock of it in Quarantine. Move it to a location, and correct it to 0 there, first.',
      ),
    )
    await ask('/api/components/import', [{ barcode: 'OLD-1', distribution_quantity: 3 }])
    expect((await ask('/api/company/plan', { plan: 'professional', accept_read_only: true })).status).toBe(
      200,
    )
    expect(await retire('OLD-1')).toMatchObject(
      refused('There is still stock of it at Distribution Center, which your plan does not include.'),
    )
  })

  it('is refused while some of it is on its way', async () => {
    const sent = { barcode: 'NEW-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 5 }
    expect((await ask('/api/transfers', sent)).status).toBe(200)
    expect(await retire('NEW-1')).toMatchObject(
      refused('Some of it is on its way. Receive it, or cancel that transfer, first.'),
    )
  })

  it('is refused while a count of it waits', async () => {
    await count({ quantity: 2 })
    expect(await retire()).toMatchObject(refused('A count of it waits: decide on its difference first.'))
  })

  it('is for administrators, and done once however often it is asked for', async () => {
    expect((await retire('OLD-1', staff)).status).toBe(403)
    expect((await reinstate('OLD-1', staff)).status).toBe(403)
    const replies = await Promise.all([retire(), retire(), retire()])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await get('/api/components')).toMatchObject({ total: 1 })
    const { rows } = await app.owner.query(
      `select count(*)::integer as entries from audit_entries where tenant_id = $1 and event = 'component_retired'`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ entries: 1 }])
    expect((await retire('NOBODY')).status).toBe(404)
  })

  it('leaves nothing behind that is retired and has stock or a mark, whatever is done at the same moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      const barcode = `RACE-${round}`
      await ask('/api/components/import', [{ barcode }])
      await Promise.all([
        retire(barcode),
        count({ barcode }),
        ask('/api/components/update-quantity', { barcode, quantity: 3, location: 'SECONDARY' }),
        ask('/api/components/import', [{ barcode, fulfillment_quantity: 2 }]),
        ask('/api/transfers', { barcode, from: 'SECONDARY', to: 'PRIMARY', quantity: 3 }),
      ])
    }
    const { rows } = await app.owner.query(
      `select barcode from components join stock using (tenant_id)
       where tenant_id = $1 and component_id = components.id and retired_at is not null
         and (quantity > 0 or counted_at is not null)`,
      [admin.tenantId],
    )
    expect(rows).toEqual([])
    const listed = await app.owner.query(
      `select component_count, (select count(*)::integer from components where tenant_id = $1 and retired_at is null) as active,
         (select counted from count_progress where tenant_id = $1) as counted,
         (select count(*)::integer from stock where tenant_id = $1 and counted_at is not null) as marked
       from companies where tenant_id = $1`,
      [admin.tenantId],
    )
    const { component_count: total, active, counted, marked } = listed.rows[0]
    expect({ total, counted: counted ?? 0 }).toEqual({ total: active, counted: marked })
  })
})

const [twelve, thirteen] = ['036000291452', '0036000291452']

/** Both writings of a UPC as two components, as versions before have let them be made. */
async function makeTwins(): Promise<void> {
  await ask('/api/components/import', [{ barcode: twelve }])
  await app.owner.query('insert into components (tenant_id, barcode) values ($1, $2)', [
    admin.tenantId,
    thirteen,
  ])
  await ask('/api/components/import', [{ barcode: thirteen, primary_quantity: 5 }])
}

describe('a scan of a retired component’s code', () => {
  it('counts the one in use that has it in its other writing', async () => {
    await makeTwins()
    await retire(twelve)
    expect(await count({ barcode: twelve, quantity: 5 })).toMatchObject({
      status: 200,
      body: { matched: true, component: { barcode: thirteen } },
    })
    expect(await get('/api/unknown-codes')).toMatchObject({ unknown_codes: [] })
  })

  it('counts the one in use that has it as another barcode', async () => {
    await ask('/api/components/add-barcode', { barcode: 'NEW-1', alias: thirteen })
    await ask('/api/components/import', [{ barcode: twelve }])
    await retire(twelve)
    expect(await count({ barcode: twelve, quantity: 5 })).toMatchObject({
      status: 200,
      body: { matched: true, component: { barcode: 'NEW-1' } },
    })
  })
})

describe('a retired component’s code where another one in use has it', () => {
  it('means that one in lists of weekdays and the counts of a place, and itself on its page', async () => {
    await makeTwins()
    await retire(twelve)
    await count({ barcode: twelve, quantity: 5 })
    const place = { barcode: twelve, location: 'PRIMARY' }
    expect(await ask('/api/components/count-history', place)).toMatchObject({
      body: { history: [{ sku: thirteen, quantity: 5 }] },
    })
    const many = { barcodes: [twelve], day: 'Monday', location: 'PRIMARY', action: 'add' }
    expect((await ask('/api/components/bulk-high-volume', many)).body).toMatchObject({
      changed: 1,
      not_found: [],
    })
    expect(await get(`/api/components/detail?barcode=${twelve}`)).toMatchObject({
      barcode: twelve,
      retired: { by: admin.name },
    })
    expect(await ask('/api/components/update-quantity', { ...place, quantity: 9 })).toMatchObject({
      status: 409,
      body: { error: 'This component is retired. Bring it back first.' },
    })
  })
})

describe('a count of what was retired since', () => {
  it('is not taken back, so that nothing of it waits where nobody looks', async () => {
    for (const [key, quantity] of [
      ['slip', 4],
      ['again', 4],
      ['right', 0],
    ] as const) {
      const { status } = await count({ quantity }, staff, key)
      expect(status).toBe(200)
    }
    expect((await retire()).status).toBe(200)
    const undo = () => ask('/api/components/undo-count', { key: 'right' }, staff)
    expect(await undo()).toMatchObject({
      status: 409,
      body: { error: 'This component has since been retired. An administrator can bring it back.' },
    })
    expect(await get('/api/discrepancies?status=open')).toMatchObject({ discrepancies: [] })
    await reinstate()
    expect((await undo()).status).toBe(200)
  })
})

/** Stages a file of barcodes and their stock at PRIMARY, and gives the import's id. */
async function stageFile(lines: string[][], part: Record<string, unknown> = {}): Promise<string> {
  const begun = await ask('/api/imports', { name: 'a.csv', fields: ['barcode', 'primary_quantity'], ...part })
  const { id } = z.object({ import: z.object({ id: z.string() }) }).parse(begun.body).import
  const rows = lines.map((cells, index) => ({ line: index + 2, cells }))
  expect((await ask(`/api/imports/${id}/rows`, { rows })).status).toBe(200)
  return id
}

/** Takes a file of one row, and gives the import's id. */
async function importFile(barcode: string, quantity: string): Promise<string> {
  const id = await stageFile([[barcode, quantity]])
  expect((await ask(`/api/imports/${id}/commit`, {})).status).toBe(200)
  return id
}

describe('a component comes back', () => {
  it('as it was, to be counted again', async () => {
    await count()
    await retire()
    expect(await reinstate()).toMatchObject({ status: 200, body: { success: true } })
    expect(await toCount()).toMatchObject({ components: inList('NEW-1', 'OLD-1'), counted: 0, total: 2 })
    expect(await get('/api/components/detail?barcode=OLD-1')).toMatchObject({ retired: null })
    expect((await count()).body).toMatchObject({ matched: true, progress: { counted: 1, total: 2 } })
  })

  it('by an import of its barcode', async () => {
    await retire()
    const { body } = await ask('/api/components/import', [{ barcode: 'OLD-1', primary_quantity: 4 }])
    expect(body).toMatchObject({ created: 0, updated: 1 })
    expect(await toCount()).toMatchObject({ total: 2 })
  })

  it('by an import through the import screen, which shows it as changed', async () => {
    await retire()
    const begun = await ask('/api/imports', { name: 'a.csv', fields: ['barcode', 'description'] })
    const { id } = z.object({ import: z.object({ id: z.string() }) }).parse(begun.body).import
    const rows = [{ line: 2, cells: ['OLD-1', 'Old bolt'] }]
    expect((await ask(`/api/imports/${id}/rows`, { rows })).status).toBe(200)
    expect(await get(`/api/imports/${id}/preview`)).toMatchObject({
      rows: { changed: 1, unchanged: 0 },
      reinstated: 1,
    })
    expect(await get(`/api/imports/${id}/rows`)).toMatchObject({ rows: [{ kind: 'changed', retired: true }] })
    expect((await ask(`/api/imports/${id}/commit`, {})).body).toMatchObject({
      import: { created: 0, updated: 1 },
    })
    expect(await toCount()).toMatchObject({ total: 2 })
  })

  it('with the stock that an import gives it, also where that keeps the stock of others', async () => {
    await retire()
    await ask('/api/components/import?existing=keep', [
      { barcode: 'OLD-1', primary_quantity: 12 },
      { barcode: 'NEW-1', primary_quantity: 99 },
    ])
    expect(await get('/api/components')).toMatchObject({
      components: [
        { barcode: 'NEW-1', primary_quantity: 5 },
        { barcode: 'OLD-1', primary_quantity: 12 },
      ],
    })
  })

  it('with the stock that a file gives it, which the preview says, also where that keeps the stock of others', async () => {
    await retire()
    const id = await stageFile(
      [
        ['OLD-1', '12'],
        ['NEW-1', '99'],
      ],
      { existing: 'keep' },
    )
    expect(await get(`/api/imports/${id}/rows`)).toMatchObject({
      rows: [
        {
          barcode: 'OLD-1',
          kind: 'changed',
          stock: [{ location: 'PRIMARY', old_quantity: 0, quantity: 12 }],
        },
        { barcode: 'NEW-1', kind: 'unchanged', stock: [] },
      ],
    })
    expect((await ask(`/api/imports/${id}/commit`, {})).status).toBe(200)
    expect(await get('/api/components')).toMatchObject({
      components: [
        { barcode: 'NEW-1', primary_quantity: 5 },
        { barcode: 'OLD-1', primary_quantity: 12 },
      ],
    })
  })

  it('where its scanned code is made a component', async () => {
    await retire()
    await count({ quantity: 3 })
    const listed = await get('/api/unknown-codes')
    const [{ id } = { id: '' }] = z
      .object({ unknown_codes: z.array(z.object({ id: z.string() })) })
      .parse(listed).unknown_codes
    const made = await ask('/api/unknown-codes/component', { id, description: '' })
    expect(made.body).toMatchObject({ barcode: 'OLD-1', created: false })
    expect(await toCount()).toMatchObject({ components: inList('NEW-1', 'OLD-1') })
    expect(await get('/api/unknown-codes')).toMatchObject({ unknown_codes: [] })
  })

  it('until the import that brought it back is undone', async () => {
    await retire()
    const id = await importFile('OLD-1', '4')
    expect(await toCount()).toMatchObject({ total: 2 })
    expect((await ask(`/api/imports/${id}/undo`, {})).status).toBe(200)
    expect(await toCount()).toMatchObject({ components: inList('NEW-1'), total: 1 })
  })

  it('for good where it was counted before the import that brought it back is undone', async () => {
    await retire()
    const id = await importFile('OLD-1', '')
    expect((await count()).status).toBe(200)
    expect((await ask(`/api/imports/${id}/undo`, {})).status).toBe(200)
    expect(await toCount()).toMatchObject({ counted: 1, total: 2 })
  })

  it('to be counted in the week, too', async () => {
    const day = 'Monday'
    const plan = () =>
      ask('/api/components/configure-high-volume', {
        barcode: 'OLD-1',
        assignments: { [day]: ['PRIMARY'] },
      })
    await plan()
    expect((await count({ source: 'weekly', day })).body).toMatchObject({ matched: true })
    await retire()
    await reinstate()
    await plan()
    const listed = await ask('/api/components/high-volume-for-day', { day, location: 'PRIMARY' })
    expect(listed.body).toMatchObject({ components: [{ barcode: 'OLD-1', counted_today: false }] })
  })

  it('where an import that had taken its stock is taken back', async () => {
    const id = await importFile('NEW-1', '0')
    expect((await retire('NEW-1')).status).toBe(200)
    expect((await ask(`/api/imports/${id}/undo`, {})).status).toBe(200)
    expect(await get('/api/components')).toMatchObject({
      components: [{ barcode: 'NEW-1', primary_quantity: 5 }, { barcode: 'OLD-1' }],
      total: 2,
    })
  })
})

const entries = z.object({
  entries: z.array(
    z.object({ sku: z.string(), metadata: z.looseObject({ event_type: z.string().optional() }) }),
  ),
})

/** The entries of the trail about a SKU, newest first, each with what happened and what is known of it. */
async function trailOf(sku: string) {
  const { body } = await app.ask({ method: 'GET', path: `/api/audit/trail?sku=${sku}`, token: admin.token })
  return entries.parse(body).entries
}

describe('what an import brings back', () => {
  it('is not for staff to bring back: the row that names it is refused with all others', async () => {
    await retire()
    const rows = [{ barcode: 'NEW-2' }, { barcode: 'OLD-1', primary_quantity: 4 }]
    const { status, body } = await ask('/api/components/import', rows, staff)
    expect([status, body]).toMatchObject([
      409,
      {
        code: 'component_retired',
        error: 'Row 2 names OLD-1, which is retired. An administrator can bring it back.',
      },
    ])
    expect(await get('/api/components')).toMatchObject({ components: [{ barcode: 'NEW-1' }] })
  })

  it('stands in the trail by its name, and with the import by its number', async () => {
    await retire()
    const imported = await ask('/api/components/import', [{ barcode: 'OLD-1' }])
    expect(imported.body).toMatchObject({ updated: 1, reinstated: 1 })
    expect(await trailOf('OLD-1')).toMatchObject([
      { metadata: { event_type: 'component_reinstated' } },
      { metadata: { event_type: 'component_retired' } },
    ])
    expect((await trailOf('BULK_IMPORT'))[0]).toMatchObject({ metadata: { updated: 1, reinstated: 1 } })
  })

  it('stands in the trail with its file, as does what the undo of the import retires', async () => {
    await retire()
    const id = await stageFile([['OLD-1'], ['NEW-2']])
    expect((await ask(`/api/imports/${id}/commit`, {})).body).toMatchObject({
      import: { created: 1, updated: 1, reinstated: 1, retired: 0 },
    })
    expect((await trailOf('BULK_IMPORT'))[0]).toMatchObject({ metadata: { file: 'a.csv', reinstated: 1 } })
    expect((await ask(`/api/imports/${id}/undo`, {})).body).toMatchObject({
      import: { status: 'undone', reinstated: 1, retired: 2 },
    })
    expect((await trailOf('BULK_IMPORT'))[0]).toMatchObject({ metadata: { file: 'a.csv', retired: 2 } })
    expect((await trailOf('OLD-1')).slice(0, 2)).toMatchObject([
      { metadata: { event_type: 'component_retired', file: 'a.csv' } },
      { metadata: { event_type: 'component_reinstated', file: 'a.csv' } },
    ])
    expect(await trailOf('NEW-2')).toMatchObject([{ metadata: { event_type: 'component_retired' } }])
  })

  it('is told by its number alone where it is more than 500', async () => {
    const many = Array.from({ length: 501 }, (_, index) => ({ barcode: `M-${index}` }))
    await ask('/api/components/import', many)
    await app.owner.query(`update components set retired_at = now() where tenant_id = $1`, [admin.tenantId])
    await ask('/api/components/import', many)
    expect(await trailOf('M-7')).toEqual([])
    expect((await trailOf('BULK_IMPORT'))[0]).toMatchObject({ metadata: { reinstated: 501 } })
  })
})

describe('an import that leaves retired components out', () => {
  it('leaves them as they are, whatever it says of them', async () => {
    await retire()
    const lines = [
      ['OLD-1', '4'],
      ['NEW-1', '6'],
    ]
    const id = await stageFile(lines, { retired: 'leave_out' })
    expect(await get(`/api/imports/${id}/preview`)).toMatchObject({
      rows: { new: 0, changed: 1, unchanged: 1, bad: 0 },
      reinstated: 0,
    })
    expect(await get(`/api/imports/${id}/rows`)).toMatchObject({
      rows: [
        { barcode: 'OLD-1', kind: 'unchanged', retired: true, stock: [] },
        { barcode: 'NEW-1', kind: 'changed', retired: false },
      ],
    })
    expect((await ask(`/api/imports/${id}/commit`, {})).body).toMatchObject({
      import: { created: 0, updated: 1, unchanged: 1, reinstated: 0 },
    })
    expect(await get('/api/components')).toMatchObject({
      components: [{ barcode: 'NEW-1', primary_quantity: 6 }],
      total: 1,
    })
  })
})

describe('an import is undone, and what it made stays', () => {
  const undo = async (id: string) => (await ask(`/api/imports/${id}/undo`, {})).body

  it('where a newer file names it, too, until that is undone', async () => {
    const first = await importFile('MADE-1', '')
    const second = await importFile('MADE-1', '')
    expect(await undo(first)).toMatchObject({ import: { created: 1, retired: 0 } })
    expect(await get('/api/components')).toMatchObject({ total: 3 })
    expect((await trailOf('BULK_IMPORT'))[0]).toMatchObject({ metadata: { retired: 0, stay: 1 } })
    expect(await undo(second)).toMatchObject({ import: { created: 0, retired: 0 } })
  })

  it('but not where that newer file was taken back before', async () => {
    const first = await importFile('MADE-1', '')
    const second = await importFile('MADE-1', '')
    await undo(second)
    expect(await undo(first)).toMatchObject({ import: { retired: 1 } })
    expect(await get('/api/components')).toMatchObject({ total: 2 })
  })

  it.each([
    [
      'is counted on a weekday',
      'configure-high-volume',
      { barcode: 'MADE-1', assignments: { Monday: ['PRIMARY'] } },
    ],
    ['has another barcode', 'add-barcode', { barcode: 'MADE-1', alias: 'SUPPLIED-1' }],
  ])('where it %s since', async (_, path, body) => {
    const id = await importFile('MADE-1', '')
    expect((await ask(`/api/components/${path}`, body)).body).toMatchObject({ success: true })
    expect(await undo(id)).toMatchObject({ import: { retired: 0 } })
    expect(await get('/api/components/detail?barcode=MADE-1')).toMatchObject({ retired: null })
  })

  it('where it was retired and brought back by hand since', async () => {
    const id = await importFile('MADE-1', '')
    await retire('MADE-1')
    await reinstate('MADE-1')
    expect(await undo(id)).toMatchObject({ import: { retired: 0 } })
  })

  it('where a label of it was printed since', async () => {
    const id = await importFile('MADE-1', '')
    await app.owner.query(
      `insert into labelled_components (tenant_id, component_id, description)
       select tenant_id, id, description from components where tenant_id = $1 and barcode = 'MADE-1'`,
      [admin.tenantId],
    )
    expect(await undo(id)).toMatchObject({ import: { retired: 0 } })
  })
})

describe('who retires a component or brings it back', () => {
  it('names it by its own barcode, because another one is often what is kept no more', async () => {
    await ask('/api/components/import', [{ barcode: '036000291452' }])
    for (const [barcode, alias] of [
      ['OLD-1', 'SUPPLIER-1'],
      ['036000291452', '614141000036'],
    ]) {
      expect((await ask('/api/components/add-barcode', { barcode, alias })).status).toBe(201)
    }
    const refused = (own: string) => ({
      status: 409,
      body: { error: `This is another barcode of ${own}. Give that one.`, code: 'other_barcode' },
    })
    expect(await retire('SUPPLIER-1')).toMatchObject(refused('OLD-1'))
    expect(await retire('0614141000036')).toMatchObject(refused('036000291452'))
    expect(await toCount()).toMatchObject({ total: 3 })

    expect(await retire('OLD-1')).toMatchObject({ status: 200 })
    expect(await retire('0036000291452')).toMatchObject({ status: 200 })
    expect(await reinstate('SUPPLIER-1')).toMatchObject(refused('OLD-1'))
    expect(await toCount()).toMatchObject({ total: 1 })
    expect(await reinstate('0036000291452')).toMatchObject({ status: 200 })
    expect(await toCount()).toMatchObject({ components: inList('036000291452', 'NEW-1') })
  })
})
