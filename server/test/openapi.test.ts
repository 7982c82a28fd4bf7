import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { allEndpoints } from '@inventory-manager/contract/all-endpoints'
import type { Endpoint } from '@inventory-manager/contract/endpoint'
import { webhookEventMeanings, webhookEvents } from '@inventory-manager/contract/webhooks/endpoints'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { exampleOf } from '../src/platform/http/example.ts'
import { groupOf } from '../src/audit/events.ts'
import { describeApi } from '../src/platform/http/openapi.ts'
import { makeCompany, startTestApp, type TestApp } from './test-app.ts'

const run = promisify(execFile)
const linter = resolve(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js')
const contract = resolve(import.meta.dirname, '../../contract/src')

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'inventory-manager-openapi-'))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

it('the OpenAPI document is valid and a linter has nothing to say about it', async () => {
  const { body } = await app.ask({ method: 'GET', path: '/api/openapi.json' })
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(body))
  const options = ['lint', file, '--extends=recommended', '--format=json']
  const { stdout } = await run(process.execPath, [linter, ...options], {
    cwd: folder,
    env: { REDOCLY_TELEMETRY: 'off' },
  })
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] })
})

it('the OpenAPI document tells what each event brings to a webhook', async () => {
  const { webhooks } = z
    .object({ webhooks: z.record(z.string(), z.object({ post: z.object({ summary: z.string() }) })) })
    .parse(await describeApi(allEndpoints, 'test'))
  expect(Object.keys(webhooks)).toEqual([...webhookEvents])
  expect(webhooks['count.recorded']?.post.summary).toBe(webhookEventMeanings['count.recorded'])
})

const headers = z.record(z.string(), z.unknown()).default({})
const operation = z.looseObject({
  tags: z.array(z.string()),
  description: z.string(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), schema: z.record(z.string(), z.unknown()) }))
    .default([]),
  responses: z.record(z.string(), z.object({ description: z.string(), headers })),
})
const described = z.object({
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
})
const { tags, paths } = described.parse(await describeApi(allEndpoints, 'test'))

const exported = z.record(z.string(), z.unknown())
const isCall = (value: unknown) =>
  z.object({ method: z.string(), path: z.string(), access: z.string() }).safeParse(value).success

function operationOf(name: keyof typeof allEndpoints) {
  const { method, path } = allEndpoints[name]
  return operation.parse(paths[path]?.[method.toLowerCase()])
}

function parameterOf(name: keyof typeof allEndpoints, parameter: string) {
  return operationOf(name).parameters.find((found) => found.name === parameter)
}

it('the document names the locations, and how long a list is', () => {
  const codes = ['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION']
  const names = ['Primary Warehouse', 'Secondary Warehouse', 'Fulfillment Center', 'Distribution Center']
  expect(parameterOf('listHistory', 'location')?.schema).toMatchObject({ enum: [...codes, ...names] })
  expect(parameterOf('listHistory', 'limit')?.schema).toMatchObject({
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 100,
  })
})

it('the document and the readable page say what a field means, and when a call is refused', async () => {
  const refused = 'Refused while it has stock anywhere, some of it is on its way, or a difference waits'
  const kept = "'set' sets the stock of components that are there already, 'keep' leaves it as it is."
  expect(operationOf('retireComponent').description).toMatch(
    /^By its own barcode only\. Refused while it has stock anywhere.* For administrators and API keys with the scope `admin`\.$/,
  )
  expect(parameterOf('importComponents', 'existing')?.schema).toMatchObject({ description: kept })
  const page = (await app.ask({ method: 'GET', path: '/api/docs' })).bytes.toString()
  expect(page).toContain(refused)
  expect(page).toContain(kept)
})

it('the document forbids no new field in replies, errors and webhooks, and the page says to ignore them', async () => {
  const answered = z.object({
    paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.unknown() }))),
    webhooks: z.unknown(),
    components: z.unknown(),
  })
  expect(JSON.stringify(answered.parse(await describeApi(allEndpoints, 'test')))).not.toContain(
    '"additionalProperties":false',
  )
  const page = await readPage()
  expect(page.match(/"additionalProperties": false/g)).toHaveLength(1)
  expect(page).toContain('Ignore what you do not know: fields of replies and webhooks')
})

it('the document and the readable page say how long a body may be, where it may be longer than others', async () => {
  expect(operationOf('importComponents').description).toContain('Its body holds 16 MB at most.')
  expect(operationOf('recordCount').description).not.toContain('Its body holds')
  const page = await readPage()
  const longer = Object.values<Endpoint>(allEndpoints).filter(
    ({ maxBodyBytes }) => maxBodyBytes !== undefined,
  )
  expect(page.match(/Its body holds \d+ MB at most\./g)).toHaveLength(longer.length)
  expect(page).toContain('A body holds 256 kB at most, where a call does not say otherwise.')
})

