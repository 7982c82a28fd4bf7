import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { whileBusy } from '../../test/busy-company.ts'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import { createDatabase } from '../platform/db/database.ts'
import { createPool } from '../platform/db/pool.ts'
import { plainStatement } from '../platform/db/statements.ts'
import { keepWatchingStock, lookAtEach, lookAtStock } from './low-stock.ts'
import { listCompaniesToLookAt } from './low-stock-queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const post = (person: Person, path: string, body: unknown) =>
  app.done({ path: `/api${path}`, token: person.token, body })

const get = async (person: Person, path: string) =>
  (await app.ask({ method: 'GET', path: `/api${path}`, token: person.token })).body

/** Looks at the stock of a company, as the program does in the background each half minute. */
const look = ({ tenantId }: Person) => app.database.inTenant(tenantId, lookAtStock)

const place = (admin: Person, components: unknown[], location = 'PRIMARY') =>
  post(admin, '/components/place', { location, components })

const adjust = (admin: Person, amount: number, { barcode = 'BOLT-8', location = 'PRIMARY' } = {}) =>
  post(admin, '/components/adjust-quantity', {
    barcode,
    location,
    amount,
    reason: amount < 0 ? 'issued' : 'received',
  })

/** A company with 5 bolts and 7 nuts at Primary and 2 bolts at Secondary; of bolts there should be 4 at Primary. */
async function companyWithStock(plan: 'starter' | 'professional' = 'professional'): Promise<Person> {
  const admin = await makeCompany(app, { plan })
  const secondary = plan === 'starter' ? {} : { secondary_quantity: 2 }
  await post(admin, '/components/import', [
    { barcode: 'BOLT-8', description: 'Bolt', primary_quantity: 5, ...secondary },
    { barcode: 'NUT-8', description: 'Nut', primary_quantity: 7 },
  ])
  await place(admin, [{ barcode: 'BOLT-8', minimum: 4 }])
  return admin
}

const trail = z.object({
  entries: z.array(
    z.object({
      sku: z.string(),
      quantity: z.number().nullable(),
      location: z.string().nullable(),
      user_name: z.string(),
      user_type: z.string(),
      metadata: z.looseObject({ event_type: z.string(), minimum: z.number().optional() }),
    }),
  ),
})

/** What the trail tells somebody of low stock, the newest first. */
async function told(person: Person) {
  const { entries } = trail.parse(await get(person, '/audit/trail?source=stock'))
  return entries.map(({ metadata, ...entry }) => ({
    ...entry,
    event: metadata.event_type,
    minimum: metadata.minimum,
  }))
}

const skusTold = async (person: Person) => (await told(person)).map(({ sku }) => sku)

