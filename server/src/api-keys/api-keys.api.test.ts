import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { allEndpoints } from '@inventory-manager/contract/all-endpoints'
import type { Endpoint } from '@inventory-manager/contract/endpoint'
import { scopeOf } from '@inventory-manager/contract/scope-of'
import { scopes, type Scope } from '@inventory-manager/contract/scopes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const made = z.object({ success: z.literal(true), id: z.string(), key: z.string() })

async function makeKey(admin: Person, chosen: readonly Scope[], name = 'ERP') {
  const reply = await app.ask({ path: '/api/api-keys', token: admin.token, body: { name, scopes: chosen } })
  expect(reply.status).toBe(201)
  return made.parse(reply.body)
}

const revoke = (person: Person, id: string) =>
  app.ask({ method: 'DELETE', path: `/api/api-keys/${id}`, token: person.token })

const components = (key: string) => app.ask({ method: 'GET', path: '/api/components', token: key })

const importOne = (token: string, barcode = 'A-1') =>
  app.ask({ path: '/api/components/import', token, body: [{ barcode, primary_quantity: 5 }] })

let scans = 0

function count(token: string, quantity = 5, source = 'monthly') {
  scans += 1
  return app.ask({
    path: '/api/components/update-with-tracking',
    token,
    body: {
      barcode: 'A-1',
      quantity,
      location: 'PRIMARY',
      source,
      session: `s${scans}`,
      timestamp: new Date(Date.now() + scans).toISOString(),
    },
  })
}

const refusal = (reply: { status: number; body: unknown }) => [
  reply.status,
  z.object({ error: z.string(), code: z.string() }).parse(reply.body),
]

describe('a key', () => {
  it('is shown once, is kept as a hash, and has a name, scopes and its last use', async () => {
    const admin = await makeCompany(app)
    const { id, key } = await makeKey(admin, ['count', 'read'])
    expect(key).toMatch(/^im_[0-9a-f]{12}_[\w-]{43}$/)
    const list = async () => await app.ask({ method: 'GET', path: '/api/api-keys', token: admin.token })
    expect((await list()).body).toEqual({
      keys: [
        {
          id,
          name: 'ERP',
          prefix: key.slice(0, 15),
          scopes: ['read', 'count'],
          created_by: admin.name,
          created_at: expect.any(String),
          last_used_at: null,
          revoked_at: null,
        },
      ],
      calls_per_minute: 600,
    })
    await components(key)
    const used = await list()
    expect(used.body).toMatchObject({ keys: [{ last_used_at: expect.any(String) }] })
    const secret = key.slice(16)
    expect(used.bytes.includes(secret)).toBe(false)
    const { rows } = await app.owner.query<{ secret_hash: Buffer }>(
      'select secret_hash from api_keys where id = $1',
      [id],
    )
    expect(rows[0]?.secret_hash).toEqual(createHash('sha256').update(secret).digest())
  })

  it('is nowhere in the database, also when it was asked for with an Idempotency-Key', async () => {
    const admin = await makeCompany(app)
    const ask = () =>
      app.ask({
        path: '/api/api-keys',
        token: admin.token,
        body: { name: 'ERP', scopes: ['read'] },
        key: 'once',
      })
    const { key } = made.parse((await ask()).body)
    expect(refusal(await ask())).toEqual([
      409,
      {
        code: 'shown_once',
        error: 'This was made before, and its secret was shown then. Remove it and make another.',
      },
    ])
    const { rows: tables } = await app.owner.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    )
    for (const { name } of tables) {
      const { rows } = await app.owner.query(`select from ${name} row where row::text like $1`, [
        `%${key.slice(16)}%`,
      ])
      expect([name, rows]).toEqual([name, []])
    }
  })

  it('is written down as last used at most once a minute', async () => {
    const admin = await makeCompany(app)
    const { id, key } = await makeKey(admin, ['read'])
    const lastUsed = async () => {
      const { rows } = await app.owner.query<{ at: Date }>(
        'select last_used_at as at from api_keys where id = $1',
        [id],
      )
      return rows[0]?.at
    }
    // Both calls in one minute.
    if (new Date().getSeconds() > 50) await sleep(11_000)
    await components(key)
    await app.owner.query(
      "update api_keys set last_used_at = '2020-01-01T00:00:00Z' where id = $1 and last_used_at is not null",
      [id],
    )
    await components(key)
    expect(await lastUsed()).toEqual(new Date('2020-01-01T00:00:00Z'))
    await app.owner.query("update api_key_calls set window_start = window_start - interval '1 minute'")
    await components(key)
    expect((await lastUsed())?.getFullYear()).toBeGreaterThan(2020)
  })

  it('takes no seat of the plan and cannot sign in', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    for (let index = 0; index < 10; index += 1) await makeKey(admin, ['read'], `Key ${index}`)
    const staff = await makeStaff(app, admin)
    const team = await app.ask({ method: 'GET', path: '/api/team', token: admin.token })
    expect(team.body).toMatchObject({
      users: [{ email: admin.email }, { email: staff.email }],
      places: { used: 2, limit: 10 },
    })
    const { rows } = await app.owner.query<{ email: string }>(
      "select email from users where tenant_id = $1 and role = 'api_key'",
      [admin.tenantId],
    )
    for (const { email } of rows.slice(0, 3)) {
      const { status } = await app.ask({ path: '/api/auth/login', body: { email, passcode: '' } })
      expect(status).toBe(401)
    }
  })

  it('cannot be the fifty-first', async () => {
    const admin = await makeCompany(app)
    for (let index = 0; index < 50; index += 1) await makeKey(admin, ['read'])
    const reply = await app.ask({
      path: '/api/api-keys',
      token: admin.token,
      body: { name: 'X', scopes: ['read'] },
    })
    expect(refusal(reply)).toEqual([
      409,
      { code: 'too_many_keys', error: 'A company has at most 50 working API keys. Revoke one first.' },
    ])
  })

  it.each([
    { name: '', scopes: ['read'] },
    { name: 'X', scopes: [] },
    { name: 'X', scopes: ['write'] },
    { name: 'X' },
  ])('cannot be made of %j', async (body) => {
    const admin = await makeCompany(app)
    expect((await app.ask({ path: '/api/api-keys', token: admin.token, body })).status).toBe(400)
  })

  it.each([
    ['another secret', (key: string) => `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`],
    ['another beginning', (key: string) => `im_000000000000${key.slice(15)}`],
    ['something cut off', (key: string) => key.slice(0, -1)],
    ['something added', (key: string) => `${key}A`],
    ['no secret', (key: string) => key.slice(0, 15)],
  ])('with %s is refused', async (_, forge) => {
    const admin = await makeCompany(app)
    const { key } = await makeKey(admin, ['read'])
    expect(refusal(await components(forge(key)))).toEqual([
      401,
      { code: 'unauthorized', error: 'Unauthorized: please log in again.' },
    ])
    expect((await components(key)).status).toBe(200)
  })
})

