import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { retryDelays } from '@inventory-manager/contract/webhooks/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { untilSomebodyWaits } from '../../test/leaving.ts'
import {
  makeCompany,
  makeStaff,
  startTestApp,
  zoneOfNoon,
  type Person,
  type TestApp,
} from '../../test/test-app.ts'
import { claimDeliveries, clearFailure } from './queries.ts'
import { makeDeliveries } from './delivering.ts'
import { sealCompany } from '../audit/chain.ts'
import { lookAtStock } from '../stock/low-stock.ts'

type Received = { path: string; headers: IncomingHttpHeaders; body: string; at: number }

let app: TestApp
let receiver: Server
const received: Received[] = []
/** What the receiver answers at a path; 200 at others. */
const answers = new Map<
  string,
  (respond: (status: number, headers?: Record<string, string>) => void) => void
>()

beforeAll(async () => {
  receiver = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      received.push({
        path,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        at: Date.now(),
      })
      const respond = (status: number, headers: Record<string, string> = {}) => {
        reply.writeHead(status, headers).end('x'.repeat(100))
      }
      const answer = answers.get(path)
      if (answer === undefined) respond(200)
      else answer(respond)
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  app = await startTestApp({ WEBHOOKS_ALLOW_PRIVATE: 'on' })
})
afterAll(async () => {
  await app.close()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})

const port = () => {
  const address = receiver.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver does not listen.')
  return (address satisfies AddressInfo).port
}

const created = z.object({ id: z.string(), secret: z.string() })
const everything = [
  'count.recorded',
  'count.undone',
  'discrepancy.opened',
  'discrepancy.decided',
  'component.changed',
]

const post = (person: Person, path: string, body: unknown = {}) =>
  app.ask({ path, token: person.token, body })
const get = (person: Person, path: string) => app.ask({ method: 'GET', path, token: person.token })

/** A company with one component and a webhook at a path of its own. */
async function company(events = everything) {
  const admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  const path = `/${randomUUID()}`
  const url = `http://127.0.0.1:${port()}${path}`
  const reply = await post(admin, '/api/webhooks', { url, events })
  expect([reply.status, reply.body]).toMatchObject([201, { success: true }])
  return { admin, path, ...created.parse(reply.body) }
}

async function importOne(admin: Person, barcode = 'A-1', quantity = 5): Promise<void> {
  await post(admin, '/api/components/import', [{ barcode, primary_quantity: quantity }])
}

/** A company with one change to tell, whose receiver answers with a status. */
async function companyAnswered(status: number) {
  const made = await company(['component.changed'])
  answers.set(made.path, (respond) => respond(status))
  await importOne(made.admin)
  return made
}

/** One that was answered so once, and is off since: nothing is tried again by itself meanwhile. */
async function companyRefused(status: number) {
  const made = await company(['component.changed'])
  const asked = new Promise<(status: number) => void>((resolve) => answers.set(made.path, resolve))
  await importOne(made.admin)
  const respond = await asked
  await app.owner.query('update webhooks set disabled_at = now() where id = $1', [made.id])
  respond(status)
  await expect
    .poll(() => deliveries(made.admin, made.id), soon)
    .toMatchObject([{ status: 'waiting', attempts: 1, reply_status: status }])
  answers.delete(made.path)
  return made
}

let scans = 0

function count(
  person: Person,
  quantity: number,
  { minutesLate = 0, key = randomUUID() }: { minutesLate?: number; key?: string } = {},
) {
  scans += 1
  return app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    key,
    body: {
      barcode: 'A-1',
      quantity,
      location: 'PRIMARY',
      source: 'monthly',
      session: `s${scans}`,
      timestamp: new Date(Date.now() + scans - minutesLate * 60_000).toISOString(),
    },
  })
}

const at = (path: string) => received.filter((one) => one.path === path)
const types = (path: string) =>
  at(path).map(({ body }) => z.object({ type: z.string() }).parse(JSON.parse(body)).type)

const log = z.object({
  next_cursor: z.string().nullish(),
  deliveries: z.array(
    z.object({
      id: z.string(),
      event: z.string(),
      status: z.string(),
      attempts: z.number(),
      reply_status: z.number().nullable(),
      problem: z.string().nullable(),
    }),
  ),
})

const deliveries = async (admin: Person, id: string, query = '') =>
  log.parse((await get(admin, `/api/webhooks/${id}/deliveries${query}`)).body).deliveries

const soon = { timeout: 60_000, interval: 100 }
/** Of ten thousand deliveries, on a busy machine. */
const later = { timeout: 80_000, interval: 100 }

/** Makes what waits for a company due now, but for what is being sent: that has its lease. */
async function letTimePass(admin: Person): Promise<void> {
  await app.owner.query(
    `update webhook_deliveries set next_at = now() where tenant_id = $1 and status = 'waiting'
       and next_at - tried_at <> interval '60 seconds'`,
    [admin.tenantId],
  )
}