describe('stock that falls below its minimum', () => {
  it('is told once in the trail, by the program, with what is left and the minimum', async () => {
    const admin = await companyWithStock()
    await look(admin)
    expect(await told(admin)).toEqual([])
    await adjust(admin, -2)
    await look(admin)
    expect(await told(admin)).toEqual([
      {
        sku: 'BOLT-8',
        quantity: 3,
        location: 'PRIMARY',
        user_name: 'Inventory Manager',
        user_type: 'system',
        event: 'stock_low',
        minimum: 4,
      },
    ])
    await adjust(admin, -1)
    await look(admin)
    expect(await told(admin)).toHaveLength(1)
  })

  it('is told again once there was enough of it', async () => {
    const admin = await companyWithStock()
    for (const amount of [-2, 1, -1]) {
      await adjust(admin, amount)
      await look(admin)
    }
    expect((await told(admin)).map(({ quantity }) => quantity)).toEqual([3, 3])
  })

  it('is told where there never was any, and where its minimum is raised', async () => {
    const admin = await companyWithStock()
    await place(admin, [{ barcode: 'NUT-8', minimum: 1 }], 'SECONDARY')
    await place(admin, [{ barcode: 'BOLT-8', minimum: 6 }])
    await look(admin)
    expect(await told(admin)).toMatchObject([
      { sku: 'NUT-8', location: 'SECONDARY', quantity: 0, minimum: 1 },
      { sku: 'BOLT-8', location: 'PRIMARY', quantity: 5, minimum: 6 },
    ])
  })

  it('is told of each location by itself', async () => {
    const admin = await companyWithStock()
    await place(admin, [{ barcode: 'BOLT-8', minimum: 3 }], 'SECONDARY')
    await look(admin)
    await adjust(admin, -2)
    await look(admin)
    expect((await told(admin)).map(({ location }) => location)).toEqual(['PRIMARY', 'SECONDARY'])
  })

  it('is not told where no minimum is wanted any more', async () => {
    const admin = await companyWithStock()
    await place(admin, [{ barcode: 'BOLT-8', minimum: 6 }])
    await place(admin, [{ barcode: 'BOLT-8', minimum: null }])
    await look(admin)
    expect(await told(admin)).toEqual([])
  })

  it('is not told of what is retired, and told anew when that is back', async () => {
    const admin = await companyWithStock()
    await post(admin, '/components/import', [{ barcode: 'CLIP-8' }, { barcode: 'WASHER-8' }])
    await place(admin, [
      { barcode: 'CLIP-8', minimum: 1 },
      { barcode: 'WASHER-8', minimum: 1 },
    ])
    await post(admin, '/components/retire', { barcode: 'CLIP-8' })
    await look(admin)
    expect(await skusTold(admin)).toEqual(['WASHER-8'])
    await post(admin, '/components/retire', { barcode: 'WASHER-8' })
    await look(admin)
    await post(admin, '/components/reinstate', { barcode: 'WASHER-8' })
    await look(admin)
    expect(await skusTold(admin)).toEqual(['WASHER-8', 'WASHER-8'])
  })

  it('is told of locations of the plan only', async () => {
    const admin = await companyWithStock()
    await place(admin, [{ barcode: 'BOLT-8', minimum: 3 }], 'SECONDARY')
    await post(admin, '/company/plan', { plan: 'starter', accept_read_only: true })
    await look(admin)
    expect(await told(admin)).toEqual([])
    await post(admin, '/company/plan', { plan: 'professional' })
    await look(admin)
    expect(await told(admin)).toMatchObject([{ sku: 'BOLT-8', location: 'SECONDARY' }])
  })

  it('is told once by nodes that look at the same time', async () => {
    const admin = await companyWithStock()
    for (let round = 1; round <= 5; round += 1) {
      await adjust(admin, -2)
      await Promise.all([look(admin), look(admin), look(admin), look(admin)])
      expect(await skusTold(admin)).toHaveLength(round)
      await adjust(admin, 2)
      await Promise.all([look(admin), look(admin)])
    }
  })

  it('is one entry with how many they are where that is more than 500 at once', async () => {
    const admin = await makeCompany(app)
    const barcodes = Array.from({ length: 501 }, (_, index) => `MANY-${index}`)
    await post(
      admin,
      '/components/import',
      barcodes.map((barcode) => ({ barcode })),
    )
    await place(
      admin,
      barcodes.map((barcode) => ({ barcode, minimum: 1 })),
    )
    await look(admin)
    await look(admin)
    expect(await told(admin)).toMatchObject([
      { event: 'stocks_low', sku: 'CONFIG_STOCKS_LOW', quantity: 501, location: null },
    ])
  })

  it('is each of them where they are 500 at once', async () => {
    const admin = await makeCompany(app)
    const barcodes = Array.from({ length: 500 }, (_, index) => `MANY-${index}`)
    await post(
      admin,
      '/components/import',
      barcodes.map((barcode) => ({ barcode })),
    )
    await place(
      admin,
      barcodes.map((barcode) => ({ barcode, minimum: 1 })),
    )
    await look(admin)
    const { total } = z.object({ total: z.number() }).parse(await get(admin, '/audit/trail?source=stock'))
    expect(total).toBe(500)
  })
})

describe('who is told of low stock', () => {
  it('is nobody of another company', async () => {
    const admin = await companyWithStock()
    const stranger = await companyWithStock()
    await adjust(admin, -2)
    await look(stranger)
    await look(admin)
    expect(await skusTold(admin)).toEqual(['BOLT-8'])
    expect(await told(stranger)).toEqual([])
  })

  it('are staff, too, but where the company counts strictly blind', async () => {
    const admin = await companyWithStock()
    const staff = await makeStaff(app, admin)
    await adjust(admin, -2)
    await look(admin)
    const seen = async (person: Person) => {
      const { recent_activity: recent } = z
        .object({ recent_activity: z.array(z.object({ description: z.string() })) })
        .parse(await get(person, '/dashboard'))
      return [
        await skusTold(person),
        recent.filter(({ description }) => description.includes('minimum')).map((line) => line.description),
      ]
    }
    const all = [
      ['BOLT-8'],
      [
        'BOLT-8 fell below its minimum at Primary Warehouse',
        `${admin.name} changed the bin or minimum of BOLT-8 at Primary Warehouse`,
      ],
    ]
    expect(await seen(staff)).toEqual(all)
    await post(admin, '/company/settings', { strict_blind_counts: true })
    expect(await seen(admin)).toEqual(all)
    expect(await seen(staff)).toEqual([
      [],
      [`${admin.name} changed the bin or minimum of BOLT-8 at Primary Warehouse`],
    ])
  })
})

