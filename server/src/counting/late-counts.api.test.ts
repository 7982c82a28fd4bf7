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
let admin: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** A company with 10 of A-1, known for a day. */
async function begin(): Promise<void> {
  admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  staff = await makeStaff(app, admin)
  const body = [{ barcode: 'A-1', primary_quantity: 10 }]
  await app.done({ path: '/api/components/import', token: admin.token, body })
}

let scans = 0

async function scan(quantity: number, minutes: number, barcode = 'A-1'): Promise<unknown> {
  return await scanBy({}, { quantity, minutes, barcode })
}

/** A scan from a device that says what its clock shows as it sends, which is what it should. */
const scanByClock = (quantity: number, minutes: number) =>
  scanBy({ 'sent-at': ago(0) }, { quantity, minutes, barcode: 'A-1' })

type Scan = { quantity: number; minutes: number; barcode: string }

async function scanBy(
  headers: Record<string, string>,
  { quantity, minutes, barcode }: Scan,
): Promise<unknown> {
  scans += 1
  const body = { barcode, quantity, location: 'PRIMARY', source: 'monthly', session: 's' }
  const request = { path: '/api/components/update-with-tracking', token: staff.token, key: `late-${scans}` }
  const reply = await app.ask({ ...request, headers, body: { ...body, timestamp: ago(minutes) } })
  expect(reply.status).toBe(200)
  return reply.body
}

/** A count of an administrator's cycle, now. */
const scanAsAdmin = (quantity: number) =>
  app.done({
    path: '/api/components/update-with-tracking',
    token: admin.token,
    body: { barcode: 'A-1', quantity, location: 'PRIMARY', source: 'admin', session: 'c', timestamp: ago(0) },
  })

const undoLast = () =>
  app.ask({ path: '/api/components/undo-count', token: staff.token, body: { key: `late-${scans}` } })

const setStock = (quantity: number) =>
  app.ask({
    path: '/api/components/update-quantity',
    token: admin.token,
    body: { barcode: 'A-1', quantity, location: 'PRIMARY' },
  })

const begun = z.object({ import: z.object({ id: z.string() }) })

/** Imports a file of one component, and says its id. */
async function importStock(barcode: string, quantity: number): Promise<string> {
  const post = (path: string, body: object) =>
    app.ask({ path: `/api/imports${path}`, token: admin.token, body })
  const made = await post('', {
    name: 'stock.csv',
    fields: ['barcode', 'primary_quantity'],
    keep_existing: false,
  })
  const { id } = begun.parse(made.body).import
  await post(`/${id}/rows`, { rows: [{ line: 2, cells: [barcode, String(quantity)] }] })
  expect(await post(`/${id}/commit`, {})).toMatchObject({ status: 200 })
  return id
}

async function undoImport(id: string): Promise<void> {
  const reply = await app.ask({ path: `/api/imports/${id}/undo`, token: admin.token, body: {} })
  expect(reply).toMatchObject({ status: 200 })
}

/** All movements so far, in their order, some minutes earlier. */
async function makeOlder(minutes: number): Promise<void> {
  await app.owner.query(
    `alter table movements disable trigger user;
     update movements set id = overlay(id::text placing left(id_at(instant_of(id) - interval '${minutes} minutes')::text, 13) from 1)::uuid
     where tenant_id = '${admin.tenantId}';
     alter table movements enable trigger user`,
  )
}

async function differences(): Promise<unknown> {
  return (await app.ask({ method: 'GET', path: '/api/discrepancies', token: admin.token })).body
}

async function decide(decision: string): Promise<void> {
  const { rows } = await app.owner.query<{ id: string }>(
    `select id from discrepancies where tenant_id = $1 and status = 'open'`,
    [admin.tenantId],
  )
  const body = { ids: rows.map(({ id }) => id), decision, reason: 'Damaged' }
  const reply = await app.ask({ path: '/api/discrepancies/decide', token: admin.token, body })
  expect(reply.status).toBe(200)
}

const counted = async () => {
  const path = '/api/components/with-count-status'
  return (await app.ask({ path, token: staff.token, body: { location: 'PRIMARY' } })).body
}

