import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { leaveWhileLocked, openRequest, untilSomebodyWaits } from '../../../test/leaving.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../../test/test-app.ts'
import { describeError } from './logging.ts'

it('the log is one JSON object a line with a request id, and no password, token or key is ever in it', async () => {
  const lines: string[] = []
  const app = await startTestApp(
    { LOG_LEVEL: 'trace' },
    { logTo: { write: (line) => void lines.push(line) } },
  )
  const canary = `canary-${randomUUID()}`
  const admin = await makeCompany(app)
  const body = { email: admin.email, passcode: canary }
  await app.ask({ path: '/api/auth/login', body })
  await app.ask({
    path: '/api/auth/change-password',
    token: admin.token,
    body: { passcode: canary, newPasscode: canary },
  })
  await app.ask({
    path: `/api/components/import?secret=${canary}`,
    token: admin.token,
    key: canary,
    body: `{"${canary}`,
  })
  await app.ask({ method: 'GET', path: '/api/dashboard', token: `${admin.token}${canary}` })
  await app.ask({
    method: 'GET',
    path: '/api/dashboard',
    headers: {
      'x-api-key': canary,
      cookie: `session=${canary}`,
    },
  })
  // A fault of the server itself, whose error goes into the log as it is.
  await app.owner.query('alter table audit_entries rename to hidden')
  const failed = await app.ask({ method: 'GET', path: '/api/audit/trail', token: admin.token })
  await app.owner.query('alter table hidden rename to audit_entries')
  await app.close()
  await sleep(20)

  expect(failed.status).toBe(500)
  const text = lines.join('')
  expect(text).toContain('request failed')
  expect(text).not.toContain(canary)
  expect(text).not.toContain(admin.token)
  const entries = text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect(entries.length).toBeGreaterThan(10)
  const failure = entries.find((entry) => JSON.stringify(entry).includes('request failed'))
  expect(failure).toMatchObject({ level: 50, reqId: failed.headers.get('x-request-id') })
})

it('who leaves before the answer is no error', async () => {
  const lines: string[] = []
  const app = await startTestApp({ LOG_LEVEL: 'info' }, { logTo: { write: (line) => void lines.push(line) } })
  const admin = await makeCompany(app)
  await leaveWhileLocked(app, admin, { path: '/api/events', lock: 'lock table sessions' })
  await app.close()
  const levels = lines.map((line) => z.object({ level: z.number() }).parse(JSON.parse(line)).level)
  expect(levels.filter((level) => level >= 50)).toEqual([])
})

it('who leaves while their request is at work is one line like any other, with a status of its own', async () => {
  const lines: string[] = []
  const app = await startTestApp({ LOG_LEVEL: 'info' }, { logTo: { write: (line) => void lines.push(line) } })
  const admin = await makeCompany(app)
  const path = '/api/components/reset-counts'
  await leaveWhileLocked(app, admin, { path, body: { location: 'PRIMARY' }, lock: 'lock table sessions' })
  await app.close()
  const told = lines
    .map((line): unknown => JSON.parse(line))
    .filter((line) => JSON.stringify(line).includes(path))
  expect(told).toEqual([
    expect.objectContaining({ level: 30, msg: 'request', method: 'POST', path, status: 499 }),
  ])
})

/** Sends the head of a request for labels, and once the server waits for it, a part of the body or all. */
async function askForLabels(app: TestApp, { token }: Person, part: number): Promise<Socket> {
  const components = Array.from({ length: 10_000 }, (_, place) => ({ barcode: `SKU-${place}` }))
  const body = JSON.stringify({ components, location: 'PRIMARY' })
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /api/generate-labels HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  )
  await once(socket, 'data')
  socket.write(body.slice(0, body.length * part))
  return socket
}

