import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  admin = await makeCompany(app)
  const body = ['A-1', 'B-2'].map((barcode) => ({ barcode, primary_quantity: 10 }))
  await app.done({ path: '/api/components/import', token: admin.token, body })
})

async function scan(barcode: string, minutes: number, source = 'monthly'): Promise<void> {
  const timestamp = new Date(Date.now() - minutes * 60_000).toISOString()
  const body = { barcode, quantity: 10, location: 'PRIMARY', source, session: String(minutes), timestamp }
  await app.done({ path: '/api/components/update-with-tracking', token: admin.token, body })
}

const replies = z.object({
  history: z.array(z.object({ count_session: z.string(), source: z.string(), timestamp: z.string() })),
  next_cursor: z.nullable(z.string()),
})

async function readHistory(query: string) {
  const reply = await app.ask({ method: 'GET', path: `/api/count-history?${query}`, token: admin.token })
  return replies.parse(reply.body)
}

/** How many minutes ago the counts were made, page by page. */
async function readPages(query: string): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await readHistory(cursor === '' ? query : `${query}&cursor=${cursor}`)
    pages.push(page.history.map(({ count_session: session }) => session))
    cursor = page.next_cursor
  }
  return pages
}

describe('the history of counts', () => {
  it('is in the order of when counts were made, also where one came later than newer ones', async () => {
    await scan('A-1', 2)
    await scan('B-2', 1)
    await scan('A-1', 60)
    await scan('B-2', 3 * 1440)
    for (const [query, made] of [
      ['limit=10', ['1', '2', '60', '4320']],
      ['sku=A-1', ['2', '60']],
      ['sku=B-2&location=PRIMARY', ['1', '4320']],
    ] as const) {
      expect(await readPages(query)).toEqual([made])
    }
    const counts = await app.ask({
      method: 'GET',
      path: '/api/components/counts?barcode=B-2&limit=1',
      token: admin.token,
    })
    const [listed] = (await readHistory('sku=B-2&limit=1')).history
    expect(counts.body).toMatchObject({ counts: [{ timestamp: listed?.timestamp }] })
  })

  it('begins with the count that was made last, not with the one that came last', async () => {
    await scan('A-1', 1, 'admin')
    for (const days of [4, 5, 6]) await scan('A-1', days * 1440)
    expect(await readHistory('sku=A-1&location=PRIMARY&limit=1')).toMatchObject({
      history: [{ source: 'admin' }],
    })
  })

  it('has each count once, whatever pages it is read in', async () => {
    const minutes = [30, 9000, 20, 4000, 40, 8000, 10, 50, 7000, 25]
    for (const ago of minutes) await scan('A-1', ago)
    const made = minutes.toSorted((a, b) => a - b).map(String)
    for (const of of ['', 'sku=A-1&', 'sku=A-1&location=PRIMARY&', 'count_type=monthly&']) {
      for (const limit of [1, 2, 3, 4, 9]) {
        const pages = await readPages(`${of}limit=${limit}`)
        expect(pages.flat()).toEqual(made)
        expect(pages[0]).toHaveLength(limit)
      }
    }
  })

  it('goes on behind a count that is no longer there, by when it came', async () => {
    await scan('A-1', 1)
    const gone = '00000000-0000-7000-8000-000000000000'
    for (const query of ['', 'sku=A-1&']) {
      expect(await readPages(`${query}cursor=${gone}`)).toEqual([[]])
      expect(await readPages(`${query}cursor=ffffffff-ffff-7fff-bfff-ffffffffffff`)).toEqual([['1']])
    }
  })
})
