import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** A barcode as a supplier prints it. */
const supplied = '4006381333931'

/** A company with 5 of BOLT-8, which is also supplied under another barcode, and 7 of NUT-8. */
async function companyWithAlias(): Promise<{ admin: Person; staff: Person }> {
  const admin = await makeCompany(app)
  await importRows(admin, [
    { barcode: 'BOLT-8', description: 'Bolt', primary_quantity: 5 },
    { barcode: 'NUT-8', description: 'Nut', primary_quantity: 7 },
  ])
  await add(admin, supplied)
  return { admin, staff: await makeStaff(app, admin) }
}

const post = (person: Person, path: string, body: unknown) =>
  app.ask({ path: `/api${path}`, token: person.token, body })

const get = async (person: Person, path: string) =>
  (await app.ask({ method: 'GET', path: `/api${path}`, token: person.token })).body

const importRows = (person: Person, rows: unknown[]) => post(person, '/components/import', rows)

const add = (person: Person, alias: string, barcode = 'BOLT-8') =>
  post(person, '/components/add-barcode', { barcode, alias })

const addPack = (person: Person, alias: string, pieces: unknown) =>
  post(person, '/components/add-barcode', { barcode: 'BOLT-8', alias, pieces })

const remove = (person: Person, alias: string, barcode = 'BOLT-8') =>
  post(person, '/components/remove-barcode', { barcode, alias })

let scans = 0

function count(person: Person, quantity: number, part: Record<string, unknown> = {}) {
  scans += 1
  const timestamp = new Date(Date.now() + scans).toISOString()
  const scan = { barcode: supplied, quantity, location: 'PRIMARY', session: `s${scans}`, timestamp }
  return post(person, '/components/update-with-tracking', { ...scan, ...part })
}

const trailOf = (person: Person, sku: string) => get(person, `/audit/trail?sku=${sku}`)

const listed = z.object({ components: z.array(z.object({ barcode: z.string() })) })

const openCodes = z.object({ unknown_codes: z.array(z.object({ id: z.string(), code: z.string() })) })

async function unknownCodes(admin: Person, status = 'open') {
  return openCodes.parse(await get(admin, `/unknown-codes?status=${status}`)).unknown_codes
}

