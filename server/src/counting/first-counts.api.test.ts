import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompanyWithStock } from '../../test/company-with-stock.ts'
import { countAsRecorded } from '../../test/recorded-counts.ts'
import { startTestApp, zoneOfNoon, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
let admin: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const post = (person: Person, path: string, body: object) =>
  app.done({ path: `/api/${path}`, token: person.token, body })

/** A company that has imported N-1 without a quantity, and whose first counts set the stock. */
async function begin(settings: object = { first_count_sets_stock: true }): Promise<void> {
  const made = await makeCompanyWithStock(app, [{ barcode: 'N-1', description: 'Nut' }, { barcode: 'N-2' }], {
    timeZone: zoneOfNoon(),
  })
  admin = made.admin
  staff = made.staff
  await post(admin, 'company/settings', settings)
}

let scans = 0
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

async function count(quantity: number, part: Record<string, unknown> = {}, person = staff) {
  scans += 1
  const reply = await app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    key: `first-${scans}`,
    body: {
      barcode: 'N-1',
      quantity,
      location: 'PRIMARY',
      source: 'monthly',
      session: 's',
      timestamp: ago(0),
      ...part,
    },
  })
  expect(reply.status).toBe(200)
  return reply.body
}

const undo = (key = `first-${scans}`) =>
  app.ask({ path: '/api/components/undo-count', token: staff.token, body: { key } })

/** The stock of N-1 at a place with every movement that it came from, and all differences there, oldest first. */
async function books(location = 'PRIMARY') {
  const { rows } = await app.owner.query(
    `select
       (select quantity from stock where tenant_id = $1 and component_id = components.id and location = $2) as stock,
       (select coalesce(array_agg(delta order by id), '{}') from movements
        where tenant_id = $1 and component_id = components.id and location = $2) as moved,
       (select coalesce(array_agg(concat_ws(' ', status, reason, attempts) order by id), '{}') from discrepancies
        where tenant_id = $1 and component_id = components.id and location = $2) as differences
     from components where tenant_id = $1 and barcode = 'N-1'`,
    [admin.tenantId, location],
  )
  return rows[0]
}

const sent = z.object({ transfer: z.object({ id: z.string() }) })

const taken = { stock: 9, moved: [9], differences: ['accepted First count 1'] }

