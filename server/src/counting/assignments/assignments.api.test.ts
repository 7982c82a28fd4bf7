import { lastDayOfMonth } from '@inventory-manager/contract/calendar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompanyWithStock } from '../../../test/company-with-stock.ts'
import { dayIn } from '../../../test/days.ts'
import { startStripe, type StripeStandIn } from '../../../test/stripe.ts'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../../test/test-app.ts'

/** Without it no trial ever ends. */
let stripe: StripeStandIn
let app: TestApp
beforeAll(async () => {
  stripe = await startStripe()
  app = await startTestApp(stripe.settings)
})
afterAll(async () => {
  await app.close()
  await stripe.close()
})

/** The first zone on earth to begin a day, and the last, 25 hours behind it. */
const [first, last] = ['Pacific/Kiritimati', 'Pacific/Niue'] as const

/** Where a month has not just begun, so that yesterday was in it. */
const laterZone = () => (dayIn(last).endsWith('-01') ? first : last)

async function companyIn(timeZone: string) {
  const rows = ['A-1', 'A-2'].map((barcode) => ({ barcode, primary_quantity: 3 }))
  return { ...(await makeCompanyWithStock(app, rows, { timeZone })), today: dayIn(timeZone) }
}

const path = '/api/counting/assignments'

type Asking = { userId: string; due: string; location?: string; bins?: readonly string[] }

const assign = ({ token }: Person, { userId, due, location = 'PRIMARY', bins }: Asking, key?: string) =>
  app.ask({
    path,
    token,
    body: { location, user_id: userId, due_on: due, bins },
    ...(key === undefined ? {} : { key }),
  })

const made = z.object({ id: z.uuid() })

async function assigned(by: Person, asking: Asking): Promise<string> {
  const reply = await assign(by, asking)
  expect(reply.status).toBe(200)
  return made.parse(reply.body).id
}

const takeBack = ({ token }: Person, id: string) =>
  app.ask({ method: 'DELETE', path: `${path}/${id}`, token })

const list = async ({ token }: Person) => (await app.ask({ method: 'GET', path, token })).body

const count = ({ token }: Person, barcode: string) =>
  app.done({
    path: '/api/components/update-with-tracking',
    token,
    body: {
      barcode,
      quantity: 3,
      location: 'PRIMARY',
      session: 's',
      timestamp: new Date().toISOString(),
    },
  })

/** As it stands when the day has passed. */
const dayPasses = (id: string) =>
  app.owner.query('update count_assignments set due_on = due_on - 1 where id = $1', [id])

/** The newest entries of the trail about it, each with its sentence on the overview. */
async function trailOf({ token }: Person) {
  const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?source=count_room', token })
  const entries = z.object({ entries: z.array(z.record(z.string(), z.unknown())) }).parse(trail.body).entries
  return entries.map(({ sku, location, user_name, metadata }) => ({ sku, location, user_name, metadata }))
}

