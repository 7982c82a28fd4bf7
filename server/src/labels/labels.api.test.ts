import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeWithZxing, openPrinter } from '../../test/printer.ts'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const item = (barcode: string) => ({ id: barcode, barcode, description: 'Bolt', quantity: 3 })

function print(person: Person, part: Record<string, unknown> = {}, key?: string) {
  return app.ask({
    path: '/api/generate-labels',
    token: person.token,
    ...(key === undefined ? {} : { key }),
    body: {
      components: [item('A-1')],
      includeId: true,
      labelSize: { width: 4, height: 1.5 },
      location: 'PRIMARY',
      ...part,
    },
  })
}

async function labelsUsed(person: Person): Promise<number> {
  const { rows } = await app.owner.query<{ used: number }>(
    'select coalesce(sum(used), 0)::integer as used from label_usage where tenant_id = $1',
    [person.tenantId],
  )
  return rows[0]?.used ?? -1
}

/** The fonts that a PDF brings, which lie in compressed streams of objects. */
function fontsIn(pdf: Buffer): string[] {
  const streams = pdf.toString('latin1').matchAll(/\/Type\/ObjStm[^]*?stream\n([^]*?)\nendstream/g)
  return Array.from(streams, ([, packed = '']) =>
    inflateSync(Buffer.from(packed, 'latin1')).toString('latin1'),
  ).flatMap((objects) =>
    Array.from(objects.matchAll(/\/FontName\/[A-Z]{6}\+([\w-]+)/g), ([, name = '']) => name),
  )
}

