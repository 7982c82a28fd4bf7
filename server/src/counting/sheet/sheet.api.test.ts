import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { dayIn } from '../../../test/days.ts'
import { decodeWithZxing, openPrinter, type Printer } from '../../../test/printer.ts'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../../test/test-app.ts'

let app: TestApp
let printer: Printer
const zone = zoneOfNoon()
beforeAll(async () => {
  app = await startTestApp()
  printer = await openPrinter()
})
afterAll(async () => {
  printer.close()
  await app.close()
})

const post = (person: Person, path: string, body: unknown) =>
  app.done({ path: `/api${path}`, token: person.token, body })

const ask = (person: Person, query: string) =>
  app.ask({ method: 'GET', path: `/api/components/count-sheet?${query}`, token: person.token })

/** The lines of text on all pages. */
async function linesOf(person: Person, query: string): Promise<string[]> {
  const { status, bytes } = await ask(person, query)
  expect(status).toBe(200)
  const pages = await printer.readTexts(bytes)
  return pages.flatMap((page) => page.split('\n').map((line) => line.trim()))
}

const skusOf = (lines: string[]) => lines.map((line) => /SKU-\d+/.exec(line)?.[0]).filter(Boolean)

/** A company with 111 of SKU-1 in bin A-10, 222 of SKU-2 in A-2, which is counted on Mondays, and 333 of SKU-3 in none. */
async function companyWithBins() {
  const admin = await makeCompany(app, { timeZone: zone })
  const staff = await makeStaff(app, admin)
  await post(admin, '/components/import', [
    { barcode: 'SKU-1', description: 'Bolt', primary_quantity: 111 },
    { barcode: 'SKU-2', description: '螺母 M8', primary_quantity: 222 },
    { barcode: 'SKU-3', primary_quantity: 333 },
  ])
  await post(admin, '/components/place', {
    location: 'PRIMARY',
    components: [
      { barcode: 'SKU-1', bin: 'A-10' },
      { barcode: 'SKU-2', bin: 'A-2' },
    ],
  })
  const assignments = { Monday: ['PRIMARY'] }
  await post(admin, '/components/configure-high-volume', { barcode: 'SKU-2', assignments })
  return { admin, staff }
}

it('names what is to be counted in the order in which people walk, and no stock', async () => {
  const { staff } = await companyWithBins()
  const lines = await linesOf(staff, 'location=PRIMARY')
  expect(skusOf(lines)).toEqual(['SKU-2', 'SKU-1', 'SKU-3'])
  const text = lines.join('\n')
  for (const words of ['Count sheet', 'Primary Warehouse', 'Monthly count', 'A-2', '螺母 M8', staff.name]) {
    expect(text).toContain(words)
  }
  expect(text).toContain('3 components not counted before this was printed')
  expect(text).not.toMatch(/111|222|333/)
})

it('has each code that fits as a barcode that a scanner reads', async () => {
  const { admin, staff } = await companyWithBins()
  const longest = 'ABCDEFGHIJKLMNOPQRSTUVWXY'
  await post(admin, '/components/import', [{ barcode: longest }, { barcode: `${longest}-AND-MORE` }])
  const { bytes } = await ask(staff, 'location=PRIMARY')
  const [page] = await printer.print(bytes, 300)
  expect(page).toBeDefined()
  const read = page === undefined ? [] : await decodeWithZxing(page)
  expect(read.toSorted()).toEqual([longest, 'SKU-1', 'SKU-2', 'SKU-3'])
  expect((await linesOf(staff, 'location=PRIMARY')).join('\n').split('Type this code')).toHaveLength(2)
})

it('leaves out what was counted, unless all is asked for', async () => {
  const { staff } = await companyWithBins()
  await post(staff, '/components/update-with-tracking', {
    barcode: 'SKU-2',
    quantity: 222,
    location: 'PRIMARY',
    session: 's',
    timestamp: new Date().toISOString(),
  })
  expect(skusOf(await linesOf(staff, 'location=PRIMARY'))).toEqual(['SKU-1', 'SKU-3'])
  expect(skusOf(await linesOf(staff, 'location=PRIMARY&components=all'))).toEqual(['SKU-2', 'SKU-1', 'SKU-3'])
})

