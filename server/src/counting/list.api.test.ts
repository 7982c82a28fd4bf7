import { listToCount, listWithCountStatus } from '@inventory-manager/contract/counting/endpoints'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const oddCode = 'A "quoted" \\ code'
const oddWords = 'Łożysko\t"6204" 🔩'

async function companyWithCounts(): Promise<{ admin: Person; staff: Person; at: string }> {
  const admin = await makeCompany(app)
  const staff = await makeStaff(app, admin)
  const rows = [
    { barcode: oddCode, description: oddWords, primary_quantity: 1 },
    { barcode: 'B-1', description: 'Bolt', primary_quantity: 5, secondary_quantity: 2 },
    { barcode: 'B-2', description: 'Nut', primary_quantity: 7 },
    { barcode: 'B-3' },
  ]
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  const assignments = { Monday: ['SECONDARY'], Friday: ['PRIMARY'] }
  await app.done({
    path: '/api/components/configure-high-volume',
    token: admin.token,
    body: { barcode: 'B-2', assignments },
  })
  const at = new Date(Date.now() - 1000).toISOString()
  for (const barcode of ['B-1', 'B-2']) {
    const quantity = barcode === 'B-1' ? 5 : 7
    const count = { barcode, quantity, location: 'PRIMARY', session: 'Monthly_1', timestamp: at }
    await app.done({ path: '/api/components/update-with-tracking', token: staff.token, body: count })
  }
  return { admin, staff, at }
}

const toCount = (person: Person, location = 'PRIMARY', tag = '') =>
  app.ask({
    method: 'GET',
    path: `/api/components/to-count?location=${location}`,
    token: person.token,
    headers: tag === '' ? {} : { 'if-none-match': tag },
  })

it('the list to count has of each component what there is to say, and nothing else', async () => {
  const { staff, at } = await companyWithCounts()
  expect((await toCount(staff)).body).toEqual({
    components: [
      { barcode: oddCode, description: oddWords },
      { barcode: 'B-1', description: 'Bolt', counted: true, counted_at: at, counted_source: 'monthly' },
      {
        barcode: 'B-2',
        description: 'Nut',
        is_high_volume: true,
        counted: true,
        counted_at: at,
        counted_source: 'monthly',
      },
      { barcode: 'B-3', description: '' },
    ],
    counted: 2,
    total: 4,
  })
  expect((await toCount(staff, 'SECONDARY')).body).toMatchObject({ counted: 0, total: 4 })
})

it('the list to count tells administrators what is expected, where nothing is too', async () => {
  const { admin } = await companyWithCounts()
  expect((await toCount(admin, 'SECONDARY')).body).toMatchObject({
    components: [
      { expected_quantity: 0 },
      { expected_quantity: 2 },
      { expected_quantity: 0 },
      { expected_quantity: 0 },
    ],
  })
})

it('the list to count says when a component was counted in a month before, which is no mark of this one', async () => {
  const { staff, at } = await companyWithCounts()
  await app.owner.query(
    `update stock set counted_at = counted_at - interval '32 days' where tenant_id = $1 and counted_at is not null`,
    [staff.tenantId],
  )
  const before = new Date(Date.parse(at) - 32 * 86_400_000).toISOString()
  const { body } = await toCount(staff)
  expect(body).toMatchObject({ counted: 0, total: 4 })
  const { components } = z.object({ components: z.array(z.record(z.string(), z.unknown())) }).parse(body)
  expect(components[1]).toEqual({
    barcode: 'B-1',
    description: 'Bolt',
    counted_at: before,
    counted_source: 'monthly',
  })
})

it("the list to count has what was counted since the company's month began", async () => {
  const { staff } = await companyWithCounts()
  await app.owner.query("update companies set time_zone = 'Pacific/Kiritimati' where tenant_id = $1", [
    staff.tenantId,
  ])
  const { rowCount } = await app.owner.query(
    `update stock set counted_at = date_trunc('month', now() at time zone 'Pacific/Kiritimati')
         at time zone 'Pacific/Kiritimati' - case barcode when 'B-2' then interval '1 millisecond' else interval '0' end
     from components
     where stock.tenant_id = $1 and components.tenant_id = $1 and components.id = component_id and counted_at is not null`,
    [staff.tenantId],
  )
  expect(rowCount).toBe(2)
  const { body } = await toCount(staff)
  expect(body).toMatchObject({ counted: 1, components: [{}, { barcode: 'B-1', counted: true }, {}, {}] })
})

it('the list to count and with-count-status say the same, each as the contract has it', async () => {
  const { admin, staff } = await companyWithCounts()
  for (const { token } of [admin, staff]) {
    const short = await app.ask({
      method: 'GET',
      path: '/api/components/to-count?location=PRIMARY',
      token,
    })
    const whole = await app.ask({
      path: '/api/components/with-count-status',
      token,
      body: { location: 'PRIMARY' },
    })
    expect(listToCount.reply.json.parse(short.body)).toEqual(short.body)
    expect(listWithCountStatus.reply.json.parse(whole.body)).toEqual(whole.body)
    expect(whole.body).toMatchObject(Object(short.body))
  }
})

it('with-count-status says everything of each component', async () => {
  const { staff, at } = await companyWithCounts()
  const { body } = await app.ask({
    path: '/api/components/with-count-status',
    token: staff.token,
    body: { location: 'PRIMARY' },
  })
  const { components } = listWithCountStatus.reply.json.parse(body)
  const weekday = new Date().toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
  expect(components[2]).toEqual({
    id: components[2]?.id,
    barcode: 'B-2',
    description: 'Nut',
    last_counted_date: at,
    last_counted_location: 'PRIMARY',
    last_counted_source: 'monthly',
    is_high_volume: true,
    is_high_volume_today: weekday === 'Friday',
    high_volume_config: { Monday: ['SECONDARY'], Friday: ['PRIMARY'] },
    counted: true,
    counted_at: at,
    counted_source: 'monthly',
  })
  expect(components[0]).toMatchObject({
    barcode: oddCode,
    description: oddWords,
    last_counted_date: null,
    last_counted_location: null,
    high_volume_config: null,
    counted: false,
    counted_at: null,
  })
})

it('the list to count is answered with 304 until somebody counts', async () => {
  const { staff } = await companyWithCounts()
  const tag = (await toCount(staff)).headers.get('etag') ?? ''
  expect((await toCount(staff, 'PRIMARY', tag)).status).toBe(304)
  const count = { barcode: 'B-3', quantity: 0, location: 'PRIMARY', session: 'Monthly_1' }
  const timestamp = new Date().toISOString()
  await app.done({
    path: '/api/components/update-with-tracking',
    token: staff.token,
    body: { ...count, timestamp },
  })
  expect((await toCount(staff, 'PRIMARY', tag)).status).toBe(200)
})

it('the list to count is of locations that the plan has', async () => {
  const { staff } = await companyWithCounts()
  const refused = await toCount(staff, 'DISTRIBUTION')
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({ error: 'Your plan does not include this location.' })
})

it('the list to count of a company without components is empty', async () => {
  const admin = await makeCompany(app)
  expect((await toCount(admin)).body).toEqual({ components: [], counted: 0, total: 0 })
})