it('who leaves before the first byte of a file, or while they still send, is one line and no error', async () => {
  const lines: string[] = []
  const app = await startTestApp({ LOG_LEVEL: 'info' }, { logTo: { write: (line) => void lines.push(line) } })
  const admin = await makeCompany(app, { plan: 'enterprise' })
  const told = () =>
    lines
      .filter((line) => line.includes('reqId'))
      .map((line) => z.object({ level: z.number(), msg: z.string() }).parse(JSON.parse(line)))
      .filter(({ msg }) => msg !== 'request')
  const labels = async () =>
    (await app.owner.query<{ state: string }>('select state from label_jobs')).rows.map(({ state }) => state)

  const sender = await askForLabels(app, admin, 0.5)
  sender.destroy()
  await expect.poll(told).toEqual([{ level: 30, msg: 'reader left' }])
  const reader = await askForLabels(app, admin, 1)
  await expect.poll(labels, { interval: 1 }).toEqual(['reserved'])
  reader.destroy()
  await expect.poll(labels, { timeout: 20_000 }).toEqual(['released'])
  await app.close()
  // On a slow machine the file may have begun by then, which is said in other words.
  expect(told()).toMatchObject([{ msg: 'reader left' }, {}])
  expect(told().map(({ level }) => level)).toEqual([30, 30])
})

it('who leaves while a call that takes minutes waits for another one of the company is no error', async () => {
  const lines: string[] = []
  const app = await startTestApp({ LOG_LEVEL: 'info' }, { logTo: { write: (line) => void lines.push(line) } })
  const admin = await makeCompany(app)
  const { body } = await app.done({
    path: '/api/imports',
    token: admin.token,
    body: { name: 'stock.csv', fields: ['barcode'] },
  })
  const path = `/api/imports/${Object(body).import.id}/preview`
  const holder = await app.owner.connect()
  await holder.query('begin; lock table import_rows in access exclusive mode')
  const first = app.ask({ method: 'GET', path, token: admin.token })
  await untilSomebodyWaits(app)
  const second = openRequest(app, admin, path)
  // Time to wait for its turn; where it has none by then, it finds none either.
  await sleep(200)
  second.destroy()
  const told = () =>
    lines
      .filter((line) => line.includes('"err"'))
      .map((line) => z.object({ level: z.number(), msg: z.string() }).parse(JSON.parse(line)))
  await expect.poll(told).toEqual([{ level: 30, msg: 'reader left' }])
  await holder.query('commit')
  holder.release()
  expect((await first).status).toBe(200)
  await app.close()
})

it('guesses, and whoever runs into a limit, are in the log with where they came from', async () => {
  const lines: string[] = []
  const app = await startTestApp(
    { LOG_LEVEL: 'warn', SIGN_INS_PER_ACCOUNT: '1', TRUSTED_PROXIES: '127.0.0.1' },
    { logTo: { write: (line) => void lines.push(line) } },
  )
  const guess = async (address: string) => {
    const headers = { 'x-forwarded-for': address }
    const body = { email: 'nobody@example.com', passcode: 'a guess' }
    return (await app.ask({ path: '/api/auth/login', body, headers })).status
  }
  // The last address is the one the proxy saw; what stands before it, anybody may have written.
  expect([await guess('203.0.113.9'), await guess('198.51.100.1, 203.0.113.7')]).toEqual([401, 429])
  await app.close()

  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { level: 40, code: 'invalid_credentials', path: '/api/auth/login', address: '203.0.113.9' },
    { level: 40, code: 'too_many_requests', path: '/api/auth/login', address: '203.0.113.7' },
  ])
  expect(lines.join('')).not.toContain('nobody@example.com')
})

it('an address that a caller only claims is not believed', async () => {
  const app = await startTestApp({ SIGN_INS_PER_ADDRESS: '1' })
  const guess = async (address: string, email: string) => {
    const headers = { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` }
    return (await app.ask({ path: '/api/auth/login', body: { email, passcode: 'a guess' }, headers })).status
  }
  const answers = [
    await guess('203.0.113.1', 'one@example.com'),
    await guess('203.0.113.2', 'two@example.com'),
  ]
  await app.close()
  expect(answers).toEqual([401, 429])
})

it('what a database error quotes of a row stays out of the log', () => {
  const error = new pg.DatabaseError('null value in column "name"', 100, 'error')
  error.code = '23502'
  error.detail = 'Failing row contains (…, $argon2id$…).'
  error.constraint = 'users_name'
  expect(describeError(error)).toMatchObject({ code: '23502', constraint: 'users_name' })
  expect(JSON.stringify(describeError(error))).not.toContain('argon2id')
  expect(describeError('just a text')).toEqual({ type: 'string', message: 'just a text', stack: '' })
})
