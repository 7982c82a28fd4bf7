import { layoutSheet, type SheetOptions } from '@inventory-manager/contract/labels/sheets'
import { labelSizes, pointsPerInch } from '@inventory-manager/contract/labels/sizes'
import { wrapText } from '@inventory-manager/contract/labels/wrap-text'
import { showSigns, writeFonts, type EmbeddedFonts } from '../../platform/pdf/embedded-fonts.ts'
import type { PdfFonts } from '../../platform/pdf/fonts.ts'
import { addPage, closePageTree, openPageTree } from '../../platform/pdf/page-tree.ts'
import { addObject, closePdf, openPdf, takeBytes } from '../../platform/pdf/pdf-file.ts'
import { pdfNumber } from '../../platform/pdf/pdf-number.ts'

/** Small enough for all sentences above the ruler of the smallest label. */
const fontSize = 6
const lineHeight = 7
const textMargin = 6

/** One page of frames where the labels' edges should be, each with a ruler in inches and in millimetres. */
export async function calibrationPdf(options: SheetOptions & { fonts: PdfFonts }): Promise<Buffer> {
  const { fonts } = options
  const sheet = layoutSheet(options)
  const size = labelSizes[options.size]
  const file = openPdf()
  const tree = openPageTree(file)
  const embedded: EmbeddedFonts = new Map()
  const frame = { width: size.width * pointsPerInch, height: size.height * pointsPerInch }
  const frames = sheet.cells.map(({ x, y }, cell) => {
    const bottom = sheet.height - y - frame.height
    const width = frame.width - 2 * textMargin
    const wrapped = sentencesFor(cell + 1, size.width - 1).flatMap((sentence) =>
      wrapText(sentence, { width, fontSize, measure: fonts.measure, mostLines: 2 }),
    )
    const lines = wrapped.map((text, line) => {
      const baseline = bottom + frame.height - textMargin - fontSize - line * lineHeight
      const at = `${pdfNumber(x + textMargin)} ${pdfNumber(baseline)} Td`
      return `BT ${at}${showSigns(embedded, fonts.signs(text), fontSize)} ET`
    })
    return [frameAt(x, bottom, frame), ruler({ x: x + 36, y: bottom + 14, inches: size.width - 1 }), ...lines]
  })
  addPage(file, tree, frames.flat().join('\n'))
  const mediaBox = `/MediaBox[0 0 ${pdfNumber(sheet.width)} ${pdfNumber(sheet.height)}]`
  closePageTree(file, tree, `${mediaBox}/Resources<</Font<<${writeFonts(file, embedded)}>>>>`)
  await closePdf(
    file,
    addObject(
      file,
      `<</Type/Catalog/Pages ${tree.root} 0 R/ViewerPreferences<</PrintScaling/None/Duplex/Simplex>>>>`,
    ),
  )
  return takeBytes(file)
}

function sentencesFor(position: number, inches: number): string[] {
  return [
    `Position ${position}. The frame belongs on the edge of the label.`,
    'Frame too far left: move to the right. Too high: move down.',
    `The ruler is ${inches} in (${(inches * 25.4).toFixed(1)} mm) long when printed at actual size.`,
  ]
}

function frameAt(x: number, y: number, { width, height }: { width: number; height: number }): string {
  return `0.5 w ${[x, y, width, height].map(pdfNumber).join(' ')} re S`
}

/** Ticks of a tenth of an inch upwards and of a millimetre downwards. */
function ruler({ x, y, inches }: { x: number; y: number; inches: number }): string {
  const line = (from: number, to: number, at: number) =>
    `${pdfNumber(at)} ${pdfNumber(from)} m ${pdfNumber(at)} ${pdfNumber(to)} l`
  const tenths = Array.from({ length: inches * 10 + 1 }, (_, tick) =>
    line(y, y + (tick % 10 === 0 ? 8 : 4), x + (tick / 10) * pointsPerInch),
  )
  const millimetres = Array.from({ length: Math.floor(inches * 25.4) + 1 }, (_, tick) =>
    line(y, y - (tick % 10 === 0 ? 8 : 4), x + (tick / 25.4) * pointsPerInch),
  )
  const base = `${pdfNumber(x)} ${pdfNumber(y)} m ${pdfNumber(x + inches * pointsPerInch)} ${pdfNumber(y)} l`
  return `0.4 w ${[base, ...tenths, ...millimetres].join('\n')} S`
}
