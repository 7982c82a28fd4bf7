import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, startTestApp, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const begun = z.object({ import: z.object({ id: z.string() }) })

/** Entries of indexes that the database has read, as far as it has said so: for a connection that goes on, it may say so later. */
async function entriesRead(): Promise<number> {
  const { rows } = await app.owner.query<{ entries: number }>(
    'select sum(idx_tup_read)::float8 as entries from pg_stat_user_indexes',
  )
  return rows[0]?.entries ?? 0
}

/**
 * Takes a file of components with bins and other barcodes into a new company that has scanned unknown codes, once more as a program,
 * and exports them, through a node that ends with it.
 */
async function takeFirstFile(length: number): Promise<void> {
  const { token } = await makeCompany(app, { plan: 'professional' })
  const node = await app.startSecondNode()
  const post = async (path: string, body: unknown) => (await node.ask({ path, token, body })).body
  for (let nth = 0; nth < 10; nth += 1) {
    const scan = { barcode: `UNKNOWN-${nth}`, quantity: 1, location: 'PRIMARY', session: 's' }
    await post('/api/components/update-with-tracking', { ...scan, timestamp: new Date().toISOString() })
  }
  const file = { name: 'first.csv', fields: ['barcode', 'primary_bin', 'other_barcodes'] }
  const { id } = begun.parse(await post('/api/imports', file)).import
  const rows = Array.from({ length }, (_, at) => ({
    line: at + 2,
    cells: [`NEW-${at}`, `BIN-${at}`, `OTHER-${at}`],
  }))
  await post(`/api/imports/${id}/rows`, { rows })
  expect(await post(`/api/imports/${id}/commit`, {})).toMatchObject({ import: { created: length } })
  await post(
    '/api/components/import',
    rows.map(({ cells: [barcode] }) => ({ barcode, description: 'New' })),
  )
  const exported = await node.ask({ method: 'GET', path: '/api/exports/components?format=csv', token })
  expect(exported.bytes.toString().match(/NEW-/g)).toHaveLength(length)
  await node.close()
}

const length = 1_000

/** How many entries of indexes are read for a new company’s first files. */
async function entriesOfFirstFiles(): Promise<number> {
  const before = await entriesRead()
  await takeFirstFile(length)
  await expect.poll(async () => (await entriesRead()) - before).toBeGreaterThan(10 * length)
  return (await entriesRead()) - before
}

it('does not look through all of a company’s first file for each unknown code and row, where the database knows of nobody’s yet', async () => {
  expect(await entriesOfFirstFiles()).toBeLessThan(3 * length * length)
})

it('looks each row of a company’s first files up by its key, where the database knows of another that it has all there is', async () => {
  await app.owner.query('analyze')
  expect(await entriesOfFirstFiles()).toBeLessThan((length * length) / 2)
})