const history = async () =>
  (await app.ask({ method: 'GET', path: '/api/count-history', token: admin.token })).body

describe('a count that comes two to five minutes late', () => {
  it('is judged by the stock of its moment where the clock of its device is known', async () => {
    await begin()
    await makeOlder(1440)
    await setStock(6)
    expect(await scanByClock(10, 3)).toMatchObject({ matched: true })
    expect(await scanByClock(6, 1)).toMatchObject({ matched: true })
  })

  it('is judged by the stock there is where it is not', async () => {
    await begin()
    await makeOlder(1440)
    await setStock(6)
    expect(await scan(10, 3)).toMatchObject({ matched: false })
  })
})

describe('a count that comes late', () => {
  it('closes no difference that was found after it, and is kept beside it', async () => {
    await begin()
    await scan(8, 60)
    await scan(8, 58)
    expect(await scan(10, 120)).toMatchObject({ matched: true })
    expect(await differences()).toMatchObject({
      discrepancies: [{ status: 'open', counted: 8, difference: -2, attempts: [{}, {}, { counted: 10 }] }],
    })
    expect(await history()).toMatchObject({ history: [{ quantity: 8 }, { quantity: 10 }] })
  })

  it('changes nothing of a difference that was found after it when it is another number', async () => {
    await begin()
    await scan(8, 60)
    await scan(8, 58)
    await scan(3, 120)
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'open', counted: 8 }] })
  })

  it('and is taken back, leaves the difference that was found after it', async () => {
    await begin()
    await scan(8, 60)
    await scan(8, 58)
    await scan(3, 120)
    await scan(4, 110)
    expect((await undoLast()).status).toBe(200)
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'open', counted: 8 }] })
  })

  it('is judged by the stock of when it was scanned', async () => {
    await begin()
    await app.owner.query(
      `alter table movements disable trigger user; update movements set id = id_at(now() - interval '1 day') where tenant_id = '${admin.tenantId}'; alter table movements enable trigger user`,
    )
    await setStock(4)
    expect(await scan(10, 60)).toMatchObject({ matched: true })
    expect(await scan(4, 59)).toMatchObject({ matched: false })
    expect(await scan(4, 0)).toMatchObject({ matched: true })
  })

  it('is judged by the first quantity there ever was, where none was known before', async () => {
    await begin()
    expect(await scan(10, 60)).toMatchObject({ matched: true })
  })

  it('is judged by the first import that stands, not by one before it that was undone', async () => {
    await begin()
    await undoImport(await importStock('Z-1', 100))
    await importStock('Z-1', 40)
    expect(await scan(40, 60, 'Z-1')).toMatchObject({ matched: true })
  })

  it('is judged by the first import that stands, though one before it was undone before the scan', async () => {
    await begin()
    await undoImport(await importStock('Z-1', 100))
    await makeOlder(120)
    await importStock('Z-1', 40)
    expect(await scan(40, 60, 'Z-1')).toMatchObject({ matched: true })
  })

  it('is judged without an import that was made after it and undone', async () => {
    await begin()
    await makeOlder(24 * 60)
    await undoImport(await importStock('A-1', 100))
    expect(await scan(10, 60)).toMatchObject({ matched: true })
  })

  it('is judged without an import that was undone after it', async () => {
    await begin()
    await makeOlder(24 * 60)
    const id = await importStock('A-1', 100)
    await makeOlder(120)
    await undoImport(id)
    expect(await scan(10, 60)).toMatchObject({ matched: true })
  })

  it('is judged with an import that was made after it and stands', async () => {
    await begin()
    await makeOlder(24 * 60)
    await importStock('A-1', 100)
    expect(await scan(10, 60)).toMatchObject({ matched: true })
    expect(await scan(100, 0)).toMatchObject({ matched: true })
  })

  it('agrees with a shortage that was found before it and accepted since', async () => {
    await begin()
    await scan(8, 62)
    await scan(8, 61)
    await decide('accept')
    expect(await scan(8, 60)).toMatchObject({ matched: true })
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'accepted' }] })
  })

  it('does not bring back a mark that was reset after it', async () => {
    await begin()
    await scan(10, 30)
    await app.done({
      path: '/api/components/reset-counts',
      token: staff.token,
      body: { location: 'PRIMARY' },
    })
    expect(await scan(10, 60)).toMatchObject({ matched: true, progress: { counted: 0, total: 1 } })
    expect(await counted()).toMatchObject({ counted: 0, components: [{ counted: false }] })
    await scan(10, 0)
    expect(await counted()).toMatchObject({ counted: 1 })
    expect((await undoLast()).status).toBe(200)
    expect(await counted()).toMatchObject({ counted: 0, components: [{ counted: false }] })
  })

  it('is not the recount that was asked for after it', async () => {
    await begin()
    await scan(8, 62)
    await scan(8, 61)
    await decide('recount')
    await scan(10, 60)
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'recount' }] })
    await scan(10, 0)
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'matched' }] })
  })

  it('leaves the time of a recount that was asked for, so that one made since does it', async () => {
    await begin()
    await scan(8, 62)
    await scan(8, 61)
    await decide('recount')
    await app.owner.query(
      `update discrepancies set updated_at = now() - interval '40 minutes' where tenant_id = $1`,
      [admin.tenantId],
    )
    await scan(10, 60)
    expect(await scan(10, 20)).toMatchObject({ matched: true })
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'matched' }] })
  })

  it('leaves the time of a reset, so that what was counted since is marked', async () => {
    await begin()
    await scan(10, 70)
    await app.done({
      path: '/api/components/reset-counts',
      token: staff.token,
      body: { location: 'PRIMARY' },
    })
    await app.owner.query(
      `with resets as (update count_resets set reset_at = now() - interval '40 minutes' where tenant_id = $1)
       update stock set cleared_at = now() - interval '40 minutes' where tenant_id = $1 and cleared_at is not null`,
      [admin.tenantId],
    )
    await scan(10, 60)
    expect(await counted()).toMatchObject({ counted: 0 })
    await scan(10, 20)
    expect(await counted()).toMatchObject({ counted: 1 })
  })

  it('is marked though another count of the same was taken back before it came', async () => {
    await begin()
    await scan(10, 0)
    expect((await undoLast()).status).toBe(200)
    await scan(10, 20)
    expect(await counted()).toMatchObject({ counted: 1 })
  })

  it('as a second wrong number is a count, which waits with the number that was scanned last', async () => {
    await begin()
    await scan(8, 10)
    expect(await scan(7, 20)).toMatchObject({ recorded: true, attempt: 2 })
    expect(await differences()).toMatchObject({
      discrepancies: [{ status: 'open', counted: 8, attempts: [{ counted: 8 }, { counted: 7 }] }],
    })
    expect((await undoLast()).status).toBe(200)
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'attempted', counted: 8 }] })
  })

  it('is announced without a mark where it sets none', async () => {
    await begin()
    await scan(10, 30)
    await app.done({
      path: '/api/components/reset-counts',
      token: staff.token,
      body: { location: 'PRIMARY' },
    })
    await scan(10, 60)
    const path = '/api/audit/trail?limit=1'
    expect((await app.ask({ method: 'GET', path, token: admin.token })).body).toMatchObject({
      entries: [{ sku: 'A-1', metadata: { sets_mark: false } }],
    })
  })

  it('by no more than clocks are off, counts as one of now', async () => {
    await begin()
    await scan(10, 4)
    await app.done({
      path: '/api/components/reset-counts',
      token: staff.token,
      body: { location: 'PRIMARY' },
    })
    await scan(10, 4)
    expect(await counted()).toMatchObject({ counted: 1 })
  })
})

