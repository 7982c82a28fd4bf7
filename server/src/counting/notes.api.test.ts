import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { untilSomebodyWaits } from '../../test/leaving.ts'
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

async function companyWithStock() {
  const admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  await app.done({
    path: '/api/components/import',
    token: admin.token,
    body: [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 5, secondary_quantity: 1 }],
  })
  return {
    admin,
    staff: await makeStaff(app, admin),
    colleague: await makeStaff(app, admin, 'Kim Colleague'),
  }
}

let clock = Date.now() - 3_600_000

/** Counts A-1 at the Primary Warehouse, where 5 are right; gives the key of the entry. */
async function count(person: Person, part: Record<string, unknown> = {}): Promise<string> {
  clock += 5
  const key = randomUUID()
  const timestamp = new Date(clock).toISOString()
  const entry = { barcode: 'A-1', quantity: 5, location: 'PRIMARY', source: 'monthly', session: 's' }
  await app.done({
    path: '/api/components/update-with-tracking',
    token: person.token,
    key,
    body: { ...entry, timestamp, ...part },
  })
  return key
}

async function note(person: Person, body: Record<string, unknown>, key?: string) {
  const path = '/api/components/note-count'
  const reply = await app.ask({ path, token: person.token, body, ...(key === undefined ? {} : { key }) })
  return [reply.status, reply.body]
}

const read = async (person: Person, path: string) =>
  (await app.ask({ method: 'GET', path, token: person.token })).body

const damaged = '3 crates are damaged'
const noted = { success: true, barcode: 'A-1', location: 'PRIMARY' }

/** What the trail says of notes, oldest first. */
async function trailOf(person: Person): Promise<unknown[]> {
  const { rows } = await app.owner.query(
    `select sku, location, source, user_name, metadata->'old_value' as before, metadata->'new_value' as after
     from audit_entries where tenant_id = $1 and event = 'count_noted' order by id`,
    [person.tenantId],
  )
  return rows
}

const entryOfTrail = { sku: 'A-1', location: 'PRIMARY', source: 'monthly', user_name: 'Sam Staff' }