describe('an administrator who asks somebody to count', () => {
  it('sees who is asked to count what by when, and how far it is, while others see what they are asked', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const olga = await makeStaff(app, admin, 'Olga Other')
    const end = lastDayOfMonth(today)
    const ofOlga = await assigned(admin, { userId: olga.userId, due: end, location: 'Secondary Warehouse' })
    const ofSam = await assigned(admin, { userId: staff.userId, due: today })
    await count(olga, 'A-1')
    const sams = {
      id: ofSam,
      location: 'PRIMARY',
      user_id: staff.userId,
      user_name: 'Sam Staff',
      due_on: today,
      bins: [],
      counted: 1,
      total: 2,
      overdue: false,
    }
    const olgas = {
      id: ofOlga,
      location: 'SECONDARY',
      user_id: olga.userId,
      user_name: 'Olga Other',
      due_on: end,
      bins: [],
      counted: 0,
      total: 2,
      overdue: false,
    }
    const inOrder = today === end ? [olgas, sams] : [sams, olgas]
    expect(await list(admin)).toEqual({ assignments: inOrder })
    expect(await list(staff)).toEqual({ assignments: [sams] })
    expect(await list(olga)).toEqual({ assignments: [olgas] })
  })

  it('may ask several people to count one place, themselves too', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    for (const { userId } of [staff, admin]) await assigned(admin, { userId, due: today })
    expect(await list(admin)).toMatchObject({
      assignments: [{ user_name: admin.name }, { user_name: 'Sam Staff' }],
    })
  })

  it('gives another day by asking again, and changes nothing by asking the same', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const end = lastDayOfMonth(today)
    const id = await assigned(admin, { userId: staff.userId, due: end })
    expect(await assigned(admin, { userId: staff.userId, due: end })).toBe(id)
    expect(await trailOf(admin)).toHaveLength(1)
    await app.owner.query('update count_assignments set due_on = month_start where id = $1', [id])
    expect(await assigned(admin, { userId: staff.userId, due: end })).toBe(id)
    expect(await list(staff)).toMatchObject({ assignments: [{ id, due_on: end }] })
  })

  it('does it once for a key, and may not use that for another', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const asking = { userId: staff.userId, due: today }
    const { body } = await assign(admin, asking, 'once')
    const { id } = made.parse(body)
    await takeBack(admin, id)
    expect(await assign(admin, asking, 'once')).toMatchObject({ status: 200, body: { success: true, id } })
    expect(await list(admin)).toEqual({ assignments: [] })
    const other = await assign(admin, { ...asking, location: 'SECONDARY' }, 'once')
    expect(other).toMatchObject({ status: 422, body: { code: 'key_reused' } })
  })

  it('leaves a trail that says whom, where, by when and what it was before', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const monthStart = `${today.slice(0, 7)}-01`
    const end = lastDayOfMonth(today)
    const id = await assigned(admin, { userId: staff.userId, due: end })
    await app.owner.query('update count_assignments set due_on = month_start where id = $1', [id])
    await assigned(admin, { userId: staff.userId, due: end })
    expect((await takeBack(admin, id)).body).toEqual({ success: true })
    const about = { type: 'config_change', user_id: staff.userId, name: 'Sam Staff', due_on: end }
    const entry = { sku: 'CONFIG_COUNT_ASSIGNED', location: 'PRIMARY', user_name: admin.name }
    const asked = { ...about, event_type: 'count_assigned' }
    expect(await trailOf(staff)).toEqual([
      {
        ...entry,
        sku: 'CONFIG_COUNT_UNASSIGNED',
        metadata: { ...about, event_type: 'count_unassigned' },
      },
      { ...entry, metadata: { ...asked, due_before: monthStart } },
      { ...entry, metadata: asked },
    ])
    const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: staff.token })
    expect(body).toMatchObject({
      recent_activity: [
        { description: `${admin.name} withdrew a request to count at Primary Warehouse` },
        { description: `${admin.name} asked somebody to count at Primary Warehouse` },
        {},
        {},
      ],
    })
  })

  it('takes it back once', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const id = await assigned(admin, { userId: staff.userId, due: today })
    expect((await takeBack(admin, id)).status).toBe(200)
    expect(await takeBack(admin, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect([await list(admin), await list(staff)]).toEqual([{ assignments: [] }, { assignments: [] }])
  })
})