describe('what looks for low stock in the background', () => {
  const unwatch = () => undefined

  /** Has what looks through all companies find that another node does, as long as `work` takes. */
  async function withoutSweeps(work: () => Promise<void>): Promise<void> {
    const other = await app.owner.connect()
    await other.query(`select pg_advisory_lock(hashtextextended('companies_to_look_at', 0))`)
    await work()
    await other.query(`select pg_advisory_unlock(hashtextextended('companies_to_look_at', 0))`)
    other.release()
  }

  /** Companies with low stock, of which this node hears that they have news, in their order. */
  async function watchNewsOf(companies: Person[], onError: (error: unknown) => void) {
    const watch = (listener: (tenantId: string) => void) => {
      for (const { tenantId } of companies) listener(tenantId)
      return unwatch
    }
    for (const admin of companies) await adjust(admin, -2)
    return keepWatchingStock({ database: app.database, notices: { watch }, onError })
  }

  it('tells what is low in companies that this node has written in, without a look through all', async () => {
    const admin = await companyWithStock()
    const faults: unknown[] = []
    await withoutSweeps(async () => {
      const watching = await watchNewsOf([admin], (error) => faults.push(error))
      await expect.poll(() => skusTold(admin)).toEqual(['BOLT-8'])
      await watching.stop()
    })
    expect(faults).toEqual([])
  })

  it('is kept from no other company by one that cannot be looked at', async () => {
    const broken = await companyWithStock()
    const admin = await companyWithStock()
    const check = `alter table low_stock add constraint broken check (tenant_id <> '${broken.tenantId}')`
    await app.owner.query(check)
    const faults: unknown[] = []
    await withoutSweeps(async () => {
      const watching = await watchNewsOf([broken, admin], (error) => faults.push(error))
      await expect.poll(() => skusTold(admin)).toEqual(['BOLT-8'])
      await watching.stop()
    })
    expect(faults).toMatchObject([{ constraint: 'broken' }])
    expect(await told(broken)).toEqual([])
    await app.owner.query('alter table low_stock drop constraint broken')
  })

  /** Looks at companies once, and says what went wrong and which of them are to be looked at again. */
  async function lookOnce(companies: Person[], database = app.database) {
    const faults: unknown[] = []
    const onError = (error: unknown) => faults.push(error)
    const stopping = new AbortController().signal
    const ids = companies.map(({ tenantId }) => tenantId)
    const again = await lookAtEach({ database, onError, stopping }, ids)
    return { faults, again: again.map((id) => ids.indexOf(id)) }
  }

  it('is kept from no other company by one that is busy, and looks at that one again', async () => {
    const busy = await companyWithStock()
    const admin = await companyWithStock()
    for (const each of [busy, admin]) await adjust(each, -2)
    const companies = [busy, admin]
    const { faults, again } = await whileBusy(app.database, busy.tenantId, () => lookOnce(companies))
    expect(faults).toMatchObject([{ code: 'unavailable' }])
    expect(again).toEqual([0])
    expect([await skusTold(busy), await skusTold(admin)]).toEqual([[], ['BOLT-8']])
    expect(await lookOnce([busy])).toEqual({ faults: [], again: [] })
    expect(await skusTold(busy)).toEqual(['BOLT-8'])
  })

  it('looks at all companies again where the database is away, of which it tells once', async () => {
    const companies = [await companyWithStock(), await companyWithStock(), await companyWithStock()]
    const pool = createPool({ url: 'postgres://nobody@127.0.0.1:1/none', size: 2, onError: () => undefined })
    const away = createDatabase(pool, plainStatement)
    const { faults, again } = await lookOnce(companies, away)
    await away.close()
    expect(faults).toMatchObject([{ code: 'ECONNREFUSED' }])
    expect(again).toEqual([1, 2, 0])
  })

  it('begins on every node with all companies, for what a node that ended has not said', async () => {
    const admin = await companyWithStock()
    await adjust(admin, -2)
    const second = await app.startSecondNode()
    await expect.poll(() => skusTold(admin)).toEqual(['BOLT-8'])
    await second.close()
  })

  it('looks later on through companies with minimums where something was written since, at what was low, too', async () => {
    const admin = await companyWithStock()
    const others = [await makeCompany(app), await companyWithStock(), await companyWithStock()] as const
    const [without, emptied, cleared] = others
    await place(emptied, [{ barcode: 'BOLT-8', minimum: 6 }])
    await look(emptied)
    for (const each of [emptied, cleared]) await place(each, [{ barcode: 'BOLT-8', minimum: null }])
    const lookedAt = async (minutes: number | null) => {
      const ids = new Set(await listCompaniesToLookAt(app.database, minutes))
      return [admin, without, emptied, cleared].map(({ tenantId }) => ids.has(tenantId))
    }
    expect(await lookedAt(null)).toEqual([true, false, true, false])
    expect(await lookedAt(60)).toEqual([true, false, true, false])
    expect(await lookedAt(0)).toEqual([false, false, false, false])
  })
})
