import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** A company with bolts at 2.50 each, and nuts of which nobody has said what they cost. */
async function companyWithCosts(): Promise<Person> {
  const admin = await makeCompany(app)
  const rows = [
    { barcode: 'BOLT-8', description: 'Bolt', primary_quantity: 5 },
    { barcode: 'NUT-8', description: 'Nut' },
  ]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  await setCost(admin, 'BOLT-8', 2.5)
  return admin
}

async function setCost(admin: Person, barcode: string, cost: number | null): Promise<void> {
  const body = { components: [{ barcode, unit_cost: cost }] }
  await app.done({ path: '/api/components/set-costs', token: admin.token, body })
}

const post = (person: Person, path: string, body: unknown = {}) =>
  app.ask({ path: `/api/imports${path}`, token: person.token, body })

const get = async (person: Person, path: string) =>
  (await app.ask({ method: 'GET', path: `/api${path}`, token: person.token })).body

const begun = z.object({ import: z.object({ id: z.string() }) })

async function staged(admin: Person, lines: string[][], part: Record<string, unknown> = {}): Promise<string> {
  const { body } = await post(admin, '', { name: 'costs.csv', fields: ['barcode', 'unit_cost'], ...part })
  const { id } = begun.parse(body).import
  await post(admin, `/${id}/rows`, { rows: lines.map((cells, index) => ({ line: 2 + index, cells })) })
  return id
}

async function taken(admin: Person, lines: string[][], part: Record<string, unknown> = {}): Promise<string> {
  const id = await staged(admin, lines, part)
  expect((await post(admin, `/${id}/commit`)).status).toBe(200)
  return id
}

const undo = (person: Person, id: string) => post(person, `/${id}/undo`)

const detail = z.object({ administration: z.object({ unit_cost: z.number().nullable() }) })

/** What one piece of each of these costs, in their order. */
async function costs(admin: Person, ...barcodes: string[]): Promise<(number | null)[]> {
  const found = await Promise.all(barcodes.map((code) => get(admin, `/components/detail?barcode=${code}`)))
  return found.map((body) => detail.parse(body).administration.unit_cost)
}

const trail = z.object({
  entries: z.array(z.object({ sku: z.string(), metadata: z.record(z.string(), z.unknown()) })),
})

/** The facts of the latest entries of the trail, newest first, each with its SKU. */
async function latest(person: Person, count: number): Promise<Record<string, unknown>[]> {
  const { entries } = trail.parse(await get(person, `/audit/trail?limit=${count}`))
  return entries.map(({ sku, metadata }) => ({ sku, ...metadata }))
}

