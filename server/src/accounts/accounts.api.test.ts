import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilSomebodyWaits } from '../../test/leaving.ts'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  testPassword,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const registration = (email: string) => ({
  companyName: 'Nordlager AG',
  contactEmail: email,
  contactName: 'Ada Admin',
  adminPasscode: 'swordfish!',
  plan: 'starter',
})

/** Lets nobody change a user until what it gives is called. */
async function holdUser({ userId }: Person): Promise<() => Promise<void>> {
  const holder = await app.owner.connect()
  await holder.query('begin')
  await holder.query('select from users where id = $1 for no key update', [userId])
  return async () => {
    await holder.query('commit')
    holder.release()
  }
}

describe('registering a company', () => {
  it('starts a trial of 14 days', async () => {
    const { status, body } = await app.ask({
      path: '/api/auth/register-tenant',
      body: registration('ada@nordlager.example'),
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      success: true,
      message: 'Your company is registered.',
      tenant: { companyName: 'Nordlager AG', plan: 'starter' },
    })
    const { rows } = await app.owner.query(
      "select trial_ends_at - created_at = interval '14 days' as fortnight from companies where name = 'Nordlager AG'",
    )
    expect(rows).toEqual([{ fortnight: true }])
  })

  it('refuses an e-mail address that has an account, in any case of letters', async () => {
    const { status, body } = await app.ask({
      path: '/api/auth/register-tenant',
      body: registration('  ADA@Nordlager.Example '),
    })
    expect(status).toBe(409)
    expect(body).toEqual({
      success: false,
      error: 'An account with this email already exists. Please try logging in instead.',
      code: 'email_taken',
    })
  })

  it('keeps a time zone by the name the database has for it', async () => {
    const admin = await makeCompany(app, { timeZone: 'AET' })
    const { status, body } = await app.ask({
      method: 'GET',
      path: '/api/company/settings',
      token: admin.token,
    })
    expect([status, body]).toMatchObject([200, { time_zone: 'Australia/Sydney' }])
  })

  it('takes UTC where the database does not know the time zone', async () => {
    const admin = await makeCompany(app, { timeZone: 'SystemV/AST4' })
    const { body } = await app.ask({ method: 'GET', path: '/api/company/settings', token: admin.token })
    expect(body).toMatchObject({ time_zone: 'UTC' })
  })

  it('makes one company when the same address registers 20 times at once', async () => {
    const body = registration('race@example.com')
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => app.ask({ path: '/api/auth/register-tenant', body })),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  it('sent again under the same key, because the answer got lost, answers as before', async () => {
    const request = { path: '/api/auth/register-tenant', key: 'r-1', body: registration('lost@example.com') }
    const first = await app.ask(request)
    const again = await app.ask(request)
    expect([again.status, again.body]).toEqual([201, first.body])
    const other = await app.ask({ ...request, body: { ...request.body, companyName: 'Another' } })
    expect(other.status).toBe(422)
    const anew = await app.ask({ ...request, key: 'r-2' })
    expect([anew.status, anew.body]).toMatchObject([409, { code: 'email_taken' }])
  })

  it.each([
    [{ companyName: ' ' }, 'Company name is required'],
    [{ contactName: '' }, 'Your name is required'],
    [{ contactEmail: ' ' }, 'Email address is required'],
    [{ contactEmail: 'ada@example' }, 'Please enter a valid email address'],
    [{ adminPasscode: '' }, 'Password is required'],
    [{ adminPasscode: 'abc' }, 'Password must be at least 4 characters long'],
    [{ plan: 'gold' }, 'plan must be one of: starter, professional, enterprise.'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone must be an IANA time zone.'],
  ])('refuses %j', async (part, sentence) => {
    const { status, body } = await app.ask({
      path: '/api/auth/register-tenant',
      body: { ...registration('bad@example.com'), ...part },
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: sentence, code: 'invalid_request' })
  })

  // The pattern of an address takes minutes for 250,000 dots, in which nobody is served.
  it.each([
    ['/api/auth/register-tenant', 'contactEmail'],
    ['/api/auth/forgot-password', 'email'],
  ])('looks no further at an e-mail address that is too long: %s', async (path, field) => {
    const email = `a@${'.'.repeat(5_000)}@`
    const { status, body } = await app.ask({ path, body: { ...registration(email), email } })
    expect(status).toBe(400)
    const details = [{ path: field, message: 'must have at most 254 characters.' }]
    expect(body).toMatchObject({ code: 'invalid_request', details })
  })
})

it('an address of the network may register so many companies in an hour', async () => {
  const strict = await startTestApp({ REGISTRATIONS_PER_HOUR: '2' })
  const register = async (email: string) => {
    const body = registration(email)
    const { status, headers } = await strict.ask({ path: '/api/auth/register-tenant', body })
    return [status, headers.get('retry-after')]
  }
  expect([await register('one@example.com'), await register('two@example.com')]).toEqual([
    [201, null],
    [201, null],
  ])
  const [status, seconds] = await register('three@example.com')
  expect(status).toBe(429)
  expect(Number(seconds)).toBeLessThanOrEqual(3600)
  expect(Number(seconds)).toBeGreaterThan(3540)
  await strict.close()
})

it('where no company may be registered, that is said, and who has an account signs in as before', async () => {
  const closed = await startTestApp({ REGISTRATIONS_PER_HOUR: '0' })
  const body = registration('nobody@example.com')
  const { status, body: told } = await closed.ask({ path: '/api/auth/register-tenant', body })
  expect(status).toBe(403)
  expect(told).toEqual({
    success: false,
    code: 'registration_closed',
    error: 'New companies are not registered here. Ask whoever runs this installation.',
  })
  const credentials = { email: 'nobody@example.com', passcode: 'not this one' }
  expect((await closed.ask({ path: '/api/auth/login', body: credentials })).status).toBe(401)
  await closed.close()
})

it('the addresses of one IPv6 network, which one customer has, register no more than one address', async () => {
  const strict = await startTestApp({ REGISTRATIONS_PER_HOUR: '2', TRUSTED_PROXIES: '127.0.0.1' })
  const register = async (email: string, address: string) => {
    const headers = { 'x-forwarded-for': address }
    return (await strict.ask({ path: '/api/auth/register-tenant', body: registration(email), headers }))
      .status
  }
  expect(await register('six-one@example.com', '2001:db8:1:2::1')).toBe(201)
  expect(await register('six-two@example.com', '2001:db8:1:2:3::2')).toBe(201)
  expect(await register('six-three@example.com', '2001:db8:1:2:ffff::3')).toBe(429)
  expect(await register('six-four@example.com', '2001:db8:1:3::1')).toBe(201)
  await strict.close()
})

it('the networks that one line of IPv6 is given have together eight times what one has', async () => {
  const strict = await startTestApp({ SIGN_INS_PER_ADDRESS: '1', TRUSTED_PROXIES: '127.0.0.1' })
  const forget = async (address: string) => {
    const headers = { 'x-forwarded-for': address }
    const body = { email: `${randomUUID()}@example.com` }
    return (await strict.ask({ path: '/api/auth/forgot-password', body, headers })).status
  }
  for (let network = 1; network <= 8; network += 1) expect(await forget(`2001:db8:1:${network}::1`)).toBe(200)
  expect(await forget('2001:db8:1:9::1')).toBe(429)
  expect(await forget('2001:db8:2:9::1')).toBe(200)
  await strict.close()
})

describe('signing in', () => {
  it('answers the same for a wrong password and an unknown account', async () => {
    const admin = await makeCompany(app)
    const wrong = await app.ask({ path: '/api/auth/login', body: { email: admin.email, passcode: 'wrong' } })
    const unknown = await app.ask({
      path: '/api/auth/login',
      body: { email: 'nobody@example.com', passcode: 'wrong' },
    })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual({
      success: false,
      error: 'Invalid email or password. Please try again.',
      code: 'invalid_credentials',
    })
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body])
  })

  it('takes as long for an unknown account: it looks for a user, too, and records failures after the reply', async () => {
    const admin = await makeCompany(app)
    const guess = (email: string) => app.ask({ path: '/api/auth/login', body: { email, passcode: 'wrong' } })
    const holder = await app.owner.connect()
    await holder.query('begin; lock table users in access exclusive mode')
    const unknown = guess('nobody-here@example.com')
    await untilSomebodyWaits(app)
    await holder.query('commit; begin; lock table audit_entries in share mode')
    expect((await unknown).status).toBe(401)
    expect((await guess(admin.email)).status).toBe(401)
    await holder.query('commit')
    holder.release()
    const failures = async () => {
      const { rowCount } = await app.owner.query(
        "select from audit_entries where tenant_id = $1 and event = 'login_failed'",
        [admin.tenantId],
      )
      return rowCount
    }
    await expect.poll(failures).toBe(1)
  })

  it('is throttled after ten attempts, alike for accounts that exist and that do not', async () => {
    const admin = await makeCompany(app)
    for (const email of [admin.email, 'never-registered@example.com']) {
      const attempts = Array.from({ length: 12 }, () =>
        app.ask({ path: '/api/auth/login', body: { email, passcode: 'wrong' } }),
      )
      const statuses = (await Promise.all(attempts)).map(({ status }) => status).toSorted((a, b) => a - b)
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    }
  })

  it('is throttled for an address that guesses, also when it signs in to an account of its own in between', async () => {
    const strict = await startTestApp({ SIGN_INS_PER_ADDRESS: '5' })
    const own = await makeCompany(strict)
    const signIn = async (email: string, passcode: string) =>
      (await strict.ask({ path: '/api/auth/login', body: { email, passcode } })).status
    const statuses: number[] = []
    for (let index = 0; index < 6; index += 1) {
      statuses.push(
        await signIn(`victim-${index}@example.com`, 'guess'),
        await signIn(own.email, testPassword),
      )
    }
    expect(statuses).toEqual([401, 200, 401, 200, 401, 200, 401, 200, 401, 429, 429, 429])
    await strict.close()
  })

  it('that is refused for the guesses at one account leaves the address its own for others', async () => {
    const strict = await startTestApp({ SIGN_INS_PER_ADDRESS: '12' })
    const admin = await makeCompany(strict)
    const signIn = async (email: string, passcode: string) =>
      (await strict.ask({ path: '/api/auth/login', body: { email, passcode } })).status
    const statuses: number[] = []
    for (let index = 0; index < 15; index += 1) statuses.push(await signIn('sam@example.com', 'mistyped'))
    expect(statuses).toEqual([
      ...Array.from({ length: 10 }, () => 401),
      ...Array.from({ length: 5 }, () => 429),
    ])
    expect(await signIn(admin.email, testPassword)).toBe(200)
    await strict.close()
  })

  it('too many at once uses up no guess where it was refused before anybody looked at the password', async () => {
    const limits = { SIGN_INS_PER_ACCOUNT: '2', SIGN_INS_PER_ADDRESS: '2', REGISTRATIONS_PER_HOUR: '2' }
    const strict = await startTestApp(limits)
    const admin = await makeCompany(strict)
    const login = { path: '/api/auth/login', body: { email: admin.email, passcode: testPassword } }
    const change = {
      path: '/api/auth/change-password',
      token: admin.token,
      body: { passcode: 'a guess', newPasscode: 'a new horse' },
    }
    const register = { path: '/api/auth/register-tenant', body: registration('later@example.com') }
    // Two passwords of which each takes seconds to be looked at, and all that may wait behind them.
    const slow = `$argon2id$v=19$m=19456,t=1000,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
    const others = Array.from({ length: 52 }, (_, place) =>
      place < 2 ? verifyPassword(slow, 'another') : hashPassword('another'),
    )
    const statuses = new Set<number>()
    for (let index = 0; index < 3; index += 1) {
      for (const request of [login, change, register]) statuses.add((await strict.ask(request)).status)
    }
    expect([...statuses]).toEqual([503])
    await Promise.all(others)
    expect((await strict.ask(change)).status).toBe(403)
    expect((await strict.ask(login)).status).toBe(200)
    expect((await strict.ask(register)).status).toBe(201)
    await strict.close()
  }, 300_000)

  it('goes on for others while one address of the network signs in more often than can be looked at', async () => {
    const proxied = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1', SIGN_INS_PER_ADDRESS: '100000' })
    const admin = await makeCompany(proxied)
    const signIn = async (email: string, address: string) => {
      const body = { email, passcode: testPassword }
      const headers = { 'x-forwarded-for': address }
      return (await proxied.ask({ path: '/api/auth/login', body, headers })).status
    }
    const seen = new Set<number>()
    let isOver = false
    const flood = Array.from({ length: 80 }, async (_, person) => {
      for (let round = 0; !isOver; round += 1) {
        seen.add(await signIn(`${round}-${person}@example.com`, '203.0.113.7'))
      }
    })
    // From now on more wait than may.
    await expect.poll(() => seen.has(503)).toBe(true)
    const elsewhere: number[] = []
    for (let index = 0; index < 3; index += 1) {
      elsewhere.push(await signIn(admin.email, '198.51.100.9'))
    }
    isOver = true
    await Promise.all(flood)
    expect(elsewhere).toEqual([200, 200, 200])
    await proxied.close()
  })

  it('stops after a hundred wrong passwords in a row, until a password link gives a new one', async () => {
    const patient = await startTestApp({ SIGN_INS_PER_ACCOUNT: '1000', SIGN_INS_PER_ADDRESS: '1000' })
    const admin = await makeCompany(patient)
    const staff = await makeStaff(patient, admin, 'Sam Staff')
    const signIn = (passcode: string) =>
      patient.ask({ path: '/api/auth/login', body: { email: staff.email, passcode } })
    await signIn('wrong')
    // As if there had been ninety-eight of them, which take as long each as guesses are meant to.
    await patient.owner.query('update attempts set taken = taken + 97 where taken = 1')
    const statuses: number[] = []
    for (let guess = 0; guess < 3; guess += 1) statuses.push((await signIn('wrong')).status)
    expect(statuses).toEqual([401, 401, 429])

    const right = await signIn(testPassword)
    expect(right.body).toEqual({
      success: false,
      error: 'Too many wrong passwords in a row. Choose a new one with a password link.',
      code: 'too_many_requests',
    })
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(29 * 86_400)

    const path = `/api/team/users/${staff.userId}/password-link`
    const link = await patient.ask({ path, token: admin.token, body: {} })
    const { secret } = z.object({ secret: z.string() }).parse(link.body)
    const reset = await patient.ask({
      path: '/api/auth/reset-password',
      body: { secret, passcode: 'a new password' },
    })
    expect(reset.status).toBe(200)
    expect((await signIn('a new password')).status).toBe(200)
    await patient.close()
  })

  it('under way while a new password is chosen begins no session', async () => {
    const admin = await makeCompany(app)
    const owner = await app.owner.connect()
    await owner.query('begin')
    await owner.query(`update users set password_hash = 'another' where email = $1`, [admin.email])
    const signingIn = app.ask({
      path: '/api/auth/login',
      body: { email: admin.email, passcode: testPassword },
    })
    let isAnswered = false
    const answered = signingIn.then((reply) => {
      isAnswered = true
      return reply
    })
    const isWaiting = async () => {
      const { rows } = await app.owner.query(
        `select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))`,
        [z.object({ pid: z.int() }).parse((await owner.query('select pg_backend_pid() as pid')).rows[0]).pid],
      )
      return rows.length > 0
    }
    await expect.poll(async () => isAnswered || (await isWaiting()), { timeout: 10_000 }).toBe(true)
    await owner.query('commit')
    owner.release()
    expect((await answered).status).toBe(401)
    const { rows } = await app.owner.query(`select from sessions where tenant_id = $1`, [admin.tenantId])
    // The one it was registered and signed in with.
    expect(rows).toHaveLength(1)
  })

  it('is open at every place again once a password link has given a new one', async () => {
    const proxied = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
    const admin = await makeCompany(proxied)
    const staff = await makeStaff(proxied, admin, 'Sam Staff')
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const signIn = async (passcode: string) => {
      const body = { email: staff.email, passcode }
      const reply = await proxied.ask({ path: '/api/auth/login', body, headers: from('203.0.113.7') })
      return reply.status
    }
    expect(await signIn(testPassword)).toBe(200)
    for (let guess = 0; guess < 10; guess += 1) expect(await signIn('wrong')).toBe(401)
    expect(await signIn('wrong')).toBe(429)

    const path = `/api/team/users/${staff.userId}/password-link`
    const link = await proxied.ask({ path, token: admin.token, body: {} })
    const { secret } = z.object({ secret: z.string() }).parse(link.body)
    const body = { secret, passcode: 'a new password' }
    const phone = from('198.51.100.9')
    expect((await proxied.ask({ path: '/api/auth/reset-password', body, headers: phone })).status).toBe(200)
    expect(await signIn('a new password')).toBe(200)
    await proxied.close()
  })

  it('keeps nobody out where they have signed in before, whoever guesses elsewhere', async () => {
    const proxied = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
    const admin = await makeCompany(proxied)
    const signIn = async (address: string, passcode: string) =>
      (
        await proxied.ask({
          path: '/api/auth/login',
          body: { email: admin.email, passcode },
          headers: { 'x-forwarded-for': address },
        })
      ).status
    expect(await signIn('203.0.113.7', testPassword)).toBe(200)
    const elsewhere: number[] = []
    for (let guess = 0; guess < 11; guess += 1) elsewhere.push(await signIn('198.51.100.9', 'wrong'))
    expect(elsewhere).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    expect(await signIn('198.51.100.9', testPassword)).toBe(429)
    expect(await signIn('203.0.113.7', testPassword)).toBe(200)

    const there: number[] = []
    for (let guess = 0; guess < 11; guess += 1) there.push(await signIn('203.0.113.7', 'wrong'))
    expect(there).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    await proxied.close()
  })

  it('is open at once to who registers, whoever has guessed at the address before', async () => {
    const proxied = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
    const ask = async (address: string, path: string, body: object) =>
      (await proxied.ask({ path, body, headers: { 'x-forwarded-for': address } })).status
    const signIn = (address: string, passcode: string) =>
      ask(address, '/api/auth/login', { email: 'early@example.com', passcode })
    for (let guess = 0; guess < 10; guess += 1) expect(await signIn('198.51.100.9', 'wrong')).toBe(401)
    expect(await signIn('198.51.100.9', 'wrong')).toBe(429)

    const company = registration('early@example.com')
    expect(await ask('203.0.113.7', '/api/auth/register-tenant', company)).toBe(201)
    for (let guess = 0; guess < 10; guess += 1) expect(await signIn('198.51.100.9', 'wrong')).toBe(401)
    expect(await signIn('198.51.100.9', 'wrong')).toBe(429)
    expect(await signIn('203.0.113.7', 'swordfish!')).toBe(200)
    await proxied.close()
  })

  it('is open where the present password was said alone, not where only an earlier one was', async () => {
    const proxied = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
    const admin = await makeCompany(proxied)
    const ask = (address: string, path: string, body: object) =>
      proxied.ask({ path, token: admin.token, body, headers: { 'x-forwarded-for': address } })
    const signIn = async (address: string, passcode: string) =>
      (await ask(address, '/api/auth/login', { email: admin.email, passcode })).status
    expect(await signIn('203.0.113.7', testPassword)).toBe(200)
    const change = { passcode: testPassword, newPasscode: 'a new horse' }
    expect((await ask('192.0.2.1', '/api/auth/change-password', change)).status).toBe(200)

    for (let guess = 0; guess < 10; guess += 1) expect(await signIn('203.0.113.7', 'wrong')).toBe(401)
    expect(await signIn('198.51.100.9', 'wrong')).toBe(429)
    expect(await signIn('203.0.113.7', 'a new horse')).toBe(429)
    expect(await signIn('192.0.2.1', 'a new horse')).toBe(200)
    await proxied.close()
  })

  it('gives the role and company of the user', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin, 'Sam Staff')
    const { body } = await app.ask({
      path: '/api/auth/login',
      body: { email: staff.email, passcode: testPassword },
    })
    expect(body).toMatchObject({
      success: true,
      user: { tenantId: admin.tenantId, role: 'user', name: 'Sam Staff', plan: 'professional' },
    })
  })
})

describe('a session', () => {
  it('tells who it belongs to', async () => {
    const admin = await makeCompany(app)
    const { status, body } = await app.ask({
      method: 'GET',
      path: '/test-tenant-context',
      token: admin.token,
    })
    expect(status).toBe(200)
    expect(body).toEqual({ tenant_id: admin.tenantId, user_id: admin.userId, role: 'admin' })
  })

  it('is over on the server after signing out', async () => {
    const admin = await makeCompany(app)
    expect((await app.ask({ path: '/api/auth/logout', token: admin.token })).status).toBe(200)
    const { status, body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })
    expect(status).toBe(401)
    expect(body).toEqual({
      success: false,
      error: 'Unauthorized: please log in again.',
      code: 'unauthorized',
    })
  })

  it('that is ended by signing out is told of in the audit trail: that it was asked for, and done', async () => {
    const admin = await makeCompany(app)
    await app.done({ path: '/api/auth/logout', token: admin.token })
    const { rows } = await app.owner.query(
      `select sku, metadata ->> 'reason' as reason from audit_entries
       where tenant_id = $1 and event like 'logout%' order by id`,
      [admin.tenantId],
    )
    expect(rows).toEqual([
      { sku: 'AUTH_LOGOUT_INITIATED', reason: 'user_initiated' },
      { sku: 'AUTH_LOGOUT_COMPLETED', reason: 'user_initiated' },
    ])
  })

  it('ends at once when the user is deactivated, and a demoted administrator is none any more', async () => {
    const admin = await makeCompany(app)
    await app.owner.query("update users set role = 'user' where id = $1", [admin.userId])
    const demoted = await app.ask({ method: 'GET', path: '/test-tenant-context', token: admin.token })
    expect(demoted.body).toMatchObject({ role: 'user' })
    await app.owner.query('update users set active = false where id = $1', [admin.userId])
    const gone = await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })
    expect(gone.status).toBe(401)
  })

  it.each([
    ['nothing', undefined],
    ['another scheme', 'Basic abc'],
    ['no token', 'Bearer'],
    ['two tokens', 'Bearer a b'],
    ['a token without a signature', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.'],
    ['rubbish', `Bearer ${'.'.repeat(5000)}`],
  ])('is not opened by %s', async (_name, authorization) => {
    const headers = authorization === undefined ? {} : { authorization }
    const { status, body } = await app.ask({ method: 'GET', path: '/api/dashboard', headers })
    expect(status).toBe(401)
    expect(body).toMatchObject({ code: 'unauthorized' })
  })

  it('cannot be carried to another company by changing the token', async () => {
    const victim = await makeCompany(app)
    const attacker = await makeCompany(app)
    const [head, payload = '', signature] = attacker.token.split('.')
    const forged = Buffer.from(
      Buffer.from(payload, 'base64url').toString().replace(attacker.tenantId, victim.tenantId),
    ).toString('base64url')
    const { status } = await app.ask({
      method: 'GET',
      path: '/api/dashboard',
      token: [head, forged, signature].join('.'),
    })
    expect(status).toBe(401)
  })
})

describe('over several nodes and restarts', () => {
  it('signing out and changing the password count at once everywhere', async () => {
    const admin = await makeCompany(app)
    const second = await app.startSecondNode()
    const elsewhere = await app.ask({
      path: '/api/auth/login',
      body: { email: admin.email, passcode: testPassword },
    })
    const { token } = z.object({ token: z.string() }).parse(elsewhere.body)
    const open = async (bearer: string) =>
      (await second.ask({ method: 'GET', path: '/api/dashboard', token: bearer })).status
    expect([await open(admin.token), await open(token)]).toEqual([200, 200])

    const changed = await app.ask({
      path: '/api/auth/change-password',
      token: admin.token,
      body: { passcode: testPassword, newPasscode: 'a new horse' },
    })
    expect([changed.status, changed.body]).toEqual([200, { success: true, ended: 1 }])
    expect([await open(admin.token), await open(token)]).toEqual([200, 401])
    const old = await second.ask({
      path: '/api/auth/login',
      body: { email: admin.email, passcode: testPassword },
    })
    expect(old.status).toBe(401)

    await app.done({ path: '/api/auth/logout', token: admin.token })
    expect(await open(admin.token)).toBe(401)
    await second.close()
  })

  it('a change of the password sent again under its key answers as before, and is no guess', async () => {
    const admin = await makeCompany(app)
    const body = { passcode: testPassword, newPasscode: 'a new horse' }
    const request = { path: '/api/auth/change-password', token: admin.token, key: 'p-1', body }
    for (let index = 0; index < 15; index += 1) {
      expect(await app.ask(request)).toMatchObject({ status: 200, body: { success: true, ended: 0 } })
    }
    const { rows } = await app.owner.query(
      `select from audit_entries where tenant_id = $1 and event = 'password_changed'`,
      [admin.tenantId],
    )
    expect(rows).toHaveLength(1)
    const other = await app.ask({ ...request, body: { passcode: 'a new horse', newPasscode: 'a third' } })
    expect([other.status, other.body]).toMatchObject([422, { code: 'key_reused' }])
  })

  it('changing the password needs the current one', async () => {
    const admin = await makeCompany(app)
    const { status, body } = await app.ask({
      path: '/api/auth/change-password',
      token: admin.token,
      body: { passcode: 'a guess', newPasscode: 'a new horse' },
    })
    expect([status, body]).toMatchObject([403, { error: 'The current password is wrong.' }])
  })

  it('of two changes of the password at once, the second is refused', async () => {
    const admin = await makeCompany(app)
    const signedIn = await app.ask({
      path: '/api/auth/login',
      body: { email: admin.email, passcode: testPassword },
    })
    const { token } = z.object({ token: z.string() }).parse(signedIn.body)
    const change = (bearer: string, newPasscode: string) =>
      app.ask({
        path: '/api/auth/change-password',
        token: bearer,
        body: { passcode: testPassword, newPasscode },
      })
    const release = await holdUser(admin)
    const first = change(admin.token, 'the first horse')
    await untilSomebodyWaits(app)
    const second = change(token, 'the second horse')
    await untilSomebodyWaits(app, 2)
    await release()
    expect((await first).status).toBe(200)
    const refused = await second
    expect([refused.status, refused.body]).toMatchObject([403, { error: 'The current password is wrong.' }])
    const body = { email: admin.email, passcode: 'the first horse' }
    expect((await app.ask({ path: '/api/auth/login', body })).status).toBe(200)
  })

  it.each([
    ['a password link', 'a change of the password', [200, 403]],
    ['a change of the password', 'a password link', [200, 410]],
  ])('%s is not overwritten by %s at the same moment', async (first, _second, statuses) => {
    const admin = await makeCompany(app)
    const made = await app.ask({
      path: `/api/team/users/${admin.userId}/password-link`,
      token: admin.token,
      body: {},
    })
    const { secret } = z.object({ secret: z.string() }).parse(made.body)
    const set = () => app.ask({ path: '/api/auth/reset-password', body: { secret, passcode: 'by the link' } })
    const change = () =>
      app.ask({
        path: '/api/auth/change-password',
        token: admin.token,
        body: { passcode: testPassword, newPasscode: 'by the change' },
      })
    const release = await holdUser(admin)
    const begin = first === 'a password link' ? [set, change] : [change, set]
    const replies = []
    for (const [index, ask] of begin.entries()) {
      replies.push(ask())
      await untilSomebodyWaits(app, index + 1)
    }
    await release()
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(statuses)
    const passcode = first === 'a password link' ? 'by the link' : 'by the change'
    const signIn = await app.ask({ path: '/api/auth/login', body: { email: admin.email, passcode } })
    expect(signIn.status).toBe(200)
  })

  it.each([
    ['spaces around it', '  swordfish  '],
    ['64 letters', 'x'.repeat(64)],
    ['200 letters, the last of which matters', `${'x'.repeat(199)}y`],
    ['signs of every kind', 'Пароль 密碼 🐟 \'"<>&%$;--'],
  ])('is taken exactly as typed: with %s', async (_name, newPasscode) => {
    const admin = await makeCompany(app)
    const body = { passcode: testPassword, newPasscode }
    expect((await app.ask({ path: '/api/auth/change-password', token: admin.token, body })).status).toBe(200)
    const login = async (passcode: string) =>
      (await app.ask({ path: '/api/auth/login', body: { email: admin.email, passcode } })).status
    expect(await login(newPasscode)).toBe(200)
    const other = [newPasscode.trim(), newPasscode.toUpperCase(), newPasscode.slice(0, -1), `${newPasscode}x`]
    for (const passcode of other.filter(
      (candidate) => candidate !== newPasscode && candidate.length <= 200,
    )) {
      expect(await login(passcode)).toBe(401)
    }
  })

  it('a throttled account stays so on another node', async () => {
    const guess = { path: '/api/auth/login', body: { email: 'somebody@example.com', passcode: 'wrong' } }
    await Promise.all(Array.from({ length: 10 }, () => app.ask(guess)))
    const second = await app.startSecondNode()
    const reply = await second.ask(guess)
    expect(reply.status).toBe(429)
    const seconds = Number(reply.headers.get('retry-after'))
    expect(seconds).toBeLessThanOrEqual(900)
    expect(seconds).toBeGreaterThan(880)
    await app.owner.query(`update attempts set window_start = window_start - interval '10 minutes'`)
    const later = Number((await second.ask(guess)).headers.get('retry-after'))
    expect(later).toBeLessThanOrEqual(300)
    expect(later).toBeGreaterThan(280)
    await second.close()
  })

  it('a throttled account says in how many minutes it is open again', async () => {
    const guess = { path: '/api/auth/login', body: { email: 'anybody@example.com', passcode: 'wrong' } }
    await Promise.all(Array.from({ length: 10 }, () => app.ask(guess)))
    const refusal = async (error: string) => {
      const { status, body } = await app.ask(guess)
      expect([status, body]).toEqual([429, { success: false, error, code: 'too_many_requests' }])
    }
    const pass = (time: string) =>
      app.owner.query(`update attempts set window_start = window_start - interval '${time}'`)
    await refusal('Too many attempts. Please try again in 15 minutes.')
    await pass('3 minutes')
    await refusal('Too many attempts. Please try again in 12 minutes.')
    await pass('11 minutes')
    await refusal('Too many attempts. Please try again in a minute.')
  })

  it('a session says when it was last used, to the minute', async () => {
    const { token, tenantId } = await makeCompany(app)
    const age = async () => {
      const { rows } = await app.owner.query<{ seconds: number }>(
        `select extract(epoch from now() - last_used_at)::integer as seconds from sessions where tenant_id = $1`,
        [tenantId],
      )
      return rows[0]?.seconds
    }
    await app.owner.query(
      `update sessions set last_used_at = now() - interval '1 hour' where tenant_id = $1`,
      [tenantId],
    )
    expect(await age()).toBeGreaterThanOrEqual(3600)
    await app.done({ method: 'GET', path: '/api/dashboard', token })
    // Noted beside the reply, which does not wait for it.
    await expect.poll(age).toBeLessThan(60)
  })

  it('a session is over when its time is', async () => {
    const admin = await makeCompany(app)
    await app.owner.query('update sessions set expires_at = now() where tenant_id = $1', [admin.tenantId])
    expect((await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })).status).toBe(401)
  })
})

describe('the users of a plan', () => {
  it('never become more than the plan has, also when added at once', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const added = await Promise.allSettled(Array.from({ length: 6 }, () => makeStaff(app, admin)))
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const { rows } = await app.owner.query(
      'select count(*)::integer as users from users where tenant_id = $1',
      [admin.tenantId],
    )
    expect(rows).toEqual([{ users: 3 }])
  })
})

it('a session says who its user is, and nothing of anybody else', async () => {
  const admin = await makeCompany(app, { plan: 'professional' })
  const sam = await makeStaff(app, admin)
  const whoIs = async (token: string) =>
    (await app.ask({ method: 'GET', path: '/api/auth/user', token })).body
  expect(await whoIs(admin.token)).toMatchObject({
    user: { tenantId: admin.tenantId, role: 'admin', plan: 'professional', email: admin.email },
  })
  expect(await whoIs(sam.token)).toMatchObject({ user: { name: 'Sam Staff', role: 'user' } })
})
