import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** A company with bolts in bin A-1, of which there should be 5, and no nuts, which lie nowhere yet. */
async function companyWithBins(plan: 'professional' | 'enterprise' = 'professional'): Promise<Person> {
  const admin = await makeCompany(app, { plan })
  const rows = [
    { barcode: 'BOLT-8', description: 'Bolt', primary_quantity: 5 },
    { barcode: 'NUT-8', description: 'Nut' },
  ]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  await place(admin, { barcode: 'BOLT-8', bin: 'A-1', minimum: 5 })
  return admin
}

async function place(admin: Person, row: Record<string, unknown>): Promise<void> {
  const body = { location: 'PRIMARY', components: [row] }
  await app.done({ path: '/api/components/place', token: admin.token, body })
}

const post = (admin: Person, path: string, body: unknown = {}) =>
  app.ask({ path: `/api/imports${path}`, token: admin.token, body })

const get = async (admin: Person, path: string) =>
  (await app.ask({ method: 'GET', path: `/api${path}`, token: admin.token })).body

const begun = z.object({ import: z.object({ id: z.string() }) })
const fields = ['barcode', 'primary_bin', 'primary_minimum', 'secondary_bin']

async function staged(admin: Person, lines: string[][], part: Record<string, unknown> = {}): Promise<string> {
  const { body } = await post(admin, '', { name: 'bins.csv', fields, ...part })
  const { id } = begun.parse(body).import
  await post(admin, `/${id}/rows`, { rows: lines.map((cells, index) => ({ line: 2 + index, cells })) })
  return id
}

async function taken(admin: Person, lines: string[][], part: Record<string, unknown> = {}): Promise<string> {
  const id = await staged(admin, lines, part)
  expect((await post(admin, `/${id}/commit`)).status).toBe(200)
  return id
}

const undo = (admin: Person, id: string) => post(admin, `/${id}/undo`)

const placed = z.object({
  components: z.array(z.object({ barcode: z.string(), placements: z.array(z.unknown()) })),
})

/** The bins and minimums of each component that has some. */
async function placements(admin: Person): Promise<Record<string, unknown[]>> {
  const { components } = placed.parse(await get(admin, '/components/search'))
  const some = components.filter((component) => component.placements.length > 0)
  return Object.fromEntries(some.map((component) => [component.barcode, component.placements]))
}

const atPrimary = (bin: string, minimum: number | null) => ({ location: 'PRIMARY', bin, minimum })

