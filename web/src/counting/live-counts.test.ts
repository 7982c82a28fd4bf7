import type { CompanyEvent } from '@inventory-manager/contract/events/endpoints'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { findRecounted, floorKey, patchCounts } from './live-counts.ts'

const at = '2026-11-21T09:00:00.000Z'

function item(barcode: string) {
  return {
    barcode,
    description: '',
    counted: false,
    counted_at: null as string | null,
    counted_source: null,
    last_counted_date: null,
    expected_quantity: 7,
  }
}

function scan(sku: string, part: Partial<CompanyEvent> = {}, count = {}): CompanyEvent {
  return {
    id: `${sku}-${at}`,
    event: 'monthly_count_scan',
    sku,
    location: 'PRIMARY',
    user_id: 'u-1',
    user_name: 'Sam',
    timestamp: at,
    progress: { counted: 1, total: 3 },
    ...part,
    count: { source: 'monthly', counted_at: at, recorded: true, this_month: true, today: false, ...count },
  }
}

function loaded(): QueryClient {
  const client = new QueryClient()
  const components = ['A-1', 'A-2', 'A-3'].map(item)
  client.setQueryData(['/api/components/to-count', 'PRIMARY'], { components, counted: 0, total: 3 })
  client.setQueryData(['/api/components/to-count', 'SECONDARY'], { components, counted: 0, total: 3 })
  client.setQueryData(['/api/components/high-volume-for-day', 'PRIMARY', 'Monday'], { components })
  client.setQueryData(['/api/recounts', 'PRIMARY'], { recounts: [{ sku: 'A-1' }, { sku: 'A-2' }] })
  client.setQueryData(['/api/counting/room'], {
    now: at,
    locations: [{ location: 'PRIMARY', counted: 0, total: 3, left: 3 }],
  })
  return client
}

const status = (client: QueryClient, location = 'PRIMARY') =>
  client.getQueryData<{ components: ReturnType<typeof item>[]; counted: number }>([
    '/api/components/to-count',
    location,
  ])

describe('what somebody else counted', () => {
  it('is marked in the loaded list, with the progress, and every other row stays the same object', () => {
    const client = loaded()
    const before = status(client)
    patchCounts(client, [scan('A-2')])
    const after = status(client)
    expect(after).toMatchObject({ counted: 1, total: 3 })
    expect(after?.components[1]).toMatchObject({
      counted: true,
      counted_at: at,
      counted_source: 'monthly',
      last_counted_date: at,
      expected_quantity: 7,
    })
    expect(after?.components[0]).toBe(before?.components[0])
    expect(status(client, 'SECONDARY')?.counted).toBe(0)
  })

  it('told again changes nothing, not even the list itself', () => {
    const client = loaded()
    patchCounts(client, [scan('A-2')])
    const before = status(client)
    patchCounts(client, [scan('A-2')])
    expect(status(client)).toBe(before)
  })

  it('never takes a newer mark back', () => {
    const client = loaded()
    patchCounts(client, [scan('A-2')])
    patchCounts(client, [scan('A-2', {}, { counted_at: '2026-11-20T09:00:00.000Z' })])
    expect(status(client)?.components[1]).toMatchObject({ counted_at: at })
  })

  it('as a first entry that did not match leaves the SKU pending', () => {
    const client = loaded()
    patchCounts(client, [scan('A-2', {}, { recorded: false, this_month: false })])
    expect(status(client)?.components[1]).toMatchObject({ counted: false })
    expect(client.getQueryData(floorKey('PRIMARY'))).toMatchObject([{ sku: 'A-2', userName: 'Sam' }])
  })

  it('in the weekly count is marked in the list of the day', () => {
    const client = loaded()
    patchCounts(client, [scan('A-3', {}, { source: 'weekly', today: true })])
    expect(client.getQueryData(['/api/components/high-volume-for-day', 'PRIMARY', 'Monday'])).toMatchObject({
      components: [{ counted: false }, { counted: false }, { counted: true }],
    })
  })

  it('moves the room on, and stands first among the last scans', () => {
    const client = loaded()
    patchCounts(client, [scan('A-1'), scan('A-2', { progress: { counted: 2, total: 3 } })])
    expect(client.getQueryData(['/api/counting/room'])).toMatchObject({
      locations: [{ counted: 2, left: 1 }],
    })
    expect(client.getQueryData(floorKey('PRIMARY'))).toMatchObject([{ sku: 'A-2' }, { sku: 'A-1' }])
  })

  it('that comes late stands among the last scans with the time it was made', () => {
    const client = loaded()
    const made = '2026-11-21T05:30:00.000Z'
    patchCounts(client, [scan('A-1', {}, { counted_at: made })])
    expect(client.getQueryData(floorKey('PRIMARY'))).toMatchObject([{ sku: 'A-1', at: made }])
  })

  it('may have been a recount where one is asked for', () => {
    const client = loaded()
    const recounted = [
      findRecounted(client, [scan('A-3'), scan('A-2')]),
      findRecounted(client, [scan('A-3'), scan('A-2', { location: 'SECONDARY' })]),
      findRecounted(client, [scan('A-2', {}, { recorded: false, this_month: false })]),
      // Where staff are not told whether it was recorded.
      findRecounted(client, [scan('A-2', {}, { recorded: undefined })]),
    ]
    expect(recounted.map((locations) => [...locations])).toEqual([['PRIMARY'], [], [], ['PRIMARY']])
  })

  it('is marked among 10,000 components by its place, without looking through the others again', () => {
    let looks = 0
    const components = Array.from({ length: 10_000 }, (_, index) => ({
      ...item(''),
      get barcode() {
        looks += 1
        return `A-${index}`
      },
    }))
    const client = new QueryClient({ defaultOptions: { queries: { structuralSharing: false } } })
    client.setQueryData(['/api/components/to-count', 'PRIMARY'], { components, counted: 0, total: 10_000 })
    for (let index = 0; index < 20; index += 1) patchCounts(client, [scan(`A-${index}`)])
    // Once for the index, and then only at what was counted.
    expect(looks).toBeGreaterThanOrEqual(10_000)
    expect(looks).toBeLessThan(10_100)
    expect(status(client)?.components.filter(({ counted }) => counted)).toHaveLength(20)
  })
})
