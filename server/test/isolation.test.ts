import { env, stdout } from 'node:process'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  endpointNames,
  endpoints,
  makeWorld,
  sendCase,
  validCase,
  type EndpointName,
  type Role,
  type World,
} from './fuzz/fuzz.ts'
import { sqlState } from '../src/platform/db/errors.ts'
import { randomFrom } from './floor/model.ts'
import { fingerprint, listCompanyTables } from './company-tables.ts'
import { listBroken } from './invariants.ts'
import { makeCompany, startTestApp, type TestApp } from './test-app.ts'

// Two companies that have the same barcodes and do everything at random; longer with ISOLATION_OPERATIONS.
const operations = Number(env['ISOLATION_OPERATIONS'] ?? 400)
const seed = Number(env['ISOLATION_SEED'] ?? Date.now() % 1_000_000)
const atOnce = 20

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ SIGN_INS_PER_ACCOUNT: '1000000' })
})
afterAll(() => app.close())

type Side = { world: World; tenantId: string; secrets: string[]; answers: Record<number, number> }

/** Everything a company can do but end the sessions it is asked with. */
const names = endpointNames.filter(
  (name) => endpoints[name].access !== 'public' && !['logout', 'changePassword'].includes(name),
)

/** Tables of all companies that the application reaches through functions only. */
const closed = ['login_emails', 'api_key_prefixes']
/** Written by the program itself after a request is answered. */
const writtenLater = ['audit_seals', 'low_stock', 'webhook_deliveries']
/** What stays of a row in which the program notes what it saw, how it went, or when somebody was here last. */
const lasting: Record<string, string> = {
  audit_entries: `case when event <> 'stock_low' then held::text end`,
  webhooks: 'held.id::text',
  sessions: "(to_jsonb(held) - 'last_used_at')::text",
}

/** A fingerprint of what a company has, but for what the program writes by itself. */
async function digest(tables: readonly string[], tenantId: string): Promise<unknown> {
  return await fingerprint(app.owner, { tenantId, tables, lasting })
}

async function openSide(): Promise<Side> {
  const world = await makeWorld(app)
  const { rows } = await app.owner.query<{ tenant_id: string; id: string }>(
    'select tenant_id, id from users where email = $1',
    [world.email],
  )
  const [user] = rows
  if (user === undefined) throw new Error('The company has no administrator.')
  const secret = `Secret of ${user.tenant_id}`
  const imported = await app.ask({
    path: '/api/components/import',
    token: world.tokens.admin,
    body: [{ barcode: 'SHARED-1', description: secret, primary_quantity: 1 }],
  })
  if (imported.status !== 200) throw new Error(`The import answered ${imported.status}.`)
  return { world, tenantId: user.tenant_id, secrets: [secret, user.tenant_id, user.id], answers: {} }
}

type Operation = { actor: Side; other: Side; name: EndpointName; role: Role; index: number; foreign: boolean }

/** One call, about the actor's own things or, by their ids, about the other company's; what it gave away. */
async function operate({ actor, other, name, role, index, foreign }: Operation): Promise<string[]> {
  const sent = validCase((foreign ? other : actor).world, name, { role, index })
  const authorization = `Bearer ${actor.world.tokens[role]}`
  const reply = await sendCase(app, { ...sent, headers: { ...sent.headers, authorization } })
  actor.answers[reply.status] = (actor.answers[reply.status] ?? 0) + 1
  const leaked = other.secrets.filter((word) => reply.body.includes(word))
  return leaked.map((word) => `${name} gave away ${word}`)
}

/**
 * Lets two companies do things at random, and looks after each few whether one learnt of or changed the other's. Gives how
 * many succeeded, without which nothing would be proved.
 */
async function playTwoCompanies(times: number): Promise<number> {
  const random = randomFrom(seed)
  const tables = await listCompanyTables(app.owner, writtenLater)
  const sides = [await openSide(), await openSide()] as const
  for (let done = 0; done < times; done += atOnce) {
    const [actor, other] = random.below(2) === 0 ? sides : [sides[1], sides[0]]
    const before = await digest(tables, other.tenantId)
    const batch = Array.from({ length: atOnce }, (_, index) =>
      operate({
        actor,
        other,
        name: random.pick(names),
        role: random.pick(['admin', 'staff'] as const),
        index: done + index,
        foreign: random.below(2) === 0,
      }),
    )
    expect((await Promise.all(batch)).flat()).toEqual([])
    expect(await digest(tables, other.tenantId)).toEqual(before)
  }
  for (const { tenantId } of sides) expect(await listBroken(app.owner, tenantId)).toEqual([])
  const answers = sides.map((side) => side.answers)
  stdout.write(`isolation: ${times} operations, 0 leaks, 0 effects, ${JSON.stringify(answers)}\n`)
  return answers.reduce((sum, { 200: ok = 0 }) => sum + ok, 0)
}

