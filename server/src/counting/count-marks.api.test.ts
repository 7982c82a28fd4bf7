import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'

let app: TestApp
let admin: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const ask = (path: string, body: object) => app.ask({ path, token: staff.token, body })

/** A company with 10 of A-1, which is counted weekly on Mondays. */
async function begin(): Promise<void> {
  admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  staff = await makeStaff(app, admin)
  const rows = [{ barcode: 'A-1', primary_quantity: 10 }]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  const body = { barcode: 'A-1', assignments: { Monday: ['PRIMARY'] } }
  await app.done({ path: '/api/components/configure-high-volume', token: admin.token, body })
}

async function scan(part: { quantity?: number; minutes: number; day?: string }): Promise<unknown> {
  const { quantity = 10, minutes, day } = part
  const kind = day === undefined ? { source: 'monthly' } : { source: 'weekly', day }
  const entry = { barcode: 'A-1', quantity, location: 'PRIMARY', session: 's', ...kind }
  const reply = await ask('/api/components/update-with-tracking', { ...entry, timestamp: ago(minutes) })
  expect(reply.status).toBe(200)
  return reply.body
}

describe('the reply to a count says', () => {
  it('that it marks the component as counted', async () => {
    await begin()
    const reply = await scan({ minutes: 0 })
    expect(reply).toMatchObject({ matched: true, sets_mark: true })
    expect(reply).not.toHaveProperty('sets_weekly_mark')
  })

  it('that it marks nothing where it came late, after a reset of the location', async () => {
    await begin()
    await ask('/api/components/reset-counts', { location: 'PRIMARY' })
    expect(await scan({ minutes: 20 })).toMatchObject({
      matched: true,
      progress: { counted: 0, total: 1 },
      sets_mark: false,
    })
  })

  it('that it marks nothing where a difference was recorded late, after a reset', async () => {
    await begin()
    await ask('/api/components/reset-counts', { location: 'PRIMARY' })
    expect(await scan({ quantity: 8, minutes: 21 })).not.toHaveProperty('sets_mark')
    expect(await scan({ quantity: 8, minutes: 20 })).toMatchObject({
      matched: false,
      recorded: true,
      sets_mark: false,
    })
  })

  it('that it marks nothing today where it is of yesterday’s list', async () => {
    await begin()
    expect(await scan({ minutes: 24 * 60, day: 'Monday' })).toMatchObject({
      matched: true,
      progress: { counted: 0, total: 1 },
      sets_weekly_mark: false,
    })
    expect(await scan({ minutes: 0, day: 'Monday' })).toMatchObject({
      matched: true,
      progress: { counted: 1, total: 1 },
      sets_mark: true,
      sets_weekly_mark: true,
    })
  })

  it('that it marks nothing today where the day’s list was reset since', async () => {
    await begin()
    await ask('/api/components/reset-weekly-day', { location: 'PRIMARY', day: 'Monday' })
    expect(await scan({ minutes: 20, day: 'Monday' })).toMatchObject({
      matched: true,
      sets_mark: true,
      sets_weekly_mark: false,
    })
  })

  it.each([
    { reset: 'reset-counts', body: { location: 'PRIMARY' }, kind: {} },
    { reset: 'reset-weekly-day', body: { location: 'PRIMARY', day: 'Monday' }, kind: { day: 'Monday' } },
  ])(
    'that it is a first entry again after $reset, whatever was entered before',
    async ({ reset, body, kind }) => {
      await begin()
      expect(await scan({ ...kind, minutes: 3, quantity: 7 })).toMatchObject({ attempt: 1, recorded: false })
      await ask(`/api/components/${reset}`, body)
      const differences = async () =>
        (await app.ask({ method: 'GET', path: '/api/discrepancies', token: admin.token })).body
      expect(await differences()).toMatchObject({
        discrepancies: [{ status: 'dismissed', reason: 'Count reset', decided_by: null }],
      })
      expect(await scan({ ...kind, minutes: 1, quantity: 8 })).toMatchObject({ attempt: 1, recorded: false })
      expect(await scan({ ...kind, minutes: 0, quantity: 8 })).toMatchObject({ attempt: 2, recorded: true })
      expect(await differences()).toMatchObject({
        discrepancies: [{ status: 'open', counted: 8 }, { status: 'dismissed' }],
      })
    },
  )

  it.each([
    { reset: 'reset-counts', body: { location: 'PRIMARY' }, kind: {} },
    { reset: 'reset-weekly-day', body: { location: 'PRIMARY', day: 'Monday' }, kind: { day: 'Monday' } },
  ])(
    'that it is a first entry again after $reset, though a difference was recorded before',
    async ({ reset, body, kind }) => {
      await begin()
      const differences = async () =>
        (await app.ask({ method: 'GET', path: '/api/discrepancies', token: admin.token })).body
      for (const minutes of [4, 3]) await scan({ ...kind, minutes, quantity: 7 })
      await ask(`/api/components/${reset}`, body)
      expect(await scan({ ...kind, minutes: 2, quantity: 8 })).toEqual({
        success: false,
        matched: false,
        recorded: false,
        attempt: 1,
        message: 'Incorrect quantity for A-1',
      })
      expect(await differences()).toMatchObject({ discrepancies: [{ status: 'open', counted: 7 }] })
      expect(await scan({ ...kind, minutes: 1, quantity: 8 })).toMatchObject({
        recorded: true,
        sets_mark: true,
        progress: { counted: 1 },
      })
      expect(await differences()).toMatchObject({ discrepancies: [{ status: 'open', counted: 8 }] })
    },
  )

  // No test waits for the turn of a month: the month began ten minutes ago.
  const beginMonth = () =>
    app.owner.query(
      `create or replace function start_of_month(p_at timestamptz, p_zone text) returns timestamptz
       language sql stable parallel safe
       return case when p_at < '${ago(10)}' then '${ago(40_000)}'::timestamptz else '${ago(10)}'::timestamptz end`,
    )

  it('that it marks nothing this month where it is of the month before', async () => {
    await begin()
    await beginMonth()
    expect(await scan({ minutes: 20 })).toMatchObject({ matched: true, sets_mark: false })
    expect(await scan({ minutes: 0 })).toMatchObject({ matched: true, sets_mark: true })
  })

  it('how many are counted this month, also where it is of the month before', async () => {
    await begin()
    await beginMonth()
    expect(await scan({ minutes: 20 })).toMatchObject({ matched: true, progress: { counted: 0, total: 1 } })
    expect(await scan({ minutes: 0 })).toMatchObject({ matched: true, progress: { counted: 1, total: 1 } })
    expect(await scan({ minutes: 19 })).toMatchObject({ matched: true, progress: { counted: 1, total: 1 } })
  })
})
