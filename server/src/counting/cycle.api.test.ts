import { randomUUID } from 'node:crypto'
import { monthAfter } from '@inventory-manager/contract/calendar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilSomebodyWaits } from '../../test/leaving.ts'
import { makeCompany, startTestApp, zoneOfNoon, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const id = 'Cycle_2026-11_PRIMARY'

/** A company with 8 of A-1 and 3 of A-2, whose administrators have begun their cycle. */
async function begin(): Promise<void> {
  admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  const rows = [
    { barcode: 'A-1', primary_quantity: 8 },
    { barcode: 'A-2', primary_quantity: 3 },
  ]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  await save({})
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

async function save(progress: Record<string, unknown>, part = {}): Promise<unknown> {
  const body = { id, location: 'PRIMARY', user_type: 'admin', progress, ...part }
  const reply = await app.ask({ path: '/api/cycle-counts', token: admin.token, body })
  expect(reply.status).toBe(200)
  return reply.body
}

async function enter(quantity: number, minutes: number, key: string): Promise<unknown> {
  const entry = { barcode: 'A-1', quantity, location: 'PRIMARY', source: 'admin', session: id }
  const body = { ...entry, timestamp: ago(minutes) }
  const path = '/api/components/update-with-tracking'
  const reply = await app.ask({ path, token: admin.token, key, body })
  expect(reply.status).toBe(200)
  return reply.body
}

async function scan(quantity: number, minutes: number): Promise<string> {
  const key = randomUUID()
  await enter(quantity, minutes, key)
  return key
}

/** Counts A-1 in the cycle some minutes ago; where that is not its stock twice, so that it is recorded. */
async function count(quantity: number, minutes = 0): Promise<string> {
  if (quantity !== 8) await scan(quantity, minutes + 0.01)
  return await scan(quantity, minutes)
}

/** A count, and then its part of the cycle, as a client sends them. */
async function countAndSave(quantity: number, minutes = 0): Promise<string> {
  const key = await count(quantity, minutes)
  await save({ 'A-1': quantity })
  return key
}

async function isCompleted(): Promise<unknown> {
  const { rows } = await app.owner.query<{ completed: unknown }>(
    'select completed from cycle_counts where tenant_id = $1 and id = $2',
    [admin.tenantId, id],
  )
  return rows[0]?.completed
}

async function undo(key: string): Promise<void> {
  const reply = await app.ask({
    path: '/api/components/undo-count',
    token: admin.token,
    body: { key },
  })
  expect(reply.status).toBe(200)
}

async function reset(): Promise<void> {
  const reply = await app.ask({
    method: 'DELETE',
    path: `/api/cycle-counts/${id}`,
    token: admin.token,
  })
  expect(reply.status).toBe(200)
}

async function progress(): Promise<unknown> {
  const { rows } = await app.owner.query<{ progress: unknown }>(
    'select progress from cycle_counts where tenant_id = $1 and id = $2',
    [admin.tenantId, id],
  )
  return rows[0]?.progress
}

describe('the cycle of the administrators', () => {
  it('says what the newest count says, though an older one arrives after it', async () => {
    await begin()
    await countAndSave(8)
    await countAndSave(10, 30)
    expect(await progress()).toEqual({ 'A-1': 8 })
  })

  it('answers with what it says, not with what came late', async () => {
    await begin()
    await countAndSave(8)
    await count(10, 30)
    expect(await save({ 'A-1': 10 })).toMatchObject({ cycle_count: { progress: { 'A-1': 8 } } })
  })

  it('answers only what was given where that is all that is asked for', async () => {
    await begin()
    await save({ 'A-1': 5, 'A-2': { note: 'seen' } })
    expect(await save({ 'A-1': 6 }, { reply: 'given' })).toEqual({
      success: true,
      cycle_count: {
        id,
        location: 'PRIMARY',
        user_type: 'admin',
        progress: { 'A-1': 6 },
        completed: true,
        start_date: expect.any(String),
      },
    })
    expect(await progress()).toEqual({ 'A-1': 6, 'A-2': { note: 'seen' } })
  })

  it('answers nothing of what it does not have', async () => {
    await begin()
    await undo(await countAndSave(8))
    const reply = await save({ 'A-1': 8 }, { reply: 'given' })
    expect(reply).toMatchObject({ cycle_count: { progress: {}, completed: false } })
  })

  it('keeps no more of it for a retry than it answers', async () => {
    await begin()
    await save({ 'A-2': 3 })
    const body = { id, location: 'PRIMARY', user_type: 'admin', progress: { 'A-1': 6 }, reply: 'given' }
    const key = randomUUID()
    const send = () => app.ask({ path: '/api/cycle-counts', token: admin.token, key, body })
    const first = await send()
    expect(first.body).toHaveProperty('cycle_count.progress', { 'A-1': 6 })
    expect((await send()).body).toEqual(first.body)
    const { rows } = await app.owner.query<{ reply: unknown }>(
      'select reply from operations where tenant_id = $1 and key = $2',
      [admin.tenantId, key],
    )
    expect(rows).toEqual([{ reply: first.body }])
  })

  it('holds a difference under the barcode that the reply names, however the code was scanned', async () => {
    await begin()
    const rows = [{ barcode: '036000291452', primary_quantity: 8 }]
    await app.done({ path: '/api/components/import', token: admin.token, body: rows })
    const ask = (at: number) =>
      app.ask({
        path: '/api/components/update-with-tracking',
        token: admin.token,
        body: {
          barcode: '0036000291452',
          quantity: 7,
          location: 'PRIMARY',
          source: 'admin',
          session: id,
          timestamp: ago(at),
        },
      })
    expect((await ask(2)).body).not.toHaveProperty('barcode')
    const { body } = await ask(1)
    expect(body).toMatchObject({ recorded: true, barcode: '036000291452' })
    await save({ [String(Object(body).barcode)]: 7 })
    expect(await progress()).toEqual({ '036000291452': 7 })
  })

  it('takes what came late where nothing newer was counted', async () => {
    await begin()
    await countAndSave(8, 30)
    expect(await progress()).toEqual({ 'A-1': 8 })
  })

  it('says what the newest count says in whatever order two parts of it are saved', async () => {
    await begin()
    await count(10, 30)
    await count(8)
    await save({ 'A-1': 8 })
    await save({ 'A-1': 10 })
    expect(await progress()).toEqual({ 'A-1': 8 })
  })

  it('takes in no count from before its reset that comes late', async () => {
    await begin()
    await reset()
    await save({})
    await countAndSave(8, 30)
    expect(await progress()).toEqual({})
  })

  it('takes in no count from before its reset, also where nobody has begun it again', async () => {
    await begin()
    await reset()
    await countAndSave(8, 30)
    expect(await progress()).toEqual({})
  })

  it('begins anew with its reset: the first wrong entry is a first one again', async () => {
    await begin()
    await countAndSave(10)
    await reset()
    expect(await enter(11, 0, 'after-1')).toMatchObject({ recorded: false, attempt: 1 })
    expect(await enter(11, 0, 'after-2')).toMatchObject({ recorded: true, attempt: 2 })
    await save({ 'A-1': 11 })
    await reset()
    expect(await enter(12, 0, 'after-3')).toMatchObject({ recorded: false, attempt: 1 })
    expect(await enter(8, 0, 'after-4')).toMatchObject({ matched: true })
  })

  it('takes in a count from after its reset whose part comes before anybody has begun it again', async () => {
    await begin()
    await countAndSave(8)
    await reset()
    await countAndSave(8)
    expect(await progress()).toEqual({ 'A-1': 8 })
  })

  it('of another company is reset by nobody else', async () => {
    await begin()
    const mine = admin
    await begin()
    await reset()
    admin = mine
    await countAndSave(8, 30)
    expect(await progress()).toEqual({ 'A-1': 8 })
  })

  it('takes what is no count of it as it is given', async () => {
    await begin()
    await countAndSave(8)
    await save({ 'A-1': { note: 'seen' }, 'A-2': 3, 'A-3': null })
    expect(await progress()).toEqual({ 'A-1': { note: 'seen' }, 'A-2': 3, 'A-3': null })
  })

  it('takes what a client added to the history itself as it is given', async () => {
    await begin()
    const entry = { sku: 'A-1', quantity: 5, location: 'PRIMARY', count_type: 'admin', count_session: id }
    const added = await app.ask({ path: '/api/count-history', token: admin.token, body: entry })
    expect(added.status).toBe(201)
    await save({ 'A-1': 5 })
    expect(await progress()).toEqual({ 'A-1': 5 })
  })
})

describe('a recount that is asked for of what administrators found', () => {
  async function decide(decision: string): Promise<string | undefined> {
    const { rows } = await app.owner.query<{ id: string }>(
      `select id from discrepancies where tenant_id = $1 and status in ('open', 'recount')`,
      [admin.tenantId],
    )
    const body = { ids: rows.map(({ id: found }) => found), decision }
    const reply = await app.ask({ path: '/api/discrepancies/decide', token: admin.token, body })
    expect(reply.status).toBe(200)
    return rows[0]?.id
  }

  const askAgain = () => decide('recount')

  it('takes the SKU out of the cycle, which is complete again once it is counted', async () => {
    await begin()
    await countAndSave(7, 1)
    await save({ 'A-2': 3 }, { completed: true })
    await askAgain()
    expect([await progress(), await isCompleted()]).toEqual([{ 'A-2': 3 }, false])
    await save({ 'A-1': 7, 'A-2': 3 })
    expect(await progress()).toEqual({ 'A-2': 3 })
    await countAndSave(8)
    await save({}, { completed: true })
    expect([await progress(), await isCompleted()]).toEqual([{ 'A-1': 8, 'A-2': 3 }, true])
  })

  it('and that was dismissed takes the SKU out of the cycle again when it is reopened', async () => {
    await begin()
    await countAndSave(7, 1)
    await askAgain()
    const dismissed = await decide('dismiss')
    await save({ 'A-1': 7 })
    expect(await progress()).toEqual({ 'A-1': 7 })
    const path = '/api/discrepancies/reopen'
    const reply = await app.ask({ path, token: admin.token, body: { id: dismissed } })
    expect(reply.body).toEqual({ success: true, status: 'recount' })
    expect(await progress()).toEqual({})
  })

  it('leaves a cycle of an earlier month as it is, where nobody counts any more', async () => {
    await begin()
    await countAndSave(7, 1)
    await save({ 'A-2': 3 }, { completed: true })
    await app.owner.query(
      `with found as (
         update discrepancies set period_start = period_start - interval '40 days' where tenant_id = $1
       )
       update count_history set id = id_at(start_of_month(now(), 'UTC') - interval '3 days')
       where tenant_id = $1 and id = (select max(id::text)::uuid from count_history where tenant_id = $1)`,
      [admin.tenantId],
    )
    await askAgain()
    expect([await progress(), await isCompleted()]).toEqual([{ 'A-1': 7, 'A-2': 3 }, true])
  })

  it('leaves another cycle as it is', async () => {
    await begin()
    await save({ 'A-1': 5 }, { id: 'Cycle_2026-10_PRIMARY', completed: true })
    await countAndSave(7, 1)
    await askAgain()
    const { rows } = await app.owner.query(
      'select id, progress, completed from cycle_counts where tenant_id = $1 order by id',
      [admin.tenantId],
    )
    expect(rows).toEqual([
      { id: 'Cycle_2026-10_PRIMARY', progress: { 'A-1': 5 }, completed: true },
      { id, progress: {}, completed: false },
    ])
  })
})

describe('a count of the cycle that is taken back', () => {
  it('brings back none from before the reset', async () => {
    await begin()
    await countAndSave(8)
    await reset()
    await save({})
    await undo(await countAndSave(8))
    expect(await progress()).toEqual({})
  })

  it('brings back the one before it since the reset', async () => {
    await begin()
    await countAndSave(8)
    await reset()
    await save({})
    await countAndSave(7)
    await undo(await countAndSave(8))
    expect(await progress()).toEqual({ 'A-1': 7 })
  })

  it('brings back the newest by its scan, not the one that arrived last', async () => {
    await begin()
    await countAndSave(8, 1)
    await countAndSave(10, 30)
    await undo(await countAndSave(8))
    expect(await progress()).toEqual({ 'A-1': 8 })
  })

  it('leaves a complete cycle complete where another count of it stands, and else takes it out', async () => {
    await begin()
    const first = await countAndSave(8, 1)
    await save({ 'A-2': 3 }, { completed: true })
    await undo(await countAndSave(8))
    expect([await progress(), await isCompleted()]).toEqual([{ 'A-1': 8, 'A-2': 3 }, true])
    await undo(first)
    expect([await progress(), await isCompleted()]).toEqual([{ 'A-2': 3 }, false])
  })

  it('does not come back where its part of the cycle is sent again', async () => {
    await begin()
    const key = await countAndSave(8)
    await undo(key)
    await save({ 'A-1': 8 })
    expect(await progress()).toEqual({})
  })
})

const thisMonth = () =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zoneOfNoon(),
    year: 'numeric',
    month: '2-digit',
  }).format(new Date())

