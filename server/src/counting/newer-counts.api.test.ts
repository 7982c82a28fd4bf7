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

const listed = z.object({ discrepancies: z.array(z.object({ id: z.string(), status: z.string() })) })

async function post(path: string, body: unknown): Promise<unknown> {
  const reply = await app.ask({ path, token: admin.token, body })
  expect([path, reply.status]).toEqual([path, 200])
  return reply.body
}

/** A company that has had 10 of A-1 for a day, which is counted weekly on Mondays. */
async function begin(): Promise<void> {
  admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  staff = await makeStaff(app, admin)
  await post('/api/components/import', [{ barcode: 'A-1', primary_quantity: 10 }])
  await post('/api/components/configure-high-volume', {
    barcode: 'A-1',
    assignments: { Monday: ['PRIMARY'] },
  })
  await app.owner.query(
    `alter table movements disable trigger user;
     update movements set id = id_at(now() - interval '1 day') where tenant_id = '${admin.tenantId}';
     alter table movements enable trigger user`,
  )
}

let scans = 0
const lastKey = () => `newer-${scans}`

type Scan = { quantity: number; minutes: number; source?: string; location?: string; timestamp?: string }

/** A scan of A-1, some minutes ago; an administrator's where it is one of the admin view. */
async function scan({ minutes, ...part }: Scan): Promise<unknown> {
  scans += 1
  const who = part.source === 'admin' ? admin : staff
  const place = {
    barcode: 'A-1',
    location: 'PRIMARY',
    source: 'monthly',
    session: 's',
    timestamp: ago(minutes),
  }
  const week = part.source === 'weekly' ? { day: 'Monday' } : {}
  const reply = await app.ask({
    path: '/api/components/update-with-tracking',
    token: who.token,
    key: lastKey(),
    body: { ...place, ...week, ...part },
  })
  expect(reply.status).toBe(200)
  return reply.body
}

/** The same number twice, so that a difference is recorded. */
async function scanTwice(part: Scan): Promise<void> {
  await scan(part)
  await scan({ ...part, minutes: part.minutes - 0.1 })
}

const undo = (key: string, person = staff) =>
  app.ask({ path: '/api/components/undo-count', token: person.token, body: { key } })

async function undoLast(person = staff): Promise<void> {
  expect(await undo(lastKey(), person)).toMatchObject({ status: 200 })
}

const differences = async () =>
  (await app.ask({ method: 'GET', path: '/api/discrepancies?sort=oldest', token: admin.token })).body

async function decideOpen(decision: string): Promise<void> {
  const { discrepancies } = listed.parse(await differences())
  const ids = discrepancies.filter(({ status }) => status === 'open').map(({ id }) => id)
  await post('/api/discrepancies/decide', { ids, decision, reason: 'Damaged' })
}

async function stockOf(location = 'PRIMARY'): Promise<unknown> {
  const { rows } = await app.owner.query(
    `select quantity, counted_at is not null as counted, weekly_counted_at is not null as weekly
     from stock where tenant_id = $1 and location = $2`,
    [admin.tenantId, location],
  )
  return rows[0]
}

const recounts = async () =>
  (await app.ask({ method: 'GET', path: '/api/recounts', token: admin.token })).body

const trail = async (limit: number) =>
  (await app.ask({ method: 'GET', path: `/api/audit/trail?limit=${limit}`, token: admin.token })).body

/** Moves what was found so far into an earlier month. */
const moveToEarlierMonth = () =>
  app.owner.query(
    `update discrepancies set period_start = period_start - interval '40 days' where tenant_id = $1`,
    [admin.tenantId],
  )

const countedSince = { status: 'dismissed', reason: 'Counted since' }