describe('what is said of a count', () => {
  it('is kept as it was written, without the spaces around it, and stands in the trail', async () => {
    const { staff } = await companyWithStock()
    const key = await count(staff)
    expect(await note(staff, { key, note: ` ${damaged} ` })).toEqual([200, { ...noted, note: damaged }])
    expect(await trailOf(staff)).toEqual([{ ...entryOfTrail, before: '', after: damaged }])
  })

  it('gives way to another note, is taken away by an empty one, and said once more changes nothing', async () => {
    const { admin, staff } = await companyWithStock()
    const key = await count(staff)
    const history = () => read(admin, '/api/count-history')
    for (const text of [damaged, damaged, '4 crates are damaged', '', ' ', damaged]) {
      expect(await note(staff, { key, note: text })).toMatchObject([200, { note: text.trim() }])
      expect(await history()).toMatchObject({ history: [{ note: text.trim() === '' ? null : text }] })
    }
    expect(await trailOf(staff)).toEqual([
      { ...entryOfTrail, before: '', after: damaged },
      { ...entryOfTrail, before: damaged, after: '4 crates are damaged' },
      { ...entryOfTrail, before: '4 crates are damaged', after: '' },
      { ...entryOfTrail, before: '', after: damaged },
    ])
  })

  it('is kept once for its key, also when it is sent many times at once', async () => {
    const { staff } = await companyWithStock()
    const key = await count(staff)
    const sent = [...Array.from({ length: 5 }, () => 'sent-again'), undefined, undefined]
    const replies = await Promise.all(sent.map((own) => note(staff, { key, note: damaged }, own)))
    expect(replies).toEqual(sent.map(() => [200, { ...noted, note: damaged }]))
    expect(await trailOf(staff)).toHaveLength(1)
  })

  it('has 500 characters at most, of which many an emoji is two', async () => {
    const { staff } = await companyWithStock()
    const key = await count(staff)
    const longest = '📦'.repeat(250)
    expect(await note(staff, { key, note: longest })).toMatchObject([200, { note: longest }])
    expect(await note(staff, { key, note: 'x'.repeat(500) })).toMatchObject([200, {}])
    expect(await note(staff, { key, note: 'x'.repeat(501) })).toMatchObject([
      400,
      { code: 'invalid_request', details: [{ path: 'note' }] },
    ])
    expect(await trailOf(staff)).toHaveLength(2)
  })

  it.each([{}, { key: 'k' }, { key: '', note: 'x' }, { key: 'k', note: 7 }, { key: 'k', note: 'a\0b' }])(
    'is refused for %j',
    async (body) => {
      const { staff } = await companyWithStock()
      expect(await note(staff, body)).toMatchObject([400, { code: 'invalid_request' }])
    },
  )

  it('is said by nobody else: not by a colleague, an administrator or another company', async () => {
    const { admin, staff, colleague } = await companyWithStock()
    const key = await count(staff)
    for (const person of [colleague, admin, await makeCompany(app)]) {
      expect(await note(person, { key, note: damaged })).toEqual([
        404,
        {
          success: false,
          error: 'You have no count that this note could be added to.',
          code: 'count_not_found',
        },
      ])
    }
    expect(await trailOf(staff)).toEqual([])
  })

  it('is said of no request that was none of a count', async () => {
    const { staff } = await companyWithStock()
    const body = { location: 'PRIMARY' }
    await app.done({ path: '/api/components/reset-counts', token: staff.token, key: 'reset', body })
    expect(await note(staff, { key: 'reset', note: damaged })).toMatchObject([404, {}])
  })

  it('stays as it is once the count was taken back, which gets no new one', async () => {
    const { admin, staff } = await companyWithStock()
    const key = await count(staff)
    await note(staff, { key, note: damaged })
    await app.done({ path: '/api/components/undo-count', token: staff.token, body: { key } })
    for (const text of ['no', '']) {
      expect(await note(staff, { key, note: text })).toEqual([
        409,
        {
          success: false,
          error: 'This entry was taken back, so its note stays as it is.',
          code: 'cannot_note',
        },
      ])
    }
    expect(await note(staff, { key, note: damaged })).toMatchObject([200, { note: damaged }])
    expect(await read(admin, '/api/components/counts?barcode=A-1')).toMatchObject({
      counts: [
        { entry: 'taken_back', note: null },
        { entry: 'counted', note: damaged },
      ],
    })
  })

  it('is not said of a count that is just being taken back', async () => {
    const { staff } = await companyWithStock()
    const key = await count(staff)
    const undoing = await app.owner.connect()
    await undoing.query('begin')
    await undoing.query(
      `update operations set reply = reply || '{"undone": true}' where tenant_id = $1 and key = $2`,
      [staff.tenantId, key],
    )
    const noting = note(staff, { key, note: damaged })
    await untilSomebodyWaits(app)
    await undoing.query('commit')
    undoing.release()
    expect(await noting).toMatchObject([409, { code: 'cannot_note' }])
    expect(await trailOf(staff)).toEqual([])
  })

  it('may be said of a component that was retired since', async () => {
    const { admin, staff } = await companyWithStock()
    await app.done({ path: '/api/components/import', token: admin.token, body: [{ barcode: 'OLD-1' }] })
    const key = await count(staff, { barcode: 'OLD-1', quantity: 0 })
    await app.done({ path: '/api/components/retire', token: admin.token, body: { barcode: 'OLD-1' } })
    expect(await note(staff, { key, note: damaged })).toMatchObject([200, { barcode: 'OLD-1' }])
  })

  it('is not said of a count at a location that the plan does not include any more', async () => {
    const { admin, staff } = await companyWithStock()
    const key = await count(staff, { location: 'SECONDARY', quantity: 1 })
    const plan = { plan: 'starter', accept_read_only: true }
    await app.done({ path: '/api/company/plan', token: admin.token, body: plan })
    expect(await note(staff, { key, note: damaged })).toMatchObject([403, { code: 'location_not_in_plan' }])
    expect(await trailOf(staff)).toEqual([])
  })
})

