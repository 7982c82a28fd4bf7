import type { PlanKey } from '@inventory-manager/contract/plans'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const day = 86_400_000
const zone = zoneOfNoon()

const skus = Array.from({ length: 12 }, (_, index) => `S-${String(index + 1).padStart(2, '0')}`)

async function companyWithStock(part: { plan?: PlanKey; timeZone?: string } = {}): Promise<Person> {
  const admin = await makeCompany(app, { timeZone: zone, ...part })
  await app.done({
    path: '/api/components/import',
    token: admin.token,
    body: skus.map((barcode) => ({ barcode, description: `Part ${barcode}` })),
  })
  return admin
}

let scans = 0

async function scan(person: Person, part: Record<string, unknown> = {}): Promise<void> {
  scans += 1
  const reply = await app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    body: {
      barcode: 'S-01',
      quantity: 0,
      location: 'PRIMARY',
      source: 'monthly',
      session: `s${scans}`,
      timestamp: new Date().toISOString(),
      ...part,
    },
  })
  if (reply.status !== 200) throw new Error(`The scan answered ${reply.status}.`)
}

/** The same moment of the day, some days ago. */
const daysAgo = (days: number) => new Date(Date.now() - days * day + 60_000).toISOString()

function calendarDay(at: string | Date, timeZone = zone): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(at))
}

const chart = async (person: Person, path: string) =>
  (await app.ask({ method: 'GET', path: `/api/analytics/${path}`, token: person.token })).body

const progressReply = z.object({ days: z.array(z.object({ day: z.string(), scans: z.int() })) })
const trendsReply = z.object({
  weeks: z.array(
    z.object({
      week_start: z.string(),
      days: z.array(z.object({ day: z.string(), scans: z.int() })),
    }),
  ),
})

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

async function historyRows(person: Person): Promise<number> {
  const { rows } = await app.owner.query<{ n: number }>(
    'select count(*)::integer as n from count_history where tenant_id = $1',
    [person.tenantId],
  )
  return rows[0]?.n ?? -1
}

describe('progress over time', () => {
  it('has the scans of each day and their running total, oldest first', async () => {
    const admin = await companyWithStock()
    for (const ago of [0, 6, 3, 3, 6, 6]) await scan(admin, { timestamp: daysAgo(ago) })
    expect(await chart(admin, 'progress-over-time')).toEqual({
      days: [
        { day: calendarDay(daysAgo(6)), scans: 3, cumulative: 3 },
        { day: calendarDay(daysAgo(3)), scans: 2, cumulative: 5 },
        { day: calendarDay(daysAgo(0)), scans: 1, cumulative: 6 },
      ],
    })
  })

  it('can be that of one location, by its code or name', async () => {
    const admin = await companyWithStock()
    await scan(admin, { timestamp: daysAgo(2) })
    await scan(admin, { location: 'SECONDARY', timestamp: daysAgo(2) })
    await scan(admin, { location: 'SECONDARY' })
    const secondary = {
      days: [
        { day: calendarDay(daysAgo(2)), scans: 1, cumulative: 1 },
        { day: calendarDay(daysAgo(0)), scans: 1, cumulative: 2 },
      ],
    }
    expect(await chart(admin, 'progress-over-time?location=SECONDARY')).toEqual(secondary)
    expect(await chart(admin, 'progress-over-time?location=Secondary%20Warehouse')).toEqual(secondary)
    expect(await chart(admin, 'progress-over-time')).toMatchObject({
      days: [
        { scans: 2, cumulative: 2 },
        { scans: 1, cumulative: 3 },
      ],
    })
  })

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata'])(
    'has days of the calendar of the company in %s',
    async (timeZone) => {
      const admin = await companyWithStock({ timeZone })
      const moments = [1, 7, 13, 19].map((hours) => new Date(Date.now() - day - hours * 3_600_000))
      for (const moment of moments) await scan(admin, { timestamp: moment.toISOString() })
      const days = [...new Set(moments.map((moment) => calendarDay(moment, timeZone)))].toSorted()
      expect(await chart(admin, 'progress-over-time')).toMatchObject({
        days: days.map((name) => ({
          day: name,
          scans: moments.filter((moment) => calendarDay(moment, timeZone) === name).length,
        })),
      })
    },
  )

  it('counts every scan of many people at once', async () => {
    const admin = await companyWithStock()
    const staff = await makeStaff(app, admin)
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        scan(index % 2 === 0 ? admin : staff, { barcode: skus[index % 12] }),
      ),
    )
    expect(await chart(admin, 'progress-over-time')).toMatchObject({ days: [{ scans: 60, cumulative: 60 }] })
  })

  it('adds up to the history of counts: matches, recorded differences, and no first attempts', async () => {
    const admin = await companyWithStock()
    await scan(admin)
    await scan(admin, { barcode: 'S-02', quantity: 4 })
    await scan(admin, { barcode: 'S-02', quantity: 4 })
    await scan(admin, { barcode: 'S-03', quantity: 4 })
    const { days } = progressReply.parse(await chart(admin, 'progress-over-time'))
    expect(sum(days.map((row) => row.scans))).toBe(2)
    expect(await historyRows(admin)).toBe(2)
  })

  it('has the counts that were appended to the history too', async () => {
    const admin = await companyWithStock()
    await scan(admin)
    await app.done({
      path: '/api/count-history',
      token: admin.token,
      body: { sku: 'S-01', quantity: 1, location: 'PRIMARY', count_type: 'admin' },
    })
    const { days } = progressReply.parse(await chart(admin, 'progress-over-time'))
    expect(sum(days.map((row) => row.scans))).toBe(await historyRows(admin))
  })

  it('has no day whose only scans were taken back', async () => {
    const admin = await companyWithStock()
    const count = { barcode: 'S-01', quantity: 0, location: 'PRIMARY', source: 'monthly', session: 's' }
    const body = { ...count, timestamp: new Date().toISOString() }
    await app.done({ path: '/api/components/update-with-tracking', token: admin.token, key: 'only', body })
    await app.done({ path: '/api/components/undo-count', token: admin.token, body: { key: 'only' } })
    expect(await chart(admin, 'progress-over-time')).toEqual({ days: [] })
    await scan(admin, { barcode: 'S-02', timestamp: daysAgo(2) })
    expect(await chart(admin, 'progress-over-time')).toEqual({
      days: [{ day: calendarDay(daysAgo(2)), scans: 1, cumulative: 1 }],
    })
  })

  it('stays when the month is reset', async () => {
    const admin = await companyWithStock()
    await scan(admin)
    await app.done({
      path: '/api/components/reset-counts',
      token: admin.token,
      body: { location: 'PRIMARY', count_type: 'monthly' },
    })
    expect(await chart(admin, 'progress-over-time')).toMatchObject({ days: [{ scans: 1 }] })
    expect(await chart(admin, 'top-skus')).toMatchObject({ skus: [{ sku: 'S-01', scans: 1 }] })
  })
})

