import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const barcode = 'BOLT-8'

const post = (admin: Person, path: string, body: unknown) =>
  app.ask({ path: `/api${path}`, token: admin.token, body })

const get = async (admin: Person, path: string) =>
  (await app.ask({ method: 'GET', path: `/api${path}`, token: admin.token })).body

async function done(admin: Person, path: string, body: unknown): Promise<void> {
  await app.done({ path: `/api${path}`, token: admin.token, body })
}

const place = (admin: Person, row: { bin?: string; minimum?: number }) =>
  done(admin, '/components/place', { location: 'PRIMARY', components: [{ barcode, ...row }] })

const setCost = (admin: Person, unitCost: number) =>
  done(admin, '/components/set-costs', { components: [{ barcode, unit_cost: unitCost }] })

/** A company with 5 bolts in bin A-1, of which there should be 5, at 2.50 each. */
async function companyWithBolts(): Promise<Person> {
  const admin = await makeCompany(app)
  await done(admin, '/components/import', [{ barcode, description: 'Bolt', primary_quantity: 5 }])
  await place(admin, { bin: 'A-1', minimum: 5 })
  await setCost(admin, 2.5)
  return admin
}

const begun = z.object({ import: z.object({ id: z.string() }) })

type File = { fields: string[]; cells: string[]; retired?: 'leave_out' }

/** Takes a file with one line, about the bolts. */
async function taken(admin: Person, { fields, cells, ...choice }: File): Promise<string> {
  const named = { name: 'bolts.csv', fields: ['barcode', ...fields], ...choice }
  const { id } = begun.parse((await post(admin, '/imports', named)).body).import
  await post(admin, `/imports/${id}/rows`, { rows: [{ line: 2, cells: [barcode, ...cells] }] })
  expect((await post(admin, `/imports/${id}/commit`, {})).status).toBe(200)
  return id
}

const undo = (admin: Person, id: string) => post(admin, `/imports/${id}/undo`, {})

async function undone(admin: Person, id: string): Promise<void> {
  expect((await undo(admin, id)).body).toMatchObject({ import: { status: 'undone' } })
}

const found = z.object({
  components: z.tuple([
    z.object({
      description: z.string(),
      placements: z.array(
        z.object({ location: z.string(), bin: z.string(), minimum: z.nullable(z.number()) }),
      ),
    }),
  ]),
})
const detail = z.object({ administration: z.object({ unit_cost: z.number().nullable() }) })

async function placed(admin: Person) {
  const { components } = found.parse(await get(admin, '/components/search'))
  return components[0].placements.find(({ location }) => location === 'PRIMARY')
}

type Kind = {
  name: string
  field: string
  /** What it is at first, and what files and people make of it. */
  values: { first: string; second: string; third: string; fourth: string }
  say: (admin: Person, value: string) => Promise<void>
  read: (admin: Person) => Promise<string>
}

const kinds: Kind[] = [
  {
    name: 'description',
    field: 'description',
    values: { first: 'Bolt', second: 'Bolt M8', third: 'Bolt M10', fourth: 'Bolt M12' },
    say: (admin, description) => done(admin, '/components/describe', { barcode, description }),
    read: async (admin) => found.parse(await get(admin, '/components/search')).components[0].description,
  },
  {
    name: 'bin',
    field: 'primary_bin',
    values: { first: 'A-1', second: 'A-2', third: 'A-3', fourth: 'A-4' },
    say: (admin, bin) => place(admin, { bin }),
    read: async (admin) => (await placed(admin))?.bin ?? '',
  },
  {
    name: 'minimum',
    field: 'primary_minimum',
    values: { first: '5', second: '6', third: '7', fourth: '8' },
    say: (admin, minimum) => place(admin, { minimum: Number(minimum) }),
    read: async (admin) => `${(await placed(admin))?.minimum}`,
  },
  {
    name: 'unit cost',
    field: 'unit_cost',
    values: { first: '2.5', second: '3.5', third: '4.5', fourth: '5.5' },
    say: (admin, cost) => setCost(admin, Number(cost)),
    read: async (admin) =>
      `${detail.parse(await get(admin, `/components/detail?barcode=${barcode}`)).administration.unit_cost}`,
  },
]

