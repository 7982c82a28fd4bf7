import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, startTestApp, zoneOfNoon, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const minute = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * minute).toISOString()

async function begin(): Promise<void> {
  admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  const body = [{ barcode: 'A-1', primary_quantity: 10, secondary_quantity: 10 }]
  await app.done({ path: '/api/components/import', token: admin.token, body })
  await ask('/api/components/configure-high-volume', {
    barcode: 'A-1',
    assignments: { Monday: ['PRIMARY'], Tuesday: ['PRIMARY'] },
  })
}

async function ask(path: string, body: unknown): Promise<unknown> {
  const reply = await app.ask({ path, token: admin.token, body })
  expect(reply.status).toBe(200)
  return reply.body
}

type Count = { quantity: number; minutes: number; source?: string; location?: string }

/** Counts A-1 twice, so that a difference is recorded. */
async function count({ quantity, minutes, source = 'monthly', location = 'PRIMARY' }: Count): Promise<void> {
  for (const at of [ago(minutes), ago(minutes - 0.1)]) {
    await ask('/api/components/update-with-tracking', {
      barcode: 'A-1',
      quantity,
      location,
      source,
      session: 's',
      timestamp: at,
      ...(source === 'weekly' ? { day: 'Monday' } : {}),
    })
  }
}

/** Counts 5 of A-1 a minute ago, under a key. */
async function countUnder(key: string, source: string): Promise<void> {
  const place = { barcode: 'A-1', location: 'PRIMARY', source, session: 's' }
  const body = { ...place, quantity: 5, timestamp: ago(1) }
  const path = '/api/components/update-with-tracking'
  expect((await app.ask({ path, token: admin.token, key, body })).status).toBe(200)
}

const listed = z.object({
  discrepancies: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      count_type: z.string(),
      difference: z.int(),
      reason: z.string().nullable(),
      scanned_at: z.string(),
      attempts: z.array(
        z.object({
          id: z.string(),
          attempt: z.int(),
          counted: z.int(),
          taken_back: z.boolean(),
          timestamp: z.string(),
        }),
      ),
    }),
  ),
})

async function differences(location = 'PRIMARY') {
  const path = `/api/discrepancies?location=${location}&sort=oldest`
  const { body } = await app.ask({ method: 'GET', path, token: admin.token })
  return listed.parse(body).discrepancies
}

async function accept(...sources: string[]): Promise<unknown> {
  const found = (await differences()).filter(({ count_type: source }) => sources.includes(source))
  return await ask('/api/discrepancies/decide', {
    ids: found.map(({ id }) => id),
    decision: 'accept',
    reason: 'Damaged',
  })
}

async function stock(): Promise<unknown> {
  const { rows } = await app.owner.query(
    `select quantity from stock where tenant_id = $1 and location = 'PRIMARY'`,
    [admin.tenantId],
  )
  return rows
}

const settled = { status: 'dismissed', reason: 'Settled by another count' }

