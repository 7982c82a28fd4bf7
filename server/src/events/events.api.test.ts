import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCompanyWithStock, type People } from '../../test/company-with-stock.ts'
import { leaveWhileLocked } from '../../test/leaving.ts'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import { lookAtStock } from '../stock/low-stock.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Stream = {
  events: () => string[]
  waitFor: (text: string) => Promise<void>
  ended: Promise<void>
  stop: () => void
}

/** Follows the events of a person's company as a browser would. */
async function follow(url: string, person: Person, lastId?: string): Promise<Stream> {
  const stopped = new AbortController()
  const response = await fetch(url.includes('?') ? url : `${url}/api/events`, {
    headers: {
      authorization: `Bearer ${person.token}`,
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
    signal: stopped.signal,
  })
  expect(response.status).toBe(200)
  let text = ''
  const ended = (async () => {
    try {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
    } catch (error) {
      if (!stopped.signal.aborted) throw error
    }
  })()
  return {
    events: () => text.split('\n\n').filter((block) => /^(id: .*\n)?event: /.test(block)),
    async waitFor(wanted) {
      const deadline = Date.now() + 5_000
      while (!text.includes(wanted)) {
        if (Date.now() > deadline) throw new Error(`Nothing like ${wanted} came: ${text}`)
        await sleep(10)
      }
    },
    ended,
    stop: () => stopped.abort(),
  }
}

async function companyWithStock(): Promise<People> {
  const rows = Array.from({ length: 20 }, (_, index) => ({ barcode: `A-${index}`, primary_quantity: index }))
  return await makeCompanyWithStock(app, rows)
}

const scan = (person: Person, index: number, quantity = index) =>
  app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    body: {
      barcode: `A-${index}`,
      quantity,
      location: 'PRIMARY',
      session: 's',
      timestamp: new Date(Date.now() - index).toISOString(),
    },
  })

async function openStreams(): Promise<number> {
  return Number(/^inventory_manager_streams_open (\d+)/m.exec(await app.metrics.read())?.[1])
}

const lastIdOf = (stream: Stream) => /^id: (\S+)/.exec(stream.events().at(-1) ?? '')?.[1] ?? ''
const skusOf = (stream: Stream) => stream.events().map((event) => /"sku":"([^"]+)"/.exec(event)?.[1])
const dataOf = (event: string): unknown => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? 'null')

async function end(...streams: Stream[]): Promise<void> {
  for (const stream of streams) {
    stream.stop()
    await stream.ended
  }
}

describe('the streams of one session', () => {
  it('are 30 at most, those of others as many, and a closed one makes room', async () => {
    const { admin, staff } = await companyWithStock()
    const streams = await Promise.all(Array.from({ length: 30 }, () => follow(app.url, admin)))
    const open = (person: Person) => app.ask({ method: 'GET', path: '/api/events', token: person.token })
    expect(await open(admin)).toMatchObject({
      status: 429,
      body: {
        error: 'As many streams of news are open for you as may be. Close some of them first.',
        code: 'too_many_requests',
      },
    })
    streams.push(await follow(app.url, staff))
    await streams[0]?.waitFor('id: ')
    streams[0]?.stop()
    await streams[0]?.ended
    await expect.poll(openStreams).toBe(30)
    streams.push(await follow(app.url, admin))
    for (const { stop } of streams) stop()
    await expect.poll(openStreams).toBe(0)
  })
})

