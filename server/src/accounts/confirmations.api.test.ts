import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startMailServer } from '../../test/smtp.ts'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let mailServer: Awaited<ReturnType<typeof startMailServer>>
let app: TestApp
let plain: TestApp
beforeAll(async () => {
  mailServer = await startMailServer()
  app = await startTestApp({ SMTP_URL: mailServer.url, PUBLIC_URL: 'https://count.example.com' })
  plain = await startTestApp()
})
afterAll(async () => {
  await app.close()
  await plain.close()
  await mailServer.close()
})
beforeEach(() => mailServer.faults.clear())

/** A company registered through the door, which mails. */
const register = async ({ ask } = app) => await makeCompany({ ask })

/** The mails to an address as they are read, the newest last, once there are so many. */
async function mailsTo(email: string, count: number): Promise<string[]> {
  const sent = () => mailServer.mails.filter((mail) => mail.includes(`To: ${email}`))
  await expect.poll(sent).toHaveLength(count)
  return sent().map((mail) => mail.replaceAll(/=\n/g, '').replaceAll('=3D', '='))
}

/** The secret of the newest link that was mailed to somebody, once there are so many mails. */
async function secretTo({ email }: Person, count = 1): Promise<string> {
  const mail = (await mailsTo(email, count)).at(-1) ?? ''
  return /https:\/\/count\.example\.com\/(?:confirm-email|new-password)#([\w-]+)/.exec(mail)?.[1] ?? ''
}

const send = ({ token }: Person, node = app) =>
  node.ask({ path: '/api/account/send-confirmation', token, body: {} })

const confirm = (secret: string, node = app) =>
  node.ask({ path: '/api/auth/confirm-email', body: { secret } })

const read = (secret: string) => app.ask({ path: '/api/auth/link', body: { secret } })

async function isConfirmed({ userId }: Person, node = app): Promise<boolean> {
  const { rows } = await node.owner.query<{ confirmed: boolean }>(
    'select email_confirmed_at is not null as confirmed from users where id = $1',
    [userId],
  )
  return rows[0]?.confirmed ?? false
}

/** What the trail says of confirmed addresses. */
async function confirmations({ tenantId }: Person): Promise<unknown[]> {
  const { rows } = await app.owner.query(
    `select kind, user_id, user_name, metadata->>'email' as email from audit_entries
     where tenant_id = $1 and event = 'email_confirmed'`,
    [tenantId],
  )
  return rows
}

const gone = 'This link is no longer valid. Sign in and send another one from Account.'

