import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { allEndpoints } from '@inventory-manager/contract/all-endpoints'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

it('the readable page names every call', async () => {
  const { status, bytes, headers } = await app.ask({ method: 'GET', path: '/api/docs' })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const page = bytes.toString()
  const missing = Object.values(allEndpoints).filter(
    ({ method, path }) => !page.includes(`${method} ${path}`),
  )
  expect(missing).toEqual([])
})
