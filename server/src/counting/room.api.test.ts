import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCompanyWithStock, type People } from '../../test/company-with-stock.ts'
import { startTestApp, zoneOfNoon, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function companyWithStock(): Promise<People> {
  const rows = Array.from({ length: 10 }, (_, index) => ({ barcode: `A-${index}`, primary_quantity: index }))
  return await makeCompanyWithStock(app, rows, { timeZone: zoneOfNoon() })
}

const count = (person: Person, barcode: string, quantity: number) => ({
  path: '/api/components/update-with-tracking',
  token: person.token,
  body: {
    barcode,
    quantity,
    location: 'PRIMARY',
    session: `s-${Math.random()}`,
    timestamp: new Date().toISOString(),
  },
})

const scan = (person: Person, barcode: string, quantity: number) => app.ask(count(person, barcode, quantity))

const room = (person: Person) => app.ask({ method: 'GET', path: '/api/counting/room', token: person.token })

const quiet = { counted: 0, total: 10, left: 10, per_hour: 0, expected_finish: null, counters: [] }

describe('the count room', () => {
  it('leaves out a count that was taken back, of who counted, of the pace and of the last SKU', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'A-2', 2)
    const body = { key: 'second' }
    await app.done({ ...count(staff, 'A-1', 1), ...body })
    expect((await app.ask({ path: '/api/components/undo-count', token: staff.token, body })).status).toBe(200)
    expect((await room(admin)).body).toMatchObject({
      locations: [{ counted: 1, per_hour: 30, counters: [{ scans: 1, last_sku: 'A-2' }] }, {}, {}],
    })
    const only = { key: 'only' }
    await app.done({ ...count(admin, 'A-3', 3), ...only })
    await app.done({ path: '/api/components/undo-count', token: admin.token, body: only })
    expect((await room(admin)).body).toMatchObject({
      locations: [{ counters: [{ user_id: staff.userId }] }, {}, {}],
    })
  })

  it('tells of each location of the plan who counts, how fast, what is left and what waits', async () => {
    const { admin, staff } = await companyWithStock()
    for (const index of [1, 2, 3]) await scan(staff, `A-${index}`, index)
    await scan(admin, 'A-4', 4)
    await scan(staff, 'A-5', 99)
    await scan(staff, 'A-5', 99)
    await scan(staff, 'X-9', 1)
    const { status, body } = await room(admin)
    expect([status, body]).toMatchObject([
      200,
      {
        locations: [
          {
            location: 'PRIMARY',
            counted: 5,
            total: 10,
            left: 5,
            per_hour: 150,
            expected_finish: expect.any(String),
            counters: [
              { user_id: staff.userId, user_name: 'Sam Staff', last_sku: 'A-5', scans: 4 },
              { user_name: admin.name, last_sku: 'A-4', scans: 1 },
            ],
            differences: 1,
            recounts: 0,
            unknown_codes: 1,
          },
          { location: 'SECONDARY', ...quiet },
          { location: 'FULFILLMENT', ...quiet },
        ],
      },
    ])
  })

  it('reckons when the rest is counted from the pace of the last minutes', async () => {
    const { admin, staff } = await companyWithStock()
    for (const index of [1, 2, 3, 4, 5]) await scan(staff, `A-${index}`, index)
    // As if the five had been counted over the last ten minutes: 30 an hour, five left, so ten minutes more.
    await app.owner.query(
      `update count_history set created_at = created_at - interval '10 minutes' where tenant_id = $1`,
      [admin.tenantId],
    )
    const { body } = await room(admin)
    expect(body).toMatchObject({ locations: [{ left: 5, per_hour: 30 }, {}, {}] })
    const { now, locations } = JSON.parse(JSON.stringify(body))
    const minutes = (Date.parse(locations[0].expected_finish) - Date.parse(now)) / 60_000
    expect(minutes).toBeCloseTo(10, 1)
  })

  it('shows nobody who stopped a quarter of an hour ago', async () => {
    const { admin, staff } = await companyWithStock()
    await scan(staff, 'A-1', 1)
    await app.owner.query(
      `update count_history set id = id_at(created_at - interval '16 minutes') where tenant_id = $1`,
      [admin.tenantId],
    )
    expect((await room(admin)).body).toMatchObject({
      locations: [{ ...quiet, counted: 1, left: 9 }, quiet, quiet],
    })
  })

  it('takes nobody for counting now whose device delivers what was counted hours ago', async () => {
    const { admin, staff } = await companyWithStock()
    const hoursAgo = new Date(Date.now() - 3 * 3_600_000).toISOString()
    for (const index of [1, 2, 3]) {
      const { body, ...call } = count(staff, `A-${index}`, index)
      await app.done({ ...call, body: { ...body, timestamp: hoursAgo } })
    }
    expect((await room(admin)).body).toMatchObject({
      locations: [{ ...quiet, counted: 3, left: 7 }, quiet, quiet],
    })
  })

  it('takes nobody for counting whose counts another program only reports', async () => {
    const { admin, staff } = await companyWithStock()
    for (const sku of ['A-1', 'A-2', 'A-3']) {
      const body = { sku, quantity: 1, location: 'PRIMARY' }
      await app.done({ path: '/api/count-history', token: staff.token, body })
    }
    expect((await room(admin)).body).toMatchObject({ locations: [quiet, quiet, quiet] })
  })

  it('is for administrators, each of their own company', async () => {
    const { staff } = await companyWithStock()
    const other = await companyWithStock()
    await scan(staff, 'A-1', 1)
    expect((await room(staff)).status).toBe(403)
    expect((await room(other.admin)).body).toMatchObject({ locations: [quiet, quiet, quiet] })
  })
})
