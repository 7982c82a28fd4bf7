import type { PlanKey } from '@inventory-manager/contract/plans'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import { recordAudits } from '../audit/queries.ts'
import { addAssignments, removeFromDay } from './high-volume-queries.ts'
import { lockComponents } from './lock-components.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const weekDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

const importRows = (person: Person, body: unknown[]) =>
  app.ask({ path: '/api/components/import', token: person.token, body })

const configure = (person: Person, body: Record<string, unknown>, key?: string) =>
  app.ask({
    path: '/api/components/configure-high-volume',
    token: person.token,
    body,
    ...(key === undefined ? {} : { key }),
  })

const bulk = (person: Person, part: Record<string, unknown> = {}) =>
  app.ask({
    path: '/api/components/bulk-high-volume',
    token: person.token,
    body: { barcodes: ['A-1', 'A-2'], day: 'Monday', location: 'PRIMARY', action: 'add', ...part },
  })

const migrate = (person: Person) =>
  app.ask({ path: '/api/admin/migrate-high-volume', token: person.token, body: {} })

const listed = async (person: Person) =>
  (await app.ask({ method: 'GET', path: '/api/components', token: person.token })).body

const trail = async (person: Person, sku: string) =>
  (await app.ask({ method: 'GET', path: `/api/audit/trail?sku=${sku}`, token: person.token })).body

async function companyWithStock(plan: PlanKey = 'professional'): Promise<Person> {
  const admin = await makeCompany(app, { plan })
  await importRows(admin, [{ barcode: 'A-1', description: 'Bolt' }, { barcode: 'A-2' }, { barcode: 'A-3' }])
  return admin
}