describe('bins and minimums of a file', () => {
  it('are shown with what they were, count as changes, and are set with the file', async () => {
    const admin = await companyWithBins()
    const id = await staged(admin, [
      ['BOLT-8', 'A-2', '', 'Z-9'],
      ['NUT-8', '', '3', ''],
      ['WASHER-8', 'B-1', '0', ''],
    ])
    expect(await get(admin, `/imports/${id}/preview`)).toMatchObject({
      rows: { new: 1, changed: 2, unchanged: 0, bad: 0 },
    })
    const bin = { old_bin: 'A-1', bin: 'A-2', old_minimum: 5, minimum: 5 }
    expect(await get(admin, `/imports/${id}/rows`)).toMatchObject({
      rows: [
        {
          kind: 'changed',
          stock: [],
          placements: [
            { location: 'PRIMARY', ...bin },
            { location: 'SECONDARY', old_bin: '', bin: 'Z-9', old_minimum: null, minimum: null },
          ],
        },
        { kind: 'changed', placements: [{ old_bin: '', bin: '', old_minimum: null, minimum: 3 }] },
        { kind: 'new', placements: [{ old_bin: '', bin: 'B-1', old_minimum: null, minimum: 0 }] },
      ],
    })
    expect(await placements(admin)).toEqual({ 'BOLT-8': [atPrimary('A-1', 5)] })
    expect((await post(admin, `/${id}/commit`)).body).toMatchObject({
      import: { created: 1, updated: 2, unchanged: 0 },
    })
    expect(await placements(admin)).toEqual({
      'BOLT-8': [atPrimary('A-2', 5), { location: 'SECONDARY', bin: 'Z-9', minimum: null }],
      'NUT-8': [atPrimary('', 3)],
      'WASHER-8': [atPrimary('B-1', 0)],
    })
  })

  it('that are as they are already, or empty, change nothing', async () => {
    const admin = await companyWithBins()
    const lines = [
      ['BOLT-8', 'A-1', '5', ''],
      ['NUT-8', '', '', ''],
    ]
    const id = await staged(admin, lines)
    expect(await get(admin, `/imports/${id}/rows`)).toMatchObject({
      rows: [
        { kind: 'unchanged', placements: [] },
        { kind: 'unchanged', placements: [] },
      ],
    })
    expect((await post(admin, `/${id}/commit`)).body).toMatchObject({ import: { updated: 0, unchanged: 2 } })
    expect(await placements(admin)).toEqual({ 'BOLT-8': [atPrimary('A-1', 5)] })
  })

  it('are set as descriptions are where the stock of what exists is left alone', async () => {
    const admin = await companyWithBins()
    const part = { fields: ['barcode', 'primary_quantity', 'primary_bin'], existing: 'keep' }
    const id = await taken(admin, [['BOLT-8', '99', 'A-2']], part)
    expect(await placements(admin)).toEqual({ 'BOLT-8': [atPrimary('A-2', 5)] })
    expect(await get(admin, '/components')).toMatchObject({ components: [{ primary_quantity: 5 }, {}] })
    expect((await undo(admin, id)).status).toBe(200)
  })

  it('come with a component that is brought back, and not with one that is left out', async () => {
    const admin = await companyWithBins()
    const retire = { path: '/api/components/retire', token: admin.token, body: { barcode: 'NUT-8' } }
    await app.done(retire)
    const line = ['NUT-8', 'B-2', '4', '']
    const left = await staged(admin, [line], { retired: 'leave_out' })
    expect(await get(admin, `/imports/${left}/rows`)).toMatchObject({
      rows: [{ kind: 'unchanged', placements: [] }],
    })
    expect((await post(admin, `/${left}/commit`)).status).toBe(200)
    await app.done({ ...retire, path: '/api/components/reinstate' })
    expect(await placements(admin)).toEqual({ 'BOLT-8': [atPrimary('A-1', 5)] })
    await app.done(retire)
    await taken(admin, [line])
    expect(await placements(admin)).toMatchObject({ 'NUT-8': [atPrimary('B-2', 4)] })
  })

  it('that cannot be taken are named with their row', async () => {
    const admin = await companyWithBins()
    const id = await staged(
      admin,
      [
        ['BOLT-8', 'x'.repeat(41), '', ''],
        ['NUT-8', '', '1.5', ''],
        ['WASHER-8', '', '', 'A\u00071'],
        ['PIN-8', '', '', '', 'A-1'],
      ],
      { fields: [...fields, 'distribution_bin'] },
    )
    expect(await get(admin, `/imports/${id}/rows?kind=bad`)).toMatchObject({
      rows: [
        { line: 2, fault: 'the bin at Primary Warehouse is longer than 40 characters', placements: [] },
        { line: 3, fault: 'the minimum at Primary Warehouse is not a whole number from 0 up: 1.5' },
        { line: 4, fault: 'the bin at Secondary Warehouse contains a control character' },
        { line: 5, fault: 'your plan does not include Distribution Center' },
      ],
    })
  })

  it('stand in the trail as the number of their components, in the entry of the file', async () => {
    const admin = await companyWithBins()
    const id = await taken(admin, [
      ['BOLT-8', 'A-2', '', 'Z-9'],
      ['NUT-8', '', '', ''],
      ['WASHER-8', 'B-1', '', ''],
    ])
    expect(await get(admin, '/audit/trail?limit=1&action=Import')).toMatchObject({
      entries: [
        {
          metadata: {
            event_type: 'components_imported',
            import_id: id,
            created: 1,
            updated: 1,
            unchanged: 1,
            placed: 2,
          },
        },
      ],
    })
  })
})