describe('a late count that is wrong', () => {
  it('opens nothing where a newer count matched, and is kept', async () => {
    await begin()
    await scan({ quantity: 10, minutes: 0 })
    expect(await scan({ quantity: 8, minutes: 60 })).toMatchObject({ recorded: false, attempt: 1 })
    expect(await scan({ quantity: 8, minutes: 59 })).toMatchObject({ recorded: true, attempt: 2 })
    expect(await differences()).toMatchObject({
      discrepancies: [{ ...countedSince, counted: 8, decided_by: staff.name, attempts: [{}, {}] }],
    })
    const history = await app.ask({ method: 'GET', path: '/api/count-history', token: admin.token })
    expect(history.body).toMatchObject({ history: [{ quantity: 10 }, { quantity: 8 }] })
  })

  it('opens nothing where a newer count found something that is decided', async () => {
    await begin()
    await scanTwice({ quantity: 8, minutes: 0.2, source: 'admin' })
    await decideOpen('accept')
    await scanTwice({ quantity: 9, minutes: 60 })
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'accepted' }, countedSince] })
    expect(await stockOf()).toMatchObject({ quantity: 8 })
  })

  it('does not confirm a first entry that a newer count has disproved', async () => {
    await begin()
    await scan({ quantity: 8, minutes: 30 })
    await scan({ quantity: 10, minutes: 0, source: 'admin' })
    await scan({ quantity: 7, minutes: 40 })
    expect(await differences()).toMatchObject({ discrepancies: [{ ...countedSince, counted: 8 }] })
    await undoLast()
    expect(await differences()).toMatchObject({
      discrepancies: [{ status: 'attempted', reason: null, counted: 8 }],
    })
  })

  it('is taken back, entry by entry', async () => {
    await begin()
    await scan({ quantity: 10, minutes: 0 })
    await scanTwice({ quantity: 8, minutes: 60 })
    await undoLast()
    expect(await differences()).toMatchObject({ discrepancies: [countedSince] })
    scans -= 1
    await undoLast()
    expect(await differences()).toMatchObject({
      discrepancies: [{ status: 'dismissed', reason: 'Taken back' }],
    })
  })

  it('and is taken back, leaves what was expected in what a newer count had ended, whatever was accepted since', async () => {
    await begin()
    await scan({ quantity: 10, minutes: 30 })
    await scan({ quantity: 8, minutes: 60 })
    await scanTwice({ quantity: 7, minutes: 1, source: 'admin' })
    await decideOpen('accept')
    await scan({ quantity: 6, minutes: 59 })
    await undoLast()
    expect(await differences()).toMatchObject({
      discrepancies: [
        { ...countedSince, expected: 10, counted: 8, difference: -2 },
        { status: 'accepted', expected: 10, counted: 7 },
      ],
    })
  })

  it('and is taken back, gives back a first entry with what was accepted since', async () => {
    await begin()
    await scan({ quantity: 8, minutes: 30 })
    await scan({ quantity: 10, minutes: 5, source: 'admin' })
    await scanTwice({ quantity: 9, minutes: 0.3, source: 'weekly' })
    await scan({ quantity: 7, minutes: 40 })
    await decideOpen('accept')
    await undoLast()
    expect(await differences()).toMatchObject({
      discrepancies: [
        { status: 'attempted', expected: 9, counted: 8, difference: -1 },
        { status: 'accepted', counted: 9 },
      ],
    })
  })

  it('waits as ever where nothing newer was counted', async () => {
    await begin()
    await scan({ quantity: 10, minutes: 90 })
    await scanTwice({ quantity: 8, minutes: 60 })
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'open', counted: 8 }] })
  })

  it('is not accepted by itself where something newer was counted, though its mark was reset', async () => {
    await begin()
    await post('/api/company/settings', { count_tolerance_units: 2 })
    await scan({ quantity: 10, minutes: 0 })
    await post('/api/components/reset-counts', { location: 'PRIMARY' })
    await scan({ quantity: 9, minutes: 60 })
    expect(await stockOf()).toMatchObject({ quantity: 10 })
    expect(await differences()).toMatchObject({ discrepancies: [countedSince] })
  })

  it('is a first entry where what was found that month was ended before it was scanned', async () => {
    await begin()
    await scanTwice({ quantity: 8, minutes: 4 })
    await scan({ quantity: 10, minutes: 3, source: 'admin' })
    await app.owner.query(
      `with found as (
         update count_attempts set counted_at = counted_at - interval '3 hours' where tenant_id = $1
       )
       update discrepancies set updated_at = updated_at - interval '3 hours' where tenant_id = $1`,
      [admin.tenantId],
    )
    await scan({ quantity: 10, minutes: 0, source: 'admin' })
    expect(await scan({ quantity: 7, minutes: 60 })).toMatchObject({ recorded: false, attempt: 1 })
    expect(await differences()).toMatchObject({
      discrepancies: [
        { ...countedSince, counted: 8, attempts: [{}, {}] },
        { ...countedSince, counted: 7, attempts: [{}] },
      ],
    })
  })

  it('ends what its kind of count had found before it, with an entry in the trail', async () => {
    await begin()
    await scanTwice({ quantity: 8, minutes: 120 })
    await scanTwice({ quantity: 7, minutes: 1, source: 'admin' })
    await scan({ quantity: 9, minutes: 60 })
    expect(await differences()).toMatchObject({ discrepancies: [countedSince, { status: 'open' }] })
    const settled = { event_type: 'discrepancy_settled', expected: 10, counted: 8, reason: 'Counted since' }
    expect(await trail(2)).toMatchObject({
      entries: [{ metadata: settled }, { metadata: { counted_since: true, settled_differences: 1 } }],
    })
  })
})

