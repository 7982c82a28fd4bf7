import { places } from '@inventory-manager/contract/stock/places'
import { dayIn } from '../accounts/time-zones.ts'
import { clockOf } from '../platform/written-times.ts'
import { worthHeads, type List } from './lists.ts'
import type { PlaceName } from './place-name.ts'
import { listStockAt } from './stock-at-queries.ts'

type Moment = { at: Date; timeZone: string }
type Told = Moment & { currency: string; nameOf: PlaceName }

/** What there was of each component at a moment, which day and heads say by the company's clock, and what it was worth in a currency. */
export function stockAtList({ at, timeZone, currency, nameOf }: Told): List {
  return {
    name: 'stock-at',
    day: dayIn(timeZone, at).today,
    heads: [
      'Barcode',
      'Description',
      ...places.map((place) => nameOf(place)),
      `Total on ${clockOf(timeZone)(at)}`,
      ...worthHeads(currency),
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
