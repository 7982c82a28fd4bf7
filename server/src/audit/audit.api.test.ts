import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const log = (person: Person, body: Record<string, unknown>) =>
  app.ask({ path: '/api/audit/log', token: person.token, body })

const trail = (person: Person, query = '') =>
  app.ask({ method: 'GET', path: `/api/audit/trail${query}`, token: person.token })

describe('what a client reports', () => {
  it('is short', async () => {
    const admin = await makeCompany(app)
    const metadata = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [index, 'x'.repeat(1_700)]))
    const reply = await log(admin, { sku: 'A-1', metadata })
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { error: 'metadata must have at most 8,192 characters as JSON.' },
    ])
  })

  it.each([
    [90, 'metadata must be a smaller object without characters that cannot be stored.'],
    [20_000, 'The request is nested too deeply.'],
  ])('is flat: what is nested %i deep is refused with a sentence', async (depth, error) => {
    const admin = await makeCompany(app)
    const nested = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    const reply = await fetch(`${app.url}/api/audit/log`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: `{"sku":"A-1","metadata":${nested}}`,
    })
    expect([reply.status, await reply.json()]).toMatchObject([400, { error }])
  })

  it('may be of the longest SKU with a prefix', async () => {
    const admin = await makeCompany(app)
    const sku = `WEEKLY_COUNT_${'S'.repeat(48)}`
    expect((await log(admin, { sku })).status).toBe(201)
    expect((await log(admin, { sku: 'S'.repeat(101) })).status).toBe(400)
    expect((await trail(admin, `?sku=${sku}`)).body).toMatchObject({
      entries: [{ sku, kind: 'weekly_count' }],
    })
  })

  it('is taken 120 times a minute from one person, and from others beside', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    for (let turn = 0; turn < 120; turn += 1) expect((await log(staff, { sku: 'A-1' })).status).toBe(201)
    const refused = await log(staff, { sku: 'A-1' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await log(admin, { sku: 'A-1' })).status).toBe(201)
  })

  it('is stored with the actor and time of the session, whatever the body says', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin, 'Sam Staff')
    const reply = await log(staff, {
      sku: 'AUTH_session_inactive',
      user_type: 'admin',
      user_name: 'The Boss',
      timestamp: '1999-01-01T00:00:00Z',
      metadata: { reason: 'tab_hidden' },
    })
    expect([reply.status, reply.body]).toMatchObject([201, { success: true }])
    const { body } = await trail(admin, '?sku=session_inactive')
    expect(body).toMatchObject({
      total: 1,
      entries: [
        {
          kind: 'authentication',
          user_type: 'user',
          user_name: 'Sam Staff',
          origin: 'client',
          metadata: { reason: 'tab_hidden', event_type: 'session_inactive' },
        },
      ],
    })
  })

  it('says of a SKU what happened to it by its event type, and otherwise only that it was reported', async () => {
    const admin = await makeCompany(app)
    await log(admin, { sku: 'BOLT-8', metadata: { event_type: 'sku_history_viewed' } })
    await log(admin, { sku: 'BOLT-9', metadata: { event_type: 'Looked at!' } })
    await log(admin, { sku: 'BOLT-10' })
    expect((await trail(admin, '?sku=BOLT')).body).toMatchObject({
      entries: [
        { sku: 'BOLT-10', metadata: { event_type: 'reported' } },
        { sku: 'BOLT-9', metadata: { event_type: 'reported' } },
        { sku: 'BOLT-8', metadata: { event_type: 'sku_history_viewed' } },
      ],
    })
  })
})

describe('a SKU that begins as a kind of entry does', () => {
  it('stays an inventory scan where it is a component', async () => {
    const admin = await makeCompany(app)
    await app.done({
      path: '/api/components/import',
      token: admin.token,
      body: [{ barcode: 'LABEL_TAPE', description: 'Tape' }],
    })
    await log(admin, { sku: 'LABEL_TAPE', metadata: { event_type: 'looked_at' } })
    await log(admin, { sku: 'LABEL_COMPONENT_SEARCH', metadata: { event_type: 'component_search' } })
    expect((await trail(admin, '?sku=LABEL_')).body).toMatchObject({
      entries: [
        {
          sku: 'LABEL_COMPONENT_SEARCH',
          kind: 'label_generation',
          metadata: { event_type: 'component_search' },
        },
        { sku: 'LABEL_TAPE', kind: 'inventory_scan', metadata: { event_type: 'looked_at' } },
      ],
    })
    expect((await trail(admin, '?sku=LABEL_TAPE&action=Label')).body).toMatchObject({ total: 0 })
  })

  it.each(['sku_history_viewed', 'count_entry_discarded'])(
    'stays one in what screens tell of SKUs, known or not: %s',
    async (event) => {
      const admin = await makeCompany(app)
      await log(admin, { sku: 'AUTH_TAG', metadata: { event_type: event } })
      expect((await trail(admin, '?sku=AUTH_TAG')).body).toMatchObject({
        entries: [{ sku: 'AUTH_TAG', kind: 'inventory_scan', metadata: { event_type: event } }],
      })
    },
  )
})

