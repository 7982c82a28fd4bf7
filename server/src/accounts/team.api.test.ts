import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  makeCompany,
  makeStaff,
  signInAgain,
  startTestApp,
  testPassword,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'
import { inFairTurn } from './passwords.ts'
import { addUser } from './seats.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const made = z.object({ secret: z.string(), expires_at: z.string(), mailed: z.string() })
const newEmail = () => `new-${randomUUID()}@example.com`

async function inviteAs(admin: Person, email = newEmail(), role = 'user') {
  return await app.ask({ path: '/api/team/invitations', token: admin.token, body: { email, role } })
}

async function secretOf(reply: Promise<{ body: unknown }>): Promise<string> {
  return made.parse((await reply).body).secret
}

const accept = (secret: string, name = 'Nia New') =>
  app.ask({ path: '/api/auth/accept-invitation', body: { secret, name, passcode: 'a new horse' } })

const act = (admin: Person, userId: string, what: 'deactivate' | 'reactivate' | 'sign-out') =>
  app.ask({ path: `/api/team/users/${userId}/${what}`, token: admin.token })

const setRole = (admin: Person, userId: string, role: string) =>
  app.ask({ path: `/api/team/users/${userId}/role`, token: admin.token, body: { role } })

const team = async (admin: Person) =>
  (await app.ask({ method: 'GET', path: '/api/team', token: admin.token })).body

const noMakerAnyMore =
  'The person who made this link is no longer an administrator. Ask an administrator for a new one.'

