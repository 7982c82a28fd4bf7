import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { untilSomebodyWaits } from '../../test/leaving.ts'
import { startMailServer } from '../../test/smtp.ts'
import {
  makeCompany,
  makeStaff,
  signInAgain,
  startTestApp,
  testPassword,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'

let mailServer: Awaited<ReturnType<typeof startMailServer>>
let app: TestApp
let plain: TestApp
beforeAll(async () => {
  mailServer = await startMailServer()
  app = await startTestApp({ SMTP_URL: mailServer.url, PUBLIC_URL: 'https://count.example.com/' })
  plain = await startTestApp()
})
afterAll(async () => {
  await app.close()
  await plain.close()
  await mailServer.close()
})

const forgot = (email: string, node = app) => node.ask({ path: '/api/auth/forgot-password', body: { email } })

/** The mails to an address but for the one that comes with its registration, some time or other. */
const mailsTo = (email: string) =>
  mailServer.mails.filter(
    (mail) => mail.includes(`To: ${email}`) && !mail.includes('Subject: Confirm your address'),
  )

/** The text of the newest mail to an address, its soft line breaks joined. */
async function mailTo(email: string): Promise<string> {
  const find = () => mailsTo(email).at(-1)
  await expect.poll(find).toBeDefined()
  const text = find() ?? ''
  return text.replaceAll(/=\n/g, '').replaceAll('=3D', '=')
}

/** For how many hours the password links of a company are good from when they were made. */
async function hoursOfLinks(where: TestApp, { tenantId }: Person): Promise<number[]> {
  const { rows } = await where.owner.query<{ hours: number }>(
    `select round(extract(epoch from expires_at - created_at) / 3600, 1)::float as hours
     from one_time_links where tenant_id = $1 and kind = 'password'`,
    [tenantId],
  )
  return rows.map(({ hours }) => hours)
}

describe('a forgotten password, with a mail server', () => {
  it('is set anew by the link in a mail, which ends every session and signs in', async () => {
    const admin = await makeCompany(app)
    const asked = await forgot(` ${admin.email.toUpperCase()}`)
    expect([asked.status, asked.body]).toEqual([
      200,
      {
        success: true,
        way: 'mail',
        message: 'If this address has an account, a link to set a new password is on its way.',
      },
    ])
    const [, secret = ''] =
      /https:\/\/count\.example\.com\/new-password#([\w-]+)/.exec(await mailTo(admin.email)) ?? []
    expect(await hoursOfLinks(app, admin)).toEqual([1])
    const reset = await app.ask({ path: '/api/auth/reset-password', body: { secret, passcode: 'brand new' } })
    expect([reset.status, reset.body]).toMatchObject([200, { user: { email: admin.email } }])
    const old = await app.ask({ method: 'GET', path: '/api/dashboard', token: admin.token })
    expect(old.status).toBe(401)
    expect(await signInAgain(app, admin, 'brand new')).toEqual(expect.any(String))
    const again = await app.ask({ path: '/api/auth/reset-password', body: { secret, passcode: 'another' } })
    expect(again.status).toBe(410)
  })

  it('by a link that an administrator made, is set where people reach the program, as far as that was said', async () => {
    const linkOf = async (at: TestApp) => {
      const { token, userId } = await makeCompany(at)
      const of = (path: string, body = {}) => at.ask({ path, token, body })
      const email = `new-${userId}@example.com`
      return [
        await of('/api/team/invitations', { email }),
        await of(`/api/team/users/${userId}/password-link`),
      ]
    }
    for (const { body } of await linkOf(app)) {
      expect(body).toMatchObject({ public_url: 'https://count.example.com' })
    }
    for (const { body } of await linkOf(plain)) expect(body).not.toHaveProperty('public_url')
  })

  it('whoever asks for a mail ends links mailed before, not the one an administrator made', async () => {
    const admin = await makeCompany(app)
    const path = `/api/team/users/${admin.userId}/password-link`
    const made = await app.ask({ path, token: admin.token, body: { mail: false } })
    const { secret } = z.object({ secret: z.string() }).parse(made.body)
    const mailed = async (links: number) => {
      await forgot(admin.email)
      await expect.poll(() => mailsTo(admin.email)).toHaveLength(links)
      return /new-password#([\w-]+)/.exec(await mailTo(admin.email))?.[1] ?? ''
    }
    const [older, newer] = [await mailed(1), await mailed(2)]
    const reset = async (link: string) =>
      (await app.ask({ path: '/api/auth/reset-password', body: { secret: link, passcode: 'brand new' } }))
        .status
    expect(await reset(older)).toBe(410)
    expect(await reset(secret)).toBe(200)
    expect(await reset(newer)).toBe(410)
  })

  it('is set once for a key: sent again, the reset answers with the same session', async () => {
    const admin = await makeCompany(app)
    await forgot(admin.email)
    const [, secret = ''] = /new-password#([\w-]+)/.exec(await mailTo(admin.email)) ?? []
    const body = { secret, passcode: 'brand new' }
    const request = { path: '/api/auth/reset-password', key: 'reset-1', body }
    expect((await app.ask(request)).status).toBe(200)
    const again = await app.ask(request)
    expect([again.status, again.body]).toMatchObject([200, { user: { email: admin.email } }])
    const { token } = z.object({ token: z.string() }).parse(again.body)
    expect((await app.ask({ method: 'GET', path: '/api/dashboard', token })).status).toBe(200)
    expect((await app.ask({ ...request, body: { secret, passcode: 'another' } })).status).toBe(422)
  })

  it('answers the same for an address without an account, and sends nothing', async () => {
    const admin = await makeCompany(app)
    const known = await forgot(admin.email)
    const unknown = await forgot('nobody@example.com')
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    await mailTo(admin.email)
    expect(mailServer.mails.filter((mail) => mail.includes('nobody@example.com'))).toEqual([])
  })

  it('is throttled, alike for addresses with and without an account', async () => {
    const admin = await makeCompany(app)
    for (const email of [admin.email, 'never-registered@example.com']) {
      const replies = [] as number[]
      for (let index = 0; index < 6; index += 1) replies.push((await forgot(email)).status)
      expect(replies).toEqual([200, 200, 200, 200, 200, 429])
    }
  })

  it('a mail server that is gone is no reason not to answer', async () => {
    const broken = await startTestApp({ SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'https://x.example' })
    const admin = await makeCompany(broken)
    expect((await forgot(admin.email, broken)).status).toBe(200)
    const invited = await broken.ask({
      path: '/api/team/invitations',
      token: admin.token,
      body: { email: 'new@example.com' },
    })
    expect([invited.status, invited.body]).toMatchObject([
      201,
      { mailed: 'failed', secret: expect.any(String) },
    ])
    await broken.close()
  })

  it('an invitation goes out by mail too', async () => {
    const admin = await makeCompany(app)
    const invited = await app.ask({
      path: '/api/team/invitations',
      token: admin.token,
      body: { email: 'mailed@example.com' },
    })
    expect(invited.body).toMatchObject({ mailed: 'sent' })
    const mail = await mailTo('mailed@example.com')
    expect(mail).toContain(`${admin.name} invites you to`)
    expect(mail).toContain('https://count.example.com/invitation#')
    expect(mail).toContain('From: Inventory Manager <no-reply@count.example.com>')
  })

  it('the link that an administrator makes says so, and how long it is good', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    await app.owner.query("update companies set name = 'Nordlager AG' where tenant_id = $1", [admin.tenantId])
    const path = `/api/team/users/${staff.userId}/password-link`
    await app.done({ path, token: admin.token, body: { mail: true } })
    const mail = (await mailTo(staff.email)).replaceAll('=\r\n', '')
    expect(mail).toContain('Subject: Set a new password')
    expect(mail).toContain(
      `${admin.name}, an administrator of Nordlager AG on Inventory Manager, made you a link to set a new password.`,
    )
    expect(mail).toContain('https://count.example.com/new-password#')
    expect(mail).toContain(
      'The link works once, within 24 hours. Until you use it your password stays as it is.',
    )
    expect(mail).not.toContain('most likely you')
  })

  it('at most three an hour go to one address, also from several companies; the link is made all the same', async () => {
    const email = 'mailed-often@example.com'
    const mailed = async (admin: Person) =>
      (await app.ask({ path: '/api/team/invitations', token: admin.token, body: { email } })).body
    const [one, other] = [await makeCompany(app), await makeCompany(app)]
    const replies = [await mailed(one), await mailed(other), await mailed(one), await mailed(other)]
    const made = {
      success: true,
      secret: expect.any(String),
      expires_at: expect.any(String),
      public_url: 'https://count.example.com',
    }
    const sent = { ...made, mailed: 'sent' }
    const late = 'Not mailed: 3 an hour at the most to one address, again in 60 minutes.'
    expect(replies).toEqual([sent, sent, sent, { ...made, mailed: 'failed', not_mailed: late }])
    expect(mailsTo(email)).toHaveLength(3)
  })

  it.each([
    { plan: 'professional', limit: 50 },
    { plan: 'enterprise', limit: 200 },
  ] as const)(
    'of the $plan plan at most $limit an hour are sent for one company, invitations and links together',
    async ({ plan, limit }) => {
      const admin = await makeCompany(app, { plan })
      const mailed = async (path: string, body: object) =>
        (await app.done({ path: `/api/team/${path}`, token: admin.token, body })).body
      expect(await mailed('invitations', { email: `first-of-${plan}@example.com` })).toMatchObject({
        mailed: 'sent',
      })
      // As if all but one of them had been mailed since.
      const key = createHash('sha256').update(`mails_of_company\n${admin.tenantId}`).digest('base64url')
      const { rowCount } = await app.owner.query('update attempts set taken = $2 where key = $1', [
        key,
        limit - 1,
      ])
      expect(rowCount).toBe(1)
      const link = `users/${admin.userId}/password-link`
      expect(await mailed(link, { mail: true })).toMatchObject({ mailed: 'sent' })
      for (const _ of [1, 2, 3, 4]) {
        expect(await mailed('invitations', { email: `last-of-${plan}@example.com` })).toMatchObject({
          mailed: 'failed',
          not_mailed: `Not mailed: ${limit} an hour at the most of one company, again in 60 minutes.`,
          secret: expect.any(String),
        })
      }
    },
  )

  it('what the mail server does not take counts for neither limit, but what it may have taken does', async () => {
    const admin = await makeCompany(app)
    const email = 'mailed-in-the-end@example.com'
    const mailed = async () =>
      (await app.done({ path: '/api/team/invitations', token: admin.token, body: { email } })).body
    const failed = {
      success: true,
      secret: expect.any(String),
      expires_at: expect.any(String),
      public_url: 'https://count.example.com',
      mailed: 'failed',
    }
    mailServer.faults.set(email, 'refuses')
    for (const _ of [1, 2, 3, 4]) expect(await mailed()).toEqual(failed)
    mailServer.faults.set(email, 'drops behind the text')
    expect(await mailed()).toEqual(failed)
    mailServer.faults.clear()
    expect([await mailed(), await mailed()]).toMatchObject([{ mailed: 'sent' }, { mailed: 'sent' }])
    expect(await mailed()).toMatchObject({ not_mailed: expect.stringContaining('3 an hour at the most') })
    const { rows } = await app.owner.query('select taken from attempts where key = $1', [
      createHash('sha256').update(`mails_of_company\n${admin.tenantId}`).digest('base64url'),
    ])
    expect(rows).toEqual([{ taken: 3 }])
  })

  it('names stay on their line of the mail, are short, and lead nowhere', async () => {
    const admin = await makeCompany(app)
    await app.owner.query(
      `update companies set name = E'Acme\n\nPay here: https://evil.example evil。example' where tenant_id = $1`,
      [admin.tenantId],
    )
    await app.owner.query(`update users set name = E'Ada\nAdmin' where id = $1`, [admin.userId])
    const body = { email: 'lines@example.com' }
    await app.done({ path: '/api/team/invitations', token: admin.token, body })
    expect(await mailTo('lines@example.com')).toContain(
      'Ada Admin invites you to Acme Pay here: https: //evil. example evil. example on Inventory Manager.',
    )
    const long = `${'A'.repeat(60)}${'x'.repeat(140)}`
    await app.owner.query('update companies set name = $2 where tenant_id = $1', [admin.tenantId, long])
    const more = { email: 'long@example.com' }
    await app.done({ path: '/api/team/invitations', token: admin.token, body: more })
    // Quoted-printable breaks lines anywhere.
    const mail = (await mailTo('long@example.com')).replaceAll('=\r\n', '')
    expect(mail).toContain(`invites you to ${'A'.repeat(60)}=E2=80=A6 on Inventory Manager.`)
  })
})