describe('a location', () => {
  it('is given by its code or its name, and kept and found by its code', async () => {
    const admin = await makeCompany(app)
    await log(admin, { sku: 'S-1', location: 'Primary Warehouse' })
    await log(admin, { sku: 'S-2', location: 'QUARANTINE' })
    const found = { total: 1, entries: [{ sku: 'S-1', location: 'PRIMARY' }] }
    expect((await trail(admin, '?location=Primary+Warehouse')).body).toMatchObject(found)
    expect((await trail(admin, '?location=PRIMARY')).body).toMatchObject(found)
    expect((await trail(admin, '?location=QUARANTINE')).body).toMatchObject({ entries: [{ sku: 'S-2' }] })
    const file = await app.ask({
      method: 'GET',
      path: '/api/exports/audit?sku=S-&location=Primary%20Warehouse',
      token: admin.token,
    })
    expect(file.bytes.toString().match(/S-\d/g)).toEqual(['S-1'])
  })

  it('that there is not is refused', async () => {
    const admin = await makeCompany(app)
    const file = { method: 'GET', path: '/api/exports/audit?location=Moon', token: admin.token }
    const replies = [
      await log(admin, { sku: 'S-1', location: 'Moon' }),
      await trail(admin, '?location=Moon'),
      await app.ask(file),
    ]
    expect(replies.map(({ status, body }) => [status, body])).toMatchObject(
      Array.from({ length: 3 }, () => [400, { error: 'Invalid location selected.' }]),
    )
  })
})