describe('the address somebody registers with', () => {
  it('is confirmed by the link that is mailed there, which signs nobody in', async () => {
    const admin = await register()
    await app.owner.query(`update companies set name = 'Win at https://evil.example' where tenant_id = $1`, [
      admin.tenantId,
    ])
    await send(admin)
    const [first = '', second = ''] = await mailsTo(admin.email, 2)
    expect(first).toMatch(
      /Somebody, most likely you, signs in to Company \d+ on Inventory Manager with this address\./,
    )
    expect(second).toContain('Subject: Confirm your address')
    expect(second).toContain('signs in to Win at https: //evil. example on Inventory Manager')
    expect(second).toContain('The link works once, within 7 days. If it was not you, there is nothing to do:')
    const secret = await secretTo(admin, 2)
    const facts = await read(secret)
    expect([facts.status, facts.body]).toMatchObject([
      200,
      { kind: 'email', email: admin.email, name: admin.name, role: 'admin' },
    ])
    expect(await isConfirmed(admin)).toBe(false)
    const { status, body } = await confirm(secret)
    expect([status, body]).toEqual([200, { success: true }])
    expect(await isConfirmed(admin)).toBe(true)
    const { rows: used } = await app.owner.query(
      'select from one_time_links where tenant_id = $1 and used_at is not null',
      [admin.tenantId],
    )
    expect(used).toHaveLength(1)
    expect(await confirmations(admin)).toEqual([
      { kind: 'authentication', user_id: admin.userId, user_name: admin.name, email: admin.email },
    ])
  })

  it('is mailed one link for a registration that is sent again under its key', async () => {
    const email = `again-${Date.now()}@example.com`
    const request = {
      path: '/api/auth/register-tenant',
      key: 'r-1',
      body: { companyName: 'Again', contactEmail: email, contactName: 'Ada', adminPasscode: 'correct horse' },
    }
    expect([(await app.ask(request)).status, (await app.ask(request)).status]).toEqual([201, 201])
    await register()
    expect(await mailsTo(email, 1)).toHaveLength(1)
  })

  it('stays confirmed, with one entry in the trail, where the link is used and opened again', async () => {
    const admin = await register()
    const secret = await secretTo(admin)
    const replies = await Promise.all([confirm(secret), confirm(secret), confirm(secret)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await read(secret)).body).toMatchObject({ kind: 'email', email: admin.email })
    expect((await confirm(secret)).body).toEqual({ success: true })
    expect(await confirmations(admin)).toHaveLength(1)
  })

  it('is not confirmed by a link that a newer one took the place of, while the newer one is good', async () => {
    const admin = await register()
    const older = await secretTo(admin)
    expect((await send(admin)).body).toEqual({ success: true, mailed: 'sent' })
    const newer = await secretTo(admin, 2)
    for (const reply of [await confirm(older), await read(older)]) {
      expect([reply.status, reply.body]).toMatchObject([410, { code: 'link_invalid', error: gone }])
    }
    expect(await isConfirmed(admin)).toBe(false)
    expect((await confirm(newer)).status).toBe(200)
    expect((await confirm(older)).status).toBe(410)
  })

  it('is not confirmed by a link of more than 7 days, nor by one that never was', async () => {
    const admin = await register()
    const secret = await secretTo(admin)
    const age = (hours: number) =>
      app.owner.query(
        `update one_time_links set created_at = created_at - make_interval(hours => $2),
           expires_at = expires_at - make_interval(hours => $2)
         where tenant_id = $1`,
        [admin.tenantId, hours],
      )
    await age(7 * 24 - 1)
    expect((await read(secret)).status).toBe(200)
    await age(1)
    const late = await confirm(secret)
    expect([late.status, late.body]).toMatchObject([410, { error: gone }])
    const unknown = `${secret.slice(0, -4)}AAAA`
    const refused = await confirm(unknown)
    expect([refused.status, refused.body]).toMatchObject([
      410,
      { error: 'This link is no longer valid. Ask an administrator for a new one.' },
    ])
    expect((await confirm('nothing')).status).toBe(410)
    expect(await isConfirmed(admin)).toBe(false)
  })

  it('is not confirmed by the link of somebody who was deactivated, also when they are back', async () => {
    const admin = await register()
    const staff = await makeStaff(app, admin)
    await send(staff)
    const secret = await secretTo(staff)
    const act = (what: string) =>
      app.done({ path: `/api/team/users/${staff.userId}/${what}`, token: admin.token, body: {} })
    await act('deactivate')
    expect((await confirm(secret)).status).toBe(410)
    await act('reactivate')
    expect((await confirm(secret)).status).toBe(410)
    expect(await isConfirmed(staff)).toBe(false)
  })

  it('is confirmed by its link also after another password was chosen', async () => {
    const admin = await register()
    const secret = await secretTo(admin)
    const path = `/api/team/users/${admin.userId}/password-link`
    const made = await app.ask({ path, token: admin.token, body: { mail: false } })
    const { secret: passwordLink } = z.object({ secret: z.string() }).parse(made.body)
    const body = { secret: passwordLink, passcode: 'brand new' }
    expect((await app.ask({ path: '/api/auth/reset-password', body })).status).toBe(200)
    expect(await isConfirmed(admin)).toBe(false)
    expect((await confirm(secret)).status).toBe(200)
  })

  it('is confirmed for its own company, and sets no password, whatever the link is sent to', async () => {
    const [admin, other] = [await register(), await register()]
    const secret = await secretTo(admin)
    const foreign = Buffer.from(secret, 'base64url')
    Buffer.from(other.tenantId.replaceAll('-', ''), 'hex').copy(foreign)
    expect((await confirm(foreign.toString('base64url'))).status).toBe(410)
    const reset = await app.ask({ path: '/api/auth/reset-password', body: { secret, passcode: 'stolen!' } })
    expect(reset.status).toBe(410)
    const accepted = await app.ask({
      path: '/api/auth/accept-invitation',
      body: { secret, name: 'X', passcode: 'stolen!' },
    })
    expect(accepted.status).toBe(410)
    expect((await confirm(secret)).status).toBe(200)
    expect([await isConfirmed(admin), await isConfirmed(other)]).toEqual([true, false])
  })

  it('is not confirmed by a link to set a password, but by setting one through a mail that was asked for', async () => {
    const admin = await register()
    await mailsTo(admin.email, 1)
    await app.ask({ path: '/api/auth/forgot-password', body: { email: admin.email } })
    const secret = await secretTo(admin, 2)
    expect((await confirm(secret)).status).toBe(410)
    expect(await isConfirmed(admin)).toBe(false)
    const body = { secret, passcode: 'brand new' }
    expect((await app.ask({ path: '/api/auth/reset-password', body })).status).toBe(200)
    expect(await isConfirmed(admin)).toBe(true)
    expect(await confirmations(admin)).toHaveLength(1)
  })
})

