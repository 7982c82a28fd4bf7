import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import type { Tx } from '../platform/db/database.ts'
import { onlyReading } from '../platform/db/statements.ts'
import { millisecondOf } from '../platform/db/time-ids.ts'

let app: TestApp
let admin: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await makeCompany(app)
  staff = await makeStaff(app, admin)
  const rows = [
    { barcode: '00-1', description: 'Hex bolt', primary_quantity: 5, secondary_quantity: 2 },
    { barcode: 'A/1 %', description: 'Seal 100% rubber', primary_quantity: 1 },
    { barcode: 'B-1', description: 'Washer' },
  ]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  for (const quantity of [6, 8, 7]) {
    const body = { barcode: '00-1', quantity, location: 'PRIMARY' }
    await app.done({ path: '/api/components/update-quantity', token: admin.token, body })
  }
  const body = { barcode: '00-1', quantity: 7, location: 'PRIMARY', session: 's', source: 'monthly' }
  const timestamp = new Date().toISOString()
  await app.done({
    path: '/api/components/update-with-tracking',
    token: staff.token,
    body: { ...body, timestamp },
  })
})
afterAll(() => app.close())

const get = (path: string, person = staff) =>
  app.ask({ method: 'GET', path: `/api/components/${path}`, token: person.token })

describe('searching components', () => {
  it.each([
    ['', ['00-1', 'A/1 %', 'B-1']],
    ['?text=BOLT', ['00-1']],
    ['?text=0-', ['00-1']],
    ['?text=%25', ['A/1 %']],
    ['?text=_', []],
    ['?text=nothing', []],
    ['?cursor=00-1', ['A/1 %', 'B-1']],
  ])('with "%s" finds these, by barcode', async (query, barcodes) => {
    const { body } = await get(`search${query}`)
    expect(body).toMatchObject({ components: barcodes.map((barcode) => ({ barcode })), next_cursor: null })
  })

  it('goes page by page and carries the stock of each location', async () => {
    expect((await get('search?limit=1')).body).toEqual({
      components: [
        {
          barcode: '00-1',
          description: 'Hex bolt',
          aliases: [],
          stock: { PRIMARY: 7, SECONDARY: 2 },
          total_quantity: 9,
          placements: [],
        },
      ],
      next_cursor: '00-1',
    })
  })
})

describe('the list of components', () => {
  it('says of the newest count when, where and how it was made, in whatever order counts arrive', async () => {
    const owner = await makeCompany(app)
    const rows = [{ barcode: 'C-1', primary_quantity: 1, secondary_quantity: 2, fulfillment_quantity: 3 }]
    await app.done({ path: '/api/components/import', token: owner.token, body: rows })
    const assignments = Object.fromEntries(
      ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map((day) => [day, ['SECONDARY']]),
    )
    const planned = { barcode: 'C-1', assignments }
    await app.done({ path: '/api/components/configure-high-volume', token: owner.token, body: planned })
    const now = Date.now()
    async function lastCounted() {
      const { body } = await app.ask({ method: 'GET', path: '/api/components', token: owner.token })
      return body
    }
    async function count(location: string, source: string, { quantity, at }: { quantity: number; at: Date }) {
      const body = { barcode: 'C-1', quantity, location, source, session: 's', timestamp: at.toISOString() }
      const { status } = await app.ask({
        path: '/api/components/update-with-tracking',
        token: owner.token,
        body: source === 'weekly' ? { ...body, day: 'Monday' } : body,
      })
      expect(status).toBe(200)
    }
    const said = (at: Date, location: string, source: string) => ({
      components: [
        {
          barcode: 'C-1',
          last_counted_date: at.toISOString(),
          last_counted_location: location,
          last_counted_source: source,
        },
      ],
    })
    expect(await lastCounted()).toMatchObject({
      components: [{ last_counted_date: null, last_counted_location: null, last_counted_source: null }],
    })
    const [first, second, third] = [new Date(now - 3_001), new Date(now - 2_002), new Date(now - 1_003)]
    await count('SECONDARY', 'weekly', { quantity: 2, at: second })
    expect(await lastCounted()).toMatchObject(said(second, 'SECONDARY', 'weekly'))
    await count('PRIMARY', 'monthly', { quantity: 1, at: first })
    expect(await lastCounted()).toMatchObject(said(second, 'SECONDARY', 'weekly'))
    await count('FULFILLMENT', 'admin', { quantity: 3, at: third })
    expect(await lastCounted()).toMatchObject(said(third, 'FULFILLMENT', 'admin'))
  })
})

