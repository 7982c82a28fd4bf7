import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany, makeStaff, startTestApp, type TestApp } from '../../test/test-app.ts'
import { makeLinkFor } from './password-link.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ SIGN_INS_PER_ACCOUNT: '2' })
})
afterAll(() => app.close())

it('the only administrator of a company, locked out, gets back in by a link of the operator', async () => {
  const admin = await makeCompany(app)
  const signIn = async (passcode: string) =>
    (await app.ask({ path: '/api/auth/login', body: { email: admin.email, passcode } })).status
  expect([await signIn('forgotten'), await signIn('forgotten'), await signIn('forgotten')]).toEqual([
    401, 401, 429,
  ])
  const { name, secret } = await makeLinkFor(app.database, admin.email)
  expect(name).toBe(admin.name)
  const reset = { path: '/api/auth/reset-password', body: { secret, passcode: 'a new one' } }
  expect((await app.ask(reset)).status).toBe(200)
  expect(await signIn('a new one')).toBe(200)
  expect((await app.ask(reset)).status).toBe(410)
  const { rows } = await app.owner.query(
    `select user_name, source from audit_entries where tenant_id = $1 and event = 'password_link_made'`,
    [admin.tenantId],
  )
  expect(rows).toEqual([{ user_name: 'Command line', source: 'command' }])
})

it('there is no link for who is not known, or was deactivated', async () => {
  await expect(makeLinkFor(app.database, 'nobody@example.com')).rejects.toThrow(
    'Nobody here signs in as nobody@example.com.',
  )
  const admin = await makeCompany(app)
  const staff = await makeStaff(app, admin)
  await app.done({ path: `/api/team/users/${staff.userId}/deactivate`, token: admin.token })
  await expect(makeLinkFor(app.database, staff.email)).rejects.toThrow(
    `Nobody here signs in as ${staff.email}. An administrator gives access back to who was deactivated, under Team.`,
  )
})
