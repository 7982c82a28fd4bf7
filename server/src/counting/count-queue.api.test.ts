import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const matchedReply = z.object({
  matched: z.boolean(),
  progress: z.object({ counted: z.number() }).optional(),
})
const barcodes = Array.from({ length: 12 }, (_, index) => `Q-${index}`)

async function companyWithStock(): Promise<Person> {
  const admin = await makeCompany(app)
  const body = barcodes.map((barcode) => ({ barcode, description: 'Bolt', primary_quantity: 5 }))
  await app.done({ path: '/api/components/import', token: admin.token, body })
  return admin
}

function scan({ token }: Person, barcode: string, { quantity = 5, key = randomUUID() as string } = {}) {
  const session = 'Monthly_2026-11-21_PRIMARY_1'
  const timestamp = new Date().toISOString()
  return app.ask({
    path: '/api/components/update-with-tracking',
    token,
    key,
    body: { barcode, quantity, location: 'PRIMARY', source: 'monthly', session, timestamp },
  })
}

async function rowsOf(person: Person) {
  const { rows } = await app.owner.query<{ counts: number; audited: number; transactions: number }>(
    `select (select count(*)::integer from count_history where tenant_id = $1) as counts,
       count(*)::integer as audited, count(distinct transaction_id)::integer as transactions
     from audit_entries where tenant_id = $1 and kind = 'inventory_scan'`,
    [person.tenantId],
  )
  return rows[0]
}

describe('counts that wait at the same moment', () => {
  it('have each its own answer', async () => {
    const [one, other] = [await companyWithStock(), await companyWithStock()]
    const replies = await Promise.all(
      barcodes.flatMap((barcode, index) => [
        scan(one, barcode),
        scan(other, barcode, { quantity: index === 3 ? 6 : 5 }),
        scan(one, `unknown ${index}`),
      ]),
    )
    expect(replies.map(({ status }) => status)).toEqual(barcodes.flatMap(() => [200, 200, 404]))
    const ofOther = replies.filter((_, index) => index % 3 === 1)
    expect(ofOther.map(({ body }) => matchedReply.parse(body).matched)).toEqual(
      barcodes.map((_, index) => index !== 3),
    )
    const ofOne = replies.filter((_, index) => index % 3 === 0)
    const progress = ofOne.map(({ body }) => matchedReply.parse(body).progress?.counted ?? 0)
    // Each is told how many are stored when it is, with all that were stored together with it.
    expect(Math.max(...progress)).toBe(12)
    expect(progress.toSorted((a, b) => a - b).every((counted, index) => counted > index)).toBe(true)

    expect(await rowsOf(other)).toMatchObject({ counts: 11, audited: 12 })
  })

  it('are in fewer transactions than counts', async () => {
    const company = await companyWithStock()
    const together = async () => {
      await Promise.all(barcodes.map((barcode) => scan(company, barcode)))
      const rows = await rowsOf(company)
      return rows !== undefined && rows.transactions < rows.audited
    }
    await expect.poll(together, { timeout: 20_000 }).toBe(true)
  })

  it.each([
    ['written', 'create trigger refuse_q4 before insert on count_history'],
    [
      'committed',
      'create constraint trigger refuse_q4 after insert on count_history deferrable initially deferred',
    ],
  ])('are not touched by the error of one of them, found as it is %s', async (_, trigger) => {
    const company = await companyWithStock()
    await app.owner.query(`
      create function refuse_q4() returns trigger language plpgsql as $$
      begin
        if new.sku = 'Q-4' then raise exception 'This cannot be written.'; end if;
        return new;
      end $$`)
    await app.owner.query(`${trigger} for each row execute function refuse_q4()`)
    const replies = await Promise.all(barcodes.map((barcode) => scan(company, barcode)))
    await app.owner.query('drop trigger refuse_q4 on count_history')
    await app.owner.query('drop function refuse_q4')
    expect(replies.map(({ status }) => status)).toEqual(
      barcodes.map((barcode) => (barcode === 'Q-4' ? 500 : 200)),
    )
    expect(await rowsOf(company)).toMatchObject({ counts: 11, audited: 11 })
  })

  it('do not wait for the locks of two other companies, whose counts are taken when those are free', async () => {
    const [stuck, stuckToo] = [await companyWithStock(), await companyWithStock()]
    const going = [await companyWithStock(), await companyWithStock()]
    const locking = await app.owner.connect()
    await locking.query('begin')
    await locking.query('select from stock where tenant_id = any($1) for update', [
      [stuck.tenantId, stuckToo.tenantId],
    ])
    // At the same moment, so that some of all companies are in one transaction.
    const held = barcodes.flatMap((barcode) => [scan(stuck, barcode), scan(stuckToo, barcode)])
    const first = going.flatMap((company) => barcodes.map((barcode) => scan(company, barcode)))
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual(first.map(() => 200))
    const next = barcodes.flatMap((barcode) => going.map((company) => scan(company, barcode)))
    expect((await Promise.all(next)).map(({ status }) => status)).toEqual(next.map(() => 200))
    for (const company of [stuck, stuckToo]) expect(await rowsOf(company)).toMatchObject({ counts: 0 })
    await locking.query('commit')
    locking.release()
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 200))
    for (const company of [stuck, stuckToo]) {
      expect(await rowsOf(company)).toMatchObject({ counts: 12, audited: 12 })
    }
  })

  it('open a difference while another change of their company goes on', async () => {
    const company = await companyWithStock()
    const locking = await app.owner.connect()
    await locking.query('begin')
    // The next webhook can be counted, with its company's row locked, and not be added.
    await locking.query('lock table webhooks in share mode')
    const body = { url: 'https://example.com/counts', events: ['count.recorded'] }
    const adding = app.ask({ path: '/api/webhooks', token: company.token, body })
    const isAdding = async () => {
      const { rows } = await app.owner.query(
        `select from pg_locks join pg_stat_activity using (pid)
         where datname = current_database() and relation = 'webhooks'::regclass and not granted`,
      )
      return rows.length > 0
    }
    await expect.poll(isAdding, { timeout: 10_000 }).toBe(true)
    const counted = scan(company, 'Q-1', { quantity: 6 })
    const first = await Promise.race([counted.then(() => 'counted'), adding.then(() => 'held up')])
    await locking.query('commit')
    locking.release()
    expect(first).toBe('counted')
    expect([await counted, await adding].map(({ status }) => status)).toEqual([200, 201])
  })

  it('are counted once under one key, also when they come ten at once', async () => {
    const company = await companyWithStock()
    const key = randomUUID()
    const timestamp = new Date().toISOString()
    const body = { quantity: 5, location: 'PRIMARY', source: 'monthly', session: 'Monthly_1', timestamp }
    const path = '/api/components/update-with-tracking'
    const replies = await Promise.all(
      Array.from({ length: 10 }, () =>
        app.ask({ path, token: company.token, key, body: { barcode: 'Q-1', ...body } }),
      ),
    )
    const [first] = replies
    expect(replies.map((reply) => reply.body)).toEqual(replies.map(() => first?.body))
    expect(await rowsOf(company)).toMatchObject({ counts: 1, audited: 1 })
  })

  it('are refused under a key that another one has, also at the same moment', async () => {
    const company = await companyWithStock()
    const key = randomUUID()
    const replies = await Promise.all(barcodes.map((barcode) => scan(company, barcode, { key })))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...barcodes.slice(1).map(() => 422),
    ])
    expect(await rowsOf(company)).toMatchObject({ counts: 1, audited: 1 })
  })
})
