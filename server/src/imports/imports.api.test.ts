import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'
import { forgettable } from '../forgettable.ts'
import { prune } from '../platform/pruning.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function companyWithStock(): Promise<Person> {
  const admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  const rows = [
    { barcode: 'A-1', description: 'Bolt', primary_quantity: 5 },
    { barcode: 'A-2', description: 'Nut', primary_quantity: 7 },
  ]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  return admin
}

/** A company with stock at a location that a smaller plan has not. */
async function companyOnEnterprise(): Promise<Person> {
  const admin = await makeCompany(app, { plan: 'enterprise' })
  const rows = [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 5, secondary_quantity: 50 }]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  return admin
}

async function reduce({ token }: Person): Promise<void> {
  const body = { plan: 'starter', accept_read_only: true }
  expect((await app.ask({ path: '/api/company/plan', token, body })).status).toBe(200)
}

const fields = ['barcode', 'description', 'primary_quantity', 'secondary_quantity']

const post = (person: Person, path: string, body: unknown = {}) =>
  app.ask({ path: `/api/imports${path}`, token: person.token, body })
const get = (person: Person, path: string) =>
  app.ask({ method: 'GET', path: `/api/imports${path}`, token: person.token })

const begun = z.object({ import: z.object({ id: z.string() }) })

async function begin(person: Person, part: Record<string, unknown> = {}): Promise<string> {
  const { body } = await post(person, '', { name: 'stock.csv', fields, ...part })
  return begun.parse(body).import.id
}

const stage = (person: Person, id: string, lines: string[][]) => stageFrom(2, person, { id, lines })

const stageFrom = (first: number, person: Person, { id, lines }: { id: string; lines: string[][] }) =>
  post(person, `/${id}/rows`, { rows: lines.map((cells, index) => ({ line: first + index, cells })) })

async function staged(person: Person, lines: string[][], part: Record<string, unknown> = {}) {
  const id = await begin(person, part)
  await stage(person, id, lines)
  return id
}

const mixed = [
  ['A-1', 'Bolt', '5'],
  ['A-2', 'Nut M8', '9'],
  ['000-3', 'Washer', '3', '4'],
  ['A-4', '', 'many'],
  ['000-3', 'again', '1'],
]

async function components(person: Person): Promise<unknown> {
  const { body } = await app.ask({ method: 'GET', path: '/api/components', token: person.token })
  return body
}

async function ledgerDifference(person: Person): Promise<unknown[]> {
  const { rows } = await app.owner.query(
    `select stock.component_id, stock.location from stock
     left join movements using (tenant_id, component_id, location)
     where stock.tenant_id = $1
     group by stock.tenant_id, stock.component_id, stock.location, stock.quantity
     having stock.quantity <> coalesce(sum(movements.delta), 0)`,
    [person.tenantId],
  )
  return rows
}