describe('somebody whose account was changed', () => {
  it('is told by mail of a new password, once, also where the answer was lost', async () => {
    const admin = await makeCompany(app)
    const request = {
      path: '/api/auth/change-password',
      token: admin.token,
      key: 'p-1',
      body: { passcode: testPassword, newPasscode: 'a new horse' },
    }
    expect((await app.ask(request)).status).toBe(200)
    expect((await app.ask(request)).status).toBe(200)
    const mail = await mailTo(admin.email)
    expect(mail).toContain('Subject: Your password was changed')
    expect(mail).toContain('Your password for Inventory Manager was changed.')
    expect(mail).toContain('If it was not you, tell an administrator of your company at once.')
    expect(mail).not.toContain('https://')
    expect(mailsTo(admin.email)).toHaveLength(1)
  })

  it('is told by mail of a new password once, also where it was sent again before the answer', async () => {
    const admin = await makeCompany(app)
    const holder = await app.owner.connect()
    await holder.query('begin')
    await holder.query('select from users where id = $1 for no key update', [admin.userId])
    const change = () =>
      app.ask({
        path: '/api/auth/change-password',
        token: admin.token,
        key: 'p-1',
        body: { passcode: testPassword, newPasscode: 'a new horse' },
      })
    const first = change()
    await untilSomebodyWaits(app)
    const again = change()
    await untilSomebodyWaits(app, 2)
    await holder.query('commit')
    holder.release()
    expect([(await first).status, (await again).status]).toEqual([200, 200])
    // A mail that was sent twice would be there before this one.
    await forgot(admin.email)
    const subjects = () =>
      mailsTo(admin.email).flatMap((mail) => /^Subject: .+$/m.exec(mail)?.[0].trim() ?? [])
    const both = ['Subject: Set a new password', 'Subject: Your password was changed']
    await expect.poll(subjects).toEqual(expect.arrayContaining(both))
    expect(subjects()).toHaveLength(2)
  })

  it('is told by mail of a new password, however many links were mailed before', async () => {
    const admin = await makeCompany(app)
    const path = `/api/team/users/${admin.userId}/password-link`
    for (const mailed of ['sent', 'sent', 'sent', 'failed']) {
      expect((await app.ask({ path, token: admin.token, body: { mail: true } })).body).toMatchObject({
        mailed,
      })
    }
    const body = { passcode: testPassword, newPasscode: 'a new horse' }
    expect((await app.ask({ path: '/api/auth/change-password', token: admin.token, body })).status).toBe(200)
    await expect.poll(() => mailsTo(admin.email).join('')).toContain('Subject: Your password was changed')
  })

  it('is told by mail of a new password that a link gave', async () => {
    const admin = await makeCompany(app)
    const path = `/api/team/users/${admin.userId}/password-link`
    const made = await app.ask({ path, token: admin.token, body: { mail: false } })
    const { secret } = z.object({ secret: z.string() }).parse(made.body)
    const reset = await app.ask({ path: '/api/auth/reset-password', body: { secret, passcode: 'brand new' } })
    expect(reset.status).toBe(200)
    expect(await mailTo(admin.email)).toContain('Your password for Inventory Manager was changed.')
  })

  it('is told by mail of another role, and not of the same', async () => {
    const admin = await makeCompany(app)
    const staff = await makeStaff(app, admin)
    await app.owner.query("update companies set name = 'Nordlager AG' where tenant_id = $1", [admin.tenantId])
    const give = async (role: string, key?: string) => {
      const path = `/api/team/users/${staff.userId}/role`
      const reply = await app.ask({ path, token: admin.token, body: { role }, ...(key && { key }) })
      expect([reply.status, reply.body]).toEqual([200, { success: true }])
    }
    await give('user')
    await give('admin', 'r-1')
    await give('admin', 'r-1')
    const made = 'You are an administrator of Nordlager AG on Inventory Manager now.'
    expect(await mailTo(staff.email)).toContain(made)
    expect(mailsTo(staff.email)).toHaveLength(1)
    await give('user')
    await expect.poll(() => mailsTo(staff.email)).toHaveLength(2)
    expect(await mailTo(staff.email)).toContain(
      'You are no longer an administrator of Nordlager AG on Inventory Manager.',
    )
  })
})