describe('an invitation', () => {
  it('lets somebody in: name and password, signed in at once, with the role given', async () => {
    const admin = await makeCompany(app)
    const email = newEmail()
    const invited = await inviteAs(admin, email.toUpperCase(), 'admin')
    expect([invited.status, invited.body]).toEqual([
      201,
      { success: true, secret: expect.any(String), expires_at: expect.any(String), mailed: 'off' },
    ])
    const { secret } = made.parse(invited.body)
    const shown = await app.ask({ path: '/api/auth/link', body: { secret } })
    expect(shown.body).toMatchObject({ kind: 'invitation', email, role: 'admin' })

    const { status, body } = await accept(secret)
    expect(status).toBe(201)
    expect(body).toMatchObject({ success: true, user: { name: 'Nia New', email, role: 'admin' } })
    const { token } = z.object({ token: z.string() }).parse(body)
    const own = await app.ask({ method: 'GET', path: '/test-tenant-context', token })
    expect(own.body).toMatchObject({ tenant_id: admin.tenantId, role: 'admin' })
  })

  it('works once, and its secret stands nowhere in the database', async () => {
    const admin = await makeCompany(app)
    const secret = await secretOf(inviteAs(admin))
    const replies = await Promise.all(Array.from({ length: 5 }, () => accept(secret)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 410, 410, 410, 410])
    expect(replies.find(({ status }) => status === 410)?.body).toMatchObject({
      error: 'This link is no longer valid. Ask an administrator for a new one.',
    })
    const tables = ['one_time_links', 'audit_entries', 'operations', 'sessions']
    for (const table of tables) {
      const { rows } = await app.owner.query(`select 1 from ${table} as row where row::text like $1`, [
        `%${secret}%`,
      ])
      expect([table, rows]).toEqual([table, []])
    }
  })

  it('sent again under its key makes no second link, and its secret is not shown again', async () => {
    const admin = await makeCompany(app)
    const request = {
      path: '/api/team/invitations',
      token: admin.token,
      key: 'i-1',
      body: { email: newEmail() },
    }
    const secret = await secretOf(app.ask(request))
    const again = await app.ask(request)
    expect([again.status, again.body]).toMatchObject([409, { code: 'shown_once' }])
    const other = await app.ask({ ...request, body: { email: newEmail() } })
    expect([other.status, other.body]).toMatchObject([422, { code: 'key_reused' }])
    expect((await accept(secret)).status).toBe(201)
  })

  it('accepted again under the same key, because the answer got lost, answers with the same session', async () => {
    const admin = await makeCompany(app)
    const secret = await secretOf(inviteAs(admin))
    const body = { secret, name: 'Nia New', passcode: 'a new horse' }
    const request = { path: '/api/auth/accept-invitation', key: 'a-1', body }
    const [first, again] = await Promise.all([app.ask(request), app.ask(request)])
    const late = await app.ask(request)
    expect([first.status, again.status, late.status]).toEqual([201, 201, 201])
    const signedIn = z.object({ token: z.string(), user: z.object({ id: z.string() }) })
    const { token, user } = signedIn.parse(late.body)
    expect((await app.ask({ method: 'GET', path: '/api/dashboard', token })).status).toBe(200)
    const { rows } = await app.owner.query('select from sessions where user_id = $1', [user.id])
    expect(rows).toHaveLength(1)

    const otherName = await app.ask({ ...request, body: { ...body, name: 'Nora New' } })
    const otherPassword = await app.ask({ ...request, body: { ...body, passcode: 'another horse' } })
    expect([otherName.status, otherPassword.status]).toEqual([422, 422])
    expect((await app.ask({ ...request, key: 'a-2' })).status).toBe(410)
    const { rows: kept } = await app.owner.query('select reply::text from operations where user_id = $1', [
      user.id,
    ])
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(token.split('.').at(-1))
  })

  it('is good for seven days', async () => {
    const { body } = await inviteAs(await makeCompany(app))
    const days = (Date.parse(made.parse(body).expires_at) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 2)
  })

  it('is over when taken back, when its time is, and when the address is invited anew', async () => {
    const admin = await makeCompany(app)
    const email = newEmail()
    const first = await secretOf(inviteAs(admin, email))
    const second = await secretOf(inviteAs(admin, email))
    expect((await accept(first)).status).toBe(410)
    const { invitations } = z
      .object({ invitations: z.array(z.object({ id: z.string() })) })
      .parse(await team(admin))
    expect(invitations).toHaveLength(1)
    const path = `/api/team/invitations/${invitations[0]?.id ?? ''}`
    expect((await app.ask({ method: 'DELETE', path, token: admin.token })).status).toBe(200)
    expect((await app.ask({ method: 'DELETE', path, token: admin.token })).status).toBe(404)
    expect((await accept(second)).status).toBe(410)

    const third = await secretOf(inviteAs(admin, email))
    await app.owner.query('update one_time_links set expires_at = now() where tenant_id = $1', [
      admin.tenantId,
    ])
    expect((await accept(third)).status).toBe(410)
  })

  it('that nobody accepted is listed for 30 days after its end, until its address is invited again', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const endAgo = (email: string, days: number) =>
      app.owner.query(
        `update one_time_links set created_at = now() - make_interval(days => $2 + 7), expires_at = now() - make_interval(days => $2)
         where email = $1`,
        [email, days],
      )
    const [late, forgotten] = [newEmail(), newEmail()]
    await inviteAs(admin, late, 'admin')
    await inviteAs(admin, forgotten)
    await endAgo(late, 29)
    await endAgo(forgotten, 31)
    const expired = {
      id: expect.any(String),
      email: late,
      role: 'admin',
      created_by: admin.name,
      expires_at: expect.stringMatching(/Z$/),
    }
    expect(await team(admin)).toMatchObject({
      invitations: [],
      expired_invitations: [expired],
      places: { used: 1, invited: 0 },
    })
    expect((await inviteAs(admin, late)).status).toBe(201)
    expect(await team(admin)).toMatchObject({ invitations: [{ email: late }], expired_invitations: [] })
  })

  it('that was accepted or taken back is never listed as expired', async () => {
    const admin = await makeCompany(app)
    const [joined, withdrawn] = [newEmail(), newEmail()]
    await accept(await secretOf(inviteAs(admin, joined)))
    await inviteAs(admin, withdrawn)
    const { invitations } = z
      .object({ invitations: z.array(z.object({ id: z.string() })) })
      .parse(await team(admin))
    const path = `/api/team/invitations/${invitations[0]?.id ?? ''}`
    expect((await app.ask({ method: 'DELETE', path, token: admin.token })).status).toBe(200)
    await app.owner.query('update one_time_links set expires_at = now() where tenant_id = $1', [
      admin.tenantId,
    ])
    expect(await team(admin)).toMatchObject({ invitations: [], expired_invitations: [] })
  })

  it.each(['', 'x', 'A'.repeat(64), randomUUID()])('is not opened by %j', async (secret) => {
    expect((await accept(secret)).status).toBe(410)
    expect((await app.ask({ path: '/api/auth/link', body: { secret } })).status).toBe(410)
  })

  it.each(['demoted', 'deactivated'])(
    'of an administrator who was %s lets nobody in, is shown so and holds no seat',
    async (change) => {
      const admin = await makeCompany(app, { plan: 'starter' })
      const leaving = await makeStaff(app, admin, 'Lea Leaving')
      await setRole(admin, leaving.userId, 'admin')
      const email = newEmail()
      const secret = await secretOf(inviteAs(leaving, email, 'admin'))
      if (change === 'demoted') await setRole(admin, leaving.userId, 'user')
      else await act(admin, leaving.userId, 'deactivate')

      const looked = await app.ask({ path: '/api/auth/link', body: { secret } })
      for (const { status, body } of [looked, await accept(secret)]) {
        expect([status, body]).toMatchObject([410, { code: 'link_invalid', error: noMakerAnyMore }])
      }
      const used = change === 'demoted' ? 2 : 1
      expect(await team(admin)).toMatchObject({
        invitations: [{ email, created_by: 'Lea Leaving', usable: false }],
        places: { used, invited: 0 },
      })

      const anew = await secretOf(inviteAs(admin, email))
      expect(await team(admin)).toMatchObject({
        invitations: [{ email, created_by: admin.name, usable: true }],
        places: { used, invited: 1 },
      })
      expect((await accept(anew)).status).toBe(201)
    },
  )

  it.each(['demoted', 'deactivated'])(
    'of an administrator who was %s and is one again stays over, so that nobody is promised a seat that was given away',
    async (change) => {
      const admin = await makeCompany(app, { plan: 'starter' })
      const leaving = await makeStaff(app, admin, 'Lea Leaving')
      await setRole(admin, leaving.userId, 'admin')
      const secret = await secretOf(inviteAs(leaving, newEmail()))
      if (change === 'demoted') await setRole(admin, leaving.userId, 'user')
      else await act(admin, leaving.userId, 'deactivate')
      if (change === 'demoted') {
        await secretOf(inviteAs(admin, newEmail()))
        await setRole(admin, leaving.userId, 'admin')
      } else await act(admin, leaving.userId, 'reactivate')
      const invited = change === 'demoted' ? 1 : 0
      expect(await team(admin)).toMatchObject({ places: { used: 2, invited } })
      expect((await accept(secret)).status).toBe(410)
    },
  )

  it('is refused for an address that has an account', async () => {
    const admin = await makeCompany(app)
    const other = await makeCompany(app)
    expect((await inviteAs(admin, other.email)).body).toMatchObject({ code: 'email_taken' })
  })

  it('stops telling which addresses have an account after so many that have, alike for those that have none', async () => {
    const strict = await startTestApp({ SIGN_INS_PER_ADDRESS: '4' })
    const [admin, stranger, other] = [
      await makeCompany(strict),
      await makeCompany(strict),
      await makeCompany(strict),
    ]
    const ask = (by: Person, email: string) =>
      strict.ask({ path: '/api/team/invitations', token: by.token, body: { email } })
    const statuses: number[] = []
    for (let index = 0; index < 6; index += 1) {
      statuses.push((await ask(admin, newEmail())).status, (await ask(admin, stranger.email)).status)
    }
    expect(statuses).toEqual([201, 409, 201, 409, 201, 409, 201, 409, 429, 429, 429, 429])
    // Nor from the same network by another company of theirs.
    const free = await ask(other, newEmail())
    expect([free.status, Number(free.headers.get('retry-after')) > 600]).toEqual([429, true])
    await strict.close()
  })

  it('of somebody who was deactivated says how they come back', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    await act(admin, staff.userId, 'deactivate')
    const invited = await inviteAs(admin, staff.email)
    expect([invited.status, invited.body]).toMatchObject([
      409,
      { code: 'email_taken', error: 'This person was deactivated. Reactivate them under Team.' },
    ])
    // Of other companies nothing is told.
    expect((await inviteAs(await makeCompany(app), admin.email)).body).toMatchObject({
      error: 'This address has an account already. Invite another address.',
    })
  })

  it('is not made by staff, and that they tried is on record', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    const reply = await inviteAs(staff)
    expect([reply.status, reply.body]).toMatchObject([403, { error: 'Only an administrator can do this.' }])
    const { rows } = await app.owner.query(
      "select metadata ->> 'call' as call from audit_entries where tenant_id = $1 and event = 'access_refused'",
      [admin.tenantId],
    )
    expect(rows).toEqual([{ call: 'POST /api/team/invitations' }])
  })

  it('is on record five times a minute for the same person and call, however often they try', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    const colleague = await makeStaff(app, admin)
    const replies = await Promise.all(Array.from({ length: 10 }, () => inviteAs(staff)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 403))
    await inviteAs(colleague)
    await app.ask({ method: 'GET', path: '/api/team', token: staff.token })
    const { rows } = await app.owner.query(
      `select user_id, metadata ->> 'call' as call from audit_entries
       where tenant_id = $1 and event = 'access_refused' order by id`,
      [admin.tenantId],
    )
    expect(rows).toEqual([
      ...Array.from({ length: 5 }, () => ({ user_id: staff.userId, call: 'POST /api/team/invitations' })),
      { user_id: colleague.userId, call: 'POST /api/team/invitations' },
      { user_id: staff.userId, call: 'GET /api/team' },
    ])
  })

  it('is on record also of whoever has reported refusals of themselves before', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    const report = { sku: 'AUTH_ACCESS_REFUSED', metadata: { call: 'POST /api/team/invitations' } }
    for (const _ of [1, 2, 3, 4, 5]) {
      const { status } = await app.ask({ path: '/api/audit/log', token: staff.token, body: report })
      expect(status).toBe(201)
    }
    await inviteAs(staff)
    const { rows } = await app.owner.query(
      `select origin, count(*)::integer as times from audit_entries
       where tenant_id = $1 and event = 'access_refused' group by 1 order by 1`,
      [admin.tenantId],
    )
    expect(rows).toEqual([
      { origin: 'client', times: 5 },
      { origin: 'server', times: 1 },
    ])
  })

  it('lets somebody in and in again, whoever has guessed at the address before', async () => {
    const proxied = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
    const admin = await makeCompany(proxied)
    const email = newEmail()
    const ask = (address: string, path: string, body: object) =>
      proxied.ask({ path, body, headers: { 'x-forwarded-for': address } })
    const signIn = async (address: string, passcode: string) =>
      (await ask(address, '/api/auth/login', { email, passcode })).status
    for (let guess = 0; guess < 10; guess += 1) expect(await signIn('198.51.100.9', 'wrong')).toBe(401)
    expect(await signIn('198.51.100.9', 'wrong')).toBe(429)

    const invited = await proxied.ask({
      path: '/api/team/invitations',
      token: admin.token,
      body: { email, role: 'user' },
    })
    const body = { secret: made.parse(invited.body).secret, name: 'Nia New', passcode: 'a new horse' }
    expect((await ask('203.0.113.7', '/api/auth/accept-invitation', body)).status).toBe(201)
    for (let guess = 0; guess < 10; guess += 1) expect(await signIn('198.51.100.9', 'wrong')).toBe(401)
    expect(await signIn('198.51.100.9', 'wrong')).toBe(429)
    expect(await signIn('203.0.113.7', 'a new horse')).toBe(200)
    await proxied.close()
  })

  it('and a password link wait their turn among the passwords of one address of the network, and of no other', async () => {
    const proxied = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
    const admin = await makeCompany(proxied)
    const staff = await makeStaff(proxied, admin)
    const secretFrom = async (path: string, body: object) =>
      made.pick({ secret: true }).parse((await proxied.done({ path, token: admin.token, body })).body).secret
    const invitation = await secretFrom('/api/team/invitations', { email: newEmail(), role: 'user' })
    const link = await secretFrom(`/api/team/users/${staff.userId}/password-link`, {})
    const statusesAt = async (address: string) => {
      const uses = [
        { call: 'accept-invitation', body: { secret: invitation, name: 'Nia New', passcode: 'a new horse' } },
        { call: 'reset-password', body: { secret: link, passcode: 'a new horse' } },
      ]
      const statuses: number[] = []
      for (const { call, body } of uses) {
        const request = { path: `/api/auth/${call}`, key: call, body }
        statuses.push((await proxied.ask({ ...request, headers: { 'x-forwarded-for': address } })).status)
      }
      return statuses
    }
    // As many as run and wait of one address.
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    const crowd = Array.from({ length: 52 }, (_, nth) =>
      inFairTurn({ email: `${nth}`, address: '203.0.113.7' }, () => gate),
    )
    expect(await statusesAt('203.0.113.7')).toEqual([503, 503])
    expect(await statusesAt('198.51.100.9')).toEqual([201, 200])
    // Sent again, a password is looked at as well.
    expect(await statusesAt('203.0.113.7')).toEqual([503, 503])
    open()
    await Promise.all(crowd)
    expect(await statusesAt('203.0.113.7')).toEqual([201, 200])
    await proxied.close()
  })

  it('guesses at secrets are throttled', async () => {
    const strict = await startTestApp({ SIGN_INS_PER_ADDRESS: '3' })
    const guess = () => strict.ask({ path: '/api/auth/link', body: { secret: 'A'.repeat(64) } })
    const statuses = [await guess(), await guess(), await guess(), await guess()].map(({ status }) => status)
    expect(statuses).toEqual([410, 410, 410, 429])
    await strict.close()
  })
})