describe('a receiver', () => {
  it('is told of counts, differences, decisions and components, signed, each once', async () => {
    const { admin, path, secret } = await company()
    await importOne(admin)
    await count(admin, 5)
    await count(admin, 3)
    await count(admin, 3)
    const { body } = await get(admin, '/api/discrepancies?status=open')
    const [difference] = z
      .object({ discrepancies: z.array(z.object({ id: z.string() })) })
      .parse(body).discrepancies
    await post(admin, '/api/discrepancies/decide', {
      ids: [difference?.id],
      decision: 'accept',
      reason: 'Damaged',
    })
    await expect
      .poll(() => types(path).toSorted(), soon)
      .toEqual(
        [
          'component.changed',
          'component.changed',
          'count.recorded',
          'count.recorded',
          'discrepancy.opened',
          'discrepancy.decided',
        ].toSorted(),
      )
    for (const { headers, body: sent, at: arrived } of at(path)) {
      const id = String(headers['webhook-id'])
      const seconds = String(headers['webhook-timestamp'])
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      const expected = createHmac('sha256', key).update(`${id}.${seconds}.${sent}`).digest('base64')
      expect(headers['webhook-signature']).toBe(`v1,${expected}`)
      expect(Math.abs(arrived / 1000 - Number(seconds))).toBeLessThan(30)
      expect(headers['content-type']).toBe('application/json')
    }
    const bodies = at(path).map(({ body: sent }): unknown => JSON.parse(sent))
    expect(bodies).toContainEqual({
      type: 'discrepancy.opened',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        id: expect.any(String),
        event: 'monthly_count_mismatch',
        sku: 'A-1',
        quantity: 3,
        location: 'PRIMARY',
        user_name: admin.name,
        user_type: 'admin',
      },
    })
    expect(new Set(at(path).map(({ headers }) => headers['webhook-id'])).size).toBe(6)
  })

  it('is told by the node that wrote it, without a look through all companies', async () => {
    const { admin, path } = await company()
    const looks = ['companies_to_seal', 'companies_to_tell']
    const other = await app.owner.connect()
    for (const look of looks) await other.query('select pg_advisory_lock(hashtextextended($1, 0))', [look])
    await importOne(admin)
    await count(admin, 5)
    await expect.poll(() => types(path).toSorted(), soon).toEqual(['component.changed', 'count.recorded'])
    for (const look of looks) await other.query('select pg_advisory_unlock(hashtextextended($1, 0))', [look])
    other.release()
  })

  it('is told of a bin or a minimum that changed as of a changed component', async () => {
    const { admin, path } = await company(['component.changed'])
    await importOne(admin)
    const placed = { location: 'PRIMARY', components: [{ barcode: 'A-1', bin: 'A-01-1', minimum: 6 }] }
    await post(admin, '/api/components/place', placed)
    await expect.poll(() => types(path), soon).toEqual(['component.changed', 'component.changed'])
    const bodies = at(path).map(({ body }): unknown => JSON.parse(body))
    expect(bodies).toContainEqual({
      type: 'component.changed',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        id: expect.any(String),
        event: 'placement_changed',
        sku: 'A-1',
        quantity: null,
        location: 'PRIMARY',
        user_name: admin.name,
        user_type: 'admin',
      },
    })
  })

  it('is told of stock that falls below its minimum, and how much is left', async () => {
    const { admin, path } = await company(['stock.low'])
    await importOne(admin)
    const placed = { location: 'PRIMARY', components: [{ barcode: 'A-1', minimum: 6 }] }
    await post(admin, '/api/components/place', placed)
    await app.database.inTenant(admin.tenantId, lookAtStock)
    await expect
      .poll(() => at(path).map(({ body }): unknown => JSON.parse(body)), soon)
      .toEqual([
        {
          type: 'stock.low',
          timestamp: expect.stringMatching(/Z$/),
          data: {
            id: expect.any(String),
            event: 'stock_low',
            sku: 'A-1',
            quantity: 5,
            location: 'PRIMARY',
            user_name: 'Inventory Manager',
            user_type: 'system',
          },
        },
      ])
  })

  it('is told of no difference where something newer was counted before it came', async () => {
    const { admin, path } = await company(['count.recorded', 'discrepancy.opened'])
    await importOne(admin)
    await count(admin, 5)
    await count(admin, 3, { minutesLate: 60 })
    await count(admin, 3, { minutesLate: 60 })
    await expect.poll(() => types(path), soon).toEqual(['count.recorded', 'count.recorded'])
  })

  it('is told of no further difference where a scan comes late into one that waits', async () => {
    const { admin, path } = await company(['count.recorded', 'discrepancy.opened', 'discrepancy.decided'])
    await importOne(admin)
    await count(admin, 3)
    await count(admin, 3)
    await expect.poll(() => types(path), soon).toEqual(['count.recorded', 'discrepancy.opened'])
    await count(admin, 2, { minutesLate: 60 })
    await expect.poll(() => types(path).slice(2), soon).toEqual(['count.recorded'])
    const { rows } = await app.owner.query<{ id: string }>(
      `select id from discrepancies where tenant_id = $1 and status = 'open'`,
      [admin.tenantId],
    )
    await post(admin, '/api/discrepancies/decide', { ids: rows.map(({ id }) => id), decision: 'recount' })
    await expect.poll(() => types(path).slice(3), soon).toEqual(['discrepancy.decided'])
    await count(admin, 1, { minutesLate: 50 })
    await expect.poll(() => types(path).slice(4), soon).toEqual(['count.recorded'])
  })

  it('is told that a difference waits no more where the count that opened it is taken back', async () => {
    const { admin, path } = await company(['discrepancy.opened', 'discrepancy.decided'])
    await importOne(admin)
    await count(admin, 3)
    await count(admin, 3, { key: 'again' })
    await post(admin, '/api/components/undo-count', { key: 'again' })
    await expect.poll(() => types(path), soon).toEqual(['discrepancy.opened', 'discrepancy.decided'])
    await count(admin, 5)
    await count(admin, 5)
    expect(types(path)).toEqual(['discrepancy.opened', 'discrepancy.decided'])
  })

  it('is told that a difference is none by its own next count, and that it waits again once that is taken back', async () => {
    const { admin, path } = await company(['count.undone', 'discrepancy.opened', 'discrepancy.decided'])
    await importOne(admin)
    await count(admin, 3)
    await count(admin, 3)
    await count(admin, 5, { key: 'right' })
    await expect
      .poll(() => types(path).toSorted(), soon)
      .toEqual(['discrepancy.decided', 'discrepancy.opened'])
    await post(admin, '/api/components/undo-count', { key: 'right' })
    await expect
      .poll(() => types(path).toSorted(), soon)
      .toEqual(['count.undone', 'discrepancy.decided', 'discrepancy.opened', 'discrepancy.opened'])
  })

  it('is told that stock was moved, sent, received or called back', async () => {
    const { admin, path } = await company(['component.changed'])
    await importOne(admin)
    const send = async (to: string) => {
      const { body } = await post(admin, '/api/transfers', {
        barcode: 'A-1',
        from: 'PRIMARY',
        to,
        quantity: 1,
      })
      return z.object({ transfer: z.object({ id: z.string() }) }).parse(body).transfer.id
    }
    await send('QUARANTINE')
    await post(admin, `/api/transfers/${await send('SECONDARY')}/receive`, { location: 'SECONDARY' })
    await post(admin, `/api/transfers/${await send('SECONDARY')}/cancel`)
    const told = () => at(path).map(({ body: sent }) => String(JSON.parse(sent).data.event))
    await expect
      .poll(() => told().toSorted(), soon)
      .toEqual([
        'components_imported',
        'stock_moved',
        'transfer_cancelled',
        'transfer_received',
        'transfer_sent',
        'transfer_sent',
      ])
  })

  it('is told that stock was moved by a difference, which the tolerance or somebody accepted, and back again', async () => {
    const { admin, path } = await company(['component.changed'])
    await importOne(admin)
    await post(admin, '/api/company/settings', { count_tolerance_units: 1 })
    await count(admin, 6)
    await count(admin, 3)
    await count(admin, 3)
    const { body } = await get(admin, '/api/discrepancies?status=open')
    const listed = z.object({ discrepancies: z.array(z.object({ id: z.string() })) }).parse(body)
    const [id] = listed.discrepancies.map((one) => one.id)
    const decide = async (decision: string, reason?: string) =>
      await post(admin, '/api/discrepancies/decide', { ids: [id], decision, ...(reason && { reason }) })
    await decide('accept', 'Damaged')
    await post(admin, '/api/discrepancies/reopen', { id })
    await decide('dismiss')
    await post(admin, '/api/discrepancies/reopen', { id })
    await post(admin, '/api/components/describe', { barcode: 'A-1', description: 'Bolt' })
    const told = () => at(path).map(({ body: sent }) => String(JSON.parse(sent).data.event))
    await expect
      .poll(() => told().toSorted(), soon)
      .toEqual([
        'components_imported',
        'description_changed',
        'discrepancy_accepted',
        'discrepancy_reopened',
        'monthly_count_scan',
      ])
  })

  it('is told that a component was given another barcode, lost it, was retired and came back', async () => {
    const { admin, path } = await company(['component.changed'])
    await importOne(admin, 'A-1', 0)
    await post(admin, '/api/components/add-barcode', { barcode: 'A-1', alias: 'SUP-77' })
    await post(admin, '/api/components/remove-barcode', { barcode: 'A-1', alias: 'SUP-77' })
    await post(admin, '/api/components/retire', { barcode: 'A-1' })
    await post(admin, '/api/components/reinstate', { barcode: 'A-1' })
    const told = () => at(path).map(({ body: sent }) => String(JSON.parse(sent).data.event))
    await expect
      .poll(() => told().toSorted(), soon)
      .toEqual([
        'barcode_added',
        'barcode_removed',
        'component_reinstated',
        'component_retired',
        'components_imported',
      ])
  })

  it('that was told of a count is told when it is taken back, and of no other', async () => {
    const { admin, path } = await company(['count.recorded', 'count.undone'])
    await importOne(admin)
    const undo = (key: string) => post(admin, '/api/components/undo-count', { key })
    await count(admin, 4, { key: 'mismatch' })
    expect(await undo('mismatch')).toMatchObject({ status: 200 })
    await count(admin, 5, { key: 'match' })
    expect(await undo('match')).toMatchObject({ status: 200 })
    await expect.poll(() => types(path).toSorted(), soon).toEqual(['count.recorded', 'count.undone'])
  })

  it('is told only what was chosen', async () => {
    const { admin, path } = await company(['count.recorded'])
    await importOne(admin)
    await count(admin, 5)
    await expect.poll(() => types(path), soon).toEqual(['count.recorded'])
  })

  it('is told nothing that a device only reports about itself', async () => {
    const { admin, path } = await company()
    await post(admin, '/api/audit/log', { sku: 'monthly_count_scan' })
    await post(admin, '/api/audit/log', { sku: 'quantity_updated' })
    await importOne(admin)
    await expect.poll(() => types(path), soon).toEqual(['component.changed'])
  })

  it('that fails is tried again later with the same id, and then has it', async () => {
    const { admin, path, id } = await company(['component.changed'])
    let failures = 2
    answers.set(path, (respond) => {
      failures -= 1
      respond(failures >= 0 ? 500 : 204)
    })
    await importOne(admin)
    await expect.poll(() => at(path).length, soon).toBe(1)
    await expect
      .poll(() => deliveries(admin, id), soon)
      .toMatchObject([
        { status: 'waiting', attempts: 1, reply_status: 500, problem: 'It answered with status 500.' },
      ])
    await expect
      .poll(async () => {
        await letTimePass(admin)
        return at(path).length
      }, soon)
      .toBe(3)
    await expect
      .poll(() => deliveries(admin, id), soon)
      .toMatchObject([{ status: 'delivered', attempts: 3, reply_status: 204, problem: null }])
    expect(new Set(at(path).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(at(path).map(({ body }) => body)).size).toBe(1)
  })

  it('that waits after a failure is sent again at once when an administrator wishes', async () => {
    const { admin, path, id } = await companyRefused(503)
    await app.owner.query(
      "update webhook_deliveries set next_at = now() + interval '8 hours' where webhook_id = $1",
      [id],
    )
    await app.owner.query('update webhooks set disabled_at = null where id = $1', [id])
    const [waiting] = await deliveries(admin, id)
    expect((await post(admin, `/api/webhooks/deliveries/${waiting?.id}/replay`)).status).toBe(200)
    await expect
      .poll(() => deliveries(admin, id), soon)
      .toMatchObject([{ status: 'delivered', attempts: 1, reply_status: 200 }])
    expect(at(path)).toHaveLength(2)
  })

  it('that fails eight times is given up, and an administrator can send it once more', async () => {
    const { admin, path, id } = await companyAnswered(503)
    await expect
      .poll(async () => {
        await letTimePass(admin)
        return deliveries(admin, id)
      }, soon)
      .toMatchObject([{ status: 'failed', attempts: 8, reply_status: 503 }])
    expect(retryDelays).toHaveLength(7)
    answers.delete(path)
    const [given] = await deliveries(admin, id)
    expect((await post(admin, `/api/webhooks/deliveries/${given?.id}/replay`)).status).toBe(200)
    await expect
      .poll(() => deliveries(admin, id), soon)
      .toMatchObject([{ status: 'delivered', attempts: 1, reply_status: 200 }])
    expect(at(path)).toHaveLength(9)
  })

  it('that has failed for days is switched off with an entry in the trail, and can be switched on', async () => {
    const { admin, path, id } = await companyAnswered(500)
    await expect.poll(() => at(path).length, soon).toBe(1)
    await expect.poll(() => deliveries(admin, id), soon).toMatchObject([{ reply_status: 500 }])
    await app.owner.query("update webhooks set failing_since = now() - interval '4 days' where id = $1", [id])
    await expect
      .poll(async () => {
        await letTimePass(admin)
        return (await get(admin, '/api/webhooks')).body
      }, soon)
      .toMatchObject({ webhooks: [{ enabled: false, failing_since: expect.any(String) }] })
    expect((await get(admin, '/api/audit/trail?sku=WEBHOOK_SWITCHED_OFF')).body).toMatchObject({
      entries: [{ user_name: 'Inventory Manager', user_type: 'system' }],
    })
    const tried = at(path).length
    await importOne(admin, 'A-2')
    answers.delete(path)
    await post(admin, `/api/webhooks/${id}/enable`)
    await expect.poll(() => at(path).length, soon).toBeGreaterThanOrEqual(tried + 1)
    await letTimePass(admin)
    await expect.poll(() => at(path).length, soon).toBeGreaterThanOrEqual(tried + 2)
  })

  it('that fails again after a quiet time is not switched off by that one failure', async () => {
    const { admin, id } = await companyAnswered(500)
    await expect.poll(() => deliveries(admin, id), soon).toMatchObject([{ reply_status: 500 }])
    await app.owner.query(
      `update webhooks set failing_since = now() - interval '9 days', failed_at = now() - interval '8 days'
       where id = $1`,
      [id],
    )
    await letTimePass(admin)
    const fails = z.object({ enabled: z.boolean(), failing_since: z.iso.datetime() })
    const state = async () => {
      const { body } = await get(admin, '/api/webhooks')
      const [webhook] = z.object({ webhooks: z.tuple([fails]) }).parse(body).webhooks
      return { enabled: webhook.enabled, anew: Date.now() - Date.parse(webhook.failing_since) < 120_000 }
    }
    await expect.poll(state, soon).toEqual({ enabled: true, anew: true })
  })

  it('that is off is sent nothing, which a test and a replay say; switched on, it gets what waits at once', async () => {
    const { admin, id } = await companyRefused(500)
    await app.owner.query(
      `update webhook_deliveries set next_at = now() + interval '8 hours' where webhook_id = $1`,
      [id],
    )
    const off = [409, { code: 'webhook_off' }]
    const test = await post(admin, `/api/webhooks/${id}/test`)
    expect([test.status, test.body]).toMatchObject(off)
    const [waiting] = await deliveries(admin, id)
    const replay = await post(admin, `/api/webhooks/deliveries/${waiting?.id}/replay`)
    expect([replay.status, replay.body]).toMatchObject(off)
    await post(admin, `/api/webhooks/${id}/enable`)
    await expect.poll(() => deliveries(admin, id), soon).toMatchObject([{ status: 'delivered' }])
  })

  it('that was given up in the last three days is sent once the webhook is switched on, and what is older is not', async () => {
    const { admin, path, id } = await companyRefused(500)
    await app.owner.query(
      `insert into webhook_deliveries (tenant_id, webhook_id, entry_id, event, body, status, attempts)
       select tenant_id, webhook_id, id_at(now() - hours * interval '1 hour'), event, hours::text, 'failed', 8
       from webhook_deliveries, unnest(array[71, 73]) as hours where webhook_id = $1`,
      [id],
    )
    await post(admin, `/api/webhooks/${id}/enable`)
    await expect
      .poll(() => deliveries(admin, id, '?status=delivered'), soon)
      .toMatchObject([{ attempts: 1 }, { attempts: 2 }])
    expect(await deliveries(admin, id, '?status=failed')).toMatchObject([{ attempts: 8 }])
    expect(at(path).map(({ body }) => body)).toContain('71')
    expect(at(path).map(({ body }) => body)).not.toContain('73')
  })

  it('that was given up long ago is found below a hundred newer ones, by its state and by paging', async () => {
    const { admin, id } = await companyRefused(500)
    await app.owner.query(
      `insert into webhook_deliveries (tenant_id, id, webhook_id, event, body, status, attempts)
       select tenant_id, id_at(now() - hours * interval '1 hour', uuid_send(gen_random_uuid())), webhook_id, event, '{}',
         case when hours = 200 then 'failed' else 'delivered' end, 1
       from webhook_deliveries, generate_series(1, 200) as hours where webhook_id = $1`,
      [id],
    )
    const { deliveries: newest, next_cursor: next } = log.parse(
      (await get(admin, `/api/webhooks/${id}/deliveries`)).body,
    )
    const older = await deliveries(admin, id, `?cursor=${next}`)
    expect([newest, older].map((page) => page.length)).toEqual([100, 100])
    const oldest = await deliveries(admin, id, `?cursor=${older.at(-1)?.id}`)
    expect(oldest).toMatchObject([{ status: 'failed' }])
    expect(new Set([...newest, ...older, ...oldest].map((one) => one.id)).size).toBe(201)
    expect(await deliveries(admin, id, '?status=failed')).toEqual(oldest)
  })

  it('keeps its log for thirty days: what is older goes, ten thousand at a time', async () => {
    const { admin, id } = await companyAnswered(200)
    await expect.poll(() => deliveries(admin, id), later).toMatchObject([{ status: 'delivered' }])
    // In one transaction, so that no look of the program itself comes between.
    const left = await app.database.inTenant(admin.tenantId, async (tx) => {
      const mine = sql`tenant_id = ${admin.tenantId}::uuid and webhook_id = ${id}::uuid`
      await sql`
        insert into webhook_deliveries (tenant_id, id, webhook_id, entry_id, event, body, status)
        select tenant_id, id_at(now() - interval '40 days', uuid_send(gen_random_uuid())), webhook_id,
          id_at(now() - interval '40 days', uuid_send(gen_random_uuid())), event, body, status
        from webhook_deliveries, generate_series(1, 10500) where ${mine}
      `.execute(tx.db)
      const look = async () => {
        await makeDeliveries(tx)
        return (await sql`select id from webhook_deliveries where ${mine}`.execute(tx.db)).rows.length
      }
      return [await look(), await look()]
    })
    expect(left).toEqual([501, 1])
  })

  it('that was off for long is sent none of ten thousand that are older than three days', async () => {
    const { admin, path, id } = await companyRefused(500)
    await app.owner.query(
      `insert into webhook_deliveries (tenant_id, webhook_id, entry_id, event, body, next_at)
       select tenant_id, webhook_id, id_at(now() - interval '73 hours', uuid_send(gen_random_uuid())), event, body,
         now() - interval '60 hours'
       from webhook_deliveries, generate_series(1, 10500) where webhook_id = $1`,
      [id],
    )
    const sent = at(path).length
    await post(admin, `/api/webhooks/${id}/enable`)
    const failed = async () =>
      (
        await app.owner.query(`select from webhook_deliveries where webhook_id = $1 and status = 'failed'`, [
          id,
        ])
      ).rowCount
    await expect.poll(failed, later).toBe(10_500)
    // The one of this moment is tried again.
    const tried = async () => {
      await letTimePass(admin)
      return at(path).length
    }
    await expect.poll(tried, later).toBe(sent + 1)
  })

  it('that was off for long is not sent what is older than three days, unless somebody sends it once more', async () => {
    const { admin, path, id } = await companyRefused(500)
    const [{ id: waiting } = { id: '' }] = await deliveries(admin, id)
    await app.owner.query(
      `update webhook_deliveries set entry_id = id_at(now() - interval '73 hours'), next_at = now() - interval '60 hours'
       where webhook_id = $1`,
      [id],
    )
    await post(admin, `/api/webhooks/${id}/enable`)
    await expect
      .poll(() => deliveries(admin, id), soon)
      .toMatchObject([
        {
          status: 'failed',
          attempts: 1,
          problem: 'It could not be sent within three days and was given up.',
        },
      ])
    expect(at(path)).toHaveLength(1)

    answers.set(path, (respond) => respond(500))
    await post(admin, `/api/webhooks/deliveries/${waiting}/replay`)
    await expect.poll(() => at(path).length, soon).toBe(2)
    answers.delete(path)
    await expect
      .poll(async () => {
        await letTimePass(admin)
        return deliveries(admin, id)
      }, soon)
      .toMatchObject([{ status: 'delivered', attempts: 2 }])
  })

  it('that never answers is cut off after ten seconds, and holds up no other', async () => {
    const { admin, path, id } = await company(['component.changed'])
    answers.set(path, () => undefined)
    await importOne(admin)
    await expect.poll(() => at(path).length, soon).toBe(1)
    const other = await company(['component.changed'])
    await importOne(other.admin)
    await expect.poll(() => at(other.path).length, { ...soon, timeout: 8_000 }).toBe(1)
    await expect
      .poll(() => deliveries(admin, id), { timeout: 20_000 })
      .toMatchObject([{ status: 'waiting', problem: 'There was no answer within 10 seconds.' }])
  })

  it('has taken what it says it has, also where the rest of its reply never comes', async () => {
    const { admin, path, id } = await company(['component.changed'])
    answers.set(path, (respond) => respond(200, { 'content-length': '5000' }))
    await importOne(admin)
    await expect
      .poll(() => deliveries(admin, id), { ...soon, timeout: 8_000 })
      .toMatchObject([{ status: 'delivered', problem: null }])
    expect(at(path)).toHaveLength(1)
  })

  it('that is slow holds up no other company, however many webhooks and deliveries lead to it', async () => {
    const path = `/${randomUUID()}`
    answers.set(path, (respond) => setTimeout(respond, 3_000, 200))
    const slow = await Promise.all(Array.from({ length: 4 }, () => makeCompany(app)))
    for (const { tenantId } of slow) {
      await app.owner.query(
        `with added as (
           insert into webhooks (tenant_id, url, events, secret, position, created_by)
           select $1, $2, '{component.changed}', 'whsec_AAAA', 1000000, 'x' from generate_series(1, 10)
           returning id
         )
         insert into webhook_deliveries (tenant_id, webhook_id, event, body)
         select $1, id, 'test', '{}' from added, generate_series(1, 80)`,
        [tenantId, `http://127.0.0.1:${port()}${path}`],
      )
    }
    await expect.poll(() => at(path).length, soon).toBeGreaterThanOrEqual(80)
    const other = await company(['component.changed'])
    await importOne(other.admin)
    await expect.poll(() => at(other.path).length, soon).toBe(1)
    const sent = at(path).length
    // Most of what the slow one is to get still waits.
    expect(sent).toBeLessThan((slow.length * 10 * 80) / 2)
    await expect.poll(() => at(path).length, soon).toBeGreaterThan(sent + 80)
    await app.owner.query('delete from webhook_deliveries where tenant_id = any ($1)', [
      slow.map(({ tenantId }) => tenantId),
    ])
  })

  it('that redirects is not followed', async () => {
    const { admin, path, id } = await company(['component.changed'])
    const elsewhere = `/${randomUUID()}`
    answers.set(path, (respond) => respond(302, { location: elsewhere }))
    await importOne(admin)
    await expect
      .poll(() => deliveries(admin, id), soon)
      .toMatchObject([{ reply_status: 302, problem: 'It answered with a redirect, which is not followed.' }])
    expect(at(elsewhere)).toEqual([])
  })

  it('that takes the connection for another protocol has not taken the delivery, and gets the next attempt', async () => {
    const { admin, path, id } = await company(['component.changed'])
    answers.set(path, (respond) => respond(101, { connection: 'Upgrade', upgrade: 'x' }))
    await importOne(admin)
    await expect
      .poll(() => deliveries(admin, id), soon)
      .toMatchObject([{ status: 'waiting', reply_status: 101, problem: 'It answered with status 101.' }])
    answers.delete(path)
    await expect
      .poll(async () => {
        await letTimePass(admin)
        return await deliveries(admin, id)
      }, soon)
      .toMatchObject([{ status: 'delivered', attempts: 2 }])
  })
})

