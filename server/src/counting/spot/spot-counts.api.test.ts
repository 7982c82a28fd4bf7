import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dayIn } from '../../../test/days.ts'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const post = ({ token }: Person, path: string, body: unknown) =>
  app.done({ path: `/api/${path}`, token, body })

/** A company with ten each of four SKUs at Primary and Secondary, and no bin but A-1's. */
async function companyWithStock() {
  const timeZone = zoneOfNoon()
  const admin = await makeCompany(app, { timeZone })
  const rows = ['A-1', 'A-2', 'A-3', 'A-4'].map((barcode) => ({
    barcode,
    description: `Part ${barcode}`,
    primary_quantity: 10,
    secondary_quantity: 10,
  }))
  await post(admin, 'components/import', rows)
  await post(admin, 'components/place', {
    location: 'PRIMARY',
    components: [{ barcode: 'A-1', bin: 'R-7' }],
  })
  return { admin, staff: await makeStaff(app, admin), today: dayIn(timeZone), timeZone }
}

const path = '/api/counting/spot-counts'

type Asking = { barcodes: readonly string[]; due: string; location?: string; userId?: string | null }

const ask = ({ token }: Person, { barcodes, due, location = 'PRIMARY', userId }: Asking, key?: string) =>
  app.ask({
    path,
    token,
    body: { location, barcodes, due_on: due, user_id: userId },
    ...(key === undefined ? {} : { key }),
  })

const made = z.object({ id: z.uuid() })

async function asked(by: Person, asking: Asking): Promise<string> {
  const reply = await ask(by, asking)
  expect(reply.status).toBe(200)
  return made.parse(reply.body).id
}

const takeBack = ({ token }: Person, id: string) =>
  app.ask({ method: 'DELETE', path: `${path}/${id}`, token })

const list = async ({ token }: Person) => (await app.ask({ method: 'GET', path, token })).body

const skus = async ({ token }: Person, location = 'PRIMARY') =>
  (await app.ask({ method: 'GET', path: `/api/counting/spot-skus?location=${location}`, token })).body

type Counted = { quantity?: number; location?: string; at?: Date; key?: string }

const count = (
  { token }: Person,
  barcode: string,
  { quantity = 10, location = 'PRIMARY', at = new Date(), key }: Counted = {},
) =>
  app.done({
    path: '/api/components/update-with-tracking',
    token,
    body: { barcode, quantity, location, session: 's', timestamp: at.toISOString() },
    ...(key === undefined ? {} : { key }),
  })

const found = z.object({ discrepancies: z.array(z.object({ id: z.string() })) })

async function differences({ token }: Person): Promise<string[]> {
  const { body } = await app.ask({ method: 'GET', path: '/api/discrepancies', token })
  return found.parse(body).discrepancies.map(({ id }) => id)
}

/** As it stands when days have passed. */
const daysPass = (id: string, days: number) =>
  app.owner.query('update spot_counts set due_on = due_on - $2::integer where id = $1', [id, days])

const suggest = ({ token }: Person, query = 'location=PRIMARY&minutes=45&people=2') =>
  app.ask({ method: 'GET', path: `/api/counting/spot-suggestions?${query}`, token })

const named = z.object({ suggestions: z.array(z.object({ barcode: z.string() })) })

async function suggested(admin: Person, query?: string): Promise<string[]> {
  const { body } = await suggest(admin, query)
  return named.parse(body).suggestions.map(({ barcode }) => barcode)
}