describe('the trail', () => {
  it('is newest first and can be read page by page without a gap', async () => {
    const admin = await makeCompany(app)
    for (let index = 0; index < 7; index += 1) await log(admin, { sku: `S-${index}` })
    const page = z.object({
      entries: z.array(z.object({ sku: z.string() })),
      next_cursor: z.string().nullable(),
    })
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await trail(admin, `?sku=S-&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      const { entries, next_cursor: next } = page.parse(body)
      seen.push(...entries.map(({ sku }) => sku))
      cursor = next
    }
    expect(seen).toEqual(['S-6', 'S-5', 'S-4', 'S-3', 'S-2', 'S-1', 'S-0'])
  })

  it('names what concerns no SKU by its kind and event', async () => {
    const admin = await makeCompany(app)
    const ask = (path: string, body: unknown) => app.ask({ path, token: admin.token, body })
    await ask('/api/components/reset-counts', { location: 'PRIMARY' })
    await ask('/api/components/reset-weekly-day', { day: 'Monday', location: 'PRIMARY' })
    await app.done({ method: 'GET', path: '/api/exports/components', token: admin.token })
    const entries = z.object({ entries: z.array(z.object({ kind: z.string(), sku: z.string() })) })
    expect(entries.parse((await trail(admin)).body).entries).toEqual([
      { kind: 'configuration', sku: 'CONFIG_LIST_EXPORTED' },
      { kind: 'weekly_count', sku: 'WEEKLY_COUNT_WEEKLY_COUNT_RESET' },
      { kind: 'monthly_count', sku: 'CYCLE_COUNT_MONTHLY_COUNT_RESET' },
      { kind: 'authentication', sku: 'AUTH_LOGIN_SUCCESSFUL' },
      { kind: 'authentication', sku: 'AUTH_REGISTRATION_COMPLETED' },
    ])
  })

  it('finds by SKU text as it is written, not as a pattern', async () => {
    const admin = await makeCompany(app)
    await log(admin, { sku: '100%_cotton' })
    await log(admin, { sku: '100-cotton' })
    expect((await trail(admin, '?sku=%25_COTTON')).body).toMatchObject({
      total: 1,
      entries: [{ sku: '100%_cotton' }],
    })
  })

  it('finds by action, date and source', async () => {
    const admin = await makeCompany(app)
    await log(admin, { sku: 'LABEL_preview', source: 'labels' })
    const count = async (query: string) =>
      z.object({ total: z.number() }).parse((await trail(admin, query)).body).total
    expect(await count('?action=label+gen')).toBe(1)
    expect(await count('?action=Nonsense')).toBe(0)
    expect(await count('?source=labels&user=nobody')).toBe(0)
    expect(await count('?source=labels')).toBe(1)
    expect(await count('?source=labels&from=2020-01-01T00:00:00Z')).toBe(1)
    expect(await count('?source=labels&to=2020-01-01T00:00:00Z')).toBe(0)
  })

  it('finds an entry by its number, also in a file, and none of another company', async () => {
    const admin = await makeCompany(app)
    await log(admin, { sku: 'A-1' })
    await log(admin, { sku: 'A-2' })
    const found = z.object({ entries: z.array(z.object({ id: z.string(), sku: z.string() })) })
    const { entries } = found.parse((await trail(admin, '?sku=A-1')).body)
    const id = entries[0]?.id ?? ''
    for (const number of [id, id.toUpperCase()]) {
      expect((await trail(admin, `?id=${number}`)).body).toMatchObject({
        total: 1,
        entries: [{ id, sku: 'A-1' }],
        looked_back_to: null,
      })
    }
    expect((await trail(admin, `?id=${id}&sku=A-2`)).body).toMatchObject({ total: 0, entries: [] })
    expect((await trail(await makeCompany(app), `?id=${id}`)).body).toMatchObject({ total: 0 })
    const path = `/api/exports/audit?id=${id}`
    const file = await app.ask({ method: 'GET', path, token: admin.token })
    const [head, row, end] = file.bytes.toString().split('\r\n')
    expect(head).toMatch(/,Details,Account,Number$/)
    expect(row).toMatch(new RegExp(`,A-1,.*,${id}$`))
    expect(end).toBe('')
  })

  it('says no to limits and dates that are none', async () => {
    const admin = await makeCompany(app)
    for (const query of [
      '?limit=-1',
      '?limit=1e3',
      '?limit=0x10',
      '?from=yesterday',
      '?cursor=abc',
      '?id=abc',
      '?to=infinity',
      '?limit=1&limit=2',
      '?sku=A&sku=B',
    ]) {
      expect([query, (await trail(admin, query)).status]).toEqual([query, 400])
    }
  })
})

it('the trail tells what one person did, and at which place', async () => {
  const admin = await makeCompany(app)
  const staff = await makeStaff(app, admin, 'Mia Muster')
  await log(staff, { sku: 'S-1', location: 'PRIMARY' })
  await log(staff, { sku: 'S-2', location: 'SECONDARY' })
  await log(admin, { sku: 'S-3', location: 'SECONDARY' })
  const skus = async (query: string) => {
    const { body } = await trail(admin, `?sku=S-&${query}`)
    return z
      .object({ entries: z.array(z.object({ sku: z.string() })) })
      .parse(body)
      .entries.map(({ sku }) => sku)
  }
  expect(await skus('user=mUs')).toEqual(['S-2', 'S-1'])
  expect(await skus('location=SECONDARY')).toEqual(['S-3', 'S-2'])
  expect(await skus('user=mia&location=SECONDARY')).toEqual(['S-2'])
  expect(await skus('user=%25')).toEqual([])
  const path = '/api/exports/audit?sku=S-&user=mia'
  const file = await app.ask({ method: 'GET', path, token: admin.token })
  expect(file.bytes.toString().match(/S-\d/g)).toEqual(['S-2', 'S-1'])
})

it('the trail tells by which account something was done, whatever the person is called', async () => {
  const admin = await makeCompany(app)
  const sam = await makeStaff(app, admin, 'Mia Moreno')
  const mia = await makeStaff(app, admin, 'Mia Moreno')
  await log(sam, { sku: 'S-1' })
  await log(mia, { sku: 'S-2' })
  const skus = z.object({ entries: z.array(z.object({ sku: z.string() })) })
  const found = async (person: Person, user: string) =>
    skus.parse((await trail(person, `?sku=S-&user=${user}`)).body).entries.map(({ sku }) => sku)

  expect((await trail(admin, '?sku=S-')).body).toMatchObject({
    entries: [
      { user_name: 'Mia Moreno', user_id: mia.userId, user_account: mia.email },
      { user_name: 'Mia Moreno', user_id: sam.userId, user_account: sam.email },
    ],
  })
  expect(await found(admin, 'moreno')).toEqual(['S-2', 'S-1'])
  expect(await found(admin, sam.email.toUpperCase())).toEqual(['S-1'])
  // Addresses are for administrators.
  expect((await trail(sam, '?sku=S-')).body).toMatchObject({
    entries: [
      { user_id: mia.userId, user_account: null },
      { user_id: sam.userId, user_account: null },
    ],
  })
  expect(await found(mia, sam.email)).toEqual([])

  const path = `/api/exports/audit?sku=S-&user=${sam.email}`
  const lines = (await app.ask({ method: 'GET', path, token: admin.token })).bytes
    .toString()
    .trim()
    .split('\r\n')
  expect([
    lines.length,
    lines[0]?.endsWith(',Details,Account,Number'),
    lines[1]?.includes(`,${sam.email},`),
  ]).toEqual([2, true, true])
})
