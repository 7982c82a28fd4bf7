import { dayAfter, daysOfWeek } from '@inventory-manager/contract/calendar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompanyWithStock } from '../../../test/company-with-stock.ts'
import { dayIn } from '../../../test/days.ts'
import { startTestApp, zoneOfNoon, type Person, type TestApp } from '../../../test/test-app.ts'
import { askInCompany } from './spot-schedule-asking.ts'
import { listCompaniesToAsk } from './spot-schedule-queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const path = '/api/counting/spot-schedules'

/** A company with ten each of four SKUs at Primary and Secondary. */
async function companyWithStock() {
  const timeZone = zoneOfNoon()
  const rows = ['A-1', 'A-2', 'A-3', 'A-4'].map((barcode) => ({
    barcode,
    description: `Part ${barcode}`,
    primary_quantity: 10,
    secondary_quantity: 10,
  }))
  return { ...(await makeCompanyWithStock(app, rows, { timeZone })), today: dayIn(timeZone), timeZone }
}

const dayBefore = (day: string) => dayAfter(day, -1)

/** The weekday of a company's day so many days from today. */
function weekdayIn(timeZone: string, away = 0): string {
  const day = new Date(`${dayIn(timeZone, away)}T00:00:00Z`)
  return day.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
}

type Scheduling = {
  days?: readonly string[]
  minutes?: number
  people?: number
  location?: string
  userId?: string | null
}

const schedule = (
  { token }: Person,
  { days = daysOfWeek, minutes = 1, people = 1, location = 'PRIMARY', userId }: Scheduling = {},
) => app.ask({ path, token, body: { location, user_id: userId, days, minutes, people } })

const made = z.object({ id: z.uuid() })

async function scheduled(by: Person, scheduling?: Scheduling): Promise<string> {
  const reply = await schedule(by, scheduling)
  expect(reply.status).toBe(200)
  return made.parse(reply.body).id
}

const end = ({ token }: Person, id: string) => app.ask({ method: 'DELETE', path: `${path}/${id}`, token })

const list = async ({ token }: Person) => (await app.ask({ method: 'GET', path, token })).body

const asked = z.object({
  spot_counts: z.array(
    z.object({
      due_on: z.string(),
      first_skus: z.array(z.string()),
      counted: z.int(),
      user_name: z.nullable(z.string()),
      schedule_id: z.nullable(z.string()),
    }),
  ),
})

/** The spot counts that are asked for, with what of them is named. */
async function spotCounts({ token }: Person) {
  const { body } = await app.ask({ method: 'GET', path: '/api/counting/spot-counts', token })
  return asked.parse(body).spot_counts
}

const skusOf = async (by: Person) => (await spotCounts(by)).map(({ first_skus: skus }) => skus)

const count = ({ token }: Person, barcode: string) =>
  app.done({
    path: '/api/components/update-with-tracking',
    token,
    body: { barcode, quantity: 10, location: 'PRIMARY', session: 's', timestamp: new Date().toISOString() },
  })

/** As it stands when the days since pass: what was asked for was by a day before, and so was what was counted. */
async function dayPasses({ tenantId }: Person): Promise<void> {
  for (const change of [
    'update spot_schedules set asked_on = asked_on - 1 where tenant_id = $1',
    `update spot_counts set due_on = due_on - 1, created_at = created_at - interval '1 day' where tenant_id = $1`,
    `update stock set counted_at = counted_at - interval '1 day' where tenant_id = $1`,
  ]) {
    await app.owner.query(change, [tenantId])
  }
}

/** Has what is due asked for, and gives what failed of it. */
async function askDue({ tenantId }: Person, provider: 'none' | 'stripe' = 'none'): Promise<unknown[]> {
  const failures: unknown[] = []
  const onError = (error: unknown) => failures.push(error)
  await askInCompany({ database: app.database, provider, onError }, tenantId)
  return failures
}

const isToAsk = async ({ tenantId }: Person) => (await listCompaniesToAsk(app.database)).includes(tenantId)

const trail = z.object({
  entries: z.array(
    z.object({
      user_name: z.string(),
      metadata: z.looseObject({ event_type: z.string() }),
    }),
  ),
})

/** What the trail says of spot counts, the newest first: by whom and which event, with its facts. */
async function told({ token }: Person) {
  const { body } = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=20', token })
  return trail
    .parse(body)
    .entries.filter(({ metadata }) => metadata.event_type.startsWith('spot_'))
    .map(({ user_name: by, metadata: { event_type: event, skus, skus_counted, barcodes, days, name } }) => ({
      by,
      event,
      skus,
      skus_counted,
      barcodes,
      days,
      name,
    }))
}

