import { defaultDpi, type PrinterDpi } from './bars.ts'
import { labelSizes, pointsPerInch, type LabelSizeKey } from './sizes.ts'

const inch = 25.4

export const labelPageKeys = ['roll', '4x6', 'letter', 'a4'] as const

export type LabelPageKey = (typeof labelPageKeys)[number]

type LabelPage<K> = { key: K; name: string } & Partial<Record<'width' | 'height' | 'edge', number>>

/** What labels are printed on, in inches: a roll of single labels, or a page of several. `edge` is left free. */
export const labelPages = {
  roll: { key: 'roll', name: 'Label roll' },
  '4x6': { key: '4x6', name: '4 x 6 in page', width: 4, height: 6, edge: 0 },
  letter: { key: 'letter', name: 'Letter sheet', width: 8.5, height: 11, edge: 0.25 },
  a4: { key: 'a4', name: 'A4 sheet', width: 210 / inch, height: 297 / inch, edge: 3 / inch },
} as const satisfies { [K in LabelPageKey]: LabelPage<K> }

/** How a sheet is divided, where it differs from a grid in its middle; in inches. */
export interface SheetMargins {
  left: number
  top: number
  columnGap: number
  rowGap: number
}

/** How far a printer has to move everything to the right and down, in inches. */
export interface PrintOffset {
  x: number
  y: number
}

export interface SheetOptions {
  size: LabelSizeKey
  /** A roll where it is not given. */
  page?: LabelPageKey | undefined
  dpi?: PrinterDpi | undefined
  margins?: SheetMargins | null | undefined
  offset?: PrintOffset | undefined
}

/** A page and the top left corners of its labels, row by row; in points (1/72 in) from its top left corner. */
export interface Sheet {
  width: number
  height: number
  columns: number
  rows: number
  cells: { x: number; y: number }[]
}

/** Lays the labels of a page out, on whole printer dots. No label fits where the margins leave no room: no cells. */
export function layoutSheet(options: SheetOptions): Sheet {
  const size = labelSizes[options.size]
  const page = labelPages[options.page ?? 'roll']
  const offset = options.offset ?? { x: 0, y: 0 }
  const dpi = options.dpi ?? defaultDpi
  const onGrid = (inches: number) => (Math.round(inches * dpi) / dpi) * pointsPerInch
  if (page.key === 'roll') {
    const cells = [{ x: onGrid(offset.x), y: onGrid(offset.y) }]
    return {
      width: size.width * pointsPerInch,
      height: size.height * pointsPerInch,
      columns: 1,
      rows: 1,
      cells,
    }
  }
  const across = divide(
    { length: page.width, label: size.width, edge: page.edge },
    side(options, 'left', 'columnGap'),
  )
  const down = divide(
    { length: page.height, label: size.height, edge: page.edge },
    side(options, 'top', 'rowGap'),
  )
  return {
    width: page.width * pointsPerInch,
    height: page.height * pointsPerInch,
    columns: across.length,
    rows: down.length,
    cells: down.flatMap((y) => across.map((x) => ({ x: onGrid(x + offset.x), y: onGrid(y + offset.y) }))),
  }
}

/** Labels on a page of this kind and size, in the middle of the page. */
export function labelsPerPage(size: LabelSizeKey, page: LabelPageKey): number {
  return layoutSheet({ size, page }).cells.length
}

function side(
  { margins }: SheetOptions,
  start: 'left' | 'top',
  gap: 'columnGap' | 'rowGap',
): { start: number; gap: number } | null {
  return margins == null ? null : { start: margins[start], gap: margins[gap] }
}

/** Where labels begin along one side of a page. Without a given start they stand in its middle. */
function divide(
  { length, label, edge }: { length: number; label: number; edge: number },
  given: { start: number; gap: number } | null,
): number[] {
  const gap = given?.gap ?? 0
  const room = length - (given?.start ?? 2 * edge)
  // A label that fits but for what rounding takes away still fits.
  const count = Math.max(0, Math.floor((room + gap + 1e-6) / (label + gap)))
  const start = given?.start ?? (length - count * label) / 2
  return Array.from({ length: count }, (_, place) => start + place * (label + gap))
}

/** The page and the place on it, from 0, of the nth label (from 0) when `first` (from 1) is the first free position. */
export function positionOf(nth: number, first: number, sheet: Sheet): { page: number; cell: number } {
  const place = nth + first - 1
  return { page: Math.floor(place / sheet.cells.length), cell: place % sheet.cells.length }
}

/** Pages that so many labels take. */
export function countPages(labels: number, first: number, sheet: Sheet): number {
  return labels === 0 ? 0 : positionOf(labels - 1, first, sheet).page + 1
}