describe('the seats of a plan', () => {
  it('are held by open invitations, and never given twice', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const replies = await Promise.all(Array.from({ length: 6 }, () => inviteAs(admin)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(replies.find(({ status }) => status === 402)?.body).toMatchObject({
      error: 'The Starter plan has 3 users and all seats are taken, 2 of them by open invitations.',
      code: 'user_limit',
    })
    expect(await team(admin)).toMatchObject({ places: { used: 1, invited: 2, limit: 3 } })
  })

  it('stay within the limit when more invitations than seats are accepted at once', async () => {
    const admin = await makeCompany(app, { plan: 'professional' })
    const invitations = Array.from({ length: 6 }, () => secretOf(inviteAs(admin)))
    const secrets = await Promise.all(invitations)
    await app.owner.query("update companies set plan = 'starter' where tenant_id = $1", [admin.tenantId])
    const replies = await Promise.all(secrets.map((secret, index) => accept(secret, `Nia ${index}`)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 402, 402, 402, 402,
    ])
  })

  it('are free again after deactivation, and needed again to come back', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const staff = await makeStaff(app, admin)
    await makeStaff(app, admin)
    expect((await inviteAs(admin)).status).toBe(402)
    expect((await act(admin, staff.userId, 'deactivate')).status).toBe(200)
    expect((await inviteAs(admin)).status).toBe(201)
    expect((await act(admin, staff.userId, 'reactivate')).body).toMatchObject({ code: 'user_limit' })
  })
})