describe.each(kinds.map((kind) => [kind.name, kind] as const))('a file that gave a %s', (_, kind) => {
  const { field, values, say, read } = kind
  const { first, second, third, fourth } = values
  const take = (admin: Person, cell: string) => taken(admin, { fields: [field], cells: [cell] })
  /** Takes a file that has the column, and in it nothing. */
  const takeEmpty = (admin: Person) => taken(admin, { fields: [field, 'secondary_bin'], cells: ['', 'Z-9'] })

  it('leaves what somebody has said again since, once it is undone', async () => {
    const admin = await companyWithBolts()
    const file = await take(admin, second)
    await say(admin, third)
    await say(admin, second)
    await undone(admin, file)
    expect(await read(admin)).toBe(second)
  })

  it('gives back what there was before it, where somebody said the same before the file', async () => {
    const admin = await companyWithBolts()
    await say(admin, second)
    await say(admin, first)
    const file = await take(admin, second)
    await undone(admin, file)
    expect(await read(admin)).toBe(first)
  })

  it('leaves what somebody has said again before a newer file, also once both are undone', async () => {
    const admin = await companyWithBolts()
    const older = await take(admin, second)
    await say(admin, third)
    await say(admin, second)
    const newer = await take(admin, fourth)
    await undone(admin, older)
    expect(await read(admin)).toBe(fourth)
    await undone(admin, newer)
    expect(await read(admin)).toBe(second)
  })

  it('and a newer one leave what there was before both, whichever is undone first', async () => {
    const admin = await companyWithBolts()
    const older = await take(admin, second)
    const newer = await take(admin, third)
    await undone(admin, older)
    expect(await read(admin)).toBe(third)
    await undone(admin, newer)
    expect(await read(admin)).toBe(first)
  })

  it.each([
    ['the newest one first', [2, 1, 0], [third, second, first]],
    ['the oldest one first', [0, 1, 2], [fourth, fourth, first]],
    ['the one between first', [1, 0, 2], [fourth, fourth, first]],
    ['the one between first, and then the newest', [1, 2, 0], [fourth, second, first]],
    ['the oldest one first, and then the newest', [0, 2, 1], [fourth, third, first]],
  ])('and two newer ones go back to what there was before them, %s', async (_, order, then) => {
    const admin = await companyWithBolts()
    const files: string[] = []
    for (const value of [second, third, fourth]) files.push(await take(admin, value))
    const seen: string[] = []
    for (const at of order) {
      await undone(admin, files[at] ?? '')
      seen.push(await read(admin))
    }
    expect(seen).toEqual(then)
  })

  it('and a newer one that gave the same leave what there was before both, whichever is undone first', async () => {
    const admin = await companyWithBolts()
    const older = await take(admin, second)
    const newer = await take(admin, second)
    await undone(admin, older)
    expect(await read(admin)).toBe(second)
    await undone(admin, newer)
    expect(await read(admin)).toBe(first)
  })

  it('and a newer one leave what somebody said after both', async () => {
    const admin = await companyWithBolts()
    const older = await take(admin, second)
    const newer = await take(admin, third)
    await undone(admin, older)
    await say(admin, second)
    await undone(admin, newer)
    expect(await read(admin)).toBe(second)
  })

  it('is undone although a newer one has that column, with an empty cell', async () => {
    const admin = await companyWithBolts()
    const older = await take(admin, second)
    const newer = await takeEmpty(admin)
    await undone(admin, older)
    expect(await read(admin)).toBe(first)
    await undone(admin, newer)
    expect(await read(admin)).toBe(first)
  })

  it('stands where a newer one with an empty cell in that column is undone, and is undone afterwards', async () => {
    const admin = await companyWithBolts()
    const older = await take(admin, second)
    const newer = await takeEmpty(admin)
    expect(await read(admin)).toBe(second)
    await undone(admin, newer)
    expect(await read(admin)).toBe(second)
    await undone(admin, older)
    expect(await read(admin)).toBe(first)
  })

  it('leaves what a newer one of a version without notes of its cells may have given as well', async () => {
    const admin = await companyWithBolts()
    const older = await take(admin, second)
    const newer = await take(admin, second)
    await app.owner.query('update import_confirmed set fields = null where tenant_id = $1', [admin.tenantId])
    await undone(admin, older)
    expect(await read(admin)).toBe(second)
    await undone(admin, newer)
    expect(await read(admin)).toBe(first)
  })
})