describe('a first count', () => {
  it('asks for a second one, as specified, where the company has not said otherwise', async () => {
    await begin({})
    expect(await count(9)).toMatchObject({ matched: false, recorded: false, attempt: 1 })
    expect(await books()).toEqual({ stock: 0, moved: [], differences: ['attempted 1'] })
  })

  it('sets the stock where the company wants that: ledger, history, trail and differences say so', async () => {
    await begin()
    const reply = await count(9)
    expect(reply).toMatchObject({ success: true, matched: true, progress: { counted: 1, total: 2 } })
    expect(Object.keys(Object(reply))).not.toContain('accepted_difference')
    expect(Object.keys(Object(reply))).not.toContain('first_count')
    expect(await books()).toEqual(taken)
    const { rows } = await app.owner.query(
      `select
         (select array[cause, note, user_name] from movements where tenant_id = $1) as movement,
         (select quantity from count_history where tenant_id = $1) as history,
         (select decided_by from discrepancies where tenant_id = $1) as decided_by,
         (select metadata - 'counted_at' from audit_entries
          where tenant_id = $1 and event = 'monthly_count_scan') as told`,
      [admin.tenantId],
    )
    expect(rows).toEqual([
      {
        movement: ['discrepancy', 'First count', staff.name],
        history: 9,
        decided_by: null,
        told: { session: 's', attempt: 1, recorded: true, accepted_difference: 9, first_count: true },
      },
    ])
  })

  it('is told to administrators as one, and is nothing that they can reopen', async () => {
    await begin({ first_count_sets_stock: true, count_tolerance_units: 9 })
    expect(await count(9, { source: 'admin' }, admin)).toMatchObject({
      matched: true,
      accepted_difference: 9,
      first_count: true,
    })
    const { rows } = await app.owner.query('select id from discrepancies where tenant_id = $1', [
      admin.tenantId,
    ])
    const reopened = await app.ask({
      path: '/api/discrepancies/reopen',
      token: admin.token,
      body: { id: rows[0]?.id },
    })
    expect(reopened).toMatchObject({
      status: 409,
      body: {
        error:
          'The difference of N-1 at Primary Warehouse was accepted (First count): by the company’s settings, not by a decision. Count it again or correct the stock instead.',
      },
    })
  })

  it('is what the next one is judged by: more pieces that are found wait for a decision as ever', async () => {
    await begin()
    await count(9)
    expect(await count(9)).toMatchObject({ matched: true })
    expect(await count(14)).toMatchObject({ matched: false, recorded: false })
    expect(await count(14)).toMatchObject({ matched: false, recorded: true })
    expect(await books()).toEqual({ ...taken, differences: ['accepted First count 1', 'open 2'] })
    const { rows } = await app.owner.query(
      `select id from discrepancies where tenant_id = $1 and status = 'open'`,
      [admin.tenantId],
    )
    const decision = { ids: [rows[0]?.id], decision: 'accept', reason: 'Found' }
    await post(admin, 'discrepancies/decide', decision)
    expect(await books()).toEqual({
      stock: 14,
      moved: [9, 5],
      differences: ['accepted First count 1', 'accepted Found 2'],
    })
  })

  it('is one at each location', async () => {
    await begin()
    await count(9)
    await count(4, { location: 'SECONDARY' })
    expect(await books('SECONDARY')).toEqual({ ...taken, stock: 4, moved: [4] })
  })

  it('is one of a weekly list and of a cycle, too', async () => {
    await begin()
    const day = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: zoneOfNoon() }).format()
    const assignments = { [day]: ['PRIMARY'] }
    await post(admin, 'components/configure-high-volume', { barcode: 'N-1', assignments })
    expect(await count(9, { source: 'weekly', day })).toMatchObject({
      matched: true,
      progress: { counted: 1, total: 1 },
    })
    expect(await books()).toEqual(taken)
    expect(await count(6, { barcode: 'N-2', source: 'admin' }, admin)).toMatchObject({ matched: true })
  })

  it('is taken once, however often a device sends it', async () => {
    await begin()
    const body = { barcode: 'N-1', quantity: 9, location: 'PRIMARY', session: 's', timestamp: ago(0) }
    const request = { path: '/api/components/update-with-tracking', token: staff.token, key: 'again', body }
    const first = await app.ask(request)
    expect((await app.ask(request)).body).toEqual(first.body)
    expect(await books()).toEqual(taken)
  })

  it('is taken once where two people count it at the same moment: the other is judged by it', async () => {
    await begin()
    const counts = await Promise.all(
      [9, 9, 7].map((quantity, place) =>
        countAsRecorded(app, place === 0 ? admin : staff, { codes: ['N-1'], quantity }),
      ),
    )
    const rows = await app.database.callFunction<{ outcome: { matched: boolean } }>(
      'select outcome from record_counts($1, $2) as outcome',
      [JSON.stringify(counts), 'none'],
    )
    expect(rows.map(({ outcome }) => outcome.matched)).toEqual([false, true, false])
    expect(await books()).toEqual({ ...taken, differences: ['accepted First count 1', 'attempted 1'] })
  })

  it('is the entry after one that did not match yet when the company had not said so', async () => {
    await begin({})
    await count(7)
    await post(admin, 'company/settings', { first_count_sets_stock: true })
    expect(await count(9)).toMatchObject({ matched: true })
    expect(await books()).toEqual({ ...taken, differences: ['accepted First count 2'] })
    expect((await undo()).status).toBe(200)
    expect(await books()).toEqual({ stock: 0, moved: [9, -9], differences: ['attempted 1'] })
  })
})

