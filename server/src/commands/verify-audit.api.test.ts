import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany, startTestApp, type TestApp } from '../../test/test-app.ts'
import { UsageError } from './command.ts'
import { readHead, verifyTrails } from './verify-audit.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Of a hash, that it is another one. */
const anotherDigit = (last: string) => (last === '0' ? '1' : '0')

async function check(tenants: string[], head: string | null = null) {
  const lines: string[] = []
  const known = readHead(head === null ? [] : ['--head', head])
  const intact = await verifyTrails(app.database, { tenants, known, say: (line) => lines.push(line) })
  return { intact, lines }
}

it('says for each company whether its trail is intact, with a head to keep', async () => {
  const [one, other] = [await makeCompany(app), await makeCompany(app)]
  const { intact, lines } = await check([one.tenantId, other.tenantId])
  expect(intact).toBe(true)
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(`^${one.tenantId}: 2 entries intact, head ${one.tenantId}:2:[0-9a-f]{64}$`),
    ),
    expect.stringMatching(`${other.tenantId}: 2 entries intact`),
    '2 companies checked, 4 entries good, 0 trails not intact.',
  ])
})

it('names the first bad entry, and a trail that is not the one a kept head is of', async () => {
  const { tenantId } = await makeCompany(app)
  const first = await check([tenantId])
  const head = first.lines[0]?.split('head ')[1] ?? ''
  expect(await check([tenantId], head)).toMatchObject({ intact: true })
  expect(await check([tenantId], head.replace(/.$/, anotherDigit))).toMatchObject({
    intact: false,
    lines: [expect.stringContaining('does not follow the entry before it'), expect.anything()],
  })
  const client = await app.owner.connect()
  await client.query('begin; set local session_replication_role = replica')
  await client.query(
    "update audit_entries set user_name = 'X' where tenant_id = $1 and event = 'login_successful'",
    [tenantId],
  )
  await client.query('commit')
  client.release()
  expect(await check([tenantId])).toMatchObject({
    intact: false,
    lines: [
      expect.stringMatching(
        /: Entry 2 \([0-9a-f-]{36}, written 20\d\d-.*\) was changed after it was written\./,
      ),
      '1 company checked, 1 entry good, 1 trail not intact.',
    ],
  })
})

it('reads a kept head in capitals, and refuses one of a company that is not there', async () => {
  const [one, other] = [await makeCompany(app), await makeCompany(app)]
  const head = (await check([one.tenantId])).lines[0]?.split('head ')[1] ?? ''
  expect(await check([one.tenantId], head.toUpperCase())).toMatchObject({ intact: true })
  const wrong = head.replace(/.$/, anotherDigit).toUpperCase()
  expect(await check([one.tenantId], wrong)).toMatchObject({ intact: false })
  await expect(check([other.tenantId], head)).rejects.toThrow(UsageError)
  await expect(check([one.tenantId], head.slice(0, -1))).rejects.toThrow(
    '--head must be COMPANY:NUMBER:HASH.',
  )
})