describe('the top SKUs', () => {
  /** S-01 once, S-02 twice, … S-12 twelve times. */
  async function scanLadder(admin: Person): Promise<void> {
    await Promise.all(
      skus.flatMap((barcode, index) => Array.from({ length: index + 1 }, () => scan(admin, { barcode }))),
    )
  }

  it('are the ten most scanned of twelve, most scanned first', async () => {
    const admin = await companyWithStock()
    await scanLadder(admin)
    expect(await chart(admin, 'top-skus')).toEqual({
      skus: [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((times) => ({
        sku: `S-${String(times).padStart(2, '0')}`,
        description: `Part S-${String(times).padStart(2, '0')}`,
        scans: times,
      })),
    })
  })

  it('scanned equally often stand in the order of their barcodes', async () => {
    const admin = await companyWithStock()
    await app.done({ path: '/api/components/import', token: admin.token, body: [{ barcode: 'A-1' }] })
    for (const barcode of [...skus, 'A-1']) await scan(admin, { barcode })
    expect(await chart(admin, 'top-skus')).toMatchObject({
      skus: ['A-1', ...skus.slice(0, 9)].map((sku) => ({ sku, scans: 1 })),
    })
  })

  it('can be those of one location', async () => {
    const admin = await companyWithStock()
    await scan(admin, { barcode: 'S-01' })
    await scan(admin, { barcode: 'S-01' })
    await scan(admin, { barcode: 'S-02', location: 'SECONDARY' })
    expect(await chart(admin, 'top-skus?location=SECONDARY')).toMatchObject({
      skus: [{ sku: 'S-02', scans: 1 }],
    })
    expect(await chart(admin, 'top-skus?location=Secondary%20Warehouse')).toMatchObject({
      skus: [{ sku: 'S-02', scans: 1 }],
    })
    expect(await chart(admin, 'top-skus')).toMatchObject({
      skus: [
        { sku: 'S-01', scans: 2 },
        { sku: 'S-02', scans: 1 },
      ],
    })
  })
})

describe('the heatmap', () => {
  it('has the scans of a SKU at all four locations', async () => {
    const admin = await companyWithStock({ plan: 'enterprise' })
    const places = ['PRIMARY', 'SECONDARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION', 'DISTRIBUTION']
    for (const location of places) await scan(admin, { location })
    await scan(admin, { barcode: 'S-02', location: 'FULFILLMENT' })
    expect(await chart(admin, 'heatmap')).toEqual({
      skus: [
        {
          sku: 'S-01',
          description: 'Part S-01',
          scans: { PRIMARY: 1, SECONDARY: 2, FULFILLMENT: 1, DISTRIBUTION: 2 },
        },
        {
          sku: 'S-02',
          description: 'Part S-02',
          scans: { PRIMARY: 0, SECONDARY: 0, FULFILLMENT: 1, DISTRIBUTION: 0 },
        },
      ],
    })
  })

  it('shows ten SKUs at most', async () => {
    const admin = await companyWithStock()
    for (const barcode of skus) await scan(admin, { barcode })
    expect(await chart(admin, 'heatmap')).toHaveProperty('skus.length', 10)
  })
})

describe('the weekly trends', () => {
  it('are four weeks of seven days from Monday on, the last of them this week', async () => {
    const admin = await companyWithStock()
    const { weeks } = trendsReply.parse(await chart(admin, 'weekly-trends?location=PRIMARY'))
    const weekdays = weeks.map(({ days }) =>
      days.map((row) =>
        new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' }).format(new Date(row.day)),
      ),
    )
    const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
    expect(weekdays).toEqual([week, week, week, week])
    expect(weeks.map((row) => row.days[0]?.day)).toEqual(weeks.map((row) => row.week_start))
    const days = weeks.flatMap((row) => row.days.map((each) => each.day))
    expect(days.slice(21)).toContain(calendarDay(new Date()))
    const first = new Date(days[0] ?? '').getTime()
    expect(days).toEqual(days.map((_, index) => calendarDay(new Date(first + index * day), 'UTC')))
  })

  it('have the scans of each day at the location', async () => {
    const admin = await companyWithStock()
    for (const ago of [0, 2, 2, 6]) await scan(admin, { timestamp: daysAgo(ago) })
    await scan(admin, { location: 'SECONDARY' })
    const { weeks } = trendsReply.parse(await chart(admin, 'weekly-trends?location=Primary%20Warehouse'))
    const counted = weeks.flatMap(({ days }) => days).filter((row) => row.scans > 0)
    expect(counted).toEqual([
      { day: calendarDay(daysAgo(6)), scans: 1 },
      { day: calendarDay(daysAgo(2)), scans: 2 },
      { day: calendarDay(daysAgo(0)), scans: 1 },
    ])
  })

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York'])(
    'hold today and a scan of now on the calendar of %s',
    async (timeZone) => {
      const admin = await companyWithStock({ timeZone })
      await scan(admin)
      const { weeks } = trendsReply.parse(await chart(admin, 'weekly-trends?location=PRIMARY'))
      expect(weeks[3]?.days.filter((row) => row.scans > 0)).toEqual([
        { day: calendarDay(new Date(), timeZone), scans: 1 },
      ])
    },
  )

  it('need a location', async () => {
    const { token } = await companyWithStock()
    const reply = await app.ask({ method: 'GET', path: '/api/analytics/weekly-trends', token })
    expect([reply.status, reply.body]).toMatchObject([400, { error: 'location is missing.' }])
  })
})