describe('a file that gave a description', () => {
  const take = (admin: Person, description: string, choice: { retired?: 'leave_out' } = {}) =>
    taken(admin, { fields: ['description'], cells: [description], ...choice })
  const described = async (admin: Person) =>
    found.parse(await get(admin, '/components/search')).components[0].description

  it('leaves what another program has said again since, once it is undone', async () => {
    const admin = await companyWithBolts()
    const file = await take(admin, 'Bolt M8')
    for (const description of ['Bolt M10', 'Bolt M8']) {
      await done(admin, '/components/import', [{ barcode, description }])
    }
    await undone(admin, file)
    expect(await described(admin)).toBe('Bolt M8')
  })

  it('is undone although a newer one named the component, which was retired and left out', async () => {
    const admin = await companyWithBolts()
    await done(admin, '/components/update-quantity', { barcode, quantity: 0, location: 'PRIMARY' })
    const file = await take(admin, 'Bolt M8')
    await done(admin, '/components/retire', { barcode })
    await take(admin, 'Bolt M8', { retired: 'leave_out' })
    await done(admin, '/components/reinstate', { barcode })
    await undone(admin, file)
    expect(await described(admin)).toBe('Bolt')
  })
})

describe('a file that gave a bin and a minimum', () => {
  it('leaves each of them to the newer one that gave it as well, and both go back', async () => {
    const admin = await companyWithBolts()
    const fields = ['primary_bin', 'primary_minimum']
    const both = await taken(admin, { fields, cells: ['A-2', '6'] })
    const ofBins = await taken(admin, { fields, cells: ['A-3', ''] })
    const ofMinimums = await taken(admin, { fields, cells: ['', '6'] })
    await undone(admin, both)
    expect(await placed(admin)).toMatchObject({ bin: 'A-3', minimum: 6 })
    await undone(admin, ofMinimums)
    expect(await placed(admin)).toMatchObject({ bin: 'A-3', minimum: 5 })
    await undone(admin, ofBins)
    expect(await placed(admin)).toMatchObject({ bin: 'A-1', minimum: 5 })
  })

  it('leaves what somebody has said again of one of them, and gives back the other', async () => {
    const admin = await companyWithBolts()
    const file = await taken(admin, { fields: ['primary_bin', 'primary_minimum'], cells: ['A-2', '6'] })
    for (const bin of ['A-3', 'A-2']) await place(admin, { bin })
    await undone(admin, file)
    expect(await placed(admin)).toMatchObject({ bin: 'A-2', minimum: 5 })
  })
})

describe('a file that gave stock', () => {
  const fields = ['primary_quantity', 'secondary_quantity']
  const take = (admin: Person, ...cells: string[]) => taken(admin, { fields, cells })
  const stock = async (admin: Person) => await get(admin, '/components')

  it('is not undone where somebody has corrected the stock to the same since, which stays', async () => {
    const admin = await companyWithBolts()
    const file = await take(admin, '6')
    for (const quantity of [7, 6]) {
      await done(admin, '/components/update-quantity', { barcode, quantity, location: 'PRIMARY' })
    }
    expect((await undo(admin, file)).body).toMatchObject({
      code: 'import_in_use',
      error:
        'This import cannot be undone: the stock of BOLT-8 has moved since. Correct what is wrong by hand, or import a corrected file.',
    })
    expect(await stock(admin)).toMatchObject({ components: [{ primary_quantity: 6 }] })
  })

  it('is not undone before a newer one, and both leave what there was before them', async () => {
    const admin = await companyWithBolts()
    const older = await take(admin, '6')
    const newer = await take(admin, '7')
    expect((await undo(admin, older)).status).toBe(409)
    expect(await stock(admin)).toMatchObject({ components: [{ primary_quantity: 7 }] })
    await undone(admin, newer)
    expect(await stock(admin)).toMatchObject({ components: [{ primary_quantity: 6 }] })
    await undone(admin, older)
    expect(await stock(admin)).toMatchObject({ components: [{ primary_quantity: 5 }] })
  })

  it('is undone although a newer one has that column, with an empty cell', async () => {
    const admin = await companyWithBolts()
    const older = await take(admin, '6')
    const newer = await take(admin, '', '3')
    await undone(admin, older)
    expect(await stock(admin)).toMatchObject({
      components: [{ primary_quantity: 5, secondary_quantity: 3 }],
    })
    await undone(admin, newer)
    expect(await stock(admin)).toMatchObject({
      components: [{ primary_quantity: 5, secondary_quantity: 0 }],
    })
  })

  it('stands where a newer one with an empty cell in that column is undone', async () => {
    const admin = await companyWithBolts()
    await take(admin, '6')
    await undone(admin, await take(admin, '', '3'))
    expect(await stock(admin)).toMatchObject({
      components: [{ primary_quantity: 6, secondary_quantity: 0 }],
    })
  })
})
