import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { allEndpoints } from '@inventory-manager/contract/all-endpoints'
import { errorTable } from '@inventory-manager/contract/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  asker,
  makeCompany,
  makeStaff,
  startTestApp,
  type Ask,
  type Person,
  type TestApp,
} from '../../../test/test-app.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
  admin = await makeCompany(app)
})
afterAll(() => app.close())

const error = z.strictObject({
  success: z.literal(false),
  error: z.string().regex(/ .*\.$/),
  code: z.string().regex(/^[a-z_]+$/),
  details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
})

type Raw = { status: number; headers: NodeJS.Dict<string | string[]>; body: string }

/** A request that fetch would refuse to make or would tidy up. */
async function raw(options: {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}): Promise<Raw> {
  const { hostname, port } = new URL(app.url)
  return await new Promise((resolve, reject) => {
    const sent = httpRequest(
      { ...options, hostname, port, method: options.method ?? 'GET', timeout: 30_000 },
      (reply) => {
        text(reply).then(
          (body) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body }),
          reject,
        )
      },
    )
    sent.on('timeout', () => sent.destroy(new Error('The server did not end its reply.')))
    sent.on('error', reject)
    sent.end(options.body)
  })
}

/** Writes bytes to a connection and gives what comes back until it is closed. */
async function talk(bytes: string): Promise<string> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.end(bytes)
  return await text(socket)
}

/** What even the shortest refusal says to a browser. */
const headersOfAnything = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
}

const bearer = () => ({ authorization: `Bearer ${admin.token}` })