describe('configuring a component as high volume', () => {
  it('answers with the canonical map, days in the order of the week', async () => {
    const admin = await companyWithStock()
    const { status, body } = await configure(admin, {
      barcode: 'A-1',
      assignments: { Friday: ['PRIMARY'], Monday: ['SECONDARY', 'PRIMARY'] },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      component: {
        barcode: 'A-1',
        is_high_volume: true,
        high_volume_config: { Monday: ['PRIMARY', 'SECONDARY'], Friday: ['PRIMARY'] },
      },
    })
    expect(JSON.stringify(body)).toContain('{"Monday":["PRIMARY","SECONDARY"],"Friday":["PRIMARY"]}')
  })

  it('takes the display name of a location and answers with its code', async () => {
    const admin = await companyWithStock()
    const assignments = { Tuesday: ['Fulfillment Center'] }
    expect((await configure(admin, { barcode: 'A-1', assignments })).body).toMatchObject({
      component: { high_volume_config: { Tuesday: ['FULFILLMENT'] } },
    })
  })

  it('takes a location named twice on a day once', async () => {
    const admin = await companyWithStock()
    const assignments = { Tuesday: ['PRIMARY', 'Primary Warehouse', 'PRIMARY'] }
    expect((await configure(admin, { barcode: 'A-1', assignments })).body).toMatchObject({
      component: { high_volume_config: { Tuesday: ['PRIMARY'] } },
    })
  })

  it('replaces what was configured before', async () => {
    const admin = await companyWithStock()
    await configure(admin, { barcode: 'A-1', assignments: { Monday: ['PRIMARY'] } })
    const { body } = await configure(admin, { barcode: 'A-1', assignments: { Friday: ['SECONDARY'] } })
    expect(body).toHaveProperty('component.high_volume_config', { Friday: ['SECONDARY'] })
  })

  it.each([{}, { Monday: [] }])('with %j clears it', async (assignments) => {
    const admin = await companyWithStock()
    await configure(admin, { barcode: 'A-1', assignments: { Monday: ['PRIMARY'] } })
    expect((await configure(admin, { barcode: 'A-1', assignments })).body).toMatchObject({
      component: { is_high_volume: false, is_high_volume_today: false, high_volume_config: null },
    })
  })

  it('leaves what it was and what it is now in the audit trail', async () => {
    const admin = await companyWithStock()
    await configure(admin, { barcode: 'A-1', assignments: { Monday: ['PRIMARY'] } })
    await configure(admin, { barcode: 'A-1', assignments: {} })
    expect(await trail(admin, 'A-1')).toMatchObject({
      total: 2,
      entries: [
        {
          kind: 'configuration',
          user_name: admin.name,
          user_type: 'admin',
          origin: 'server',
          sku: 'A-1',
          metadata: { old_value: [{ day: 'Monday', location: 'PRIMARY' }], new_value: [] },
        },
        { metadata: { old_value: [], new_value: [{ day: 'Monday', location: 'PRIMARY' }] } },
      ],
    })
  })

  it('sent twice with its key is done once', async () => {
    const admin = await companyWithStock()
    const body = { barcode: 'A-1', assignments: { Monday: ['PRIMARY'] } }
    const replies = await Promise.all(Array.from({ length: 5 }, () => configure(admin, body, 'c1')))
    expect(new Set(replies.map(({ bytes }) => bytes.toString())).size).toBe(1)
    expect(await trail(admin, 'A-1')).toMatchObject({ total: 1 })
  })

  it('by several administrators at once leaves that of one of them, and the trail says what each has replaced', async () => {
    const admin = await companyWithStock()
    const replies = await Promise.all(
      weekDays.map((day) => configure(admin, { barcode: 'A-1', assignments: { [day]: ['PRIMARY'] } })),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const { rows } = await app.owner.query('select day from high_volume_assignments where tenant_id = $1', [
      admin.tenantId,
    ])
    expect(rows).toHaveLength(1)
    const configuredSo = z.object({ metadata: z.object({ old_value: z.unknown(), new_value: z.unknown() }) })
    const { entries } = z.object({ entries: z.array(configuredSo) }).parse(await trail(admin, 'A-1'))
    const before = entries.map(({ metadata }) => metadata.old_value)
    expect(before).toEqual([...entries.slice(1).map(({ metadata }) => metadata.new_value), []])
  })
})

describe('a high-volume configuration is refused and changes nothing', () => {
  it.each([
    [{ barcode: 'nothing' }, 404, 'There is no component with this barcode.'],
    [{ assignments: { Monday: ['DISTRIBUTION'] } }, 403, 'Your plan does not include this location.'],
    [{ assignments: { Monday: ['Moon'] } }, 400, 'Invalid location selected.'],
    [{ assignments: { Monday: 'PRIMARY' } }, 400, 'assignments must be a list.'],
    [{ assignments: { Sunday: ['PRIMARY'] } }, 400, 'assignments must name days from Monday to Friday.'],
    [{ assignments: ['Monday'] }, 400, 'assignments must be an object.'],
    [{ assignments: undefined }, 400, 'assignments is missing.'],
  ])('with %j', async (part, expected, sentence) => {
    const admin = await companyWithStock()
    await configure(admin, { barcode: 'A-1', assignments: { Friday: ['PRIMARY'] } })
    const before = await listed(admin)
    const { status, body } = await configure(admin, { barcode: 'A-1', assignments: {}, ...part })
    expect([status, body]).toMatchObject([expected, { error: sentence }])
    expect(await listed(admin)).toEqual(before)
  })

  it('when staff ask for it, and the refusal is audited', async () => {
    const admin = await companyWithStock()
    const staff = await makeStaff(app, admin)
    const { status, body } = await configure(staff, { barcode: 'A-1', assignments: { Monday: ['PRIMARY'] } })
    expect([status, body]).toMatchObject([403, { error: 'Only an administrator can do this.' }])
    expect((await bulk(staff)).status).toBe(403)
    expect((await migrate(staff)).status).toBe(403)
    expect(await trail(admin, 'AUTH_ACCESS_REFUSED')).toMatchObject({
      total: 3,
      entries: [
        { metadata: { call: 'POST /api/admin/migrate-high-volume' } },
        { metadata: { call: 'POST /api/components/bulk-high-volume' } },
        {
          user_name: 'Sam Staff',
          user_type: 'user',
          metadata: { call: 'POST /api/components/configure-high-volume' },
        },
      ],
    })
  })

  it('when staff say in the body that they are administrators', async () => {
    const staff = await makeStaff(app, await companyWithStock())
    const { status } = await configure(staff, {
      barcode: 'A-1',
      assignments: {},
      user_type: 'admin',
      role: 'admin',
    })
    expect(status).toBe(403)
  })
})

describe('a high-volume configuration after a smaller plan', () => {
  async function companyWithClosedLocation(): Promise<Person> {
    const admin = await companyWithStock()
    const assignments = { Monday: ['PRIMARY', 'SECONDARY'], Friday: ['SECONDARY'] }
    await configure(admin, { barcode: 'A-1', assignments })
    const plan = { plan: 'starter', accept_read_only: true }
    await app.done({ path: '/api/company/plan', token: admin.token, body: plan })
    return admin
  }

  it('keeps the days of a closed location, which a larger plan counts on again', async () => {
    const admin = await companyWithClosedLocation()
    const moved = await configure(admin, { barcode: 'A-1', assignments: { Tuesday: ['PRIMARY'] } })
    const kept = { Monday: ['SECONDARY'], Friday: ['SECONDARY'] }
    expect(moved.body).toHaveProperty('component.high_volume_config', { ...kept, Tuesday: ['PRIMARY'] })
    const cleared = await configure(admin, { barcode: 'A-1', assignments: {} })
    expect(cleared.body).toHaveProperty('component.high_volume_config', kept)
    expect(await trail(admin, 'A-1')).toMatchObject({
      entries: [
        {
          metadata: {
            new_value: [
              { day: 'Friday', location: 'SECONDARY' },
              { day: 'Monday', location: 'SECONDARY' },
            ],
          },
        },
        {},
        {},
      ],
    })
  })

  it('is taken as it was given, with the closed location, and puts nothing more there', async () => {
    const admin = await companyWithClosedLocation()
    const given = { Monday: ['PRIMARY', 'SECONDARY'], Wednesday: ['PRIMARY'], Friday: ['SECONDARY'] }
    const { status, body } = await configure(admin, { barcode: 'A-1', assignments: given })
    expect([status, body]).toMatchObject([200, { component: { high_volume_config: given } }])
    const more = { ...given, Wednesday: ['SECONDARY'] }
    expect((await configure(admin, { barcode: 'A-1', assignments: more })).status).toBe(403)
    expect(await listed(admin)).toHaveProperty('components.0.high_volume_config', given)
  })
})

describe('changing the list of a day for many components', () => {
  it('adds those that are known, counts those that were new, and names the rest', async () => {
    const admin = await companyWithStock()
    await configure(admin, { barcode: 'A-2', assignments: { Monday: ['PRIMARY'], Friday: ['SECONDARY'] } })
    const { status, body } = await bulk(admin, { barcodes: ['X-1', 'A-1', 'A-2', 'A-1', 'X-2'] })
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, changed: 1, not_found: ['X-1', 'X-2'] })
    expect(await listed(admin)).toMatchObject({
      components: [
        { high_volume_config: { Monday: ['PRIMARY'] } },
        { high_volume_config: { Monday: ['PRIMARY'], Friday: ['SECONDARY'] } },
        { high_volume_config: null },
      ],
    })
  })

  it('removes from that day and location and from no other', async () => {
    const admin = await companyWithStock()
    const assignments = { Monday: ['PRIMARY', 'SECONDARY'], Friday: ['PRIMARY'] }
    await configure(admin, { barcode: 'A-1', assignments })
    expect((await bulk(admin, { action: 'remove' })).body).toEqual({
      success: true,
      changed: 1,
      not_found: [],
    })
    expect(await listed(admin)).toHaveProperty('components.0.high_volume_config', {
      Monday: ['SECONDARY'],
      Friday: ['PRIMARY'],
    })
  })

  it('of unknown barcodes only changes nothing and says so', async () => {
    const admin = await companyWithStock()
    expect((await bulk(admin, { barcodes: ['X'] })).body).toEqual({
      success: true,
      changed: 0,
      not_found: ['X'],
    })
  })

  it('takes other barcodes and either writing of a UPC, and names those of retired components', async () => {
    const admin = await companyWithStock()
    const ask = (path: string, body: unknown) => app.ask({ path, token: admin.token, body })
    await importRows(admin, [{ barcode: '036000291452' }])
    for (const [barcode, alias] of [
      ['A-1', 'OLD-1'],
      ['A-2', '0614141000036'],
      ['A-3', 'OLD-3'],
    ]) {
      expect((await ask('/api/components/add-barcode', { barcode, alias })).status).toBe(201)
    }
    await ask('/api/components/retire', { barcode: 'A-3' })
    const barcodes = ['OLD-1', 'A-1', '614141000036', '0036000291452', 'OLD-3', 'X-1']
    expect((await bulk(admin, { barcodes })).body).toEqual({
      success: true,
      changed: 3,
      not_found: ['OLD-3', 'X-1'],
    })
    const removed = await bulk(admin, { barcodes: ['OLD-1', '0036000291452'], action: 'remove' })
    expect(removed.body).toEqual({ success: true, changed: 2, not_found: [] })
    const monday = { day: 'Monday', location: 'PRIMARY' }
    expect((await ask('/api/components/high-volume-for-day', monday)).body).toMatchObject({
      components: [{ barcode: 'A-2' }],
    })
  })

  it('names in the trail which components came on a list or off it', async () => {
    const admin = await companyWithStock()
    await bulk(admin, { barcodes: ['A-1', 'A-2'] })
    await bulk(admin, { barcodes: ['A-2', 'A-3'], action: 'remove' })
    expect(await trail(admin, 'CONFIG_HIGH_VOLUME_ADDED')).toMatchObject({
      entries: [{ metadata: { barcode: ['A-1', 'A-2'], new_value: { day: 'Monday', changed: 2 } } }],
    })
    expect(await trail(admin, 'CONFIG_HIGH_VOLUME_REMOVED')).toMatchObject({
      entries: [{ metadata: { barcode: ['A-2'], new_value: { day: 'Monday', changed: 1 } } }],
    })
  })

  it('takes 10,000 barcodes of 24 characters at once, also where plans are kept from when there were few', async () => {
    const admin = await companyWithStock()
    const barcodes = Array.from(
      { length: 10_000 },
      (_, index) => `LONG-BARCODE-${String(index).padStart(11, '0')}`,
    )
    await app.owner.query('analyze components')
    for (let time = 0; time < 8; time += 1) {
      expect((await bulk(admin, { barcodes: barcodes.slice(0, 200) })).body).toMatchObject({ changed: 0 })
    }
    await importRows(
      admin,
      barcodes.map((barcode) => ({ barcode })),
    )
    const { status, body } = await bulk(admin, { barcodes })
    expect([status, body]).toMatchObject([200, { changed: 10_000, not_found: [] }])
  })

  it.each([
    [{ barcodes: [] }, 400, 'Give at least one barcode.'],
    [{ barcodes: 'A-1' }, 400, 'barcodes must be a list.'],
    [{ day: 'Saturday' }, 400, 'day must be one of: Monday, Tuesday, Wednesday, Thursday, Friday.'],
    [{ action: 'toggle' }, 400, 'action must be one of: add, remove.'],
    [{ location: 'Moon' }, 400, 'Invalid location selected.'],
    [{ location: 'DISTRIBUTION' }, 403, 'Your plan does not include this location.'],
  ])('with %j is refused', async (part, expected, sentence) => {
    const admin = await companyWithStock()
    const { status, body } = await bulk(admin, part)
    expect([status, body]).toMatchObject([expected, { error: sentence }])
  })
})