describe('one component', () => {
  it('says when its label was printed, and whether it still says what it should', async () => {
    const label = async () => (await get('detail?barcode=B-1')).body
    expect(await label()).toMatchObject({ label: null })
    const components = [{ barcode: 'B-1', description: 'Washer' }]
    await app.done({ path: '/api/generate-labels', token: staff.token, body: { components } })
    expect(await label()).toMatchObject({ label: { printed_at: expect.any(String), current: true } })
    const body = { components: [{ barcode: 'B-1', description: 'Washer of old' }] }
    await app.done({ path: '/api/generate-labels', token: staff.token, body })
    expect(await label()).toMatchObject({ label: { current: false } })
  })

  it('shows its stock per place with the last count', async () => {
    expect((await get('detail?barcode=00-1')).body).toMatchObject({
      barcode: '00-1',
      description: 'Hex bolt',
      stock: [
        { location: 'PRIMARY', quantity: 7, arriving: 0, counted_source: 'monthly' },
        { location: 'SECONDARY', quantity: 2, counted_at: null },
        { location: 'FULFILLMENT', quantity: 0 },
        { location: 'DISTRIBUTION', quantity: 0 },
        { location: 'QUARANTINE', quantity: 0 },
      ],
      transfers: [],
    })
    expect((await get(`detail?barcode=${encodeURIComponent('A/1 %')}`)).status).toBe(200)
  })

  it('lists its movements, newest first, page by page', async () => {
    const first = await get('movements?barcode=00-1&limit=2')
    expect(first.body).toMatchObject({
      movements: [
        { location: 'PRIMARY', delta: -1, quantity_after: 7, cause: 'correction', user_name: admin.name },
        { delta: 2, quantity_after: 8 },
      ],
    })
    const cursor = /"next_cursor":"([^"]+)"/.exec(first.bytes.toString())?.[1]
    expect((await get(`movements?barcode=00-1&cursor=${cursor}`)).body).toMatchObject({
      movements: [{ delta: 1, quantity_after: 6 }, { cause: 'import' }, { cause: 'import' }],
      next_cursor: null,
    })
  })

  it('lists its counts', async () => {
    expect((await get('counts?barcode=00-1')).body).toMatchObject({
      counts: [{ location: 'PRIMARY', quantity: 7, count_type: 'monthly', user_name: 'Sam Staff' }],
      next_cursor: null,
    })
  })

  it('tells its counts from what was taken back and from what a device only reported', async () => {
    const count = { barcode: 'A/1 %', quantity: 1, location: 'PRIMARY', session: 's', source: 'monthly' }
    const body = { ...count, timestamp: new Date().toISOString() }
    await app.done({ path: '/api/components/update-with-tracking', token: staff.token, key: 'back', body })
    await app.done({ path: '/api/components/undo-count', token: staff.token, body: { key: 'back' } })
    const reported = { sku: 'A/1 %', quantity: 3, location: 'PRIMARY' }
    await app.done({ path: '/api/count-history', token: staff.token, body: reported })
    expect((await get(`counts?barcode=${encodeURIComponent('A/1 %')}`)).body).toMatchObject({
      counts: [
        { quantity: 3, entry: 'reported' },
        { quantity: 1, entry: 'taken_back' },
        { quantity: 1, entry: 'counted' },
      ],
    })
  })

  it('lists the labels printed of it, newest first, page by page, each job once', async () => {
    const print = (person: Person, body: Record<string, unknown>, key?: string) =>
      app.ask({
        path: '/api/generate-labels',
        token: person.token,
        ...(key === undefined ? {} : { key }),
        body: { labelSize: { width: 2, height: 1 }, ...body },
      })
    const seal = { barcode: 'A/1 %', description: 'Seal' }
    expect((await get(`labels?barcode=${encodeURIComponent('A/1 %')}`)).body).toEqual({
      labels: [],
      next_cursor: null,
    })
    await print(staff, { components: [seal, { barcode: '00-1' }], copies: 3 }, 'prints-1')
    await print(staff, { components: [seal, { barcode: '00-1' }], copies: 3 }, 'prints-1')
    await print(admin, { components: [seal, seal], symbology: 'qr', format: 'zpl' })
    const first = await get(`labels?barcode=${encodeURIComponent('A/1 %')}&limit=1`)
    expect(first.body).toEqual({
      labels: [
        {
          id: expect.any(String),
          copies: 2,
          size: '2x1',
          symbology: 'qr',
          format: 'zpl',
          description: 'Seal',
          user_name: admin.name,
          timestamp: expect.any(String),
        },
      ],
      next_cursor: expect.any(String),
    })
    const cursor = /"next_cursor":"([^"]+)"/.exec(first.bytes.toString())?.[1]
    expect((await get(`labels?barcode=${encodeURIComponent('A/1 %')}&cursor=${cursor}`)).body).toMatchObject({
      labels: [{ copies: 3, symbology: 'code128', format: 'pdf', user_name: 'Sam Staff' }],
      next_cursor: null,
    })
    expect((await get('labels?barcode=00-1')).body).toMatchObject({
      labels: [{ copies: 3, description: '' }],
    })
  })

  it('shows how its stock went, with at most 200 steps for each location', async () => {
    const { body, bytes } = await get('ledger?barcode=00-1')
    expect(body).toMatchObject({ steps: expect.any(Array) })
    expect(bytes.toString()).toMatch(/"location":"PRIMARY","quantity":7,[^}]*}\]}$/)
    await app.owner.query(
      `insert into movements (tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name)
       select tenant_id, id, 'FULFILLMENT', 1, step, 'correction', $2, 'x'
       from components, generate_series(1, 1000) as step
       where tenant_id = $1 and barcode = 'B-1'`,
      [admin.tenantId, admin.userId],
    )
    const { body: many } = await get('ledger?barcode=B-1')
    const steps = Reflect.get(Object(many), 'steps')
    expect(steps.length).toBeLessThanOrEqual(200)
    expect(steps.at(-1)).toMatchObject({ quantity: 1000 })
  })

  it.each(['detail', 'movements', 'counts', 'labels', 'ledger'])(
    'that is not there has no %s',
    async (path) => {
      const reply = await get(`${path}?barcode=GHOST`)
      expect([reply.status, reply.body]).toMatchObject([
        404,
        { error: 'There is no component with this barcode.' },
      ])
    },
  )
})