describe('a count by another barcode', () => {
  it('is in the history that is asked for by any barcode of the component', async () => {
    const { staff } = await companyWithAlias()
    await count(staff, 5)
    for (const sku of ['BOLT-8', supplied]) {
      expect(await get(staff, `/count-history?sku=${sku}`)).toMatchObject({
        history: [{ sku: 'BOLT-8', quantity: 5 }],
      })
    }
  })

  it('is one of the component, by whose name it is answered', async () => {
    const { staff } = await companyWithAlias()
    const { status, body } = await count(staff, 5)
    expect([status, body]).toMatchObject([
      200,
      {
        matched: true,
        component: { barcode: 'BOLT-8', description: 'Bolt' },
        progress: { counted: 1, total: 2 },
      },
    ])
    expect(await get(staff, '/components/to-count?location=PRIMARY')).toMatchObject({
      components: [{ barcode: 'BOLT-8', aliases: [supplied], counted: true }, { barcode: 'NUT-8' }],
      counted: 1,
    })
  })

  it('that does not match is counted again by any barcode, and is a difference of the component', async () => {
    const { admin, staff } = await companyWithAlias()
    const first = { matched: false, recorded: false, attempt: 1, barcode: 'BOLT-8' }
    expect((await count(staff, 4)).body).toMatchObject(first)
    const { body } = await count(staff, 4, { barcode: 'BOLT-8' })
    expect(body).toMatchObject({ recorded: true, attempt: 2, barcode: 'BOLT-8' })
    expect(await get(admin, '/discrepancies')).toMatchObject({
      discrepancies: [{ sku: 'BOLT-8', expected: 5, counted: 4 }],
    })
    expect(await get(admin, '/count-history?sku=BOLT-8')).toMatchObject({ history: [{ sku: 'BOLT-8' }] })
    expect(await trailOf(admin, supplied)).toMatchObject({ total: 0 })
  })

  it('is of the component, too, where nobody is told what came of it', async () => {
    const { admin, staff } = await companyWithAlias()
    await post(admin, '/company/settings', { strict_blind_counts: true })
    for (const quantity of [4, 4]) await count(staff, quantity)
    expect((await count(staff, 4)).body).toMatchObject({ matched: null, recorded: true, barcode: 'BOLT-8' })
  })

  it('is one of the week’s list and of the administrators’ cycle', async () => {
    const { admin, staff } = await companyWithAlias()
    const assignments = { Monday: ['PRIMARY'] }
    await post(admin, '/components/configure-high-volume', { barcode: 'BOLT-8', assignments })
    await post(admin, '/components/configure-high-volume', { barcode: 'NUT-8', assignments })
    const weekly = { source: 'weekly', day: 'Monday' }
    expect((await count(staff, 5, weekly)).body).toMatchObject({ component: { barcode: 'BOLT-8' } })
    expect((await count(staff, 5, weekly)).body).toMatchObject({ code: 'already_counted' })
    const day = { day: 'Monday', location: 'PRIMARY' }
    const { body } = await post(staff, '/components/high-volume-for-day', day)
    const listed = z.object({ components: z.array(z.looseObject({ barcode: z.string() })) }).parse(body)
    expect(listed.components).toMatchObject([
      { barcode: 'BOLT-8', aliases: [supplied], counted_today: true },
      { barcode: 'NUT-8', counted_today: false },
    ])
    expect(listed.components[1]).not.toHaveProperty('aliases')
    expect((await count(admin, 5, { source: 'admin' })).body).toMatchObject({
      matched: true,
      component: { barcode: 'BOLT-8' },
    })
  })

  it('finds a UPC by its EAN, too', async () => {
    const { admin, staff } = await companyWithAlias()
    await add(admin, '036000291452')
    expect((await count(staff, 5, { barcode: '0036000291452' })).body).toMatchObject({
      component: { barcode: 'BOLT-8' },
    })
  })

  it('counts the component that has the code as its own barcode, where one has', async () => {
    const { admin, staff } = await companyWithAlias()
    // As a file brings it that was taken at the same moment.
    await app.owner.query(
      `insert into components (tenant_id, barcode, description) values ($1, $2, 'Its own')`,
      [admin.tenantId, supplied],
    )
    expect((await count(staff, 0)).body).toMatchObject({ component: { barcode: supplied } })
    expect((await post(staff, '/components/by-barcode', { barcode: supplied })).body).toMatchObject({
      component: { description: 'Its own' },
    })
    expect(await get(staff, `/components/detail?barcode=${supplied}`)).toMatchObject({
      description: 'Its own',
      aliases: [],
    })
  })
})