describe('revoking a key', () => {
  it('stops it at once on every node, for reading and for counting', async () => {
    const admin = await makeCompany(app)
    const second = await app.startSecondNode()
    await importOne(admin.token)
    const { id, key } = await makeKey(admin, ['read', 'count'])
    expect((await second.ask({ method: 'GET', path: '/api/components', token: key })).status).toBe(200)
    expect((await revoke(admin, id)).status).toBe(200)
    expect((await second.ask({ method: 'GET', path: '/api/components', token: key })).status).toBe(401)
    expect((await count(key)).status).toBe(401)
    expect((await revoke(admin, id)).status).toBe(404)
    await second.close()
  })

  it('ends its session too, so that a count on the way is not taken', async () => {
    const admin = await makeCompany(app)
    const { id } = await makeKey(admin, ['count'])
    await revoke(admin, id)
    const { rows } = await app.owner.query(
      `select ended_at is not null as ended, active from api_keys
       join sessions on sessions.tenant_id = api_keys.tenant_id and sessions.id = session_id
       join users on users.tenant_id = api_keys.tenant_id and users.id = api_keys.user_id
       where api_keys.id = $1`,
      [id],
    )
    expect(rows).toEqual([{ ended: true, active: false }])
  })
})

describe('what a key does', () => {
  it('stands in the trail, the history and the ledger under its own name and kind', async () => {
    const admin = await makeCompany(app)
    const { key } = await makeKey(admin, ['read', 'count', 'admin'], 'Robot')
    await importOne(key)
    expect((await count(key)).body).toMatchObject({ success: true, matched: true })
    const actor = { user_type: 'api_key', user_name: 'Robot (API key)' }
    const trail = await app.ask({ method: 'GET', path: '/api/audit/trail', token: key })
    expect(trail.body).toMatchObject({ entries: [{ sku: 'A-1', ...actor }, { ...actor }, {}, {}, {}] })
    const history = await app.ask({ method: 'GET', path: '/api/count-history?sku=A-1', token: key })
    expect(history.body).toMatchObject({ history: [{ quantity: 5, ...actor }] })
    const { rows } = await app.owner.query('select user_name from movements where tenant_id = $1', [
      admin.tenantId,
    ])
    expect(rows).toEqual([{ user_name: 'Robot (API key)' }])
  })

  it('is done once for an Idempotency-Key of its own', async () => {
    const admin = await makeCompany(app)
    await importOne(admin.token)
    const { key } = await makeKey(admin, ['admin'])
    const ask = (token: string, quantity: number) =>
      app.ask({
        path: '/api/components/update-quantity',
        token,
        body: { barcode: 'A-1', quantity, location: 'PRIMARY' },
        key: 'same',
      })
    expect((await ask(key, 7)).status).toBe(200)
    expect((await ask(key, 7)).status).toBe(200)
    expect((await ask(key, 8)).status).toBe(422)
    expect((await ask(admin.token, 9)).status).toBe(200)
  })

  it('never tells a key without the scope admin what a count should have been', async () => {
    const admin = await makeCompany(app)
    await importOne(admin.token)
    const { key } = await makeKey(admin, ['count'])
    const reply = await count(key, 3)
    expect(reply.body).toMatchObject({ matched: false, recorded: false })
    expect(reply.body).not.toHaveProperty('expected_quantity')
    expect((await count(key, 5, 'admin')).status).toBe(403)
  })

  it('shows a key without the scope admin what staff see, and no more', async () => {
    const admin = await makeCompany(app)
    await importOne(admin.token)
    const toCount = async (chosen: readonly Scope[]) => {
      const { key } = await makeKey(admin, chosen)
      const path = '/api/components/with-count-status'
      const long = await app.ask({ path, token: key, body: { location: 'PRIMARY' } })
      const address = '/api/components/to-count?location=PRIMARY'
      const short = await app.ask({ method: 'GET', path: address, token: key })
      expect(JSON.stringify(short.body).includes('expected_quantity')).toBe(chosen.includes('admin'))
      return JSON.stringify(long.body)
    }
    expect(await toCount(['read', 'admin'])).toContain('"expected_quantity":5')
    const seen = await toCount(['read', 'count', 'labels'])
    expect(seen).toContain('"barcode":"A-1"')
    expect(seen).not.toContain('expected_quantity')
  })

  it('reaches only its own company', async () => {
    const admin = await makeCompany(app)
    const other = await makeCompany(app)
    await importOne(admin.token, 'CANARY')
    const { key } = await makeKey(other, [...scopes])
    const reply = await app.ask({
      path: '/api/components/by-barcode',
      token: key,
      body: { barcode: 'CANARY' },
    })
    expect(reply.status).toBe(404)
    expect((await components(key)).body).toMatchObject({ total: 0 })
    const { id } = await makeKey(admin, ['read'])
    expect((await revoke(other, id)).status).toBe(404)
    const list = await app.ask({ method: 'GET', path: '/api/api-keys', token: other.token })
    expect(list.body).toMatchObject({ keys: [{}] })
  })
})