describe('a staged import', () => {
  it('leaves the stock of a location that the plan has closed, where it says 0', async () => {
    const admin = await companyOnEnterprise()
    await reduce(admin)
    const id = await staged(admin, [['A-1', 'Bolt', '6', '0']])
    expect((await post(admin, `/${id}/commit`)).status).toBe(200)
    expect(await components(admin)).toMatchObject({
      components: [{ primary_quantity: 6, secondary_quantity: 50 }],
    })
  })

  it('is not taken when the plan has closed one of its locations meanwhile', async () => {
    const admin = await companyOnEnterprise()
    const id = await staged(admin, [['A-1', 'Bolt', '6', '0']])
    await reduce(admin)
    expect((await post(admin, `/${id}/commit`)).body).toEqual({
      success: false,
      error:
        'This file sets stock, bins or minimums at a location that is no longer in your plan. Cancel the import and choose the file again.',
      code: 'location_not_in_plan',
    })
    expect(await components(admin)).toMatchObject({
      components: [{ primary_quantity: 5, secondary_quantity: 50 }],
    })
  })

  it('changes nothing and says what it would do', async () => {
    const admin = await companyWithStock()
    const before = await components(admin)
    const id = await staged(admin, mixed)
    expect((await get(admin, `/${id}/preview`)).body).toMatchObject({
      import: { status: 'staged', staged_rows: 5, name: 'stock.csv' },
      rows: { new: 1, changed: 1, unchanged: 1, bad: 2 },
    })
    expect(await components(admin)).toEqual(before)
  })

  it('lists its rows by kind, page by page', async () => {
    const admin = await companyWithStock()
    const id = await staged(admin, mixed)
    expect((await get(admin, `/${id}/rows?kind=bad`)).body).toMatchObject({
      rows: [
        {
          line: 5,
          barcode: 'A-4',
          fault: 'the quantity of Primary Warehouse is not a whole number from 0 up: many',
        },
        { line: 6, barcode: '000-3', fault: 'the barcode stands already at line 4' },
      ],
      next_after: null,
    })
    expect((await get(admin, `/${id}/rows?kind=changed`)).body).toMatchObject({
      rows: [{ line: 3, old_description: 'Nut', description: 'Nut M8' }],
    })
    expect((await get(admin, `/${id}/rows?limit=2`)).body).toMatchObject({
      rows: [{ line: 2, kind: 'unchanged' }, { line: 3 }],
      next_after: 3,
    })
    expect((await get(admin, `/${id}/rows?limit=2&after=5`)).body).toMatchObject({
      rows: [{ line: 6, fault: 'the barcode stands already at line 4' }],
    })
    expect((await get(admin, `/${id}/rows?kind=bad&limit=1`)).body).toMatchObject({
      rows: [{ line: 5 }],
      next_after: 5,
    })
    expect((await get(admin, `/${id}/rows?kind=bad&limit=1&after=5`)).body).toMatchObject({
      rows: [{ line: 6 }],
      next_after: null,
    })
  })

  it('says of each row what stock it would set from what to what', async () => {
    const admin = await companyWithStock()
    const id = await staged(admin, mixed)
    expect((await get(admin, `/${id}/rows?kind=changed`)).body).toMatchObject({
      rows: [{ line: 3, stock: [{ location: 'PRIMARY', old_quantity: 7, quantity: 9 }] }],
    })
    expect((await get(admin, `/${id}/rows?kind=new`)).body).toMatchObject({
      rows: [
        {
          line: 4,
          stock: [
            { location: 'PRIMARY', old_quantity: 0, quantity: 3 },
            { location: 'SECONDARY', old_quantity: 0, quantity: 4 },
          ],
        },
      ],
    })
    expect((await get(admin, `/${id}/rows`)).body).toMatchObject({
      rows: [{ stock: [] }, { line: 3 }, { line: 4 }, { line: 5, stock: [] }, { line: 6, stock: [] }],
    })
    const kept = await staged(admin, mixed, { existing: 'keep' })
    expect((await get(admin, `/${kept}/rows?limit=3`)).body).toMatchObject({
      rows: [
        { line: 2, stock: [] },
        {
          line: 3,
          kind: 'changed',
          stock: [],
          kept_stock: [{ location: 'PRIMARY', old_quantity: 7, quantity: 9 }],
        },
        { line: 4, stock: [{ quantity: 3 }, { quantity: 4 }] },
      ],
    })
  })

  it('says of new rows with a barcode alone, but for a list of such, that they are there, and which', async () => {
    const admin = await companyWithStock()
    const lines = [['Fasteners'], ['B-1', 'Bolt', '5'], ['A-1'], ['B-2', '', '7'], ['', 'No code'], ['Total']]
    const id = await staged(admin, lines)
    expect((await get(admin, `/${id}/preview`)).body).toMatchObject({
      rows: { new: 4, unchanged: 1, bad: 1 },
      bare: { rows: 3, lack: 'description' },
    })
    expect((await get(admin, `/${id}/rows?only=bare&limit=2`)).body).toMatchObject({
      rows: [
        { line: 2, barcode: 'Fasteners', kind: 'new' },
        { line: 5, barcode: 'B-2' },
      ],
      next_after: 5,
    })
    expect((await get(admin, `/${id}/rows?kind=new&only=bare&after=5`)).body).toMatchObject({
      rows: [{ line: 7, barcode: 'Total' }],
    })
    await post(admin, `/${id}/cancel`)
    const ofStock = { fields: ['barcode', 'primary_quantity'] }
    const counted = await staged(admin, [['Stocktake 2026'], ['B-1', '5'], ['B-2', '0']], ofStock)
    expect((await get(admin, `/${counted}/preview`)).body).toMatchObject({ bare: { rows: 1, lack: 'all' } })
    for (const [named, given] of [
      [
        ['barcode', 'primary_bin'],
        [['B-1'], ['B-2', 'A-03']],
      ],
      [fields, [['B-1'], ['B-2', '', '7']]],
    ] as const) {
      const other = await staged(
        admin,
        given.map((cells) => [...cells]),
        { fields: named },
      )
      expect((await get(admin, `/${other}/preview`)).body).not.toHaveProperty('bare')
      await post(admin, `/${other}/cancel`)
    }
  })

  it('says of stock that it leaves as it is how many rows say another, and which', async () => {
    const admin = await companyWithStock()
    await app.done({ path: '/api/components/import', token: admin.token, body: [{ barcode: 'A-3' }] })
    await app.done({ path: '/api/components/retire', token: admin.token, body: { barcode: 'A-3' } })
    const lines = [
      ['A-1', 'Bolt', '8', '2'],
      ['A-2', 'Nut M8', '9'],
      ['A-1', 'Bolt', '3'],
      ['A-3', '', '4'],
      ['A-4', 'New', '1'],
    ]
    const retired = 'leave_out'
    const kept = await staged(admin, lines, { existing: 'keep', retired })
    expect((await get(admin, `/${kept}/preview`)).body).toMatchObject({
      rows: { new: 1, changed: 1, unchanged: 2, bad: 1 },
      other_stock: 2,
    })
    const { body } = await get(admin, `/${kept}/rows?kind=unchanged`)
    expect(body).toMatchObject({
      rows: [
        {
          line: 2,
          stock: [],
          kept_stock: [
            { location: 'PRIMARY', old_quantity: 5, quantity: 8 },
            { location: 'SECONDARY', old_quantity: 0, quantity: 2 },
          ],
        },
        { line: 5, stock: [] },
      ],
    })
    expect(JSON.stringify(body).match(/kept_stock/g)).toHaveLength(1)
    const same = await staged(admin, [['A-1', '', '5', '0'], ['A-2']], { existing: 'keep' })
    expect((await get(admin, `/${same}/preview`)).body).not.toHaveProperty('other_stock')
    const set = await staged(admin, lines, { existing: 'set', retired })
    expect((await get(admin, `/${set}/preview`)).body).not.toHaveProperty('other_stock')
  })

  it('says of new codes that they differ from components only by zeros in front, and of others nothing', async () => {
    const admin = await companyWithStock()
    expect((await get(admin, `/${await staged(admin, [['7', 'Pin']])}/preview`)).body).not.toHaveProperty(
      'shortened',
    )
    const codes = ['00001', '0012', '000000123', '0', '2']
    const body = codes.map((barcode) => ({ barcode }))
    await app.done({ path: '/api/components/import', token: admin.token, body })
    const lines = [['40', 'No'], ['12'], ['1', 'Thing'], ['01'], ['123'], ['00'], ['2'], ['A12'], ['12']]
    const id = await staged(admin, lines)
    expect((await get(admin, `/${id}/preview`)).body).toMatchObject({
      rows: { new: 7, changed: 0, unchanged: 1, bad: 1 },
      shortened: { rows: 3, barcode: '12', component: '0012' },
    })
  })

  it('says of new codes that they have zeros in front which components lack', async () => {
    const admin = await companyWithStock()
    const body = ['7', '0012', '12345', '0'].map((barcode) => ({ barcode }))
    await app.done({ path: '/api/components/import', token: admin.token, body })
    const id = await staged(admin, [['0000000000004711'], ['007'], ['00012'], ['012'], ['A007'], ['00']])
    const preview = (await get(admin, `/${id}/preview`)).body
    expect(preview).toMatchObject({ lengthened: { rows: 2, barcode: '007', component: '7' } })
    expect(preview).not.toHaveProperty('shortened')
    const other = await staged(admin, [['12'], ['0012']])
    expect((await get(admin, `/${other}/preview`)).body).not.toHaveProperty('lengthened')
  })

  it('takes a slice once, however often it is sent', async () => {
    const admin = await companyWithStock()
    const id = await staged(admin, mixed)
    expect((await stage(admin, id, mixed)).body).toEqual({ success: true, staged_rows: 5 })
    expect((await stageFrom(7, admin, { id, lines: [['B-9']] })).body).toEqual({
      success: true,
      staged_rows: 6,
    })
  })

  it('is not taken before its last rows are there, where it waits for them', async () => {
    const admin = await companyWithStock()
    const id = await staged(admin, [['A-1', 'Bolt', '9']], { awaits_end: true, existing: 'set' })
    expect((await get(admin, '')).body).toMatchObject({ imports: [{ id, awaits_end: true }] })
    const cut = await post(admin, `/${id}/commit`)
    expect([cut.status, cut.body]).toMatchObject([
      409,
      {
        code: 'import_cut',
        error:
          'The file of this import was not read to its end. Cancel the import and choose the file again.',
      },
    ])
    expect(await components(admin)).toMatchObject({ components: [{ primary_quantity: 5 }, {}] })
    await post(admin, `/${id}/rows`, { rows: [{ line: 3, cells: ['A-2', 'Nut', '8'] }], last: true })
    expect((await post(admin, `/${id}/commit`)).body).toMatchObject({
      import: { updated: 2, awaits_end: false },
    })
    const empty = await begin(admin, { awaits_end: true })
    expect((await post(admin, `/${empty}/commit`)).body).toMatchObject({
      error: 'No row of this import can be imported.',
    })
  })

  it('is dropped by cancelling, and then takes nothing more', async () => {
    const admin = await companyWithStock()
    const id = await staged(admin, mixed)
    expect((await post(admin, `/${id}/cancel`)).body).toMatchObject({ import: { status: 'cancelled' } })
    const closed = { code: 'import_closed' }
    expect((await stage(admin, id, mixed)).body).toMatchObject(closed)
    expect((await post(admin, `/${id}/commit`)).body).toMatchObject(closed)
    expect((await post(admin, `/${id}/cancel`)).body).toMatchObject(closed)
    const { rows } = await app.owner.query('select from import_rows where import_id = $1', [id])
    expect(rows).toEqual([])
  })

  it('expires after a day, without waiting for its rows to go; three may be open', async () => {
    const admin = await companyWithStock()
    const ids = [await staged(admin, mixed), await begin(admin), await begin(admin)]
    expect((await post(admin, '', { name: 'x', fields })).body).toMatchObject({
      error: 'Three imports are open already. Finish or cancel one of them first.',
    })
    await app.owner.query(`update imports set created_at = now() - interval '25 hours' where id = $1`, [
      ids[0],
    ])
    await begin(admin)
    expect((await get(admin, '')).body).toMatchObject({
      imports: [{ status: 'staged' }, { status: 'staged' }, { status: 'staged' }, { status: 'expired' }],
    })
    const rowsLeft = async () =>
      (await app.owner.query('select from import_rows where import_id = $1', [ids[0]])).rows.length
    expect(await rowsLeft()).toBe(5)
    await prune(app.database, forgettable)
    expect(await rowsLeft()).toBe(0)
  })

  it('expires after a day, and its rows go, also where no other is begun', async () => {
    const admin = await companyWithStock()
    const [abandoned, open] = [await staged(admin, mixed), await staged(admin, mixed)]
    await app.owner.query(
      `insert into import_rows (tenant_id, import_id, line, barcode, description)
       select $1, $2, line, 'M-' || line, '' from generate_series(10001, 12500) as line`,
      [admin.tenantId, abandoned],
    )
    await app.owner.query(`update imports set created_at = now() - interval '25 hours' where id = $1`, [
      abandoned,
    ])
    await prune(app.database, forgettable)
    expect((await get(admin, '')).body).toMatchObject({
      imports: [
        { id: open, status: 'staged' },
        { id: abandoned, status: 'expired' },
      ],
    })
    const { rows } = await app.owner.query(
      'select distinct import_id from import_rows where tenant_id = $1',
      [admin.tenantId],
    )
    expect(rows).toEqual([{ import_id: open }])
    expect((await post(admin, `/${open}/commit`, { leave_out_bad: true })).body).toMatchObject({
      import: { status: 'done' },
    })
  })

  it('takes nothing more and cannot be taken when it is older than a day, and can be cancelled', async () => {
    const admin = await companyWithStock()
    const id = await staged(admin, mixed)
    await app.owner.query(`update imports set created_at = now() - interval '25 hours' where id = $1`, [id])
    const closed = { error: 'This import is no longer open: it was finished, cancelled or expired.' }
    expect((await stage(admin, id, mixed)).body).toMatchObject(closed)
    expect((await post(admin, `/${id}/commit`, { leave_out_bad: true })).body).toMatchObject(closed)
    expect((await post(admin, `/${id}/cancel`)).body).toMatchObject({ import: { status: 'cancelled' } })
  })

  it('has rows that whoever reads the file says cannot be taken, and takes none of them', async () => {
    const admin = await makeCompany(app)
    const id = await begin(admin, { fields: ['barcode'] })
    const rows = [
      { line: 2, cells: ['A-1'], fault: 'the location is not one of yours: Berlin' },
      { line: 3, cells: ['A-1'] },
      { line: 4, cells: [''], fault: 'the location is empty' },
    ]
    expect((await post(admin, `/${id}/rows`, { rows })).status).toBe(200)
    expect((await get(admin, `/${id}/rows`)).body).toMatchObject({
      rows: [
        { line: 2, barcode: 'A-1', kind: 'bad', fault: 'the location is not one of yours: Berlin' },
        { line: 3, kind: 'new' },
        { line: 4, kind: 'bad', fault: 'the location is empty' },
      ],
    })
    expect((await post(admin, `/${id}/commit`)).body).toMatchObject({ code: 'import_faulty' })
  })

  it('needs a barcode column, and each field once', async () => {
    const admin = await companyWithStock()
    const replies = [
      await post(admin, '', { name: 'x', fields: ['description'] }),
      await post(admin, '', { name: 'x', fields: ['barcode', 'barcode'] }),
    ]
    expect(replies.map(({ body }) => body)).toMatchObject([
      { error: 'One column must be the barcode.' },
      { error: 'Each field but other_barcodes may be one column only.' },
    ])
  })

  it('holds at most 500,000 rows', async () => {
    const admin = await companyWithStock()
    const id = await begin(admin)
    await app.owner.query('update imports set staged_rows = 500000 where id = $1', [id])
    expect((await stage(admin, id, [['A']])).body).toMatchObject({
      error: 'An import takes at most 500,000 rows.',
    })
  })
})

