import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const post = (person: Person, path: string, body: unknown) =>
  app.done({ path: `/api${path}`, token: person.token, body })

const trail = z.object({
  entries: z.array(
    z.object({
      sku: z.string(),
      location: z.string().nullable(),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
})

/** What the newest entries say of descriptions, bins and minimums, by SKU. */
async function told(person: Person): Promise<unknown[]> {
  const path = '/api/audit/trail?limit=20&action=Config'
  const { body } = await app.ask({ method: 'GET', path, token: person.token })
  return trail.parse(body).entries.flatMap(({ sku, location, metadata }) => {
    const { event_type: event, old_value: before, new_value: after } = metadata
    const isSaid = event === 'description_changed' || event === 'placement_changed'
    return isSaid ? [[sku, location, before, after]] : []
  })
}

async function companyWithBins(): Promise<Person> {
  const admin = await makeCompany(app)
  await post(admin, '/components/import', [
    { barcode: 'BOLT-8', description: 'Bolt' },
    { barcode: 'NUT-8', description: 'Nut' },
  ])
  await post(admin, '/components/place', {
    location: 'PRIMARY',
    components: [{ barcode: 'BOLT-8', bin: 'A-1', minimum: 5 }],
  })
  return admin
}

const fields = ['barcode', 'description', 'primary_bin', 'primary_minimum', 'secondary_bin']

async function take(admin: Person, lines: string[][]): Promise<string> {
  const begun = await app.ask({
    path: '/api/imports',
    token: admin.token,
    body: { name: 'bins.csv', fields },
  })
  const { id } = z.object({ import: z.object({ id: z.string() }) }).parse(begun.body).import
  await post(admin, `/imports/${id}/rows`, {
    rows: lines.map((cells, index) => ({ line: index + 2, cells })),
  })
  await post(admin, `/imports/${id}/commit`, {})
  return id
}

describe('what an import says of components', () => {
  it('stands in the trail for each with what was said before, also where staff send it', async () => {
    const admin = await companyWithBins()
    const staff = await makeStaff(app, admin, 'Sam')
    await post(staff, '/components/import', [
      { barcode: 'BOLT-8', description: 'Bolt M8' },
      { barcode: 'NUT-8', description: 'Nut' },
      { barcode: 'WASHER-8', description: 'Washer' },
      { barcode: 'NUT-8X' },
    ])
    expect(await told(admin)).toEqual([
      ['BOLT-8', null, 'Bolt', 'Bolt M8'],
      ['BOLT-8', 'PRIMARY', { bin: '', minimum: null }, { bin: 'A-1', minimum: 5 }],
    ])
    const { body } = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?limit=1&action=Import',
      token: admin.token,
    })
    expect(body).toMatchObject({
      entries: [{ user_name: 'Sam', metadata: { created: 2, updated: 1, described: 1 } }],
    })
  })

  it('stands there by a file as well, without what it brought, and again as its undo puts it back', async () => {
    const admin = await companyWithBins()
    const id = await take(admin, [
      ['BOLT-8', 'Bolt M8', 'A-2', '', 'Z-9'],
      ['NUT-8', 'Nut', '', '3', ''],
      ['WASHER-8', 'Washer', 'B-1', '2', ''],
    ])
    const nothing = { bin: '', minimum: null }
    const before = ['BOLT-8', 'PRIMARY', nothing, { bin: 'A-1', minimum: 5 }]
    const made = [
      ['NUT-8', 'PRIMARY', nothing, { bin: '', minimum: 3 }],
      ['BOLT-8', 'SECONDARY', nothing, { bin: 'Z-9', minimum: null }],
      ['BOLT-8', 'PRIMARY', { bin: 'A-1', minimum: 5 }, { bin: 'A-2', minimum: 5 }],
      ['BOLT-8', null, 'Bolt', 'Bolt M8'],
    ]
    expect(await told(admin)).toEqual([...made, before])
    // What somebody has said since stays, and is no part of the undo.
    await post(admin, '/components/describe', { barcode: 'BOLT-8', description: 'Bolt M8 x 40' })
    await post(admin, `/imports/${id}/undo`, {})
    expect(await told(admin)).toEqual([
      ['NUT-8', 'PRIMARY', { bin: '', minimum: 3 }, nothing],
      ['BOLT-8', 'SECONDARY', { bin: 'Z-9', minimum: null }, nothing],
      ['BOLT-8', 'PRIMARY', { bin: 'A-2', minimum: 5 }, { bin: 'A-1', minimum: 5 }],
      ['BOLT-8', null, 'Bolt M8', 'Bolt M8 x 40'],
      ...made,
      before,
    ])
  })

  it('is a number alone where it is said of more than 500', async () => {
    const admin = await makeCompany(app)
    const rows = (word: string) =>
      Array.from({ length: 501 }, (_, index) => ({ barcode: `C-${index}`, description: `${word} ${index}` }))
    await post(admin, '/components/import', rows('Clip'))
    await post(admin, '/components/import', rows('Clasp'))
    await take(
      admin,
      rows('Claw').map(({ barcode, description }) => [barcode, description, 'K-1']),
    )
    expect(await told(admin)).toEqual([])
    const { body } = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?limit=2&action=Import',
      token: admin.token,
    })
    expect(body).toMatchObject({
      entries: [{ metadata: { described: 501, placed: 501 } }, { metadata: { described: 501 } }],
    })
  })
})