describe('the calls of a key', () => {
  it('are limited in a minute, over all nodes, with the seconds to wait', async () => {
    const small = await startTestApp({ API_CALLS_PER_MINUTE: '5' })
    const second = await small.startSecondNode()
    const admin = await makeCompany(small)
    const body = { name: 'Fast', scopes: ['read'] }
    const one = made.parse((await small.ask({ path: '/api/api-keys', token: admin.token, body })).body)
    const two = made.parse((await small.ask({ path: '/api/api-keys', token: admin.token, body })).body)
    const call = (ask: TestApp['ask'], key: string) =>
      ask({ method: 'GET', path: '/api/components', token: key })
    const fifty = await Promise.all(
      Array.from({ length: 20 }, (_, index) => call(index % 2 === 0 ? small.ask : second.ask, one.key)),
    )
    const taken = fifty.filter(({ status }) => status === 200)
    // Where the minute turned meanwhile, a second five were taken.
    expect([5, 10]).toContain(taken.length)
    const refused = fifty.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({
      code: 'too_many_requests',
      error: 'This API key has made its 5 calls of this minute. Please wait.',
    })
    const wait = Number(refused?.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(60)
    expect((await call(small.ask, two.key)).status).toBe(200)
    await second.close()
    await small.close()
  })

  it('are not used up by whoever only knows its public part', async () => {
    const small = await startTestApp({ API_CALLS_PER_MINUTE: '2' })
    const admin = await makeCompany(small)
    const body = { name: 'Fast', scopes: ['read'] }
    const { key } = made.parse((await small.ask({ path: '/api/api-keys', token: admin.token, body })).body)
    for (let index = 0; index < 5; index += 1) {
      await small.ask({
        method: 'GET',
        path: '/api/components',
        token: `${key.slice(0, 16)}${'A'.repeat(43)}`,
      })
    }
    expect((await small.ask({ method: 'GET', path: '/api/components', token: key })).status).toBe(200)
    await small.close()
  })
})

describe('a company without API access', () => {
  const sentence = 'API access comes with the Professional plan and up. Your company has the Starter plan.'

  it('cannot make keys', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const ask = { path: '/api/api-keys', body: { name: 'X', scopes: ['read'] } }
    expect(refusal(await app.ask({ ...ask, token: admin.token }))).toEqual([
      403,
      { code: 'plan_required', error: sentence },
    ])
  })

  it('sees the keys it had and revokes them, which then work with no plan', async () => {
    const admin = await makeCompany(app)
    await importOne(admin.token)
    const { id, key } = await makeKey(admin, ['read', 'count'])
    await app.owner.query("update companies set plan = 'starter' where tenant_id = $1", [admin.tenantId])
    const listed = await app.ask({ method: 'GET', path: '/api/api-keys', token: admin.token })
    expect(listed.body).toMatchObject({ keys: [{ id, revoked_at: null }] })
    await app.done({ method: 'DELETE', path: `/api/api-keys/${id}`, token: admin.token })
    await app.owner.query("update companies set plan = 'enterprise' where tenant_id = $1", [admin.tenantId])
    expect((await components(key)).status).toBe(401)
  })

  it('has its keys stop with a sentence when the plan gets smaller, and go on when it grows again', async () => {
    const admin = await makeCompany(app)
    await importOne(admin.token)
    const { key } = await makeKey(admin, ['read', 'count'])
    await app.owner.query("update companies set plan = 'starter' where tenant_id = $1", [admin.tenantId])
    expect(refusal(await components(key))).toEqual([403, { code: 'plan_required', error: sentence }])
    expect(refusal(await count(key))).toEqual([403, { code: 'plan_required', error: sentence }])
    await app.owner.query("update companies set plan = 'enterprise' where tenant_id = $1", [admin.tenantId])
    expect((await components(key)).status).toBe(200)
  })
})