describe('unit costs of a file', () => {
  it('are shown with what they were, count as changes, and are set with the file', async () => {
    const admin = await companyWithCosts()
    const id = await staged(admin, [
      ['BOLT-8', '3,75 €'],
      ['NUT-8', '$0.0125'],
      ['WASHER-8', '0'],
    ])
    expect(await get(admin, `/imports/${id}/preview`)).toMatchObject({
      rows: { new: 1, changed: 2, unchanged: 0, bad: 0 },
    })
    expect(await get(admin, `/imports/${id}/rows`)).toMatchObject({
      rows: [
        { kind: 'changed', stock: [], placements: [], cost: { old_unit_cost: 2.5, unit_cost: 3.75 } },
        { kind: 'changed', cost: { old_unit_cost: null, unit_cost: 0.0125 } },
        { kind: 'new', cost: { old_unit_cost: null, unit_cost: 0 } },
      ],
    })
    expect(await costs(admin, 'BOLT-8', 'NUT-8')).toEqual([2.5, null])
    expect((await post(admin, `/${id}/commit`)).body).toMatchObject({
      import: { created: 1, updated: 2, unchanged: 0 },
    })
    expect(await costs(admin, 'BOLT-8', 'NUT-8', 'WASHER-8')).toEqual([3.75, 0.0125, 0])
    const { rows } = await app.owner.query(
      `select unit_cost::float8 as cost from component_costs
       where tenant_id = $1 and component_id = (select id from components where tenant_id = $1 and barcode = 'BOLT-8')
       order by since`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ cost: 2.5 }, { cost: 3.75 }])
  })

  it('that are as they are already, or empty, change nothing', async () => {
    const admin = await companyWithCosts()
    const id = await staged(admin, [
      ['BOLT-8', '2.5000'],
      ['NUT-8', ''],
    ])
    expect(await get(admin, `/imports/${id}/rows`)).toMatchObject({
      rows: [
        { kind: 'unchanged', cost: null },
        { kind: 'unchanged', cost: null },
      ],
    })
    expect((await post(admin, `/${id}/commit`)).body).toMatchObject({ import: { updated: 0, unchanged: 2 } })
    expect(await costs(admin, 'BOLT-8', 'NUT-8')).toEqual([2.5, null])
    expect(await latest(admin, 1)).toEqual([
      expect.objectContaining({ event_type: 'components_imported', unchanged: 2 }),
    ])
  })

  it('stay as they are where the file says nothing of them', async () => {
    const admin = await companyWithCosts()
    const part = { fields: ['barcode', 'description'] }
    const id = await staged(admin, [['BOLT-8', 'Hex bolt']], part)
    expect(await get(admin, `/imports/${id}/rows`)).toMatchObject({ rows: [{ kind: 'changed', cost: null }] })
    expect((await post(admin, `/${id}/commit`)).status).toBe(200)
    expect((await undo(admin, id)).status).toBe(200)
    expect(await costs(admin, 'BOLT-8')).toEqual([2.5])
  })

  it('are set as descriptions are where the stock of what exists is left alone', async () => {
    const admin = await companyWithCosts()
    const part = { fields: ['barcode', 'primary_quantity', 'primary_bin', 'unit_cost'], existing: 'keep' }
    await taken(admin, [['BOLT-8', '99', 'A-2', '3']], part)
    expect(await costs(admin, 'BOLT-8')).toEqual([3])
    expect(await get(admin, '/components')).toMatchObject({ components: [{ primary_quantity: 5 }, {}] })
  })

  it('come with a component that is brought back, and not with one that is left out', async () => {
    const admin = await companyWithCosts()
    const retire = { path: '/api/components/retire', token: admin.token, body: { barcode: 'NUT-8' } }
    await app.done(retire)
    const left = await taken(admin, [['NUT-8', '4']], { retired: 'leave_out' })
    expect(await get(admin, `/imports?limit=1`)).toMatchObject({ imports: [{ id: left, unchanged: 1 }] })
    expect(await costs(admin, 'NUT-8')).toEqual([null])
    const back = await taken(admin, [['NUT-8', '4']])
    expect(await costs(admin, 'NUT-8')).toEqual([4])
    expect((await undo(admin, back)).body).toMatchObject({ import: { status: 'undone', retired: 1 } })
    expect(await costs(admin, 'NUT-8')).toEqual([null])
  })

  it('that cannot be taken are named with their row, and none of the file is set', async () => {
    const admin = await companyWithCosts()
    const id = await staged(admin, [
      ['BOLT-8', '3'],
      ['NUT-8', 'on request'],
      ['WASHER-8', '-1'],
      ['PIN-8', '0.00001'],
      ['CLIP-8', '10,000,000'],
    ])
    expect(await get(admin, `/imports/${id}/rows?kind=bad`)).toMatchObject({
      rows: [
        { line: 3, fault: 'the unit cost is not an amount: on request', cost: null },
        { line: 4, fault: 'the unit cost is negative: -1' },
        { line: 5, fault: 'the unit cost is less than 0.0001: 0.00001' },
        { line: 6, fault: 'the unit cost is over 9,999,999.9999: 10,000,000' },
      ],
    })
    expect((await post(admin, `/${id}/commit`)).body).toMatchObject({ code: 'import_faulty' })
    expect(await costs(admin, 'BOLT-8')).toEqual([2.5])
  })

  it('that may be thousands as well as decimals are read with a decimal point', async () => {
    const admin = await companyWithCosts()
    await taken(admin, [
      ['BOLT-8', '1.234'],
      ['NUT-8', '1,234'],
    ])
    expect(await costs(admin, 'BOLT-8', 'NUT-8')).toEqual([1.234, 1234])
  })

  it('are told in the trail each by itself, with their file, and in the entry of the file how many', async () => {
    const admin = await companyWithCosts()
    const id = await taken(admin, [
      ['BOLT-8', '3'],
      ['NUT-8', ''],
      ['WASHER-8', '0.5'],
    ])
    const told = { event_type: 'cost_changed', import_id: id, file: 'costs.csv' }
    expect(await latest(admin, 3)).toEqual([
      expect.objectContaining({ ...told, sku: 'WASHER-8', old_value: null, new_value: 0.5 }),
      expect.objectContaining({ ...told, sku: 'BOLT-8', old_value: 2.5, new_value: 3 }),
      expect.objectContaining({ event_type: 'components_imported', import_id: id, costed: 2, unchanged: 1 }),
    ])
    await undo(admin, id)
    const [retired, ...others] = await latest(admin, 4)
    expect(retired).toMatchObject({ sku: 'WASHER-8', event_type: 'component_retired' })
    expect(others).toEqual([
      expect.objectContaining({ ...told, sku: 'WASHER-8', old_value: 0.5, new_value: null }),
      expect.objectContaining({ ...told, sku: 'BOLT-8', old_value: 3, new_value: 2.5 }),
      expect.objectContaining({ event_type: 'import_undone', import_id: id, costed: 2 }),
    ])
  })

  it('of more than 500 components stand in the entry of the file alone', async () => {
    const admin = await companyWithCosts()
    const lines = Array.from({ length: 501 }, (_, index) => [`MANY-${index}`, '1'])
    const id = await taken(admin, lines)
    expect(await latest(admin, 1)).toEqual([
      expect.objectContaining({ event_type: 'components_imported', created: 501, costed: 501 }),
    ])
    await undo(admin, id)
    expect(await latest(admin, 1)).toEqual([
      expect.objectContaining({ event_type: 'import_undone', costed: 501 }),
    ])
    expect(await costs(admin, 'MANY-500')).toEqual([null])
  })

  it('are set after what administrators set at the same moment, or before it, and none of them is lost', async () => {
    const admin = await companyWithCosts()
    const id = await staged(admin, [['BOLT-8', '3']])
    const [commit] = await Promise.all([
      post(admin, `/${id}/commit`),
      setCost(admin, 'BOLT-8', 4),
      setCost(admin, 'BOLT-8', 5),
    ])
    expect(commit.status).toBe(200)
    const { entries } = trail.parse(await get(admin, '/audit/trail?sku=BOLT-8'))
    const changes = entries.filter(({ metadata }) => metadata['event_type'] === 'cost_changed')
    const news = changes.map(({ metadata }) => metadata['new_value'])
    expect(new Set(news)).toEqual(new Set([2.5, 3, 4, 5]))
    expect(changes.map(({ metadata }) => metadata['old_value'])).toEqual([...news.slice(1), null])
    expect(await costs(admin, 'BOLT-8')).toEqual([news[0]])
  })
})