describe('no first count is one', () => {
  const notTaken = { matched: false, recorded: false }

  it('of stock that was moved, though none is left', async () => {
    await begin()
    for (const quantity of [3, 0]) {
      await post(admin, 'components/update-quantity', { barcode: 'N-1', quantity, location: 'PRIMARY' })
    }
    expect(await count(9)).toMatchObject(notTaken)
    expect(await books()).toMatchObject({ stock: 0, moved: [3, -3] })
  })

  it('of what somebody has counted as none, also once the count was reset', async () => {
    await begin()
    await count(0)
    expect(await count(9)).toMatchObject(notTaken)
    await post(admin, 'components/reset-counts', { location: 'PRIMARY' })
    expect(await count(9)).toMatchObject(notTaken)
    expect(await books()).toMatchObject({ stock: 0, moved: [] })
  })

  it('that comes late, after a newer one: what was found last is there', async () => {
    await begin()
    await count(9, { timestamp: ago(10) })
    expect(await books()).toEqual(taken)
    await count(7, { timestamp: ago(30) })
    await count(7, { timestamp: ago(29) })
    expect(await books()).toMatchObject({ stock: 9, moved: [9] })
    expect(await count(9)).toMatchObject({ matched: true })
  })

  it('of what is on its way there: it was counted before it was received', async () => {
    await begin()
    await post(admin, 'components/update-quantity', { barcode: 'N-1', quantity: 9, location: 'SECONDARY' })
    const sending = { barcode: 'N-1', from: 'SECONDARY', to: 'PRIMARY', quantity: 9 }
    const { body } = await post(admin, 'transfers', sending)
    expect(await count(9)).toMatchObject(notTaken)
    const { id } = sent.parse(body).transfer
    await post(admin, `transfers/${id}/receive`, { location: 'PRIMARY' })
    expect(await books()).toMatchObject({ stock: 9, moved: [9] })
    expect(await count(9)).toMatchObject({ matched: true })
  })

  it('of which something arrived before it was sent: that is there beside it', async () => {
    await begin()
    const received = { barcode: 'N-1', location: 'PRIMARY', amount: 5, reason: 'received' }
    await post(admin, 'components/adjust-quantity', received)
    expect(await count(9, { timestamp: ago(10) })).toMatchObject(notTaken)
    expect(await books()).toMatchObject({ stock: 5, moved: [5] })
  })
})

it('a first count from before a reset sets the stock, and leaves it to be counted again', async () => {
  await begin()
  await post(admin, 'components/reset-counts', { location: 'PRIMARY' })
  expect(await count(9, { timestamp: ago(10) })).toMatchObject({ matched: true, sets_mark: false })
  expect(await books()).toEqual(taken)
  expect(await count(9)).toMatchObject({ matched: true, progress: { counted: 1 } })
})

describe('a first count that is taken back', () => {
  it('takes its stock with it, and the next entry is the first one again', async () => {
    await begin()
    await count(90)
    expect((await undo()).status).toBe(200)
    expect(await books()).toEqual({ stock: 0, moved: [90, -90], differences: ['dismissed Taken back 0'] })
    expect(await count(9)).toMatchObject({ matched: true, progress: { counted: 1 } })
    expect(await books()).toEqual({
      stock: 9,
      moved: [90, -90, 9],
      differences: ['dismissed Taken back 0', 'accepted First count 1'],
    })
    const { rows } = await app.owner.query(
      `select (select metadata ->> 'moved_back' from audit_entries where tenant_id = $1 and event = 'monthly_count_undone') as told,
         (select array_agg(note order by id) from movements where tenant_id = $1) as notes`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ told: '-90', notes: ['First count', 'First count taken back', 'First count'] }])
  })

  it('can be, as any match, where a company counts strictly', async () => {
    await begin({ first_count_sets_stock: true, strict_blind_counts: true })
    await count(90)
    expect((await undo()).status).toBe(200)
    expect(await books()).toMatchObject({ stock: 0, moved: [90, -90] })
  })

  it('is refused once something has moved, which was of what it found', async () => {
    await begin()
    await count(9)
    const issued = { barcode: 'N-1', location: 'PRIMARY', amount: -2, reason: 'issued' }
    await post(admin, 'components/adjust-quantity', issued)
    expect(await undo()).toMatchObject({
      status: 409,
      body: {
        error: 'This entry is settled already and cannot be taken back. Count the SKU again instead.',
      },
    })
    expect(await books()).toMatchObject({ stock: 7, moved: [9, -2] })
  })

  it('leaves what waits beside it as it was', async () => {
    await begin({})
    await count(4, { source: 'admin' }, admin)
    await post(admin, 'company/settings', { first_count_sets_stock: true })
    await count(9)
    expect((await undo()).status).toBe(200)
    const { rows } = await app.owner.query(
      `select status, expected, counted from discrepancies where tenant_id = $1 and count_type = 'admin'`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ status: 'attempted', expected: 0, counted: 4 }])
  })
})