describe('the movements of a company', () => {
  const page = z.object({
    movements: z.array(z.looseObject({ id: z.string(), barcode: z.string(), delta: z.number().nullable() })),
    cursor: z.string().nullable(),
    more: z.boolean(),
    cursor_gone: z.boolean().optional(),
  })
  const read = async (person: Person, query: string) => {
    const path = `/api/movements?${query}`
    return page.parse((await app.ask({ method: 'GET', path, token: person.token })).body)
  }
  const stock = (person: Person, barcode: string) =>
    app.done({
      path: '/api/components/import',
      token: person.token,
      body: [{ barcode, primary_quantity: 1 }],
    })

  /** As if they had been made a minute earlier. */
  const makeOlder = ({ tenantId }: Person) =>
    app.owner.query(
      `update movements set id = id_at(created_at - interval '1 minute', uuid_send(gen_random_uuid()))
       where tenant_id = $1`,
      [tenantId],
    )

  /** A movement of what there is of a company, as if it had been made a while ago. */
  const add = (
    { db }: Tx,
    { tenantId, userId }: Person,
    { delta, secondsAgo }: { delta: number; secondsAgo: number },
  ) =>
    sql`
      insert into movements (tenant_id, id, component_id, location, delta, quantity_after, cause, user_id, user_name)
      select tenant_id, id_at(now() - make_interval(secs => ${secondsAgo})), id, 'SECONDARY', ${delta}, 2, 'import',
        ${userId}::uuid, 'x'
      from components where tenant_id = ${tenantId}::uuid
    `.execute(db)

  it('are each read once by who reads on, also while an import takes long', async () => {
    const company = await makeCompany(app)
    expect(await read(company, '')).toEqual({ movements: [], cursor: null, more: false })
    await stock(company, 'FIRST')
    await makeOlder(company)
    const steps = new EventEmitter()
    const begun = once(steps, 'begun')
    const long = app.database.inTenant(company.tenantId, async (tx) => {
      await sql`
        insert into movements (tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name)
        select tenant_id, id, 'SECONDARY', 2, 2, 'import', ${company.userId}::uuid, 'x'
        from components where tenant_id = ${tx.tenantId}::uuid
      `.execute(tx.db)
      const ended = once(steps, 'ended')
      steps.emit('begun')
      await ended
    })
    await begun
    await stock(company, 'MEANWHILE')
    const found: string[] = []
    let cursor: string | null = null
    const readOn = async () => {
      const next = await read(company, cursor === null ? 'limit=1' : `limit=1&cursor=${cursor}`)
      found.push(...next.movements.map(({ barcode, delta }) => `${barcode} ${delta}`))
      cursor = next.cursor
      return [...found]
    }
    await sleep(10_500)
    const during = [await readOn(), await readOn()]
    steps.emit('ended')
    await long
    expect(during).toEqual([['FIRST 1'], ['FIRST 1']])
    await expect.poll(readOn, { timeout: 20_000 }).toEqual(['FIRST 1', 'FIRST 2', 'MEANWHILE 1'])
    expect(await readOn()).toHaveLength(3)
  })

  it('are each read once also where a long import ends while they are read', async () => {
    const company = await makeCompany(app)
    await stock(company, 'A-1')
    const body = { barcode: 'A-1', alias: 'ALSO-A-1' }
    await app.done({ path: '/api/components/add-barcode', token: company.token, body })
    const waiting = () =>
      app.owner.query(
        `select from pg_locks where database = (select oid from pg_database where datname = current_database())
           and relation = 'alias_barcodes'::regclass and not granted`,
      )
    const held = await app.owner.connect()
    try {
      const { reading } = await app.database.inTenant(company.tenantId, async (tx) => {
        await add(tx, company, { delta: 60, secondsAgo: 60 })
        await app.database.inTenant(company.tenantId, (other) =>
          add(other, company, { delta: 30, secondsAgo: 30 }),
        )
        // So that it has found out who asks, and nothing yet of what is asked for, when the import ends.
        await held.query('begin; lock table alias_barcodes in access exclusive mode')
        const asked = read(company, 'barcode=ALSO-A-1')
        await expect.poll(async () => (await waiting()).rowCount).toBe(1)
        return { reading: asked }
      })
      await held.query('commit')
      expect((await reading).movements.map(({ delta }) => delta)).toEqual([60, 30])
    } finally {
      await held.query('rollback')
      held.release()
    }
  })

  it('are read also while another company takes long to read its archive', async () => {
    const company = await makeCompany(app)
    await stock(company, 'A-1')
    const [name] = await app.database.inLongSnapshot(admin.tenantId, async (reader) => {
      const { rows } = await sql<{ name: string }>`
        select current_setting('application_name') as name
      `.execute(reader.db)
      await app.database.inTenant(company.tenantId, (tx) => add(tx, company, { delta: 7, secondsAgo: 9.5 }))
      await expect
        .poll(async () => (await read(company, '')).movements.map(({ delta }) => delta), { timeout: 8_000 })
        .toEqual([7])
      return rows
    })
    const readers = 'select from pg_stat_activity where application_name = $1'
    await expect.poll(async () => (await app.owner.query(readers, [name?.name])).rowCount).toBe(0)
  })

  it('wait for whoever has written, even if that says that it only reads', async () => {
    const company = await makeCompany(app)
    await stock(company, 'A-1')
    await app.database.inTenant(company.tenantId, async (tx) => {
      await sql.raw(onlyReading).execute(tx.db)
      await add(tx, company, { delta: 7, secondsAgo: 9.9 })
      await app.database.inTenant(company.tenantId, (other) =>
        add(other, company, { delta: 5, secondsAgo: 9.5 }),
      )
      await sleep(1_000)
      expect((await read(company, '')).movements).toEqual([])
    })
    await expect
      .poll(async () => (await read(company, '')).movements.map(({ delta }) => delta))
      .toEqual([7, 5])
  })

  it('begin at a moment, where nobody has a cursor yet', async () => {
    const company = await makeCompany(app)
    await stock(company, 'A-1')
    await makeOlder(company)
    const { movements } = await read(company, '')
    const [only] = movements
    const at = (ms: number) => new Date(millisecondOf(only?.id ?? '') + ms).toISOString()
    expect((await read(company, `from=${at(0)}`)).movements).toEqual(movements)
    expect(await read(company, `from=${at(1)}`)).toEqual({ movements: [], cursor: null, more: false })
    expect((await read(company, `from=${at(0)}&cursor=${only?.id}`)).movements).toEqual([])
  })

  it('say once that where somebody had read to is gone, as after a backup was restored', async () => {
    const company = await makeCompany(app)
    await stock(company, 'A-1')
    await stock(company, 'A-2')
    await makeOlder(company)
    const told = await read(company, '')
    const [kept, undone] = told.movements.map(({ id }) => id)
    expect(await read(company, `cursor=${undone}`)).toEqual({ movements: [], cursor: undone, more: false })
    await app.owner.query('delete from movements where tenant_id = $1 and id = $2', [
      company.tenantId,
      undone,
    ])
    expect(await read(company, `cursor=${undone}`)).toEqual({
      movements: [],
      cursor: kept,
      more: false,
      cursor_gone: true,
    })
    expect(await read(company, `cursor=${kept}`)).toEqual({ movements: [], cursor: kept, more: false })
    expect(await read(company, `barcode=A-2&cursor=${undone}`)).toMatchObject({
      cursor: null,
      cursor_gone: true,
    })
    await stock(company, 'A-3')
    await app.owner.query(
      `update movements set id = id_at(created_at - interval '30 seconds', uuid_send(gen_random_uuid()))
       where tenant_id = $1 and id <> $2`,
      [company.tenantId, kept],
    )
    const next = await read(company, `cursor=${undone}`)
    expect(next).toMatchObject({ movements: [{ barcode: 'A-3' }], cursor_gone: true })
    expect(await read(company, `cursor=${next.cursor}`)).not.toHaveProperty('cursor_gone')
  })

  it('of one component come page by page, oldest first', async () => {
    await makeOlder(admin)
    const first = await read(staff, 'barcode=00-1&limit=3')
    expect(first).toMatchObject({ cursor: first.movements[2]?.id, more: true })
    const second = await read(staff, `barcode=00-1&cursor=${first.cursor}`)
    expect(second).toMatchObject({ cursor: second.movements.at(-1)?.id, more: false })
    const all = [...first.movements, ...second.movements]
    expect(all.map(({ delta }) => delta)).toEqual([5, 2, 1, 2, -1])
    expect(all[0]).toMatchObject({ barcode: '00-1', location: 'PRIMARY', cause: 'import', quantity_after: 5 })
    expect((await read(staff, `barcode=00-1&cursor=${second.cursor}`)).cursor).toBe(second.cursor)
    const ghost = await app.ask({ method: 'GET', path: '/api/movements?barcode=GHOST', token: staff.token })
    expect(ghost.status).toBe(404)
  })
})