describe('whatever is asked by another barcode', () => {
  it('is answered with the component’s own', async () => {
    const { admin, staff } = await companyWithAlias()
    await count(staff, 5)
    const ask = (path: string) => get(staff, `/components/${path}?barcode=${supplied}`)
    expect((await post(staff, '/components/by-barcode', { barcode: supplied })).body).toMatchObject({
      component: { barcode: 'BOLT-8', primary_quantity: 5 },
    })
    expect(await ask('detail')).toMatchObject({ barcode: 'BOLT-8', aliases: [supplied] })
    expect(await ask('movements')).toMatchObject({ movements: [{ delta: 5 }] })
    expect(await ask('counts')).toMatchObject({ counts: [{ quantity: 5 }] })
    expect(await ask('labels')).toMatchObject({ labels: [] })
    expect(await ask('ledger')).toMatchObject({ steps: [{ quantity: 5 }] })
    const place = { barcode: supplied, location: 'PRIMARY' }
    expect((await post(staff, '/components/count-history', place)).body).toMatchObject({
      history: [{ sku: 'BOLT-8', quantity: 5 }],
    })
    const sent = { barcode: supplied, from: 'PRIMARY', to: 'SECONDARY', quantity: 1 }
    expect((await post(admin, '/transfers', sent)).body).toMatchObject({ transfer: { barcode: 'BOLT-8' } })
  })

  it('changes the component, and the trail says so by its own barcode', async () => {
    const { admin } = await companyWithAlias()
    const corrected = { barcode: supplied, location: 'PRIMARY', quantity: 6 }
    expect((await post(admin, '/components/update-quantity', corrected)).body).toMatchObject({
      component: { barcode: 'BOLT-8', primary_quantity: 6 },
    })
    const planned = { barcode: supplied, assignments: { Monday: ['PRIMARY'] } }
    expect((await post(admin, '/components/configure-high-volume', planned)).body).toMatchObject({
      component: { barcode: 'BOLT-8', is_high_volume: true },
    })
    const described = { barcode: supplied, description: 'Hex bolt' }
    expect((await post(admin, '/components/describe', described)).status).toBe(200)
    const entry = { sku: supplied, quantity: 6, location: 'PRIMARY' }
    expect((await post(admin, '/count-history', entry)).status).toBe(201)
    expect(await get(admin, '/count-history?sku=BOLT-8')).toMatchObject({ history: [{ quantity: 6 }] })
    expect(await trailOf(admin, supplied)).toMatchObject({ total: 0 })
    const told = JSON.stringify(await trailOf(admin, 'BOLT-8'))
    for (const event of ['quantity_updated', 'description_changed', 'count_history_added']) {
      expect(told).toContain(event)
    }
  })

  it('is found by a part of it, with all barcodes', async () => {
    const { admin, staff } = await companyWithAlias()
    await add(admin, '0_9')
    expect(await get(staff, '/components/search?text=81333')).toMatchObject({
      components: [{ barcode: 'BOLT-8', aliases: ['0_9', supplied] }],
    })
    expect(await get(staff, '/components/search?text=_')).toMatchObject({
      components: [{ barcode: 'BOLT-8' }],
    })
    expect(await get(staff, '/components/search?text=NUT')).toMatchObject({
      components: [{ barcode: 'NUT-8', aliases: [] }],
    })
  })

  it('is found and exported by words in any order, each of which stands somewhere', async () => {
    const { admin, staff } = await companyWithAlias()
    await importRows(admin, [
      { barcode: 'BOLT-8', description: 'Müller Dübel 26 mm' },
      { barcode: 'NUT-8', description: 'Müller Mutter' },
      { barcode: 'CODE 26 A', description: 'Müller' },
    ])
    const found = async (text: string) => {
      const query = `text=${encodeURIComponent(text)}`
      const { components } = listed.parse(await get(staff, `/components/search?${query}`))
      const path = `/api/exports/components?format=csv&${query}`
      const { bytes } = await app.ask({ method: 'GET', path, token: staff.token })
      const codes = components.map(({ barcode }) => barcode)
      const lines = bytes.toString().split('\r\n').slice(1, -1)
      expect(lines.map((line) => line.split(',')[0])).toEqual(codes)
      return codes
    }
    expect(await found('Müller 26')).toEqual(['BOLT-8', 'CODE 26 A'])
    expect(await found(' dübel  MÜLLER ')).toEqual(['BOLT-8'])
    expect(await found('26 mm 81333')).toEqual(['BOLT-8'])
    expect(await found('CODE 26 A')).toEqual(['CODE 26 A'])
    expect(await found('müller nagel')).toEqual([])
  })

  it('is exported by a part of it', async () => {
    const { staff } = await companyWithAlias()
    const path = '/api/exports/components?format=csv&text=81333'
    const { bytes } = await app.ask({ method: 'GET', path, token: staff.token })
    expect([bytes.includes('BOLT-8'), bytes.includes('NUT-8')]).toEqual([true, false])
  })

  it('is not said where nobody asked for it', async () => {
    const { admin } = await companyWithAlias()
    const status = await post(admin, '/components/with-count-status', { location: 'PRIMARY' })
    const all = await get(admin, '/components')
    expect(JSON.stringify([status.body, all])).not.toContain('aliases')
  })
})