describe('a spot count', () => {
  it('is of some SKUs of a location, for somebody or for whoever counts there', async () => {
    const { admin, staff, today } = await companyWithStock()
    const olga = await makeStaff(app, admin, 'Olga Other')
    const ofAll = await asked(admin, { barcodes: ['A-2', 'A-1'], due: today })
    const ofOlga = await asked(admin, { barcodes: ['A-3'], due: dayIn(zoneOfNoon(), 1), userId: olga.userId })
    const instant: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const origin = { created_by: admin.name, created_at: instant, schedule_id: null }
    const common = { location: 'PRIMARY', ...origin, counted: 0 }
    const whoever = {
      ...common,
      id: ofAll,
      user_id: null,
      user_name: null,
      due_on: today,
      total: 2,
      first_skus: ['A-1', 'A-2'],
    }
    const olgas = {
      ...common,
      id: ofOlga,
      user_id: olga.userId,
      user_name: 'Olga Other',
      total: 1,
      first_skus: ['A-3'],
    }
    const both = [
      { ...whoever, overdue: false },
      { ...olgas, due_on: dayIn(zoneOfNoon(), 1), overdue: false },
    ]
    expect(await list(admin)).toEqual({ spot_counts: both })
    expect(await list(olga)).toEqual({ spot_counts: both })
    expect(await list(staff)).toEqual({ spot_counts: [both[0]] })
    expect(await skus(staff)).toEqual({
      skus: ['A-1', 'A-2'].map((barcode) => ({ barcode, asked_at: instant, due_on: today })),
    })
    expect(await skus(olga)).toMatchObject({
      skus: [{ barcode: 'A-1' }, { barcode: 'A-2' }, { barcode: 'A-3' }],
    })
    expect(await skus(staff, 'SECONDARY')).toEqual({ skus: [] })
  })

  it('is done by counts since it was asked for, by whomever, at that location', async () => {
    const { admin, staff, today } = await companyWithStock()
    await count(staff, 'A-1')
    await count(staff, 'A-4')
    const id = await asked(admin, { barcodes: ['A-1', 'A-2', 'A-3'], due: today })
    expect(await list(staff)).toMatchObject({ spot_counts: [{ id, counted: 0, total: 3 }] })
    await count(admin, 'A-1')
    await count(staff, 'A-2', { location: 'SECONDARY' })
    // What a device delivers late was counted before anybody asked.
    await count(staff, 'A-3', { at: new Date(Date.now() - 60_000) })
    expect(await list(staff)).toMatchObject({ spot_counts: [{ counted: 1, total: 3 }] })
    expect(await skus(staff)).toMatchObject({ skus: [{ barcode: 'A-2' }, { barcode: 'A-3' }] })
    await count(staff, 'A-2')
    await count(staff, 'A-3')
    expect(await list(staff)).toMatchObject({ spot_counts: [{ counted: 3, total: 3 }] })
    expect(await skus(staff)).toEqual({ skus: [] })
  })

  it('has a SKU to count until a difference is recorded, and again once a count is taken back', async () => {
    const { admin, staff, today } = await companyWithStock()
    await asked(admin, { barcodes: ['A-1', 'A-2'], due: today })
    await count(staff, 'A-1', { quantity: 7 })
    expect(await list(staff)).toMatchObject({ spot_counts: [{ counted: 0 }] })
    await count(staff, 'A-1', { quantity: 7 })
    expect(await list(staff)).toMatchObject({ spot_counts: [{ counted: 1 }] })
    await count(staff, 'A-2', { key: 'back' })
    expect(await skus(staff)).toEqual({ skus: [] })
    await post(staff, 'components/undo-count', { key: 'back' })
    expect(await skus(staff)).toMatchObject({ skus: [{ barcode: 'A-2' }] })
    await count(staff, 'A-2')
    expect(await skus(staff)).toEqual({ skus: [] })
  })

  it('stays done when the month is reset, or a recount asked for, which has a list of its own', async () => {
    const { admin, staff, today } = await companyWithStock()
    await asked(admin, { barcodes: ['A-1', 'A-2'], due: today })
    for (const _ of [1, 2]) await count(staff, 'A-1', { quantity: 7 })
    await count(staff, 'A-2')
    await post(admin, 'discrepancies/decide', { ids: await differences(admin), decision: 'recount' })
    await post(admin, 'components/reset-counts', { location: 'PRIMARY' })
    expect(await list(staff)).toMatchObject({ spot_counts: [{ counted: 2, total: 2 }] })
    expect(await skus(staff)).toEqual({ skus: [] })
  })

  it('has what was scanned in the millisecond in which it was asked for', async () => {
    const { admin, staff, today } = await companyWithStock()
    await asked(admin, { barcodes: ['A-1', 'A-2'], due: today })
    const [{ created_at: at }] = z
      .object({ spot_counts: z.tuple([z.object({ created_at: z.coerce.date() })]) })
      .parse(await list(staff)).spot_counts
    await count(staff, 'A-1', { at })
    expect(await list(staff)).toMatchObject({ spot_counts: [{ counted: 1, total: 2 }] })
  })

  it('is as far as the counts that stand, whatever became of their marks', async () => {
    const { admin, staff, today } = await companyWithStock()
    await count(staff, 'A-2')
    const id = await asked(admin, { barcodes: ['A-1', 'A-2'], due: today })
    for (const key of ['first', 'second']) await count(staff, 'A-1', { key })
    await count(staff, 'A-2', { key: 'since' })
    expect(await list(staff)).toMatchObject({ spot_counts: [{ counted: 2, total: 2 }] })
    await post(staff, 'components/undo-count', { key: 'second' })
    expect(await list(staff)).toMatchObject({ spot_counts: [{ counted: 2, total: 2 }] })
    // What has its mark again was counted before anybody asked.
    await post(staff, 'components/undo-count', { key: 'since' })
    expect(await skus(staff)).toMatchObject({ skus: [{ barcode: 'A-2' }] })
    await count(staff, 'A-2')
    await post(admin, 'components/reset-counts', { location: 'PRIMARY' })
    await daysPass(id, 3)
    expect(await list(staff)).toEqual({ spot_counts: [] })
    expect(await skus(staff)).toEqual({ skus: [] })
    await post(staff, 'components/undo-count', { key: 'first' })
    expect(await list(staff)).toMatchObject({ spot_counts: [{ id, counted: 1, total: 2, overdue: true }] })
    expect(await skus(staff)).toMatchObject({ skus: [{ barcode: 'A-1' }] })
  })

  it('is no count that a program reports from elsewhere', async () => {
    const { admin, staff, today } = await companyWithStock()
    await asked(admin, { barcodes: ['A-1'], due: today })
    await post(staff, 'count-history', { sku: 'A-1', quantity: 10, location: 'PRIMARY' })
    expect(await skus(staff)).toMatchObject({ skus: [{ barcode: 'A-1' }] })
  })

  it('that names a SKU of another gives it once, with the earlier day, and one count does for both', async () => {
    const { admin, staff, today, timeZone } = await companyWithStock()
    await asked(admin, { barcodes: ['A-1'], due: dayIn(timeZone, 3) })
    await asked(admin, { barcodes: ['A-1'], due: today, userId: staff.userId })
    expect(await skus(staff)).toMatchObject({ skus: [{ barcode: 'A-1', due_on: today }] })
    expect(await skus(admin)).toMatchObject({ skus: [{ barcode: 'A-1', due_on: dayIn(timeZone, 3) }] })
    await count(staff, 'A-1')
    expect(await list(admin)).toMatchObject({ spot_counts: [{ counted: 1 }, { counted: 1 }] })
  })

  it('takes other barcodes, and names those of nothing that the location counts', async () => {
    const { admin, staff, today } = await companyWithStock()
    await post(admin, 'components/add-barcode', { barcode: 'A-1', alias: '4012345678901' })
    await post(admin, 'components/import', [{ barcode: 'A-5' }, { barcode: 'A-6' }])
    await post(admin, 'components/retire', { barcode: 'A-5' })
    await post(admin, 'components/keep', { location: 'PRIMARY', kept: false, barcodes: ['A-6'] })
    const barcodes = ['4012345678901', 'A-1', 'A-5', 'A-6', 'NOWHERE', 'NOWHERE']
    expect(await ask(admin, { barcodes, due: today })).toMatchObject({
      status: 200,
      body: { success: true, asked: 1, not_found: ['A-5', 'A-6', 'NOWHERE'] },
    })
    expect(await skus(staff)).toMatchObject({ skus: [{ barcode: 'A-1' }] })
    expect(await ask(admin, { barcodes: ['A-5', 'NOWHERE'], due: today })).toMatchObject({
      status: 404,
      body: { code: 'not_found', error: 'None of these is a component that the location counts.' },
    })
    expect(await list(admin)).toMatchObject({ spot_counts: [{ total: 1 }] })
  })

  it('forgets what is retired or left out meanwhile', async () => {
    const { admin, staff, today } = await companyWithStock()
    await post(admin, 'components/import', [{ barcode: 'A-5' }, { barcode: 'A-6' }])
    await asked(admin, { barcodes: ['A-1', 'A-5', 'A-6'], due: today })
    await post(admin, 'components/retire', { barcode: 'A-5' })
    await post(admin, 'components/keep', { location: 'PRIMARY', kept: false, barcodes: ['A-6'] })
    expect(await list(staff)).toMatchObject({ spot_counts: [{ total: 1 }] })
    expect(await skus(staff)).toMatchObject({ skus: [{ barcode: 'A-1' }] })
  })

  it('is overdue once its day is over and something is left, and no longer listed sixty days later', async () => {
    const { admin, staff, today } = await companyWithStock()
    const id = await asked(admin, { barcodes: ['A-1'], due: today })
    await daysPass(id, 1)
    expect(await list(staff)).toMatchObject({ spot_counts: [{ overdue: true }] })
    await daysPass(id, 59)
    expect(await list(staff)).toMatchObject({ spot_counts: [{ id }] })
    expect(await suggested(admin)).toEqual(['A-2', 'A-3', 'A-4'])
    await daysPass(id, 1)
    expect([await list(admin), await list(staff)]).toEqual([{ spot_counts: [] }, { spot_counts: [] }])
    expect(await skus(staff)).toEqual({ skus: [] })
    expect(await suggested(admin)).toEqual(['A-1', 'A-2', 'A-3', 'A-4'])
  })

  it('that is done stands behind those that are not, until its day is over', async () => {
    const { admin, staff, today, timeZone } = await companyWithStock()
    const done = await asked(admin, { barcodes: ['A-1'], due: today })
    const open = await asked(admin, { barcodes: ['A-2'], due: dayIn(timeZone, 9) })
    await count(staff, 'A-1')
    expect(await list(staff)).toMatchObject({ spot_counts: [{ id: open }, { id: done, overdue: false }] })
    await daysPass(done, 1)
    expect(await list(staff)).toMatchObject({ spot_counts: [{ id: open }] })
    expect(await list(staff)).not.toMatchObject({ spot_counts: [{}, {}] })
  })

  it('is of today to 31 days ahead, of 500 SKUs at the most, and one of fifty that are not done', async () => {
    const { admin, staff, today, timeZone } = await companyWithStock()
    const refused = (sentence: string) => ({
      status: 400,
      body: { code: 'invalid_request', error: sentence },
    })
    const wrongDay = refused('Choose a day from today to 31 days ahead.')
    expect(await ask(admin, { barcodes: ['A-1'], due: dayIn(timeZone, -1) })).toMatchObject(wrongDay)
    expect(await ask(admin, { barcodes: ['A-1'], due: dayIn(timeZone, 32) })).toMatchObject(wrongDay)
    const many = Array.from({ length: 501 }, (_, index) => `M-${index}`)
    expect(await ask(admin, { barcodes: many, due: today })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('Name at most 500 SKUs.') as unknown },
    })
    for (const _ of Array.from({ length: 50 }))
      await asked(admin, { barcodes: ['A-1'], due: dayIn(timeZone, 31) })
    expect(await ask(admin, { barcodes: ['A-1'], due: today })).toMatchObject(
      refused('There are 50 spot counts that are not done yet. Take one back first.'),
    )
    await count(staff, 'A-1')
    expect((await ask(admin, { barcodes: ['A-1'], due: today })).status).toBe(200)
  })

  it('is asked for once with one key, and taken back once', async () => {
    const { admin, today } = await companyWithStock()
    const asking = { barcodes: ['A-1'], due: today }
    const { id } = made.parse((await ask(admin, asking, 'once')).body)
    expect(made.parse((await ask(admin, asking, 'once')).body).id).toBe(id)
    expect(await list(admin)).toMatchObject({ spot_counts: [{ id }] })
    expect(await takeBack(admin, id)).toMatchObject({ status: 200, body: { success: true } })
    expect(await takeBack(admin, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await list(admin)).toEqual({ spot_counts: [] })
  })

  it('is asked for and taken back by administrators, of active people and locations of the plan', async () => {
    const { admin, staff, today } = await companyWithStock()
    const id = await asked(admin, { barcodes: ['A-1'], due: today })
    expect(await ask(staff, { barcodes: ['A-1'], due: today })).toMatchObject({ status: 403 })
    expect(await takeBack(staff, id)).toMatchObject({ status: 403 })
    expect(await list(staff)).toMatchObject({ spot_counts: [{ id }] })
    const elsewhere = { barcodes: ['A-1'], due: today, location: 'DISTRIBUTION' }
    expect(await ask(admin, elsewhere)).toMatchObject({ status: 403, body: { code: 'location_not_in_plan' } })
    const lee = await makeStaff(app, admin, 'Lee Leaver')
    const lees = await asked(admin, { barcodes: ['A-2'], due: today, userId: lee.userId })
    await app.owner.query('update users set active = false where id = $1', [lee.userId])
    expect(await list(admin)).toMatchObject({ spot_counts: [{ id }] })
    expect(await list(admin)).not.toMatchObject({ spot_counts: [{}, {}] })
    expect(await suggested(admin)).toEqual(['A-2', 'A-3', 'A-4'])
    expect(await ask(admin, { barcodes: ['A-1'], due: today, userId: lee.userId })).toMatchObject({
      status: 404,
      body: { error: 'There is no active user with this id.' },
    })
    expect((await takeBack(admin, lees)).status).toBe(200)
  })

  it('leaves a trail that says which SKUs, where, by when and whom', async () => {
    const { admin, staff, today } = await companyWithStock()
    const id = await asked(admin, { barcodes: ['A-2', 'A-1'], due: today, userId: staff.userId })
    await takeBack(admin, id)
    const trail = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?source=count_room',
      token: staff.token,
    })
    const about = { type: 'config_change', user_id: staff.userId, name: 'Sam Staff', due_on: today }
    expect(trail.body).toMatchObject({
      entries: [
        {
          sku: 'CONFIG_SPOT_COUNT_TAKEN_BACK',
          location: 'PRIMARY',
          metadata: { ...about, event_type: 'spot_count_taken_back', skus: 2 },
        },
        {
          sku: 'CONFIG_SPOT_COUNT_ASKED',
          location: 'PRIMARY',
          metadata: { ...about, event_type: 'spot_count_asked', barcodes: ['A-1', 'A-2'] },
        },
      ],
    })
    const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: staff.token })
    expect(body).toMatchObject({
      recent_activity: [
        { description: `${admin.name} withdrew a spot count at Primary Warehouse` },
        { description: `${admin.name} asked for a spot count at Primary Warehouse` },
        {},
        {},
      ],
    })
  })
})

