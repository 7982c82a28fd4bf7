import { locations, type LocationCode } from '@inventory-manager/contract/locations'
import type { ComponentState } from '@inventory-manager/contract/stock/component-endpoints'
import { writeOtherBarcode } from '@inventory-manager/contract/stock/other-barcode'
import { places } from '@inventory-manager/contract/stock/places'
import { mapNotKeptAt } from '../stock/kept-queries.ts'
import { sumArriving } from '../stock/transfer-queries.ts'
import { page, time, worthCells, worthHeads, type List } from './lists.ts'
import type { PlaceName } from './place-name.ts'
import { listComponents, type ComponentFilter } from './queries.ts'
import type { Cell } from './table.ts'
import { mapStockWorth } from './worth-queries.ts'

function componentHeads(nameOf: PlaceName): string[] {
  const names = locations.map(({ code }) => nameOf(code))
  return [
    'Barcode',
    'Description',
    ...places.map((place) => nameOf(place)),
    'Total',
    'Last counted (UTC)',
    'Last counted at',
    ...names.flatMap((name) => [`${name} bin`, `${name} minimum`]),
  ]
}

type ComponentRow = Awaited<ReturnType<typeof listComponents>>['rows'][number]

/** A bin and a minimum for each location, empty where none is said. */
function placementCells({ placements }: ComponentRow): Cell[] {
  return locations.flatMap(({ code }) => {
    const placed = placements.find(({ location }) => location === code)
    return [placed?.bin ?? null, placed?.minimum ?? null]
  })
}

/** The other barcodes of a component, those of packs with how many pieces each stands for; empty where it has none. */
function othersCell({ others }: ComponentRow): Cell {
  return others.length === 0 ? null : others.map(writeOtherBarcode).join('; ')
}

/** By how much a component is below its minimum at a location; empty where it is not. */
function shortfall(row: ComponentRow, code: LocationCode): number | null {
  const minimum = row.placements.find(({ location }) => location === code)?.minimum ?? 0
  return minimum > row[code] ? minimum - row[code] : null
}

/** What the file of a list of components is called, by their state. */
const componentNames = {
  active: 'components',
  low: 'low-stock',
  not_kept: 'components-not-kept',
  uncosted: 'components-without-cost',
  retired: 'components',
} as const satisfies Record<ComponentState, string>

/** `currency`: in which is told what stock is worth; null for who is not told. */
export function componentList(
  filter: ComponentFilter,
  { currency, nameOf }: { currency: string | null; nameOf: PlaceName },
): List {
  const low = filter.state === 'low' ? filter.at : []
  const notKept = filter.state === 'not_kept' ? filter.at : []
  return {
    name: componentNames[filter.state ?? 'active'],
    heads: [
      ...componentHeads(nameOf),
      ...low.map((code) => `${nameOf(code)} below minimum`),
      ...low.map((code) => `${nameOf(code)} on its way`),
      ...notKept.map((code) => `${nameOf(code)} leaves it out`),
      ...(currency === null ? [] : worthHeads(currency)),
      'Other barcodes',
    ],
    read: async (tx, cursor) => {
      const found = await listComponents(tx, { ...filter, cursor })
      const worth = currency === null ? null : await mapStockWorth(tx, found.rows)
      const arriving =
        low.length === 0
          ? null
          : await sumArriving(
              tx,
              found.rows.map(({ id }) => id),
            )
      const leftOut = notKept.length === 0 ? null : await mapNotKeptAt(tx, found.rows, notKept)
      return page(found, (row) => [
        row.barcode,
        row.description,
        ...places.map((place) => row[place]),
        row.total,
        time(row.counted_at),
        row.counted_location === null ? null : nameOf(row.counted_location),
        ...placementCells(row),
        ...low.map((code) => shortfall(row, code)),
        ...low.map((code) => arriving?.get(row.id)?.get(code) ?? null),
        ...notKept.map((code) => (leftOut?.get(row.id)?.has(code) === true ? 'yes' : null)),
        ...(worth === null ? [] : worthCells(worth, row)),
        othersCell(row),
      ])
    },
  }
}
