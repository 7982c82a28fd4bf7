import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompanyWithStock, type People } from '../../test/company-with-stock.ts'
import { openPrinter, type Printer } from '../../test/printer.ts'
import { startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
let printer: Printer
beforeAll(async () => {
  app = await startTestApp()
  printer = await openPrinter()
})
afterAll(async () => {
  printer.close()
  await app.close()
})

async function companyWithStock(part: { timeZone?: string } = {}): Promise<People> {
  const rows = ['A-1', 'A-2', 'A-3', 'A-4'].map((barcode) => ({ barcode, primary_quantity: 100 }))
  return await makeCompanyWithStock(app, rows, part)
}

async function change(admin: Person, body: Record<string, unknown>): Promise<void> {
  const { status } = await app.ask({ path: '/api/company/settings', token: admin.token, body })
  expect(status).toBe(200)
}

let scans = 0

/** Noon of yesterday, which is the same day from Los Angeles to Sydney. */
const noon = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 43_200_000

async function count(person: Person, barcode: string, quantity: number): Promise<void> {
  scans += 1
  const timestamp = new Date(noon + scans).toISOString()
  const body = { barcode, quantity, location: 'PRIMARY', source: 'monthly', session: 'Monthly_1', timestamp }
  const { status } = await app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    body,
  })
  expect(status).toBe(200)
}

const get = (person: Person, path: string) => app.ask({ method: 'GET', path, token: person.token })
const month = new Date(noon).toISOString().slice(0, 7)
const accuracyOf = async (admin: Person) => (await get(admin, `/api/accuracy?until=${month}&months=1`)).body

async function certificateOf(admin: Person, scope = ''): Promise<string | undefined> {
  const { bytes } = await get(admin, `/api/accuracy/certificate?month=${month}${scope}`)
  const [text] = await printer.readTexts(bytes)
  return text
}

const idList = z.object({ discrepancies: z.array(z.object({ id: z.string() })) })

async function acceptAll(admin: Person): Promise<void> {
  const { body } = await get(admin, '/api/discrepancies?status=open')
  const ids = idList.parse(body).discrepancies.map(({ id }) => id)
  const answer = { ids, decision: 'accept', reason: 'Damaged', note: 'seen by two' }
  const { status } = await app.ask({
    path: '/api/discrepancies/decide',
    token: admin.token,
    body: answer,
  })
  expect(status).toBe(200)
}

/** Puts what was counted into the first hours of March in Kiritimati, as if that were long ago. */
async function putAtEdge({ tenantId }: Person): Promise<void> {
  const at = `timestamptz '2026-02-28 12:00Z' + (counted_at - to_timestamp(${noon / 1000}))`
  await app.owner.query(`
    alter table count_history disable trigger user;
    alter table count_attempts disable trigger user;
    update count_attempts set counted_at = ${at} where tenant_id = '${tenantId}';
    update count_history set id = overlay(id::text placing left(id_at(${at})::text, 13) from 1)::uuid, counted_at = ${at}
    where tenant_id = '${tenantId}';
    update discrepancies set period_start = timestamptz '2026-02-28 10:00Z' where tenant_id = '${tenantId}';
    update scan_days set day = '2026-03-01' where tenant_id = '${tenantId}';
    alter table count_history enable trigger user;
    alter table count_attempts enable trigger user
  `)
}