describe('administrators', () => {
  it('see everybody with role, last use and counts', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin, 'Zoe')
    await app.done({
      path: '/api/components/import',
      token: admin.token,
      body: [{ barcode: 'A', primary_quantity: 1 }],
    })
    const count = { barcode: 'A', quantity: 1, location: 'PRIMARY', session: 's' }
    await app.done({
      path: '/api/components/update-with-tracking',
      token: staff.token,
      body: { ...count, timestamp: new Date().toISOString() },
    })
    expect(await team(admin)).toMatchObject({
      users: [
        { name: admin.name, role: 'admin', counts_this_month: 0 },
        {
          name: 'Zoe',
          role: 'user',
          active: true,
          seated: true,
          counts_this_month: 1,
          sessions: 1,
          last_seen: expect.stringMatching(/Z$/),
        },
      ],
      mail: false,
    })
  })

  it('see of each the counts that were made this month, whenever they arrived, and none that was only reported', async () => {
    const admin = await makeCompany(app)
    const ask = (path: string, body: unknown) => app.done({ path, token: admin.token, body })
    await ask('/api/components/import', [{ barcode: 'A', primary_quantity: 1 }])
    const count = { barcode: 'A', quantity: 1, location: 'PRIMARY', session: 's' }
    const timestamp = new Date().toISOString()
    await ask('/api/components/update-with-tracking', { ...count, timestamp })
    const { barcode: sku, ...reported } = count
    await ask('/api/count-history', { sku, ...reported, count_type: 'monthly', timestamp })
    expect(await team(admin)).toMatchObject({ users: [{ counts_this_month: 1 }] })
    await app.owner.query(
      `update count_history set counted_at = start_of_month(now(), 'UTC') - interval '1 day' where tenant_id = $1`,
      [admin.tenantId],
    )
    expect(await team(admin)).toMatchObject({ users: [{ counts_this_month: 0 }] })
  })

  it('see no count of somebody who took it back', async () => {
    const admin = await makeCompany(app)
    const ask = (path: string, key: string, body: unknown) =>
      app.ask({ path: `/api/components/${path}`, token: admin.token, body, key })
    await ask('import', 'i-1', [{ barcode: 'A', primary_quantity: 1 }])
    const count = { barcode: 'A', quantity: 1, location: 'PRIMARY', session: 's' }
    for (const key of ['c-1', 'c-2']) {
      await ask('update-with-tracking', key, { ...count, timestamp: new Date().toISOString() })
    }
    expect(await team(admin)).toMatchObject({ users: [{ counts_this_month: 2 }] })
    expect((await ask('undo-count', 'u-2', { key: 'c-2' })).status).toBe(200)
    expect(await team(admin)).toMatchObject({ users: [{ counts_this_month: 1 }] })
    expect((await ask('undo-count', 'u-1', { key: 'c-1' })).status).toBe(200)
    expect(await team(admin)).toMatchObject({ users: [{ counts_this_month: 0 }] })
  })

  it('change roles and end sessions, each with a trace', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    expect((await setRole(admin, staff.userId, 'admin')).status).toBe(200)
    expect((await app.ask({ method: 'GET', path: '/api/team', token: staff.token })).status).toBe(200)
    expect((await act(admin, staff.userId, 'sign-out')).body).toEqual({ success: true, ended: 1 })
    expect((await app.ask({ method: 'GET', path: '/api/team', token: staff.token })).status).toBe(401)
    expect((await act(admin, staff.userId, 'deactivate')).status).toBe(200)
    const login = { path: '/api/auth/login', body: { email: staff.email, passcode: testPassword } }
    expect((await app.ask(login)).status).toBe(401)
    expect((await act(admin, staff.userId, 'reactivate')).status).toBe(200)
    expect((await app.ask(login)).status).toBe(200)
    const { rows } = await app.owner.query(
      `select event, metadata ->> 'old_value' as old, metadata ->> 'new_value' as new, user_name from audit_entries
       where tenant_id = $1 and source = 'team' order by id`,
      [admin.tenantId],
    )
    expect(rows).toEqual([
      { event: 'role_changed', old: 'user', new: 'admin', user_name: admin.name },
      { event: 'user_signed_out', old: null, new: null, user_name: admin.name },
      { event: 'user_deactivated', old: null, new: null, user_name: admin.name },
      { event: 'user_reactivated', old: null, new: null, user_name: admin.name },
    ])
  })

  it('never become none: the last one can be neither demoted nor deactivated', async () => {
    const admin = await makeCompany(app)
    for (const reply of [
      await setRole(admin, admin.userId, 'user'),
      await act(admin, admin.userId, 'deactivate'),
    ]) {
      expect([reply.status, reply.body]).toMatchObject([
        409,
        { error: 'A company needs an active administrator. Make somebody else an administrator first.' },
      ])
    }
  })

  it('never become none when two demote or deactivate each other at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ada = await makeCompany(app)
      const bob = await makeStaff(app, ada)
      await setRole(ada, bob.userId, 'admin')
      await Promise.all([setRole(ada, bob.userId, 'user'), act(bob, ada.userId, 'deactivate')])
      const { rows } = await app.owner.query(
        "select count(*)::integer as admins from users where tenant_id = $1 and role = 'admin' and active",
        [ada.tenantId],
      )
      expect(rows).toEqual([{ admins: 1 }])
    }
  })
})