describe('a recurring spot count', () => {
  it('asks at once where today is one of its days, for what fits the time', async () => {
    const { admin, staff, today, timeZone } = await companyWithStock()
    const reply = await schedule(admin, { userId: staff.userId })
    const id = made.parse(reply.body).id
    expect(reply.body).toEqual({ success: true, id, asked: 2, next_on: dayIn(timeZone, 1) })
    expect(await spotCounts(admin)).toEqual([
      { due_on: today, first_skus: ['A-1', 'A-2'], counted: 0, user_name: staff.name, schedule_id: id },
    ])
    expect(await list(admin)).toEqual({
      spot_schedules: [
        {
          id,
          location: 'PRIMARY',
          user_id: staff.userId,
          user_name: staff.name,
          days: [...daysOfWeek],
          minutes: 1,
          people: 1,
          created_by: admin.name,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
          asked_on: today,
          asked_skus: 2,
          next_on: dayIn(timeZone, 1),
        },
      ],
    })
    const facts = {
      skus: undefined,
      skus_counted: undefined,
      barcodes: undefined,
      days: undefined,
      name: staff.name,
    }
    expect(await told(admin)).toEqual([
      { ...facts, by: admin.name, event: 'spot_count_asked', barcodes: ['A-1', 'A-2'] },
      { ...facts, by: admin.name, event: 'spot_schedule_made', days: [...daysOfWeek] },
    ])
    expect(await isToAsk(admin)).toBe(false)
  })

  it('waits for its next day where today is none of them', async () => {
    const { admin, timeZone } = await companyWithStock()
    const days = [weekdayIn(timeZone, 3), weekdayIn(timeZone, 2)]
    const reply = await schedule(admin, { days })
    const next = dayIn(timeZone, 2)
    expect(reply.body).toMatchObject({ asked: null, next_on: next })
    expect(await list(admin)).toMatchObject({
      spot_schedules: [{ asked_on: null, asked_skus: null, next_on: next }],
    })
    expect(await isToAsk(admin)).toBe(false)
    await askDue(admin)
    expect(await spotCounts(admin)).toEqual([])
  })

  it('asks anew on the next day, in place of what was left, for what is most likely wrong by then', async () => {
    const { admin, staff, today } = await companyWithStock()
    await scheduled(admin, { userId: staff.userId })
    await count(staff, 'A-1')
    await dayPasses(admin)
    expect(await isToAsk(admin)).toBe(true)
    expect(await askDue(admin)).toEqual([])
    expect(await isToAsk(admin)).toBe(false)
    // A-1 was counted yesterday; A-2 was left.
    expect(await spotCounts(admin)).toMatchObject([{ due_on: today, first_skus: ['A-2', 'A-3'], counted: 0 }])
    const facts = {
      skus: undefined,
      skus_counted: undefined,
      barcodes: undefined,
      days: undefined,
      name: staff.name,
    }
    expect((await told(admin)).slice(0, 2)).toEqual([
      { ...facts, by: 'Inventory Manager', event: 'spot_count_asked', barcodes: ['A-2', 'A-3'] },
      { ...facts, by: 'Inventory Manager', event: 'spot_count_taken_back', skus: 2, skus_counted: 1 },
    ])
  })

  it('leaves what was done, and what somebody asked for, as it is', async () => {
    const { admin, today } = await companyWithStock()
    const body = { location: 'PRIMARY', barcodes: ['A-4'], due_on: today }
    await app.done({ path: '/api/counting/spot-counts', token: admin.token, body })
    await scheduled(admin)
    expect(await skusOf(admin)).toEqual([['A-4'], ['A-1', 'A-2']])
    for (const barcode of ['A-1', 'A-2']) await count(admin, barcode)
    await app.owner.query('update spot_schedules set asked_on = asked_on - 1 where tenant_id = $1', [
      admin.tenantId,
    ])
    await askDue(admin)
    expect(await skusOf(admin)).toEqual([['A-4'], ['A-3'], ['A-1', 'A-2']])
  })

  it('asks once a day, however many nodes look', async () => {
    const { admin } = await companyWithStock()
    await scheduled(admin)
    await dayPasses(admin)
    await Promise.all([askDue(admin), askDue(admin), askDue(admin)])
    expect(await skusOf(admin)).toEqual([['A-1', 'A-2']])
    expect(await told(admin)).toHaveLength(4)
  })

  it('says where there was nothing to ask for, and asks no more that day', async () => {
    const { admin, today } = await companyWithStock()
    for (const barcode of ['A-1', 'A-2', 'A-3', 'A-4']) await count(admin, barcode)
    expect((await schedule(admin)).body).toMatchObject({ asked: 0 })
    expect(await list(admin)).toMatchObject({ spot_schedules: [{ asked_on: today, asked_skus: 0 }] })
    expect(await spotCounts(admin)).toEqual([])
    expect(await isToAsk(admin)).toBe(false)
  })

  it('asks nobody who is deactivated, and goes on when they are back', async () => {
    const { admin, staff } = await companyWithStock()
    await scheduled(admin, { userId: staff.userId })
    await dayPasses(admin)
    const act = (what: string) =>
      app.done({ path: `/api/team/users/${staff.userId}/${what}`, token: admin.token, body: {} })
    await act('deactivate')
    await askDue(admin)
    expect(await spotCounts(admin)).toEqual([])
    expect(await list(admin)).toMatchObject({ spot_schedules: [{ next_on: null }] })
    await act('reactivate')
    await askDue(admin)
    expect(await skusOf(admin)).toEqual([['A-1', 'A-2']])
  })

  it('asks nobody for whom the plan has no seat', async () => {
    const { admin, staff } = await companyWithStock()
    await scheduled(admin, { userId: staff.userId })
    await dayPasses(admin)
    await app.owner.query('update users set seated = false where id = $1', [staff.userId])
    await askDue(admin)
    expect(await list(admin)).toMatchObject({ spot_schedules: [{ next_on: null }] })
    expect((await told(admin))[0]).toMatchObject({ by: admin.name })
  })

  it('asks for all the others where one fails, and for that one when it can', async () => {
    const { admin, today } = await companyWithStock()
    await scheduled(admin)
    await scheduled(admin, { location: 'SECONDARY' })
    await dayPasses(admin)
    await app.owner.query(`
      create function refuse_primary() returns trigger language plpgsql as $$
      begin
        if new.tenant_id = '${admin.tenantId}' and new.location = 'PRIMARY' then raise 'not now'; end if;
        return new;
      end
      $$;
      create trigger refuse_primary before insert on spot_counts for each row execute function refuse_primary()`)
    try {
      expect(await askDue(admin)).toEqual([expect.objectContaining({ message: 'not now' })])
    } finally {
      await app.owner.query('drop trigger refuse_primary on spot_counts; drop function refuse_primary')
    }
    const due = async () => (await spotCounts(admin)).map(({ due_on: on }) => on)
    expect(await due()).toEqual([dayBefore(today), today])
    expect(await askDue(admin)).toEqual([])
    expect(await due()).toEqual([today, today])
  })

  it('asks for no day anew that is the present one once more where the time zone was changed', async () => {
    const { admin, today, timeZone } = await companyWithStock()
    await scheduled(admin)
    await app.owner.query('update spot_schedules set asked_on = asked_on + 1 where tenant_id = $1', [
      admin.tenantId,
    ])
    expect(await isToAsk(admin)).toBe(false)
    await askDue(admin)
    expect(await told(admin)).toHaveLength(2)
    expect(await spotCounts(admin)).toMatchObject([{ due_on: today }])
    expect(await list(admin)).toMatchObject({ spot_schedules: [{ next_on: dayIn(timeZone, 2) }] })
  })

  it('asks for nothing at a location that the plan has no more', async () => {
    const { admin } = await companyWithStock()
    await scheduled(admin, { location: 'SECONDARY' })
    await dayPasses(admin)
    await app.owner.query(`update companies set plan = 'starter' where tenant_id = $1`, [admin.tenantId])
    await askDue(admin)
    expect(await list(admin)).toEqual({ spot_schedules: [] })
    await app.owner.query(`update companies set plan = 'professional' where tenant_id = $1`, [admin.tenantId])
    await askDue(admin)
    expect(await spotCounts(admin)).toMatchObject([{ first_skus: ['A-1', 'A-2'] }])
  })

  it('asks for nothing once the trial of a company that would have to pay is over', async () => {
    const { admin } = await companyWithStock()
    await scheduled(admin)
    await dayPasses(admin)
    await app.owner.query(
      `update companies set trial_ends_at = now() - interval '1 hour' where tenant_id = $1`,
      [admin.tenantId],
    )
    expect(await askDue(admin, 'stripe')).toEqual([])
    expect((await told(admin))[0]).toMatchObject({ by: admin.name })
    await askDue(admin, 'none')
    expect((await told(admin))[0]).toMatchObject({ by: 'Inventory Manager' })
  })

  it('keeps no company from it by another with a time zone that the database does not know', async () => {
    const [{ admin: odd }, { admin }] = [await companyWithStock(), await companyWithStock()]
    for (const each of [odd, admin]) {
      await scheduled(each)
      await dayPasses(each)
    }
    await app.owner.query(`update companies set time_zone = 'Mars/Olympus' where tenant_id = $1`, [
      odd.tenantId,
    ])
    expect([await isToAsk(odd), await isToAsk(admin)]).toEqual([false, true])
  })

  it('ends when an administrator says so; what it asked for last stays asked', async () => {
    const { admin, staff } = await companyWithStock()
    const id = await scheduled(admin, {
      userId: staff.userId,
      days: ['Sunday', ...daysOfWeek.slice(0, 6)],
    })
    expect((await end(admin, id)).body).toEqual({ success: true })
    expect(await list(admin)).toEqual({ spot_schedules: [] })
    expect(await skusOf(admin)).toEqual([['A-1', 'A-2']])
    expect((await told(admin))[0]).toMatchObject({
      by: admin.name,
      event: 'spot_schedule_ended',
      days: [...daysOfWeek],
      name: staff.name,
    })
    const again = await end(admin, id)
    expect([again.status, again.body]).toMatchObject([404, { code: 'not_found' }])
  })
})