describe('accuracy and certificates', () => {
  it.each([
    ['Asia/Kolkata', 'America/Los_Angeles'],
    ['Australia/Sydney', 'America/Los_Angeles'],
    ['America/Los_Angeles', 'Australia/Sydney'],
  ])('keep differences that were accepted when the time zone changes from %s to %s', async (from, to) => {
    const { admin, staff } = await companyWithStock({ timeZone: from })
    await count(staff, 'A-1', 100)
    await count(staff, 'A-2', 97)
    await count(staff, 'A-2', 97)
    await acceptAll(admin)
    await change(admin, { time_zone: to })
    expect(await accuracyOf(admin)).toMatchObject({
      total: { lines: 2, matched: 1, differing: 1, missing: 3 },
      causes: [{ status: 'accepted', reason: 'Damaged', lines: 1 }],
      skus: [{ sku: 'A-2' }],
    })
    for (const scope of ['', '&session=Monthly_1']) {
      expect(await certificateOf(admin, scope)).toMatch(
        /Lines counted 2\nLines matched 1\nAccepted within tolerance 0\nLines that differ 1\n/,
      )
    }
  })

  it.each([
    ['waits', 'open'],
    ['was accepted', 'accepted'],
  ])(
    'find a difference that %s in the month of its line, to which a new time zone puts both',
    async (_, status) => {
      const { admin, staff } = await companyWithStock({ timeZone: 'Pacific/Kiritimati' })
      for (const [barcode, quantity] of [
        ['A-1', 100],
        ['A-2', 97],
        ['A-2', 97],
      ] as const) {
        await count(staff, barcode, quantity)
      }
      if (status === 'accepted') await acceptAll(admin)
      await putAtEdge(admin)
      const before = { total: { lines: 2, matched: 1, differing: 1, missing: 3 } }
      expect((await get(admin, '/api/accuracy?until=2026-03&months=1')).body).toMatchObject(before)
      await change(admin, { time_zone: 'UTC' })
      const [earlier, later] = await Promise.all(
        ['2026-02', '2026-03'].map(
          async (until) => (await get(admin, `/api/accuracy?until=${until}&months=1`)).body,
        ),
      )
      expect(earlier).toMatchObject({ ...before, causes: [{ status, lines: 1 }], skus: [{ sku: 'A-2' }] })
      expect(later).toMatchObject({ total: { lines: 0 } })
      const { bytes } = await get(admin, '/api/accuracy/certificate?month=2026-02')
      expect((await printer.readTexts(bytes))[0]).toMatch(
        /Lines counted 2\nLines matched 1\nAccepted within tolerance 0\nLines that differ 1\n/,
      )
    },
  )

  it('leave a difference in its month where another one of its place waits in that of its line', async () => {
    const { admin, staff } = await companyWithStock({ timeZone: 'Pacific/Kiritimati' })
    for (const quantity of [97, 97]) await count(staff, 'A-2', quantity)
    await putAtEdge(admin)
    const earlier = `jsonb_build_object('id', id_at('2026-02-15'), 'period_start', timestamptz '2026-01-31 10:00Z')`
    const entry = `jsonb_build_object(
      'id', gen_random_uuid(), 'discrepancy_id', id_at('2026-02-15'), 'counted_at', timestamptz '2026-02-15'
    )`
    await app.owner.query(`
      insert into discrepancies select (jsonb_populate_record(made, ${earlier})).*
      from discrepancies made where tenant_id = '${admin.tenantId}';
      insert into count_attempts select (jsonb_populate_record(made, ${entry})).*
      from count_attempts made where tenant_id = '${admin.tenantId}'
    `)
    await change(admin, { time_zone: 'UTC' })
    for (const until of ['2026-02', '2026-03']) {
      const { body } = await get(admin, `/api/accuracy?until=${until}&months=1`)
      expect(body).toMatchObject({ total: { lines: 1, differing: 1, missing: 3 } })
    }
  })

  it('have every line of strict blind counts, also where entries go on after a match', async () => {
    const { admin, staff } = await companyWithStock()
    await change(admin, { strict_blind_counts: true })
    for (const sku of ['A-2', 'A-3', 'A-4']) await count(staff, sku, 100)
    for (const quantity of [5, 6, 100]) await count(staff, 'A-1', quantity)
    expect(await accuracyOf(admin)).toMatchObject({ total: { lines: 4, matched: 4 } })
    await count(staff, 'A-1', 7)
    expect(await accuracyOf(admin)).toMatchObject({ total: { lines: 5, matched: 4, differing: 1 } })
    await count(staff, 'A-1', 8)
    for (const scope of ['', '&session=Monthly_1']) {
      expect(await certificateOf(admin, scope)).toMatch(
        /Lines counted 5\nLines matched 4\nAccepted within tolerance 0\nLines that differ 1\n/,
      )
    }
  })

  it('have every line of strict blind counts where staff go on with what an administrator began', async () => {
    const { admin, staff } = await companyWithStock()
    await change(admin, { strict_blind_counts: true })
    for (const quantity of [5, 6, 100]) await count(staff, 'A-1', quantity)
    await count(admin, 'A-1', 7)
    await count(staff, 'A-1', 8)
    await count(staff, 'A-2', 100)
    expect(await accuracyOf(admin)).toMatchObject({ total: { lines: 3, matched: 2, differing: 1 } })
  })
})
