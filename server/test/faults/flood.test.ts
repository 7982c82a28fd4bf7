import { verifyPassword } from '../../src/accounts/passwords.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany, startTestApp, type Person, type TestApp } from '../test-app.ts'

/** What may be hashed and wait at once (server/src/accounts/passwords.ts), and some more. */
const bound = 52
const flood = bound + 20

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp({ SIGN_INS_PER_ACCOUNT: '1000000' })
  admin = await makeCompany(app)
  await app.done({
    path: '/api/components/import',
    token: admin.token,
    body: [{ barcode: 'F-1', primary_quantity: 5 }],
  })
})
afterAll(() => app.close())

it('only so many passwords are hashed or wait, and others are told to try again', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: flood }, () => verifyPassword(null, 'a guess at the password')),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(bound)
  const reasons: unknown[] = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  )
  expect(reasons).toEqual(
    Array.from({ length: flood - bound }, () => expect.objectContaining({ code: 'unavailable' })),
  )
  // The way is free again afterwards.
  expect(await verifyPassword(null, 'a guess at the password')).toBe(false)
})

it('scans overtake a flood of sign-ins, of which all are answered', async () => {
  // Both that may be hashed at once take seconds, so that no sign-in of the flood has its turn before the scan.
  const slow = `$argon2id$v=19$m=19456,t=1000,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
  const hashing = [verifyPassword(slow, 'another'), verifyPassword(slow, 'another')]
  const answers: number[] = []
  const flooding = Array.from({ length: flood }, async (_, index) => {
    const body = { email: `nobody-${index}@example.com`, passcode: 'a guess at the password' }
    answers.push((await app.ask({ path: '/api/auth/login', body })).status)
  })
  // Those that may not even wait are told so at once, and by then all were sent.
  await expect.poll(() => answers.length).toBeGreaterThan(0)
  const scan = {
    barcode: 'F-1',
    quantity: 5,
    location: 'PRIMARY',
    source: 'monthly',
    session: 'flood',
    timestamp: new Date().toISOString(),
  }
  const reply = await app.ask({
    path: '/api/components/update-with-tracking',
    token: admin.token,
    body: scan,
  })
  expect(reply.status).toBe(200)
  expect(new Set(answers)).toEqual(new Set([503]))

  await Promise.all([...hashing, ...flooding])
  expect(answers.filter((status) => ![401, 503].includes(status))).toEqual([])
}, 300_000)
