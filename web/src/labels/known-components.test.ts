import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { componentsQuery } from './known-components.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null })
})
afterEach(() => void vi.unstubAllGlobals())

const component = (barcode: string) => ({
  id: '0198a7c0-0000-7000-8000-000000000000',
  barcode,
  description: 'Bolt',
  primary_quantity: 1,
  secondary_quantity: 0,
  fulfillment_quantity: 0,
  distribution_quantity: 0,
  quarantine_quantity: 0,
  total_quantity: 1,
  last_counted_date: null,
  last_counted_location: null,
  last_counted_source: null,
  is_high_volume: false,
  is_high_volume_today: false,
  high_volume_config: null,
})

/** A server whose list has these pages: barcodes by the cursor they are asked for with. */
function servePages(pages: Record<string, { barcodes: string[]; next?: string }>): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url)
    const cursor = new URL(url, 'https://stock.example').searchParams.get('cursor') ?? ''
    const page = pages[cursor]
    if (page === undefined) return Promise.resolve(new Response(null, { status: 404 }))
    const reply = { components: page.barcodes.map(component), total: 5, next_cursor: page.next ?? null }
    return Promise.resolve(new Response(JSON.stringify(reply)))
  })
  return asked
}

const load = async () => await new QueryClient().fetchQuery(componentsQuery)

it('components that come in several pages are all known, in their order', async () => {
  const asked = servePages({
    '': { barcodes: ['A-1', 'A-2'], next: 'A-2' },
    'A-2': { barcodes: ['A-3', 'B/4 +&'], next: 'B/4 +&' },
    'B/4 +&': { barcodes: ['C-5'] },
  })
  const { components, total } = await load()
  expect(components.map(({ barcode }) => barcode)).toEqual(['A-1', 'A-2', 'A-3', 'B/4 +&', 'C-5'])
  expect(total).toBe(5)
  expect(asked).toHaveLength(3)
})

it('components that come in one page are asked for once', async () => {
  const asked = servePages({ '': { barcodes: ['A-1'] } })
  expect((await load()).components.map(({ barcode }) => barcode)).toEqual(['A-1'])
  expect(asked).toEqual(['/api/components'])
})

it('no component is known where one page of them cannot be had', async () => {
  servePages({ '': { barcodes: ['A-1'], next: 'gone' } })
  await expect(load()).rejects.toThrow('HTTP error! status: 404')
})