describe('taking an import', () => {
  it('is refused as a whole where rows are bad, unless they are left out', async () => {
    const admin = await companyWithStock()
    const before = await components(admin)
    const id = await staged(admin, mixed)
    expect((await post(admin, `/${id}/commit`)).body).toMatchObject({
      error: 'Some rows cannot be imported. Correct the file, or leave them out.',
    })
    expect(await components(admin)).toEqual(before)
    expect((await post(admin, `/${id}/commit`, { leave_out_bad: true })).body).toMatchObject({
      import: { status: 'done', created: 1, updated: 1, unchanged: 1, left_out: 2 },
    })
    expect(await components(admin)).toMatchObject({
      total: 3,
      components: [
        { barcode: '000-3', description: 'Washer', primary_quantity: 3, secondary_quantity: 4 },
        { barcode: 'A-1', primary_quantity: 5 },
        { barcode: 'A-2', description: 'Nut M8', primary_quantity: 9 },
      ],
    })
    expect(await ledgerDifference(admin)).toEqual([])
    const trail = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?sku=BULK_IMPORT_COMPONENTS&limit=1',
      token: admin.token,
    })
    expect(trail.body).toMatchObject({
      entries: [{ quantity: 3, metadata: { import_id: id, file: 'stock.csv', created: 1, left_out: 2 } }],
    })
  })

  it('leaves existing stock alone where asked', async () => {
    const admin = await companyWithStock()
    const id = await staged(admin, mixed.slice(0, 3), { existing: 'keep' })
    await post(admin, `/${id}/commit`)
    expect(await components(admin)).toMatchObject({
      components: [
        { barcode: '000-3', primary_quantity: 3 },
        {},
        { barcode: 'A-2', description: 'Nut M8', primary_quantity: 7 },
      ],
    })
  })

  it('says whether all that it made is without stock', async () => {
    const admin = await companyWithStock()
    const { body } = await post(admin, `/${await staged(admin, [['B-1', 'Disc', '']])}/commit`)
    expect(body).toMatchObject({ success: true, import: { created: 1 }, without_stock: true })
    for (const line of [
      ['B-2', 'Disc', '1'],
      ['B-1', 'Round disc', ''],
    ]) {
      const taken = await post(admin, `/${await staged(admin, [line])}/commit`)
      expect(taken.body).toMatchObject({ success: true, without_stock: false })
    }
  })

  it('happens once, however many take it at the same time', async () => {
    const admin = await companyWithStock()
    const id = await staged(admin, mixed.slice(0, 3))
    const replies = await Promise.all(Array.from({ length: 4 }, () => post(admin, `/${id}/commit`)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
    expect(await components(admin)).toMatchObject({ total: 3 })
    expect(await ledgerDifference(admin)).toEqual([])
  })

  it('leaves stock alone that somebody else has made while it was running, where it is to leave stock alone', async () => {
    const admin = await companyWithStock()
    const many = Array.from({ length: 2_000 }, (_, index) => `M-${index}`)
    const lines = (first: string, quantity: string) => [
      ...many.map((code) => [`${first}${code}`, 'Many', '1']),
      ['Z-1', 'Shared', quantity],
    ]
    const parts = { existing: 'keep' }
    const ids = [await staged(admin, lines('A', '10'), parts), await staged(admin, lines('B', '99'), parts)]
    const replies = await Promise.all(ids.map((id) => post(admin, `/${id}/commit`)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const { rows } = await app.owner.query(
      `select count(*)::integer as movements from movements
       join components on components.tenant_id = movements.tenant_id and components.id = component_id
       where movements.tenant_id = $1 and barcode = 'Z-1'`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ movements: 1 }])
  })

  it('is refused where there is nothing to take', async () => {
    const admin = await companyWithStock()
    const id = await begin(admin)
    expect((await post(admin, `/${id}/commit`)).body).toMatchObject({
      error: 'No row of this import can be imported.',
    })
  })
})