describe('one shortage that several counts found', () => {
  it('is booked once, whoever accepts all of them', async () => {
    await begin()
    await count({ quantity: 8, minutes: 4 })
    await count({ quantity: 8, minutes: 3, source: 'admin' })
    await count({ quantity: 8, minutes: 2, source: 'weekly' })
    expect(await accept('monthly', 'admin', 'weekly')).toEqual({ success: true, decided: 3 })
    expect(await stock()).toEqual([{ quantity: 8 }])
    expect(await differences()).toMatchObject([settled, settled, { status: 'accepted', difference: -2 }])
  })

  it('is booked once, whoever accepts them one by one', async () => {
    await begin()
    await count({ quantity: 8, minutes: 4 })
    await count({ quantity: 8, minutes: 3, source: 'admin' })
    await accept('monthly')
    expect(await stock()).toEqual([{ quantity: 8 }])
    expect(await differences()).toMatchObject([{ status: 'accepted' }, settled])
    const accuracy = await app.ask({ method: 'GET', path: '/api/accuracy?months=1', token: admin.token })
    expect(accuracy.body).toMatchObject({ total: { lines: 2, missing: 2 }, skus: [{ missing: 2 }] })
  })

  it('and a later count found more of, leaves what is more', async () => {
    await begin()
    await count({ quantity: 8, minutes: 4 })
    await count({ quantity: 7, minutes: 3, source: 'admin' })
    await accept('monthly')
    expect(await differences()).toMatchObject([{ status: 'accepted' }, { status: 'open', difference: -1 }])
    await accept('admin')
    expect(await stock()).toEqual([{ quantity: 7 }])
  })

  it('is what the later count says, once that is accepted', async () => {
    await begin()
    await count({ quantity: 8, minutes: 4 })
    await count({ quantity: 7, minutes: 3, source: 'admin' })
    await accept('admin')
    expect(await stock()).toEqual([{ quantity: 7 }])
    expect(await differences()).toMatchObject([settled, { status: 'accepted' }])
  })

  it('is settled by a count within the tolerance as well', async () => {
    await begin()
    await count({ quantity: 8, minutes: 4 })
    await ask('/api/company/settings', { count_tolerance_units: 2 })
    await count({ quantity: 8, minutes: 0, source: 'admin' })
    expect(await stock()).toEqual([{ quantity: 8 }])
    expect(await differences()).toMatchObject([settled, { status: 'accepted' }])
  })

  it('is another at another location', async () => {
    await begin()
    await count({ quantity: 8, minutes: 4 })
    await count({ quantity: 8, minutes: 3, location: 'SECONDARY' })
    await accept('monthly')
    expect(await differences('SECONDARY')).toMatchObject([{ status: 'open', difference: -2 }])
  })

  it('leaves in the trail that it was settled, and why', async () => {
    await begin()
    await count({ quantity: 8, minutes: 4 })
    await count({ quantity: 8, minutes: 3, source: 'admin' })
    await accept('admin')
    const path = '/api/audit/trail?limit=1'
    expect((await app.ask({ method: 'GET', path, token: admin.token })).body).toMatchObject({
      entries: [
        { sku: 'A-1', metadata: { event_type: 'discrepancy_settled', counted: 8, reason: 'Damaged' } },
      ],
    })
  })

  it('is booked once though an entry made since is taken back', async () => {
    await begin()
    await count({ quantity: 7, minutes: 4, source: 'weekly' })
    await count({ quantity: 6, minutes: 3 })
    await accept('weekly')
    await countUnder('third', 'monthly')
    await ask('/api/components/undo-count', { key: 'third' })
    expect(await differences()).toMatchObject([{ status: 'accepted' }, { status: 'open', difference: -1 }])
    await accept('monthly')
    expect(await stock()).toEqual([{ quantity: 6 }])
  })

  it('is not what was taken back: a finding between the two waits on', async () => {
    await begin()
    await count({ quantity: 8, minutes: 4 })
    await count({ quantity: 7, minutes: 3, source: 'admin' })
    await countUnder('third', 'monthly')
    await ask('/api/components/undo-count', { key: 'third' })
    await accept('monthly')
    expect(await differences()).toMatchObject([{ status: 'accepted' }, { status: 'open', difference: -1 }])
  })

  it('shows which entries were taken back, and when the newest that stands was scanned', async () => {
    await begin()
    await count({ quantity: 8, minutes: 4 })
    await count({ quantity: 7, minutes: 3, source: 'admin' })
    for (const key of ['third', 'fourth']) {
      await countUnder(key, 'monthly')
      await ask('/api/components/undo-count', { key })
    }
    const [monthly, view] = await differences()
    expect(monthly?.attempts).toMatchObject([
      { attempt: 1, counted: 8, taken_back: false },
      { attempt: 2, counted: 8, taken_back: false },
      { attempt: 3, counted: 5, taken_back: true },
      { attempt: 3, counted: 5, taken_back: true },
    ])
    expect(new Set(monthly?.attempts.map(({ id }) => id)).size).toBe(4)
    expect(monthly?.scanned_at).toBe(monthly?.attempts[1]?.timestamp)
    expect(view?.scanned_at).toBe(view?.attempts[1]?.timestamp)
  })

  it('whose last entry is taken back, waits with what is left of it', async () => {
    await begin()
    await count({ quantity: 8, minutes: 4 })
    await count({ quantity: 7, minutes: 3, source: 'admin' })
    await countUnder('third', 'admin')
    await accept('monthly')
    await ask('/api/components/undo-count', { key: 'third' })
    expect(await differences()).toMatchObject([{ status: 'accepted' }, { status: 'open', difference: -1 }])
  })
})