describe('a forgotten password, without a mail server', () => {
  it('leads to an administrator', async () => {
    const { body } = await forgot('somebody@example.com', plain)
    expect(body).toEqual({
      success: true,
      way: 'administrator',
      message:
        'Ask an administrator of your company: under Team they can make a link by which you set a new password. If you are its only administrator, ask whoever runs this installation for one.',
    })
  })

  it('is set anew by the link an administrator made; a newer link ends an older one', async () => {
    const admin = await makeCompany(plain)
    const staff = await makeStaff(plain, admin)
    const make = async () => {
      const path = `/api/team/users/${staff.userId}/password-link`
      const reply = await plain.ask({ path, token: admin.token, body: {} })
      return z.object({ secret: z.string() }).parse(reply.body).secret
    }
    const older = await make()
    const newer = await make()
    expect(await hoursOfLinks(plain, admin)).toEqual([24, 24])
    const reset = (secret: string) =>
      plain.ask({ path: '/api/auth/reset-password', body: { secret, passcode: 'brand new' } })
    expect((await reset(older)).status).toBe(410)
    // A link for a password is no invitation.
    const accepted = await plain.ask({
      path: '/api/auth/accept-invitation',
      body: { secret: newer, name: 'X', passcode: 'brand new' },
    })
    expect(accepted.status).toBe(410)
    expect((await reset(newer)).status).toBe(200)
  })

  it('sent for again under its key, the link an administrator made stays good', async () => {
    const admin = await makeCompany(plain)
    const request = {
      path: `/api/team/users/${admin.userId}/password-link`,
      token: admin.token,
      key: 'l-1',
      body: {},
    }
    const { secret } = z.object({ secret: z.string() }).parse((await plain.ask(request)).body)
    const again = await plain.ask(request)
    expect([again.status, again.body]).toMatchObject([409, { code: 'shown_once' }])
    const reset = { path: '/api/auth/reset-password', body: { secret, passcode: 'brand new' } }
    expect((await plain.ask(reset)).status).toBe(200)
  })

  it('is over with deactivation, also for who comes back', async () => {
    const admin = await makeCompany(plain)
    const staff = await makeStaff(plain, admin)
    const act = (what: string) =>
      plain.ask({ path: `/api/team/users/${staff.userId}/${what}`, token: admin.token, body: {} })
    const { secret } = z.object({ secret: z.string() }).parse((await act('password-link')).body)
    expect((await act('deactivate')).status).toBe(200)
    expect((await act('reactivate')).status).toBe(200)
    const reset = await plain.ask({ path: '/api/auth/reset-password', body: { secret, passcode: 'stolen!' } })
    expect(reset.status).toBe(410)
  })

  it.each(['demoted', 'deactivated'])(
    'is not set by the link of an administrator who was %s since',
    async (change) => {
      const admin = await makeCompany(plain)
      const leaving = await makeStaff(plain, admin)
      const onUser = (what: string, body: object) =>
        plain.done({ path: `/api/team/users/${leaving.userId}/${what}`, token: admin.token, body })
      await onUser('role', { role: 'admin' })
      const path = `/api/team/users/${admin.userId}/password-link`
      const made = await plain.ask({ path, token: leaving.token, body: {} })
      const { secret } = z.object({ secret: z.string() }).parse(made.body)
      await (change === 'demoted' ? onUser('role', { role: 'user' }) : onUser('deactivate', {}))

      const reset = { path: '/api/auth/reset-password', body: { secret, passcode: 'stolen!' } }
      const { status, body } = await plain.ask(reset)
      expect([status, body]).toMatchObject([
        410,
        {
          error:
            'The person who made this link is no longer an administrator. Ask an administrator for a new one.',
        },
      ])
      expect(await signInAgain(plain, admin)).toEqual(expect.any(String))
    },
  )

  it('changing the password makes an open link invalid', async () => {
    const admin = await makeCompany(plain)
    const path = `/api/team/users/${admin.userId}/password-link`
    const { secret } = z
      .object({ secret: z.string() })
      .parse((await plain.ask({ path, token: admin.token, body: {} })).body)
    await plain.ask({
      path: '/api/auth/change-password',
      token: admin.token,
      body: { passcode: testPassword, newPasscode: 'a new horse' },
    })
    const reset = await plain.ask({ path: '/api/auth/reset-password', body: { secret, passcode: 'stolen!' } })
    expect(reset.status).toBe(410)
  })
})
