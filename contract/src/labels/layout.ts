import { defaultDpi, placeBars, type LabelBars, type PrinterDpi } from './bars.ts'
import {
  breakToFit,
  cleanLine,
  cutToFit,
  shrinkToFit,
  type FittedText,
  type MeasureText,
} from './fit-text.ts'
import { inPrinterFont } from './printer-font.ts'
import { placeLogo, type LabelLogo, type PlacedLogo } from './logo.ts'
import { placeMatrix, type LabelMatrix } from './matrix.ts'
import type { Matrix } from './symbologies.ts'
import { labelSizes, pointsPerInch, type LabelSize, type LabelSizeKey } from './sizes.ts'
import { wrapText } from './wrap-text.ts'

export interface LabelItem {
  barcode: string
  description?: string | null | undefined
  /** A small last line such as 'Qty: 12 · ID: 7'; there is none when it is empty. */
  footer?: string | null | undefined
  /** Labels of this item, 1 by default. */
  copies?: number | undefined
}

export interface LayoutOptions {
  size: LabelSizeKey
  measure: MeasureText
  dpi?: PrinterDpi | undefined
  /** Makes the symbol of a barcode; without it that is Code 128. */
  encodeMatrix?: ((barcode: string) => Matrix) | undefined
  /** Stands on labels that have room for it. */
  logo?: LabelLogo | null | undefined
  /** Sets the lines in the own font of a thermal printer. */
  printerFont?: boolean | undefined
}

/** All lengths in points (1/72 in) from the label's top left corner, y downwards. */
export interface LabelLayout {
  width: number
  height: number
  symbol: LabelBars | LabelMatrix
  texts: LabelText[]
  /** Null without one, and where there is no room. */
  logo: PlacedLogo | null
}

export interface LabelText extends FittedText {
  role: 'description' | 'barcode' | 'footer'
  x: number
  baseline: number
}

/** Font sizes, height of the bars, and the gap between two lines, in points. */
const rules = {
  '4x1.5': { description: 11, bars: 48, barcode: 11, footer: 9, gap: 5 },
  '3x1': { description: 8, bars: 30, barcode: 9, footer: 7, gap: 3 },
  '2x1': { description: 7, bars: 31, barcode: 8, footer: 6.5, gap: 3 },
} as const satisfies Record<LabelSizeKey, Rule>

interface Rule {
  description: number
  bars: number
  barcode: number
  footer: number
  gap: number
}

/** Keeps text clear of the 1/16 in (4.5 points) at each edge that thermal printers may leave blank. */
const textMargin = 6
/** Share of the font size between the top of a line and its baseline. */
const ascent = 0.8

/** From one line of a description on two to the next, as a share of the font size; and how far the font may be smaller for two. */
const pitch = 1.1
const leastShare = 0.9

/** Lines that a barcode's text may take beside a square symbol. */
const mostBarcodeLines = 4

/**
 * Places the symbol and lines of one label. The barcode's text is shrunk to fit and never cut; the description is
 * wrapped over the lines that have room and cut with '…' like the footer. Throws a RangeError for a barcode that `checkLabel` refuses.
 */
export function layoutLabel(item: LabelItem, options: LayoutOptions): LabelLayout {
  const size = labelSizes[options.size]
  const line = (text: string) =>
    options.printerFont === true ? inPrinterFont(cleanLine(text)) : cleanLine(text)
  const label: Label = {
    measure: remembering(options.measure),
    rule: rules[options.size],
    printer: { size, dpi: options.dpi ?? defaultDpi },
    width: size.width * pointsPerInch,
    height: size.height * pointsPerInch,
    barcode: item.barcode,
    description: line(item.description ?? '') || 'No Description',
    footer: line(item.footer ?? ''),
    logo: options.logo ?? null,
  }
  const parts =
    options.encodeMatrix === undefined
      ? layoutBars(label)
      : layoutMatrix(label, options.encodeMatrix(item.barcode))
  return { width: label.width, height: label.height, ...parts }
}

/** A line is measured to be fitted and again to be placed: the last width is kept. */
function remembering(measure: MeasureText): MeasureText {
  let last: { text: string; width: number } | null = null
  return (text) => {
    if (last?.text !== text) last = { text, width: measure(text) }
    return last.width
  }
}

interface Label {
  rule: Rule
  printer: { size: LabelSize; dpi: PrinterDpi }
  width: number
  height: number
  measure: MeasureText
  barcode: string
  description: string
  footer: string
  logo: LabelLogo | null
}

type Parts = Pick<LabelLayout, 'symbol' | 'texts' | 'logo'>

/** Most of a label's width that a logo takes, and its distance from what it stands beside or above. */
const logoShare = 0.35
const logoGap = 2
const logoHeight = 22

/** The logo where nothing else is: from the upper margin down to `below`. The symbol never moves for it. */
function logoAbove(label: Label, { x, below }: { x: number; below: number }): PlacedLogo | null {
  if (label.logo === null) return null
  const height = Math.min(logoHeight, below - logoGap - textMargin)
  const width = Math.min(label.width * logoShare, label.width - textMargin - x)
  return placeLogo(label.logo, { x, y: textMargin, width, height }, label.printer.dpi)
}