describe('a cycle in which only what is retired was left to count', () => {
  /** Counted in it: A-1 of what there is. */
  async function count1Of2(month: string): Promise<void> {
    await begin()
    await app.owner.query('delete from cycle_counts where tenant_id = $1', [admin.tenantId])
    await save({ 'A-1': 8 }, { id: `Cycle_${month}_PRIMARY` })
  }

  async function retireA2(): Promise<void> {
    const correction = { barcode: 'A-2', location: 'PRIMARY', quantity: 0 }
    await app.done({ path: '/api/components/update-quantity', token: admin.token, body: correction })
    const body = { barcode: 'A-2' }
    expect((await app.ask({ path: '/api/components/retire', token: admin.token, body })).status).toBe(200)
  }

  async function completions(): Promise<unknown> {
    const { rows } = await app.owner.query(
      `select cycle_counts.completed, entry.location, entry.metadata, entry.user_name
       from cycle_counts left join audit_entries entry on entry.tenant_id = $1 and entry.event = 'admin_view_completed'
       where cycle_counts.tenant_id = $1`,
      [admin.tenantId],
    )
    return rows
  }

  it.each([
    ['this month', thisMonth()],
    ['the month before', monthAfter(thisMonth(), -1)],
  ])('is complete with that, also that of %s', async (_, month) => {
    await count1Of2(month)
    await retireA2()
    expect(await completions()).toEqual([
      {
        completed: true,
        location: 'PRIMARY',
        metadata: { id: `Cycle_${month}_PRIMARY`, completed: true },
        user_name: admin.name,
      },
    ])
  })

  it('is complete once the import that brought the rest is undone', async () => {
    await begin()
    const ask = (path: string, body: unknown) => app.ask({ path, token: admin.token, body })
    const begun = await ask('/api/imports', { name: 'a.csv', fields: ['barcode'] })
    const imported = `/api/imports/${Object(Object(begun.body).import).id}`
    await ask(`${imported}/rows`, { rows: [{ line: 2, cells: ['A-3'] }] })
    expect((await ask(`${imported}/commit`, {})).status).toBe(200)
    await app.owner.query('delete from cycle_counts where tenant_id = $1', [admin.tenantId])
    await save({ 'A-1': 8, 'A-2': 3 }, { id: `Cycle_${thisMonth()}_PRIMARY` })
    expect(await completions()).toMatchObject([{ completed: false }])
    expect((await ask(`${imported}/undo`, {})).status).toBe(200)
    expect(await completions()).toMatchObject([{ completed: true, location: 'PRIMARY' }])
  })

  it('is saved while one who retires waits for an import', async () => {
    await count1Of2(thisMonth())
    const correction = { barcode: 'A-2', location: 'PRIMARY', quantity: 0 }
    await app.done({ path: '/api/components/update-quantity', token: admin.token, body: correction })
    const importer = await app.owner.connect()
    await importer.query('begin')
    await importer.query('select pg_advisory_xact_lock_shared(retire_lock($1))', [admin.tenantId])
    const retiring = app.ask({
      path: '/api/components/retire',
      token: admin.token,
      body: { barcode: 'A-2' },
    })
    await untilSomebodyWaits(app)
    await save({ 'A-1': 8 }, { id: `Cycle_${thisMonth()}_PRIMARY` })
    await untilSomebodyWaits(app)
    await importer.query('commit')
    importer.release()
    expect((await retiring).status).toBe(200)
    expect(await completions()).toMatchObject([{ completed: true }])
  })

  it('stays open where something else is to be counted', async () => {
    await count1Of2(thisMonth())
    await app.done({ path: '/api/components/import', token: admin.token, body: [{ barcode: 'A-3' }] })
    await retireA2()
    expect(await completions()).toEqual([
      { completed: false, location: null, metadata: null, user_name: null },
    ])
  })
})

