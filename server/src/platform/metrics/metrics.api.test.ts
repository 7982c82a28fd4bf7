import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { leaveWhileLocked } from '../../../test/leaving.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../../test/test-app.ts'
import { measureBackups } from './backup-measures.ts'
import { serveMetrics } from './metrics-server.ts'

let app: TestApp
let admin: Person
let watching: Awaited<ReturnType<typeof serveMetrics>>
beforeAll(async () => {
  app = await startTestApp()
  admin = await makeCompany(app)
  watching = await serveMetrics(app.metrics, { port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await watching.close()
  await app.close()
})

async function look(): Promise<string> {
  const response = await fetch(watching.url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/plain')
  return await response.text()
}

/** The value of one line, such as `name{label="x"}`. */
async function valueOf(line: string): Promise<number> {
  const found = (await look()).split('\n').find((candidate) => candidate.startsWith(`${line} `))
  return found === undefined ? NaN : Number(found.slice(line.length + 1))
}

const scan = (barcode: string, quantity: number) =>
  app.ask({
    path: '/api/components/update-with-tracking',
    token: admin.token,
    body: {
      barcode,
      quantity,
      location: 'PRIMARY',
      source: 'monthly',
      session: 's',
      timestamp: new Date().toISOString(),
    },
  })

it('scans are counted by what came of them', async () => {
  await app.ask({
    path: '/api/components/import',
    token: admin.token,
    body: [{ barcode: 'M-1', primary_quantity: 4 }],
  })
  for (const [barcode, quantity] of [
    ['M-1', 5],
    ['M-1', 6],
    ['M-1', 4],
    ['GHOST', 1],
  ] as const) {
    await scan(barcode, quantity)
  }
  const outcome = (name: string) => valueOf(`inventory_manager_scans_total{outcome="${name}"}`)
  expect(await outcome('mismatch')).toBe(1)
  expect(await outcome('recorded_with_difference')).toBe(1)
  expect(await outcome('recorded')).toBe(1)
  expect(await outcome('not_found')).toBe(1)
})

it('requests are timed by route template and status, and made-up addresses go under one name', async () => {
  await app.ask({ method: 'DELETE', path: '/api/weekly-counts/nothing-here', token: admin.token })
  await app.ask({ method: 'GET', path: '/api/made-up-31337' })
  const page = await look()
  expect(page).toContain(
    'inventory_manager_http_request_duration_seconds_count{method="DELETE",route="/api/weekly-counts/:id",status="404"} 1',
  )
  expect(page).toMatch(/request_duration_seconds_count\{method="GET",route="none",status="404"\} 1/)
  expect(page).not.toContain('31337')
  expect(page).not.toContain('nothing-here')
  expect(await valueOf('inventory_manager_http_requests_open{route="none"}')).toBe(0)
})

it('a request whose client goes away is open no longer, and timed', async () => {
  const reset = { path: '/api/components/reset-counts', body: { location: 'PRIMARY' } }
  for (const request of [{ path: '/api/dashboard' }, reset]) {
    await leaveWhileLocked(app, admin, { ...request, lock: 'lock table sessions' })
    const open = `inventory_manager_http_requests_open{route="${request.path}"}`
    await expect.poll(() => valueOf(open)).toBe(0)
  }
  const left = (method: string, { path }: { path: string }) =>
    valueOf(
      `inventory_manager_http_request_duration_seconds_count{method="${method}",route="${path}",status="499"}`,
    )
  expect(await left('GET', { path: '/api/dashboard' })).toBe(1)
  expect(await left('POST', reset)).toBe(1)
})

it('requests that wait on a connection behind another one are open no longer when it is cut', async () => {
  const holder = await app.owner.connect()
  await holder.query('begin')
  await holder.query('lock table sessions')
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  const ask = (path: string) =>
    `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${admin.token}\r\n\r\n`
  socket.write(`${ask('/api/dashboard')}${ask('/api/audit/trail')}`)
  const behind = 'inventory_manager_http_requests_open{route="/api/audit/trail"}'
  await expect.poll(() => valueOf(behind)).toBe(1)
  socket.destroy()
  await expect.poll(() => valueOf(behind)).toBe(0)
  await holder.query('commit')
  holder.release()
})

it('the pool, the database, open streams, the event loop and memory are watched', async () => {
  const other = await makeCompany(app)
  const follow = async ({ token }: Person) =>
    await fetch(`${app.url}/api/events`, { headers: { authorization: `Bearer ${token}` } })
  // Two devices of one company are two streams.
  const streams = await Promise.all([follow(admin), follow(admin), follow(other)])
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
  await expect.poll(() => valueOf('inventory_manager_streams_open')).toBe(3)
  await streams[0].body?.cancel()
  await expect.poll(() => valueOf('inventory_manager_streams_open')).toBe(2)
  await Promise.all(streams.slice(1).map(async ({ body }) => await body?.cancel()))
  await expect.poll(() => valueOf('inventory_manager_streams_open')).toBe(0)
  await expect.poll(() => valueOf('inventory_manager_http_requests_open{route="/api/events"}')).toBe(0)
  expect(await look()).not.toMatch(/route="\/api\/events",status="499"/)
  await expect.poll(() => valueOf('inventory_manager_database_up')).toBe(1)
  await expect.poll(() => valueOf('inventory_manager_database_round_trip_seconds')).toBeLessThan(2)
  expect(await valueOf('inventory_manager_pool_size')).toBe(10)
  expect(await valueOf('inventory_manager_pool_waiting')).toBe(0)
  expect(await valueOf('inventory_manager_pool_connections{state="idle"}')).toBeGreaterThan(0)
  expect(await valueOf('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  expect(await valueOf('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  expect(await valueOf('inventory_manager_info{version="0.0.0"}')).toBe(1)
})

/** What Prometheus itself says of every measure, and of the nodes. */
const ofPrometheus = ['instance', 'job']

/** The labels of a measure, each with its values, by the lines of a page. */
function labelsOn(page: string, name: string): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>()
  for (const [, listed = ''] of page.matchAll(new RegExp(`^${name}\\{(.*)\\} `, 'gm'))) {
    for (const [, label = '', value = ''] of listed.matchAll(/(\w+)="([^"]*)"/g)) {
      labels.set(label, (labels.get(label) ?? new Set()).add(value))
    }
  }
  return labels
}

/** What of a measure's selector, such as `route="/api/events"`, a page has not. */
function missingOf(page: string, [name, selector]: readonly [string, string]): string[] {
  if (!new RegExp(`^${name}[ {]`, 'm').test(page)) return [name]
  const labels = labelsOn(page, name)
  const asked = [...selector.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)]
  const missing = asked.filter(([, label = '', how, value = '']) => {
    if (ofPrometheus.includes(label)) return false
    // Of what is left out, as streams that have no end, there may be nothing to leave out.
    if (how === '!=') return !labels.has(label) || !page.includes(`${label}="${value}"`)
    return how === '=' ? !labels.get(label)?.has(value) : !labels.has(label)
  })
  return missing.map(([text]) => `${name}{${text}}`)
}

/** The expressions of the dashboard and of the alert rules. */
async function readExpressions(): Promise<string[]> {
  const ops = resolve(import.meta.dirname, '../../../../ops')
  const dashboard = await readFile(join(ops, 'grafana/dashboard.json'), 'utf8')
  const rules: unknown = parse(await readFile(join(ops, 'prometheus/alerts.yml'), 'utf8'))
  const found: string[] = []
  const take = (key: string, value: unknown) => {
    if (key === 'expr' && typeof value === 'string') found.push(value)
    return value
  }
  JSON.parse(dashboard, take)
  JSON.parse(JSON.stringify(rules), take)
  return found
}

const measure = /\b((?:inventory_manager|nodejs|process)_\w+)(?:\{([^}]*)\})?/g

it('every measure and label that the dashboard and the alert rules ask for is there', async () => {
  await scan('GHOST', 1)
  await app.ask({ path: '/api/generate-labels', token: admin.token, body: {} })
  const following = new AbortController()
  const headers = { authorization: `Bearer ${admin.token}` }
  await fetch(`${app.url}/api/events`, { headers, signal: following.signal })
  following.abort()
  await expect.poll(() => valueOf('inventory_manager_streams_open')).toBe(0)
  // As the program does where BACKUP_DIRECTORY is set.
  measureBackups(app.metrics.registry)
  const page = await look()
  const expressions = await readExpressions()
  const selectors = expressions.flatMap((text) =>
    [...text.matchAll(measure)].map(([, name = '', selector = '']) => [name, selector] as const),
  )
  expect(expressions.length).toBeGreaterThan(25)
  expect(selectors.length).toBeGreaterThan(30)
  expect(selectors.flatMap((selector) => missingOf(page, selector))).toEqual([])
})

it('every label that the dashboard and the alert rules put measures together by is there', async () => {
  await scan('GHOST', 1)
  const page = await look()
  const missing = (await readExpressions()).filter((text) => {
    const names = [...text.matchAll(measure)].map(([, name = '']) => name)
    const known = names.flatMap((name) => [...labelsOn(page, name).keys()])
    const grouped = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
    return grouped.some((label) => !ofPrometheus.includes(label) && !known.includes(label))
  })
  expect(missing).toEqual([])
})

it('the port of the program itself shows no metrics', async () => {
  expect((await app.ask({ method: 'GET', path: '/metrics' })).status).toBe(404)
  expect((await fetch(watching.url.replace('/metrics', '/'))).status).toBe(404)
})

it('a database that is gone is seen: down in the metrics, not ready, but alive', async () => {
  const alone = await startTestApp()
  const its = await serveMetrics(alone.metrics, { port: 0, host: '127.0.0.1' })
  const statusOf = async (path: string) => (await alone.ask({ method: 'GET', path })).status
  expect([await statusOf('/health/live'), await statusOf('/health/ready')]).toEqual([200, 200])
  const [, seconds] =
    /^inventory_manager_database_round_trip_seconds (\S+)$/m.exec(await (await fetch(its.url)).text()) ?? []
  expect(Number(seconds)).toBeGreaterThan(0)
  await alone.database.close()
  expect([await statusOf('/health/live'), await statusOf('/health/ready')]).toEqual([200, 503])
  expect(await (await fetch(its.url)).text()).toContain('inventory_manager_database_up 0')
  await its.close()
  await alone.close()
})