describe('the own account', () => {
  it('shows every session with its device, and ends one or all others', async () => {
    const admin = await makeCompany(app)
    await signInAgain(app, admin)
    const handheld = await app.ask({
      path: '/api/auth/login',
      body: { email: admin.email, passcode: testPassword },
      headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 13; TC52) AppleWebKit/537.36 Chrome/141.0.0.0' },
    })
    expect(handheld.status).toBe(200)
    const list = async () =>
      z
        .object({
          sessions: z.array(z.object({ id: z.string(), device: z.string(), current: z.boolean() })),
        })
        .parse((await app.ask({ method: 'GET', path: '/api/account/sessions', token: admin.token })).body)
        .sessions
    const sessions = await list()
    expect(sessions).toHaveLength(3)
    expect(sessions[0]).toMatchObject({ device: 'Chrome on Android', current: false })
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    const ended = await app.ask({
      method: 'DELETE',
      path: `/api/account/sessions/${sessions[0]?.id ?? ''}`,
      token: admin.token,
    })
    expect(ended.status).toBe(200)
    expect(await list()).toHaveLength(2)
    const others = await app.ask({ path: '/api/account/sessions/end-others', token: admin.token })
    expect(others.body).toEqual({ success: true, ended: 1 })
    expect(await list()).toHaveLength(1)
  })

  it('tells of the sessions it ended those alone that had not run out', async () => {
    const admin = await makeCompany(app)
    await signInAgain(app, admin)
    const { rows } = await app.owner.query<{ id: string }>(
      'select id from sessions where user_id = $1 order by created_at desc limit 1',
      [admin.userId],
    )
    await signInAgain(app, admin)
    await app.owner.query('update sessions set expires_at = now() where id = $1', [rows[0]?.id])
    const others = await app.ask({ path: '/api/account/sessions/end-others', token: admin.token })
    expect(others.body).toEqual({ success: true, ended: 1 })
  })

  it("does not end a colleague's session", async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    const { rows } = await app.owner.query<{ id: string }>('select id from sessions where user_id = $1', [
      admin.userId,
    ])
    const path = `/api/account/sessions/${rows[0]?.id ?? ''}`
    expect((await app.ask({ method: 'DELETE', path, token: staff.token })).status).toBe(404)
  })

  it('changes its name, which colleagues and later entries carry', async () => {
    const admin = await makeCompany(app)
    const changed = await app.ask({
      path: '/api/account/name',
      token: admin.token,
      body: { name: ' Ada L. ' },
    })
    expect(changed.body).toEqual({ success: true, name: 'Ada L.' })
    expect(await team(admin)).toMatchObject({ users: [{ name: 'Ada L.' }] })
  })

  it('takes no name that somebody of the company has or left with, however it is written', async () => {
    const admin = await makeCompany(app)
    const sam = await makeStaff(app, admin)
    const mia = await makeStaff(app, admin, 'Mia Moreno')
    const call = (name: string, person = sam) =>
      app.ask({ path: '/api/account/name', token: person.token, body: { name } })
    const refusal = {
      success: false,
      error: 'Somebody in your company is called so already. Add something that tells you apart.',
      code: 'name_taken',
    }
    const written = ['Mia Moreno', 'MIA  moreno', 'Mia\u00A0Moreno', 'Mi\u200Ba Moreno', 'Ｍia Moreno']
    for (const name of written) {
      const { status, body } = await call(name)
      expect([name, status, body]).toEqual([name, 409, refusal])
    }
    await act(admin, mia.userId, 'deactivate')
    expect((await call('Mia Moreno')).status).toBe(409)
    expect((await call('Mia Moreno', await makeCompany(app))).status).toBe(200)
    expect((await call('sam staff')).body).toEqual({ success: true, name: 'sam staff' })
    const joining = await accept(await secretOf(inviteAs(admin)), 'mia moreno')
    expect([joining.status, joining.body]).toEqual([409, refusal])
  })

  it('gives a name to one of two who ask for it at once', async () => {
    const admin = await makeCompany(app)
    const sam = await makeStaff(app, admin)
    const secret = await secretOf(inviteAs(admin))
    const replies = await Promise.all([
      app.ask({ path: '/api/account/name', token: sam.token, body: { name: 'Kim' } }),
      app.ask({ path: '/api/account/name', token: admin.token, body: { name: 'Kim' } }),
      accept(secret, 'Kim'),
    ])
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(2)
  })
})

