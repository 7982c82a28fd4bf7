import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import type { CountList } from './count-list.ts'
import { monthLists } from './list-changes.ts'
import { patchCounts } from './live-counts.ts'

const queryKey = ['/api/components/to-count', 'PRIMARY']
const at = '2026-11-21T09:00:00.000Z'

const list = (): CountList => ({
  components: ['A-1', 'A-2'].map((barcode) => ({ barcode, description: '' })),
  counted: 0,
  total: 2,
})

/** News that somebody has counted A-2. */
const news = {
  id: 'n-1',
  event: 'monthly_count_scan',
  sku: 'A-2',
  location: 'PRIMARY',
  user_id: 'u-1',
  user_name: 'Sam',
  timestamp: at,
  count: { source: 'monthly', counted_at: at, recorded: true, this_month: true, today: false },
  progress: { counted: 1, total: 2 },
} as const

/** A request for a list, and what arrives of it once it is answered. */
function ask(client: QueryClient, key = queryKey) {
  let answer: (read: CountList) => void = () => undefined
  const read = new Promise<CountList>((resolve) => (answer = resolve))
  return { arrived: monthLists.load({ client, queryKey: key }, () => read), answer }
}

describe('a list that arrives late', () => {
  it('has what was counted since it was asked for, also where none was shown before', async () => {
    const client = new QueryClient()
    const { arrived, answer } = ask(client)
    patchCounts(client, [news])
    answer(list())
    expect(await arrived).toMatchObject({ components: [{}, { counted: true, counted_at: at }], counted: 1 })
  })

  it('is left as it is by what was counted before, elsewhere, or by another company', async () => {
    const client = new QueryClient()
    patchCounts(client, [news])
    const here = ask(client)
    const elsewhere = ask(client, ['/api/components/to-count', 'SECONDARY'])
    const others = ask(new QueryClient())
    patchCounts(client, [{ ...news, location: 'DISTRIBUTION' }])
    const read = list()
    for (const { answer } of [here, elsewhere, others]) answer(read)
    for (const { arrived } of [here, elsewhere, others]) expect(await arrived).toBe(read)
  })

  it('keeps a newer mark that it has itself', async () => {
    const client = new QueryClient()
    const { arrived, answer } = ask(client)
    patchCounts(client, [news])
    const later = '2026-11-21T09:05:00.000Z'
    answer({ ...list(), components: [{ barcode: 'A-2', description: '', counted: true, counted_at: later }] })
    expect(await arrived).toMatchObject({ components: [{ counted_at: later }] })
  })
})
