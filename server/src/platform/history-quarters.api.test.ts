import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { divideIntoQuarters, quarterLabel } from '../../test/old-quarters.ts'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import { makeQuarters } from './history-quarters.ts'

let app: TestApp
let admin: Person
const day = 86_400_000

async function scan(barcode: string, at = new Date()): Promise<number> {
  const body = { barcode, quantity: 5, location: 'PRIMARY', source: 'monthly', session: 's' }
  const { status } = await app.ask({
    path: '/api/components/update-with-tracking',
    token: admin.token,
    key: randomUUID(),
    body: { ...body, timestamp: at.toISOString() },
  })
  return status
}

/** In which parts the counts and scans of a SKU lie. */
async function partsOf(sku: string): Promise<string[]> {
  const { rows } = await app.owner.query<{ part: string }>(
    `select tableoid::regclass::text as part from count_history where sku = $1
     union all select tableoid::regclass::text from audit_entries where sku = $1 and kind = 'inventory_scan'`,
    [sku],
  )
  return rows.map(({ part }) => part)
}

async function attached(): Promise<string[]> {
  const { rows } = await app.owner.query<{ part: string }>(
    `select part from history_parts() where history = 'audit_entries'`,
  )
  return rows.map(({ part }) => part)
}

const name = (before: number) => quarterLabel(before).replace('-Q', '_q')

async function drop(before: number): Promise<void> {
  for (const history of ['count_history', 'audit_entries']) {
    await app.owner.query(`drop table ${history}_${name(before)}`)
  }
}

beforeAll(async () => {
  app = await startTestApp()
  await divideIntoQuarters(app.owner)
  admin = await makeCompany(app)
  const rows = ['H-1', 'H-2', 'H-3'].map((barcode) => ({ barcode, primary_quantity: 5 }))
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
})
afterAll(() => app.close())

it('a count and its entry in the trail lie in the part of the quarter they are written in', async () => {
  expect(await scan('H-1')).toBe(200)
  expect(await partsOf('H-1')).toEqual([`count_history_${name(0)}`, `audit_entries_${name(0)}`])
})

it('a count that a device kept for six days is counted, and lies where today is', async () => {
  expect(await scan('H-2', new Date(Date.now() - 6 * day))).toBe(200)
  expect(await partsOf('H-2')).toEqual([`count_history_${name(0)}`, `audit_entries_${name(0)}`])
})

it('parts for the next two quarters are made by the running program, by two nodes at once too', async () => {
  await drop(-1)
  await drop(-2)
  // Neither waits long for who holds a table at that moment.
  const attachedByTwo = async () => {
    await Promise.all([makeQuarters(app.database), makeQuarters(app.database)])
    return await attached()
  }
  await expect.poll(attachedByTwo).toEqual(expect.arrayContaining([name(-1), name(-2), 'rest']))
  await makeQuarters(app.database)
  expect(new Set(await attached()).size).toBe((await attached()).length)
})

it('who reads the whole history makes a new part wait, and nobody else', async () => {
  await drop(-2)
  const reader = await app.owner.connect()
  await reader.query('begin')
  await reader.query('select count(*) from audit_entries')
  await reader.query('select count(*) from count_history')
  await makeQuarters(app.database)
  expect(await attached()).not.toContain(name(-2))
  expect(await scan('H-1')).toBe(200)
  await reader.query('commit')
  reader.release()
  const attachedNow = async () => {
    await makeQuarters(app.database)
    return await attached()
  }
  await expect.poll(attachedNow).toContain(name(-2))
})

const page = z.object({ entries: z.array(z.object({ sku: z.string() })), next_cursor: z.string().nullable() })

it('the trail and the history of a component are listed over all parts, newest first, page by page', async () => {
  const written = [0, 5, 120, 200, 300, 500].map((days, index) => ({
    at: days === 0 ? new Date() : new Date(Date.now() - days * day),
    sku: `OLD-${index}`,
  }))
  for (const { at, sku } of written) {
    await app.owner.query(
      `insert into audit_entries (tenant_id, id, kind, event, sku, source, user_type, user_name, created_at)
       values ($1, id_at($2, uuid_send(gen_random_uuid())), 'inventory_scan', 'monthly_count_scan', $3, 'monthly', 'admin', 'Bea', $2)`,
      [admin.tenantId, at, sku],
    )
  }
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `/api/audit/trail?limit=2&sku=OLD-${cursor === '' ? '' : `&cursor=${cursor}`}`
    const { body } = await app.ask({ method: 'GET', path, token: admin.token })
    const { entries, next_cursor: next } = page.parse(body)
    found.push(...entries.map(({ sku }) => sku))
    cursor = next
  }
  expect(found).toEqual(['OLD-0', 'OLD-1', 'OLD-2', 'OLD-3', 'OLD-4', 'OLD-5'])
})

it('where no part was made in time nothing is refused or lost: the rest has it', async () => {
  await drop(0)
  expect(await scan('H-3')).toBe(200)
  expect(await partsOf('H-3')).toEqual(['count_history_rest', 'audit_entries_rest'])
  await drop(-1)
  await makeQuarters(app.database)
  // Rows of the present quarter stay where they are; the next quarter has its part again.
  expect(await partsOf('H-3')).toEqual(['count_history_rest', 'audit_entries_rest'])
  expect(await attached()).toContain(name(-1))
  expect(await attached()).not.toContain(name(0))
  expect(await scan('H-3')).toBe(200)
  const { body } = await app.ask({ method: 'GET', path: '/api/audit/trail?sku=H-3', token: admin.token })
  expect(body).toMatchObject({ total: 2 })
})