it('of a cycle count leaves out what its record has, whatever was counted this month', async () => {
  const { admin } = await companyWithBins()
  const id = 'Cycle_2026-11_PRIMARY'
  const cycle = { id, location: 'PRIMARY', user_type: 'admin', progress: { 'SKU-1': 111 } }
  await post(admin, '/cycle-counts', cycle)
  const lines = await linesOf(admin, `location=PRIMARY&cycle=${id}`)
  expect(skusOf(lines)).toEqual(['SKU-2', 'SKU-3'])
  expect(lines.join('\n')).toContain('Cycle count, Cycle_2026-11_PRIMARY')
  const stranger = await makeCompany(app)
  await post(stranger, '/components/import', [{ barcode: 'SKU-1' }])
  expect(skusOf(await linesOf(stranger, `location=PRIMARY&cycle=${id}`))).toEqual(['SKU-1'])
})

it('is of the list of a day, where one is named', async () => {
  const { staff } = await companyWithBins()
  const lines = await linesOf(staff, 'location=PRIMARY&day=Monday&components=all')
  expect(skusOf(lines)).toEqual(['SKU-2'])
  expect(lines.join('\n')).toContain('Weekly count, Monday')
  const { status, body } = await ask(staff, 'location=PRIMARY&day=Tuesday')
  expect([status, body]).toMatchObject([404, { error: 'Nothing is to be counted here.' }])
})

it('is of some bins, or of what has none, where these are named', async () => {
  const { admin, staff } = await companyWithBins()
  const lines = await linesOf(staff, 'location=PRIMARY&bins=a-10, C')
  expect(skusOf(lines)).toEqual(['SKU-1'])
  expect(lines.join('\n')).toContain('Only bins a-10 and C')
  expect(lines.join('\n')).toContain('1 component not counted before this was printed')
  expect(skusOf(await linesOf(staff, 'location=PRIMARY&bins=A&components=all'))).toEqual(['SKU-2', 'SKU-1'])
  expect(skusOf(await linesOf(staff, 'location=PRIMARY&bins=A-2&no_bin=true'))).toEqual(['SKU-2', 'SKU-3'])
  const none = await linesOf(staff, 'location=PRIMARY&no_bin=true')
  expect(skusOf(none)).toEqual(['SKU-3'])
  expect(none.join('\n')).toContain('Only what has no bin')
  expect(skusOf(await linesOf(staff, 'location=PRIMARY&bins=A&day=Monday&components=all'))).toEqual(['SKU-2'])
  const nothing = { error: 'Nothing is to be counted here of bin A-1.' }
  for (const query of ['bins=A-1', 'bins=A-1&day=Monday']) {
    const { status, body } = await ask(staff, `location=PRIMARY&${query}`)
    expect([status, body]).toMatchObject([404, nothing])
  }
  const many = Array.from({ length: 51 }, (_, place) => `B${place}`).join(',')
  expect((await ask(staff, `location=PRIMARY&bins=${many}`)).body).toMatchObject({
    details: [{ path: 'bins', message: 'Name at most 50 bins.' }],
  })
  const { body } = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=5', token: admin.token })
  expect(body).toMatchObject({
    entries: [{ metadata: { list: 'count_sheet', bins: ['A'], day: 'Monday' } }, {}, {}, {}, {}],
  })
})

