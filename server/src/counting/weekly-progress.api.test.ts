import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { listBroken } from '../../test/invariants.ts'
import { makeCompany, startTestApp, zoneOfNoon, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type List = { barcodes: string[]; day?: string; action?: 'add' | 'remove' }

const list = (admin: Person, { barcodes, day = 'Monday', action = 'add' }: List) =>
  app.done({
    path: '/api/components/bulk-high-volume',
    token: admin.token,
    body: { barcodes, day, location: 'PRIMARY', action },
  })

/** Five of each of four components, of which are on Monday's list and on Tuesday's. */
async function companyWithLists(): Promise<Person> {
  const admin = await makeCompany(app, { timeZone: zoneOfNoon() })
  const barcodes = ['A-1', 'A-2', 'A-3', 'A-4']
  const body = barcodes.map((barcode) => ({ barcode, description: 'Bolt', primary_quantity: 5 }))
  await app.done({ path: '/api/components/import', token: admin.token, body })
  await list(admin, { barcodes: ['A-1', 'A-2'] })
  await list(admin, { barcodes: ['A-2', 'A-3'], day: 'Tuesday' })
  return admin
}

const counted = z.object({ progress: z.object({ counted: z.int(), total: z.int() }).optional() })

const differences = z.object({ discrepancies: z.array(z.object({ id: z.string() })) })

type Scan = { barcode: string; day?: string; recount?: boolean; quantity?: number }

const update = '/api/components/update-with-tracking'

const bodyOf = ({ barcode, day = 'Monday', recount = false, quantity = 5 }: Scan) => {
  const where = { location: 'PRIMARY', source: 'weekly', session: `Weekly_${day}` }
  return { barcode, day, recount, quantity, timestamp: new Date().toISOString(), ...where }
}

/** Counts a SKU weekly; gives the progress of the list it was counted for, as its bar has it. */
async function count({ token }: Person, scan: Scan, key = randomUUID()): Promise<string> {
  const { body } = await app.done({ path: update, token, key, body: bodyOf(scan) })
  const { progress } = counted.parse(body)
  return progress === undefined ? 'not recorded' : `${progress.counted} of ${progress.total}`
}

it('a SKU on the lists of two days is counted on both', async () => {
  const admin = await companyWithLists()
  expect(await count(admin, { barcode: 'A-1' })).toBe('1 of 2')
  expect(await count(admin, { barcode: 'A-3', day: 'Tuesday' })).toBe('1 of 2')
  expect(await count(admin, { barcode: 'A-2', day: 'Tuesday' })).toBe('2 of 2')
  expect(await count(admin, { barcode: 'A-1', recount: true })).toBe('2 of 2')
})

it('what is put on a list of which some is counted, or taken off it, is in its progress', async () => {
  const admin = await companyWithLists()
  await count(admin, { barcode: 'A-2', day: 'Tuesday' })
  await count(admin, { barcode: 'A-3', day: 'Tuesday' })
  expect(await count(admin, { barcode: 'A-1' })).toBe('2 of 2')
  await list(admin, { barcodes: ['A-3', 'A-4'] })
  expect(await count(admin, { barcode: 'A-1', recount: true })).toBe('3 of 4')
  await list(admin, { barcodes: ['A-2', 'A-4'], action: 'remove' })
  expect(await count(admin, { barcode: 'A-1', recount: true })).toBe('2 of 2')
  const assignments = { Tuesday: ['PRIMARY'] }
  await app.done({
    path: '/api/components/configure-high-volume',
    token: admin.token,
    body: { barcode: 'A-3', assignments },
  })
  expect(await count(admin, { barcode: 'A-1', recount: true })).toBe('1 of 1')
})

it('what is retired is on no list any more', async () => {
  const admin = await companyWithLists()
  await count(admin, { barcode: 'A-2' })
  expect(await count(admin, { barcode: 'A-1' })).toBe('2 of 2')
  const body = { barcode: 'A-2', location: 'PRIMARY', amount: -5, reason: 'issued' }
  await app.done({ path: '/api/components/adjust-quantity', token: admin.token, body })
  await app.done({ path: '/api/components/retire', token: admin.token, body: { barcode: 'A-2' } })
  expect(await count(admin, { barcode: 'A-1', recount: true })).toBe('1 of 1')
})

it('a count that is taken back is to be made again', async () => {
  const admin = await companyWithLists()
  const key = randomUUID()
  await count(admin, { barcode: 'A-1' })
  expect(await count(admin, { barcode: 'A-2' }, key)).toBe('2 of 2')
  await app.done({ path: '/api/components/undo-count', token: admin.token, body: { key } })
  expect(await count(admin, { barcode: 'A-1', recount: true })).toBe('1 of 2')
})

it('a list that is reset begins anew, and so do others with what was counted for them', async () => {
  const admin = await companyWithLists()
  await count(admin, { barcode: 'A-1' })
  await count(admin, { barcode: 'A-2' })
  await count(admin, { barcode: 'A-3', day: 'Tuesday' })
  await app.done({
    path: '/api/components/reset-weekly-day',
    token: admin.token,
    body: { day: 'Monday', location: 'PRIMARY' },
  })
  expect(await count(admin, { barcode: 'A-1' })).toBe('1 of 2')
  expect(await count(admin, { barcode: 'A-3', day: 'Tuesday', recount: true })).toBe('1 of 2')
})

it('a difference that is to be recounted is left of its list', async () => {
  const admin = await companyWithLists()
  await count(admin, { barcode: 'A-1' })
  expect(await count(admin, { barcode: 'A-2', quantity: 4 })).toBe('not recorded')
  expect(await count(admin, { barcode: 'A-2', quantity: 4 })).toBe('2 of 2')
  const waiting = await app.done({ method: 'GET', path: '/api/discrepancies', token: admin.token })
  const ids = differences.parse(waiting.body).discrepancies.map(({ id }) => id)
  await app.done({
    path: '/api/discrepancies/decide',
    token: admin.token,
    body: { ids, decision: 'recount' },
  })
  expect(await count(admin, { barcode: 'A-1', recount: true })).toBe('1 of 2')
})

it('ten who count at once are each in the progress, while an administrator changes the list', async () => {
  const admin = await companyWithLists()
  const barcodes = Array.from({ length: 10 }, (_, index) => `B-${index}`)
  const rows = barcodes.map((barcode) => ({ barcode, description: 'Nut', primary_quantity: 5 }))
  await app.done({ path: '/api/components/import', token: admin.token, body: rows })
  await list(admin, { barcodes })
  await Promise.all([
    ...barcodes.map((barcode) => count(admin, { barcode })),
    list(admin, { barcodes: ['A-3', 'A-4'] }),
    list(admin, { barcodes: ['A-2'], action: 'remove' }),
  ])
  expect(await count(admin, { barcode: 'A-1' })).toBe('11 of 13')
})

it('in whatever order people count, take back, reset and change lists at once, the progress is what is marked', async () => {
  const admin = await companyWithLists()
  const second = await app.startSecondNode()
  const barcodes = ['A-1', 'A-2', 'A-3', 'A-4']
  for (let round = 0; round < 8; round += 1) {
    const scans = Array.from({ length: 12 }, (_, nth) => ({
      path: update,
      key: randomUUID(),
      body: bodyOf({
        barcode: barcodes[(nth * 7 + round) % 4] ?? 'A-1',
        day: nth % 2 === 0 ? 'Monday' : 'Tuesday',
        recount: nth % 3 === 0,
      }),
    }))
    const of = { barcodes: [barcodes[round % 4]], location: 'PRIMARY' }
    const lists = [
      { ...of, day: 'Monday', action: round % 2 === 0 ? 'remove' : 'add' },
      { ...of, day: 'Tuesday', action: 'add' },
    ]
    const requests = [
      ...scans,
      ...lists.map((body) => ({ path: '/api/components/bulk-high-volume', key: randomUUID(), body })),
      ...[scans[0], scans[7]].map((scan) => ({
        path: '/api/components/undo-count',
        key: randomUUID(),
        body: { key: scan?.key },
      })),
      {
        path: '/api/components/reset-weekly-day',
        key: randomUUID(),
        body: { day: round % 3 === 0 ? 'Tuesday' : 'Friday', location: 'PRIMARY' },
      },
    ]
    const replies = await Promise.all(
      requests.map((request, nth) => (nth % 2 === 0 ? app : second).ask({ ...request, token: admin.token })),
    )
    expect(replies.filter(({ status }) => ![200, 404, 409].includes(status))).toEqual([])
    expect(await listBroken(app.owner, admin.tenantId)).toEqual([])
  }
  await second.close()
})

it('the lists of a company are not those of another', async () => {
  const [admin, other] = [await companyWithLists(), await companyWithLists()]
  await count(admin, { barcode: 'A-1' })
  expect(await count(other, { barcode: 'A-2' })).toBe('1 of 2')
  expect(await count(admin, { barcode: 'A-2' })).toBe('2 of 2')
})
