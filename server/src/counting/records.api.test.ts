import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Kind = 'weekly' | 'cycle'

const paths = { weekly: '/api/weekly-counts', cycle: '/api/cycle-counts' }
const fields = { weekly: { day: 'Monday' }, cycle: { user_type: 'user' } }
const replyNames = { weekly: 'weekly_count', cycle: 'cycle_count' }

const save = (person: Person, kind: Kind, part: Record<string, unknown> = {}) =>
  app.ask({
    path: paths[kind],
    token: person.token,
    body: { id: 'r-1', location: 'PRIMARY', ...fields[kind], ...part },
  })

/** Sends a body as it is written, with keys no object literal can have. */
const saveText = (person: Person, kind: Kind, progress: string) =>
  app.ask({
    path: paths[kind],
    token: person.token,
    body: `{"id":"r-1","day":"Monday","location":"PRIMARY","progress":${progress}}`,
  })

const list = (person: Person, kind: Kind, query = '') =>
  app.ask({ method: 'GET', path: `${paths[kind]}${query}`, token: person.token })

const remove = (person: Person, kind: Kind, id: string) =>
  app.ask({ method: 'DELETE', path: `${paths[kind]}/${encodeURIComponent(id)}`, token: person.token })

async function staffOf(): Promise<{ admin: Person; staff: Person }> {
  const admin = await makeCompany(app)
  return { admin, staff: await makeStaff(app, admin) }
}

