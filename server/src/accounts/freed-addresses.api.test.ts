import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listBroken } from '../../test/invariants.ts'
import {
  makeCompany,
  makeStaff,
  signInAgain,
  startTestApp,
  testPassword,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'
import { addUser } from './seats.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const newEmail = () => `new-${randomUUID()}@example.com`

const inviteAs = ({ token }: Person, email: string) =>
  app.ask({ path: '/api/team/invitations', token, body: { email } })

async function secretOf(reply: Promise<{ body: unknown }>): Promise<string> {
  return z.object({ secret: z.string() }).parse((await reply).body).secret
}

const accept = (secret: string) =>
  app.ask({
    path: '/api/auth/accept-invitation',
    body: { secret, name: 'Sam Again', passcode: 'a new horse' },
  })

const act = ({ token }: Person, { userId }: Person, what: 'deactivate' | 'reactivate') =>
  app.ask({ path: `/api/team/users/${userId}/${what}`, token })

const signIn = async (email: string, passcode: string) =>
  (await app.ask({ path: '/api/auth/login', body: { email, passcode } })).status

const register = async (email: string) =>
  await app.ask({
    path: '/api/auth/register-tenant',
    body: { companyName: 'By mistake', contactEmail: email, contactName: 'Eva', adminPasscode: testPassword },
  })

const elsewhere = 'This address has an account elsewhere by now. Invite the person with another address.'

describe('the address of somebody who was deactivated', () => {
  it('may be invited by another company, where they sign in, and where they came from knows nothing of it', async () => {
    const [former, next] = [await makeCompany(app), await makeCompany(app)]
    const sam = await makeStaff(app, former)
    expect((await inviteAs(next, sam.email)).status).toBe(409)
    expect((await act(former, sam, 'deactivate')).status).toBe(200)
    expect(await signIn(sam.email, testPassword)).toBe(401)

    const { status, body } = await accept(await secretOf(inviteAs(next, sam.email)))
    expect([status, body]).toMatchObject([201, { user: { email: sam.email, tenantId: next.tenantId } }])
    expect([await signIn(sam.email, 'a new horse'), await signIn(sam.email, testPassword)]).toEqual([
      200, 401,
    ])
    expect((await inviteAs(former, sam.email)).body).toMatchObject({
      error: 'This person was deactivated. Reactivate them under Team.',
    })
    expect([
      await listBroken(app.owner, former.tenantId),
      await listBroken(app.owner, next.tenantId),
    ]).toEqual([[], []])
  })

  it('lets whoever registered a company by mistake follow the invitation they had', async () => {
    const admin = await makeCompany(app)
    const email = newEmail()
    const secret = await secretOf(inviteAs(admin, email))
    expect((await register(email)).status).toBe(201)
    const early = await accept(secret)
    expect([early.status, early.body]).toMatchObject([
      409,
      {
        code: 'email_taken',
        error:
          'This address has an account already. This link works as soon as an administrator deactivates it there, or whoever runs this installation removes that company.',
      },
    ])
    const { token, user } = z
      .object({ token: z.string(), user: z.object({ id: z.string(), tenantId: z.string() }) })
      .parse((await app.ask({ path: '/api/auth/login', body: { email, passcode: testPassword } })).body)
    const eva = { token, userId: user.id, tenantId: user.tenantId, email, name: 'Eva' }
    const colleague = await makeStaff(app, eva, 'Cleo Colleague')
    await app.done({ path: `/api/team/users/${colleague.userId}/role`, token, body: { role: 'admin' } })
    expect((await act(colleague, eva, 'deactivate')).status).toBe(200)
    expect((await accept(secret)).status).toBe(201)
  })

  it('may register a company of its own', async () => {
    const admin = await makeCompany(app)
    const sam = await makeStaff(app, admin)
    expect((await register(sam.email)).status).toBe(409)
    await act(admin, sam, 'deactivate')
    expect((await register(sam.email)).status).toBe(201)
  })

  it('is theirs again when they come back, also where a node of the version before left it taken', async () => {
    const admin = await makeCompany(app)
    const sam = await makeStaff(app, admin)
    await act(admin, sam, 'deactivate')
    expect((await act(admin, sam, 'reactivate')).status).toBe(200)
    expect(await signIn(sam.email, testPassword)).toBe(200)
    expect((await inviteAs(await makeCompany(app), sam.email)).status).toBe(409)

    await app.owner.query('update users set active = false where id = $1', [sam.userId])
    expect((await act(admin, sam, 'reactivate')).status).toBe(200)
    expect(await signIn(sam.email, testPassword)).toBe(200)
  })

  it('that has an account elsewhere by now keeps them from coming back, and changes nothing', async () => {
    const [former, next] = [await makeCompany(app), await makeCompany(app)]
    const sam = await makeStaff(app, former)
    await act(former, sam, 'deactivate')
    await accept(await secretOf(inviteAs(next, sam.email)))
    const refused = await act(former, sam, 'reactivate')
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'email_taken', error: elsewhere }])
    const { rows } = await app.owner.query('select active from users where id = $1', [sam.userId])
    expect(rows).toEqual([{ active: false }])
    expect(await signIn(sam.email, 'a new horse')).toBe(200)
  })

  it('is not told to be elsewhere more often than addresses that are invited', async () => {
    const strict = await startTestApp({ SIGN_INS_PER_ADDRESS: '3' })
    const [former, next] = [await makeCompany(strict), await makeCompany(strict)]
    const sam = await makeStaff(strict, former)
    const change = (what: string) =>
      strict.ask({ path: `/api/team/users/${sam.userId}/${what}`, token: former.token })
    expect((await change('deactivate')).status).toBe(200)
    await strict.database.inTenant(next.tenantId, (tx) =>
      addUser(tx, { email: sam.email, name: 'Sam', role: 'user', passwordHash: 'none' }),
    )
    const statuses: number[] = []
    for (let times = 0; times < 4; times += 1) statuses.push((await change('reactivate')).status)
    expect(statuses).toEqual([409, 409, 409, 429])
    await strict.close()
  })

  it('is one account of two companies that both want it at once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const [former, next] = [await makeCompany(app), await makeCompany(app)]
      const sam = await makeStaff(app, former)
      await act(former, sam, 'deactivate')
      const secret = await secretOf(inviteAs(next, sam.email))
      const [back, joined] = await Promise.all([act(former, sam, 'reactivate'), accept(secret)])
      expect([200, 409]).toContain(back.status)
      expect(joined.status).toBe(back.status === 200 ? 409 : 201)
      const { rows } = await app.owner.query(
        `select tenant_id from users where email = $1 and active
         union all select tenant_id from login_emails where email = $1`,
        [sam.email],
      )
      const { tenantId } = back.status === 200 ? former : next
      expect(rows).toEqual([{ tenant_id: tenantId }, { tenant_id: tenantId }])
    }
  })

  it('reactivated again under the same key, because the answer got lost, is answered as before', async () => {
    const admin = await makeCompany(app)
    const sam = await makeStaff(app, admin)
    await act(admin, sam, 'deactivate')
    const request = { path: `/api/team/users/${sam.userId}/reactivate`, token: admin.token, key: 'r-1' }
    expect([(await app.ask(request)).body, (await app.ask(request)).body]).toEqual([
      { success: true },
      { success: true },
    ])
    await act(admin, sam, 'deactivate')
    expect((await app.ask(request)).status).toBe(200)
    expect(await signIn(sam.email, testPassword)).toBe(401)
  })

  it('gets nobody of the same company by the operator either, who is told how they come back', async () => {
    const admin = await makeCompany(app)
    const sam = await makeStaff(app, admin)
    await act(admin, sam, 'deactivate')
    const added = app.database.inTenant(admin.tenantId, (tx) =>
      addUser(tx, { email: sam.email, name: 'Sam', role: 'admin', passwordHash: 'none' }),
    )
    await expect(added).rejects.toThrow('This person was deactivated. Reactivate them under Team.')
  })

  it('was freed of who was deactivated before, and is kept where a company was being removed', async () => {
    const [admin, removed] = [await makeCompany(app), await makeCompany(app)]
    const sam = await makeStaff(app, admin)
    await app.owner.query('update users set active = false where id = any($1)', [
      [sam.userId, removed.userId],
    ])
    const file = resolve(import.meta.dirname, '../../migrations/0302_addresses_of_who_left.sql')
    const freeing = (await readFile(file, 'utf8')).split('-- ;;').at(-1) ?? ''
    await app.owner.query(freeing)
    const { rows } = await app.owner.query('select email from login_emails where email = any($1)', [
      [admin.email, sam.email, removed.email],
    ])
    expect(rows.map(({ email }) => String(email)).toSorted()).toEqual([admin.email, removed.email].toSorted())
    expect(await signInAgain(app, admin)).toEqual(expect.any(String))
  })
})
