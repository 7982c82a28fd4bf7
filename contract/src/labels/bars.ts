import { encodeCode128 } from './code128.ts'
import { pointsPerInch, type LabelSize } from './sizes.ts'

/** Dots per inch of the printers whose grid the bars can sit on; 203 also scans when printed at 300 or 600. */
export const printerDpis = [203, 300] as const

export type PrinterDpi = (typeof printerDpis)[number]

export const defaultDpi: PrinterDpi = 203
/** Empty modules on each side of the bars (ISO/IEC 15417, quiet zone 10X). */
export const quietModules = 10
/** Whole dots of a module: no narrower than 9.85 mil, which still scans, and no wider than 15 mil. */
export const moduleDotsOf = {
  203: { least: 2, most: 3 },
  300: { least: 3, most: 4 },
} as const satisfies Record<PrinterDpi, { least: number; most: number }>

/** Points (1/72 in) from the label's top left corner, y downwards. */
export interface LabelBars {
  kind: 'bars'
  x: number
  y: number
  height: number
  /** Width of one module in points, and in whole printer dots. */
  module: number
  moduleDots: number
  /** Left edge, from `x`, and width of each bar, both in modules. */
  stripes: Stripe[]
}

export interface Stripe {
  start: number
  width: number
}

export interface Printer {
  size: LabelSize
  dpi: PrinterDpi
}

/** Whole dots between the label's left and right edge. */
export function labelDots(printer: Printer): number {
  return Math.floor(printer.size.width * printer.dpi)
}

/** The widest module, in dots, at which a symbol and its quiet zones fit; null when none does. */
function findModuleDots(modules: number, printer: Printer): number | null {
  const { least, most } = moduleDotsOf[printer.dpi]
  const widest = Math.floor(labelDots(printer) / (modules + 2 * quietModules))
  return widest < least ? null : Math.min(widest, most)
}

/** Centres the bars of a barcode on the printer's grid of whole dots, `top` and `height` in points. */
export function placeBars(barcode: string, place: Printer & { top: number; height: number }): LabelBars {
  const { modules, widths } = encodeCode128(barcode)
  const moduleDots = findModuleDots(modules, place)
  if (moduleDots === null) throw new RangeError(`A barcode of ${modules} modules does not fit the label.`)
  const dot = pointsPerInch / place.dpi
  return {
    kind: 'bars',
    x: Math.floor((labelDots(place) - modules * moduleDots) / 2) * dot,
    y: Math.round(place.top / dot) * dot,
    height: Math.round(place.height / dot) * dot,
    module: moduleDots * dot,
    moduleDots,
    stripes: stripesOf(widths),
  }
}

/** The bars of widths that begin and end with one, in modules from the first. */
export function stripesOf(widths: readonly number[]): Stripe[] {
  const stripes: Stripe[] = []
  let start = 0
  for (const [place, width] of widths.entries()) {
    if (place % 2 === 0) stripes.push({ start, width })
    start += width
  }
  return stripes
}