describe('migrating older forms of the configuration', () => {
  it.each([
    [{ high_volume_config: ['Monday', 'friday'] }, { Monday: ['PRIMARY'], Friday: ['PRIMARY'] }],
    [{ high_volume_config: { Monday: 'Secondary Warehouse' } }, { Monday: ['SECONDARY'] }],
    [{ high_volume_config: '{"Monday":["PRIMARY"]}' }, { Monday: ['PRIMARY'] }],
    [{ high_volume_config: '["Monday","friday"]' }, { Monday: ['PRIMARY'], Friday: ['PRIMARY'] }],
    [{ high_volume_config: { Tuesday: ['PRIMARY', 'SECONDARY'] } }, { Tuesday: ['PRIMARY', 'SECONDARY'] }],
    [
      { high_volume_config: { SECONDARY: ['Monday', 'Wed'] } },
      { Monday: ['SECONDARY'], Wednesday: ['SECONDARY'] },
    ],
    [{ high_volume_config: { 'Primary Warehouse': 'Thursday' } }, { Thursday: ['PRIMARY'] }],
    [
      { is_high_volume: true },
      {
        Monday: ['PRIMARY'],
        Tuesday: ['PRIMARY'],
        Wednesday: ['PRIMARY'],
        Thursday: ['PRIMARY'],
        Friday: ['PRIMARY'],
      },
    ],
  ])('reads %j', async (form, canonical) => {
    const admin = await makeCompany(app)
    await importRows(admin, [{ barcode: 'OLD', ...form }])
    expect((await migrate(admin)).body).toEqual({ success: true, migrated: 1, skipped: [] })
    expect(await listed(admin)).toMatchObject({ components: [{ is_high_volume: true }] })
    expect(await listed(admin)).toHaveProperty('components.0.high_volume_config', canonical)
  })

  it.each([{ high_volume_config: ['Monday'] }, { is_high_volume: true }])(
    '%j is what only administrators may import',
    async (form) => {
      const admin = await makeCompany(app)
      const staff = await makeStaff(app, admin)
      const { status, body } = await importRows(staff, [{ barcode: 'OLD', ...form }])
      expect([status, body]).toMatchObject([
        403,
        {
          error:
            'Only administrators choose what is counted weekly. Leave high_volume_config and is_high_volume out.',
        },
      ])
      expect(await listed(admin)).toMatchObject({ total: 0 })
      const none = { high_volume_config: null, is_high_volume: false }
      expect((await importRows(staff, [{ barcode: 'OLD', ...none }])).status).toBe(200)
      expect((await migrate(admin)).body).toEqual({ success: true, migrated: 0, skipped: [] })
    },
  )

  it('a second time changes nothing', async () => {
    const admin = await makeCompany(app)
    await importRows(admin, [{ barcode: 'OLD', high_volume_config: ['Monday'] }])
    await migrate(admin)
    const before = await listed(admin)
    expect((await migrate(admin)).body).toEqual({ success: true, migrated: 0, skipped: [] })
    expect(await listed(admin)).toEqual(before)
  })

  it('names what it could not read with the reason, every time, and migrates the rest', async () => {
    const admin = await makeCompany(app)
    await importRows(admin, [
      { barcode: 'BAD', high_volume_config: { Monday: ['Moon'] } },
      { barcode: 'GOOD', high_volume_config: ['Tuesday'] },
    ])
    const reason = 'The configuration names a day or location that is not known.'
    expect((await migrate(admin)).body).toEqual({
      success: true,
      migrated: 1,
      skipped: [{ barcode: 'BAD', reason }],
    })
    expect((await migrate(admin)).body).toEqual({
      success: true,
      migrated: 0,
      skipped: [{ barcode: 'BAD', reason }],
    })
    expect(await listed(admin)).toMatchObject({
      components: [{ high_volume_config: null }, { high_volume_config: { Tuesday: ['PRIMARY'] } }],
    })
  })

  it.each(['{Monday', 'Moonday', '"Moonday"'])('cannot read the text %s', async (text) => {
    const admin = await makeCompany(app)
    await importRows(admin, [{ barcode: 'OLD', high_volume_config: text }])
    const reason = 'The configuration names a day or location that is not known.'
    const skipped = [{ barcode: 'OLD', reason }]
    expect((await migrate(admin)).body).toEqual({ success: true, migrated: 0, skipped })
  })

  it('never undoes what an administrator has configured since', async () => {
    const admin = await makeCompany(app)
    await importRows(admin, [{ barcode: 'OLD', high_volume_config: ['Monday'] }])
    await configure(admin, { barcode: 'OLD', assignments: { Friday: ['SECONDARY'] } })
    await migrate(admin)
    expect(await listed(admin)).toHaveProperty('components.0.high_volume_config', { Friday: ['SECONDARY'] })
  })

  it('keeps the days that an administrator has added in bulk since', async () => {
    const admin = await makeCompany(app)
    await importRows(admin, [{ barcode: 'OLD', high_volume_config: ['Monday'] }])
    await bulk(admin, { barcodes: ['OLD'], day: 'Friday' })
    await migrate(admin)
    expect(await listed(admin)).toHaveProperty('components.0.high_volume_config', {
      Monday: ['PRIMARY'],
      Friday: ['PRIMARY'],
    })
  })

  it('puts nothing back on a list from which an administrator has taken it since', async () => {
    const admin = await makeCompany(app)
    await importRows(admin, [{ barcode: 'OLD', high_volume_config: ['Monday'] }])
    await bulk(admin, { barcodes: ['OLD'], day: 'Monday' })
    await bulk(admin, { barcodes: ['OLD'], day: 'Monday', action: 'remove' })
    expect((await migrate(admin)).body).toEqual({ success: true, migrated: 0, skipped: [] })
    expect(await listed(admin)).toHaveProperty('components.0.high_volume_config', null)
  })

  it('still puts on other lists what an administrator has taken from one', async () => {
    const admin = await makeCompany(app)
    await importRows(admin, [
      { barcode: 'OLD', high_volume_config: { Monday: ['PRIMARY', 'SECONDARY'], Tuesday: ['PRIMARY'] } },
      { barcode: 'ODD', high_volume_config: { Monday: ['Moon'] } },
    ])
    await bulk(admin, { barcodes: ['OLD', 'ODD'], day: 'Monday', action: 'remove' })
    expect((await migrate(admin)).body).toMatchObject({ migrated: 1, skipped: [{ barcode: 'ODD' }] })
    expect(await listed(admin)).toMatchObject({
      components: [{}, { high_volume_config: { Monday: ['SECONDARY'], Tuesday: ['PRIMARY'] } }],
    })
  })

  it('assigns nothing to a location that the plan does not include, and names what it left', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    await importRows(admin, [{ barcode: 'OLD', high_volume_config: { Monday: ['SECONDARY'] } }])
    expect((await migrate(admin)).body).toMatchObject({ migrated: 0, skipped: [{ barcode: 'OLD' }] })
  })

  it('twice at once reads each component once', async () => {
    const admin = await makeCompany(app)
    await importRows(admin, [{ barcode: 'OLD', high_volume_config: ['Monday'] }])
    const replies = await Promise.all([migrate(admin), migrate(admin), migrate(admin)])
    const migrated = replies.map(({ body }) => JSON.stringify(body)).toSorted()
    expect(migrated).toEqual([
      '{"success":true,"migrated":0,"skipped":[]}',
      '{"success":true,"migrated":0,"skipped":[]}',
      '{"success":true,"migrated":1,"skipped":[]}',
    ])
  })
})