describe('who is asked to count', () => {
  const noSuchUser = { code: 'not_found', error: 'There is no active user with this id.' }

  it('is active: nobody who was deactivated, no API key and nobody of another company', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const other = await companyIn(zoneOfNoon())
    const lee = await makeStaff(app, other.admin, 'Lee Left')
    const act = (what: string) =>
      app.done({ path: `/api/team/users/${lee.userId}/${what}`, token: other.admin.token })
    await assigned(other.admin, { userId: lee.userId, due: today })
    await act('deactivate')
    expect(await list(other.admin)).toEqual({ assignments: [] })
    const key = { name: 'Robot', scopes: ['admin', 'read'] }
    const keyReply = await app.done({ path: '/api/api-keys', token: other.admin.token, body: key })
    const { rows } = await app.owner.query<{ id: string }>(
      `select id from users where tenant_id = $1 and role = 'api_key'`,
      [other.admin.tenantId],
    )
    expect(rows).toHaveLength(1)
    for (const userId of [lee.userId, rows[0]?.id ?? '', staff.userId, admin.userId]) {
      const reply = await assign(other.admin, { userId, due: today })
      expect([reply.status, reply.body]).toMatchObject([404, noSuchUser])
    }
    await act('reactivate')
    expect(await list(other.admin)).toMatchObject({ assignments: [{ user_name: 'Lee Left' }] })
    const { key: secret } = z.object({ key: z.string() }).parse(keyReply.body)
    expect(await app.ask({ method: 'GET', path, token: secret })).toMatchObject({
      status: 200,
      body: { assignments: [{ user_name: 'Lee Left' }] },
    })
  })

  it('is asked by administrators alone', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const id = await assigned(admin, { userId: staff.userId, due: today })
    const refused = { status: 403, body: { error: 'Only an administrator can do this.' } }
    expect(await assign(staff, { userId: staff.userId, due: today })).toMatchObject(refused)
    expect(await takeBack(staff, id)).toMatchObject(refused)
    expect(await list(staff)).toMatchObject({ assignments: [{ id }] })
  })

  it('is nothing of another company', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const other = await companyIn(zoneOfNoon())
    const id = await assigned(admin, { userId: staff.userId, due: today })
    expect(await takeBack(other.admin, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await list(other.admin)).toEqual({ assignments: [] })
    expect(await list(admin)).toMatchObject({ assignments: [{ id }] })
  })

  it('counts at a location of the plan, and of another nothing is listed', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    expect(await assign(admin, { userId: staff.userId, due: today, location: 'DISTRIBUTION' })).toMatchObject(
      { status: 403, body: { code: 'location_not_in_plan' } },
    )
    expect(await assign(admin, { userId: staff.userId, due: today, location: 'MOON' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    })
    await assigned(admin, { userId: staff.userId, due: today, location: 'SECONDARY' })
    await app.owner.query(`update companies set plan = 'starter' where tenant_id = $1`, [admin.tenantId])
    expect(await list(admin)).toEqual({ assignments: [] })
  })

  it('cannot be changed when the trial has ended, and is still read', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const id = await assigned(admin, { userId: staff.userId, due: today })
    await app.owner.query(
      `update companies set trial_ends_at = now() - interval '1 day' where tenant_id = $1`,
      [admin.tenantId],
    )
    const ended = { status: 402, body: { code: 'trial_expired' } }
    expect(await assign(admin, { userId: staff.userId, due: today })).toMatchObject(ended)
    expect(await takeBack(admin, id)).toMatchObject(ended)
    expect(await list(staff)).toMatchObject({ assignments: [{ id }] })
  })
})

