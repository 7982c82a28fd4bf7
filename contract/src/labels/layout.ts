import { defaultDpi, placeBars, type LabelBars, type PrinterDpi } from './bars.ts'
import { cleanLine, cutToFit, shrinkToFit, type FittedText, type MeasureText } from './fit-text.ts'
import { labelSizes, pointsPerInch, type LabelSizeKey } from './sizes.ts'

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
}

/** All lengths in points (1/72 in) from the label's top left corner, y downwards. */
export interface LabelLayout {
  width: number
  height: number
  bars: LabelBars
  texts: LabelText[]
}

interface LabelText extends FittedText {
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

/**
 * Places the bars and lines of one label, each centred. The barcode's text is shrunk to fit and never cut;
 * description and footer are cut with '…'. Throws a RangeError for a barcode that `checkLabel` refuses.
 */
export function layoutLabel(item: LabelItem, options: LayoutOptions): LabelLayout {
  const size = labelSizes[options.size]
  const rule = rules[options.size]
  const page = { width: size.width * pointsPerInch, height: size.height * pointsPerInch }
  const description = cleanLine(item.description ?? '') || 'No Description'
  const footer = cleanLine(item.footer ?? '')
  const tops = stack(rule, { height: page.height, hasFooter: footer !== '' })

  const room = (fontSize: number) => ({
    width: page.width - 2 * textMargin,
    fontSize,
    measure: options.measure,
  })
  const place = (role: LabelText['role'], fitted: FittedText): LabelText => ({
    ...fitted,
    role,
    x: (page.width - options.measure(fitted.text) * fitted.fontSize) / 2,
    baseline: tops[role] + ascent * fitted.fontSize,
  })
  const texts = [
    place('description', cutToFit(description, room(rule.description))),
    place('barcode', shrinkToFit(item.barcode, room(rule.barcode))),
  ]
  if (footer !== '') texts.push(place('footer', cutToFit(footer, room(rule.footer))))

  const printer = { size, dpi: options.dpi ?? defaultDpi }
  return { ...page, bars: placeBars(item.barcode, { ...printer, top: tops.bars, height: rule.bars }), texts }
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
