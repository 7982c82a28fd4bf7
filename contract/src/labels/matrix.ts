import { labelDots, type Printer, type PrinterDpi } from './bars.ts'
import { pointsPerInch } from './sizes.ts'
import type { Matrix } from './symbologies.ts'

/** Whole dots of a module: from about 15 mil, which imagers read, to 40 mil, which phones read from afar. */
const moduleDotsOf = {
  203: { least: 3, most: 8 },
  300: { least: 4, most: 12 },
} as const satisfies Record<PrinterDpi, { least: number; most: number }>

/** Points (1/72 in) from the label's top left corner, y downwards. */
export interface LabelMatrix {
  kind: 'matrix'
  x: number
  y: number
  /** Width of one module in points, and in whole printer dots. */
  module: number
  moduleDots: number
  rows: string[]
  /** Right edge of its quiet zone, in points. */
  end: number
}

/** Sets a square symbol on the left of a label, on whole dots, in the middle of its height. */
export function placeMatrix({ rows, quiet }: Matrix, printer: Printer & { edge: number }): LabelMatrix {
  const { least, most } = moduleDotsOf[printer.dpi]
  const dot = pointsPerInch / printer.dpi
  const heightDots = Math.floor(printer.size.height * printer.dpi)
  const modules = rows.length
  const widest = Math.floor(Math.min(heightDots, labelDots(printer)) / (modules + 2 * quiet))
  if (widest < least) throw new RangeError(`A symbol of ${modules} modules does not fit the label.`)
  const moduleDots = Math.min(widest, most)
  const left = Math.max(quiet * moduleDots, Math.ceil(printer.edge / dot))
  return {
    kind: 'matrix',
    x: left * dot,
    y: Math.floor((heightDots - modules * moduleDots) / 2) * dot,
    module: moduleDots * dot,
    moduleDots,
    rows,
    end: (left + (modules + quiet) * moduleDots) * dot,
  }
}

/** Stretches of dark modules in a row, or along a column of turned rows. */
export function darkRuns(row: string): { start: number; length: number }[] {
  return Array.from(row.matchAll(/1+/g), (run) => ({ start: run.index, length: run[0].length }))
}

/** The same symbol with columns as rows. */
export function turnRows(rows: readonly string[]): string[] {
  return rows.map((_, place) => rows.map((row) => row.charAt(place)).join(''))
}
