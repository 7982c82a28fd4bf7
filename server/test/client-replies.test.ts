import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { clientOf, ClientError } from '../../packages/client/src/client.ts'
import { makeCompany, startTestApp } from './test-app.ts'

type Calls = {
  dashboard: { input: object; reply: { plan: string } }
  exportComponents: { input: object; reply: Blob }
  streamEvents: { input: object; reply: Response }
}

const table = {
  dashboard: { method: 'GET', path: '/api/dashboard', repliesWith: 'json' },
  exportComponents: { method: 'GET', path: '/api/exports/components', repliesWith: 'file' },
  streamEvents: { method: 'GET', path: '/api/events', repliesWith: 'events' },
} as const

/** What a call throws where the network gives this reply. */
async function failureOf(name: keyof Calls, reply: Response): Promise<unknown> {
  const client = clientOf<Calls>(table, {
    url: 'http://127.0.0.1',
    fetch: () => Promise.resolve(reply),
  })
  return await client.call(name).then(
    () => 'nothing',
    (error: unknown) => error,
  )
}

const json = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })

const portal = () =>
  new Response('<h1>Accept the terms</h1>', { status: 200, headers: { 'content-type': 'text/html' } })

it('a refusal brings what is wrong with each field, and when to try again', async () => {
  const details = [{ path: 'quantity', message: 'must be a whole number.' }]
  const refused = JSON.stringify({ success: false, error: 'Wrong.', code: 'invalid_request', details })
  expect(await failureOf('dashboard', json(400, refused))).toMatchObject({
    message: 'Wrong.',
    code: 'invalid_request',
    details,
    retryAfterSeconds: null,
  })
  const busy = JSON.stringify({ success: false, error: 'Busy.', code: 'unavailable' })
  expect(await failureOf('dashboard', json(503, busy, { 'retry-after': '7' }))).toMatchObject({
    details: [],
    retryAfterSeconds: 7,
  })
  const inAMinute = new Date(Date.now() + 60_000).toUTCString()
  const late = await failureOf('dashboard', json(503, busy, { 'retry-after': inAMinute }))
  expect(late instanceof ClientError && late.retryAfterSeconds).toBeGreaterThan(50)
})

it('a reply that is not the program’s, or cut off, is a ClientError like any other failure', async () => {
  const replies: [keyof Calls, Response][] = [
    ['dashboard', json(503, '{"success":fal')],
    ['dashboard', json(502, 'null')],
    ['dashboard', json(403, '{"error":{"message":"Blocked."}}')],
    ['dashboard', json(200, '{"plan":')],
    ['dashboard', json(200, '{"status":"login required"}')],
    ['exportComponents', json(200, '{"status":"login required"}')],
    ['dashboard', portal()],
    ['exportComponents', portal()],
    ['streamEvents', portal()],
  ]
  for (const [name, reply] of replies) {
    const error = await failureOf(name, reply)
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({ status: reply.status, code: 'unknown' })
    expect(String(error)).toMatch(/^ClientError: The server answered \d{3}/)
  }
})

it('a count tells what the clock of the device shows, and nothing else does', async () => {
  type Told = { recordCount: { input: object; reply: unknown }; dashboard: { input: object; reply: unknown } }
  const told: (string | null)[] = []
  const places = {
    ...table,
    recordCount: {
      method: 'POST',
      path: '/api/components/update-with-tracking',
      repliesWith: 'json',
      tellsTime: true,
    },
  } as const
  const client = clientOf<Told>(places, {
    url: 'http://127.0.0.1',
    fetch(_, request) {
      told.push(new Headers(request?.headers).get('sent-at'))
      return Promise.resolve(json(200, '{}', { 'x-request-id': 'r-1' }))
    },
  })
  await client.call('recordCount')
  await client.call('dashboard')
  expect(Math.abs(Date.parse(told[0] ?? '') - Date.now())).toBeLessThan(60_000)
  expect(told[1]).toBeNull()
})

/** What a stream says until it holds some text. */
async function readUntil(stream: Response, wanted: string): Promise<string> {
  let text = ''
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.includes(wanted)) return text
  }
  throw new Error(`The stream ended: ${text}`)
}

it('a stream that was cut goes on after the event that came last', async () => {
  const app = await startTestApp()
  try {
    const { token } = await makeCompany(app)
    const bring = (barcode: string) =>
      app.ask({ path: '/api/components/import', token, body: [{ barcode, primary_quantity: 1 }] })
    const client = clientOf<Calls>(table, { url: app.url, token })
    const first = await client.call('streamEvents', {}, { signal: AbortSignal.timeout(10_000) })
    const heard = readUntil(first, 'components_imported')
    await sleep(100)
    await bring('A-1')
    const lastEventId = /id: (.*)\nevent: component/.exec(await heard)?.[1] ?? ''
    await bring('A-2')
    const next = await client.call('streamEvents', {}, { lastEventId, signal: AbortSignal.timeout(10_000) })
    expect(await readUntil(next, 'components_imported')).toContain('event: component')
  } finally {
    await app.close()
  }
})