describe('a person whom the operator adds', () => {
  const add = async (admin: Person, user: { email: string; role: 'admin' | 'user' }) =>
    await app.database.inTenant(admin.tenantId, (tx) =>
      addUser(tx, { ...user, name: 'Olga Operator', passwordHash: 'none' }),
    )

  it('is called as nobody there is', async () => {
    const admin = await makeCompany(app)
    await makeStaff(app, admin, 'Olga  operator')
    await expect(add(admin, { email: newEmail(), role: 'user' })).rejects.toThrow(
      'Somebody in your company is called so already. Add something that tells you apart.',
    )
  })

  it('has the seat of their own invitation', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    await makeStaff(app, admin)
    const email = `olga-${randomUUID()}@example.com`
    const invitation = {
      path: '/api/team/invitations',
      token: admin.token,
      body: { email, mail: false, role: 'user' },
    }
    await app.done(invitation)
    await add(admin, { email, role: 'user' })
    expect(await team(admin)).toMatchObject({
      users: [{ name: admin.name }, { name: 'Olga Operator' }, { name: 'Sam Staff' }],
      invitations: [],
    })
  })

  it('is an administrator also where no seat is left, which somebody else then has no more', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    for (const name of ['Sam', 'Zoe']) await makeStaff(app, admin, name)
    const email = () => `olga-${randomUUID()}@example.com`
    await expect(add(admin, { email: email(), role: 'user' })).rejects.toThrow(
      'The Starter plan has 3 users and all seats are taken.',
    )
    await add(admin, { email: email(), role: 'admin' })
    const { rows } = await app.owner.query(
      'select name, seated from users where tenant_id = $1 order by id',
      [admin.tenantId],
    )
    expect(rows).toEqual([
      { name: admin.name, seated: true },
      { name: 'Sam', seated: true },
      { name: 'Zoe', seated: false },
      { name: 'Olga Operator', seated: true },
    ])
  })
})
