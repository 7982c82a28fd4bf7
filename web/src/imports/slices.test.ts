import { mebibyte } from '@inventory-manager/contract/endpoint'
import { stageRows } from '@inventory-manager/contract/imports/endpoints'
import { maxCellLength } from '@inventory-manager/contract/imports/rules'
import { describe, expect, it } from 'vitest'
import type { FileRow } from './file-rows.ts'
import { sliceOf } from './slices.ts'

const rowsWith = (count: number, cell: string): FileRow[] =>
  Array.from({ length: count }, (_, index) => ({ line: index + 1, cells: [`SKU-${index}`, cell] }))

describe('rows that are sent', () => {
  it('go 2,000 at once', () => {
    const rows = rowsWith(4_500, 'Bolt')
    expect(sliceOf(rows)).toEqual(rows.slice(0, 2_000))
    expect(sliceOf(rows.slice(4_000))).toEqual(rows.slice(4_000))
  })

  it.each(['Bolt ', 'Büchse ', '볼트 ', '"<p>" '])(
    'go in fewer where their texts are long, as of a shop: %s',
    (word) => {
      const rows = rowsWith(2_500, word.repeat(maxCellLength).slice(0, maxCellLength))
      const slice = sliceOf(rows)
      expect(slice).toEqual(rows.slice(0, slice.length))
      const bytes = Buffer.byteLength(JSON.stringify({ rows: slice, last: false }))
      expect(bytes).toBeLessThan(stageRows.maxBodyBytes)
      expect(bytes).toBeGreaterThan(mebibyte / 2)
    },
  )

  it('go one by one where none is short enough', () => {
    const rows = rowsWith(3, 'x'.repeat(2_000_000))
    expect(sliceOf(rows)).toEqual(rows.slice(0, 1))
  })
})