/** Progress of 1.5 MB. */
const heavy = (name: string) =>
  Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${name}-${index}`, 'x'.repeat(1500)]))

const thisMonth = (timeZone = 'UTC') =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).format(new Date())

const emptyLists = {
  weekly: { weekly_counts: [] },
  cycle: { this_month: thisMonth(), cycle_counts: [] },
}

const kinds: { kind: Kind }[] = [{ kind: 'weekly' }, { kind: 'cycle' }]

describe.each(kinds)('a $kind record', ({ kind }) => {
  const named = replyNames[kind]
  const all = `${named}s`

  it('of a location that the plan has closed is not deleted', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    await save(admin, kind, { location: 'SECONDARY', progress: { 'A-1': 5 } })
    const before = (await list(admin, kind)).body
    const plan = { plan: 'starter', accept_read_only: true }
    await app.done({ path: '/api/company/plan', token: admin.token, body: plan })
    const { status, body } = await remove(admin, kind, 'r-1')
    expect([status, body]).toMatchObject([403, { error: 'Your plan does not include this location.' }])
    expect((await list(admin, kind)).body).toEqual(before)
  })

  it('is stored and found again', async () => {
    const { staff } = await staffOf()
    const { status, body } = await save(staff, kind, { progress: { 'A-1': 5 } })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      [named]: { id: 'r-1', location: 'PRIMARY', ...fields[kind], progress: { 'A-1': 5 }, completed: false },
    })
    expect((await list(staff, kind)).body).toMatchObject({ [all]: [{ id: 'r-1', progress: { 'A-1': 5 } }] })
  })

  it('takes the display name of a location and answers with its code', async () => {
    const { staff } = await staffOf()
    expect((await save(staff, kind, { location: 'Primary Warehouse' })).body).toMatchObject({
      [named]: { location: 'PRIMARY' },
    })
  })

  it('saved again keeps what was there, and the newer value of a key', async () => {
    const { staff } = await staffOf()
    await save(staff, kind, { progress: { 'A-1': 5, 'A-2': 1 } })
    expect((await save(staff, kind, { progress: { 'A-2': 2, 'A-3': 3 } })).body).toMatchObject({
      [named]: { progress: { 'A-1': 5, 'A-2': 2, 'A-3': 3 } },
    })
    expect((await list(staff, kind)).body).toHaveProperty(`${all}.length`, 1)
  })

  it('of another location takes the place of the one under its id', async () => {
    const admin = await makeCompany(app, { plan: 'enterprise' })
    await save(admin, kind, { progress: { 'A-1': 5 }, completed: true })
    const moved = { id: 'r-1', location: 'SECONDARY', progress: { 'B-2': 1 }, completed: false }
    expect((await save(admin, kind, moved)).body).toMatchObject({ [named]: moved })
    expect((await list(admin, kind)).body).toMatchObject({ [all]: [moved] })
    expect((await list(admin, kind)).bytes).not.toContain('A-1')
  })

  it('keeps the progress of 20 saves at the same moment by two people', async () => {
    const { admin, staff } = await staffOf()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        save(index % 2 === 0 ? admin : staff, kind, { progress: { [`A-${index}`]: index } }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const everything = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`A-${index}`, index]))
    expect((await list(staff, kind)).body).toHaveProperty(`${all}.0.progress`, everything)
  })

  it('that is completed stays so', async () => {
    const { staff } = await staffOf()
    await save(staff, kind, { completed: true })
    expect((await save(staff, kind, { completed: false })).body).toMatchObject({
      [named]: { completed: true },
    })
  })

  it('keeps keys that mean something to JavaScript as data, and poisons nothing', async () => {
    const { staff } = await staffOf()
    const progress =
      '{"__proto__":{"polluted":1},"constructor":2,"toString":3,"hasOwnProperty":4,"prototype":5}'
    const saved = await saveText(staff, kind, progress)
    expect(saved.status).toBe(200)
    const keys = ['"__proto__":{"polluted":1}', '"constructor":2', '"toString":3', '"hasOwnProperty":4']
    expect(keys.filter((key) => !saved.bytes.toString().includes(key))).toEqual([])
    const found = (await list(staff, kind)).bytes.toString()
    expect(keys.filter((key) => !found.replaceAll(': ', ':').includes(key))).toEqual([])
    expect('polluted' in {}).toBe(false)
  })

  it('keeps any value of the progress as it was given', async () => {
    const { staff } = await staffOf()
    const progress = {
      number: 1.5,
      none: null,
      yes: true,
      text: 'Łożysko 😀',
      list: [1],
      deep: { counted: 2 },
      '100 %s "new"': '\n',
    }
    const saved = await save(staff, kind, { progress })
    expect(saved.body).toHaveProperty(`${named}.progress`, progress)
    expect((await list(staff, kind)).body).toHaveProperty(`${all}.0`, Object(saved.body)[named])
  })

  it('sent twice with its key is one save', async () => {
    const { staff } = await staffOf()
    const body = { id: 'r-1', location: 'PRIMARY', ...fields[kind] }
    const request = { path: paths[kind], token: staff.token, key: 'k1', body }
    const replies = await Promise.all(Array.from({ length: 5 }, () => app.ask(request)))
    expect(new Set(replies.map(({ bytes }) => bytes.toString())).size).toBe(1)
  })

  it.each([
    'plain',
    'with/a/slash',
    'with some spaces',
    '100% of %2F',
    '?query#hash',
    'Łożysko 😀',
    '__proto__',
    'x'.repeat(200),
    'ł'.repeat(200),
    '/'.repeat(200),
  ])('called %s can be deleted, once', async (id) => {
    const { staff } = await staffOf()
    expect((await save(staff, kind, { id })).status).toBe(200)
    await save(staff, kind, { id: 'another' })
    expect(await remove(staff, kind, id)).toMatchObject({ status: 200, body: { success: true } })
    expect((await list(staff, kind)).body).toMatchObject({ [all]: [{ id: 'another' }] })
    expect(await remove(staff, kind, id)).toMatchObject({
      status: 404,
      body: { error: 'There is no such record.', code: 'not_found' },
    })
  })

  it('with an id of more than 200 characters is neither stored nor looked for', async () => {
    const { staff } = await staffOf()
    expect((await save(staff, kind, { id: 'x'.repeat(201) })).status).toBe(400)
    expect((await remove(staff, kind, 'x'.repeat(201))).status).toBe(400)
  })

  it.each([
    ['an empty id', { id: '' }, 400, 'id must not be empty.'],
    ['a number as id', { id: 7 }, 400, 'id must be text.'],
    ['NUL in the id', { id: 'a\u0000b' }, 400, 'id must not contain characters that cannot be stored.'],
    ['an unknown location', { location: 'Moon' }, 400, 'Invalid location selected.'],
    [
      'a location outside the plan',
      { location: 'DISTRIBUTION' },
      403,
      'Your plan does not include this location.',
    ],
    ['a list as progress', { progress: [1] }, 400, 'progress must be an object.'],
    ['text as progress', { progress: 'A-1' }, 400, 'progress must be an object.'],
    ['null as progress', { progress: null }, 400, 'progress must be an object.'],
    ['text as completed', { completed: 'yes' }, 400, 'completed must be true or false.'],
    [
      'NUL in a key of the progress',
      { progress: { 'A\u0000': 1 } },
      400,
      'progress must be a smaller object without characters that cannot be stored.',
    ],
    [
      'half a character in the progress',
      { progress: { A: '\ud800' } },
      400,
      'progress must be a smaller object without characters that cannot be stored.',
    ],
    [
      'a long text in the progress',
      { progress: { A: 'x'.repeat(2001) } },
      400,
      'progress must be a smaller object without characters that cannot be stored.',
    ],
    [
      'a long key in the progress',
      { progress: { ['x'.repeat(101)]: 1 } },
      400,
      'progress must be a smaller object without characters that cannot be stored.',
    ],
    [
      'a deep progress',
      { progress: { a: { b: { c: { d: { e: { f: 1 } } } } } } },
      400,
      'progress must be a smaller object without characters that cannot be stored.',
    ],
    [
      '20,001 keys in the progress',
      { progress: Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [index, 1])) },
      400,
      'progress must be a smaller object without characters that cannot be stored.',
    ],
    ['a progress of megabytes', { progress: { A: 'x'.repeat(5_000_000) } }, 413, 'The request is too large.'],
  ])('with %s is refused and nothing is stored', async (...[, part, expected, sentence]) => {
    const { staff } = await staffOf()
    const { status, body } = await save(staff, kind, part)
    expect([status, body]).toMatchObject([expected, { error: sentence }])
    expect((await list(staff, kind)).body).toEqual(emptyLists[kind])
  })

  it('holds the progress of 20,000 components', async () => {
    const { staff } = await staffOf()
    const progress = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`40123456${String(index).padStart(5, '0')}`, index]),
    )
    expect((await save(staff, kind, { progress })).status).toBe(200)
  })

  it('never grows past 4 MB, however often it is saved', async () => {
    const { staff } = await staffOf()
    const statuses: number[] = []
    for (const name of ['A', 'B', 'C']) {
      statuses.push((await save(staff, kind, { progress: heavy(name) })).status)
    }
    expect(statuses).toEqual([200, 200, 400])
  })

  it('of weight is listed with as many as weigh 4 MB, the newest first', async () => {
    const { staff } = await staffOf()
    for (const id of ['r-1', 'r-2', 'r-3', 'r-4', 'r-5']) {
      expect((await save(staff, kind, { id, progress: heavy('A') })).status).toBe(200)
    }
    expect((await list(staff, kind)).body).toMatchObject({
      [all]: [{ id: 'r-5' }, { id: 'r-4' }, { id: 'r-3' }],
    })
  })

  it('never grows past 20,000 components, however often it is saved', async () => {
    const { staff } = await staffOf()
    const part = (offset: number) =>
      Object.fromEntries(Array.from({ length: 8000 }, (_, index) => [`A-${index + offset}`, 1]))
    await save(staff, kind, { progress: part(0) })
    await save(staff, kind, { progress: part(8000) })
    const { status, body } = await save(staff, kind, { progress: part(16_000) })
    expect([status, body]).toMatchObject([400, { code: 'record_full' }])
    expect((await list(staff, kind)).status).toBe(200)
  })
})

describe('the list of weekly records', () => {
  it.each([
    ['', ['w-3', 'w-2', 'w-1']],
    ['?day=Monday', ['w-2', 'w-1']],
    ['?location=SECONDARY', ['w-2']],
    ['?location=Secondary%20Warehouse&day=Monday', ['w-2']],
    ['?location=SECONDARY&day=Friday', []],
  ])('with %s has these, newest first', async (query, ids) => {
    const { staff } = await staffOf()
    await save(staff, 'weekly', { id: 'w-1' })
    await save(staff, 'weekly', { id: 'w-2', location: 'SECONDARY' })
    await save(staff, 'weekly', { id: 'w-3', day: 'Friday' })
    expect((await list(staff, 'weekly', query)).body).toMatchObject({
      weekly_counts: ids.map((id) => ({ id })),
    })
  })

  it.each(['?day=Sunday', '?location=Moon', '?day=Monday&day=Friday'])(
    'with %s is refused',
    async (query) => {
      const { staff } = await staffOf()
      expect((await list(staff, 'weekly', query)).status).toBe(400)
    },
  )

  it('of another day takes the place of the one under its id', async () => {
    const { staff } = await staffOf()
    await save(staff, 'weekly', { progress: { 'A-1': 5 }, completed: true })
    const { body } = await save(staff, 'weekly', { day: 'Tuesday', progress: { 'B-2': 1 } })
    expect(body).toEqual({
      success: true,
      weekly_count: {
        id: 'r-1',
        day: 'Tuesday',
        location: 'PRIMARY',
        progress: { 'B-2': 1 },
        completed: false,
        last_updated: expect.any(String),
      },
    })
  })

  it('takes no weekend', async () => {
    const { staff } = await staffOf()
    expect((await save(staff, 'weekly', { day: 'Saturday' })).status).toBe(400)
  })
})

describe('the admin cycle', () => {
  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'is that of the month of the company in %s',
    async (timeZone) => {
      const admin = await makeCompany(app, { timeZone })
      expect((await list(admin, 'cycle', '?location=PRIMARY&user_type=admin')).body).toEqual({
        this_month: thisMonth(timeZone),
        cycle_counts: [],
      })
    },
  )

  const admins = { id: 'Cycle_2026-11_PRIMARY', user_type: 'admin', progress: { 'A-1': 5 } }

  it('is shown to administrators only', async () => {
    const { admin, staff } = await staffOf()
    await save(admin, 'cycle', admins)
    await save(staff, 'cycle', { id: 'own' })
    expect((await list(admin, 'cycle')).body).toMatchObject({
      cycle_counts: [{ id: 'own' }, { id: 'Cycle_2026-11_PRIMARY', user_type: 'admin' }],
    })
    expect((await list(admin, 'cycle', '?user_type=admin')).body).toMatchObject({
      cycle_counts: [{ id: 'Cycle_2026-11_PRIMARY' }],
    })
    expect((await list(staff, 'cycle')).body).toMatchObject({
      cycle_counts: [{ id: 'own', user_type: 'user' }],
    })
  })

  it('is listed with as many as are wanted, the newest first', async () => {
    const { admin } = await staffOf()
    for (const id of ['r-1', 'r-2', 'r-3']) await save(admin, 'cycle', { id })
    expect((await list(admin, 'cycle', '?limit=2')).body).toMatchObject({
      cycle_counts: [{ id: 'r-3' }, { id: 'r-2' }],
    })
  })

  it('is closed to staff, and each try is audited', async () => {
    const { admin, staff } = await staffOf()
    await save(admin, 'cycle', admins)
    const replies = [
      await list(staff, 'cycle', '?user_type=admin'),
      await save(staff, 'cycle', { id: 'new', user_type: 'admin' }),
      await save(staff, 'cycle', { ...admins, progress: { 'A-1': 0 }, completed: true }),
      await remove(staff, 'cycle', 'Cycle_2026-11_PRIMARY'),
    ]
    expect(replies.map(({ status, body }) => [status, body])).toEqual(
      replies.map(() => [
        403,
        { success: false, error: 'Only an administrator can do this.', code: 'forbidden' },
      ]),
    )
    expect((await list(admin, 'cycle')).body).toMatchObject({
      cycle_counts: [{ user_type: 'admin', progress: { 'A-1': 5 }, completed: false }],
    })
    const refused = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?sku=AUTH_ACCESS_REFUSED',
      token: admin.token,
    })
    expect(refused.body).toMatchObject({ total: 4 })
  })

  it('and one of staff under the same id are two records', async () => {
    const { admin, staff } = await staffOf()
    await save(admin, 'cycle', admins)
    await save(staff, 'cycle', { ...admins, user_type: 'user', progress: { 'A-1': 0 }, completed: true })
    expect((await list(staff, 'cycle')).body).toMatchObject({
      cycle_counts: [{ user_type: 'user', progress: { 'A-1': 0 }, completed: true }],
    })
    expect((await remove(staff, 'cycle', 'Cycle_2026-11_PRIMARY')).status).toBe(200)
    expect((await list(admin, 'cycle')).body).toMatchObject({
      cycle_counts: [{ user_type: 'admin', progress: { 'A-1': 5 }, completed: false }],
    })
  })

  it('keeps its start when it is saved again', async () => {
    const { admin } = await staffOf()
    await save(admin, 'cycle', { ...admins, start_date: '2026-11-02T08:00:00.000Z' })
    expect(
      (await save(admin, 'cycle', { ...admins, start_date: '2026-11-03T08:00:00+02:00' })).body,
    ).toMatchObject({
      cycle_count: { start_date: '2026-11-02T08:00:00.000Z' },
    })
  })

  it('of another month takes the place of the one under its id', async () => {
    const { admin } = await staffOf()
    const [november, december] = ['2026-11-30T08:00:00.000Z', '2026-12-01T08:00:00.000Z']
    await save(admin, 'cycle', { ...admins, progress: { 'A-1': 5 }, completed: true, start_date: november })
    const next = { ...admins, progress: { 'B-2': 1 }, start_date: december }
    expect((await save(admin, 'cycle', next)).body).toEqual({
      success: true,
      cycle_count: { ...next, location: 'PRIMARY', completed: false },
    })
  })

  it('starts now when no start is given', async () => {
    const { admin } = await staffOf()
    const before = Date.now()
    const saved = z.object({ cycle_count: z.object({ start_date: z.string() }) })
    const { cycle_count: cycle } = saved.parse((await save(admin, 'cycle', admins)).body)
    expect(Date.parse(cycle.start_date)).toBeGreaterThan(before - 1_000)
    expect(Date.parse(cycle.start_date)).toBeLessThan(Date.now() + 1_000)
  })

  it('that was deleted starts again without progress', async () => {
    const { admin } = await staffOf()
    await save(admin, 'cycle', { ...admins, completed: true })
    await remove(admin, 'cycle', admins.id)
    expect((await save(admin, 'cycle', { ...admins, progress: {} })).body).toMatchObject({
      cycle_count: { progress: {}, completed: false },
    })
  })

  it.each([
    [{ user_type: 'root' }, 'user_type must be one of: admin, user.'],
    [{ start_date: 'today' }, 'start_date must be a date and time such as 2026-11-30T10:00:00Z.'],
    [
      { start_date: '+020000-01-01T00:00:00Z' },
      'start_date must be a date and time such as 2026-11-30T10:00:00Z.',
    ],
  ])('with %j is refused', async (part, sentence) => {
    const { admin } = await staffOf()
    const { status, body } = await save(admin, 'cycle', { ...admins, ...part })
    expect([status, body]).toMatchObject([400, { error: sentence }])
  })

  it('by staff and an administrator under the same id at the same moment never mixes', async () => {
    const { admin, staff } = await staffOf()
    const replies = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const id = `same-${index}`
        const [mine, theirs] = await Promise.all([
          save(admin, 'cycle', { id, user_type: 'admin', progress: { secret: index } }),
          save(staff, 'cycle', { id, progress: { mine: index } }),
        ])
        return [mine.status, theirs.bytes.includes('secret')]
      }),
    )
    expect(replies).toEqual(replies.map(() => [200, false]))
  })
})

describe('records in the audit trail', () => {
  it('are named when they are saved and deleted', async () => {
    const { admin, staff } = await staffOf()
    await save(staff, 'weekly', { id: 'w-1' })
    await remove(staff, 'weekly', 'w-1')
    await save(staff, 'cycle', { id: 'c-1' })
    await remove(staff, 'cycle', 'c-1')
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=4', token: admin.token })
    expect(trail.body).toMatchObject({
      entries: [
        { kind: 'monthly_count', user_name: 'Sam Staff', metadata: { id: 'c-1' } },
        { kind: 'monthly_count', location: 'PRIMARY', metadata: { id: 'c-1' } },
        { kind: 'weekly_count', user_name: 'Sam Staff', metadata: { id: 'w-1' } },
        { kind: 'weekly_count', location: 'PRIMARY', metadata: { id: 'w-1' } },
      ],
    })
  })

  it('of administrators are complete once nothing is left to count, whichever screen stored the last', async () => {
    const { admin, staff } = await staffOf()
    const components = ['A-1', 'A-2', 'A-3'].map((barcode) => ({ barcode, description: 'Bolt' }))
    await app.done({ path: '/api/components/import', token: admin.token, body: components })
    const given = { id: 'c-1', user_type: 'admin' }
    await save(staff, 'cycle', { id: 'c-1', progress: { 'A-1': 1, 'A-2': 1, 'A-3': 1 } })
    const first = await save(admin, 'cycle', { ...given, progress: { 'A-1': 5, 'A-3': 0, 'GONE-1': 2 } })
    expect(first.body).toMatchObject({ cycle_count: { completed: false } })
    const other = await makeCompany(app)
    const outside = await save(other, 'cycle', { ...given, progress: { 'A-2': 5 } })
    expect(outside.body).toMatchObject({ cycle_count: { completed: false } })
    const last = await save(admin, 'cycle', { ...given, progress: { 'A-2': 5 } })
    expect(last.body).toMatchObject({ cycle_count: { completed: true } })
    const again = await save(admin, 'cycle', { ...given, progress: { 'A-2': 6 } })
    expect(again.body).toMatchObject({ cycle_count: { completed: true } })
    expect((await list(admin, 'cycle', '?user_type=user')).body).toMatchObject({
      cycle_counts: [{ completed: false }],
    })
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=3', token: admin.token })
    expect(trail.body).toMatchObject({
      entries: [
        { metadata: { event_type: 'cycle_count_saved' } },
        { metadata: { event_type: 'admin_view_completed', id: 'c-1', completed: true } },
        { metadata: { event_type: 'cycle_count_saved' } },
      ],
    })
  })

  it('of administrators are complete without a component that is retired', async () => {
    const { admin } = await staffOf()
    const components = ['A-1', 'A-2'].map((barcode) => ({ barcode, description: 'Bolt' }))
    await app.done({ path: '/api/components/import', token: admin.token, body: components })
    const given = { id: 'c-1', user_type: 'admin' }
    await save(admin, 'cycle', { ...given, progress: { 'A-1': 5 } })
    await app.done({ path: '/api/components/retire', token: admin.token, body: { barcode: 'A-2' } })
    const resumed = await save(admin, 'cycle', given)
    expect(resumed.body).toMatchObject({ cycle_count: { completed: true } })
  })

  it('say once that a cycle was completed of which the first ten saves come at the same moment', async () => {
    const { admin } = await staffOf()
    const progress = Array.from({ length: 10 }, (_, index) => ({ [`A-${index}`]: index }))
    const replies = await Promise.all(
      progress.map((part) =>
        save(admin, 'cycle', { id: 'c-1', user_type: 'admin', progress: part, completed: true }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect((await list(admin, 'cycle')).body).toMatchObject({
      cycle_counts: [{ completed: true, progress: Object.assign({}, ...progress) }],
    })
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=20', token: admin.token })
    expect(trail.bytes.toString().match(/admin_view_completed/g)).toHaveLength(1)
    expect(trail.bytes.toString().match(/cycle_count_saved/g)).toHaveLength(9)
  })

  it('say that an administrator completed the cycle, and that it was reset', async () => {
    const { admin } = await staffOf()
    await save(admin, 'cycle', { id: 'c-1', user_type: 'admin', progress: { 'A-1': 5 } })
    await save(admin, 'cycle', { id: 'c-1', user_type: 'admin', completed: true })
    // As another screen does that shows it.
    await save(admin, 'cycle', { id: 'c-1', user_type: 'admin', completed: true })
    await remove(admin, 'cycle', 'c-1')
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?limit=4', token: admin.token })
    expect(trail.body).toMatchObject({
      entries: [
        { sku: 'CYCLE_COUNT_ADMIN_VIEW_RESET', metadata: { event_type: 'admin_view_reset', id: 'c-1' } },
        { metadata: { event_type: 'cycle_count_saved', id: 'c-1' } },
        {
          kind: 'monthly_count',
          location: 'PRIMARY',
          metadata: { event_type: 'admin_view_completed', id: 'c-1', completed: true },
        },
        { metadata: { event_type: 'cycle_count_saved', id: 'c-1' } },
      ],
    })
    const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })
    expect(body).toMatchObject({
      recent_activity: [
        { description: `${admin.name} reset the cycle count` },
        { description: `${admin.name} completed the cycle count` },
      ],
    })
  })
})
