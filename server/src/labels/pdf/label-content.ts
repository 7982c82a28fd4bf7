import type { LabelBars } from '@inventory-manager/contract/labels/bars'
import type { LabelLayout } from '@inventory-manager/contract/labels/layout'
import { darkRuns, turnRows, type LabelMatrix } from '@inventory-manager/contract/labels/matrix'
import { showSigns, type EmbeddedFonts } from '../../platform/pdf/embedded-fonts.ts'
import type { PdfFonts } from '../../platform/pdf/fonts.ts'
import { showLogo, type LogoImages } from './logo-images.ts'
import { pdfNumber } from '../../platform/pdf/pdf-number.ts'

/** Modules taken off each edge of a bar, without which some renderers make bars one dot too wide. */
const narrowing = 0.03

export interface TextSetter {
  fonts: PdfFonts
  embedded: EmbeddedFonts
  logos: LogoImages
}

/** Where a label lies: points from the page's left edge, and from its lower edge to the label's upper one. */
interface Corner {
  left: number
  top: number
}

/** The content stream of one label (ISO 32000-1, 8 and 9), drawn in black. */
export function labelContent(
  { symbol, texts, logo }: LabelLayout,
  setter: TextSetter,
  corner: Corner,
): string {
  const lines = texts.map(({ text, x, baseline, fontSize }) => {
    const place = `${pdfNumber(corner.left + x)} ${pdfNumber(corner.top - baseline)} Td`
    return `BT ${place}${showSigns(setter.embedded, setter.fonts.signs(text), fontSize)} ET`
  })
  const drawn = symbol.kind === 'bars' ? barsContent(symbol, corner) : matrixContent(symbol, corner)
  const shown = logo === null ? [] : [showLogo(setter.logos, logo, corner)]
  return [drawn, ...lines, ...shown].join('\n')
}

/** Widths of bars of 1 to 4 modules; written so often that their digits are made once. */
const barWidths = [0, 1, 2, 3, 4].map((width) => pdfNumber(width - 2 * narrowing))

/** Bars as rectangles in a coordinate system whose unit is one module across and the bars' height upwards. */
function barsContent(bars: LabelBars, { left, top }: Corner): string {
  const x = left + bars.x + narrowing * bars.module
  const bottom = top - bars.y - bars.height
  const matrix = [bars.module, 0, 0, bars.height, x, bottom].map(pdfNumber).join(' ')
  let stripes = ''
  for (const { start, width } of bars.stripes) stripes += `${start} 0 ${barWidths[width] ?? ''} 1 re\n`
  return `q ${matrix} cm\n${stripes}f Q`
}

/**
 * A square symbol as one area: its dark runs along the rows and along the columns, each narrowed at all edges. Where
 * modules meet, one kind of run covers what is taken off the other.
 */
function matrixContent({ rows, x, y, module, moduleDots }: LabelMatrix, { left, top }: Corner): string {
  // As much of a dot as bars of 3 dots lose: modules are larger here, and corners lose it twice.
  const thin = (3 * narrowing) / moduleDots
  const matrix = [module, 0, 0, -module, left + x, top - y].map(pdfNumber).join(' ')
  const thick = pdfNumber(1 - 2 * thin)
  const area = (start: number, length: number) => [start + thin, length - 2 * thin].map(pdfNumber)
  const along = rows.flatMap((row, place) =>
    darkRuns(row).map(({ start, length }) => {
      const [from, size] = area(start, length)
      return `${from} ${pdfNumber(place + thin)} ${size} ${thick} re`
    }),
  )
  const down = turnRows(rows).flatMap((column, place) =>
    darkRuns(column)
      .filter(({ length }) => length > 1)
      .map(({ start, length }) => {
        const [from, size] = area(start, length)
        return `${pdfNumber(place + thin)} ${from} ${thick} ${size} re`
      }),
  )
  return `q ${matrix} cm\n${[...along, ...down].join('\n')}\nf Q`
}
