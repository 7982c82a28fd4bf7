import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Five of A-1, which is on Monday's list, and of A-2, which is on none. */
async function companyWithList(): Promise<{ admin: Person; staff: Person }> {
  const admin = await makeCompany(app)
  const ask = (path: string, body: unknown) => app.ask({ path, token: admin.token, body })
  await ask('/api/components/import', [
    { barcode: 'A-1', primary_quantity: 5 },
    { barcode: 'A-2', primary_quantity: 5 },
  ])
  const listed = { barcodes: ['A-1'], day: 'Monday', location: 'PRIMARY', action: 'add' }
  await ask('/api/components/bulk-high-volume', listed)
  return { admin, staff: await makeStaff(app, admin) }
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

const scan = (person: Person, part: Record<string, unknown>) =>
  app.ask({
    path: '/api/components/update-with-tracking',
    token: person.token,
    body: { quantity: 4, location: 'PRIMARY', session: 's-1', timestamp: inMinutes(0), ...part },
  })

const page = z.object({ entries: z.array(z.unknown()) })

/** What the trail says of a SKU, newest first. */
async function toldOf(person: Person, sku: string): Promise<unknown[]> {
  const path = `/api/audit/trail?sku=${sku}`
  return page.parse((await app.ask({ method: 'GET', path, token: person.token })).body).entries
}

it('a scan of what is not in the list stands in the trail with who scanned what, where and when', async () => {
  const { admin, staff } = await companyWithList()
  const timestamp = inMinutes(-1)
  const { status } = await scan(staff, { barcode: 'A-2', source: 'weekly', day: 'Monday', timestamp })
  expect(status).toBe(409)
  expect(await toldOf(admin, 'A-2')).toMatchObject([
    {
      kind: 'inventory_scan',
      sku: 'A-2',
      quantity: 4,
      location: 'PRIMARY',
      source: 'weekly',
      user_name: 'Sam Staff',
      user_type: 'user',
      origin: 'server',
      metadata: {
        event_type: 'weekly_count_error',
        reason: 'not_in_list',
        session: 's-1',
        counted_at: timestamp,
        day: 'Monday',
      },
    },
  ])
})

it('a scan that is sent again after a lost answer stands in the trail once, and another one beside it', async () => {
  const { admin, staff } = await companyWithList()
  const monday = { barcode: 'A-2', source: 'weekly', day: 'Monday' }
  const [first, second] = [inMinutes(-2), inMinutes(-1)]
  for (const timestamp of [first, first, first, second]) {
    expect((await scan(staff, { ...monday, timestamp })).status).toBe(409)
  }
  expect(await toldOf(admin, 'A-2')).toMatchObject([
    { metadata: { counted_at: second } },
    { metadata: { counted_at: first } },
  ])
})

it('a scan by another barcode stands in the trail of its component', async () => {
  const { admin, staff } = await companyWithList()
  const alias = { barcode: 'A-2', alias: '4006381333931' }
  await app.done({ path: '/api/components/add-barcode', token: admin.token, body: alias })
  await scan(staff, { barcode: alias.alias, source: 'weekly', day: 'Monday' })
  expect(await toldOf(admin, 'A-2')).toMatchObject([
    { sku: 'A-2', metadata: { reason: 'not_in_list', barcode: '4006381333931' } },
    { metadata: { event_type: 'barcode_added' } },
  ])
})

it('a scan of what was counted today already stands in the trail', async () => {
  const { admin, staff } = await companyWithList()
  const weekly = { barcode: 'A-1', source: 'weekly', day: 'Monday', quantity: 5 }
  await scan(staff, weekly)
  expect((await scan(staff, { ...weekly, timestamp: inMinutes(1) })).status).toBe(409)
  expect(await toldOf(admin, 'A-1')).toMatchObject([
    { metadata: { event_type: 'weekly_count_error', reason: 'already_counted' } },
    { metadata: { event_type: 'weekly_count_scan' } },
  ])
})

it('scans that come too late or too early stand in the trail', async () => {
  const { admin, staff } = await companyWithList()
  await scan(staff, { barcode: 'A-1', source: 'monthly', timestamp: inMinutes(-8 * 24 * 60) })
  await scan(admin, { barcode: 'A-1', source: 'admin', timestamp: inMinutes(10) })
  expect(await toldOf(admin, 'A-1')).toMatchObject([
    { metadata: { event_type: 'admin_view_error', reason: 'too_early' } },
    { metadata: { event_type: 'monthly_count_error', reason: 'too_old' } },
  ])
})

it('a scan that was not taken is no activity of the overview', async () => {
  const { staff } = await companyWithList()
  await scan(staff, { barcode: 'A-1', source: 'monthly', quantity: 5 })
  await scan(staff, { barcode: 'A-2', source: 'weekly', day: 'Monday' })
  const { body } = await app.ask({ method: 'GET', path: '/api/dashboard', token: staff.token })
  expect(body).toHaveProperty('recent_activity.0.description', 'Sam Staff counted A-1 at Primary Warehouse')
})
