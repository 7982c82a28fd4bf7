import type { LabelBars } from '@inventory-manager/contract/labels/bars'
import type { LabelLayout } from '@inventory-manager/contract/labels/layout'
import { showSigns, type EmbeddedFonts } from './embedded-fonts.ts'
import type { LabelFonts } from './fonts.ts'
import { pdfNumber } from './pdf-number.ts'

/** Modules taken off each edge of a bar, without which some renderers make bars one dot too wide. */
const narrowing = 0.03

interface TextSetter {
  fonts: LabelFonts
  embedded: EmbeddedFonts
}

/** The content stream of one label (ISO 32000-1, 8 and 9), drawn in black from the page's lower left corner. */
export function labelContent(layout: LabelLayout, setter: TextSetter): string {
  const lines = layout.texts.map(({ text, x, baseline, fontSize }) => {
    const place = `${pdfNumber(x)} ${pdfNumber(layout.height - baseline)} Td`
    return `BT ${place}${showSigns(setter.embedded, setter.fonts.signs(text), fontSize)} ET`
  })
  return [barsContent(layout.bars, layout.height), ...lines].join('\n')
}

/** Bars as rectangles in a coordinate system whose unit is one module across and the bars' height upwards. */
function barsContent(bars: LabelBars, pageHeight: number): string {
  const left = bars.x + narrowing * bars.module
  const bottom = pageHeight - bars.y - bars.height
  const matrix = [bars.module, 0, 0, bars.height, left, bottom].map(pdfNumber).join(' ')
  const stripes = bars.stripes.map(
    ({ start, width }) => `${start} 0 ${pdfNumber(width - 2 * narrowing)} 1 re`,
  )
  return `q ${matrix} cm\n${stripes.join('\n')}\nf Q`
}
