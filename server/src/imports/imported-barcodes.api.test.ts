import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const post = (admin: Person, path: string, body: unknown = {}) =>
  app.ask({ path: `/api${path}`, token: admin.token, body })

const done = (admin: Person, path: string, body: unknown) =>
  app.done({ path: `/api${path}`, token: admin.token, body })

const get = async (admin: Person, path: string) =>
  (await app.ask({ method: 'GET', path: `/api${path}`, token: admin.token })).body

/** A company with bolts, whose case of 12 has a code, and nuts. */
async function companyWithBolts(): Promise<Person> {
  const admin = await makeCompany(app)
  await done(admin, '/components/import', [
    { barcode: 'BOLT-8', description: 'Bolt' },
    { barcode: 'NUT-8', description: 'Nut' },
  ])
  await done(admin, '/components/add-barcode', { barcode: 'BOLT-8', alias: 'CASE-8', pieces: 12 })
  return admin
}

const begun = z.object({ import: z.object({ id: z.string() }) })
const fields = ['barcode', 'other_barcodes']

async function staged(admin: Person, lines: string[][], part: Record<string, unknown> = {}): Promise<string> {
  const { body } = await post(admin, '/imports', { name: 'codes.csv', fields, ...part })
  const { id } = begun.parse(body).import
  await done(admin, `/imports/${id}/rows`, {
    rows: lines.map((cells, index) => ({ line: 2 + index, cells })),
  })
  return id
}

async function taken(admin: Person, lines: string[][], part: Record<string, unknown> = {}): Promise<string> {
  const id = await staged(admin, lines, part)
  expect(await post(admin, `/imports/${id}/commit`)).toMatchObject({ status: 200 })
  return id
}

async function undone(admin: Person, id: string): Promise<void> {
  expect((await post(admin, `/imports/${id}/undo`)).body).toMatchObject({ import: { status: 'undone' } })
}

const list = z.object({
  components: z.array(z.object({ barcode: z.string(), aliases: z.array(z.string()) })),
})

/** The other barcodes of each component that has some. */
async function others(admin: Person): Promise<Record<string, string[]>> {
  const { components } = list.parse(await get(admin, '/components/search'))
  const some = components.filter(({ aliases }) => aliases.length > 0)
  return Object.fromEntries(some.map(({ barcode, aliases }) => [barcode, aliases]))
}