describe('a count that did a recount of an earlier month', () => {
  it('and is taken back, leaves the recount as it was asked for', async () => {
    await begin()
    await scanTwice({ quantity: 8, minutes: 2 })
    await moveToEarlierMonth()
    await decideOpen('recount')
    const before = await recounts()
    await scan({ quantity: 10, minutes: 0 })
    expect(await recounts()).toEqual({ recounts: [], total: 0 })
    await undoLast()
    expect(await recounts()).toEqual(before)
  })
})

describe('a reset', () => {
  it('holds for what had not been counted when it was made', async () => {
    await begin()
    await post('/api/components/reset-counts', { location: 'PRIMARY' })
    await scan({ quantity: 10, minutes: 60 })
    expect(await stockOf()).toMatchObject({ counted: false })
    await scan({ quantity: 10, minutes: 0 })
    expect(await stockOf()).toMatchObject({ counted: true })
    await undoLast()
    expect(await stockOf()).toMatchObject({ counted: false })
  })

  it("of a day's list holds for the weekly count alone", async () => {
    await begin()
    await post('/api/components/reset-weekly-day', { location: 'PRIMARY', day: 'Monday' })
    await scan({ quantity: 10, minutes: 60, source: 'weekly' })
    expect(await stockOf()).toMatchObject({ counted: true, weekly: false })
    await scan({ quantity: 10, minutes: 0, source: 'weekly' })
    await undoLast()
    expect(await stockOf()).toMatchObject({ counted: true, weekly: false })
  })

  it('holds from the later moment of two that come at once', async () => {
    await begin()
    await post('/api/components/reset-counts', { location: 'PRIMARY' })
    await post('/api/components/reset-weekly-day', { location: 'PRIMARY', day: 'Monday' })
    const own = [admin.tenantId]
    await app.owner.query(
      `update count_resets set reset_at = reset_at + interval '1 minute' where tenant_id = $1`,
      own,
    )
    await post('/api/components/reset-counts', { location: 'PRIMARY' })
    await post('/api/components/reset-weekly-day', { location: 'PRIMARY', day: 'Monday' })
    const { rows } = await app.owner.query(
      `select count_type, reset_at > clock_timestamp() as later from count_resets where tenant_id = $1 order by 1`,
      own,
    )
    expect(rows).toEqual([
      { count_type: 'monthly', later: true },
      { count_type: 'weekly', later: true },
    ])
  })

  it('leaves what was counted in an earlier month', async () => {
    await begin()
    await scan({ quantity: 10, minutes: 0 })
    await app.owner.query(
      `with marked as (
         update stock set counted_at = counted_at - interval '40 days'
         where tenant_id = $1 and counted_at is not null
       )
       update count_history set counted_at = counted_at - interval '40 days' where tenant_id = $1`,
      [admin.tenantId],
    )
    await post('/api/components/reset-counts', { location: 'PRIMARY' })
    await scan({ quantity: 10, minutes: 0 })
    await undoLast()
    expect(await stockOf()).toMatchObject({ counted: true })
  })
})