describe('undoing an import', () => {
  async function taken(admin: Person): Promise<string> {
    const id = await staged(admin, mixed.slice(0, 3))
    await post(admin, `/${id}/commit`)
    return id
  }

  it('gives back stock and descriptions through the ledger and retires what it made', async () => {
    const admin = await companyWithStock()
    const id = await taken(admin)
    expect((await post(admin, `/${id}/undo`)).body).toMatchObject({
      import: { status: 'undone', undone_by: admin.name, created: 1 },
    })
    const before = [
      { barcode: 'A-1', description: 'Bolt', primary_quantity: 5 },
      { barcode: 'A-2', description: 'Nut', primary_quantity: 7 },
    ]
    expect(await components(admin)).toMatchObject({ total: 2, components: before })
    expect(await ledgerDifference(admin)).toEqual([])
    const { rows } = await app.owner.query(
      `select sum(delta)::integer as sum, count(*)::integer as movements from movements where reference = $1`,
      [id],
    )
    expect(rows).toEqual([{ sum: 0, movements: 6 }])
    expect((await post(admin, `/${id}/undo`)).body).toMatchObject({
      error: 'Only a finished import can be undone.',
    })
    const again = await staged(admin, mixed.slice(0, 3))
    expect((await post(admin, `/${again}/commit`)).body).toMatchObject({ import: { created: 0, updated: 2 } })
    expect(await components(admin)).toMatchObject({ total: 3 })
  })

  it('is refused where stock moved since, and then changes nothing', async () => {
    const admin = await companyWithStock()
    const id = await taken(admin)
    const body = { barcode: 'A-2', quantity: 1, location: 'PRIMARY' }
    await app.done({ path: '/api/components/update-quantity', token: admin.token, body })
    const before = await components(admin)
    expect((await post(admin, `/${id}/undo`)).body).toMatchObject({
      error:
        'This import cannot be undone: the stock of A-2 has moved since. Correct what is wrong by hand, or import a corrected file.',
    })
    expect(await components(admin)).toEqual(before)
  })

  it('is refused where something it made was counted since', async () => {
    const admin = await companyWithStock()
    const id = await taken(admin)
    const timestamp = new Date().toISOString()
    const count = { barcode: '000-3', quantity: 3, location: 'PRIMARY', source: 'monthly', session: 's' }
    await app.done({
      path: '/api/components/update-with-tracking',
      token: admin.token,
      body: { ...count, timestamp },
    })
    expect((await post(admin, `/${id}/undo`)).body).toMatchObject({
      error:
        'This import cannot be undone: 000-3, which it brought, was counted since. Correct what is wrong by hand.',
    })
  })

  it('is refused where stock it set was counted since', async () => {
    const admin = await companyWithStock()
    const id = await taken(admin)
    const count = { barcode: 'A-2', quantity: 9, location: 'PRIMARY', source: 'monthly', session: 's' }
    const reply = await app.ask({
      path: '/api/components/update-with-tracking',
      token: admin.token,
      body: { ...count, timestamp: new Date().toISOString() },
    })
    expect(reply.body).toMatchObject({ matched: true })
    const before = await components(admin)
    expect((await post(admin, `/${id}/undo`)).body).toMatchObject({
      error:
        'This import cannot be undone: A-2 was counted after the import had set its stock. Correct what is wrong by hand.',
    })
    expect(await components(admin)).toEqual(before)
  })

  it.each([
    ['by a device whose clock is behind', { quantity: 9, minutes: 4, reset: false }],
    ['before its mark was reset', { quantity: 9, minutes: 0, reset: true }],
    ['and differs, though that was scanned before', { quantity: 8, minutes: 4, reset: true }],
  ])('is refused where stock it set was counted since %s', async (_, { quantity, minutes, reset }) => {
    const admin = await companyWithStock()
    const id = await staged(admin, [['A-2', 'Nut M8', '9']])
    await post(admin, `/${id}/commit`)
    const timestamp = new Date(Date.now() - minutes * 60_000).toISOString()
    const place = { barcode: 'A-2', location: 'PRIMARY', source: 'monthly', session: 's', timestamp }
    for (const attempt of ['first', 'second']) {
      const path = '/api/components/update-with-tracking'
      await app.done({ path, token: admin.token, key: attempt, body: { ...place, quantity } })
    }
    if (reset) {
      const path = '/api/components/reset-counts'
      await app.done({ path, token: admin.token, body: { location: 'PRIMARY' } })
    }
    expect((await post(admin, `/${id}/undo`)).body).toMatchObject({
      error: expect.stringContaining('A-2 was counted after the import had set its stock.'),
    })
  })

  it('is refused where stock it set was counted since, by a count that was put aside', async () => {
    const admin = await companyWithStock()
    const id = await staged(admin, [['A-2', 'Nut M8', '9']])
    await post(admin, `/${id}/commit`)
    const timestamp = new Date().toISOString()
    const body = {
      barcode: 'A-2',
      location: 'PRIMARY',
      source: 'monthly',
      session: 's',
      timestamp,
      quantity: 9,
    }
    await app.done({ path: '/api/components/update-with-tracking', token: admin.token, body })
    await app.owner.query(
      `with aside as (delete from count_history where tenant_id = $1 returning tenant_id, id)
       insert into detached_history (tenant_id, history, part, first_id, next_id, entries)
       select tenant_id, 'count_history', 'a part', id, id_at(now() + interval '1 day'), 1 from aside`,
      [admin.tenantId],
    )
    expect((await post(admin, `/${id}/undo`)).body).toMatchObject({
      error: expect.stringContaining('A-2 was counted after the import had set its stock.'),
    })
  })

  it('is not refused where what was counted since was taken back', async () => {
    const admin = await companyWithStock()
    const id = await staged(admin, [['A-2', 'Nut M8', '9']])
    await post(admin, `/${id}/commit`)
    const timestamp = new Date().toISOString()
    const body = {
      barcode: 'A-2',
      location: 'PRIMARY',
      source: 'monthly',
      session: 's',
      timestamp,
      quantity: 9,
    }
    await app.done({ path: '/api/components/update-with-tracking', token: admin.token, key: 'only', body })
    await app.done({ path: '/api/components/undo-count', token: admin.token, body: { key: 'only' } })
    expect((await post(admin, `/${id}/undo`)).status).toBe(200)
  })

  it('is not refused where what it made was scanned once, which was taken back', async () => {
    const admin = await companyWithStock()
    const id = await taken(admin)
    const path = '/api/components/update-with-tracking'
    const timestamp = new Date().toISOString()
    const scan = { barcode: '000-3', quantity: 77, location: 'PRIMARY', session: 's', timestamp }
    await app.done({ path, token: admin.token, key: 'slip', body: scan })
    expect((await post(admin, `/${id}/undo`)).body).toMatchObject({
      error: expect.stringContaining('000-3, which it brought, was counted since.'),
    })
    const undo = '/api/components/undo-count'
    expect((await app.ask({ path: undo, token: admin.token, body: { key: 'slip' } })).status).toBe(200)
    expect((await post(admin, `/${id}/undo`)).status).toBe(200)
  })

  it('is not refused where a further entry of a difference that waits was taken back', async () => {
    const admin = await companyWithStock()
    const place = { barcode: 'A-2', location: 'PRIMARY', source: 'monthly', session: 's' }
    const count = async (key: string) => {
      const body = { ...place, timestamp: new Date().toISOString(), quantity: 3 }
      await app.done({ path: '/api/components/update-with-tracking', token: admin.token, key, body })
    }
    await count('first')
    await count('second')
    const id = await staged(admin, [['A-2', 'Nut M8', '9']])
    await post(admin, `/${id}/commit`)
    await count('third')
    const undone = { path: '/api/components/undo-count', token: admin.token, body: { key: 'third' } }
    expect((await app.ask(undone)).status).toBe(200)
    expect((await post(admin, `/${id}/undo`)).status).toBe(200)
  })

  it('is refused where something it made got stock of its own since', async () => {
    const admin = await companyWithStock()
    const id = await taken(admin)
    const body = { barcode: '000-3', quantity: 2, location: 'FULFILLMENT' }
    await app.done({ path: '/api/components/update-quantity', token: admin.token, body })
    expect((await post(admin, `/${id}/undo`)).body).toMatchObject({
      error:
        'This import cannot be undone: the stock of 000-3 has moved since. Correct what is wrong by hand, or import a corrected file.',
    })
  })

  it('is refused where something it made is on its way to another location', async () => {
    const admin = await companyWithStock()
    const id = await taken(admin)
    const move = { barcode: '000-3', from: 'SECONDARY', to: 'PRIMARY', quantity: 1 }
    await app.done({ path: '/api/transfers', token: admin.token, body: move })
    expect((await post(admin, `/${id}/undo`)).status).toBe(409)
  })
})