describe('who is signed in', () => {
  const self = async ({ token }: Person, node = app) =>
    (await node.ask({ method: 'GET', path: '/api/auth/user', token })).body

  it('is told whether the address is confirmed, of theirs alone', async () => {
    const admin = await register()
    const staff = await makeStaff(app, admin)
    expect(await self(admin)).toMatchObject({ email_confirmed: false, sends_mail: true })
    await confirm(await secretTo(admin))
    expect(await self(admin)).toMatchObject({ email_confirmed: true, sends_mail: true })
    expect(await self(staff)).toMatchObject({ email_confirmed: false, sends_mail: true })
  })

  it('is told whether mails are sent at all', async () => {
    const admin = await register(plain)
    expect(await self(admin, plain)).toMatchObject({ email_confirmed: false, sends_mail: false })
  })
})

describe('who becomes an administrator', () => {
  const made = z.object({ secret: z.string() })

  async function invite(
    { token }: Person,
    role: 'admin' | 'user',
  ): Promise<{ email: string; secret: string }> {
    const email = `invited-${crypto.randomUUID()}@example.com`
    const { body } = await app.ask({ path: '/api/team/invitations', token, body: { email, role } })
    return { email, secret: made.parse(body).secret }
  }

  const join = (secret: string, name: string) =>
    app.ask({
      path: '/api/auth/accept-invitation',
      key: 'joins',
      body: { secret, name, passcode: 'a new horse' },
    })

  const give = (admin: Person, { userId }: Person, role: 'admin' | 'user') =>
    app.ask({ path: `/api/team/users/${userId}/role`, token: admin.token, body: { role } })

  it('by an invitation is mailed the link once, however often that is sent; staff who join are not', async () => {
    const admin = await register()
    const [staff, joining] = [await invite(admin, 'user'), await invite(admin, 'admin')]
    const replies = [
      await join(staff.secret, 'Sam'),
      await join(joining.secret, 'Ada'),
      await join(joining.secret, 'Ada'),
    ]
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    await register()
    expect(await mailsTo(joining.email, 2)).toMatchObject([
      expect.stringContaining('Subject: Invitation to'),
      expect.stringContaining('Subject: Confirm your address'),
    ])
    expect(await mailsTo(staff.email, 1)).toHaveLength(1)
  })

  it('by another role is mailed the link with that, unless the address is confirmed', async () => {
    const admin = await register()
    const staff = await makeStaff(app, admin)
    expect((await give(admin, staff, 'admin')).status).toBe(200)
    expect(await mailsTo(staff.email, 2)).toMatchObject([
      expect.stringContaining('Subject: Your role was changed'),
      expect.stringContaining('Subject: Confirm your address'),
    ])
    expect((await confirm(await secretTo(staff, 2))).status).toBe(200)
    await give(admin, staff, 'user')
    await give(admin, staff, 'admin')
    const mails = await mailsTo(staff.email, 4)
    expect(mails.filter((mail) => mail.includes('Subject: Confirm your address'))).toHaveLength(1)
  })
})