describe('giving a component another barcode', () => {
  it('says all that it has, sorted, and stands in the trail', async () => {
    const { admin } = await companyWithAlias()
    const { status, body } = await add(admin, ' 100 ')
    expect([status, body]).toEqual([201, { success: true, aliases: ['100', supplied] }])
    expect(await trailOf(admin, 'BOLT-8')).toMatchObject({
      entries: [
        { sku: 'BOLT-8', user_name: admin.name, metadata: { event_type: 'barcode_added', barcode: '100' } },
        { metadata: { barcode: supplied } },
      ],
    })
  })

  it('that it has already changes nothing, by whichever of its barcodes it is called', async () => {
    const { admin } = await companyWithAlias()
    for (const barcode of ['BOLT-8', supplied]) {
      const { status, body } = await add(admin, supplied, barcode)
      expect([status, body]).toEqual([201, { success: true, aliases: [supplied] }])
    }
    expect(await trailOf(admin, 'BOLT-8')).toMatchObject({ total: 1 })
  })

  it('says of a pack how many pieces it is, wherever it is said, and counts go on in pieces', async () => {
    const { admin, staff } = await companyWithAlias()
    const assignments = { Monday: ['PRIMARY'] }
    await post(admin, '/components/configure-high-volume', { barcode: 'BOLT-8', assignments })
    const packs = [{ barcode: 'CASE-8', pieces: 12 }]
    const { status, body } = await addPack(admin, 'CASE-8', 12)
    expect([status, body]).toEqual([201, { success: true, aliases: [supplied, 'CASE-8'], packs }])
    expect(await get(staff, '/components/detail?barcode=CASE-8')).toMatchObject({ packs })
    expect(await get(staff, '/components/to-count?location=PRIMARY')).toMatchObject({
      components: [{ barcode: 'BOLT-8', aliases: [supplied, 'CASE-8'], packs }, { barcode: 'NUT-8' }],
    })
    const ofDay = { day: 'Monday', location: 'PRIMARY' }
    expect((await post(staff, '/components/high-volume-for-day', ofDay)).body).toMatchObject({
      components: [{ barcode: 'BOLT-8', packs }],
    })
    expect((await count(staff, 5, { barcode: 'CASE-8' })).body).toMatchObject({ matched: true })
    expect(await trailOf(admin, 'BOLT-8')).toMatchObject({
      entries: [{}, { metadata: { event_type: 'barcode_added', barcode: 'CASE-8', pieces: 12 } }, {}, {}],
    })
  })

  it('tells whoever asks which of some barcodes are those of packs', async () => {
    const { admin, staff } = await companyWithAlias()
    await addPack(admin, 'CASE-8', 12)
    await addPack(admin, '036000291452', 6)
    const barcodes = ['CASE-8', 'CASE-8', '0036000291452', supplied, 'BOLT-8', 'GHOST']
    const { status, body } = await post(staff, '/components/packs', { barcodes })
    expect([status, body]).toEqual([
      200,
      {
        packs: [
          { barcode: '0036000291452', pieces: 6, component: 'BOLT-8' },
          { barcode: 'CASE-8', pieces: 12, component: 'BOLT-8' },
        ],
      },
    ])
    expect((await post(staff, '/components/packs', { barcodes: [] })).status).toBe(400)
  })

  it('of a pack has nothing counted of scans that were one each before it was known as such, and keeps what was', async () => {
    const { admin, staff } = await companyWithAlias()
    const other = await makeCompany(app)
    const scanned = { session: 's', timestamp: new Date().toISOString(), scans: 5 }
    const first = await count(staff, 5, scanned)
    expect(first.body).toMatchObject({ matched: true })
    await addPack(admin, 'CASE-8', 12)
    await addPack(admin, supplied, 6)

    const refused = await count(staff, 3, { barcode: 'CASE-8', scans: 3 })
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        success: false,
        error: 'This barcode is that of a pack by now. Say how many pieces were counted.',
        code: 'pack_by_now',
      },
    ])
    expect((await count(staff, 5, scanned)).body).toEqual(first.body)
    expect((await count(staff, 5, { barcode: 'CASE-8', scans: 0 })).body).toMatchObject({ matched: true })
    expect((await count(staff, 5, { barcode: 'BOLT-8', scans: 5 })).body).toMatchObject({ matched: true })
    expect((await count(other, 3, { barcode: 'CASE-8', scans: 3 })).body).toMatchObject({ code: 'not_found' })
    await post(staff, '/auth/logout', {})
    expect((await count(staff, 3, { barcode: 'CASE-8', scans: 3 })).status).toBe(401)
  })

  it('that it has already gets another number of pieces, also where it has as many as there may be', async () => {
    const { admin, staff } = await companyWithAlias()
    for (let index = 1; index < 20; index += 1) await add(admin, `CODE-${index}`)
    expect((await addPack(admin, supplied, 6)).body).toMatchObject({
      packs: [{ barcode: supplied, pieces: 6 }],
    })
    expect((await add(admin, supplied)).body).toMatchObject({ packs: [{ barcode: supplied, pieces: 6 }] })
    const { body } = await addPack(admin, supplied, 1)
    expect(body).not.toHaveProperty('packs')
    expect(await get(staff, '/components/detail?barcode=BOLT-8')).not.toHaveProperty('packs')
    expect(await get(admin, '/audit/trail?sku=BOLT-8&limit=2')).toMatchObject({
      entries: [
        { metadata: { barcode: supplied, pieces: 1 } },
        { metadata: { barcode: supplied, pieces: 6 } },
      ],
    })
  })

  it.each([[0], [10_001], [1.5], ['12']])('of %s pieces is refused', async (pieces) => {
    const { admin } = await companyWithAlias()
    expect(await addPack(admin, 'CASE-8', pieces)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', details: [{ path: 'pieces' }] },
    })
    expect(await get(admin, '/components/detail?barcode=BOLT-8')).toMatchObject({ aliases: [supplied] })
  })

  it.each([
    ['another barcode of another component', { barcode: 'NUT-8', alias: supplied, owner: 'BOLT-8' }],
    ['the own barcode of another component', { barcode: 'BOLT-8', alias: 'NUT-8', owner: 'a component' }],
    ['its own', { barcode: 'BOLT-8', alias: 'BOLT-8', owner: 'a component' }],
    [
      'what a scanner reads for the UPC of another component',
      { barcode: 'BOLT-8', alias: '0036000291452', owner: '036000291452' },
    ],
  ])('that is %s is refused', async (_, { barcode, alias, owner }) => {
    const { admin } = await companyWithAlias()
    await importRows(admin, [{ barcode: '036000291452' }])
    const reply = await add(admin, alias, barcode)
    expect([reply.status, reply.body]).toMatchObject([
      409,
      { error: `This barcode belongs to ${owner} already.`, code: 'barcode_taken' },
    ])
  })

  it('is refused after the twentieth, also where many come at once', async () => {
    const { admin } = await companyWithAlias()
    const replies = await Promise.all(Array.from({ length: 24 }, (_, index) => add(admin, `S-${index}`)))
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused.map(({ status }) => status)).toEqual(Array<number>(5).fill(409))
    expect(refused[0]?.body).toMatchObject({
      error: 'A component has at most 20 other barcodes.',
      code: 'too_many_aliases',
    })
    expect((await add(admin, supplied)).status).toBe(201)
  })

  it('is done for one where two components are given the same at once', async () => {
    const { admin } = await companyWithAlias()
    for (let round = 0; round < 10; round += 1) {
      const skus = ['BOLT-8', 'NUT-8']
      const replies = await Promise.all(skus.map((sku) => add(admin, `SAME-${round}`, sku)))
      const statuses = replies.map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409])
      const winner = skus[statuses.indexOf(201)] ?? ''
      expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
        error: `This barcode belongs to ${winner} already.`,
      })
    }
  })

  it('is done for one where two components are given the two writings of a UPC at once', async () => {
    const { admin } = await companyWithAlias()
    for (let round = 0; round < 6; round += 1) {
      const code = `61414100001${round}`
      const replies = await Promise.all([add(admin, code, 'BOLT-8'), add(admin, `0${code}`, 'NUT-8')])
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    }
  })

  it('ends the wait of that code among the unknown ones at every location', async () => {
    const { admin, staff } = await companyWithAlias()
    await count(staff, 5, { barcode: 'X-9' })
    await count(staff, 5, { barcode: 'X-9', location: 'SECONDARY' })
    await count(staff, 5, { barcode: 'X-8' })
    await add(admin, 'X-9')
    expect((await unknownCodes(admin)).map(({ code }) => code)).toEqual(['X-8'])
    expect((await unknownCodes(admin, 'component')).map(({ code }) => code)).toEqual(['X-9', 'X-9'])
    expect((await count(staff, 5, { barcode: 'X-9' })).body).toMatchObject({ matched: true })
  })

  it.each([
    [{ barcode: 'GHOST', alias: '1' }, 404, 'There is no component with this barcode.'],
    [{ barcode: 'BOLT-8', alias: ' ' }, 400, 'alias'],
    [{ barcode: 'BOLT-8', alias: '1'.repeat(49) }, 400, 'alias'],
    [{ barcode: 'BOLT-8' }, 400, 'alias'],
  ])('is refused for %j', async (body, status, sentence) => {
    const { admin } = await companyWithAlias()
    const reply = await post(admin, '/components/add-barcode', body)
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([status, expect.stringContaining(sentence)])
  })
})