it('the document names the sizes of labels, no step that divides no fraction, and what may be left out', async () => {
  const document = JSON.stringify(await describeApi(allEndpoints, 'test'))
  expect(document).not.toContain('multipleOf')
  const sized = z.object({ labelSize: z.object({ enum: z.array(z.unknown()) }) })
  const body = z.object({
    required: z.boolean(),
    content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }),
  })
  const bodyOf = (path: string) =>
    z.object({ post: z.object({ requestBody: body }) }).parse(paths[path]).post.requestBody
  const labels = z
    .object({ properties: sized })
    .parse(bodyOf('/api/generate-labels').content['application/json'].schema)
  expect(labels.properties.labelSize.enum).toEqual([
    { width: 4, height: 1.5 },
    { width: 3, height: 1 },
    { width: 2, height: 1 },
  ])
  expect(bodyOf('/api/generate-labels').required).toBe(true)
  expect(bodyOf('/api/audit/verify').required).toBe(false)
  const costs = 'Of one piece, in the currency of the company, with at most four decimals; null for none.'
  expect(document).toContain(costs)
})

it('the document says of exports where apostrophes are to be taken off, what their last column is, and that both ends count', () => {
  const within = 'within it behind a semicolon, a tab or a line end'
  expect(operationOf('exportCounts').description).toContain(within)
  expect(operationOf('exportCounts').description).toContain(
    'The last column, `Number`, is the id of the entry.',
  )
  expect(parameterOf('exportMovements', 'to')?.schema).toMatchObject({
    description: 'Up to this moment, itself included.',
  })
})

it('the document says how a list is asked for again', () => {
  expect(parameterOf('listComponents', 'If-None-Match')?.in).toBe('header')
  const { responses } = operationOf('listComponents')
  expect(Object.keys(responses['200']?.headers ?? {})).toEqual(['ETag'])
  expect(Object.keys(responses['304']?.headers ?? {})).toEqual(['ETag'])
  expect(operationOf('listHistory').responses).not.toHaveProperty('304')
})

it('the document says how a stream goes on, and when to load anew', () => {
  expect(parameterOf('streamEvents', 'Last-Event-ID')?.in).toBe('header')
  expect(operationOf('streamEvents').responses['200']?.description).toContain('`reload`')
})

it('the document says when to try again, of every call', () => {
  const silent = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => [responses['429'], responses['503']])
    .filter((reply) => reply?.headers['Retry-After'] === undefined)
  expect(silent).toEqual([])
})

it('the document names an Idempotency-Key where one counts, and nowhere else', () => {
  expect(parameterOf('registerTenant', 'Idempotency-Key')?.in).toBe('header')
  expect(operationOf('registerTenant').responses).toHaveProperty('422')
  expect(parameterOf('login', 'Idempotency-Key')).toBeUndefined()
  expect(operationOf('login').responses).not.toHaveProperty('422')
})

it('every call belongs to an area that is described, and one of no area is refused', async () => {
  const known = new Set(tags.map(({ name }) => name))
  const used = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap((call) => call.tags))
  expect(used.filter((tag) => !known.has(tag))).toEqual([])
  const stray = { ...allEndpoints.live, path: '/api/elsewhere' } as const
  await expect(describeApi({ stray }, 'test')).rejects.toThrow('/api/elsewhere')
})

it('every call that is declared is one of the interface, so that no test of all calls leaves one out', async () => {
  const files = await readdir(contract, { recursive: true })
  const declaring = files.filter((file) => file.endsWith('endpoints.ts') && file !== 'all-endpoints.ts')
  const modules = await Promise.all(
    declaring.map(async (file) => exported.parse(await import(join(contract, file)))),
  )
  const calls = modules.flatMap((module) => Object.entries(module)).filter(([, value]) => isCall(value))
  const known = new Set<unknown>(Object.values(allEndpoints))
  expect(calls.length).toBeGreaterThan(0)
  expect(calls.filter(([, call]) => !known.has(call)).map(([name]) => name)).toEqual([])
})

it('the readable page names every call', async () => {
  const { status, bytes, headers } = await app.ask({ method: 'GET', path: '/api/docs' })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const page = bytes.toString()
  const missing = Object.values(allEndpoints).filter(
    ({ method, path }) => !page.includes(`${method} ${path}`),
  )
  expect(missing).toEqual([])
})

