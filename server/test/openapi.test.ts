import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { allEndpoints } from '@inventory-manager/contract/all-endpoints'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { describeApi } from '../src/platform/http/openapi.ts'
import { startTestApp, type TestApp } from './test-app.ts'

const run = promisify(execFile)
const linter = resolve(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js')

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

const headers = z.record(z.string(), z.unknown()).default({})
const operation = z.object({
  tags: z.array(z.string()),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), schema: z.record(z.string(), z.unknown()) }))
    .default([]),
  responses: z.record(z.string(), z.object({ description: z.string(), headers })),
})
const described = z.object({
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
})
const { tags, paths } = described.parse(describeApi(allEndpoints, 'test'))

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

it('every call belongs to an area that is described, and one of no area is refused', () => {
  const known = new Set(tags.map(({ name }) => name))
  const used = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap((call) => call.tags))
  expect(used.filter((tag) => !known.has(tag))).toEqual([])
  const stray = { ...allEndpoints.live, path: '/api/elsewhere' } as const
  expect(() => describeApi({ stray }, 'test')).toThrow('/api/elsewhere')
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