describe('the stock at the moment of a scan', () => {
  it('is what was there before the first transfer', async () => {
    await begin()
    const move = { barcode: 'A-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 5 }
    await post('/api/transfers', move)
    const { rows } = await app.owner.query<{ id: string }>('select id from transfers where tenant_id = $1', [
      admin.tenantId,
    ])
    await post(`/api/transfers/${rows[0]?.id}/receive`, { location: 'SECONDARY' })
    expect(await scan({ quantity: 0, minutes: 60, location: 'SECONDARY' })).toMatchObject({ matched: true })
  })

  it('is never below 0, whatever was accepted since', async () => {
    await begin()
    const set = (quantity: number) =>
      post('/api/components/update-quantity', { barcode: 'A-1', quantity, location: 'PRIMARY' })
    await scanTwice({ quantity: 8, minutes: 3 })
    await set(1)
    await scanTwice({ quantity: 0, minutes: 1, source: 'admin' })
    await set(20)
    const [first] = listed.parse(await differences()).discrepancies
    await post('/api/discrepancies/decide', { ids: [first?.id], decision: 'accept', reason: 'Damaged' })
    expect(await differences()).toMatchObject({
      discrepancies: [
        { status: 'accepted' },
        { status: 'dismissed', reason: 'Settled by another count', expected: 1 },
      ],
    })
    expect(await stockOf()).toMatchObject({ quantity: 18 })
  })
})

describe('a count that matches', () => {
  it('ends what others found before it, with an entry in the trail, until it is taken back', async () => {
    await begin()
    await scanTwice({ quantity: 5, minutes: 4 })
    await scanTwice({ quantity: 6, minutes: 3, source: 'weekly' })
    await scan({ quantity: 10, minutes: 0, source: 'admin' })
    expect(await differences()).toMatchObject({
      discrepancies: [
        { ...countedSince, counted: 5, decided_by: admin.name },
        { ...countedSince, counted: 6 },
      ],
    })
    const settled = { event_type: 'discrepancy_settled', reason: 'Counted since' }
    expect(await trail(3)).toMatchObject({
      entries: [
        { metadata: settled },
        { metadata: settled },
        { metadata: { event_type: 'admin_view_scan', settled_differences: 2 } },
      ],
    })
    await undoLast(admin)
    expect(await differences()).toMatchObject({
      discrepancies: [
        { status: 'open', reason: null, counted: 5, expected: 10 },
        { status: 'open', counted: 6 },
      ],
    })
  })

  it('ends what was found in an earlier month', async () => {
    await begin()
    await scanTwice({ quantity: 5, minutes: 4 })
    await moveToEarlierMonth()
    await scan({ quantity: 10, minutes: 0 })
    expect(await differences()).toMatchObject({ discrepancies: [countedSince] })
  })

  it('leaves what was found after it, and first entries, which are no counts', async () => {
    await begin()
    await scanTwice({ quantity: 5, minutes: 4 })
    await scan({ quantity: 5, minutes: 4, source: 'weekly' })
    await scan({ quantity: 10, minutes: 60, source: 'admin' })
    expect(await differences()).toMatchObject({
      discrepancies: [{ status: 'open' }, { status: 'attempted' }],
    })
  })
})

describe('a count that had ended a difference, and is taken back after a newer finding was accepted', () => {
  const matchOfStaff = { quantity: 10, minutes: 2 }
  const match = { ...matchOfStaff, source: 'admin' }

  it.each([
    ['more was missing before', { found: 5, accepted: 8, by: match }],
    ['the same was missing before', { found: 8, accepted: 8, by: match }],
    ['it matched where its own kind had found that', { found: 5, accepted: 8, by: matchOfStaff }],
  ])('brings nothing back where %s', async (_, { found, accepted, by }) => {
    await begin()
    await scanTwice({ quantity: found, minutes: 4 })
    await scanTwice({ quantity: accepted, minutes: 1, source: 'weekly' })
    await scan(by)
    await decideOpen('accept')
    await undoLast('source' in by ? admin : staff)
    expect(await differences()).toMatchObject({
      discrepancies: [
        { status: 'dismissed', reason: 'Settled by another count', expected: 10, counted: found },
        { status: 'accepted', counted: accepted },
      ],
    })
    expect(await trail(2)).toMatchObject({
      entries: [
        { metadata: { event_type: expect.stringMatching(/_undone$/) } },
        { metadata: { event_type: 'discrepancy_settled', reason: 'Settled by another count' } },
      ],
    })
  })

  it('brings nothing back that it had ended by another number', async () => {
    await begin()
    await scanTwice({ quantity: 8, minutes: 120 })
    await scanTwice({ quantity: 7, minutes: 1, source: 'admin' })
    await scan({ quantity: 9, minutes: 60 })
    await decideOpen('accept')
    await undoLast()
    expect(await differences()).toMatchObject({
      discrepancies: [
        { status: 'dismissed', reason: 'Settled by another count', expected: 10, counted: 8 },
        { status: 'accepted', counted: 7 },
      ],
    })
  })

  it('leaves what was found after what was accepted', async () => {
    await begin()
    await scanTwice({ quantity: 8, minutes: 60, source: 'weekly' })
    const { discrepancies } = listed.parse(await differences())
    await scanTwice({ quantity: 5, minutes: 3 })
    await scan({ quantity: 10, minutes: 90 })
    const ids = discrepancies.map(({ id }) => id)
    await post('/api/discrepancies/decide', { ids, decision: 'accept', reason: 'Damaged' })
    await undoLast()
    expect(await differences()).toMatchObject({
      discrepancies: [{ status: 'accepted' }, { status: 'open', expected: 8, counted: 5 }],
    })
  })
})

describe('a count within the tolerance', () => {
  it('leaves an entry in the trail for each difference it settles', async () => {
    await begin()
    await scanTwice({ quantity: 5, minutes: 4 })
    await post('/api/company/settings', { count_tolerance_units: 2 })
    await scan({ quantity: 9, minutes: 0, source: 'admin' })
    expect(await trail(2)).toMatchObject({
      entries: [
        {
          sku: 'A-1',
          metadata: {
            event_type: 'discrepancy_settled',
            expected: 10,
            counted: 5,
            reason: 'Within tolerance',
          },
        },
        { metadata: { accepted_difference: -1, settled_differences: 1 } },
      ],
    })
  })
})

describe('a first entry beside which a match came late', () => {
  it('is a first entry still, once the second is taken back', async () => {
    await begin()
    await scan({ quantity: 8, minutes: 0.2 })
    await scan({ quantity: 10, minutes: 60 })
    await scan({ quantity: 7, minutes: 58 })
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'open' }] })
    await undoLast()
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'attempted', counted: 8 }] })
  })

  it('is no line that differs', async () => {
    await begin()
    await scan({ quantity: 8, minutes: 0.2 })
    await scan({ quantity: 10, minutes: 60 })
    expect((await app.ask({ method: 'GET', path: '/api/accuracy', token: admin.token })).body).toMatchObject({
      total: { lines: 1, matched: 1, differing: 0 },
    })
  })
})