describe('a recurring spot count is refused', () => {
  it.each<[string, Scheduling, string]>([
    ['without a day', { days: [] }, 'Choose at least one day.'],
    ['on a day of no week', { days: ['Someday'] }, 'must be one of Monday'],
    ['for no time', { minutes: 0 }, 'must be a whole number from 1 to 480.'],
    ['for nobody', { people: 0 }, 'must be a whole number from 1 to 20.'],
    ['for a part of somebody', { people: 1.5 }, 'must be a whole number from 1 to 20.'],
  ])('%s', async (_, scheduling, said) => {
    const { admin } = await companyWithStock()
    const { status, body } = await schedule(admin, scheduling)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(said)
    expect(await list(admin)).toEqual({ spot_schedules: [] })
  })

  it('to staff, of a location that the plan does not have, and for people who are not there', async () => {
    const { admin, staff } = await companyWithStock()
    expect((await schedule(staff)).status).toBe(403)
    expect((await app.ask({ method: 'GET', path, token: staff.token })).status).toBe(403)
    const id = await scheduled(admin)
    expect((await end(staff, id)).status).toBe(403)
    const elsewhere = await schedule(admin, { location: 'DISTRIBUTION' })
    expect([elsewhere.status, elsewhere.body]).toMatchObject([403, { code: 'location_not_in_plan' }])
    await app.done({ path: `/api/team/users/${staff.userId}/deactivate`, token: admin.token, body: {} })
    const gone = await schedule(admin, { userId: staff.userId })
    expect([gone.status, gone.body]).toMatchObject([404, { error: 'There is no active user with this id.' }])
  })

  it('where the same recurs already', async () => {
    const { admin, staff, timeZone } = await companyWithStock()
    const days = [weekdayIn(timeZone, 1), weekdayIn(timeZone, 3)]
    const id = await scheduled(admin, { days })
    const again = await schedule(admin, { days: days.toReversed() })
    expect([again.status, again.body]).toMatchObject([400, { error: 'The same spot count recurs already.' }])
    await scheduled(admin, { days, minutes: 7 })
    await scheduled(admin, { days, userId: staff.userId })
    expect((await end(admin, id)).status).toBe(200)
    await scheduled(admin, { days })
  })

  it('where there are twenty already', async () => {
    const { admin, timeZone } = await companyWithStock()
    const days = [weekdayIn(timeZone, 1)]
    for (let place = 0; place < 20; place += 1) await scheduled(admin, { days, minutes: 100 + place })
    const { status, body } = await schedule(admin, { days })
    expect([status, body]).toMatchObject([
      400,
      { error: 'There are 20 recurring spot counts. End one first.' },
    ])
    // Those of a location that the plan has no more are in nobody's way.
    await app.owner.query(`update spot_schedules set location = 'DISTRIBUTION' where tenant_id = $1`, [
      admin.tenantId,
    ])
    await scheduled(admin, { days })
  })
})