async function switchRowSecurity(how: 'enable' | 'disable'): Promise<void> {
  for (const table of await listCompanyTables(app.owner, closed)) {
    await app.owner.query(`alter table ${table} ${how} row level security`)
  }
}

describe(`two companies at random operations (seed ${seed})`, () => {
  it(
    'learn and change nothing of each other',
    async () => {
      expect(await playTwoCompanies(operations)).toBeGreaterThan(operations / 5)
    },
    60_000 + operations * 50,
  )

  const fewer = Math.ceil(operations / 4)
  it(
    'do so even without row level security: each statement names its company',
    async () => {
      await switchRowSecurity('disable')
      try {
        expect(await playTwoCompanies(fewer)).toBeGreaterThan(fewer / 5)
      } finally {
        await switchRowSecurity('enable')
      }
    },
    60_000 + fewer * 50,
  )
})

/** Whether the application, at work for one company, may put a row of another's into a table. */
async function mayWriteFor(mine: string, theirs: string, table: string): Promise<boolean> {
  return await app.database.inTenant(mine, async ({ db }) => {
    await sql`savepoint attempt`.execute(db)
    const refused = await sql
      .raw(`insert into ${table} (tenant_id) values ('${theirs}')`)
      .execute(db)
      .then(() => false)
      // Whatever else the row lacks is looked at only after its company is.
      .catch((error: unknown) => sqlState(error) === '42501')
    await sql`rollback to attempt`.execute(db)
    return !refused
  })
}

describe('every table of the companies', () => {
  it('shows a company its own rows only, and takes none for another, whatever the statement', async () => {
    const [mine, theirs] = [await openSide(), await openSide()]
    const seen: Record<string, { own: number; foreign: number; written: boolean }> = {}
    for (const table of await listCompanyTables(app.owner, closed)) {
      const { rows } = await app.database.inTenant(mine.tenantId, ({ db }) =>
        sql<{ own: number; foreign: number }>`
          select count(*) filter (where tenant_id = ${mine.tenantId})::integer as own,
            count(*) filter (where tenant_id <> ${mine.tenantId})::integer as foreign
          from ${sql.table(table)}`.execute(db),
      )
      const written = await mayWriteFor(mine.tenantId, theirs.tenantId, table)
      seen[table] = { own: rows[0]?.own ?? 0, foreign: rows[0]?.foreign ?? -1, written }
    }
    const open = Object.entries(seen).filter(([, { foreign, written }]) => foreign !== 0 || written)
    expect(Object.fromEntries(open)).toEqual({})
    expect(Object.values(seen).filter(({ own }) => own > 0).length).toBeGreaterThan(15)
  })
})

describe('a query that forgets to name the company', () => {
  /** What a company would see and change by such a query. */
  async function reach(mine: string): Promise<{ seen: number; changed: number }> {
    return await app.database.inTenant(mine, async ({ db }) => {
      const { rows } = await sql<{ seen: number }>`select count(*)::integer as seen from components`.execute(
        db,
      )
      const { numAffectedRows } = await sql`update components set description = description`.execute(db)
      return { seen: rows[0]?.seen ?? 0, changed: Number(numAffectedRows) }
    })
  }

  it('reaches its own rows only, and this test would see it if row level security were off', async () => {
    const [mine, theirs] = [await makeCompany(app), await makeCompany(app)]
    for (const { token } of [mine, theirs]) {
      await app.done({ path: '/api/components/import', token, body: [{ barcode: 'MINE-1' }] })
    }
    expect(await reach(mine.tenantId)).toEqual({ seen: 1, changed: 1 })

    await app.owner.query('alter table components disable row level security')
    const unguarded = await reach(mine.tenantId)
    await app.owner.query('alter table components enable row level security')
    expect(unguarded.seen).toBeGreaterThan(1)
    expect(unguarded.changed).toBe(unguarded.seen)
    expect(await reach(mine.tenantId)).toEqual({ seen: 1, changed: 1 })
  })
})