describe('whoever is asked to count some bins', () => {
  /** At the primary location A-1 lies in in 'ab 1', A-3 in B-2 and A-4 in none. */
  async function companyWithBins() {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const rows = ['A-3', 'A-4'].map((barcode) => ({ barcode, primary_quantity: 3 }))
    await app.done({ path: '/api/components/import', token: admin.token, body: rows })
    await place(admin, { 'A-1': 'A-01', 'A-2': 'ab 1', 'A-3': 'B-2' })
    return { admin, staff, today }
  }

  const place = ({ token }: Person, bins: Record<string, string>, location = 'PRIMARY') =>
    app.done({
      path: '/api/components/place',
      token,
      body: { location, components: Object.entries(bins).map(([barcode, bin]) => ({ barcode, bin })) },
    })

  const aislesOf = async ({ token }: Person, location = 'PRIMARY') =>
    (await app.ask({ method: 'GET', path: `/api/counting/aisles?location=${location}`, token })).body

  it('reads which, and how far these are, whoever counted there', async () => {
    const { admin, staff, today } = await companyWithBins()
    const olga = await makeStaff(app, admin, 'Olga Other')
    await assigned(admin, { userId: staff.userId, due: today, bins: ['b', 'A', 'a'] })
    await assigned(admin, { userId: olga.userId, due: today, bins: ['', 'AB'] })
    await assigned(admin, { userId: admin.userId, due: today })
    await count(admin, 'A-3')
    await count(staff, 'A-4')
    expect(await list(staff)).toMatchObject({ assignments: [{ bins: ['A', 'b'], counted: 1, total: 2 }] })
    expect(await list(olga)).toMatchObject({ assignments: [{ bins: ['AB', ''], counted: 1, total: 2 }] })
    const of = (name: string, facts: object) => ({ user_name: name, ...facts })
    const all = z.object({ assignments: z.array(z.record(z.string(), z.unknown())) }).parse(await list(admin))
    expect(all.assignments).toHaveLength(3)
    expect(all.assignments).toEqual(
      expect.arrayContaining([
        expect.objectContaining(of('Sam Staff', { bins: ['A', 'b'], counted: 1, total: 2 })),
        expect.objectContaining(of('Olga Other', { bins: ['AB', ''], counted: 1, total: 2 })),
        expect.objectContaining(of(admin.name, { bins: [], counted: 2, total: 4 })),
      ]),
    )
  })

  it('reads how far they are by names in letters of any kind, each bin once', async () => {
    const { admin, staff, today } = await companyWithBins()
    await place(admin, { 'A-1': '\u212aIT-1', 'A-2': 'kit 2', 'A-3': 'ÄUSSEN 1', 'A-4': 'KITCHEN' })
    await assigned(admin, { userId: staff.userId, due: today, bins: ['Kit', 'kit-1', 'KIT 2'] })
    await count(staff, 'A-2')
    expect(await list(staff)).toMatchObject({ assignments: [{ counted: 1, total: 2 }] })
    await assigned(admin, { userId: staff.userId, due: today, bins: ['äussen', 'Kitchen'] })
    expect(await list(staff)).toMatchObject({ assignments: [{ counted: 0, total: 2 }] })
  })

  it('is told on the count screens of a location which they are, and nobody else is', async () => {
    const { admin, staff, today } = await companyWithBins()
    const bins = async ({ token }: Person, location = 'PRIMARY') =>
      (await app.ask({ method: 'GET', path: `/api/counting/my-bins?location=${location}`, token })).body
    expect(await bins(staff)).toEqual({ bins: [] })
    const id = await assigned(admin, { userId: staff.userId, due: today, bins: ['', 'A'] })
    expect(await bins(staff)).toEqual({ bins: ['A', ''] })
    expect([await bins(staff, 'SECONDARY'), await bins(admin)]).toEqual([{ bins: [] }, { bins: [] }])
    expect(await bins(staff, 'DISTRIBUTION')).toMatchObject({ code: 'location_not_in_plan' })
    await app.owner.query(
      `update count_assignments
       set month_start = month_start - interval '1 month', due_on = month_start - 1 where id = $1`,
      [id],
    )
    expect(await bins(staff)).toEqual({ bins: [] })
  })

  it('is overdue while one of them is left, and not by what is left elsewhere', async () => {
    const { admin, staff, today } = await companyIn(laterZone())
    await place(admin, { 'A-1': 'A-01' })
    const id = await assigned(admin, { userId: staff.userId, due: today, bins: ['A'] })
    await dayPasses(id)
    expect(await list(staff)).toMatchObject({ assignments: [{ overdue: true, counted: 0, total: 1 }] })
    await count(staff, 'A-1')
    expect(await list(staff)).toMatchObject({ assignments: [{ overdue: false, counted: 1, total: 1 }] })
  })

  it('counts what the location keeps and what is in use, as it lies now', async () => {
    const { admin, staff, today } = await companyWithBins()
    await assigned(admin, { userId: staff.userId, due: today, bins: ['A', 'C'] })
    await app.done({ path: '/api/components/import', token: admin.token, body: [{ barcode: 'A-5' }] })
    await place(admin, { 'A-4': 'c-9', 'A-5': 'C' })
    expect(await list(staff)).toMatchObject({ assignments: [{ total: 3 }] })
    await app.done({ path: '/api/components/retire', token: admin.token, body: { barcode: 'A-5' } })
    await place(admin, { 'A-1': 'A-01', 'A-2': 'A-02' }, 'SECONDARY')
    expect(await list(staff)).toMatchObject({ assignments: [{ total: 2 }] })
    await assigned(admin, { userId: staff.userId, due: today, bins: ['A'], location: 'SECONDARY' })
    const keep = { location: 'SECONDARY', kept: false, barcodes: ['A-2'] }
    await app.done({ path: '/api/components/keep', token: admin.token, body: keep })
    const shares = { assignments: [{ total: 2 }, { total: 1 }] }
    expect(await list(staff)).toMatchObject(shares)
    expect(await list(admin)).toMatchObject(shares)
    const one = { counted: 0, total: 1 }
    const names = ['A', 'ab', 'B', 'c']
    expect(await aislesOf(admin)).toEqual({ aisles: names.map((name) => ({ name, ...one })) })
    expect(await aislesOf(admin, 'SECONDARY')).toEqual({
      aisles: [
        { name: 'A-01', ...one },
        { name: '', counted: 0, total: 2 },
      ],
    })
  })

  it('keeps the bins where only another day is given, as programs do that know of none, and gets all again by none', async () => {
    const { admin, staff, today } = await companyWithBins()
    const end = lastDayOfMonth(today)
    const asking = { userId: staff.userId, due: end }
    const id = await assigned(admin, { ...asking, bins: ['A'] })
    await app.owner.query('update count_assignments set due_on = month_start where id = $1', [id])
    expect(await assigned(admin, asking)).toBe(id)
    expect(await list(staff)).toMatchObject({ assignments: [{ due_on: end, bins: ['A'], total: 1 }] })
    expect(await assigned(admin, { ...asking, bins: ['A', 'A'] })).toBe(id)
    expect(await trailOf(admin)).toHaveLength(2)
    expect(await assigned(admin, { ...asking, bins: ['b'] })).toBe(id)
    expect(await assigned(admin, { ...asking, bins: [] })).toBe(id)
    expect(await list(staff)).toMatchObject({ assignments: [{ bins: [], total: 4 }] })
    const told = (await trailOf(admin)).map(({ metadata }) =>
      z.record(z.string(), z.unknown()).parse(metadata),
    )
    expect(told.map(({ bins, bins_before: before }) => [bins, before])).toEqual([
      [undefined, ['b']],
      [['b'], ['A']],
      [['A'], undefined],
      [['A'], undefined],
    ])
    await takeBack(admin, id)
    expect(await list(staff)).toEqual({ assignments: [] })
  })

  it.each([
    [['A', 7], 'bins.1'],
    [['x'.repeat(41)], 'bins.0'],
    [['A\nB'], 'bins.0'],
    [Array.from({ length: 51 }, (_, place) => `A-${place}`), 'bins'],
    ['A', 'bins'],
  ])('is given names of bins, at most 50, and not %j', async (bins, wrong) => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const body = { location: 'PRIMARY', user_id: staff.userId, due_on: today, bins }
    expect(await app.ask({ path, token: admin.token, body })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', details: [{ path: wrong }] },
    })
    expect(await list(admin)).toEqual({ assignments: [] })
  })

  it('is chosen by what the bins begin with, which only administrators of the company see, of locations of the plan', async () => {
    const { admin, staff } = await companyWithBins()
    await count(staff, 'A-3')
    const aisles = {
      aisles: [
        { name: 'A', counted: 0, total: 1 },
        { name: 'ab', counted: 0, total: 1 },
        { name: 'B', counted: 1, total: 1 },
        { name: '', counted: 0, total: 1 },
      ],
    }
    expect(await aislesOf(admin)).toEqual(aisles)
    expect(await aislesOf(admin, 'SECONDARY')).toEqual({ aisles: [{ name: '', counted: 0, total: 4 }] })
    expect(await aislesOf(staff)).toMatchObject({ error: 'Only an administrator can do this.' })
    expect(await aislesOf(admin, 'DISTRIBUTION')).toMatchObject({ code: 'location_not_in_plan' })
    const other = await makeCompany(app)
    expect(await aislesOf(other)).toEqual({ aisles: [] })
  })
})