describe('importing a configuration that nobody can store', () => {
  it.each([
    ['nested 20,000 deep', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['with a character no database stores', String.raw`{"Mon\u0000day":["PRIMARY"]}`],
    ['with half a character', String.raw`["\ud800"]`],
  ])('%s is a bad request and stores nothing', async (_name, config) => {
    const admin = await makeCompany(app)
    const { status } = await app.ask({
      path: '/api/components/import',
      token: admin.token,
      body: `[{"barcode":"OLD","high_volume_config":${config}}]`,
    })
    expect(status).toBe(400)
    expect(await listed(admin)).toMatchObject({ total: 0 })
  })
})

describe('the list of components', () => {
  it('says which are high volume, and which today', async () => {
    const admin = await makeCompany(app, { timeZone: 'Pacific/Kiritimati' })
    await importRows(
      admin,
      [...weekDays, 'Never'].map((barcode) => ({ barcode })),
    )
    for (const day of weekDays) await configure(admin, { barcode: day, assignments: { [day]: ['PRIMARY'] } })
    const today = new Intl.DateTimeFormat('en-US', {
      weekday: 'long',
      timeZone: 'Pacific/Kiritimati',
    }).format()
    expect(await listed(admin)).toMatchObject({
      components: ['Friday', 'Monday', 'Never', 'Thursday', 'Tuesday', 'Wednesday'].map((day) => ({
        barcode: day,
        is_high_volume: day !== 'Never',
        is_high_volume_today: day === today,
      })),
    })
  })
})

it('a wrong count opens its difference while the weekly lists of its component are being changed', async () => {
  const admin = await makeCompany(app)
  await importRows(admin, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 5 }])
  const { components } = z
    .object({ components: z.array(z.object({ id: z.string() })) })
    .parse(await listed(admin))
  const count = { barcode: 'A-1', quantity: 3, location: 'PRIMARY', session: 's' }
  const statuses = await app.database.inTenant(admin.tenantId, async (tx) => {
    await lockComponents(
      tx,
      components.map(({ id }) => id),
    )
    const replies = []
    for (const _ of [1, 2]) {
      const body = { ...count, timestamp: new Date().toISOString() }
      replies.push(await app.ask({ path: '/api/components/update-with-tracking', token: admin.token, body }))
    }
    return replies.map(({ status, body }) => [status, Object(body).recorded])
  })
  expect(statuses).toEqual([
    [200, false],
    [200, true],
  ])
})

