import { monthAfter } from '@inventory-manager/contract/calendar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openPrinter, type Printer } from '../../test/printer.ts'
import { isSoundPdf } from '../../test/qpdf.ts'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'

let app: TestApp
let printer: Printer
beforeAll(async () => {
  app = await startTestApp()
  printer = await openPrinter()
})
afterAll(async () => {
  printer.close()
  await app.close()
})

const zone = zoneOfNoon()
const skus = ['A-1', 'A-2', 'A-3', 'A-4']

async function companyWithStock(part: { timeZone?: string } = {}): Promise<{ admin: Person; staff: Person }> {
  const admin = await makeCompany(app, { timeZone: zone, ...part })
  const rows = skus.map((barcode) => ({
    barcode,
    description: `螺栓 ${barcode}`,
    primary_quantity: 100,
    secondary_quantity: 100,
  }))
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  return { admin, staff: await makeStaff(app, admin, 'Şükrü Özdemir') }
}

let scans = 0

type Entry = [barcode: string, quantity: number, part?: Record<string, unknown>]

async function count(person: Person, ...[barcode, quantity, part = {}]: Entry): Promise<string> {
  scans += 1
  const reply = await app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    key: `count-${scans}`,
    body: {
      barcode,
      quantity,
      location: 'PRIMARY',
      source: 'monthly',
      session: 'Monthly_1',
      timestamp: new Date(Date.now() - 60_000 + scans).toISOString(),
      ...part,
    },
  })
  expect(reply.status).toBe(200)
  return `count-${scans}`
}

/** A difference as it is recorded: counted twice. */
async function countTwice(person: Person, ...entry: Entry): Promise<string> {
  await count(person, ...entry)
  return await count(person, ...entry)
}

const get = (person: Person, path: string) => app.ask({ method: 'GET', path, token: person.token })
const accuracyOf = async (person: Person, query = '') =>
  (await get(person, `/api/accuracy?months=1${query}`)).body

const idList = z.object({ discrepancies: z.array(z.object({ id: z.string(), sku: z.string() })) })

type Decision = { decision: string; reason?: string; status?: string }

async function decide(admin: Person, sku: string, { status = 'open', ...decision }: Decision) {
  const { body } = await get(admin, `/api/discrepancies?status=${status}`)
  const ids = idList.parse(body).discrepancies.flatMap((item) => (item.sku === sku ? [item.id] : []))
  const answer = { ids, note: 'seen by two', ...decision }
  const reply = await app.ask({ path: '/api/discrepancies/decide', token: admin.token, body: answer })
  expect(reply.status).toBe(200)
}

const thisMonth = (timeZone = zone) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).format(new Date())