describe('taking entries back', () => {
  it('tells two of one moment apart', async () => {
    await begin()
    const timestamp = ago(0)
    await scan({ quantity: 10, minutes: 0, timestamp })
    const first = lastKey()
    await scan({ quantity: 10, minutes: 0, timestamp })
    await undoLast()
    expect(await undo(first)).toMatchObject({ status: 200 })
    expect(await stockOf()).toMatchObject({ counted: false })
    const { rows } = await app.owner.query(
      `select count(distinct undoes)::integer as undone from count_history where tenant_id = $1`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ undone: 2 }])
  })

  it('takes none back twice that the version before recorded', async () => {
    await begin()
    const timestamp = ago(0)
    await scan({ quantity: 10, minutes: 0, timestamp })
    const first = lastKey()
    await scan({ quantity: 10, minutes: 0, timestamp })
    await app.owner.query(`update operations set reply = reply - 'undo' where tenant_id = $1`, [
      admin.tenantId,
    ])
    await undoLast()
    expect(await undo(first)).toMatchObject({ status: 409 })
  })

  it('leaves the time of a recount that was asked for, so that one made since does it', async () => {
    await begin()
    await scanTwice({ quantity: 8, minutes: 40 })
    await decideOpen('recount')
    await app.owner.query(
      `with differing as (
         update discrepancies set updated_at = now() - interval '30 minutes' where tenant_id = $1
       )
       update stock set cleared_at = now() - interval '30 minutes'
       where tenant_id = $1 and cleared_at is not null`,
      [admin.tenantId],
    )
    const before = await recounts()
    await scan({ quantity: 9, minutes: 0 })
    await undoLast()
    expect(await recounts()).toEqual(before)
    await scan({ quantity: 10, minutes: 10 })
    expect(await differences()).toMatchObject({ discrepancies: [{ status: 'matched' }] })
  })

  it('waits while the time zone is changed', async () => {
    await begin()
    await scan({ quantity: 10, minutes: 0 })
    const changing = await app.owner.connect()
    await changing.query('begin')
    await changing.query('select pg_advisory_xact_lock(time_zone_lock($1))', [admin.tenantId])
    const told: string[] = []
    const undone = undoLast().then(() => told.push('undone'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    told.push('changed')
    await changing.query('rollback')
    changing.release()
    await undone
    expect(told).toEqual(['changed', 'undone'])
  })
})