describe('undoing imports that came one after another', () => {
  async function take(admin: Person, lines: string[][], part: Record<string, unknown> = {}): Promise<string> {
    const id = await staged(admin, lines, part)
    expect((await post(admin, `/${id}/commit`)).status).toBe(200)
    return id
  }
  const undo = (admin: Person, id: string) => post(admin, `/${id}/undo`)

  it('is refused for the older one where a newer file gave the same stock, until that is undone', async () => {
    const admin = await companyWithStock()
    const older = await take(admin, [['A-1', 'Bolt', '10']])
    const newer = await take(admin, [['A-1', 'Bolt', '10']])
    const refused = await undo(admin, older)
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'import_in_use',
        error:
          'This import cannot be undone: a newer file is about the same stock of A-1. Undo that one first, or correct what is wrong by hand.',
      },
    ])
    expect(await components(admin)).toMatchObject({ components: [{ primary_quantity: 10 }, {}] })
    expect((await undo(admin, newer)).status).toBe(200)
    expect((await undo(admin, older)).status).toBe(200)
    expect(await components(admin)).toMatchObject({ components: [{ primary_quantity: 5 }, {}] })
  })

  it.each([
    ['says nothing about that stock', ['A-1', 'Bolt'], { fields: ['barcode', 'description'] }],
    ['leaves the stock that is there', ['A-1', 'Bolt', '10'], { existing: 'keep' }],
    ['names other components', ['A-2', 'Nut', '7'], {}],
  ])('is not refused where a newer file %s', async (_, line, part) => {
    const admin = await companyWithStock()
    const older = await take(admin, [['A-1', 'Bolt', '10']])
    await take(admin, [line], part)
    expect((await undo(admin, older)).status).toBe(200)
  })

  it('leaves a description that a newer file has given as well, until that is undone', async () => {
    const admin = await companyWithStock()
    const part = { fields: ['barcode', 'description'] }
    const lines = [
      ['A-1', 'Bolt M8'],
      ['A-2', 'Nut M8'],
    ]
    const older = await take(admin, lines, part)
    const newer = await take(admin, lines.slice(0, 1), part)
    expect((await undo(admin, older)).status).toBe(200)
    expect(await components(admin)).toMatchObject({
      components: [
        { barcode: 'A-1', description: 'Bolt M8' },
        { barcode: 'A-2', description: 'Nut' },
      ],
    })
    expect((await undo(admin, newer)).status).toBe(200)
    expect(await components(admin)).toMatchObject({ components: [{ description: 'Bolt' }, {}] })
  })

  it('leaves a description that a newer file has changed since', async () => {
    const admin = await companyWithStock()
    const part = { fields: ['barcode', 'description'] }
    const older = await take(
      admin,
      [
        ['A-1', 'Bolt M8'],
        ['A-2', 'Nut M8'],
      ],
      part,
    )
    await take(admin, [['A-1', 'Bolt M10']], part)
    expect((await undo(admin, older)).status).toBe(200)
    expect(await components(admin)).toMatchObject({
      components: [
        { barcode: 'A-1', description: 'Bolt M10' },
        { barcode: 'A-2', description: 'Nut' },
      ],
    })
  })

  it('takes no UPC in its other writing for a new component', async () => {
    const admin = await companyWithStock()
    const body = [{ barcode: '0123456789012', description: 'Soap' }, { barcode: '036000291452' }]
    await app.done({ path: '/api/components/import', token: admin.token, body })
    const id = await staged(admin, [
      ['123456789012', 'Soap', '5'],
      ['0036000291452', 'Gloves', '5'],
      ['036000291452', 'Gloves', '5'],
      ['036000291453', 'New', '5'],
      ['0036000291453', 'New', '5'],
      ['036000291453', 'New', '5'],
    ])
    await post(admin, `/${id}/preview`)
    expect((await get(admin, `/${id}/rows`)).body).toMatchObject({
      rows: [
        { kind: 'bad', fault: 'the barcode is another writing of 0123456789012, which is there already' },
        { kind: 'bad', fault: 'the barcode is another writing of 036000291452, which is there already' },
        { kind: 'changed' },
        { kind: 'new' },
        { kind: 'bad', fault: 'the barcode is another writing of the one at line 5' },
        { kind: 'bad', fault: 'the barcode stands already at line 5' },
      ],
    })
  })

  it('takes both writings of a UPC that are components already', async () => {
    const admin = await companyWithStock()
    await app.owner.query(
      `insert into components (tenant_id, barcode) values ($1, '036000291452'), ($1, '0036000291452')`,
      [admin.tenantId],
    )
    const id = await staged(admin, [
      ['0036000291452', 'Gloves', '5'],
      ['036000291452', 'Gloves', '5'],
    ])
    await post(admin, `/${id}/preview`)
    expect((await get(admin, `/${id}/rows`)).body).toMatchObject({
      rows: [{ kind: 'changed' }, { kind: 'changed' }],
    })
  })

  it('goes back one after another, the newest first', async () => {
    const admin = await companyWithStock()
    const first = await take(admin, [
      ['A-1', 'Bolt', '10'],
      ['A-3', 'Washer', '1'],
    ])
    const second = await take(admin, [
      ['A-1', 'Bolt', '12'],
      ['A-3', 'Washer', '2', '4'],
    ])
    expect((await undo(admin, first)).body).toMatchObject({
      error: expect.stringContaining('the stock of A-1 has moved since'),
    })
    expect((await undo(admin, second)).status).toBe(200)
    expect((await undo(admin, first)).body).toMatchObject({ success: true, import: { retired: 1 } })
    expect(await components(admin)).toMatchObject({ total: 2, components: [{ primary_quantity: 5 }, {}] })
    expect(await ledgerDifference(admin)).toEqual([])
  })

  it('brings back what was retired since and has stock again, and says so in the trail', async () => {
    const admin = await companyWithStock()
    const id = await take(admin, [['A-1', 'Bolt', '0']])
    await app.done({ path: '/api/components/retire', token: admin.token, body: { barcode: 'A-1' } })
    expect((await undo(admin, id)).status).toBe(200)
    expect(await components(admin)).toMatchObject({ total: 2, components: [{ primary_quantity: 5 }, {}] })
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?sku=A-1', token: admin.token })
    expect(trail.body).toMatchObject({
      entries: [
        { metadata: { event_type: 'component_reinstated', import_id: id, file: 'stock.csv' } },
        { metadata: { event_type: 'component_retired' } },
      ],
    })
  })

  it('is refused where it would change stock at a location that the plan has closed since', async () => {
    const admin = await companyOnEnterprise()
    const open = await take(admin, [['A-2', 'Nut', '6']])
    const closed = await take(admin, [['A-1', 'Bolt', '6', '60']])
    await reduce(admin)
    const refused = await undo(admin, closed)
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        success: false,
        code: 'location_not_in_plan',
        error:
          'This import set stock, bins or minimums at a location that is no longer in your plan, which can be read but not changed.',
      },
    ])
    expect(await components(admin)).toMatchObject({
      components: [{ primary_quantity: 6, secondary_quantity: 60 }, { primary_quantity: 6 }],
    })
    expect((await undo(admin, open)).status).toBe(200)
  })
})