describe('undoing a file with bins and minimums', () => {
  it('gives back what there was before', async () => {
    const admin = await companyWithBins()
    const id = await taken(admin, [
      ['BOLT-8', 'A-2', '9', 'Z-9'],
      ['NUT-8', 'B-2', '', ''],
      ['WASHER-8', 'B-1', '2', ''],
    ])
    expect((await undo(admin, id)).body).toMatchObject({ import: { status: 'undone', retired: 1 } })
    expect(await placements(admin)).toEqual({ 'BOLT-8': [atPrimary('A-1', 5)] })
    const { rows } = await app.owner.query('select from placements where tenant_id = $1', [admin.tenantId])
    expect(rows.length).toBe(1)
  })

  it('leaves those that somebody changed since, each by itself', async () => {
    const admin = await companyWithBins()
    const id = await taken(admin, [
      ['BOLT-8', 'A-2', '9', 'Z-9'],
      ['NUT-8', 'B-2', '2', ''],
    ])
    await place(admin, { barcode: 'BOLT-8', bin: 'A-3' })
    await place(admin, { barcode: 'NUT-8', minimum: null })
    expect((await undo(admin, id)).status).toBe(200)
    expect(await placements(admin)).toEqual({ 'BOLT-8': [atPrimary('A-3', 5)] })
  })

  it('leaves those that a newer file has given as well, until that is undone', async () => {
    const admin = await companyWithBins()
    const older = await taken(admin, [
      ['BOLT-8', 'A-2', '9', ''],
      ['NUT-8', 'B-2', '2', ''],
    ])
    const part = { fields: ['barcode', 'primary_bin'] }
    const newer = await taken(admin, [['BOLT-8', 'A-2']], part)
    expect((await undo(admin, older)).status).toBe(200)
    expect(await placements(admin)).toEqual({ 'BOLT-8': [atPrimary('A-2', 5)] })
    expect((await undo(admin, newer)).status).toBe(200)
    expect(await placements(admin)).toEqual({ 'BOLT-8': [atPrimary('A-1', 5)] })
  })

  it('leaves those that a newer file has changed since, each by itself', async () => {
    const admin = await companyWithBins()
    const older = await taken(admin, [
      ['BOLT-8', 'A-2', '9', ''],
      ['NUT-8', 'B-2', '2', ''],
    ])
    await taken(admin, [['BOLT-8', 'A-3']], { fields: ['barcode', 'primary_bin'] })
    await taken(admin, [['NUT-8', '7']], { fields: ['barcode', 'primary_minimum'] })
    expect((await undo(admin, older)).status).toBe(200)
    expect(await placements(admin)).toEqual({
      'BOLT-8': [atPrimary('A-3', 5)],
      'NUT-8': [atPrimary('', 7)],
    })
  })

  it('goes back one file after another, the newest first', async () => {
    const admin = await companyWithBins()
    const older = await taken(admin, [['BOLT-8', 'A-2', '9', '']])
    const newer = await taken(admin, [['BOLT-8', 'A-3', '', '']])
    expect((await undo(admin, newer)).status).toBe(200)
    expect(await placements(admin)).toEqual({ 'BOLT-8': [atPrimary('A-2', 9)] })
    expect((await undo(admin, older)).status).toBe(200)
    expect(await placements(admin)).toEqual({ 'BOLT-8': [atPrimary('A-1', 5)] })
  })
})

describe('a file with bins at a location that the plan has closed since', () => {
  const part = { fields: ['barcode', 'distribution_bin'] }
  const reduce = (admin: Person) => {
    const body = { plan: 'professional', accept_read_only: true }
    return app.done({ path: '/api/company/plan', token: admin.token, body })
  }

  it('is not taken', async () => {
    const admin = await companyWithBins('enterprise')
    const id = await staged(admin, [['BOLT-8', 'D-1']], part)
    await reduce(admin)
    expect((await post(admin, `/${id}/commit`)).body).toMatchObject({
      error:
        'This file sets stock, bins or minimums at a location that is no longer in your plan. Cancel the import and choose the file again.',
    })
  })

  it('is not undone', async () => {
    const admin = await companyWithBins('enterprise')
    const id = await taken(admin, [['BOLT-8', 'D-1']], part)
    await reduce(admin)
    expect((await undo(admin, id)).body).toMatchObject({
      error:
        'This import set stock, bins or minimums at a location that is no longer in your plan, which can be read but not changed.',
    })
    expect(await placements(admin)).toMatchObject({
      'BOLT-8': [{ location: 'DISTRIBUTION', bin: 'D-1', minimum: null }, atPrimary('A-1', 5)],
    })
  })
})