describe('deliveries', () => {
  it('lost with the process that had taken them are sent by another once their lease is over', async () => {
    const { admin, path, id } = await company(['component.changed'])
    await app.owner.query('update webhooks set disabled_at = now() where id = $1', [id])
    await importOne(admin)
    await sealCompany(app.database, admin.tenantId)
    // What a process does before it dies: it makes the delivery, takes it, and never sends.
    const taken = await app.database.inTenant(admin.tenantId, async (tx) => {
      await clearFailure(tx, id)
      await makeDeliveries(tx)
      return await claimDeliveries(tx, id, 5)
    })
    expect(taken).toHaveLength(1)
    expect(at(path)).toEqual([])
    await app.owner.query(
      "update webhook_deliveries set next_at = now() where webhook_id = $1 and status = 'waiting'",
      [id],
    )
    await expect.poll(() => deliveries(admin, id), soon).toMatchObject([{ status: 'delivered' }])
    expect(at(path)).toHaveLength(1)
  })

  it('are made of everything that was committed before a crash, once', async () => {
    const { admin, path, id } = await company(['component.changed'])
    const { rows } = await app.owner.query<{ position: string }>(
      'select position from webhooks where id = $1',
      [id],
    )
    await importOne(admin)
    await expect.poll(() => at(path).length, soon).toBe(1)
    // A look that broke off before its commit leaves the old position: the next one makes the same deliveries.
    await app.owner.query('update webhooks set position = $2 where id = $1', [id, rows[0]?.position])
    await importOne(admin, 'A-2')
    await expect.poll(() => at(path).length, soon).toBe(2)
    expect(await deliveries(admin, id)).toHaveLength(2)
  })

  it('of one company that cannot be made hold up no other company’s', async () => {
    const made = [await company(['component.changed']), await company(['component.changed'])]
    // What is known of them has been looked at by then: they are found in one look through all companies.
    await sleep(2_500)
    const { rows } = await app.owner.query<{ id: string }>('select company_ids() as id')
    const place = ({ admin }: { admin: Person }) => rows.findIndex(({ id }) => id === admin.tenantId)
    const [first, second] = made.toSorted((a, b) => place(a) - place(b))
    if (first === undefined || second === undefined) throw new Error('There are two companies.')
    await app.owner.query(
      `create function refuse_delivery() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
       create trigger refused before insert on webhook_deliveries for each row
       when (new.tenant_id = '${first.admin.tenantId}') execute function refuse_delivery()`,
    )
    for (const { admin } of [first, second]) {
      await app.owner.query(
        `insert into audit_entries (tenant_id, kind, event, sku, source, user_type, user_name)
         values ($1, 'configuration', 'quantity_updated', 'A-1', 'x', 'user', 'x')`,
        [admin.tenantId],
      )
      await sealCompany(app.database, admin.tenantId)
    }
    await expect.poll(() => at(second.path).length, soon).toBe(1)
    expect(at(first.path)).toEqual([])
    await app.owner.query('drop function refuse_delivery() cascade')
    await expect.poll(() => at(first.path).length, soon).toBe(1)
  })

  it('that cannot be written down are told each', async () => {
    const lines: string[] = []
    const telling = await startTestApp(
      { WEBHOOKS_ALLOW_PRIVATE: 'on', LOG_LEVEL: 'error' },
      { logTo: { write: (line) => lines.push(line) } },
    )
    const { tenantId } = await makeCompany(telling)
    const path = `/${randomUUID()}`
    await telling.owner.query(
      `create function refuse_delivery() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
       create trigger refused before update on webhook_deliveries for each row
       when (new.status = 'delivered') execute function refuse_delivery()`,
    )
    await telling.owner.query(
      `with added as (
         insert into webhooks (tenant_id, url, events, secret, position, created_by)
         values ($1, $2, '{component.changed}', 'whsec_AAAA', 1000000, 'x')
         returning id
       )
       insert into webhook_deliveries (tenant_id, webhook_id, event, body)
       select $1, id, 'test', '{}' from added, generate_series(1, 3)`,
      [tenantId, `http://127.0.0.1:${port()}${path}`],
    )
    const told = () => lines.filter((line) => line.includes('sending webhooks failed')).length
    await expect.poll(() => [at(path).length, told()], soon).toEqual([3, 3])
    await telling.close()
    expect(told()).toBe(3)
  })

  it('are not made of what was rolled back', async () => {
    const { admin, path } = await company(['component.changed'])
    await expect(
      app.database.inTenant(admin.tenantId, async (tx) => {
        await tx.db
          .insertInto('audit_entries')
          .values({
            tenant_id: tx.tenantId,
            kind: 'configuration',
            event: 'quantity_updated',
            sku: 'GONE',
            source: 'x',
            user_type: 'user',
            user_name: 'x',
          })
          .execute()
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    await importOne(admin)
    await expect.poll(() => at(path).length, soon).toBe(1)
    expect(at(path)[0]?.body).not.toContain('GONE')
  })

  it('of 60 events over two nodes are sent once each', async () => {
    const second = await app.startSecondNode()
    const { admin, path } = await company(['component.changed'])
    for (let index = 0; index < 60; index += 1) await importOne(admin, `M-${index}`)
    await expect.poll(() => at(path).length, soon).toBe(60)
    await second.close()
    expect(new Set(at(path).map(({ headers }) => headers['webhook-id'])).size).toBe(60)
  })
})

describe('a webhook', () => {
  it('shows its secret once, also to a retry', async () => {
    const admin = await makeCompany(app)
    const body = { url: `http://127.0.0.1:${port()}/x`, events: ['count.recorded'] }
    const ask = () => app.ask({ path: '/api/webhooks', token: admin.token, body, key: 'once' })
    const first = await ask()
    expect(first.body).toMatchObject({ secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) })
    expect((await ask()).body).toMatchObject({ code: 'shown_once' })
    const { secret } = created.parse(first.body)
    const list = await get(admin, '/api/webhooks')
    expect(list.body).toMatchObject({ webhooks: [{ events: ['count.recorded'], enabled: true }] })
    expect(list.bytes.includes(secret)).toBe(false)
    const { rows } = await app.owner.query('select from operations where reply::text like $1', [`%whsec_%`])
    expect(rows).toEqual([])
  })

  it('can be tested and removed with its log', async () => {
    const { admin, path, id } = await company()
    await post(admin, `/api/webhooks/${id}/test`)
    await expect.poll(() => types(path), soon).toEqual(['test'])
    const removed = await app.ask({ method: 'DELETE', path: `/api/webhooks/${id}`, token: admin.token })
    expect(removed.status).toBe(200)
    expect((await get(admin, `/api/webhooks/${id}/deliveries`)).status).toBe(404)
    await importOne(admin)
    await sealCompany(app.database, admin.tenantId)
    expect(at(path)).toHaveLength(1)
  })

  it('is removed with deliveries that are added at that moment', async () => {
    const { admin, id } = await company()
    const adding = await app.owner.connect()
    await adding.query('begin')
    await adding.query(
      "insert into webhook_deliveries (tenant_id, webhook_id, event, body) values ($1, $2, 'test', '{}')",
      [admin.tenantId, id],
    )
    const removing = app.ask({ method: 'DELETE', path: `/api/webhooks/${id}`, token: admin.token })
    await untilSomebodyWaits(app)
    await adding.query('commit')
    adding.release()
    expect(await removing).toMatchObject({ status: 200, body: { success: true } })
  })

  it('that is removed at that moment cannot be tested any more', async () => {
    const { admin, id } = await company()
    const removing = await app.owner.connect()
    await removing.query('begin')
    await removing.query('delete from webhooks where id = $1', [id])
    const testing = post(admin, `/api/webhooks/${id}/test`)
    await untilSomebodyWaits(app)
    await removing.query('commit')
    removing.release()
    expect(await testing).toMatchObject({ status: 404 })
  })

  it('has at most ten tests waiting', async () => {
    const { admin, path, id } = await company()
    answers.set(path, (respond) => respond(500))
    const test = () => post(admin, `/api/webhooks/${id}/test`)
    const replies = await Promise.all(Array.from({ length: 12 }, test))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(2)
    expect((await test()).body).toMatchObject({
      error:
        'Ten tests of this webhook are waiting already. Send one of them once more, or wait until they are sent.',
      code: 'too_many_tests',
    })
    answers.delete(path)
    await expect
      .poll(async () => {
        await letTimePass(admin)
        return (await get(admin, '/api/webhooks')).body
      }, soon)
      .toMatchObject({ webhooks: [{ waiting: 0 }] })
    expect((await test()).status).toBe(200)
  })

  it('cannot be the eleventh', async () => {
    const admin = await makeCompany(app)
    const body = { url: `http://127.0.0.1:${port()}/x`, events: ['count.recorded'] }
    for (let index = 0; index < 10; index += 1) await post(admin, '/api/webhooks', body)
    expect((await post(admin, '/api/webhooks', body)).body).toMatchObject({
      code: 'too_many_webhooks',
      error: 'A company has at most 10 webhooks. Remove one first.',
    })
  })

  it('is closed to staff, and to administrators of other companies it does not exist', async () => {
    const { admin, id, path } = await company(['component.changed'])
    await importOne(admin)
    await expect.poll(() => at(path).length, soon).toBe(1)
    const [delivery] = await deliveries(admin, id)
    const staff = await makeStaff(app, admin)
    const stranger = await makeCompany(app)
    const calls = [
      { path: `/api/webhooks/${id}/enable` },
      { path: `/api/webhooks/${id}/test` },
      { method: 'GET', path: `/api/webhooks/${id}/deliveries` },
      { path: `/api/webhooks/deliveries/${delivery?.id}/replay` },
      { method: 'DELETE', path: `/api/webhooks/${id}` },
    ]
    for (const call of calls) {
      expect([call, (await app.ask({ ...call, token: staff.token })).status]).toEqual([call, 403])
      expect([call, (await app.ask({ ...call, token: stranger.token })).status]).toEqual([call, 404])
    }
    expect((await get(stranger, '/api/webhooks')).body).toEqual({ webhooks: [] })
  })

  it('needs the professional plan', async () => {
    const admin = await makeCompany(app, { plan: 'starter' })
    const reply = await post(admin, '/api/webhooks', {
      url: 'https://example.com/',
      events: ['count.recorded'],
    })
    expect([reply.status, reply.body]).toMatchObject([
      403,
      {
        error: 'API access comes with the Professional plan and up. Your company has the Starter plan.',
        code: 'plan_required',
      },
    ])
  })

  it('is listed and removed also while the plan has none, and not tested or switched on', async () => {
    const { admin, id } = await company(['component.changed'])
    await app.owner.query("update companies set plan = 'starter' where tenant_id = $1", [admin.tenantId])
    expect((await get(admin, '/api/webhooks')).body).toMatchObject({ webhooks: [{ id }] })
    for (const act of ['test', 'enable']) {
      expect((await post(admin, `/api/webhooks/${id}/${act}`, {})).body).toMatchObject({
        code: 'plan_required',
      })
    }
    await app.done({ method: 'DELETE', path: `/api/webhooks/${id}`, token: admin.token })
    expect((await get(admin, '/api/webhooks')).body).toEqual({ webhooks: [] })
  })

  it('is not told anything while the plan has none', async () => {
    const { admin, path } = await company(['component.changed'])
    await app.owner.query("update companies set plan = 'starter' where tenant_id = $1", [admin.tenantId])
    await importOne(admin)
    await sealCompany(app.database, admin.tenantId)
    const other = await company(['component.changed'])
    await importOne(other.admin)
    await expect.poll(() => at(other.path).length, soon).toBe(1)
    expect(at(path)).toEqual([])
  })

  it('is sent no more of what waits for it once the plan has none', async () => {
    const { admin, path, id } = await company(['component.changed'])
    const held: (() => void)[] = []
    answers.set(path, (respond) => held.push(() => respond(200)))
    await app.owner.query(
      `insert into webhook_deliveries (tenant_id, webhook_id, event, body)
       select $1, $2, 'test', '{}' from generate_series(1, 40)`,
      [admin.tenantId, id],
    )
    await expect.poll(() => at(path).length, soon).toBe(5)
    await app.owner.query("update companies set plan = 'starter' where tenant_id = $1", [admin.tenantId])
    for (const answer of held) answer()
    const waiting = async () => {
      const text = "select from webhook_deliveries where webhook_id = $1 and status = 'waiting'"
      return (await app.owner.query(text, [id])).rowCount
    }
    await expect.poll(waiting, soon).toBe(35)
    await sleep(3_000)
    expect(at(path)).toHaveLength(5)
    expect(await waiting()).toBe(35)
  })

  it.each([
    'ftp://example.com/',
    'javascript:alert(1)',
    'https://user:pass@example.com/',
    'https://example.com/#x',
    'nothing',
    '',
  ])('cannot have the address %j', async (url) => {
    const admin = await makeCompany(app)
    expect((await post(admin, '/api/webhooks', { url, events: everything })).status).toBe(400)
  })
})

describe('without WEBHOOKS_ALLOW_PRIVATE', () => {
  it('no address of the own network is taken, and none is sent to that became one', async () => {
    const strict = await startTestApp()
    const admin = await makeCompany(strict)
    const ask = (url: string) =>
      strict.ask({ path: '/api/webhooks', token: admin.token, body: { url, events: everything } })
    for (const url of [
      `http://127.0.0.1:${port()}/ssrf`,
      `http://localhost:${port()}/ssrf`,
      `http://[::1]:${port()}/ssrf`,
      `http://[::ffff:127.0.0.1]:${port()}/ssrf`,
      `http://0x7f.1:${port()}/ssrf`,
      `http://2130706433:${port()}/ssrf`,
      'http://169.254.169.254/latest/meta-data/',
      'http://192.168.0.1/',
      // Whether or not there are such hosts.
      'http://vault/',
      'https://vault.default.svc.cluster.local/',
      'https://NAS.local./',
    ]) {
      expect([url, (await ask(url)).body]).toMatchObject([
        url,
        { error: 'This address is not public. Webhooks are sent to public addresses only.' },
      ])
    }
    // A name that led elsewhere when the webhook was added.
    await strict.owner.query(
      `insert into webhooks (tenant_id, url, events, secret, position, created_by)
       values ($1, $2, '{component.changed}', 'whsec_AAAA', 0, 'x'), ($1, $3, '{component.changed}', 'whsec_AAAA', 0, 'x')`,
      [admin.tenantId, `http://localhost:${port()}/ssrf`, `http://127.0.0.1:${port()}/ssrf`],
    )
    await strict.ask({ path: '/api/components/import', token: admin.token, body: [{ barcode: 'A-1' }] })
    await expect
      .poll(async () => {
        const { rows } = await strict.owner.query('select problem from webhook_deliveries')
        return rows
      }, soon)
      .toEqual([{ problem: 'The address is not public.' }, { problem: 'The address is not public.' }])
    expect(at('/ssrf')).toEqual([])
    await strict.close()
  })
})