/** The readable page as people see it, without its tags. */
async function readPage(): Promise<string> {
  const { bytes } = await app.ask({ method: 'GET', path: '/api/docs' })
  const text = bytes.toString().replaceAll(/<[^>]*>/g, '')
  const signs: [string, string][] = [
    ['&lt;', '<'],
    ['&gt;', '>'],
    ['&quot;', '"'],
    ['&amp;', '&'],
  ]
  return signs.reduce((page, [entity, sign]) => page.replaceAll(entity, sign), text)
}

/** Whether a call would take what a command of the page sends. */
function takes({ method, path, params, query, body }: Endpoint, command: string): boolean {
  const [, verb = 'GET', address = ''] = /^curl(?: -X (\w+))? "\$HOST([^"]+)"/.exec(command) ?? []
  const [, data] = /-d '([^']*)'/.exec(command) ?? []
  const url = new URL(address, 'http://localhost')
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const found = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(url.pathname)?.slice(1)
  const parts: [z.core.$ZodType | undefined, unknown][] = [
    [params, Object.fromEntries(names.map((name, nth) => [name, found?.[nth]]))],
    [query, Object.fromEntries(url.searchParams)],
    [body, data === undefined ? undefined : JSON.parse(data)],
  ]
  return (
    verb === method &&
    found !== undefined &&
    parts.every(([schema, part]) => schema === undefined || z.safeParse(schema, part).success)
  )
}

it('every example of the readable page would be taken by its call', async () => {
  const commands = [...(await readPage()).matchAll(/Example of a call(curl(?:.*\\\n)*.*)/g)].map(
    ([, command = '']) => command,
  )
  const endpoints: [string, Endpoint][] = Object.entries(allEndpoints)
  expect(commands).toHaveLength(endpoints.length)
  const refused = endpoints.filter(([, endpoint], nth) => !takes(endpoint, commands[nth] ?? ''))
  expect(refused.map(([name]) => name)).toEqual([])
})

it.each(['calibrationPage', 'commandSheet', 'setLogo', 'changeSettings', 'verifyAuditTrail'] as const)(
  'the example of %s does what it says',
  async (name) => {
    const admin = await makeCompany(app)
    const { path, body } = allEndpoints[name]
    const reply = await app.ask({ path, token: admin.token, body: exampleOf(body, 'input') })
    expect(reply.status).toBe(200)
  },
)

it('the example of a receiver knows the signatures of webhooks from others', async () => {
  const [sample = ''] = /const key = [^]*?timingSafeEqual\(.*/.exec(await readPage()) ?? []
  const secret = `whsec_${Buffer.from('a secret').toString('base64')}`
  const right = `v1,${createHmac('sha256', 'a secret').update('1.2.{}').digest('base64')}`
  const judge = (signature: string | undefined): unknown => {
    const headers = { 'webhook-id': '1', 'webhook-timestamp': '2', 'webhook-signature': signature }
    const scope = { createHmac, timingSafeEqual, Buffer, secret, headers, rawBody: '{}' }
    return runInNewContext(`${sample}\ngood`, scope)
  }
  const wrong = [right.replace(/.=$/, '=='), 'v1,short', '', undefined]
  expect([right, ...wrong].map(judge)).toEqual([true, false, false, false, false])
})

it('the readable page says how often a delivery is tried again, and how long a key is known', async () => {
  const page = await readPage()
  expect(page).toContain('tried again 7 times')
  expect(page).toContain('known for 40 days')
})

it('the document names the causes of movements, and events of webhooks that there are', async () => {
  const document = JSON.stringify(await describeApi(allEndpoints, 'test'))
  const named = (beginning: string) => {
    const text = document.slice(document.indexOf(beginning)).split('"')[0] ?? ''
    return [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  }
  expect(named('A reason of `adjust-quantity`')).toEqual([
    'correction',
    'import',
    'import_undone',
    'transfer',
    'transfer_cancelled',
    'discrepancy',
    'hidden',
  ])
  const events = named('Of `component.changed`: `quantity_adjusted`')
  expect(events).toHaveLength(16)
  expect(events.filter((event) => !/^components?_changed$/.test(groupOf(event) ?? ''))).toEqual([])
})

it('the readable page says how another system is connected', async () => {
  const page = (await readPage()).replaceAll(/\s+/g, ' ')
  expect(page).toContain('A-1, a-1, 007 and 7 are four components')
  expect(page).toContain('A refusal changes nothing and is not kept')
  expect(operationOf('importComponents').description).toContain(
    'a number that has changed makes another component',
  )
})
