import { randomUUID } from 'node:crypto'
import { env, stdout } from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFrom } from './floor/model.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from './test-app.ts'

// Many at once where a limit has room for a few; the same rounds for the same seed, more with LIMIT_ROUNDS.
const seed = Number(env['LIMIT_SEED'] ?? Date.now() % 1_000_000)
const rounds = Number(env['LIMIT_ROUNDS'] ?? 3)
const labelsPerMonth = 2_000
const usersOfProfessional = 10
const openCodesOfOne = 1_000
const guesses = 10
const roundMs = 15_000

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp({ SIGN_INS_PER_ACCOUNT: String(guesses) })
  admin = await makeCompany(app)
})
afterAll(() => app.close())

const random = randomFrom(seed)

/** How many ask at once, and for how many of them there is room. */
function edge(): { asking: number; room: number } {
  const asking = 4 + random.below(47)
  return { asking, room: random.below(Math.min(asking, 8)) }
}

async function statuses(asking: number, ask: (index: number) => Promise<{ status: number }>) {
  const replies = await Promise.all(Array.from({ length: asking }, (_, index) => ask(index)))
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const expected = (counts: Record<number, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

async function number(query: string, values: unknown[]): Promise<number> {
  const { rows } = await app.owner.query<{ value: number }>(query, values)
  return rows[0]?.value ?? 0
}

describe(`requests at the edge of a limit, ${rounds} rounds each (seed ${seed})`, () => {
  it(
    'never print more labels than the month has',
    async () => {
      const print = () =>
        app.ask({
          path: '/api/generate-labels',
          token: admin.token,
          key: randomUUID(),
          body: { components: [{ barcode: 'EDGE-1', description: 'Edge' }], location: 'PRIMARY' },
        })
      expect((await print()).status).toBe(200)
      for (let round = 0; round < rounds; round += 1) {
        const { asking, room } = edge()
        await app.owner.query('update label_usage set used = $2 where tenant_id = $1', [
          admin.tenantId,
          labelsPerMonth - room,
        ])
        expect(await statuses(asking, print)).toEqual(expected({ 200: room, 402: asking - room }))
        const used = await number('select used as value from label_usage where tenant_id = $1', [
          admin.tenantId,
        ])
        expect(used).toBe(labelsPerMonth)
      }
    },
    60_000 + rounds * roundMs,
  )

  it(
    'never invite more people than the plan has places',
    async () => {
      const invite = () =>
        app.ask({
          path: '/api/team/invitations',
          token: admin.token,
          body: { email: `guest-${randomUUID()}@example.com` },
        })
      for (let round = 0; round < rounds; round += 1) {
        const { asking, room } = edge()
        await app.owner.query('delete from one_time_links where tenant_id = $1', [admin.tenantId])
        for (let taken = 1; taken < usersOfProfessional - room; taken += 1) {
          expect((await invite()).status).toBe(201)
        }
        expect(await statuses(asking, invite)).toEqual(expected({ 201: room, 402: asking - room }))
      }
    },
    60_000 + rounds * roundMs,
  )

  it(
    'never guess a password more often than allowed',
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { asking, room } = edge()
        const email = `nobody-${randomUUID()}@example.com`
        const guess = () =>
          app.ask({ path: '/api/auth/login', body: { email, passcode: 'a guess at the password' } })
        for (let taken = 0; taken < guesses - room; taken += 1) expect((await guess()).status).toBe(401)
        expect(await statuses(asking, guess)).toEqual(expected({ 401: room, 429: asking - room }))
      }
    },
    60_000 + rounds * roundMs,
  )

  it(
    'never leave more codes to decide than one person may',
    async () => {
      const scan = (code: string) =>
        app.ask({
          path: '/api/components/update-with-tracking',
          token: admin.token,
          key: randomUUID(),
          body: {
            barcode: code,
            quantity: 1,
            location: 'PRIMARY',
            source: 'monthly',
            session: code,
            timestamp: new Date().toISOString(),
          },
        })
      for (let round = 0; round < rounds; round += 1) {
        const { asking, room } = edge()
        await app.owner.query('delete from unknown_code_scans where tenant_id = $1', [admin.tenantId])
        await app.owner.query('delete from unknown_codes where tenant_id = $1', [admin.tenantId])
        await app.owner.query(
          `insert into unknown_codes (tenant_id, code, location, times, found_by, user_id, user_name)
           select $1, 'FULL-' || place, 'PRIMARY', 1, $2, $2, 'Admin' from generate_series(1, $3::integer) as place`,
          [admin.tenantId, admin.userId, openCodesOfOne - room],
        )
        expect(await statuses(asking, (index) => scan(`NEW-${round}-${index}`))).toEqual({ 404: asking })
        const open = await number(
          `select count(*)::integer as value from unknown_codes where tenant_id = $1 and status = 'open'`,
          [admin.tenantId],
        )
        expect(open).toBe(openCodesOfOne)
      }
    },
    60_000 + rounds * roundMs,
  )

  afterAll(() => {
    stdout.write(`limits: ${rounds} rounds of 4 to 50 at once for each limit, seed ${seed}\n`)
  })
})