describe('taking another barcode from a component', () => {
  it('makes it an unknown code again', async () => {
    const { admin, staff } = await companyWithAlias()
    const { status, body } = await remove(admin, supplied)
    expect([status, body]).toEqual([200, { success: true, aliases: [] }])
    expect((await count(staff, 5)).status).toBe(404)
    expect((await post(staff, '/components/by-barcode', { barcode: supplied })).status).toBe(404)
    expect((await unknownCodes(admin)).map(({ code }) => code)).toEqual([supplied])
    const trail = JSON.stringify(await trailOf(admin, 'BOLT-8'))
    expect(trail).toContain('barcode_removed')
    expect((await add(admin, supplied, 'NUT-8')).status).toBe(201)
  })

  it.each([
    [{ barcode: 'NUT-8', alias: supplied }, 'This component has no such other barcode.'],
    [{ barcode: 'BOLT-8', alias: 'BOLT-8' }, 'This component has no such other barcode.'],
    [{ barcode: 'GHOST', alias: supplied }, 'There is no component with this barcode.'],
  ])('is refused for %j', async (body, error) => {
    const { admin } = await companyWithAlias()
    const reply = await post(admin, '/components/remove-barcode', body)
    expect([reply.status, reply.body]).toMatchObject([404, { error, code: 'not_found' }])
    expect(await get(admin, '/components/detail?barcode=BOLT-8')).toMatchObject({ aliases: [supplied] })
  })
})