describe('scopes', () => {
  const all: [string, Endpoint][] = Object.entries(allEndpoints)
  const closed = all.filter(([, { access }]) => access !== 'public')

  /** Sent without a body: whoever gets past the scope gets at most to the check of the request. */
  const probe = (endpoint: Endpoint, token: string) =>
    app.ask({
      method: endpoint.method,
      path: endpoint.path.replace('{id}', '01890000-0000-7000-8000-000000000000'),
      token,
      ...(endpoint.method === 'POST' ? { body: {} } : {}),
    })

  it('are what the reference says for every call', () => {
    const byScope = (wanted: string) =>
      closed.filter(([, endpoint]) => scopeOf(endpoint) === wanted).map(([name]) => name)
    expect(byScope('count')).toEqual([
      'recordCount',
      'undoCount',
      'noteCount',
      'resetCounts',
      'resetWeeklyDay',
      'addHistory',
      'saveWeeklyCount',
      'deleteWeeklyCount',
      'saveCycleCount',
      'deleteCycleCount',
    ])
    expect(byScope('labels')).toEqual(['generateLabels'])
    const readable = closed.filter(([, endpoint]) => scopeOf(endpoint) === 'read')
    expect(readable.filter(([, { effect, access }]) => effect !== 'read' || access !== 'member')).toEqual([])
    const administrators = closed.filter(([, { access }]) => access === 'admin')
    const open = administrators.filter(
      ([, endpoint]) => !['admin', 'people'].includes(scopeOf(endpoint) ?? ''),
    )
    expect(open).toEqual([])
  })

  it.each(closed.filter(([, { effect }]) => effect === 'write'))(
    'keep a key that may only read from %s, and the try is in the trail',
    async (_, endpoint) => {
      const admin = await makeCompany(app)
      const { key } = await makeKey(admin, ['read'])
      const { status, body } = await probe(endpoint, key)
      const scope = scopeOf(endpoint)
      const expected =
        scope === 'people'
          ? { code: 'people_only', error: 'No API key can do this: sign in as a person.' }
          : {
              code: 'scope_missing',
              error: `This API key is not allowed to do this: it needs the scope ${scope}.`,
            }
      expect([status, body]).toMatchObject([403, expected])
      const trail = await app.ask({
        method: 'GET',
        path: '/api/audit/trail?sku=AUTH_ACCESS_REFUSED',
        token: admin.token,
      })
      expect(trail.body).toMatchObject({
        total: 1,
        entries: [{ user_type: 'api_key', metadata: { call: `${endpoint.method} ${endpoint.path}` } }],
      })
    },
  )

  it('give no key the whole company, which is full of people', async () => {
    const admin = await makeCompany(app)
    const { key } = await makeKey(admin, ['admin'])
    const reply = await app.ask({ method: 'GET', path: '/api/exports/archive', token: key })
    expect([reply.status, reply.body]).toMatchObject([
      403,
      { code: 'people_only', error: 'No API key can do this: sign in as a person.' },
    ])
  })

  it('let a key do what they name and nothing else', async () => {
    const admin = await makeCompany(app)
    const keys = await Promise.all(
      scopes.map(async (scope) => ({ scope, ...(await makeKey(admin, [scope])) })),
    )
    for (const [name, endpoint] of closed) {
      if ('events' in endpoint.reply) continue
      for (const { scope, key } of keys) {
        const { body } = await probe(endpoint, key)
        // A scope makes a key the administrator that the call wants, too.
        const kept = /scope_missing|people_only|forbidden/.test(JSON.stringify(body))
        expect([name, scope, kept]).toEqual([name, scope, scopeOf(endpoint) !== scope])
      }
    }
  })

  it('keep every key from accounts, keys and webhooks', async () => {
    const admin = await makeCompany(app)
    const { key } = await makeKey(admin, [...scopes])
    for (const path of ['/api/api-keys', '/api/webhooks', '/api/auth/user']) {
      expect((await app.ask({ method: 'GET', path, token: key })).status).toBe(403)
    }
  })

  it('let a key follow the news', async () => {
    const admin = await makeCompany(app)
    const { key } = await makeKey(admin, ['read'])
    const stop = new AbortController()
    const reply = await fetch(`${app.url}/api/events`, {
      headers: { authorization: `Bearer ${key}` },
      signal: stop.signal,
    })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    stop.abort()
  })
})