/** The right edge of a logo, and the left one of what stands beside it. */
function besideLogo({ x, dot, rows }: PlacedLogo): number {
  return x + (rows[0]?.length ?? 0) * dot + 2 * logoGap
}

type LineRoom = { width: number; fontSize: number; measure: MeasureText }

/** A description above bars: on one line, or on two that are a little smaller where both have room. The bars never move for it. */
function describeAbove(label: Label, room: LineRoom, bars: number): FittedText[] {
  const whole = cutToFit(label.description, room)
  const fontSize = Math.min(room.fontSize, (bars - label.rule.gap / 2 - textMargin) / (1 + pitch))
  if (whole.text === label.description || fontSize < leastShare * room.fontSize) return [whole]
  const lines = wrapText(label.description, { ...room, fontSize, mostLines: 2 })
  return lines.map((text) => ({ text, fontSize }))
}

/** Bars between the lines, each centred; a logo takes its room from the description. */
function layoutBars(label: Label): Parts {
  const { rule, measure } = label
  const tops = stack(rule, { height: label.height, hasFooter: label.footer !== '' })
  const logo = logoAbove(label, { x: textMargin, below: tops.bars })
  const left = logo === null ? textMargin : besideLogo(logo)
  const described = describeAbove(
    label,
    { width: label.width - textMargin - left, fontSize: rule.description, measure },
    tops.bars,
  )
  const room = (fontSize: number) => ({ width: label.width - 2 * textMargin, fontSize, measure })
  const place = (role: LabelText['role'], fitted: FittedText, top = tops[role]): LabelText => ({
    ...fitted,
    role,
    x: (label.width - measure(fitted.text) * fitted.fontSize) / 2,
    baseline: top + ascent * fitted.fontSize,
  })
  const description = described.map((line, nth) => {
    const top = described.length === 1 ? tops.description : textMargin + nth * pitch * line.fontSize
    const placed = place('description', line, top)
    // In the middle of the label as without a logo, unless that is in the way.
    return { ...placed, x: Math.max(placed.x, left) }
  })
  const texts = [...description, place('barcode', shrinkToFit(label.barcode, room(rule.barcode)))]
  if (label.footer !== '') texts.push(place('footer', cutToFit(label.footer, room(rule.footer))))
  const symbol = placeBars(label.barcode, { ...label.printer, top: tops.bars, height: rule.bars })
  return { symbol, texts, logo }
}

type Line = { role: LabelText['role']; fitted: FittedText }

/** The barcode's text on as many lines as it needs, and the footer. */
function linesBelow({ rule, barcode, footer }: Label, room: (fontSize: number) => LineRoom): Line[] {
  const lines = breakToFit(barcode, { ...room(rule.barcode), mostLines: mostBarcodeLines })
  return [
    ...lines.map((fitted): Line => ({ role: 'barcode', fitted })),
    ...(footer === '' ? [] : [{ role: 'footer' as const, fitted: cutToFit(footer, room(rule.footer)) }]),
  ]
}

/** A square symbol on the left and the lines beside it: as much of the description as has room above the rest, below a logo. */
function layoutMatrix(label: Label, matrix: Matrix): Parts {
  const { rule, measure, height } = label
  const symbol = placeMatrix(matrix, { ...label.printer, edge: textMargin })
  const x = Math.max(symbol.end, textMargin)
  const room = (fontSize: number): LineRoom => ({ width: label.width - textMargin - x, fontSize, measure })
  const gap = rule.gap / 2
  const heightOf = (lines: Line[]) => lines.reduce((sum, { fitted }) => sum + fitted.fontSize + gap, -gap)
  const below = linesBelow(label, room)
  const lineHeight = rule.description + gap
  // As large as beside a description of one line.
  const logo = logoAbove(label, { x, below: (height - lineHeight - heightOf(below)) / 2 })
  const upper = logo === null ? textMargin : logo.y + logo.rows.length * logo.dot + logoGap
  const mostLines = Math.max(1, Math.floor((height - textMargin - upper - heightOf(below)) / lineHeight))
  const lines = [
    ...wrapText(label.description, { ...room(rule.description), mostLines }).map((text): Line => ({
      role: 'description',
      fitted: { text, fontSize: rule.description },
    })),
    ...below,
  ]
  let top = Math.max((height - heightOf(lines)) / 2, upper)
  const texts = lines.map(({ role, fitted }): LabelText => {
    const baseline = top + ascent * fitted.fontSize
    top += fitted.fontSize + gap
    return { ...fitted, role, x, baseline }
  })
  return { symbol, texts, logo }
}

/** Top edges, in points, of the lines and bars stacked in the middle of the label's height. */
function stack(rule: Rule, label: { height: number; hasFooter: boolean }) {
  const footer = label.hasFooter ? rule.gap + rule.footer : 0
  const height = rule.description + rule.gap + rule.bars + rule.gap + rule.barcode + footer
  const description = (label.height - height) / 2
  const bars = description + rule.description + rule.gap
  const barcode = bars + rule.bars + rule.gap
  return { description, bars, barcode, footer: barcode + rule.barcode + rule.gap }
}