describe('other barcodes of a file', () => {
  it('of several columns are shown, count as changes, and are added to those that there are', async () => {
    const admin = await companyWithBolts()
    const id = await staged(
      admin,
      [
        ['BOLT-8', '4006381333931; BOX-8 x6', 'CASE-8'],
        ['NUT-8', '', 'NUT-8'],
        ['WASHER-8', '036000291452', '0036000291452; "OLD 77"'],
      ],
      { fields: [...fields, 'other_barcodes'] },
    )
    expect(await get(admin, `/imports/${id}/preview`)).toMatchObject({
      rows: { new: 1, changed: 1, unchanged: 1, bad: 0 },
    })
    expect(await get(admin, `/imports/${id}/rows`)).toMatchObject({
      rows: [
        {
          kind: 'changed',
          other_barcodes: [
            { barcode: '4006381333931', pieces: 1 },
            { barcode: 'BOX-8', pieces: 6 },
          ],
        },
        { kind: 'unchanged' },
        {
          kind: 'new',
          other_barcodes: [
            { barcode: '036000291452', pieces: 1 },
            { barcode: 'OLD 77', pieces: 1 },
          ],
        },
      ],
    })
    expect((await post(admin, `/imports/${id}/commit`)).body).toMatchObject({
      import: { created: 1, updated: 1, unchanged: 1 },
    })
    expect(await others(admin)).toEqual({
      'BOLT-8': ['4006381333931', 'BOX-8', 'CASE-8'],
      'WASHER-8': ['036000291452', 'OLD 77'],
    })
    expect((await post(admin, '/components/by-barcode', { barcode: 'BOX-8' })).body).toMatchObject({
      component: { barcode: 'BOLT-8' },
    })
  })

  it('that cannot be taken are named with their row', async () => {
    const admin = await companyWithBolts()
    await done(admin, '/components/import', [{ barcode: 'CLIP-8', description: 'Clip' }])
    await done(admin, '/components/add-barcode', { barcode: 'CLIP-8', alias: 'BAG-8' })
    const id = await staged(admin, [
      ['NUT-8', 'CASE-8'],
      ['CAP-8', 'BOLT-8'],
      ['BOLT-8', 'CASE-8 x24'],
      ['NEW-1', 'NEW-2'],
      ['NEW-2', 'TWICE'],
      ['NEW-3', 'TWICE'],
      ['NEW-4', '036000291452'],
      ['NEW-5', '0036000291452'],
      ['NEW-6', Array.from({ length: 21 }, (_, index) => `M-${index}`).join(';')],
      ['CLIP-8', Array.from({ length: 20 }, (_, index) => `C-${index}`).join(';')],
      ['NEW-7', 'x'.repeat(49)],
      ['NEW-8', 'FREE-8'],
    ])
    const rows = z.object({ rows: z.array(z.object({ fault: z.nullable(z.string()) })) })
    expect(rows.parse(await get(admin, `/imports/${id}/rows`)).rows.map(({ fault }) => fault)).toEqual([
      'the other barcode CASE-8 belongs to BOLT-8 already',
      'the other barcode BOLT-8 is the barcode of a component already',
      'the other barcode CASE-8 stands for 12 already: change that on the page of the component',
      'the other barcode NEW-2 is the barcode at line 6',
      null,
      'the other barcode TWICE stands already at line 6',
      null,
      'the other barcode 0036000291452 stands already at line 8',
      'the row names more than 20 other barcodes',
      'the component would have more than 20 other barcodes',
      'the other barcode is longer than 48 characters',
      null,
    ])
    await done(admin, `/imports/${id}/commit`, { leave_out_bad: true })
    expect(await others(admin)).toEqual({
      'BOLT-8': ['CASE-8'],
      'CLIP-8': ['BAG-8'],
      'NEW-2': ['TWICE'],
      'NEW-4': ['036000291452'],
      'NEW-8': ['FREE-8'],
    })
  })

  it('change nothing as an export writes them, and make another company the same', async () => {
    const admin = await companyWithBolts()
    for (const alias of ['6" PIPE;x', 'BOX x6', '4006381333931']) {
      await done(admin, '/components/add-barcode', { barcode: 'NUT-8', alias })
    }
    const { bytes } = await app.ask({ method: 'GET', path: '/api/exports/components', token: admin.token })
    const [, ...rows]: string[][] = parse(bytes, { bom: true })
    const lines = rows.map((row) => [row[0] ?? '', row.at(-1) ?? ''])
    const again = await staged(admin, lines)
    expect(await get(admin, `/imports/${again}/preview`)).toMatchObject({
      rows: { new: 0, changed: 0, unchanged: 2, bad: 0 },
    })
    const other = await makeCompany(app)
    await taken(other, lines)
    expect(await others(other)).toEqual(await others(admin))
    const packs = await get(other, '/components/detail?barcode=BOLT-8')
    expect(packs).toMatchObject({ packs: [{ barcode: 'CASE-8', pieces: 12 }] })
  })

  it('that somebody gives to another component before they are taken stop the import', async () => {
    const admin = await companyWithBolts()
    const id = await staged(admin, [['NEW-1', 'FREE-1']])
    await done(admin, '/components/add-barcode', { barcode: 'NUT-8', alias: 'FREE-1' })
    expect(await post(admin, `/imports/${id}/commit`)).toMatchObject({
      status: 400,
      body: { code: 'import_empty' },
    })
    const later = await staged(admin, [['NEW-1', 'FREE-2']])
    const owner = await app.owner.connect()
    await owner.query('begin')
    await owner.query(`select pg_advisory_xact_lock(hashtextextended('other barcodes ' || $1, 0))`, [
      admin.tenantId,
    ])
    const reply = post(admin, `/imports/${later}/commit`)
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted`
    await vi.waitFor(async () => expect((await app.owner.query(waiting)).rowCount).toBe(1), 5_000)
    await owner.query(
      `insert into alias_barcodes (tenant_id, barcode, component_id, user_name)
       select tenant_id, 'FREE-2', id, 'Ada' from components where tenant_id = $1 and barcode = 'NUT-8'`,
      [admin.tenantId],
    )
    await owner.query('commit')
    owner.release()
    expect(await reply).toMatchObject({
      status: 409,
      body: {
        error:
          'Meanwhile FREE-2 has become a barcode of NUT-8. Nothing was changed: look again, then decide.',
      },
    })
    expect(await others(admin)).toEqual({ 'BOLT-8': ['CASE-8'], 'NUT-8': ['FREE-1', 'FREE-2'] })
  })

  it('may be codes that nobody knew, which are settled then', async () => {
    const admin = await companyWithBolts()
    const timestamp = new Date().toISOString()
    const scan = {
      barcode: 'FREE-1',
      quantity: 1,
      location: 'PRIMARY',
      session: 's',
      source: 'monthly',
      timestamp,
    }
    await post(admin, '/components/update-with-tracking', scan)
    expect(await get(admin, '/unknown-codes')).toMatchObject({ unknown_codes: [{ code: 'FREE-1' }] })
    await taken(admin, [['NUT-8', 'FREE-1']])
    expect(await get(admin, '/unknown-codes')).toMatchObject({ unknown_codes: [] })
  })

  it('stand in the trail, as does what an undo takes away', async () => {
    const admin = await companyWithBolts()
    const id = await taken(admin, [
      ['NUT-8', 'FREE-1; PACK-1 x6'],
      ['NEW-1', 'FREE-2'],
    ])
    await done(admin, '/components/remove-barcode', { barcode: 'NUT-8', alias: 'FREE-1' })
    await undone(admin, id)
    const trail = z.object({
      entries: z.array(z.object({ sku: z.string(), metadata: z.record(z.string(), z.unknown()) })),
    })
    const { entries } = trail.parse(await get(admin, '/audit/trail?limit=20'))
    const told = entries.flatMap(({ sku, metadata: { event_type: event, barcode, pieces, file } }) =>
      event === 'barcode_added' || event === 'barcode_removed' ? [[event, sku, barcode, pieces, file]] : [],
    )
    expect(told).toEqual([
      ['barcode_removed', 'NUT-8', 'PACK-1', 6, 'codes.csv'],
      ['barcode_removed', 'NUT-8', 'FREE-1', undefined, undefined],
      ['barcode_added', 'NUT-8', 'PACK-1', 6, 'codes.csv'],
      ['barcode_added', 'NUT-8', 'FREE-1', undefined, 'codes.csv'],
      ['barcode_added', 'BOLT-8', 'CASE-8', 12, undefined],
    ])
    expect(entries.map(({ metadata }) => metadata['aliased'])).toContain(3)
  })
})

describe('the undo of a file that gave other barcodes', () => {
  it('takes them away, and no others', async () => {
    const admin = await companyWithBolts()
    const id = await taken(admin, [
      ['BOLT-8', 'CASE-8; FREE-1'],
      ['NEW-1', 'FREE-2'],
    ])
    await undone(admin, id)
    expect(await others(admin)).toEqual({ 'BOLT-8': ['CASE-8'] })
    expect((await post(admin, '/components/by-barcode', { barcode: 'FREE-1' })).status).toBe(404)
    // What it gave is free for another component.
    await done(admin, '/components/add-barcode', { barcode: 'NUT-8', alias: 'FREE-2' })
  })

  it('leaves one that somebody has given anew since, also as that of a pack', async () => {
    const admin = await companyWithBolts()
    const id = await taken(admin, [['BOLT-8', 'FREE-1; FREE-2']])
    await done(admin, '/components/add-barcode', { barcode: 'BOLT-8', alias: 'FREE-1', pieces: 6 })
    await done(admin, '/components/remove-barcode', { barcode: 'BOLT-8', alias: 'FREE-2' })
    await done(admin, '/components/add-barcode', { barcode: 'NUT-8', alias: 'FREE-2' })
    await undone(admin, id)
    expect(await others(admin)).toEqual({ 'BOLT-8': ['CASE-8', 'FREE-1'], 'NUT-8': ['FREE-2'] })
  })

  it.each([
    ['first the older', true],
    ['first the newer', false],
  ])('and of a newer one that names them as well end where they began, %s', async (_, olderFirst) => {
    const admin = await companyWithBolts()
    const older = await taken(admin, [['BOLT-8', 'FREE-1']])
    const newer = await taken(admin, [['BOLT-8', 'FREE-1; FREE-2']])
    const [first, second] = olderFirst ? [older, newer] : [newer, older]
    await undone(admin, first)
    const between = olderFirst ? ['CASE-8', 'FREE-1', 'FREE-2'] : ['CASE-8', 'FREE-1']
    expect(await others(admin)).toEqual({ 'BOLT-8': between })
    await undone(admin, second)
    expect(await others(admin)).toEqual({ 'BOLT-8': ['CASE-8'] })
  })
})