describe('a component that is retired', () => {
  const cycle = `Cycle_${thisMonth()}_PRIMARY`
  const earlier = `Cycle_${monthAfter(thisMonth(), -1)}_PRIMARY`

  /** A-2, which there is none of, counted in a cycle of this month and one of the month before. */
  async function countNone(): Promise<void> {
    await begin()
    await app.owner.query('delete from cycle_counts where tenant_id = $1', [admin.tenantId])
    const correction = { barcode: 'A-2', location: 'PRIMARY', quantity: 0 }
    await post('/api/components/update-quantity', correction)
    const entry = { ...correction, source: 'admin', session: cycle, timestamp: ago(0) }
    await post('/api/components/update-with-tracking', entry)
    for (const each of [cycle, earlier]) await save({ 'A-1': 8, 'A-2': 0 }, { id: each })
  }

  const post = (path: string, body: unknown) => app.done({ path, token: admin.token, body })
  const get = (path: string) => app.ask({ method: 'GET', path, token: admin.token })

  it('and brought back is to be counted in the cycle as in the month', async () => {
    await countNone()
    await post('/api/components/retire', { barcode: 'A-2' })
    const sheet = `/api/components/count-sheet?location=PRIMARY&cycle=${cycle}`
    expect((await get(sheet)).status).toBe(404)
    await post('/api/components/reinstate', { barcode: 'A-2' })
    expect((await get('/api/components/to-count?location=PRIMARY')).body).toMatchObject({
      counted: 0,
      total: 2,
    })
    const { body } = await get('/api/cycle-counts?location=PRIMARY&user_type=admin')
    expect(body).toMatchObject({
      cycle_counts: expect.arrayContaining([
        expect.objectContaining({ id: cycle, progress: { 'A-1': 8 } }),
        // Of a month that is over it says what was counted.
        expect.objectContaining({ id: earlier, progress: { 'A-1': 8, 'A-2': 0 } }),
      ]),
    })
    expect((await get(sheet)).status).toBe(200)
  })

  it('and brought back is not counted in the cycle again where its next count there is taken back', async () => {
    const countIn = async (session: string): Promise<string> => {
      const entry = { barcode: 'A-2', quantity: 0, location: 'PRIMARY', source: 'admin' }
      const body = { ...entry, session, timestamp: ago(0) }
      const key = randomUUID()
      await app.done({ path: '/api/components/update-with-tracking', token: admin.token, key, body })
      await save({ 'A-2': 0 }, { id: session })
      return key
    }
    await countNone()
    await countIn(earlier)
    await post('/api/components/retire', { barcode: 'A-2' })
    await post('/api/components/reinstate', { barcode: 'A-2' })
    for (const session of [cycle, earlier]) await undo(await countIn(session))
    const { body } = await get('/api/cycle-counts?location=PRIMARY&user_type=admin')
    expect(body).toMatchObject({
      cycle_counts: expect.arrayContaining([
        expect.objectContaining({ id: cycle, progress: { 'A-1': 8 }, completed: false }),
        expect.objectContaining({ id: earlier, progress: { 'A-1': 8, 'A-2': 0 } }),
      ]),
    })
  })

  it('leaves a cycle of another company as it is', async () => {
    await countNone()
    const first = admin
    await countNone()
    await post('/api/components/retire', { barcode: 'A-2' })
    admin = first
    expect((await get('/api/cycle-counts?user_type=admin')).body).toMatchObject({
      cycle_counts: [{ progress: { 'A-2': 0 } }, { progress: { 'A-2': 0 } }],
    })
  })
})