describe('undoing a file with unit costs', () => {
  it('gives back what there was before, and keeps what was said meanwhile as it was then', async () => {
    const admin = await companyWithCosts()
    const id = await taken(admin, [
      ['BOLT-8', '3'],
      ['NUT-8', '4'],
      ['WASHER-8', '5'],
    ])
    expect((await undo(admin, id)).body).toMatchObject({ import: { status: 'undone', retired: 1 } })
    expect(await costs(admin, 'BOLT-8', 'NUT-8', 'WASHER-8')).toEqual([2.5, null, null])
    const { rows } = await app.owner.query(
      'select count(*)::integer as said from component_costs where tenant_id = $1',
      [admin.tenantId],
    )
    expect(rows).toEqual([{ said: 7 }])
  })

  it('leaves those that somebody changed since', async () => {
    const admin = await companyWithCosts()
    const id = await taken(admin, [
      ['BOLT-8', '3'],
      ['NUT-8', '4'],
    ])
    await setCost(admin, 'BOLT-8', 9)
    await setCost(admin, 'NUT-8', null)
    expect((await undo(admin, id)).status).toBe(200)
    expect(await costs(admin, 'BOLT-8', 'NUT-8')).toEqual([9, null])
    expect(await latest(admin, 1)).toEqual([expect.objectContaining({ event_type: 'import_undone' })])
  })

  it('leaves those that a newer file has given as well', async () => {
    const admin = await companyWithCosts()
    const older = await taken(admin, [
      ['BOLT-8', '3'],
      ['NUT-8', '4'],
    ])
    await taken(admin, [['BOLT-8', '3']])
    expect((await undo(admin, older)).status).toBe(200)
    expect(await costs(admin, 'BOLT-8', 'NUT-8')).toEqual([3, null])
  })

  it('leaves those that a newer file has changed since', async () => {
    const admin = await companyWithCosts()
    const older = await taken(admin, [
      ['BOLT-8', '3'],
      ['NUT-8', '4'],
    ])
    await taken(admin, [['BOLT-8', '6']])
    expect((await undo(admin, older)).status).toBe(200)
    expect(await costs(admin, 'BOLT-8', 'NUT-8')).toEqual([6, null])
  })

  it('leaves what somebody set again since, also where it is what the file said', async () => {
    const admin = await companyWithCosts()
    const id = await taken(admin, [['BOLT-8', '5']])
    await setCost(admin, 'BOLT-8', 6)
    await setCost(admin, 'BOLT-8', 5)
    expect((await undo(admin, id)).status).toBe(200)
    expect(await costs(admin, 'BOLT-8')).toEqual([5])
  })

  it('goes back one file after another, the newest first', async () => {
    const admin = await companyWithCosts()
    const older = await taken(admin, [['BOLT-8', '3']])
    const newer = await taken(admin, [['BOLT-8', '4']])
    expect((await undo(admin, newer)).status).toBe(200)
    expect(await costs(admin, 'BOLT-8')).toEqual([3])
    expect((await undo(admin, older)).status).toBe(200)
    expect(await costs(admin, 'BOLT-8')).toEqual([2.5])
  })
})

