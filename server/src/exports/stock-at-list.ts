import { placeName, places } from '@inventory-manager/contract/stock/places'
import type { List } from './lists.ts'
import { listStockAt } from './stock-at-queries.ts'

/** What there was of each component at a moment, and what it was worth, in a currency. */
export function stockAtList({ at, currency }: { at: Date; currency: string }): List {
  return {
    name: 'stock',
    heads: [
      'Barcode',
      'Description',
      ...places.map(placeName),
      'Total',
      `Unit cost (${currency})`,
      `Value (${currency})`,
    ],
    read: async (tx, cursor) => {
      const { rows, next } = await listStockAt(tx, { at, cursor })
      return {
        rows: rows.map((row) => [
          row.barcode,
          row.description,
          ...places.map((place) => row[place]),
          row.total,
          row.unit_cost,
          row.value,
        ]),
        next,
      }
    },
  }
}