describe('the day by which it is to be counted', () => {
  const notThen = {
    status: 400,
    body: { code: 'invalid_request', error: 'Choose a day from today to the end of this month.' },
  }

  it.each([first, last])(
    'is from today to the end of the month in the time zone of the company, %s',
    async (zone) => {
      const { admin, staff, today } = await companyIn(zone)
      const end = lastDayOfMonth(today)
      const afterEnd = new Date(`${end}T24:00:00Z`).toISOString().slice(0, 10)
      const by = (due: string) => assign(admin, { userId: staff.userId, due })
      for (const due of [today, end]) expect((await by(due)).status).toBe(200)
      for (const due of [dayIn(zone, -1), afterEnd, '2020-01-01', '2099-12-31']) {
        expect(await by(due)).toMatchObject(notThen)
      }
      expect(await list(staff)).toMatchObject({ assignments: [{ due_on: end }] })
    },
  )

  it.each(['2026-02-30', '30.11.2026', '', '2026-11-30T00:00:00Z'])('is a day, and not %j', async (due) => {
    const { admin, staff } = await companyIn('UTC')
    expect(await assign(admin, { userId: staff.userId, due })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'due_on', message: 'must be a day such as 2026-11-30.' }] },
    })
  })

  it('is over when it has passed and something is left to count, not before and not when all is counted', async () => {
    const { admin, staff, today } = await companyIn(laterZone())
    const id = await assigned(admin, { userId: staff.userId, due: today })
    expect(await list(staff)).toMatchObject({ assignments: [{ overdue: false }] })
    await dayPasses(id)
    expect(await list(staff)).toMatchObject({ assignments: [{ overdue: true, counted: 0 }] })
    await count(staff, 'A-1')
    expect(await list(staff)).toMatchObject({ assignments: [{ overdue: true, counted: 1 }] })
    await count(staff, 'A-2')
    expect(await list(staff)).toMatchObject({ assignments: [{ overdue: false, counted: 2 }] })
  })

  it('passes, and its month with it, as the days of the company do', async () => {
    const { admin, staff, today } = await companyIn(last)
    await assigned(admin, { userId: staff.userId, due: today })
    const settings = { time_zone: first }
    await app.done({ path: '/api/company/settings', token: admin.token, body: settings })
    const isSameMonth = dayIn(first).slice(0, 7) === today.slice(0, 7)
    expect(await list(staff)).toMatchObject({
      assignments: isSameMonth ? [{ due_on: today, overdue: true }] : [],
    })
  })

  it('is of one month: of the month before nothing is listed', async () => {
    const { admin, staff, today } = await companyIn(zoneOfNoon())
    const id = await assigned(admin, { userId: staff.userId, due: today })
    await app.owner.query(
      `update count_assignments
       set month_start = month_start - interval '1 month', due_on = month_start - 1 where id = $1`,
      [id],
    )
    expect(await list(admin)).toEqual({ assignments: [] })
    expect(await assigned(admin, { userId: staff.userId, due: today })).not.toBe(id)
    expect(await list(admin)).toMatchObject({ assignments: [{ due_on: today }] })
  })
})