describe('undoing files with unit costs, the oldest first', () => {
  it('tells of one change of the cost, from that of the newer file to what there was before both', async () => {
    const admin = await companyWithCosts()
    const older = await taken(admin, [['BOLT-8', '3']])
    const newer = await taken(admin, [['BOLT-8', '4']])
    await undo(admin, older)
    expect(await latest(admin, 1)).toEqual([
      expect.objectContaining({ event_type: 'import_undone', import_id: older }),
    ])
    await undo(admin, newer)
    expect(await latest(admin, 2)).toEqual([
      expect.objectContaining({ event_type: 'cost_changed', import_id: newer, old_value: 4, new_value: 2.5 }),
      expect.objectContaining({ event_type: 'import_undone', import_id: newer, costed: 1 }),
    ])
    const { rows } = await app.owner.query(
      'select unit_cost::float8 as cost from component_costs where tenant_id = $1 order by since',
      [admin.tenantId],
    )
    expect(rows).toEqual([{ cost: 2.5 }, { cost: 3 }, { cost: 4 }, { cost: 2.5 }])
  })
})

describe('unit costs of files and who is no administrator', () => {
  it('are not theirs: staff neither import nor look at a file, and read no cost of it in the trail', async () => {
    const admin = await companyWithCosts()
    const staff = await makeStaff(app, admin)
    const id = await staged(admin, [['BOLT-8', '3']])
    const refused = { error: 'Only an administrator can do this.', code: 'forbidden' }
    expect((await post(staff, '', { name: 'x.csv', fields: ['barcode', 'unit_cost'] })).body).toMatchObject(
      refused,
    )
    expect(await get(staff, `/imports/${id}/rows`)).toMatchObject(refused)
    await post(admin, `/${id}/commit`)
    await undo(admin, id)
    const told = { sku: 'BOLT-8', event_type: 'cost_changed', import_id: id, file: 'costs.csv' }
    expect((await latest(staff, 4)).filter((entry) => entry['event_type'] === 'cost_changed')).toEqual([
      told,
      told,
    ])
  })

  it('are not another company’s: it has no such import', async () => {
    const [admin, stranger] = [await companyWithCosts(), await companyWithCosts()]
    const id = await staged(admin, [['BOLT-8', '3']])
    expect(await get(stranger, `/imports/${id}/rows`)).toMatchObject({ code: 'not_found' })
    expect((await post(stranger, `/${id}/commit`)).status).toBe(404)
    await post(admin, `/${id}/commit`)
    expect((await undo(stranger, id)).status).toBe(404)
    expect([await costs(admin, 'BOLT-8'), await costs(stranger, 'BOLT-8')]).toEqual([[3], [2.5]])
  })
})