describe('the keys of a company', () => {
  it('are listed with every one that works, however many were revoked since', async () => {
    const admin = await makeCompany(app)
    const { id } = await makeKey(admin, ['read'])
    const revoked = await makeKey(admin, ['read'])
    await revoke(admin, revoked.id)
    await app.owner.query(
      `insert into api_keys (tenant_id, name, prefix, secret_hash, scopes, user_id, session_id, created_by, revoked_at)
       select tenant_id, name, prefix || '-' || place, secret_hash, scopes, user_id, session_id, created_by, revoked_at
       from api_keys cross join generate_series(1, 500) as place
       where tenant_id = $1 and id = $2`,
      [admin.tenantId, revoked.id],
    )
    const { body } = await app.ask({ method: 'GET', path: '/api/api-keys', token: admin.token })
    const { keys } = z.object({ keys: z.array(z.object({ id: z.string() })) }).parse(body)
    expect(keys[0]?.id).toBe(id)
    expect(keys).toHaveLength(500)
  })

  it('are closed to staff', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    const { id } = await makeKey(admin, ['read'])
    for (const ask of [
      { method: 'GET', path: '/api/api-keys' },
      { path: '/api/api-keys', body: { name: 'X', scopes: ['read'] } },
      { method: 'DELETE', path: `/api/api-keys/${id}` },
    ]) {
      expect((await app.ask({ ...ask, token: staff.token })).status).toBe(403)
    }
  })
})