describe('other barcodes', () => {
  it('are changed by administrators only', async () => {
    const { admin, staff } = await companyWithAlias()
    expect([(await add(staff, '1')).status, (await remove(staff, supplied)).status]).toEqual([403, 403])
    expect(await get(admin, '/components/detail?barcode=BOLT-8')).toMatchObject({ aliases: [supplied] })
  })

  const writings = [
    ['as they are', supplied],
    ['in the other writing of a UPC', '0614141000036'],
  ] as const

  it.each(writings)('become no components by an import %s, which says whose they are', async (_, code) => {
    const { admin } = await companyWithAlias()
    await add(admin, '614141000036')
    const reply = await importRows(admin, [{ barcode: 'NEW-1' }, { barcode: 'BOLT-8' }, { barcode: code }])
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { error: `Row 3 names ${code}, which is another barcode of BOLT-8 already.` },
    ])
    expect(await get(admin, '/components')).toMatchObject({ total: 2 })
  })

  it.each(writings)(
    'become no components by a file %s, whose preview says whose they are',
    async (_, code) => {
      const { admin } = await companyWithAlias()
      await add(admin, '614141000036')
      const begun = await post(admin, '/imports', { name: 'stock.csv', fields: ['barcode', 'description'] })
      const { id } = z.object({ import: z.object({ id: z.string() }) }).parse(begun.body).import
      const rows = [
        { line: 2, cells: [code, 'Bolt of a supplier'] },
        { line: 3, cells: ['NEW-1', 'New'] },
      ]
      await post(admin, `/imports/${id}/rows`, { rows })
      await post(admin, `/imports/${id}/preview`, {})
      expect(await get(admin, `/imports/${id}/rows`)).toMatchObject({
        rows: [
          { line: 2, kind: 'bad', fault: 'the barcode is another barcode of BOLT-8 already' },
          { line: 3, kind: 'new' },
        ],
      })
      expect((await post(admin, `/imports/${id}/commit`, {})).body).toMatchObject({ code: 'import_faulty' })
      expect((await post(admin, `/imports/${id}/commit`, { leave_out_bad: true })).body).toMatchObject({
        import: { created: 1, left_out: 1 },
      })
      expect(await get(admin, `/components/detail?barcode=${supplied}`)).toMatchObject({ barcode: 'BOLT-8' })
    },
  )
})