describe('a label job', () => {
  it('answers with a PDF under the specified name', async () => {
    const admin = await makeCompany(app)
    const { status, headers, bytes } = await print(admin, { components: [item('A-1'), item('A-2')] })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/pdf')
    const today = new Date().toISOString().slice(0, 10)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="labels_PRIMARY_${today}.pdf"`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(bytes.subarray(-6).toString()).toContain('%%EOF')
  })

  it('for chosen components is named so', async () => {
    const admin = await makeCompany(app)
    const { headers } = await print(admin, { selected: true })
    expect(headers.get('content-disposition')).toContain('selected_labels_PRIMARY_')
  })

  it('for a location that the plan does not include is refused, and uses nothing', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const { status, body } = await print(admin, { location: 'SECONDARY' })
    expect([status, body]).toMatchObject([403, { error: 'Your plan does not include this location.' }])
    expect(await labelsUsed(admin)).toBe(0)
  })

  it('uses one label for each line, times the copies, and is recorded', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    await print(staff, { components: [item('A-1'), item('A-2')], copies: 3 })
    expect(await labelsUsed(admin)).toBe(6)
    const { body } = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?action=Label',
      token: admin.token,
    })
    expect(body).toMatchObject({
      total: 1,
      entries: [{ kind: 'label_generation', sku: 'LABEL_GENERATED', quantity: 6, user_name: 'Sam Staff' }],
    })
  })

  it('prints as many labels of a component as it has copies of its own, and those of each of the others', async () => {
    const admin = await makeCompany(app)
    const rows = [{ barcode: 'A-1' }, { barcode: 'A-2' }]
    await app.done({ path: '/api/components/import', token: admin.token, body: rows })
    const components = [{ ...item('A-1'), copies: 5 }, item('A-2')]
    const { bytes } = await print(admin, { components, copies: 2, format: 'zpl' })
    expect(Array.from(bytes.toString().matchAll(/\^PQ(\d+)/g), ([, copies]) => copies)).toEqual(['5', '2'])
    const pdf = await print(admin, { components, copies: 2 })
    expect(pdf.bytes.toString('latin1')).toContain('%Labels: 7')
    expect(await labelsUsed(admin)).toBe(14)
    for (const [barcode, copies] of [
      ['A-1', 5],
      ['A-2', 2],
    ] as const) {
      const path = `/api/components/labels?barcode=${barcode}`
      const { body } = await app.ask({ method: 'GET', path, token: admin.token })
      expect(body).toMatchObject({ labels: [{ copies }, { copies }] })
    }
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?action=Label', token: admin.token })
    expect(trail.body).toMatchObject({
      entries: [{ quantity: 7, metadata: { labels: 7, components: 2, copies: [2, 5] } }, {}],
    })
  })

  it('sent twice with the same key is charged once and answers with the labels again', async () => {
    const admin = await makeCompany(app)
    const replies = await Promise.all([1, 2, 3].map(() => print(admin, {}, 'job-1')))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await labelsUsed(admin)).toBe(1)
    const other = await print(admin, { components: [item('B-1')] }, 'job-1')
    expect([other.status, other.body]).toMatchObject([422, { code: 'key_reused' }])
  })
})

describe('the labels of a plan', () => {
  it('are never passed, also when many jobs ask for the last ones at once', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const job = Array.from({ length: 60 }, (_, index) => item(`A-${index}`))
    const replies = await Promise.all(Array.from({ length: 12 }, () => print(admin, { components: job })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(8)
    expect(await labelsUsed(admin)).toBe(480)
    const refused = replies.find(({ status }) => status === 402)
    expect(refused?.body).toMatchObject({ code: 'label_limit' })
    expect(refused?.body).toMatchObject({
      error: expect.stringMatching(
        /^The Starter plan includes 500 labels a month\. 480 are used and these would be 60 more\. The count starts again on \d{4}-\d\d-01\.$/,
      ),
    })
  })
})

describe('a label job is refused whole, and nothing is charged', () => {
  it.each([
    [{ components: [] }, 400, 'Give at least one component.'],
    [{ labelSize: { width: 5, height: 5 } }, 400, 'Label sizes are 4 x 1.5, 3 x 1 and 2 x 1 inches.'],
    [{ components: [item('A-1'), item('x'.repeat(32))] }, 400, 'Some labels cannot be printed.'],
    [{ components: [item('Größe')] }, 400, 'Some labels cannot be printed.'],
    [{ components: [item('A')], copies: 101 }, 400, 'copies must be at most 100.'],
    [
      { components: [{ ...item('A'), copies: 0 }] },
      400,
      'Copies of one component are a whole number from 1 to 100.',
    ],
    [
      { page: '4x6', first: 5 },
      400,
      'The first free position is 5, but the page has 4 for labels of this size.',
    ],
    [
      { page: '4x6', margins: { left: 1, top: 0, columnGap: 0, rowGap: 0 } },
      400,
      'No label of this size fits on the page with these margins.',
    ],
    [{ dpi: 600 }, 400, 'dpi must be one of: 203, 300.'],
  ])('with %j', async (part, expected, sentence) => {
    const admin = await makeCompany(app)
    const { status, body } = await print(admin, part)
    expect([status, body]).toMatchObject([expected, { error: sentence }])
    expect(await labelsUsed(admin)).toBe(0)
  })

  it('with more labels than one file holds', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const components = Array.from({ length: 101 }, (_, place) => item(`M-${place}`))
    const { status, body } = await print(admin, { components, copies: 100 })
    const sentence = 'Too many labels: 10,100. The limit is 10,000 in one file.'
    expect([status, body]).toMatchObject([400, { error: sentence }])
    expect(await labelsUsed(admin)).toBe(0)
  })

  it('with each offender named', async () => {
    const admin = await makeCompany(app)
    const { body } = await print(admin, { components: [item('A-1'), item('x'.repeat(32)), item('Größe')] })
    expect(body).toMatchObject({
      details: [{ path: 'components.1.barcode' }, { path: 'components.2.barcode' }],
    })
  })
})

describe('a label job', () => {
  it('can be ZPL', async () => {
    const admin = await makeCompany(app)
    const { headers, bytes } = await print(admin, { format: 'zpl', copies: 2 })
    expect(headers.get('content-type')).toBe('application/zpl')
    expect(headers.get('content-disposition')).toMatch(/filename="labels_PRIMARY_[\d-]+\.zpl"$/)
    expect(bytes.toString()).toMatch(/^\^XA[^]*\^PQ2\^XZ\n$/)
    expect(await labelsUsed(admin)).toBe(2)
  })

  it('takes as many components as one import, with descriptions as long as theirs', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const description = 'A part with much to say '.repeat(20).trim()
    const components = Array.from({ length: 10_000 }, (_, n) => ({ ...item(`A-${n}`), description }))
    const { status, bytes } = await print(admin, { components, format: 'zpl' })
    expect([status, bytes.toString().match(/\^XZ/g)?.length]).toEqual([200, 10_000])
  })

  it('has the font that its ID needs, though no description does', async () => {
    const admin = await makeCompany(app)
    const { bytes } = await print(admin, { components: [{ ...item('A-1'), id: '볼트-1' }] })
    expect(fontsIn(bytes)).toContain('NotoSansKRThin-Regular')
  })

  it('can be QR codes of barcodes that are too long for bars', async () => {
    const admin = await makeCompany(app)
    const components = [item('x'.repeat(48))]
    expect((await print(admin, { components })).status).toBe(400)
    expect((await print(admin, { components, symbology: 'qr', page: 'letter' })).status).toBe(200)
    expect((await print(admin, { components: [item('ä')], symbology: 'qr' })).status).toBe(400)
  })

  it('says how many labels it has, and how many are made, as it goes', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    const components = Array.from({ length: 3000 }, (_, place) => item(`SKU-${place}`))
    const { headers, bytes } = await print(admin, { components })
    expect(headers.get('x-labels')).toBe('3000')
    const made = Array.from(bytes.toString('latin1').matchAll(/^%Labels: (\d+)$/gm), ([, count]) =>
      Number(count),
    )
    expect(made.length).toBeGreaterThan(3)
    expect(made).toEqual(made.toSorted((a, b) => a - b))
    expect(made.at(-1)).toBe(3000)
  })
})

describe('the components ever labelled', () => {
  const labelled = async (person: Person) => {
    const { body } = await app.ask({ method: 'GET', path: '/api/labels/labelled', token: person.token })
    return Object(body).components
  }
  const add = (person: Person, rows: unknown) =>
    app.ask({ path: '/api/components/import', token: person.token, body: rows })

  it('are told with the time of their last label, and whether it still says what it should', async () => {
    const admin = await makeCompany(app)
    const other = await makeCompany(app)
    await add(admin, [
      { barcode: 'A-1', description: 'Bolt' },
      { barcode: 'A-2', description: 'Bolt' },
      { barcode: 'A-3', description: 'Bolt' },
    ])
    await add(other, [{ barcode: 'A-1', description: 'Bolt' }])
    expect(await labelled(admin)).toEqual([])
    await print(admin, { components: [item('A-1'), item('A-2'), item('NOT-KNOWN')] })
    expect(await labelled(admin)).toMatchObject([{ current: true }, { current: true }])
    expect(await labelled(other)).toEqual([])
    await add(admin, [{ barcode: 'A-2', description: 'Bolt M8' }])
    const changed = await labelled(admin)
    expect(changed).toMatchObject([{ current: true }, { current: false }])
    const { rows } = await app.owner.query(
      'select component_id as id, labelled_at from labelled_components where tenant_id = $1 order by component_id',
      [admin.tenantId],
    )
    const stored = rows.map(({ id, labelled_at: at }) => ({ id, last_labelled_at: at.toISOString() }))
    expect(changed).toEqual([
      { ...stored[0], current: true },
      { ...stored[1], current: false },
    ])
    await print(admin, { components: [{ ...item('A-2'), description: 'Bolt M8' }] })
    const again = await labelled(admin)
    expect(again).toMatchObject([{ current: true }, { current: true }])
    expect(again[1].last_labelled_at > changed[1].last_labelled_at).toBe(true)
  })

  it('are logged when they are printed again: how many, and which kind', async () => {
    const admin = await makeCompany(app)
    await add(admin, [{ barcode: 'A-1', description: 'Bolt' }])
    await print(admin)
    await print(admin, { components: [item('A-1'), item('B-1')], copies: 2, page: 'a4', dpi: 300 })
    const { rows } = await app.owner.query(
      `select quantity, metadata from audit_entries where tenant_id = $1 and event = 'labels_generated' order by id`,
      [admin.tenantId],
    )
    expect(rows).toMatchObject([
      { quantity: 1, metadata: { components: 1, reprinted: 0, page: 'roll', symbology: 'code128' } },
      {
        quantity: 4,
        metadata: { components: 2, reprinted: 1, copies: 2, page: 'a4', size: '4x1.5', dpi: 300 },
      },
    ])
  })
})

describe('pages that are no labels of components', () => {
  it.each(['/api/labels/calibration-page', '/api/labels/command-sheet'])('%s use no labels', async (path) => {
    const admin = await makeCompany(app)
    const { status, bytes } = await app.ask({ path, token: admin.token, body: { page: 'letter' } })
    expect([status, bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    expect(await labelsUsed(admin)).toBe(0)
  })

  it('hold commands only where their codes fit', async () => {
    const admin = await makeCompany(app)
    const body = { labelSize: { width: 2, height: 1 } }
    const ask = (symbology: string) =>
      app.ask({ path: '/api/labels/command-sheet', token: admin.token, body: { ...body, symbology } })
    expect((await ask('code128')).status).toBe(400)
    expect((await ask('qr')).status).toBe(200)
  })

  it('hold commands from the first free position on', async () => {
    const admin = await makeCompany(app)
    const path = '/api/labels/command-sheet'
    const printer = await openPrinter()
    const codesFrom = async (first: number) => {
      const body = { page: 'letter', first, symbology: 'qr' }
      const { bytes } = await app.ask({ path, token: admin.token, body })
      const pages = await printer.print(bytes)
      return await Promise.all(
        pages.map(async (page) => (await decodeWithZxing(page, ['QRCode'])).toSorted()),
      )
    }
    const all = [
      'IM:LOC:FULFILLMENT',
      'IM:LOC:PRIMARY',
      'IM:LOC:SECONDARY',
      'IM:NEXT',
      'IM:SUBMIT',
      'IM:UNDO',
      'IM:X10',
    ]
    expect(await codesFrom(1)).toEqual([all])
    // The last place of the sheet, and another one.
    expect(await codesFrom(14)).toEqual([['IM:UNDO'], all.filter((code) => code !== 'IM:UNDO')])
    printer.close()
    const { status, body } = await app.ask({ path, token: admin.token, body: { page: 'letter', first: 99 } })
    expect([status, Object(body).error]).toEqual([
      400,
      'The first free position is 99, but the page has 14 for labels of this size.',
    ])
  })

  describe('and hold bins', () => {
    const path = '/api/labels/bins'

    /** At the primary location A-1 lies in in a-2, A-3 in a-10, A-4 in Kühlraum, and A-5 in none. */
    async function companyWithBins() {
      const admin = await makeCompany(app)
      const staff = await makeStaff(app, admin)
      const bins = { 'A-1': 'A-10', 'A-2': 'a-2', 'A-3': 'a-10', 'A-4': 'Kühlraum' }
      const rows = [...Object.keys(bins), 'A-5'].map((barcode) => ({ barcode }))
      await app.done({ path: '/api/components/import', token: admin.token, body: rows })
      const components = Object.entries(bins).map(([barcode, bin]) => ({ barcode, bin }))
      await app.done({
        path: '/api/components/place',
        token: admin.token,
        body: { location: 'PRIMARY', components },
      })
      return { admin, staff }
    }

    const askFor = ({ token }: Person, body: object) =>
      app.ask({ path, token, body: { location: 'PRIMARY', page: 'letter', ...body } })

    it('that something lies in, each once and as people walk, with their location, and use no labels', async () => {
      const { admin, staff } = await companyWithBins()
      const printer = await openPrinter()
      const { status, bytes, headers } = await askFor(staff, { bins: ['a'] })
      expect(status).toBe(200)
      expect(headers.get('content-disposition')).toContain('bin_labels_PRIMARY.pdf')
      const [page] = await printer.print(bytes)
      const codes = page === undefined ? [] : await decodeWithZxing(page)
      expect(codes.map((code) => code.toLowerCase()).toSorted()).toEqual(['a-10', 'a-2'])
      const [text] = await printer.readTexts(bytes)
      expect(text?.split('Primary Warehouse')).toHaveLength(3)
      printer.close()
      expect(await labelsUsed(admin)).toBe(0)
      const zpl = (await askFor(staff, { bins: ['a'], format: 'zpl', page: 'roll' })).bytes.toString()
      expect(zpl.split('^XZ')).toHaveLength(3)
      expect(zpl).toMatch(/\^XA[^]*\^XA[^]*\^FXLabels: 2\^FS[^]*\^XZ\n$/)
      expect(zpl.indexOf('a-2')).toBeLessThan(zpl.toLowerCase().indexOf('a-10'))
      const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=1', token: admin.token })
      expect(trail.body).toMatchObject({
        entries: [
          { location: 'PRIMARY', metadata: { list: 'bin_labels', labels: 2, format: 'zpl', bins: ['a'] } },
        ],
      })
    })

    it('which such labels can hold, and leave the others out only where that is asked', async () => {
      const { staff } = await companyWithBins()
      const refused = await askFor(staff, {})
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { code: 'labels_refused', details: [{ message: expect.stringContaining('Kühlraum') }] },
      ])
      expect((await askFor(staff, { unprintable: 'leave_out' })).status).toBe(200)
      const none = await askFor(staff, { bins: ['Kühlraum'], unprintable: 'leave_out' })
      expect([none.status, none.body]).toMatchObject([400, { code: 'labels_refused' }])
    })

    it('of new shelves, where nothing lies yet, only where that is asked', async () => {
      const { admin, staff } = await companyWithBins()
      const refused = await askFor(staff, { bins: ['', 'a', 'C', 'D-1'] })
      expect([refused.status, refused.body]).toMatchObject([
        404,
        {
          code: 'not_found',
          error: 'Nothing lies in bins C and D-1 here.',
          details: [
            { path: 'bins.2', message: 'Nothing lies in bin C here.' },
            { path: 'bins.3', message: 'Nothing lies in bin D-1 here.' },
          ],
        },
      ])
      const zplOf = async (body: object) => {
        const { bytes } = await askFor(staff, { format: 'zpl', page: 'roll', ...body })
        return Array.from(bytes.toString().matchAll(/\^FD(.*)\^FS/g), ([, line]) => line).filter(
          (line) => line !== 'Primary Warehouse',
        )
      }
      const bins = ['C', 'a-10', 'c']
      expect(await zplOf({ bins, unknown: 'print' })).toEqual([expect.stringMatching(/^a-10$/i), 'C'])
      expect(await zplOf({ bins, unknown: 'leave_out' })).toEqual([expect.stringMatching(/^a-10$/i)])
      const none = await askFor(staff, { bins: ['C'], unknown: 'leave_out' })
      expect([none.status, Object(none.body).error]).toEqual([404, 'Nothing lies in bin C here.'])
      const bad = await askFor(staff, { bins: ['Café'], unknown: 'print' })
      expect([bad.status, bad.body]).toMatchObject([400, { code: 'labels_refused' }])
      expect((await askFor(staff, { bins: ['x'.repeat(41)], unknown: 'print' })).status).toBe(400)
      expect(await labelsUsed(admin)).toBe(0)
    })

    it('of the own company, of locations of the plan, and of components in use', async () => {
      const { admin, staff } = await companyWithBins()
      const errorOf = async (person: Person, body: object) => (await askFor(person, body)).body
      expect(await errorOf(staff, { bins: ['B', '', 'C'] })).toMatchObject({
        error: 'Nothing lies in bins B and C here.',
      })
      expect(await errorOf(staff, { location: 'SECONDARY' })).toMatchObject({
        code: 'not_found',
        error: 'Nothing lies in a bin here.',
      })
      expect(await errorOf(staff, { location: 'DISTRIBUTION' })).toMatchObject({
        code: 'location_not_in_plan',
      })
      expect(await errorOf(await makeCompany(app), {})).toMatchObject({ code: 'not_found' })
      await app.done({ path: '/api/components/retire', token: admin.token, body: { barcode: 'A-2' } })
      expect(await errorOf(staff, { bins: ['A-2'] })).toMatchObject({
        error: 'Nothing lies in bin A-2 here.',
      })
    })
  })

  it('are not shown to somebody signed out, nor are symbols', async () => {
    const path = '/api/labels/symbol?symbology=qr&barcode=A1'
    expect((await app.ask({ method: 'GET', path })).status).toBe(401)
    const admin = await makeCompany(app)
    const { body } = await app.ask({ method: 'GET', path, token: admin.token })
    expect(Object(body).rows).toHaveLength(21)
    expect(Object(body).quiet).toBe(4)
  })
})