describe('accuracy', () => {
  it('has every month and no share where nothing was counted', async () => {
    const { admin } = await companyWithStock()
    const { body } = await get(admin, '/api/accuracy?until=2026-02&months=3')
    const lines = { lines: 0, matched: 0, tolerated: 0, differing: 0 }
    const none = { ...lines, missing: 0, surplus: 0, missing_value: 0, surplus_value: 0 }
    expect(body).toEqual({
      this_month: thisMonth(),
      from: '2025-12',
      until: '2026-02',
      total: none,
      months: ['2025-12', '2026-01', '2026-02'].map((month) => ({ month, ...none })),
      locations: [],
      causes: [],
      skus: [],
      currency: 'USD',
      without_cost: 0,
    })
  })

  it('tells of a difference also where its count lies in another month since the time zone was changed', async () => {
    const { admin, staff } = await companyWithStock()
    await countTwice(staff, 'A-1', 97)
    await app.owner.query("update scan_days set day = day - interval '1 month' where tenant_id = $1", [
      admin.tenantId,
    ])
    const { body } = await get(admin, '/api/accuracy?months=1')
    expect(body).toMatchObject({ total: { lines: 1, matched: 0, differing: 1, missing: 3 } })
  })

  it('is counted by line and never netted, with what became of each difference', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, 'A-1', 100)
    await countTwice(staff, 'A-2', 97)
    await countTwice(staff, 'A-3', 103)
    await countTwice(staff, 'A-4', 90, { location: 'SECONDARY' })
    await decide(admin, 'A-2', { decision: 'accept', reason: 'Damaged' })
    await decide(admin, 'A-3', { decision: 'dismiss' })
    const primary = { lines: 3, matched: 1, tolerated: 0, differing: 2, missing: 3, surplus: 3 }
    const secondary = { lines: 1, matched: 0, tolerated: 0, differing: 1, missing: 10, surplus: 0 }
    const month = thisMonth()
    expect(await accuracyOf(admin)).toMatchObject({
      total: { lines: 4, matched: 1, tolerated: 0, differing: 3, missing: 13, surplus: 3 },
      locations: [
        { month, location: 'PRIMARY', ...primary },
        { month, location: 'SECONDARY', ...secondary },
      ],
      causes: [
        { status: 'accepted', reason: 'Damaged', lines: 1, missing: 3, surplus: 0 },
        { status: 'dismissed', reason: null, lines: 1, missing: 0, surplus: 3 },
        { status: 'open', reason: null, lines: 1, missing: 10, surplus: 0 },
      ],
      skus: [
        { sku: 'A-4', description: '螺栓 A-4', lines: 1, missing: 10, surplus: 0 },
        { sku: 'A-2', lines: 1 },
        { sku: 'A-3', lines: 1 },
      ],
    })
    expect(await accuracyOf(admin, '&location=Secondary%20Warehouse')).toMatchObject({
      total: secondary,
      causes: [{ status: 'open' }],
      skus: [{ sku: 'A-4' }],
    })
  })

  it('has a difference that somebody dismissed for one, whatever reason they gave', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, 'A-1', 100)
    await countTwice(staff, 'A-2', 97)
    await countTwice(staff, 'A-3', 98)
    const total = { lines: 3, matched: 1, differing: 2, missing: 5 }
    expect(await accuracyOf(admin)).toMatchObject({ total })
    await decide(admin, 'A-2', { decision: 'dismiss', reason: 'Count reset' })
    await decide(admin, 'A-3', { decision: 'dismiss', reason: 'Settled by another count' })
    expect(await accuracyOf(admin)).toMatchObject({ total })
  })

  it('takes entries for the same difference for one line, and a later match for a match', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, 'A-1', 5)
    expect(await accuracyOf(admin)).toMatchObject({ total: { lines: 0, differing: 0 } })
    await count(staff, 'A-1', 6)
    await count(staff, 'A-1', 7)
    expect(await accuracyOf(admin)).toMatchObject({ total: { lines: 1, matched: 0, differing: 1 } })
    await count(staff, 'A-1', 100)
    expect(await accuracyOf(admin)).toMatchObject({ total: { lines: 1, matched: 1, missing: 0 }, causes: [] })
  })

  it('leaves out what was taken back, and what a client only reported', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, 'A-1', 100)
    const key = await countTwice(staff, 'A-2', 5)
    await app.done({ path: '/api/components/undo-count', token: staff.token, body: { key } })
    const reported = { sku: 'A-3', quantity: 100, location: 'PRIMARY' }
    expect((await app.ask({ path: '/api/count-history', token: staff.token, body: reported })).status).toBe(
      201,
    )
    expect(await accuracyOf(admin)).toMatchObject({ total: { lines: 1, matched: 1, differing: 0 } })
  })

  it('shows apart what the tolerance accepted', async () => {
    const { admin, staff } = await companyWithStock()
    const limits = { count_tolerance_units: 2 }
    await app.done({ path: '/api/company/settings', token: admin.token, body: limits })
    await count(staff, 'A-1', 99, { timestamp: new Date().toISOString() })
    await countTwice(staff, 'A-2', 90)
    expect(await accuracyOf(admin)).toMatchObject({
      total: { lines: 2, matched: 0, tolerated: 1, differing: 1, missing: 11 },
      causes: [{ status: 'accepted', reason: 'Within tolerance' }, { status: 'open' }],
    })
  })

  it('says nothing of first counts but how many there were, as does a certificate', async () => {
    const { admin, staff } = await companyWithStock()
    await app.done({
      path: '/api/company/settings',
      token: admin.token,
      body: { first_count_sets_stock: true },
    })
    const first = { location: 'FULFILLMENT', timestamp: new Date().toISOString() }
    await count(staff, 'A-1', 9, first)
    await count(staff, 'A-2', 8, first)
    const certificate = async (scope: string) => {
      const { bytes } = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}${scope}`)
      return (await printer.readTexts(bytes)).join()
    }
    const none = 'First counts 2, which set the stock and are no lines\nLines counted 0\nLines matched 0\n'
    for (const scope of ['', '&session=Monthly_1']) expect(await certificate(scope)).toContain(none)
    expect(await accuracyOf(admin)).toMatchObject({
      total: { lines: 0, surplus: 0 },
      locations: [],
      causes: [],
      first_counts: 2,
    })
    const next = { location: 'FULFILLMENT', timestamp: new Date().toISOString() }
    await countTwice(staff, 'A-1', 11, next)
    await count(staff, 'A-2', 8, next)
    expect(await accuracyOf(admin)).toMatchObject({
      total: { lines: 2, matched: 1, differing: 1, surplus: 2 },
      skus: [{ sku: 'A-1', lines: 1, surplus: 2 }],
      first_counts: 2,
    })
    const some = 'First counts 2, which set the stock and are no lines\nLines counted 2\nLines matched 1\n'
    for (const scope of ['', '&session=Monthly_1']) expect(await certificate(scope)).toContain(some)
  })

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'has the months of the company in %s',
    async (zone) => {
      const { admin, staff } = await companyWithStock({ timeZone: zone })
      await countTwice(staff, 'A-1', 99)
      expect(await accuracyOf(admin)).toMatchObject({
        this_month: thisMonth(zone),
        locations: [{ month: thisMonth(zone), lines: 1, differing: 1 }],
      })
    },
  )

  it.each([
    ['?until=2026-13', 400],
    ['?months=0', 400],
    ['?months=25', 400],
    ['?location=Nowhere', 400],
  ])('%s is refused', async (query, status) => {
    const { admin } = await companyWithStock()
    expect((await get(admin, `/api/accuracy${query}`)).status).toBe(status)
  })

  it.each([
    '/api/accuracy',
    '/api/accuracy/sessions?month=2026-01',
    '/api/accuracy/certificate?month=2026-01',
  ])('%s is for administrators', async (path) => {
    const { staff } = await companyWithStock()
    expect((await get(staff, path)).status).toBe(403)
  })
})

const nameOf = (month: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )

describe('a count certificate', () => {
  it('says who counted what and when, every difference, and its number in the audit trail', async () => {
    const { admin, staff } = await companyWithStock()
    await app.done({
      path: '/api/company/settings',
      token: admin.token,
      body: { name: 'Müller & Söhne 株式会社' },
    })
    await count(staff, 'A-1', 100)
    await countTwice(staff, 'A-2', 97)
    await count(admin, 'A-3', 100, { location: 'SECONDARY', session: 'Monthly_2' })
    await decide(admin, 'A-2', { decision: 'accept', reason: 'Damaged' })
    const reply = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}&location=PRIMARY`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/pdf')
    expect(reply.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''count_certificate_M%C3%BCller%20%26%20S%C3%B6hne%20%E6%A0%AA%E5%BC%8F%E4%BC%9A%E7%A4%BE_PRIMARY_${thisMonth()}.pdf`,
    )
    expect(await isSoundPdf(reply.bytes)).toBe(true)
    const [text = ''] = await printer.readTexts(reply.bytes)
    for (const part of [
      'Müller & Söhne 株式会社',
      'Primary Warehouse',
      'Şükrü Özdemir',
      '螺栓 A-2',
      '−3',
      'Accepted: Damaged',
      'seen by two',
      'Inventory record accuracy 50.0%',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).toMatch(/Page 1 of\s+1$/)
    expect(text).not.toContain('A-1')
    const { rows } = await app.owner.query<{ id: string }>(
      `select id from audit_entries where tenant_id = $1 and event = 'count_certificate_issued'`,
      [admin.tenantId],
    )
    expect(rows).toHaveLength(1)
    expect(text).toContain(`Count certificate ${rows[0]?.id}`)
  })

  it('says of a line that was counted again who asked for that, not that they decided it', async () => {
    const { admin, staff } = await companyWithStock()
    await countTwice(staff, 'A-2', 97)
    await decide(admin, 'A-2', { decision: 'recount' })
    await count(staff, 'A-2', 96)
    const { bytes } = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}`)
    const [text = ''] = await printer.readTexts(bytes)
    const said = text.replaceAll(/\s+/g, ' ')
    expect(said).toContain(`To decide seen by two Recount requested by ${admin.name}`)
  })

  it('says when a line was counted by the entry that stands, not by one that was taken back', async () => {
    const { admin, staff } = await companyWithStock()
    const now = Date.now()
    const at = (minutesAgo: number) => new Date(now - minutesAgo * 60_000)
    await count(staff, 'A-2', 97, { timestamp: at(40).toISOString() })
    const key = await count(staff, 'A-2', 96, { timestamp: at(20).toISOString() })
    await app.done({ path: '/api/components/undo-count', token: staff.token, body: { key } })
    // Scanned before the first, and come late: what the first found stays.
    await count(staff, 'A-2', 97, { timestamp: at(50).toISOString() })
    const reply = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}`)
    const [text = ''] = await printer.readTexts(reply.bytes)
    const form = { dateStyle: 'medium', timeStyle: 'short', timeZone: zone } as const
    expect(text).toContain(`${new Intl.DateTimeFormat('en-GB', form).format(at(40))},\nentry 2`)
  })

  it('of a session that ran past midnight of the last day has all of it, whichever of its months is asked for', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, 'A-1', 100)
    await app.owner.query(
      `update count_history set counted_at = date_trunc('month', now(), 'UTC') - interval '1 day' where tenant_id = $1`,
      [admin.tenantId],
    )
    await countTwice(staff, 'A-2', 97)
    const before = monthAfter(thisMonth(), -1)
    for (const month of [before, thisMonth()]) {
      const { bytes } = await get(admin, `/api/accuracy/certificate?month=${month}&session=Monthly_1`)
      const [text = ''] = await printer.readTexts(bytes)
      expect(text).toMatch(/Lines counted 2\nLines matched 1\n/)
      expect(text).toContain(`Months ${nameOf(before)} and ${nameOf(thisMonth())}\n`)
      // What there was to count in a month that is over nobody knows any more.
      const label = month === before ? 'Counted of those kept today' : 'Components counted'
      expect(text).toContain(`${label} 2 of 4 (50.0%)\n`)
    }
    const { bytes } = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}`)
    expect((await printer.readTexts(bytes))[0]).toContain(`Month ${nameOf(thisMonth())}\n`)
  })

  it('of a session has nothing of the same name from two months before', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, 'A-1', 100)
    await app.owner.query(
      `update count_history set counted_at = date_trunc('month', now(), 'UTC') - interval '40 days' where tenant_id = $1`,
      [admin.tenantId],
    )
    await count(staff, 'A-2', 100)
    const { bytes } = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}&session=Monthly_1`)
    expect((await printer.readTexts(bytes))[0]).toMatch(/Lines counted 1\n/)
  })

  it('of the only session has the same lines as that of the month', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, 'A-1', 100)
    await count(staff, 'A-1', 100)
    await countTwice(staff, 'A-2', 97)
    await count(staff, 'A-2', 96)
    const key = await count(staff, 'A-3', 100)
    await app.done({ path: '/api/components/undo-count', token: staff.token, body: { key } })
    await countTwice(staff, 'A-4', 5)
    await count(staff, 'A-4', 100)
    const { body } = await get(admin, `/api/accuracy/sessions?month=${thisMonth()}`)
    expect(body).toMatchObject({
      sessions: [{ session: 'Monthly_1', location: 'PRIMARY', entries: 6, people: ['Şükrü Özdemir'] }],
    })
    const figures = 'Lines counted 4\nLines matched 3\nAccepted within tolerance 0\nLines that differ 1\n'
    const one = 'Components counted 3 of 4 (75.0%)\n'
    // What was counted at one place says nothing of the others.
    const all =
      'Components counted Primary Warehouse: 3 of 4 (75.0%)\n' +
      'Secondary Warehouse: 0 of 4 (0.0%)\nFulfillment Center: 0 of 4 (0.0%)\n'
    for (const [scope, coverage] of [
      ['', all],
      ['&location=PRIMARY', one],
      ['&session=Monthly_1', one],
    ]) {
      const { bytes } = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}${scope}`)
      expect((await printer.readTexts(bytes))[0]).toContain(`${coverage}${figures}`)
    }
    await app.owner.query('delete from count_history where tenant_id = $1', [admin.tenantId])
    const aside = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}`)
    expect((await printer.readTexts(aside.bytes))[0]).toContain(
      'Counted Not known\nComponents counted Not known\n',
    )
    const other = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}&session=Monthly_9`)
    expect(other.status).toBe(404)
  })

  it('of the only session has the same lines as that of the month, whatever was counted after a reset', async () => {
    const { admin, staff } = await companyWithStock()
    const reset = () =>
      app.done({
        path: '/api/components/reset-counts',
        token: admin.token,
        body: { location: 'PRIMARY', count_type: 'monthly' },
      })
    await count(staff, 'A-2', 100)
    await count(staff, 'A-3', 100)
    await countTwice(staff, 'A-1', 97)
    await reset()
    const figures = async () => {
      const texts: string[] = []
      for (const scope of ['', '&session=Monthly_1']) {
        const { bytes } = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}${scope}`)
        const [text = ''] = await printer.readTexts(bytes)
        texts.push(/Lines counted \d+\nLines matched \d+/.exec(text)?.[0] ?? text)
      }
      return texts
    }
    const three = (matched: number) => `Lines counted 3\nLines matched ${matched}`
    await count(staff, 'A-1', 96, { timestamp: new Date().toISOString() })
    expect(await figures()).toEqual([three(2), three(2)])
    await count(staff, 'A-1', 96, { timestamp: new Date().toISOString() })
    expect(await figures()).toEqual([three(2), three(2)])
    await reset()
    await count(staff, 'A-1', 95, { timestamp: new Date().toISOString() })
    await count(staff, 'A-1', 100, { timestamp: new Date().toISOString() })
    expect(await figures()).toEqual([three(3), three(3)])
    expect(await accuracyOf(admin)).toMatchObject({ total: { lines: 3, matched: 3, differing: 0 } })
  })

  it('leaves out of its lines no entry of an administrator’s cycle that was reset', async () => {
    const { admin } = await companyWithStock()
    const cycle = { source: 'admin', session: 'Cycle_PRIMARY' }
    const now = () => ({ ...cycle, timestamp: new Date().toISOString() })
    await app.done({
      path: '/api/cycle-counts',
      token: admin.token,
      body: { id: 'Cycle_PRIMARY', location: 'PRIMARY', user_type: 'admin', progress: {}, completed: false },
    })
    await count(admin, 'A-2', 100, now())
    await countTwice(admin, 'A-1', 97, now())
    await app.done({ method: 'DELETE', path: '/api/cycle-counts/Cycle_PRIMARY', token: admin.token })
    await count(admin, 'A-1', 96, now())
    expect(await accuracyOf(admin)).toMatchObject({ total: { lines: 2, matched: 1, differing: 1 } })
  })

  it.each(['dismiss', 'recount'])(
    'has no line of what an administrator entered once before a cycle was reset and once after: %s',
    async (decision) => {
      const { admin } = await companyWithStock()
      const cycle = { source: 'admin', session: 'Cycle_PRIMARY' }
      const now = () => ({ ...cycle, timestamp: new Date().toISOString() })
      await app.done({
        path: '/api/cycle-counts',
        token: admin.token,
        body: {
          id: 'Cycle_PRIMARY',
          location: 'PRIMARY',
          user_type: 'admin',
          progress: {},
          completed: false,
        },
      })
      await count(admin, 'A-2', 100, now())
      await count(admin, 'A-1', 96, now())
      await app.done({ method: 'DELETE', path: '/api/cycle-counts/Cycle_PRIMARY', token: admin.token })
      await count(admin, 'A-1', 97, now())
      const { body } = await get(admin, '/api/discrepancies?status=attempted')
      expect(body).toMatchObject({ discrepancies: [{ sku: 'A-1', expected: 100, counted: 97 }] })
      await decide(admin, 'A-1', { decision, status: 'attempted' })
      expect(await accuracyOf(admin)).toMatchObject({
        total: { lines: 1, matched: 1, differing: 0 },
        skus: [],
      })
      for (const session of ['', '&session=Cycle_PRIMARY']) {
        const { bytes } = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}${session}`)
        const [text = ''] = await printer.readTexts(bytes)
        expect(text).toMatch(
          /Lines counted 1\nLines matched 1\nAccepted within tolerance 0\nLines that differ 0\n/,
        )
      }
    },
  )

  it('has no line of a first entry that was dismissed, though a match came late beside it', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, 'A-1', 97)
    await count(staff, 'A-1', 100, { timestamp: new Date(Date.now() - 3_600_000).toISOString() })
    await decide(admin, 'A-1', { decision: 'dismiss', status: 'attempted' })
    expect(await accuracyOf(admin)).toMatchObject({ total: { lines: 1, matched: 1, differing: 0 }, skus: [] })
  })

  it('says of what was counted before a reset that it is not counted any more', async () => {
    const { admin, staff } = await companyWithStock()
    for (const sku of skus) await count(staff, sku, 100)
    await app.done({
      path: '/api/components/reset-counts',
      token: admin.token,
      body: { location: 'PRIMARY', count_type: 'monthly' },
    })
    const coverage = async () => {
      const texts: string[] = []
      for (const scope of ['&location=PRIMARY', '&session=Monthly_1']) {
        const { bytes } = await get(admin, `/api/accuracy/certificate?month=${thisMonth()}${scope}`)
        const [text = ''] = await printer.readTexts(bytes)
        texts.push(/Components counted [^\n]*\nLines counted \d+/.exec(text)?.[0] ?? text)
      }
      return texts
    }
    const none = 'Components counted 0 of 4 (0.0%)\nLines counted 4'
    expect(await coverage()).toEqual([none, none])
    await count(staff, 'A-1', 100, { timestamp: new Date().toISOString() })
    const one = 'Components counted 1 of 4 (25.0%)\nLines counted 5'
    expect(await coverage()).toEqual([one, one])
  })

  it('of a month that is over leaves out what was reset at its end', async () => {
    const { admin, staff } = await companyWithStock()
    await count(staff, 'A-1', 100)
    await count(staff, 'A-2', 100)
    const monthBefore = (days: number) => `date_trunc('month', now(), 'UTC') - interval '${days} days'`
    await app.owner.query(
      `update count_history set counted_at = ${monthBefore(6)}, created_at = ${monthBefore(6)} where tenant_id = $1 and sku = 'A-1'`,
      [admin.tenantId],
    )
    await app.owner.query(
      `update count_history set counted_at = ${monthBefore(4)}, created_at = ${monthBefore(4)} where tenant_id = $1 and sku = 'A-2'`,
      [admin.tenantId],
    )
    await app.owner.query(
      `insert into count_resets (tenant_id, location, count_type, day, reset_at)
       values ($1, 'PRIMARY', 'monthly', '', ${monthBefore(5)})`,
      [admin.tenantId],
    )
    const before = monthAfter(thisMonth(), -1)
    const { bytes } = await get(admin, `/api/accuracy/certificate?month=${before}&session=Monthly_1`)
    expect((await printer.readTexts(bytes))[0]).toContain('Counted of those kept today 1 of 4 (25.0%)\n')
  })

  it('can be that of the newest 200 sessions of a month, or of a location, which says when there are more', async () => {
    const { admin } = await companyWithStock()
    await app.owner.query(
      `insert into count_history (
         tenant_id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type, user_name,
         counted_at
       )
       select $1, id, barcode, case when number < 3 then 'SECONDARY' else 'PRIMARY' end, 1, 'monthly', 'S-' || number,
         'monthly', $2, 'admin', 'Ada', now()
       from components, generate_series(1, 201) number where tenant_id = $1 and barcode = 'A-1'`,
      [admin.tenantId, admin.userId],
    )
    const sessions = async (query: string) =>
      (await get(admin, `/api/accuracy/sessions?month=${thisMonth()}${query}`)).body
    expect(await sessions('')).toMatchObject({ sessions: { length: 200 }, more: true })
    expect(await sessions('&location=PRIMARY')).toMatchObject({ sessions: { length: 199 }, more: false })
  })

  it('goes on over numbered pages of the paper chosen', async () => {
    const { admin } = await companyWithStock({ timeZone: 'UTC' })
    await app.owner.query(
      `with made as (
         insert into components (tenant_id, barcode, description)
         select $1, 'L-' || to_char(i, 'FM0000'), repeat('A long description ', 1 + i % 9) from generate_series(1, 300) i
         returning id, barcode
       ),
       different as (
         insert into discrepancies (
           tenant_id, component_id, sku, location, count_type, period_start, status, expected, counted, attempts, user_id,
           user_name
         )
         select $1, id, barcode, 'PRIMARY', 'monthly', date_trunc('month', now()), 'open', 5, 6, 2, $2, 'Ada' from made
         returning id, expected, counted
       )
       insert into count_attempts (tenant_id, discrepancy_id, attempt, expected, counted, user_id, user_name, counted_at)
       select $1, id, 2, expected, counted, $2, 'Ada', now() from different`,
      [admin.tenantId, admin.userId],
    )
    await app.owner.query(
      `insert into scan_days (tenant_id, location, day, scans) values ($1, 'PRIMARY', now()::date, 300)`,
      [admin.tenantId],
    )
    const { bytes } = await get(admin, `/api/accuracy/certificate?month=${thisMonth('UTC')}&paper=letter`)
    expect(await isSoundPdf(bytes)).toBe(true)
    const pages = await printer.readTexts(bytes)
    expect(pages.length).toBeGreaterThan(5)
    for (const [place, text] of pages.entries()) {
      expect(text.replaceAll(/\s+/g, ' ')).toContain(`Page ${place + 1} of ${pages.length}`)
      expect(text).toContain('Expected')
    }
    expect(pages.join('\n').match(/L-\d{4}/g)).toEqual(
      Array.from({ length: 300 }, (_, index) => `L-${String(index + 1).padStart(4, '0')}`),
    )
    const [first] = await printer.print(bytes, 72)
    expect([first?.width, first?.height]).toEqual([612, 792])
  })
})