describe('administrators read what was said of a count', () => {
  it('beside each attempt at a difference, the first of which is in no history', async () => {
    const { admin, staff, colleague } = await companyWithStock()
    const first = await count(staff, { quantity: 4 })
    await note(staff, { key: first, note: damaged })
    await count(staff, { quantity: 3 })
    const third = await count(colleague, { quantity: 2 })
    await note(colleague, { key: third, note: 'Found behind the shelf' })
    expect(await read(admin, '/api/discrepancies')).toMatchObject({
      discrepancies: [
        {
          attempts: [
            { attempt: 1, user_name: 'Sam Staff', note: damaged },
            { attempt: 2, user_name: 'Sam Staff', note: null },
            { attempt: 3, user_name: 'Kim Colleague', note: 'Found behind the shelf' },
          ],
        },
      ],
    })
    expect(await read(admin, '/api/count-history')).toMatchObject({
      history: [
        { quantity: 2, note: 'Found behind the shelf' },
        { quantity: 3, note: null },
      ],
    })
  })

  it('in the history of a component; staff read no notes, neither there nor in the trail', async () => {
    const { admin, staff } = await companyWithStock()
    const key = await count(admin, { source: 'admin', session: 'Cycle_2026-11_PRIMARY' })
    await note(admin, { key, note: 'The system says 5' })
    const history = async (person: Person) => {
      const body = { barcode: 'A-1', location: 'PRIMARY' }
      const { token } = person
      return (await app.ask({ path: '/api/components/count-history', token, body })).body
    }
    const told = async (person: Person) => [
      await history(person),
      await read(person, '/api/count-history'),
      await read(person, '/api/components/counts?barcode=A-1'),
      await read(person, '/api/audit/trail?sku=A-1'),
    ]
    const entry = { sku: 'A-1', note: 'The system says 5' }
    expect(await told(admin)).toMatchObject([
      { history: [entry] },
      { history: [entry] },
      { counts: [{ note: 'The system says 5' }] },
      {
        entries: [
          { metadata: { event_type: 'count_noted', old_value: '', new_value: 'The system says 5' } },
          {},
        ],
      },
    ])
    const seen = await told(staff)
    expect(seen).toMatchObject([{ history: [{ sku: 'A-1' }] }, {}, { counts: [{}] }, { entries: [{}, {}] }])
    expect(JSON.stringify(seen)).not.toContain('system')
    expect(JSON.stringify(seen.slice(0, 3))).not.toContain('"note"')
  })

  it('in the file of counts, where no spreadsheet takes it for a formula', async () => {
    const { admin, staff } = await companyWithStock()
    const key = await count(staff)
    await count(staff)
    await note(staff, { key, note: '=HYPERLINK("http://x")' })
    const path = '/api/exports/counts'
    const { bytes } = await app.ask({ method: 'GET', path: `${path}?format=csv`, token: admin.token })
    const rows: string[][] = parse(bytes, { bom: true })
    expect(rows.map((row) => row.slice(8, 10))).toEqual([
      ['Entry', 'Note'],
      ['Counted', ''],
      ['Counted', `'=HYPERLINK("http://x")`],
    ])
  })

  it('on the overview by who said something, and of what', async () => {
    const { admin, staff } = await companyWithStock()
    await note(staff, { key: await count(staff), note: damaged })
    const { recent_activity: activity } = z
      .object({ recent_activity: z.array(z.object({ description: z.string() })) })
      .parse(await read(admin, '/api/dashboard'))
    expect(activity.map(({ description }) => description)).toContain(
      'Sam Staff said something about a count of A-1 at Primary Warehouse',
    )
  })
})