const dayMs = 86_400_000

/** As if all marks of a company had been set days before. */
async function marksAge({ tenantId }: Person, days: number): Promise<void> {
  const { rows } = await app.owner.query<{ component_id: string; location: string; counted_at: Date }>(
    'select component_id, location, counted_at from stock where tenant_id = $1 and counted_at is not null',
    [tenantId],
  )
  for (const { component_id: id, location, counted_at: at } of rows) {
    await app.owner.query(
      'update stock set counted_at = $4 where tenant_id = $1 and component_id = $2 and location = $3',
      [tenantId, id, location, new Date(at.getTime() - days * dayMs)],
    )
  }
}

describe('what is suggested for a spot count', () => {
  it('is what was not counted for longest, of whose value most moved since, and what differed', async () => {
    const { admin, staff } = await companyWithStock()
    await post(admin, 'components/set-costs', { components: [{ barcode: 'A-3', unit_cost: 2.5 }] })
    for (const barcode of ['A-1', 'A-2', 'A-3']) await count(staff, barcode)
    await marksAge(admin, 90)
    await count(staff, 'A-4', { quantity: 8 })
    await count(staff, 'A-4', { quantity: 8 })
    await marksAge(admin, 2)
    // Nothing is suggested that waits for a decision.
    expect(await suggested(admin)).not.toContain('A-4')
    await post(admin, 'discrepancies/decide', { ids: await differences(admin), decision: 'dismiss' })
    // As if the first stock of had come long before their counts.
    await app.owner.query(
      `update movements set created_at = $2
       where tenant_id = $1 and component_id in (
         select id from components where tenant_id = $1 and barcode in ('A-2', 'A-4')
       )`,
      [admin.tenantId, new Date(Date.now() - 200 * dayMs)],
    )
    await post(admin, 'components/adjust-quantity', {
      barcode: 'A-3',
      location: 'PRIMARY',
      amount: -4,
      reason: 'issued',
    })
    await post(admin, 'components/adjust-quantity', {
      barcode: 'A-3',
      location: 'PRIMARY',
      amount: 6,
      reason: 'received',
    })
    const instant: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const still = { last_counted: instant, value: null }
    const { body } = await suggest(admin)
    expect(body).toMatchObject({ seconds_per_sku: 30, measured: false, currency: 'USD' })
    expect(body).toMatchObject({
      suggestions: [
        {
          barcode: 'A-3',
          description: 'Part A-3',
          bin: '',
          last_counted: instant,
          pieces: 20,
          value: 50,
          differences: 0,
        },
        { ...still, barcode: 'A-1', bin: 'R-7', pieces: 10, differences: 0 },
        { ...still, barcode: 'A-2', bin: '', pieces: 0, differences: 0 },
        { ...still, barcode: 'A-4', pieces: 0, differences: 1 },
      ],
    })
  })

  it('takes for moved nothing that a transfer sent and brought back', async () => {
    const { admin } = await companyWithStock()
    const sent = { barcode: 'A-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 7 }
    const { body } = await post(admin, 'transfers', sent)
    const { transfer } = z.object({ transfer: z.object({ id: z.string() }) }).parse(body)
    const piecesOf = async () => {
      const { suggestions } = z
        .object({ suggestions: z.array(z.object({ barcode: z.string(), pieces: z.int() })) })
        .parse((await suggest(admin)).body)
      return suggestions.find(({ barcode }) => barcode === 'A-1')?.pieces
    }
    expect(await piecesOf()).toBe(17)
    await post(admin, `transfers/${transfer.id}/cancel`, {})
    expect(await piecesOf()).toBe(10)
  })

  it('is as much as fits into the time, of the pace that people had, pauses left out', async () => {
    const { admin, staff } = await companyWithStock()
    expect(await suggested(admin, 'location=PRIMARY&minutes=1&people=1')).toHaveLength(2)
    expect(await suggested(admin, 'location=PRIMARY&minutes=1&people=2')).toHaveLength(4)
    const rows = Array.from({ length: 22 }, (_, index) => ({ barcode: `B-${index}`, primary_quantity: 10 }))
    await post(admin, 'components/import', rows)
    const begun = Date.now() - 3 * 3_600_000
    const at = (seconds: number) => new Date(begun + seconds * 1_000)
    for (const [place, { barcode }] of rows.entries()) {
      // A pause of half an hour after the tenth.
      await count(staff, barcode, { at: at(place * 20 + (place > 9 ? 1_800 : 0)) })
    }
    // What is entered at once, as absences that are confirmed together, and what is taken back tells nothing of walking.
    for (const place of [0, 1, 2, 3]) {
      await count(staff, `B-${place}`, { at: new Date(at(3_000).getTime() + place) })
    }
    for (const place of [4, 5, 6, 7]) {
      const key = `back-${place}`
      await count(staff, `B-${place}`, { at: at(3_300 + place * 299), key })
      await post(staff, 'components/undo-count', { key })
    }
    expect((await suggest(admin, 'location=PRIMARY&minutes=1&people=1')).body).toMatchObject({
      seconds_per_sku: 20,
      measured: true,
      suggestions: [{ barcode: 'A-1' }, { barcode: 'A-2' }, { barcode: 'A-3' }],
    })
    expect((await suggest(admin, 'location=SECONDARY&minutes=1&people=1')).body).toMatchObject({
      seconds_per_sku: 30,
      measured: false,
    })
  })

  it('leaves out what is counted today, asked for, left out there, retired, or neither there nor moved', async () => {
    const { admin, staff, today } = await companyWithStock()
    await post(admin, 'components/import', [
      { barcode: 'EMPTY' },
      { barcode: 'GONE', primary_quantity: 1 },
      { barcode: 'RETIRED', primary_quantity: 1 },
    ])
    const issued = { location: 'PRIMARY', amount: -1, reason: 'issued' }
    for (const barcode of ['GONE', 'RETIRED']) {
      await post(admin, 'components/adjust-quantity', { ...issued, barcode })
    }
    await post(admin, 'components/retire', { barcode: 'RETIRED' })
    expect((await suggested(admin)).toSorted()).toEqual(['A-1', 'A-2', 'A-3', 'A-4', 'GONE'])
    await count(staff, 'A-1')
    await asked(admin, { barcodes: ['A-2'], due: today })
    const left = { location: 'PRIMARY', kept: false, barcodes: ['GONE'] }
    await post(admin, 'components/keep', left)
    expect((await suggested(admin)).toSorted()).toEqual(['A-3', 'A-4'])
    expect(await suggested(admin, 'location=SECONDARY&minutes=45&people=2')).toHaveLength(4)
    await marksAge(admin, 1)
    expect((await suggested(admin)).toSorted()).toEqual(['A-1', 'A-3', 'A-4'])
  })

  it('is for administrators, of locations of the plan and times that people have', async () => {
    const { admin, staff } = await companyWithStock()
    expect(await suggest(staff)).toMatchObject({ status: 403 })
    expect(await suggest(admin, 'location=DISTRIBUTION&minutes=45&people=2')).toMatchObject({
      status: 403,
      body: { code: 'location_not_in_plan' },
    })
    const wrong = [
      'minutes=0&people=1',
      'minutes=481&people=1',
      'minutes=45&people=21',
      'minutes=45',
      'people=1',
    ]
    for (const time of wrong) {
      expect(await suggest(admin, `location=PRIMARY&${time}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      })
    }
  })
})
