import { fileURLToPath } from 'node:url'
import { encodeCode128 } from '@inventory-manager/contract/labels/code128'
import { layoutLabel, type LabelItem } from '@inventory-manager/contract/labels/layout'
import { labelPages, layoutSheet, type Sheet } from '@inventory-manager/contract/labels/sheets'
import { labelSizes, type LabelSizeKey } from '@inventory-manager/contract/labels/sizes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cut,
  decodeWithZbar,
  decodeWithZxing,
  dotRuns,
  openPrinter,
  type Picture,
  type Printer,
} from '../../../test/printer.ts'
import { isSoundPdf } from '../../../test/qpdf.ts'
import { decodeWithZxingJs } from '../../../test/zxing-js.ts'
import { loadMatrixEncoder } from '../matrix-symbols.ts'
import { calibrationPdf } from './calibration-pdf.ts'
import { loadFonts, type PdfFonts } from '../../platform/pdf/fonts.ts'
import { labelPdf, type LabelPdfOptions } from './label-pdf.ts'

const fontFolder = fileURLToPath(new URL('../../../assets/fonts', import.meta.url))
const sizes = Object.values(labelSizes)
const pages = Object.values(labelPages)

let fonts: PdfFonts
let printer: Printer
beforeAll(async () => {
  fonts = await loadFonts(fontFolder)
  printer = await openPrinter()
})
afterAll(() => printer.close())

async function makePdf(labels: LabelItem[], options: Omit<LabelPdfOptions, 'fonts'>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of labelPdf(labels, { ...options, fonts })) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** One position of a printed sheet. */
function position(
  picture: Picture,
  { sheet, cell, size, dpi }: { sheet: Sheet; cell: number; size: LabelSizeKey; dpi: number },
) {
  const corner = sheet.cells[cell] ?? { x: 0, y: 0 }
  const { width, height } = labelSizes[size]
  return cut(picture, {
    left: Math.round((corner.x / 72) * dpi),
    top: Math.round((corner.y / 72) * dpi),
    width: Math.floor(width * dpi),
    height: Math.floor(height * dpi),
  })
}

const several = (count: number): LabelItem[] =>
  Array.from({ length: count }, (_, place) => ({
    barcode: `SKU-${100 + place}`,
    description: `Part ${place}`,
  }))

const cases = pages
  .flatMap(({ key: page }) => sizes.map(({ key: size }) => ({ page, size })))
  .flatMap((combination) =>
    [203, 300].map((dpi) => ({ ...combination, dpi: dpi === 203 ? 203 : 300 }) as const),
  )

describe('a sheet', () => {
  test.each(cases)(
    'of $size labels on $page at $dpi dpi is full, and each is read by ZXing and ZBar',
    async ({ page, size, dpi }) => {
      const sheet = layoutSheet({ size, page, dpi })
      const labels = several(sheet.cells.length + 1)
      const printed = await printer.print(await makePdf(labels, { size, page, dpi }), dpi)
      expect(printed).toHaveLength(2)
      const texts: string[] = []
      for (const [place, { barcode }] of labels.entries()) {
        const picture = printed[Math.floor(place / sheet.cells.length)]
        if (picture === undefined) throw new Error('a page is missing')
        const label = position(picture, { sheet, cell: place % sheet.cells.length, size, dpi })
        expect([await decodeWithZxing(label), await decodeWithZbar(label)]).toEqual([[barcode], [barcode]])
        texts.push(barcode)
      }
      expect(texts).toEqual(labels.map(({ barcode }) => barcode))
    },
    60_000,
  )

  test.each([
    { page: '4x6', dpi: 203 },
    { page: 'letter', dpi: 300 },
  ] as const)('$page at $dpi dpi prints whole dots', async ({ page, dpi }) => {
    const size = '4x1.5'
    const sheet = layoutSheet({ size, page, dpi })
    const labels = several(sheet.cells.length)
    const [picture] = await printer.print(await makePdf(labels, { size, page, dpi }), dpi)
    if (picture === undefined) throw new Error('no page')
    for (const [cell, { barcode }] of labels.entries()) {
      const runs = dotRuns(position(picture, { sheet, cell, size, dpi }))
      const { widths, modules } = encodeCode128(barcode)
      const dots = Math.min(dpi === 203 ? 3 : 4, Math.floor((4 * dpi) / (modules + 20)))
      expect(runs.slice(1, -1)).toEqual(widths.map((width) => width * dots))
    }
  })

  test('begins at the first free position and goes on with the copies', async () => {
    const options = { size: '4x1.5', page: '4x6', first: 3 } as const
    const labels = [
      { barcode: 'A1', description: 'First', copies: 3 },
      { barcode: 'B2', description: 'Second' },
    ]
    const pdf = await makePdf(labels, options)
    expect(await printer.readTexts(pdf)).toEqual(['First\nA1\nFirst\nA1', 'First\nA1\nSecond\nB2'])
    const [picture] = await printer.print(pdf)
    if (picture === undefined) throw new Error('no page')
    const sheet = layoutSheet(options)
    const first = position(picture, { sheet, cell: 1, size: '4x1.5', dpi: 203 })
    expect(first.data.every((shade) => shade === 255)).toBe(true)
  })

  test('moves by the offset of the printer, in whole dots', async () => {
    const offset = { x: 0.05, y: -0.03 }
    const [moved] = await printer.print(await makePdf(several(1), { size: '4x1.5', offset }))
    const [still] = await printer.print(await makePdf(several(1), { size: '4x1.5' }))
    if (moved === undefined || still === undefined) throw new Error('no page')
    expect((dotRuns(moved)[0] ?? 0) - (dotRuns(still)[0] ?? 0)).toBe(Math.round(0.05 * 203))
  })

  test('shares what equal pages show', async () => {
    const label = { barcode: 'A1', description: 'Widget' }
    const one = await makePdf([{ ...label, copies: 4 }], { size: '4x1.5', page: '4x6' })
    const many = await makePdf([{ ...label, copies: 400 }], { size: '4x1.5', page: '4x6' })
    expect(many.length - one.length).toBeLessThan(2000)
  })
})