it('lists of components of any length are one statement of the connection', async () => {
  const admin = await makeCompany(app)
  const kept = await app.database.inTenant(admin.tenantId, async (tx) => {
    for (const length of [1, 7, 3000]) {
      const ids = Array.from({ length }, () => randomUUID())
      await lockComponents(tx, ids)
      await removeFromDay(tx, { componentIds: ids, day: 'Monday', location: 'PRIMARY' })
    }
    const { rows } = await sql<{ of: string; statements: number }>`
      select split_part(statement, ' ', 1) as of, count(*)::integer as statements
      from pg_prepared_statements
      where statement like 'select "id" from "components" %"retired_at" is null%for no key update'
        or statement like 'delete from "high_volume_assignments" %"day" = % returning "component_id"'
      group by 1
      order by 1
    `.execute(tx.db)
    return rows
  })
  expect(kept).toEqual([
    { of: 'delete', statements: 1 },
    { of: 'select', statements: 1 },
  ])
})

it('entries of the trail and days of a component, however many at once, are written by one statement of the connection', async () => {
  const admin = await makeCompany(app)
  await importRows(admin, [{ barcode: 'B-1' }])
  const kept = await app.database.inTenant(admin.tenantId, async (tx) => {
    const [component] = await tx.db
      .selectFrom('components')
      .select('id')
      .where('tenant_id', '=', tx.tenantId)
      .execute()
    if (component === undefined) throw new Error('There is no component.')
    const entry = { kind: 'configuration', event: 'settings_changed', source: 'test' } as const
    for (const length of [1, 7, 300]) {
      const entries = Array.from({ length }, (_, nth) => ({
        ...entry,
        metadata: { nth, text: '"\\{},NULL' },
      }))
      await recordAudits(tx, { userId: null, role: 'admin', userName: 'Ada' }, entries)
    }
    for (const days of [['Monday'], ['Monday', 'Tuesday', 'Friday']] as const) {
      const assignments = days.map((day) => ({ day, location: 'PRIMARY' }) as const)
      await addAssignments(tx, component.id, assignments)
    }
    const { rows } = await sql<{ table: string; statements: number }>`
      select substring(statement from 'insert into "?(\\w+)') as table, count(*)::integer as statements
      from pg_prepared_statements
      where statement ~ '^\\s*insert into "?(audit_entries|high_volume_assignments)\\W'
        and statement !~ '\\sreturning (?!true)'
      group by 1
      order by 1
    `.execute(tx.db)
    return rows
  })
  expect(kept).toEqual([
    { table: 'audit_entries', statements: 1 },
    { table: 'high_volume_assignments', statements: 1 },
  ])
  const { rows } = await app.owner.query(
    `select metadata, user_name, origin, sku, quantity from audit_entries
     where tenant_id = $1 and event = 'settings_changed' order by id desc limit 1`,
    [admin.tenantId],
  )
  expect(rows).toEqual([
    {
      metadata: { nth: 299, text: '"\\{},NULL' },
      user_name: 'Ada',
      origin: 'server',
      sku: 'CONFIG_SETTINGS_CHANGED',
      quantity: null,
    },
  ])
})

it('a statement that names hundreds of values is not kept by the connection, and one of a few is', async () => {
  const admin = await makeCompany(app)
  const kept = await app.database.inTenant(admin.tenantId, async (tx) => {
    for (const length of [31, 2000]) {
      const named = Array.from({ length }, (_, nth) => `N-${nth}`)
      await sql`select 1 from components where tenant_id = ${tx.tenantId} and barcode in (${sql.join(named)})`.execute(
        tx.db,
      )
    }
    const { rows } = await sql<{ parameters: number }>`
      select cardinality(parameter_types) as parameters
      from pg_prepared_statements
      where starts_with(statement, 'select 1 from components where tenant_id')
    `.execute(tx.db)
    return rows
  })
  expect(kept).toEqual([{ parameters: 32 }])
})