describe('the description', () => {
  const describeAs = (person: Person, description: string) =>
    app.ask({
      path: '/api/components/describe',
      token: person.token,
      body: { barcode: 'B-1', description },
    })

  it('is changed by administrators, with its old value in the trail', async () => {
    expect((await describeAs(admin, ' Washer M8 ')).body).toEqual({
      success: true,
      description: 'Washer M8',
    })
    expect((await get('detail?barcode=B-1')).body).toMatchObject({ description: 'Washer M8' })
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail?sku=B-1', token: admin.token })
    expect(trail.body).toMatchObject({
      entries: [
        { metadata: { event_type: 'description_changed', old_value: 'Washer', new_value: 'Washer M8' } },
      ],
    })
  })

  it('has in the trail what each found, where several change it at the same moment', async () => {
    await Promise.all(['1', '2', '3', '4', '5', '6'].map((text) => describeAs(admin, text)))
    const { body } = await app.ask({ method: 'GET', path: '/api/audit/trail?sku=B-1', token: admin.token })
    const change = z.object({ old_value: z.string(), new_value: z.string() })
    const trail = z.object({ entries: z.array(z.object({ metadata: change })) }).parse(body)
    const found = trail.entries.map(({ metadata }) => metadata.old_value)
    expect(new Set(found).size).toBe(found.length)
  })

  it('is not changed by staff, and not longer than 500 characters', async () => {
    expect((await describeAs(staff, 'x')).status).toBe(403)
    expect((await describeAs(admin, 'x'.repeat(501))).status).toBe(400)
  })
})