it('whoever changes a component names it by either writing of its UPC', async () => {
  const admin = await makeCompany(app)
  const [own, scanned] = ['036000291452', '0036000291452']
  await importRows(admin, [{ barcode: own, description: 'Bolt', primary_quantity: 5 }])
  const timestamp = new Date().toISOString()
  const answers = [
    await post(admin, '/components/update-quantity', { barcode: scanned, quantity: 6, location: 'PRIMARY' }),
    await post(admin, '/components/describe', { barcode: scanned, description: 'Hex bolt' }),
    await post(admin, '/transfers', { barcode: scanned, from: 'PRIMARY', to: 'QUARANTINE', quantity: 6 }),
    await post(admin, '/count-history', { sku: scanned, quantity: 0, location: 'PRIMARY', timestamp }),
    await app.ask({ method: 'GET', path: `/api/components/detail?barcode=${scanned}`, token: admin.token }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 200])
  expect(answers.at(-1)?.body).toMatchObject({ barcode: own, description: 'Hex bolt' })
})

describe('an import beside many other barcodes', () => {
  const isNew = Array.from({ length: 10_000 }, (_, index) => `N-${index}`)

  async function companyWithManyAliases(): Promise<Person> {
    const admin = await makeCompany(app)
    await app.owner.query(
      `with made as (
         insert into components (tenant_id, barcode, description)
         select $1, 'C-' || i, '' from generate_series(1, 8000) i returning id, barcode
       )
       insert into alias_barcodes (tenant_id, barcode, component_id, user_name)
       select $1, 'OTHER-' || barcode, id, 'Ada' from made`,
      [admin.tenantId],
    )
    return admin
  }

  it('is taken, however many rows it has', async () => {
    const admin = await companyWithManyAliases()
    const reply = await importRows(
      admin,
      isNew.map((barcode) => ({ barcode })),
    )
    expect([reply.status, reply.body]).toMatchObject([200, { created: 10_000 }])
    expect((await importRows(admin, [{ barcode: 'OTHER-C-7' }])).body).toMatchObject({
      error: 'Row 1 names OTHER-C-7, which is another barcode of C-7 already.',
    })
  })

  it('of a file is taken, too', async () => {
    const admin = await companyWithManyAliases()
    const begun = await post(admin, '/imports', { name: 'a.csv', fields: ['barcode'] })
    const { id } = z.object({ import: z.object({ id: z.string() }) }).parse(begun.body).import
    const rows = isNew.map((barcode, index) => ({ line: index + 2, cells: [barcode] }))
    await post(admin, `/imports/${id}/rows`, { rows: rows.slice(0, 5_000) })
    await post(admin, `/imports/${id}/rows`, { rows: rows.slice(5_000) })
    expect((await post(admin, `/imports/${id}/commit`, {})).body).toMatchObject({
      import: { created: 10_000 },
    })
  })
})

