import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { makeCompany, startTestApp } from '../../../test/test-app.ts'
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

it('what a database error quotes of a row stays out of the log', () => {
  const error = new pg.DatabaseError('null value in column "name"', 100, 'error')
  error.code = '23502'
  error.detail = 'Failing row contains (…, $argon2id$…).'
  error.constraint = 'users_name'
  expect(describeError(error)).toMatchObject({ code: '23502', constraint: 'users_name' })
  expect(JSON.stringify(describeError(error))).not.toContain('argon2id')
  expect(describeError('just a text')).toEqual({ type: 'string', message: 'just a text', stack: '' })
})