const matrixCases = (['qr', 'datamatrix'] as const).flatMap((symbology) =>
  sizes.flatMap(({ key: size }) => ([203, 300] as const).map((dpi) => ({ symbology, size, dpi }))),
)
const matrixBarcodes = [
  'A',
  '036000291452',
  'SKU-10023',
  '(01)0950^FNC1',
  'x'.repeat(48),
  '~!@#$%^&*()_+'.repeat(3),
]

describe('a square symbol', () => {
  test.each(matrixCases)(
    '$symbology on $size at $dpi dpi is exact to the dot and read by two decoders',
    async ({ symbology, size, dpi }) => {
      const encodeMatrix = await loadMatrixEncoder(symbology)
      const labels = matrixBarcodes.map((barcode) => ({ barcode, description: 'Łożysko' }))
      const printed = await printer.print(await makePdf(labels, { size, dpi, encodeMatrix }), dpi)
      for (const [place, picture] of printed.entries()) {
        const barcode = matrixBarcodes[place] ?? ''
        expect(await decodeWithZxing(picture, ['QRCode', 'DataMatrix'])).toEqual([barcode])
        const { symbol } = layoutLabel({ barcode }, { size, dpi, encodeMatrix, measure: fonts.measure })
        if (symbol.kind !== 'matrix') throw new Error('a square symbol was expected')
        const left = Math.round((symbol.x / 72) * dpi)
        const top = Math.round((symbol.y / 72) * dpi)
        const side = symbol.rows.length * symbol.moduleDots
        const quiet = 2 * symbol.moduleDots
        const alone = cut(picture, {
          left: left - quiet,
          top: top - quiet,
          width: side + 2 * quiet,
          height: side + 2 * quiet,
        })
        const second = symbology === 'qr' ? (await decodeWithZbar(picture))[0] : decodeWithZxingJs(alone)
        expect(second).toBe(barcode)
        // PDFium cannot draw half a dot, so that a label of 304.5 dots is no measure of height.
        if (!Number.isInteger(labelSizes[size].height * dpi)) continue
        const drawn = cut(picture, { left, top, width: side, height: side })
        for (let row = 0; row < side; row += 1) {
          const expected = Array.from(symbol.rows[Math.floor(row / symbol.moduleDots)] ?? '', (module) =>
            module.repeat(symbol.moduleDots),
          ).join('')
          const dots = Array.from({ length: side }, (_, dot) =>
            drawn.data[(row * side + dot) * 4] === 0 ? '1' : '0',
          )
          expect(dots.join('')).toBe(expected)
        }
      }
    },
    60_000,
  )
})

describe('qpdf finds nothing wrong', () => {
  test.each(cases)('with $size on $page at $dpi dpi', async ({ page, size, dpi }) => {
    const pdf = await makePdf(several(205), { size, page, dpi })
    expect(await isSoundPdf(pdf)).toBe(true)
  })

  test('with a QR code, mixed scripts and copies, and finds a fault where there is one', async () => {
    const encodeMatrix = await loadMatrixEncoder('qr')
    const labels = [{ barcode: 'A1', description: 'Łożysko → שלום سلام', copies: 20 }]
    const pdf = await makePdf(labels, { size: '2x1', page: 'a4', encodeMatrix })
    expect(await isSoundPdf(pdf)).toBe(true)
    const cutOff = pdf.subarray(0, pdf.length - 200)
    expect(await isSoundPdf(cutOff)).toBe(false)
  })
})

describe('the calibration page', () => {
  test.each(pages)('for $key has a frame at the edge of every label', async ({ key: page }) => {
    const pdf = await calibrationPdf({ size: '2x1', page, fonts })
    const [printed] = await printer.readTexts(pdf)
    const text = printed?.replaceAll('\n', ' ')
    expect(text).toContain('Position 1. The frame belongs on the edge of the label.')
    expect(text?.match(/Position \d+/g)).toHaveLength(layoutSheet({ size: '2x1', page }).cells.length)
    expect(text).toContain('1 in (25.4 mm) long when printed at actual size')
  })

  test.each(pages.flatMap(({ key: page }) => sizes.map(({ key: size }) => ({ page, size }))))(
    'for $size on $page keeps what it says within each frame',
    async ({ page, size }) => {
      const sheet = layoutSheet({ size, page })
      const [picture] = await printer.print(await calibrationPdf({ size, page, fonts }))
      if (picture === undefined) throw new Error('no page')
      const { width, height } = labelSizes[size]
      const inDots = (points: number) => Math.round((points / 72) * 203)
      for (const { x, y } of sheet.cells) {
        for (const left of [x + 1.5, x + width * 72 - 4.5]) {
          const inside = { left: inDots(left), top: inDots(y + 1.5), width: inDots(3) }
          const strip = cut(picture, { ...inside, height: inDots(height * 72 - 3) })
          expect(strip.data.every((shade) => shade === 255)).toBe(true)
        }
      }
    },
  )
})