describe('another mail to confirm an address', () => {
  it('is sent to anybody who signs in and asks, until the address is confirmed', async () => {
    const admin = await register()
    const staff = await makeStaff(app, admin)
    expect((await send(staff)).body).toEqual({ success: true, mailed: 'sent' })
    expect((await confirm(await secretTo(staff))).status).toBe(200)
    const again = await send(staff)
    expect([again.status, again.body]).toMatchObject([
      409,
      { code: 'address_confirmed', error: 'Your address is confirmed already.' },
    ])
    expect(await mailsTo(staff.email, 1)).toHaveLength(1)
  })

  it('is asked for once more as often as the mail server did not take it, but not where it may have', async () => {
    const admin = await register()
    await mailsTo(admin.email, 1)
    for (const fault of ['refuses', 'drops before the text'] as const) {
      mailServer.faults.set(admin.email, fault)
      for (const _ of [1, 2, 3]) expect((await send(admin)).body).toMatchObject({ mailed: 'failed' })
    }
    mailServer.faults.set(admin.email, 'drops behind the text')
    expect((await send(admin)).body).toMatchObject({ mailed: 'failed' })
    mailServer.faults.clear()
    expect([(await send(admin)).body, (await send(admin)).body]).toMatchObject([
      { mailed: 'sent' },
      { mailed: 'sent' },
    ])
    expect((await send(admin)).status).toBe(429)
  })

  it('is asked for three times a day at the most, and keeps no notice of another password back', async () => {
    const admin = await register()
    const replies = [await send(admin), await send(admin), await send(admin), await send(admin)]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(replies[3]?.body).toMatchObject({
      error:
        'Three mails to confirm your address were sent within a day. Look among unwanted mails, or ask again tomorrow.',
    })
    expect(await mailsTo(admin.email, 4)).toHaveLength(4)
  })

  it('that the mail server does not take is said not to be sent', async () => {
    const admin = await register()
    await mailsTo(admin.email, 1)
    mailServer.faults.set(admin.email, 'refuses')
    const { status, body } = await send(admin)
    expect([status, body]).toEqual([200, { success: true, mailed: 'failed' }])
  })

  it('is not sent where there is no mail server, which a registration does without', async () => {
    const admin = await register(plain)
    const { status, body } = await send(admin, plain)
    expect([status, body]).toMatchObject([
      409,
      { code: 'no_mail', error: 'No mail server is set up here, so no mail can be sent.' },
    ])
    const { rows } = await plain.owner.query('select from one_time_links where tenant_id = $1', [
      admin.tenantId,
    ])
    expect(rows).toEqual([])
  })
})

it('wrong links count as guesses of whoever sends them', async () => {
  const strict = await startTestApp({ SIGN_INS_PER_ADDRESS: '3' })
  const secret = Buffer.alloc(48).toString('base64url')
  const replies = [] as number[]
  for (let index = 0; index < 4; index += 1) replies.push((await confirm(secret, strict)).status)
  expect(replies).toEqual([410, 410, 410, 429])
  await strict.close()
})