it('is of a spot count, of what is left of it or of all', async () => {
  const { admin, staff } = await companyWithBins()
  const asked = async (barcodes: string[], person: Person | null) => {
    const user = person === null ? null : person.userId
    const body = { location: 'PRIMARY', barcodes, user_id: user, due_on: dayIn(zone) }
    const reply = await app.done({ path: '/api/counting/spot-counts', token: admin.token, body })
    return z.object({ id: z.string() }).parse(reply.body).id
  }
  const ofSam = await asked(['SKU-1', 'SKU-2'], staff)
  const ofAll = await asked(['SKU-3'], null)
  const lines = await linesOf(staff, 'location=PRIMARY&spot_count=mine')
  expect(skusOf(lines)).toEqual(['SKU-2', 'SKU-1', 'SKU-3'])
  expect(lines.join('\n')).toContain('Spot count')
  expect(skusOf(await linesOf(staff, `location=PRIMARY&spot_count=${ofAll}`))).toEqual(['SKU-3'])
  expect(skusOf(await linesOf(admin, 'location=PRIMARY&spot_count=mine'))).toEqual(['SKU-3'])
  expect(skusOf(await linesOf(admin, `location=PRIMARY&spot_count=${ofSam}`))).toEqual(['SKU-2', 'SKU-1'])
  const olga = await makeStaff(app, admin, 'Olga Other')
  const stranger = await makeCompany(app)
  await post(stranger, '/components/import', [{ barcode: 'SKU-1', primary_quantity: 1 }])
  for (const person of [olga, stranger]) {
    expect((await ask(person, `location=PRIMARY&spot_count=${ofSam}`)).status).toBe(404)
  }
  await post(staff, '/components/update-with-tracking', {
    barcode: 'SKU-2',
    quantity: 222,
    location: 'PRIMARY',
    session: 's',
    timestamp: new Date().toISOString(),
  })
  const one = `location=PRIMARY&spot_count=${ofSam}`
  expect(skusOf(await linesOf(staff, one))).toEqual(['SKU-1'])
  expect(skusOf(await linesOf(staff, `${one}&components=all`))).toEqual(['SKU-2', 'SKU-1'])
  expect(skusOf(await linesOf(staff, `${one}&components=all&bins=A-10`))).toEqual(['SKU-1'])
  const { status, body } = await ask(staff, 'location=SECONDARY&spot_count=mine')
  expect([status, body]).toMatchObject([404, { error: 'Nothing is to be counted here.' }])
  expect((await ask(staff, 'location=PRIMARY&spot_count=hers')).status).toBe(400)
})

it('printed ahead for another day has all of its list, whatever was counted today', async () => {
  const { admin, staff } = await companyWithBins()
  const assignments = { Monday: ['PRIMARY'], Tuesday: ['PRIMARY'] }
  await post(admin, '/components/configure-high-volume', { barcode: 'SKU-2', assignments })
  const today = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: zone }).format(new Date())
  const [day, another] = today === 'Monday' ? ['Monday', 'Tuesday'] : ['Tuesday', 'Monday']
  await post(staff, '/components/update-with-tracking', {
    barcode: 'SKU-2',
    quantity: 222,
    location: 'PRIMARY',
    source: 'weekly',
    day,
    session: 's',
    timestamp: new Date().toISOString(),
  })
  const lines = await linesOf(staff, `location=PRIMARY&day=${another}`)
  expect(skusOf(lines)).toEqual(['SKU-2'])
  expect(lines.join('\n')).not.toContain('not counted before')
})

it('is made of the own company and of locations of its plan, and stands in the trail', async () => {
  const { admin } = await companyWithBins()
  const stranger = await makeCompany(app, { plan: 'starter' })
  expect((await ask(stranger, 'location=PRIMARY')).status).toBe(404)
  expect(await ask(stranger, 'location=SECONDARY')).toMatchObject({
    status: 403,
    body: { error: 'Your plan does not include this location.' },
  })
  await ask(admin, 'location=PRIMARY')
  const trail = await app.ask({
    method: 'GET',
    path: '/api/audit/trail?action=Configuration&limit=1',
    token: admin.token,
  })
  expect(trail.body).toMatchObject({
    entries: [{ location: 'PRIMARY', metadata: { event_type: 'list_exported', list: 'count_sheet' } }],
  })
})

it('is refused where there is more than anybody counts on paper', async () => {
  const admin = await makeCompany(app)
  const rows = Array.from({ length: 5_001 }, (_, index) => ({ barcode: `MANY-${index}` }))
  await post(admin, '/components/import', rows)
  const { status, body } = await ask(admin, 'location=PRIMARY')
  expect([status, body]).toMatchObject([
    400,
    {
      error:
        'A sheet holds 5,000 components at the most. Choose those not counted yet, or count on the screen.',
    },
  ])
  await post(admin, '/components/retire', { barcode: 'MANY-0' })
  const { bytes } = await ask(admin, 'location=PRIMARY')
  expect((await printer.readTexts(bytes)).length).toBeGreaterThan(100)
}, 60_000)