describe('an import that meets a barcode given meanwhile', () => {
  /** Lets nobody else give barcodes until `work` is done, in which the import has come as far as that. */
  async function holdingBarcodes(
    admin: Person,
    work: (give: (alias: string) => Promise<void>) => Promise<void>,
  ) {
    const owner = await app.owner.connect()
    try {
      await owner.query('begin')
      await owner.query(`select pg_advisory_xact_lock(hashtextextended('other barcodes ' || $1, 0))`, [
        admin.tenantId,
      ])
      await work(async (alias) => {
        await owner.query(
          `insert into alias_barcodes (tenant_id, barcode, component_id, user_name)
           select tenant_id, $2, id, 'Ada' from components where tenant_id = $1 and barcode = 'BOLT-8'`,
          [admin.tenantId, alias],
        )
      })
      await owner.query('commit')
    } finally {
      owner.release()
    }
  }

  async function untilItWaits(): Promise<void> {
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted`
    await vi.waitFor(async () => expect((await app.owner.query(waiting)).rowCount).toBe(1), 5_000)
  }

  it('is refused, and nothing of it is imported', async () => {
    const { admin } = await companyWithAlias()
    const given: { reply?: ReturnType<typeof importRows> } = {}
    await holdingBarcodes(admin, async (give) => {
      given.reply = importRows(admin, [{ barcode: 'NEW-1' }, { barcode: 'NEW-2' }])
      await untilItWaits()
      await give('NEW-2')
    })
    expect(await given.reply).toMatchObject({
      status: 409,
      body: {
        error:
          'Meanwhile NEW-2 has become a barcode of BOLT-8. Nothing was changed: look again, then decide.',
        code: 'barcode_taken',
      },
    })
    expect(await get(admin, '/components/search')).toMatchObject({
      components: [{ barcode: 'BOLT-8' }, { barcode: 'NUT-8' }],
    })
  })

  it('is taken where the barcode is none of its own', async () => {
    const { admin } = await companyWithAlias()
    const given: { reply?: ReturnType<typeof importRows> } = {}
    await holdingBarcodes(admin, async (give) => {
      given.reply = importRows(admin, [{ barcode: 'NEW-1' }])
      await untilItWaits()
      await give('NEW-2')
    })
    expect(await given.reply).toMatchObject({ status: 200, body: { created: 1 } })
  })
})

it.each([
  ['036000291452', ['036000291452', '0036000291452']],
  ['0036000291452', ['0036000291452', '036000291452']],
  ['000000000000', ['000000000000', '0000000000000']],
  ['4006381333931', ['4006381333931']],
  ['36000291452', ['36000291452']],
  ['00036000291452', ['00036000291452']],
  ['03600029145X', ['03600029145X']],
  ['036000 291452', ['036000 291452']],
  ['036000291452\n0', ['036000291452\n0']],
  ['٠٣٦٠٠٠٢٩١٤٥٢', ['٠٣٦٠٠٠٢٩١٤٥٢']],
  ['', ['']],
])('the database looks %j up as whoever scans it does', async (code, codes) => {
  expect(lookupCodes(code)).toEqual(codes)
  const { rows } = await app.owner.query('select upc_writings($1) as codes', [code])
  expect(rows).toEqual([{ codes }])
})