describe('who follows the events of a company', () => {
  it('sees what a colleague counts, on another node as well', async () => {
    const { admin, staff } = await companyWithStock()
    const second = await app.startSecondNode()
    const here = await follow(app.url, admin)
    const there = await follow(second.url, admin)
    await scan(staff, 7)
    for (const stream of [here, there]) {
      await stream.waitFor('"sku":"A-7"')
      const [event] = stream.events()
      expect(event).toMatch(/^id: \S+\nevent: count\ndata: \{/)
      expect(event).toContain('"user_name":"Sam Staff"')
      expect(event).not.toContain('quantity')
      stream.stop()
      await stream.ended
    }
    await second.close()
  })

  it('is told of stock that moves, of new descriptions and of imports taken back', async () => {
    const { admin } = await companyWithStock()
    const stream = await follow(app.url, admin)
    const post = (path: string, body: object) => app.ask({ path, token: admin.token, body })
    await post('/api/transfers', { barcode: 'A-5', from: 'PRIMARY', to: 'QUARANTINE', quantity: 1 })
    await post('/api/transfers', { barcode: 'A-6', from: 'PRIMARY', to: 'SECONDARY', quantity: 1 })
    await post('/api/components/describe', { barcode: 'A-7', description: 'Washer' })
    await stream.waitFor('"sku":"A-7"')
    expect(stream.events().map((event) => /^event: (.*)$/m.exec(event)?.[1])).toEqual([
      'component',
      'component',
      'component',
    ])
    await end(stream)
  })

  it('is told of labels that a colleague has made', async () => {
    const { admin, staff } = await companyWithStock()
    const stream = await follow(app.url, staff)
    const labels = { path: '/api/generate-labels', body: { components: [{ barcode: 'A-1' }] } }
    expect((await app.ask({ ...labels, token: admin.token })).status).toBe(200)
    await stream.waitFor('labels_generated')
    expect(stream.events().find((event) => event.includes('labels_generated'))).toMatch(/^event: label$/m)
    await end(stream)
  })

  it('is told of other roles, settings and plans, and comes back in the new role', async () => {
    const { admin, staff } = await companyWithStock()
    const other = await makeStaff(app, admin, 'Olga')
    const streams = [await follow(app.url, admin), await follow(app.url, staff)] as const
    const ofOther = await follow(app.url, other)
    const post = (path: string, body: object) => app.ask({ path, token: admin.token, body })
    await post('/api/company/settings', { name: 'Nordlager GmbH', count_tolerance_units: 31_337 })
    await post('/api/company/plan', { plan: 'enterprise' })
    await ofOther.waitFor('"event":"plan_changed"')
    await post(`/api/team/users/${other.userId}/role`, { role: 'admin' })
    await ofOther.ended
    const back = await follow(app.url, other, lastIdOf(ofOther))
    for (const stream of [...streams, back]) await stream.waitFor('"event":"role_changed"')
    for (const stream of streams) {
      const types = stream.events().map((event) => /^event: (.*)$/m.exec(event)?.[1])
      expect(new Set(types)).toEqual(new Set(['session']))
      const events = stream.events().map((event) => /"event":"(\w+)"/.exec(event)?.[1])
      expect(new Set(events)).toEqual(new Set(['settings_changed', 'plan_changed', 'role_changed']))
      expect(stream.events().join()).not.toMatch(/31337|tolerance|GmbH/)
    }
    await end(...streams, back)
  })

  it('is told nothing that a device only reports about itself', async () => {
    const { admin, staff } = await companyWithStock()
    const stream = await follow(app.url, admin)
    await app.done({
      path: '/api/audit/log',
      token: staff.token,
      body: { sku: 'CYCLE_COUNT_MONTHLY_COUNT_RESET' },
    })
    await scan(staff, 3)
    await stream.waitFor('"sku":"A-3"')
    expect(skusOf(stream)).toEqual(['A-3'])
    await end(stream)
  })

  it('sees nothing of another company', async () => {
    const { admin } = await companyWithStock()
    const other = await companyWithStock()
    const stream = await follow(app.url, admin)
    await scan(other.staff, 3)
    await scan(admin, 4)
    await stream.waitFor('"sku":"A-4"')
    expect(stream.events()).toHaveLength(1)
    stream.stop()
    await stream.ended
  })

  it('goes on after a cut without a gap and without a repeat', async () => {
    const { admin, staff } = await companyWithStock()
    const before = await follow(app.url, admin)
    await scan(staff, 1)
    await before.waitFor('"sku":"A-1"')
    const lastId = /^id: (\S+)/.exec(before.events().at(-1) ?? '')?.[1] ?? ''
    before.stop()
    await before.ended
    for (let index = 2; index < 8; index += 1) await scan(staff, index)
    const after = await follow(app.url, admin, lastId)
    await after.waitFor('"sku":"A-7"')
    await scan(staff, 8)
    await after.waitFor('"sku":"A-8"')
    const skus = after.events().map((event) => /"sku":"([^"]+)"/.exec(event)?.[1])
    expect(skus).toEqual(['A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-7', 'A-8'])
    after.stop()
    await after.ended
  })

  it('is let go when the session is over', async () => {
    const { admin } = await companyWithStock()
    const stream = await follow(app.url, admin)
    await app.done({ path: '/api/auth/logout', token: admin.token })
    await stream.ended
    expect((await app.ask({ method: 'GET', path: '/api/events', token: admin.token })).status).toBe(401)
  })

  it('is let go at once when a new password was set by a link, which ends all sessions', async () => {
    const { admin, staff } = await companyWithStock()
    const path = `/api/team/users/${staff.userId}/password-link`
    const { body } = await app.ask({ path, token: admin.token, body: {} })
    const stream = await follow(app.url, staff)
    const reset = { secret: String(Object(body).secret), passcode: 'brand new' }
    expect((await app.ask({ path: '/api/auth/reset-password', body: reset })).status).toBe(200)
    // Sessions that ended without a word are looked for every 15 seconds.
    expect(await Promise.race([stream.ended.then(() => 'ended'), sleep(5_000).then(() => 'open')])).toBe(
      'ended',
    )
    await end(stream)
  })

  it('is let go at once also where more has happened than is told', async () => {
    const { admin, staff } = await companyWithStock()
    const stream = await follow(app.url, staff)
    const owner = await app.owner.connect()
    await owner.query('begin')
    await owner.query('update sessions set ended_at = now() where tenant_id = $1 and user_id = $2', [
      admin.tenantId,
      staff.userId,
    ])
    await owner.query(
      `insert into audit_entries (tenant_id, kind, event, sku, source, user_type, user_name)
       select $1, 'configuration', 'user_signed_out', 'M-' || i, 'team', 'admin', 'x' from generate_series(1, 501) i`,
      [admin.tenantId],
    )
    await owner.query('commit')
    owner.release()
    await scan(admin, 1)
    expect(await Promise.race([stream.ended.then(() => 'ended'), sleep(5_000).then(() => 'open')])).toBe(
      'ended',
    )
    await end(stream)
  })

  it('misses nothing that was begun earlier and committed later, on the open stream and after a cut', async () => {
    const { admin, staff } = await companyWithStock()
    const open = await follow(app.url, admin)
    const slow = await app.owner.connect()
    await slow.query('begin')
    await slow.query(
      `insert into audit_entries (tenant_id, id, kind, event, sku, location, source, user_type, user_name)
       values ($1, id_at(clock_timestamp() - interval '10 minutes'), 'inventory_scan', 'monthly_count_scan', 'SLOW-1',
         'PRIMARY', 'monthly', 'user', 'Slow Sue')`,
      [admin.tenantId],
    )
    await scan(staff, 1)
    await open.waitFor('"sku":"A-1"')
    const lastId = lastIdOf(open)
    await slow.query('commit')
    slow.release()
    await scan(staff, 2)
    await open.waitFor('"sku":"A-2"')
    const resumed = await follow(app.url, admin, lastId)
    await resumed.waitFor('"sku":"A-2"')
    expect(skusOf(open)).toEqual(['A-1', 'SLOW-1', 'A-2'])
    expect(skusOf(resumed)).toEqual(['SLOW-1', 'A-2'])
    await end(open, resumed)
  })

  it('goes on in the middle of news that were told together', async () => {
    const { admin, staff } = await companyWithStock()
    const before = await follow(app.url, admin)
    await scan(staff, 1)
    await before.waitFor('"sku":"A-1"')
    await end(before)
    for (let index = 2; index < 6; index += 1) await scan(staff, index)
    const together = await follow(app.url, admin, lastIdOf(before))
    await together.waitFor('"sku":"A-5"')
    await end(together)
    const [, second = ''] = together.events()
    const after = await follow(app.url, admin, /^id: (\S+)/.exec(second)?.[1])
    await scan(staff, 6)
    await after.waitFor('"sku":"A-6"')
    expect(skusOf(together)).toEqual(['A-2', 'A-3', 'A-4', 'A-5'])
    expect(skusOf(after)).toEqual(['A-4', 'A-5', 'A-6'])
    await end(after)
  })

  it('goes on on another node', async () => {
    const { admin, staff } = await companyWithStock()
    const second = await app.startSecondNode()
    const here = await follow(app.url, admin)
    await scan(staff, 1)
    await here.waitFor('"sku":"A-1"')
    await end(here)
    await scan(staff, 2)
    const there = await follow(second.url, admin, lastIdOf(here))
    await there.waitFor('"sku":"A-2"')
    expect(skusOf(there)).toEqual(['A-2'])
    await end(there)
    await second.close()
  })

  it('sees how far the count is and by whom, and as staff neither verdicts nor quantities', async () => {
    const { admin, staff } = await companyWithStock()
    const streams = [await follow(app.url, admin), await follow(app.url, staff)] as const
    await scan(staff, 3)
    await scan(staff, 4, 31_337)
    await scan(staff, 5)
    for (const stream of streams) await stream.waitFor('"sku":"A-5"')
    const [ofAdmin, ofStaff] = streams.map((stream) => stream.events().map(dataOf))
    expect(ofAdmin).toMatchObject([
      { event: 'monthly_count_scan', sku: 'A-3', user_id: staff.userId, progress: { total: 20 } },
      { event: 'monthly_count_mismatch', sku: 'A-4', count: { recorded: false, this_month: false } },
      { event: 'monthly_count_scan', sku: 'A-5', progress: { counted: 2, total: 20 } },
    ])
    expect(ofStaff).toMatchObject([
      { sku: 'A-3', location: 'PRIMARY', count: { source: 'monthly', recorded: true, this_month: true } },
      { event: 'monthly_count_scan', sku: 'A-4', count: { recorded: false } },
      { sku: 'A-5' },
    ])
    expect(JSON.stringify(ofStaff)).not.toMatch(/mismatch|quantity|expected|:31337/)
    await end(...streams)
  })

  it('learns that an accepted difference has moved stock, and as staff nothing of the difference', async () => {
    const { admin, staff } = await companyWithStock()
    const post = (path: string, body: object) => app.ask({ path, token: admin.token, body })
    await scan(staff, 4, 31_337)
    await scan(staff, 4, 31_337)
    const { rows: found } = await app.owner.query<{ id: string }>(
      'select id from discrepancies where tenant_id = $1',
      [admin.tenantId],
    )
    await post('/api/company/settings', { count_tolerance_units: 2 })
    const streams = [await follow(app.url, admin), await follow(app.url, staff)] as const
    await post('/api/discrepancies/decide', {
      ids: found.map(({ id }) => id),
      decision: 'accept',
      reason: 'Found',
    })
    await scan(staff, 5, 6)
    await scan(staff, 7)
    for (const stream of streams) await stream.waitFor('"sku":"A-7"')
    const [ofAdmin, ofStaff] = streams.map((stream) => stream.events().map(dataOf))
    expect(ofAdmin).toMatchObject([
      { event: 'discrepancy_accepted', sku: 'A-4', location: 'PRIMARY' },
      { sku: 'A-5', count: { recorded: true, stock_moved: true } },
      { sku: 'A-7', count: { recorded: true, stock_moved: false } },
    ])
    expect(ofStaff).toMatchObject([
      { event: 'stock_moved', sku: 'A-4', location: 'PRIMARY' },
      { sku: 'A-5', count: { recorded: true } },
      { sku: 'A-7', count: { recorded: true } },
    ])
    expect(streams[1].events()[0]).toContain('event: component')
    expect(JSON.stringify(ofStaff)).not.toMatch(/discrepancy|"stock_moved":|expected|31337/)
    await end(...streams)
  })

  it('learns as administrator that something was said of a count, not what, and as staff nothing of it', async () => {
    const { admin, staff } = await companyWithStock()
    const streams = await Promise.all([follow(app.url, admin), follow(app.url, staff)])
    const [ofAdmin, ofStaff] = streams
    const entry = { barcode: 'A-4', quantity: 4, location: 'PRIMARY', session: 's' }
    const body = { ...entry, timestamp: new Date().toISOString() }
    const { token } = staff
    await app.done({ path: '/api/components/update-with-tracking', token, key: 'noted', body })
    const said = { key: 'noted', note: '3 crates are damaged' }
    await app.done({ path: '/api/components/note-count', token, body: said })
    await scan(staff, 5)
    await Promise.all(streams.map(({ waitFor }) => waitFor('A-5')))
    expect(skusOf(ofAdmin)).toEqual(['A-4', 'A-4', 'A-5'])
    const news = ofAdmin.events()[1] ?? ''
    expect(/^event: .*$/m.exec(news)?.[0]).toBe('event: discrepancy')
    expect(dataOf(news)).toMatchObject({ event: 'count_noted', location: 'PRIMARY', user_name: 'Sam Staff' })
    expect(news).not.toContain('damaged')
    expect(skusOf(ofStaff)).toEqual(['A-4', 'A-5'])
    await end(...streams)
  })

  it('learns of a reopened difference as administrator, and as staff only that it is to be counted again or its stock has moved', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 4, 31_337)
    await scan(staff, 4, 31_337)
    const { rows } = await app.owner.query<{ id: string }>(
      'select id from discrepancies where tenant_id = $1',
      [admin.tenantId],
    )
    const post = async (path: string, body: object) => {
      expect((await app.ask({ path, token: admin.token, body })).status).toBe(200)
    }
    const id = rows[0]?.id
    const decide = (decision: string) => post('/api/discrepancies/decide', { ids: [id], decision })
    await decide('dismiss')
    const streams = [await follow(app.url, admin), await follow(app.url, staff)] as const
    await post('/api/discrepancies/reopen', { id })
    await decide('recount')
    await decide('dismiss')
    await post('/api/discrepancies/reopen', { id })
    await scan(staff, 4, 31_337)
    await post('/api/discrepancies/decide', { ids: [id], decision: 'accept', reason: 'Found' })
    await post('/api/discrepancies/reopen', { id })
    await scan(staff, 7)
    for (const stream of streams) await stream.waitFor('"sku":"A-7"')
    const told = streams.map((stream) => stream.events().map((event) => dataOf(event)))
    expect(told).toMatchObject([
      [
        { event: 'discrepancy_reopened', sku: 'A-4', location: 'PRIMARY' },
        { event: 'discrepancy_recount', sku: 'A-4' },
        { event: 'discrepancy_dismissed', sku: 'A-4' },
        { event: 'discrepancy_reopened', sku: 'A-4' },
        { sku: 'A-4', count: {} },
        { event: 'discrepancy_accepted', sku: 'A-4' },
        { event: 'discrepancy_reopened', sku: 'A-4' },
        { sku: 'A-7' },
      ],
      [
        { event: 'discrepancy_recount', sku: 'A-4', location: 'PRIMARY' },
        { event: 'discrepancy_recount', sku: 'A-4', location: 'PRIMARY' },
        { sku: 'A-4', count: {} },
        { event: 'stock_moved', sku: 'A-4', location: 'PRIMARY' },
        { event: 'stock_moved', sku: 'A-4', location: 'PRIMARY' },
        { sku: 'A-7' },
      ],
    ])
    expect(JSON.stringify(told[1])).not.toMatch(/reopened|expected|31337/)
    await end(...streams)
  })

  it('is not told as staff what came of a colleague’s count where the company counts strictly blind', async () => {
    const { admin, staff } = await companyWithStock()
    await app.done({
      path: '/api/company/settings',
      token: admin.token,
      body: { strict_blind_counts: true },
    })
    const colleague = await makeStaff(app, admin, 'Kim Colleague')
    const streams = [await follow(app.url, admin), await follow(app.url, colleague)] as const
    await scan(staff, 4, 31_337)
    await scan(staff, 5)
    for (const stream of streams) await stream.waitFor('"sku":"A-5"')
    const [ofAdmin, ofColleague] = streams.map((stream) => stream.events().map(dataOf))
    expect(ofAdmin).toMatchObject([{ count: { recorded: false } }, { count: { recorded: true } }])
    expect(ofColleague).toMatchObject([
      { event: 'monthly_count_scan', sku: 'A-4', count: { source: 'monthly' } },
      { event: 'monthly_count_scan', sku: 'A-5', count: { source: 'monthly' } },
    ])
    expect(JSON.stringify(ofColleague)).not.toMatch(/recorded|mismatch/)
    await end(...streams)
  })

  it('is not told that stock fell below its minimum, but what it fell by', async () => {
    const { admin, staff } = await companyWithStock()
    const streams = [await follow(app.url, admin), await follow(app.url, staff)] as const
    const post = (path: string, body: object) => app.done({ path, token: admin.token, body })
    await post('/api/components/place', { location: 'PRIMARY', components: [{ barcode: 'A-5', minimum: 5 }] })
    const issued = { barcode: 'A-5', location: 'PRIMARY', amount: -1, reason: 'issued' }
    await post('/api/components/adjust-quantity', issued)
    await app.database.inTenant(admin.tenantId, lookAtStock)
    await post('/api/components/describe', { barcode: 'A-7', description: 'Washer' })
    for (const stream of streams) {
      await stream.waitFor('"sku":"A-7"')
      expect(stream.events().map(dataOf)).toMatchObject([
        { event: 'placement_changed', sku: 'A-5' },
        { event: 'quantity_adjusted', sku: 'A-5' },
        { event: 'description_changed', sku: 'A-7' },
      ])
    }
    await end(...streams)
  })

  it('is let go with its API key when the plan has no API access any more', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    const made = await app.ask({
      path: '/api/api-keys',
      token: admin.token,
      body: { name: 'Robot', scopes: ['read'] },
    })
    const ofKey = await follow(app.url, { ...admin, token: String(Object(made.body).key) })
    const ofAdmin = await follow(app.url, admin)
    const body = { plan: 'starter', accept_read_only: true }
    expect((await app.ask({ path: '/api/company/plan', token: admin.token, body })).status).toBe(200)
    await ofKey.ended
    expect(await Promise.race([ofAdmin.ended.then(() => 'ended'), sleep(200).then(() => 'open')])).toBe(
      'open',
    )
    await end(ofAdmin)
  })

  it('is told to load anew where it missed too much, or comes from nowhere', async () => {
    const { admin, staff } = await companyWithStock()
    const before = await follow(app.url, admin)
    await scan(staff, 1)
    await before.waitFor('"sku":"A-1"')
    await end(before)
    await app.owner.query(
      `insert into audit_entries (tenant_id, kind, event, sku, source, user_type, user_name)
       select $1, 'inventory_scan', 'monthly_count_scan', 'M-' || i, 'monthly', 'user', 'x' from generate_series(1, 501) i`,
      [admin.tenantId],
    )
    const places = [lastIdOf(before), 'nowhere', '9:1:', '99999999:99999999:', '0:0:', '1:5:7']
    for (const place of places) {
      const stream = await follow(app.url, admin, place)
      await stream.waitFor('event: reload')
      expect(stream.events()).toHaveLength(1)
      await scan(staff, 2)
      await stream.waitFor('"sku":"A-2"')
      await end(stream)
    }
  })

  it('is told to load anew by an API key that was away for longer than news are told', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    const rows = [1, 2].map((index) => ({ barcode: `A-${index}`, primary_quantity: index }))
    await app.done({ path: '/api/components/import', token: admin.token, body: rows })
    const made = await app.ask({
      path: '/api/api-keys',
      token: admin.token,
      body: { name: 'Robot', scopes: ['read'] },
    })
    const robot = { ...admin, token: String(Object(made.body).key) }
    const before = await follow(app.url, robot)
    await scan(admin, 1)
    await before.waitFor('"sku":"A-1"')
    await end(before)
    await app.owner.query(
      `insert into audit_entries (tenant_id, id, kind, event, sku, location, source, user_type, user_name)
       values ($1, id_at(clock_timestamp() - interval '2 days'), 'inventory_scan', 'monthly_count_scan', 'OLD-1',
         'PRIMARY', 'monthly', 'user', 'Early Eve')`,
      [admin.tenantId],
    )
    await scan(admin, 2)
    const back = await follow(app.url, robot, lastIdOf(before))
    await back.waitFor('event: reload')
    expect(back.events()).toHaveLength(1)
    await scan(admin, 1)
    await back.waitFor('"sku":"A-1"')
    await end(back)
  })

  it('may begin with the last seconds, so that nothing falls between loading a list and following', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 1)
    const stream = await follow(`${app.url}/api/events?recent=30`, admin)
    await stream.waitFor('"sku":"A-1"')
    await end(stream)
    const bad = await app.ask({ method: 'GET', path: '/api/events?recent=soon', token: admin.token })
    expect([bad.status, bad.body]).toMatchObject([
      400,
      { error: 'recent must be a whole number of seconds up to 999.' },
    ])
  })

  it('follows no more who leaves before the stream begins', async () => {
    const { admin, staff } = await companyWithStock()
    await expect.poll(openStreams).toBe(0)
    await leaveWhileLocked(app, admin, { path: '/api/events', lock: 'lock table sessions' })
    // Told what comes after the stream would have begun.
    const stays = await follow(app.url, staff)
    await scan(staff, 1)
    await stays.waitFor('"sku":"A-1"')
    expect(await openStreams()).toBe(1)
    await end(stays)
    await expect.poll(openStreams).toBe(0)
  })

  it('needs to be signed in', async () => {
    expect((await app.ask({ method: 'GET', path: '/api/events' })).status).toBe(401)
  })
})
