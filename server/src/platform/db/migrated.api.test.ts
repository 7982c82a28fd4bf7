import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, startTestApp, type Ask, type Person, type TestApp } from '../../../test/test-app.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '4' })
  admin = await makeCompany(app, { plan: 'enterprise' })
})
afterAll(() => app.close())

const barcodes = ['A-1', 'A-2', 'A-3']
const month = new Date().toISOString().slice(0, 7)

const reads = [
  '/api/auth/user',
  '/api/dashboard',
  '/api/components',
  '/api/components/detail?barcode=A-1',
  '/api/components/movements?barcode=A-1',
  '/api/components/to-count?location=PRIMARY',
  '/api/count-history?location=PRIMARY',
  '/api/audit/trail',
  '/api/discrepancies',
  '/api/weekly-counts',
  '/api/cycle-counts',
  '/api/imports',
  '/api/transfers',
  '/api/unknown-codes',
  '/api/webhooks',
  '/api/exports/components?format=csv',
  '/api/exports/counts?format=csv',
  '/api/exports/movements?format=csv',
  '/api/exports/discrepancies?format=csv',
  '/api/exports/audit?format=csv',
  `/api/accuracy/certificate?location=PRIMARY&month=${month}`,
].map((path) => ({ method: 'GET', path }))

const record = { id: 'r-1', location: 'PRIMARY', progress: { 'A-1': 5 } }

/** Made anew for each call: what was done once is not done again. */
const writes = (): Ask[] => [
  {
    path: '/api/components/update-with-tracking',
    key: randomUUID(),
    body: {
      barcode: 'A-1',
      quantity: 4,
      location: 'PRIMARY',
      source: 'monthly',
      session: randomUUID(),
      timestamp: new Date().toISOString(),
    },
  },
  { path: '/api/weekly-counts', body: { ...record, day: 'Monday' } },
  { path: '/api/cycle-counts', body: { ...record, user_type: 'user' } },
  { path: '/api/auth/login', body: { email: admin.email, passcode: 'correct horse battery' } },
  { path: '/api/components/import', body: barcodes.map((barcode) => ({ barcode, primary_quantity: 5 })) },
]

const begun = z.object({ import: z.object({ id: z.string() }) })

/** An import from its beginning to its end, as three open ones are the most. */
async function importFile(): Promise<string[]> {
  const said: string[] = []
  const ask = async (request: Ask) => {
    const reply = await app.ask({ token: admin.token, ...request })
    said.push(`${reply.status} ${request.path.replaceAll(/[0-9a-f-]{36}/g, '{id}')}`)
    return reply.body
  }
  const { id } = begun.parse(
    await ask({ path: '/api/imports', body: { name: 'a.csv', fields: ['barcode'] } }),
  ).import
  await ask({ path: `/api/imports/${id}/rows`, body: { rows: [{ line: 2, cells: ['A-9'] }] } })
  await ask({ method: 'GET', path: `/api/imports/${id}/rows` })
  await ask({ path: `/api/imports/${id}/cancel`, body: {} })
  return said
}

/** What each call answers; several at a time, so that every connection has each statement. */
async function useAll(): Promise<string[]> {
  const said: string[] = []
  for (const index of [...reads, ...writes()].keys()) {
    const replies = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const request = [...reads, ...writes()][index]
        if (request === undefined) throw new Error('There are as many calls each time.')
        const { status } = await app.ask({ token: admin.token, ...request })
        return `${status} ${request.path}`
      }),
    )
    said.push(...replies)
  }
  // Of a company, one archive at a time is made.
  const archive = await app.ask({ method: 'GET', path: '/api/exports/archive', token: admin.token })
  return [...said, `${archive.status} archive`, ...(await importFile())]
}

it('a node answers as before when a newer one has added columns to every table', async () => {
  await app.done({
    path: '/api/components/import',
    token: admin.token,
    body: barcodes.map((barcode) => ({ barcode, primary_quantity: 5 })),
  })
  await useAll()
  const before = await useAll()
  expect(before.filter((one) => !/^20[01] /.test(one))).toEqual([])

  const { rows: tables } = await app.owner.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  // One by one: all of them held at once would stand in the way of what the program does by itself.
  for (const { name } of tables) await app.owner.query(`alter table ${name} add column added_later text`)

  expect(await useAll()).toEqual(before)
})

const all = sql`select * from imports`

const ways: [string, () => Promise<unknown>][] = [
  ['a transaction', () => app.database.inTenant(admin.tenantId, ({ db }) => all.execute(db))],
  [
    'a read, also where those who ask are looked up behind what fails',
    () =>
      app.database.reading(
        admin.tenantId,
        async ({ db }) => {
          await sleep(20)
          await sql`select 1`.execute(db)
        },
        ({ db }) => all.execute(db),
      ),
  ],
  ['a function that is called by itself', () => app.database.callFunction('select * from imports', [])],
]

const onEveryConnection = (ask: () => Promise<unknown>) => Promise.all(Array.from({ length: 8 }, ask))

it.each(ways)('%s is done again where its plan is older than a migration', async (name, ask) => {
  await onEveryConnection(ask)
  await app.owner.query(`alter table imports add column "${name}" text`)
  await expect(onEveryConnection(ask)).resolves.toHaveLength(8)
})

it('what is given away while it is read is read once, also behind a migration', async () => {
  let times = 0
  const read = () =>
    app.database.inSnapshot(admin.tenantId, ({ db }) => {
      times += 1
      return all.execute(db)
    })
  await onEveryConnection(read)
  await app.owner.query('alter table imports add column later_still text')
  await onEveryConnection(read)
  expect(times).toBe(16)
})