describe('an entry that is taken back', () => {
  it('gives back the one before it, though that was scanned a little later', async () => {
    await begin()
    await scan(8, 2)
    await scan(6, 3)
    expect((await undoLast()).status).toBe(200)
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'attempted', counted: 8 }] })
  })

  it('gives back the one that stood, not one that came late', async () => {
    await begin()
    await scan(8, 60)
    await scan(8, 58)
    await scan(3, 120)
    await scan(9, 0)
    expect((await undoLast()).status).toBe(200)
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'open', counted: 8 }] })
  })
})

describe('a recount asked for in an earlier month', () => {
  const recounts = async () =>
    (await app.ask({ method: 'GET', path: '/api/recounts', token: admin.token })).body

  /** A difference of the month before, to be counted again. */
  async function beginEarlier(): Promise<void> {
    await begin()
    await scan(8, 3)
    await scan(8, 2)
    await app.owner.query(
      `update discrepancies set period_start = period_start - interval '40 days' where tenant_id = $1`,
      [admin.tenantId],
    )
  }

  it('is done by the next count of its kind, and what was found then stays as it was', async () => {
    await beginEarlier()
    await decide('recount')
    expect(await recounts()).toMatchObject({ recounts: [{ sku: 'A-1' }] })
    expect(await scan(10, 0)).toMatchObject({ matched: true })
    expect(await recounts()).toEqual({ recounts: [], total: 0 })
    expect(await differences()).toMatchObject({
      discrepancies: [{ status: 'dismissed', reason: 'Counted again', counted: 8, attempts: [{}, {}] }],
    })
  })

  const told = z.object({
    entries: z.array(z.object({ quantity: z.number(), metadata: z.record(z.string(), z.unknown()) })),
  })

  /** What the trail says of differences that a count ended. */
  async function settled() {
    const { body } = await app.ask({ method: 'GET', path: '/api/audit/trail?sku=A-1', token: admin.token })
    return told.parse(body).entries.filter(({ metadata }) => metadata['event_type'] === 'discrepancy_settled')
  }

  it('is told of in the trail when it is done', async () => {
    await beginEarlier()
    await decide('recount')
    await scan(10, 0)
    expect(await settled()).toMatchObject([
      { quantity: 8, metadata: { reason: 'Counted again', expected: 10, counted: 8 } },
    ])
  })

  it('is told of as what it became where it was asked for in this month', async () => {
    await begin()
    await scan(8, 3)
    await scan(8, 2)
    await decide('recount')
    await scan(10, 0)
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'matched' }] })
    expect(await settled()).toMatchObject([{ quantity: 8, metadata: { reason: 'Matched' } }])
  })

  it('is told of as ended where a scan does it that came after a newer count', async () => {
    await begin()
    await scan(8, 3)
    await scan(8, 2)
    await decide('recount')
    await app.owner.query(
      `with tried as (
         update count_attempts set counted_at = counted_at - interval '3 hours' where tenant_id = $1
       )
       update discrepancies set updated_at = updated_at - interval '2 hours' where tenant_id = $1`,
      [admin.tenantId],
    )
    await scanAsAdmin(10)
    await scan(7, 30)
    expect(await differences()).toMatchObject({
      discrepancies: [{ status: 'dismissed', reason: 'Counted since' }],
    })
    expect(await settled()).toMatchObject([{ quantity: 8, metadata: { reason: 'Counted since' } }])
  })

  it('is done once a further difference is recorded, which is one of this month', async () => {
    await beginEarlier()
    await decide('recount')
    expect(await scan(7, 2)).toMatchObject({ recorded: false, attempt: 1 })
    expect(await recounts()).toMatchObject({ recounts: [{ sku: 'A-1' }] })
    expect(await scan(7, 1)).toMatchObject({ recorded: true, attempt: 2 })
    expect(await recounts()).toEqual({ recounts: [], total: 0 })
    expect(await differences()).toMatchObject({
      discrepancies: [
        { status: 'open', counted: 7 },
        { status: 'dismissed', reason: 'Counted again' },
      ],
    })
  })

  it('is done as well where this month has a difference of its own', async () => {
    await beginEarlier()
    await scan(7, 1)
    await decide('recount')
    await scan(10, 0)
    expect(await recounts()).toEqual({ recounts: [], total: 0 })
    expect(await differences()).toMatchObject({
      discrepancies: [{ status: 'matched' }, { status: 'dismissed', reason: 'Counted again' }],
    })
  })
})
