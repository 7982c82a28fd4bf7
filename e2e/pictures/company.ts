import type { Page } from '@playwright/test'
import type { Program } from '../program.ts'

const nouns = ['bolt', 'nut', 'washer', 'bearing', 'bracket', 'seal ring', 'hose clamp', 'spring', 'hinge']
const sizes = ['M4', 'M5', 'M6', 'M8', 'M10', 'M12', '6204', '40 mm', '3/4"']

type Row = { barcode: string; description: string; primary_quantity: number; secondary_quantity: number }

/** Components with names, codes and quantities as a warehouse has them. */
export const rows: readonly Row[] = Array.from({ length: 240 }, (_, index) => {
  const noun = nouns[index % nouns.length] ?? ''
  const size = sizes[Math.floor(index / nouns.length) % sizes.length] ?? ''
  return {
    barcode: index % 3 === 0 ? String(4006381000000 + index * 37) : `SKU-${String(1000 + index)}`,
    description: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${size}, ${index % 2 === 0 ? 'zinc plated' : 'stainless'}`,
    primary_quantity: (index * 37) % 480,
    secondary_quantity: (index * 11) % 60,
  }
})

/** Calls the program as the person who is signed in on a page. */
async function ask(program: Program, page: Page, { path, body }: { path: string; body: unknown }) {
  const token = await page.evaluate(() => localStorage.getItem('jwt_token'))
  const response = await fetch(`${program.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

const dayMs = 86_400_000

/** A company in the middle of its month: components, a week of counts with some differences, labels, weekly lists. */
export async function fillCompany(program: Program, page: Page): Promise<void> {
  const post = (path: string, body: unknown) => ask(program, page, { path, body })
  await post('/api/components/import', rows)
  await post('/api/components/bulk-high-volume', {
    barcodes: rows.slice(0, 24).map(({ barcode }) => barcode),
    day: 'Wednesday',
    location: 'PRIMARY',
    action: 'add',
  })
  for (let index = 0; index < 150; index += 1) {
    const row = rows[index % 97]
    if (row === undefined) continue
    const location = index % 5 === 0 ? 'SECONDARY' : 'PRIMARY'
    const expected = location === 'PRIMARY' ? row.primary_quantity : row.secondary_quantity
    await post('/api/components/update-with-tracking', {
      barcode: row.barcode,
      quantity: index % 17 === 3 ? expected + 1 : expected,
      location,
      source: 'monthly',
      session: 'Monthly',
      timestamp: new Date(Date.now() - (index % 7) * dayMs * 0.95).toISOString(),
    })
  }
  await post('/api/generate-labels', {
    components: rows.map((row) => ({ id: row.barcode, ...row, quantity: 1 })).slice(0, 180),
    includeId: true,
    labelSize: { width: 4, height: 1.5 },
    location: 'PRIMARY',
  })
}