describe('imports', () => {
  it('are for administrators only', async () => {
    const admin = await companyWithStock()
    const staff = await makeStaff(app, admin)
    const id = await staged(admin, mixed)
    const replies = [
      await post(staff, '', { name: 'x', fields }),
      await stage(staff, id, mixed),
      await get(staff, `/${id}/preview`),
      await get(staff, `/${id}/rows`),
      await post(staff, `/${id}/commit`),
      await post(staff, `/${id}/cancel`),
      await post(staff, `/${id}/undo`),
      await get(staff, ''),
    ]
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 403, 403])
  })
})

it('an import of 500,000 rows takes none more, and those it has once more', async () => {
  const admin = await companyWithStock()
  const id = await staged(admin, [['A-1', 'Bolt', '5']])
  // As if the others had been sent, too.
  await app.owner.query('update imports set staged_rows = 500000 where id = $1', [id])
  expect((await stage(admin, id, [['A-1', 'Bolt', '5']])).status).toBe(200)
  const more = await stageFrom(3, admin, { id, lines: [['A-2', 'Nut', '7']] })
  expect([more.status, more.body]).toMatchObject([400, { error: 'An import takes at most 500,000 rows.' }])
  const { rows } = await app.owner.query('select line from import_rows where import_id = $1', [id])
  expect(rows).toEqual([{ line: 2 }])
})
