import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const idList = z.object({ discrepancies: z.array(z.object({ id: z.string() })) })

const post = (person: Person, path: string, body: unknown) =>
  app.done({ path: `/api/components/${path}`, token: person.token, body })

const ask = (person: Person, query = 'location=PRIMARY') =>
  app.ask({ method: 'GET', path: `/api/components/high-volume-suggestions?${query}`, token: person.token })

const issue = (person: Person, given: { barcode: string; amount: number; location?: string }) =>
  post(person, 'adjust-quantity', { location: 'PRIMARY', reason: 'issued', ...given })

/** A company with 100 of each of five SKUs at Primary and Secondary. */
async function companyWithStock() {
  const admin = await makeCompany(app, { plan: 'professional' })
  const rows = ['A', 'B', 'C', 'D', 'E'].map((barcode) => ({
    barcode,
    description: `Part ${barcode}`,
    primary_quantity: 100,
    secondary_quantity: 100,
  }))
  await post(admin, 'import', rows)
  return { admin, staff: await makeStaff(app, admin) }
}

async function countWrong(staff: Person, barcode: string): Promise<void> {
  const count = { barcode, quantity: 50, location: 'PRIMARY', source: 'monthly' }
  for (const session of ['first', 'second']) {
    const timestamp = new Date().toISOString()
    await post(staff, 'update-with-tracking', { ...count, session, timestamp })
  }
}

describe('what is suggested for the weekly lists of a location', () => {
  it('is what left it, by value, then by pieces, and then what differed', async () => {
    const { admin, staff } = await companyWithStock()
    await post(admin, 'set-costs', {
      components: [
        { barcode: 'A', unit_cost: 1 },
        { barcode: 'B', unit_cost: 50 },
      ],
    })
    await issue(admin, { barcode: 'A', amount: -90 })
    await issue(admin, { barcode: 'B', amount: -2 })
    await issue(admin, { barcode: 'B', amount: -1 })
    await issue(admin, { barcode: 'C', amount: -20 })
    await issue(admin, { barcode: 'E', amount: -100, location: 'SECONDARY' })
    await countWrong(staff, 'D')
    await countWrong(staff, 'C')
    expect((await ask(admin)).body).toEqual({
      currency: 'USD',
      suggestions: [
        { barcode: 'B', description: 'Part B', pieces: 3, value: 150, differences: 0 },
        { barcode: 'A', description: 'Part A', pieces: 90, value: 90, differences: 0 },
        { barcode: 'C', description: 'Part C', pieces: 20, value: null, differences: 1 },
        { barcode: 'D', description: 'Part D', pieces: 0, value: null, differences: 1 },
      ],
    })
    expect((await ask(admin, 'location=PRIMARY&limit=1')).body).toMatchObject({
      suggestions: [{ barcode: 'B' }],
    })
  })

  it('leaves out what is on a list there or retired, and what came or was only set right', async () => {
    const { admin, staff } = await companyWithStock()
    await issue(admin, { barcode: 'A', amount: -5 })
    await issue(admin, { barcode: 'B', amount: -5 })
    await post(admin, 'bulk-high-volume', {
      barcodes: ['A'],
      day: 'Monday',
      location: 'PRIMARY',
      action: 'add',
    })
    await post(admin, 'bulk-high-volume', {
      barcodes: ['B'],
      day: 'Monday',
      location: 'SECONDARY',
      action: 'add',
    })
    await issue(admin, { barcode: 'C', amount: -100 })
    await issue(admin, { barcode: 'C', amount: -100, location: 'SECONDARY' })
    await post(admin, 'retire', { barcode: 'C' })
    await post(admin, 'adjust-quantity', { barcode: 'D', location: 'PRIMARY', amount: 5, reason: 'received' })
    await countWrong(staff, 'E')
    const { body } = await app.ask({ method: 'GET', path: '/api/discrepancies', token: admin.token })
    const ids = idList.parse(body).discrepancies.map(({ id }) => id)
    await app.done({
      path: '/api/discrepancies/decide',
      token: admin.token,
      body: { ids, decision: 'accept', reason: 'Lost' },
    })
    expect((await ask(admin)).body).toMatchObject({
      suggestions: [
        { barcode: 'B', pieces: 5, differences: 0 },
        { barcode: 'E', pieces: 0, differences: 1 },
      ],
    })
  })

  it('is for administrators', async () => {
    const { staff } = await companyWithStock()
    expect((await ask(staff)).status).toBe(403)
  })
})