describe('the charts of a company that has scanned nothing', () => {
  it('are empty', async () => {
    const admin = await makeCompany(app)
    expect(await chart(admin, 'progress-over-time')).toEqual({ days: [] })
    expect(await chart(admin, 'top-skus')).toEqual({ skus: [] })
    expect(await chart(admin, 'heatmap')).toEqual({ skus: [] })
    const { weeks } = trendsReply.parse(await chart(admin, 'weekly-trends?location=PRIMARY'))
    expect(sum(weeks.flatMap(({ days }) => days.map((row) => row.scans)))).toBe(0)
  })
})

describe('all charts of 200 scans', () => {
  it('add up to the rows of the history', async () => {
    const admin = await companyWithStock({ plan: 'enterprise' })
    const places = ['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION']
    const work = Array.from({ length: 200 }, (_, index) => ({
      barcode: skus[index % 10],
      location: places[index % 4],
      timestamp: daysAgo(index % 7),
    }))
    for (let start = 0; start < work.length; start += 20) {
      await Promise.all(work.slice(start, start + 20).map((part) => scan(admin, part)))
    }
    const { days } = progressReply.parse(await chart(admin, 'progress-over-time'))
    const top = z
      .object({ skus: z.array(z.object({ scans: z.int() })) })
      .parse(await chart(admin, 'top-skus'))
    const heat = z
      .object({ skus: z.array(z.object({ scans: z.record(z.string(), z.int()) })) })
      .parse(await chart(admin, 'heatmap'))
    const trends = await Promise.all(
      places.map(async (place) => trendsReply.parse(await chart(admin, `weekly-trends?location=${place}`))),
    )
    expect([
      await historyRows(admin),
      sum(days.map((row) => row.scans)),
      sum(top.skus.map((row) => row.scans)),
      sum(heat.skus.flatMap((row) => Object.values(row.scans))),
      sum(trends.flatMap(({ weeks }) => weeks.flatMap((week) => week.days.map((row) => row.scans)))),
    ]).toEqual([200, 200, 200, 200, 200])
  })
})

describe('a chart', () => {
  it.each(['progress-over-time', 'top-skus', 'weekly-trends'])(
    'of an unknown location is refused: %s',
    async (path) => {
      const admin = await makeCompany(app)
      const reply = await app.ask({
        method: 'GET',
        path: `/api/analytics/${path}?location=Moon`,
        token: admin.token,
      })
      expect([reply.status, reply.body]).toMatchObject([400, { error: 'Invalid location selected.' }])
    },
  )

  it('can be read by staff', async () => {
    const staff = await makeStaff(app, await companyWithStock())
    for (const path of ['progress-over-time', 'top-skus', 'heatmap', 'weekly-trends?location=PRIMARY']) {
      const reply = await app.ask({ method: 'GET', path: `/api/analytics/${path}`, token: staff.token })
      expect([path, reply.status]).toEqual([path, 200])
    }
  })
})