describe('an address that does not exist', () => {
  it.each([
    ['GET', '/api/nothing'],
    ['POST', '/api/nothing'],
    ['DELETE', '/api/nothing'],
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/components/'],
    ['GET', '/API/components'],
    ['GET', '//api/components'],
    ['GET', '/api/%00'],
    ['GET', '/api/weekly-counts/a/b'],
    ['GET', '/api/../../etc/passwd'],
    ['GET', `/api/${'x'.repeat(4000)}`],
  ])('is 404 in our form: %s %s', async (method, path) => {
    const reply = await raw({ method, path, headers: bearer() })
    expect(reply.status).toBe(404)
    expect(error.parse(JSON.parse(reply.body))).toMatchObject({ code: 'not_found' })
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each([
    ['GET', '/api/%'],
    ['GET', '/api/%ff%fe'],
    ['DELETE', '/api/weekly-counts/%'],
  ])('because it cannot be read is refused without the wording of a library: %s %s', async (method, path) => {
    const reply = await raw({ method, path, headers: bearer() })
    expect(reply.status).toBe(404)
    expect(error.parse(JSON.parse(reply.body))).toMatchObject({ code: 'not_found' })
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(reply.headers).toMatchObject(headersOfAnything)
  })

  it('says so', async () => {
    const { body } = await app.ask({ method: 'GET', path: '/api/nothing' })
    expect(body).toEqual({ success: false, error: 'There is nothing at this address.', code: 'not_found' })
  })
})

describe('a body that is not JSON', () => {
  it.each(['{', 'quantity=1', '{"barcode":"A",}', "{'a':1}", 'undefined', '\ufeff{}', '[1', '"', '\u0000'])(
    'is refused without the wording of a library: %j',
    async (body) => {
      const reply = await app.ask({ path: '/api/components/by-barcode', token: admin.token, body })
      expect([reply.status, reply.body]).toEqual([
        400,
        { success: false, error: 'The request is not valid JSON.', code: 'not_json' },
      ])
    },
  )

  it.each(['null', '[]', '7', '"text"', 'true', '{}'])(
    'but another thing is refused as such: %s',
    async (body) => {
      const reply = await app.ask({ path: '/api/components/by-barcode', token: admin.token, body })
      expect(reply.status).toBe(400)
      expect(error.parse(reply.body)).toMatchObject({ code: 'invalid_request' })
    },
  )

  it('but nested 200,000 deep is a bad request', async () => {
    const body = `{"barcode":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const reply = await app.ask({ path: '/api/components/by-barcode', token: admin.token, body })
    expect(reply.status).toBe(400)
    expect(error.parse(reply.body)).toMatchObject({ code: 'invalid_request' })
  })

  it.each([
    {
      what: 'lists in lists',
      body: '['.repeat(16 * 1024 * 1024),
      refusal: [400, 'The request is nested too deeply.'],
    },
    {
      what: 'components that say nothing',
      body: `[${'{},'.repeat(5_000_000)}{}]`,
      refusal: [413, 'The request is too large.'],
    },
    {
      what: 'names',
      body: `{${Array.from({ length: 900_000 }, (_, n) => `"${n}":0`).join(',')}}`,
      refusal: [413, 'The request is too large.'],
    },
  ])('but millions of $what is refused before it is read', async ({ body, refusal }) => {
    const reply = await app.ask({ path: '/api/components/import', token: admin.token, body })
    expect([reply.status, error.parse(reply.body).error]).toEqual(refusal)
  })

  it('because there is none at all is refused as missing', async () => {
    const reply = await app.ask({ path: '/api/components/by-barcode', token: admin.token })
    expect([reply.status, reply.body]).toMatchObject([400, { error: 'The body is missing.' }])
  })

  it('of a signed-out caller is not even read', async () => {
    const reply = await app.ask({ path: '/api/components/by-barcode', body: '{' })
    expect(reply.status).toBe(401)
  })
})

it('a call that the plan does not include is refused, and on record', async () => {
  const starter = await makeCompany(app, { plan: 'starter' })
  const timestamp = new Date().toISOString()
  const body = { barcode: 'A-1', quantity: 1, location: 'DISTRIBUTION', session: 'November', timestamp }
  const calls = ['/api/components/update-quantity', '/api/components/update-with-tracking']
  // A device that goes on asking fills no trail.
  for (const path of [...calls, ...calls]) {
    expect((await app.ask({ path, token: starter.token, body })).status).toBe(403)
  }
  const { rows } = await app.owner.query(
    `select metadata ->> 'call' as call from audit_entries
     where tenant_id = $1 and event = 'access_refused' order by call`,
    [starter.tenantId],
  )
  expect(rows).toEqual(calls.map((path) => ({ call: `POST ${path}` })))
})

describe('a request with a mistake', () => {
  const mistakes = [
    { path: '/api/components/configure-high-volume', body: {} },
    { method: 'GET', path: '/api/exports/audit?format=stone' },
    { method: 'DELETE', path: '/api/api-keys/mine' },
  ]

  it('of an administrator is told what is wrong', async () => {
    const replies = await Promise.all(mistakes.map((ask) => app.ask({ ...ask, token: admin.token })))
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400])
  })

  it('of somebody who may not make the call is refused as any other, and is on record', async () => {
    const staff = await makeStaff(app, admin)
    const replies = await Promise.all(mistakes.map((ask) => app.ask({ ...ask, token: staff.token })))
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403])
    const { rows } = await app.owner.query(
      `select metadata ->> 'call' as call from audit_entries
       where user_id = $1 and event = 'access_refused' order by call`,
      [staff.userId],
    )
    expect(rows).toEqual([
      { call: 'DELETE /api/api-keys/{id}' },
      { call: 'GET /api/exports/audit' },
      { call: 'POST /api/components/configure-high-volume' },
    ])
  })

  it.each(['/api/components/by-barcode', '/api/components/update-with-tracking'])(
    'in a session that has ended is told that it has ended: %s',
    async (path) => {
      const staff = await makeStaff(app, admin)
      await app.ask({ path: '/api/auth/logout', token: staff.token })
      const reply = await app.ask({ path, token: staff.token, body: {} })
      expect([reply.status, reply.body]).toMatchObject([401, { code: 'unauthorized' }])
    },
  )
})

describe('a call without a body', () => {
  it('may name JSON as its content type', async () => {
    await app.ask({
      path: '/api/weekly-counts',
      token: admin.token,
      body: { id: 'w-1', day: 'Monday', location: 'PRIMARY' },
    })
    const headers = { 'content-type': 'application/json' }
    const request: Ask = { method: 'DELETE', path: '/api/weekly-counts/w-1', token: admin.token, headers }
    expect((await app.ask(request)).body).toEqual({ success: true })
    const listed: Ask = { method: 'GET', path: '/api/components', token: admin.token, headers }
    expect((await app.ask(listed)).status).toBe(200)
  })

  it('may have one that is ignored', async () => {
    const reply = await app.ask({
      path: '/api/admin/migrate-high-volume',
      token: admin.token,
      body: { x: 1 },
    })
    expect(reply.status).toBe(200)
  })
})

describe('the content type', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'garbage',
    'text/plain, application/json',
  ])('%s is refused', async (type) => {
    const reply = await app.ask({
      path: '/api/components/by-barcode',
      token: admin.token,
      body: '{"barcode":"A"}',
      headers: { 'content-type': type },
    })
    expect([reply.status, reply.body]).toEqual([
      400,
      { success: false, error: 'The request is not valid JSON.', code: 'not_json' },
    ])
  })

  it('missing is refused', async () => {
    const reply = await raw({
      method: 'POST',
      path: '/api/components/by-barcode',
      headers: bearer(),
      body: '{"barcode":"A"}',
    })
    expect(reply.status).toBe(400)
    expect(error.parse(JSON.parse(reply.body))).toMatchObject({ code: 'not_json' })
  })

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8 '])(
    '%s is taken',
    async (type) => {
      const reply = await app.ask({
        path: '/api/components/by-barcode',
        token: admin.token,
        body: '{"barcode":"nothing"}',
        headers: { 'content-type': type },
      })
      expect(reply.status).toBe(404)
    },
  )

  it('with garbage behind it is refused in our form', async () => {
    const reply = await app.ask({
      path: '/api/components/by-barcode',
      token: admin.token,
      body: '{"barcode":"A"}',
      headers: { 'content-type': 'application/json garbage' },
    })
    expect(reply.status).toBe(400)
    expect(error.parse(reply.body)).toMatchObject({ code: 'not_json' })
  })
})

/** The calls that carry lists, and the MiB each takes. */
const takingLists = [
  ['/api/components/import', 16],
  ['/api/components/bulk-high-volume', 1],
  ['/api/generate-labels', 16],
  ['/api/imports/00000000-0000-4000-8000-000000000000/rows', 4],
  ['/api/weekly-counts', 4],
  ['/api/cycle-counts', 4],
] as const

describe('a request that is too large', () => {
  it('is refused in our form', async () => {
    const body = JSON.stringify({ barcode: 'x'.repeat(10 * 1024 * 1024) })
    const reply = await app.ask({ path: '/api/components/by-barcode', token: admin.token, body })
    expect([reply.status, reply.body]).toEqual([
      413,
      { success: false, error: 'The request is too large.', code: 'too_large' },
    ])
  })

  it.each([
    ['of a length that is said', 'Content-Length: 400000', 'x'.repeat(400_000)],
    [
      'in chunks',
      'Transfer-Encoding: chunked',
      `${`186a0\r\n${'x'.repeat(100_000)}\r\n`.repeat(4)}0\r\n\r\n`,
    ],
  ])('is answered to who sends on, and nobody is cut off: %s', async (_, length, body) => {
    const said = await talk(
      [
        'POST /api/components/by-barcode HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${admin.token}`,
        'Content-Type: application/json',
        length,
        '',
        `${body}GET /health/live HTTP/1.1`,
        'Host: x',
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    )
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  it('is refused also where large ones are taken', async () => {
    for (const [path, mebibytes] of takingLists) {
      const body = (length: number) => JSON.stringify({ nothing: 'x'.repeat(length) })
      const { length } = body(0)
      const ask = async (bytes: number) =>
        (await app.ask({ path, token: admin.token, body: body(bytes - length) })).status
      const most = mebibytes * 1024 * 1024
      expect([path, await ask(most), await ask(most + 1)]).toEqual([path, 400, 413])
    }
  })

  it('in its headers is refused without the wording of a library', async () => {
    const said = await talk(
      `GET /api/components HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
    )
    const [, body] = said.split('\r\n\r\n')
    expect(error.parse(JSON.parse(body ?? ''))).toMatchObject({ code: 'headers_too_large' })
  })
})

describe('a request that is not HTTP', () => {
  it('is refused in our form', async () => {
    const said = await talk('NONSENSE\r\n\r\n')
    const [head, body] = said.split('\r\n\r\n')
    expect(head).toContain('HTTP/1.1 400')
    const headers = new Headers()
    for (const line of head?.split('\r\n').slice(1) ?? []) {
      const [name = '', value = ''] = line.split(': ', 2)
      headers.set(name, value)
    }
    expect(Object.fromEntries(headers)).toMatchObject(headersOfAnything)
    expect(error.parse(JSON.parse(body ?? ''))).toMatchObject({ code: 'invalid_request' })
  })

  const login = 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  it.each([
    ['two lengths', `${login}Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}`],
    [
      'a length and chunks',
      `${login}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['another coding behind chunks', `${login}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['a chunk of no size', `${login}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`],
    ['a line of a header that goes on', `${login}X-One: 1\r\n two\r\nContent-Length : 2\r\n\r\n{}`],
  ])('cannot hide a second one behind it: %s', async (_name, first) => {
    const said = await talk(`${first}GET /health HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
  })
})

describe('the Idempotency-Key', () => {
  it.each([
    ['256 characters', 'k'.repeat(256)],
    ['a space in it', 'a b'],
    ['no character', ''],
  ])('with %s is refused', async (_name, key) => {
    const reply = await app.ask({
      path: '/api/components/import',
      token: admin.token,
      key,
      body: [{ barcode: 'K' }],
    })
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { error: 'The Idempotency-Key must have 1 to 255 visible characters.', code: 'invalid_request' },
    ])
  })

  it('of 255 characters is taken', async () => {
    const key = 'k'.repeat(255)
    const reply = await app.ask({
      path: '/api/components/import',
      token: admin.token,
      key,
      body: [{ barcode: 'K' }],
    })
    expect(reply.status).toBe(200)
  })

  it('used for another call is refused', async () => {
    const company = await makeCompany(app)
    const body = { id: 'r-1', day: 'Monday', location: 'PRIMARY' }
    await app.ask({ path: '/api/weekly-counts', token: company.token, key: 'k-1', body })
    const reply = await app.ask({ path: '/api/cycle-counts', token: company.token, key: 'k-1', body })
    expect([reply.status, reply.body]).toMatchObject([
      422,
      { error: 'This Idempotency-Key was used for another request.', code: 'key_reused' },
    ])
  })

  it('sent again after an upgrade gets the answer that the version before gave, in the shape it had then', async () => {
    const { token, tenantId } = await makeCompany(app)
    const request = { path: '/api/components/import', token, key: 'k-1', body: [{ barcode: 'K' }] }
    expect((await app.ask(request)).body).toMatchObject({ success: true, created: 1, unchanged: 0 })
    const older = { success: true, made: 1 }
    await app.owner.query('update operations set reply = $1 where tenant_id = $2', [older, tenantId])
    const again = await app.ask(request)
    expect([again.status, again.body]).toEqual([200, older])
  })
})

describe('every reply', () => {
  const replies: [string, () => Ask][] = [
    ['that succeeds', () => ({ method: 'GET', path: '/api/dashboard', token: admin.token })],
    ['to nobody', () => ({ method: 'GET', path: '/api/components' })],
    ['to an unknown address', () => ({ method: 'GET', path: '/api/nothing' })],
    ['to a body that is not JSON', () => ({ path: '/api/auth/login', body: '{' })],
    ['to a compressed body', () => ({ path: '/api/auth/login', headers: { 'content-encoding': 'gzip' } })],
    [
      'to another content type',
      () => ({ path: '/api/auth/login', body: '{}', headers: { 'content-type': 'text/plain' } }),
    ],
    ['to too large a body', () => ({ path: '/api/auth/login', body: 'x'.repeat(1_000_000) })],
    ['of health', () => ({ method: 'GET', path: '/health' })],
    ['with the description of the API', () => ({ method: 'GET', path: '/api/openapi.json' })],
    ['of an unknown method', () => ({ method: 'PUT', path: '/api/components' })],
  ]

  it.each(replies)('%s has its id and its security headers and is not kept', async (_name, make) => {
    const { headers } = await app.ask(make())
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
    // The camera's decoder is WebAssembly, which runs nothing that a page could inject.
    const policy = headers.get('content-security-policy')?.replace("'wasm-unsafe-eval'", '')
    expect(policy).not.toMatch(/unsafe-|\*|https?:/)
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('has an id of its own, whatever the caller asks for', async () => {
    const ask = () =>
      app.ask({ method: 'GET', path: '/health', headers: { 'x-request-id': 'mine', 'request-id': 'mine' } })
    const ids = [(await ask()).headers.get('x-request-id'), (await ask()).headers.get('x-request-id')]
    expect(new Set([...ids, 'mine']).size).toBe(3)
  })

  it('demands TLS from then on where it was asked by TLS, and only there', async () => {
    const behindProxy = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
    const demanded = async ({ url }: TestApp, [path, protocol]: readonly [string, string]) => {
      const headers = { 'x-forwarded-proto': protocol, ...bearer() }
      return (await asker(url)({ method: 'GET', path, headers })).headers.get('strict-transport-security')
    }
    for (const path of ['/health', '/api/nothing', '/api/components']) {
      expect(await demanded(behindProxy, [path, 'https'])).toBe('max-age=31536000; includeSubDomains')
      // A proxy adds its word to what the client itself may have written.
      expect(await demanded(behindProxy, [path, 'https, http'])).toBeNull()
      // Nobody is believed who is not named as a proxy.
      expect(await demanded(app, [path, 'https'])).toBeNull()
    }
    await behindProxy.close()
  })

  it('is JSON in UTF-8', async () => {
    for (const [, make] of replies) {
      const { headers } = await app.ask(make())
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })
})

describe('a method that a call does not have', () => {
  const paths = [...new Set(Object.values(allEndpoints).map(({ path }) => path.replace('{id}', 'x')))]

  it.each(['PUT', 'PATCH', 'TRACE', 'OPTIONS', 'PROPFIND', 'LOCK', 'SEARCH'])(
    '%s works nowhere',
    async (method) => {
      for (const path of paths) {
        const reply = await raw({ method, path, headers: bearer() })
        expect([path, reply.status]).toEqual([path, 404])
        expect(error.parse(JSON.parse(reply.body))).toMatchObject({ code: 'not_found' })
      }
    },
  )

  it('HEAD gives what GET gives, without a body, and only to those who may', async () => {
    // A stream never ends, and a file is not made for nobody.
    const calls = Object.values(allEndpoints).filter(
      ({ reply }) => !('events' in reply) && !('files' in reply),
    )
    for (const { method, path, access } of calls) {
      const address = path.replace('{id}', 'x')
      const query = path.endsWith('weekly-trends') ? '?location=PRIMARY' : ''
      const nobody = await raw({ method: 'HEAD', path: address + query })
      const somebody = await raw({ method: 'HEAD', path: address + query, headers: bearer() })
      const shared = Object.values(allEndpoints).some(
        (other) => other.path === path && other.method === 'GET',
      )
      const allowed = access === 'public' ? 200 : 401
      expect([method, path, nobody.status]).toEqual([method, path, shared ? allowed : 404])
      const got = await raw({ method: 'GET', path: address + query, headers: bearer() })
      expect([method, path, somebody.status]).toEqual([method, path, shared ? got.status : 404])
      expect(somebody.body).toBe('')
    }
  })

  it('HEAD ends also where GET is a stream', async () => {
    const reply = await raw({ method: 'HEAD', path: '/api/events', headers: bearer() })
    expect([200, 404, 405]).toContain(reply.status)
  })

  it('cannot be smuggled in by a header', async () => {
    const reply = await app.ask({
      path: '/api/weekly-counts',
      token: admin.token,
      headers: { 'x-http-method-override': 'DELETE' },
      body: { id: 'w-2', day: 'Monday', location: 'PRIMARY' },
    })
    expect(reply.body).toMatchObject({ weekly_count: { id: 'w-2' } })
  })
})

describe('the description of the API', () => {
  it('lists exactly the calls there are', async () => {
    const { status, body } = await app.ask({ method: 'GET', path: '/api/openapi.json' })
    expect(status).toBe(200)
    const { openapi, paths } = z
      .object({
        openapi: z.string(),
        paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
      })
      .parse(body)
    expect(openapi).toMatch(/^3\.1\./)
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
    )
    const declared = Object.entries(allEndpoints).map(
      ([name, { method, path }]) => `${name}: ${method.toLowerCase()} ${path}`,
    )
    expect(described.toSorted()).toEqual(declared.toSorted())
  })

  it('says how programs get a list that is too long', async () => {
    const { body } = await app.ask({ method: 'GET', path: '/api/openapi.json' })
    const described = z.object({ description: z.string() })
    const { paths } = z
      .object({
        paths: z.object({
          '/api/components/to-count': z.object({ get: described }),
          '/api/components/with-count-status': z.object({ post: described }),
        }),
      })
      .parse(body)
    const sentence =
      'A list of more than 128 MB is refused with `list_too_long`: ask for the components in pages, by `GET /api/components`.'
    expect(paths['/api/components/to-count'].get.description).toContain(sentence)
    expect(paths['/api/components/with-count-status'].post.description).toContain(sentence)
  })

  it('says of a key what is true: calls that mean something anew each time take none', async () => {
    const { body } = await app.ask({ method: 'GET', path: '/api/openapi.json' })
    const operation = z.object({
      parameters: z.unknown().optional(),
      responses: z.record(z.string(), z.unknown()),
    })
    const { paths } = z
      .object({ paths: z.record(z.string(), z.object({ post: operation.optional() })) })
      .parse(body)
    const takesKey = (path: string) => {
      const { parameters = null, responses = {} } = paths[path]?.post ?? {}
      return [JSON.stringify(parameters).includes('Idempotency-Key'), '422' in responses]
    }
    const keyless = [
      'auth/login',
      'auth/forgot-password',
      'auth/confirm-email',
      'account/send-confirmation',
      'audit/verify',
      'company/plan/portal',
    ]
    for (const path of keyless) expect([path, takesKey(`/api/${path}`)]).toEqual([path, [false, false]])
    const keyed = ['auth/register-tenant', 'auth/accept-invitation', 'team/invitations']
    for (const path of keyed) expect([path, takesKey(`/api/${path}`)]).toEqual([path, [true, true]])
  })

  it('names only calls that answer', async () => {
    for (const { method, path } of Object.values(allEndpoints)) {
      const reply = await app.ask({ method, path: path.replace('{id}', 'x') })
      expect([path, [200, 400, 401].includes(reply.status)]).toEqual([path, true])
    }
  })
})

describe('the sentences of errors', () => {
  it('say token or unauthorized only where a session is over', () => {
    const telling = Object.entries(errorTable)
      .filter(([, { sentence }]) => /token|unauthorized/i.test(sentence))
      .map(([code, { status }]) => [code, status])
    expect(telling).toEqual([['unauthorized', 401]])
  })

  it('are sentences, each with a status of an error', () => {
    const odd = Object.values(errorTable).filter(
      ({ status, sentence }) => status < 400 || status > 599 || !/^[A-Z].*\.$/.test(sentence),
    )
    expect(odd).toEqual([])
  })

  it('never repeat what was sent, so that no value can end a session', async () => {
    const word = 'unauthorized-token'
    const replies = await Promise.all([
      app.ask({ path: '/api/components/by-barcode', token: admin.token, body: { barcode: word } }),
      app.ask({ path: '/api/components/import', token: admin.token, body: [{ [word]: 1 }] }),
      app.ask({
        path: '/api/components/configure-high-volume',
        token: admin.token,
        body: { barcode: 'A', assignments: { [word]: [word] } },
      }),
      app.ask({
        path: '/api/components/configure-high-volume',
        token: admin.token,
        body: { barcode: 'A', assignments: { Monday: [word] } },
      }),
      app.ask({ method: 'GET', path: `/api/count-history?count_type=${word}`, token: admin.token }),
      app.ask({ method: 'DELETE', path: `/api/weekly-counts/${word}`, token: admin.token }),
      app.ask({ method: 'GET', path: `/api/${word}`, token: admin.token }),
    ])
    const said = replies.map(({ body }) => error.parse(body).error)
    expect(said.filter((sentence) => /token|unauthorized/i.test(sentence))).toEqual([])
  })

  it.each([
    ['TOKEN-1', 'TO…N-1'],
    ['Unauthorized', 'Un…d'],
  ])('name %s as %s, so that no SKU ends a session', async (sku, shown) => {
    const { token } = await makeCompany(app)
    const post = (path: string, body: object) => app.ask({ path: `/api/components/${path}`, token, body })
    await post('import', [{ barcode: sku, primary_quantity: 1 }])
    await post('add-barcode', { barcode: sku, alias: `my-${sku}` })
    const adjusted = await post('adjust-quantity', {
      barcode: sku,
      amount: -5,
      reason: 'issued',
      location: 'PRIMARY',
    })
    expect(adjusted.body).toEqual({
      success: false,
      code: 'below_zero',
      error: `Only 1 of ${shown} is in stock at Primary Warehouse. Nothing was changed.`,
    })
    const retired = await post('retire', { barcode: `my-${sku}` })
    expect(retired.body).toMatchObject({ error: `This is another barcode of ${shown}. Give that one.` })
    const imported = await post('import', [{ barcode: 'A' }, { barcode: `my-${sku}` }])
    expect(imported.body).toEqual({
      success: false,
      code: 'invalid_request',
      error: `Row 2 names my-${shown}, which is another barcode of ${shown} already.`,
      details: [{ path: '1', message: `names my-${shown}, which is another barcode of ${shown} already.` }],
    })
  })

  it.each([
    ['no token', {}],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['nonsense', { authorization: 'Bearer x.y.z' }],
    ['an unsigned token', { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' }],
  ])('say Unauthorized to %s', async (_name, headers) => {
    const reply = await app.ask({ method: 'GET', path: '/api/components', headers })
    expect([reply.status, reply.body]).toEqual([
      401,
      { success: false, error: 'Unauthorized: please log in again.', code: 'unauthorized' },
    ])
  })
})

describe('closing', () => {
  it('does not wait for connections on which nothing was ever asked', async () => {
    const second = await app.startSecondNode()
    const socket = connect(Number(new URL(second.url).port), '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await Promise.all([second.close(), closed])
    expect(socket.destroyed).toBe(true)
  })

  it('gives an answer to who waits for one, and does not wait for a next request on that connection', async () => {
    const second = await app.startSecondNode()
    const body = JSON.stringify({ email: admin.email, passcode: 'not this one' })
    const headers = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      expect: '100-continue',
    }
    const agent = new Agent({ keepAlive: true })
    const request = httpRequest(`${second.url}/api/auth/login`, { method: 'POST', headers, agent })
    request.flushHeaders()
    await once(request, 'continue')
    const closed = second.close()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const answered = new Promise<IncomingMessage>((resolve) => request.once('response', resolve))
    request.end(body)
    const response = await answered
    response.resume()
    expect([response.statusCode, response.headers.connection]).toEqual([401, 'close'])
    await closed
  })
})

describe('a database that lets nobody in any more', () => {
  it('is passing trouble, so that what was scanned is sent again', async () => {
    const alone = await startTestApp()
    const { rows } = await alone.owner.query<{ role: string }>(
      `select 'inventory_manager_app_' || current_database() as role`,
    )
    const role = rows[0]?.role ?? ''
    await alone.owner.query(`alter role ${role} password 'another'`)
    // A connection that was signing in at that moment is listed only once it is there.
    const answerWithoutConnections = async () => {
      await alone.owner.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
        role,
      ])
      return alone.ask({
        path: '/api/auth/login',
        body: { email: 'a@example.com', passcode: 'some password' },
      })
    }
    let { status, body } = await answerWithoutConnections()
    while (status === 401) {
      ;({ status, body } = await answerWithoutConnections())
    }
    expect([status, body]).toMatchObject([503, { code: 'unavailable' }])
    await alone.close()
  })
})
