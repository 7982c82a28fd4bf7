import { fileURLToPath } from 'node:url'
import { labelCapacity } from '@inventory-manager/contract/labels/check-label'
import { encodeCode128 } from '@inventory-manager/contract/labels/code128'
import type { LabelItem } from '@inventory-manager/contract/labels/layout'
import { labelSizes } from '@inventory-manager/contract/labels/sizes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPng } from '../../test/png.ts'
import { decodeWithZbar, decodeWithZxing, dotRuns, openPrinter, type Printer } from '../../test/printer.ts'
import { renderZpl } from '../../test/zpl-emulator.ts'
import { loadMatrixEncoder } from './matrix-symbols.ts'
import { loadFonts, type PdfFonts } from '../platform/pdf/fonts.ts'
import { labelZpl } from './zpl.ts'

type Options = Omit<Parameters<typeof labelZpl>[1], 'measure'>

let fonts: PdfFonts
let printer: Printer
beforeAll(async () => {
  fonts = await loadFonts(fileURLToPath(new URL('../../assets/fonts', import.meta.url)))
  printer = await openPrinter()
})
afterAll(() => printer.close())

async function makeZpl(labels: LabelItem[], options: Options): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of labelZpl(labels, { ...options, measure: fonts.measure })) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

/** The middle row of the bars: above the middle of the label's height there is no text. */
const barsRow = (height: number, size: string) => Math.floor(height * (size === '4x1.5' ? 0.45 : 0.5))

const cases = Object.values(labelSizes).flatMap((size) => ([203, 300] as const).map((dpi) => ({ size, dpi })))

describe('ZPL', () => {
  test.each(cases)(
    'on $size.key at $dpi dpi prints the same dots as the PDF, read by two decoders',
    async ({ size, dpi }) => {
      const { characters, digits } = labelCapacity(size.key)
      const barcodes = [
        'A',
        'SKU-10023',
        '036000291452',
        'a^b~c_d',
        '\\>0&',
        'x'.repeat(characters),
        '7'.repeat(digits),
      ]
      const labels = barcodes.map((barcode) => ({ barcode, description: 'Größe ^XZ ~JA_ 12 µm' }))
      const pictures = await renderZpl(await makeZpl(labels, { size: size.key, dpi }), { ...size, dpi })
      expect(pictures).toHaveLength(barcodes.length)
      for (const [place, png] of pictures.entries()) {
        const picture = readPng(png)
        const barcode = barcodes[place] ?? ''
        expect([await decodeWithZxing(picture), await decodeWithZbar(picture)]).toEqual([
          [barcode],
          [barcode],
        ])
        const { widths, modules } = encodeCode128(barcode)
        const dots = Math.min(dpi === 203 ? 3 : 4, Math.floor(Math.floor(size.width * dpi) / (modules + 20)))
        expect(dotRuns(picture, barsRow(picture.height, size.key)).slice(1, -1)).toEqual(
          widths.map((width) => width * dots),
        )
      }
    },
    60_000,
  )

  test.each(['qr', 'datamatrix'] as const)('draws a square symbol: %s', async (symbology) => {
    const encodeMatrix = await loadMatrixEncoder(symbology)
    const zpl = await makeZpl([{ barcode: 'SKU-1^~_' }], { size: '2x1', encodeMatrix })
    const [png] = await renderZpl(zpl, { width: 2, height: 1, dpi: 203 })
    if (png === undefined) throw new Error('no label')
    expect(await decodeWithZxing(readPng(png), ['QRCode', 'DataMatrix'])).toEqual(['SKU-1^~_'])
  })

  test('has a long description on the lines of the PDF', async () => {
    const description =
      'Hexagon socket head cap screw, stainless steel A2-70, M8 x 20, DIN 912, in bags of 50'
    const encodeMatrix = await loadMatrixEncoder('qr')
    const lines = async (options: Options) => {
      const zpl = await makeZpl([{ barcode: 'SKU-1', description }], options)
      return Array.from(zpl.matchAll(/\^FD(.*)\^FS/g), ([, line]) => line)
    }
    expect(await lines({ size: '4x1.5' })).toEqual([
      'Hexagon socket head cap screw, stainless steel A2-70,',
      'M8 x 20, DIN 912, in bags of 50',
      'SKU-1',
    ])
    expect(await lines({ size: '2x1', encodeMatrix })).toEqual([
      'Hexagon socket',
      'head cap screw,',
      'stainless steel',
      'A2-70, M8 x 20, DIN',
      '912, in bags of 50',
      'SKU-1',
    ])
  })

  test('has one format for each label, with its copies and its size in dots', async () => {
    const zpl = await makeZpl([{ barcode: 'A1', copies: 3 }, { barcode: 'B2' }], { size: '4x1.5', dpi: 300 })
    expect(zpl.match(/\^XA[^]*?\^XZ/g)).toHaveLength(2)
    expect(zpl).toContain('^PW1200^LL450')
    expect([...zpl.matchAll(/\^PQ(\d+)/g)].map(([, copies]) => copies)).toEqual(['3', '1'])
  })

  test('says in its last label how many there are, copies included', async () => {
    const zpl = await makeZpl([{ barcode: 'A1', copies: 3 }, { barcode: 'B2' }], { size: '2x1' })
    const [first, last] = zpl.match(/\^XA[^]*?\^XZ/g) ?? []
    expect([first, last]).toEqual([
      expect.not.stringContaining('^FX'),
      expect.stringContaining('^FXLabels: 4^FS'),
    ])
  })

  test.each([undefined, 'qr'] as const)(
    'moves symbol and lines together, no further than to the edge of the label: %s',
    async (symbology) => {
      const encodeMatrix = symbology === undefined ? undefined : await loadMatrixEncoder(symbology)
      const label = { barcode: 'SKU-1', description: 'Bolt' }
      const places = async (offset: { x: number; y: number }) => {
        const zpl = await makeZpl([label], { size: '2x1', encodeMatrix, offset })
        return Array.from(zpl.matchAll(/\^FO(\d+),(\d+)/g), ([, x, y]) => [Number(x), Number(y)] as const)
      }
      const still = await places({ x: 0, y: 0 })
      const moved = await places({ x: -0.5, y: -0.5 })
      const [left, top] = [0, 1].map((side) => Math.min(...still.map((place) => place[side] ?? 0)))
      expect(moved).toEqual(
        still.map(([x, y]) => [x === 0 || symbology === undefined ? 0 : x - (left ?? 0), y - (top ?? 0)]),
      )
    },
  )

  test('moves its lines to the left with the bars, as far as each of them can', async () => {
    const label = { barcode: 'SKU-1', description: 'Bolt', footer: 'i'.repeat(300) }
    const middles = async (x: number) => {
      const zpl = await makeZpl([label], { size: '2x1', offset: { x, y: 0 } })
      return Array.from(
        zpl.matchAll(/\^FO(\d+),\d+\^A0N,\d+\^FB(\d+)/g),
        ([, left, room]) => Number(left) + Number(room) / 2,
      )
    }
    const [still, moved] = [await middles(0), await middles(-0.1)]
    const [description = 0, barcode = 0, footer = 0] = still.map(
      (middle, line) => middle - (moved[line] ?? 0),
    )
    expect([description, barcode]).toEqual([20, 20])
    expect(footer).toBeGreaterThan(0)
    expect(footer).toBeLessThan(20)
  })

  test('prints typographic signs as they are, and what the printer has no letters for as question marks', async () => {
    const description = 'Rohr 2” – 3 m ‘ab’ 漢字 Łódź ™ €'
    const zpl = await makeZpl([{ barcode: 'A1', description }], { size: '4x1.5' })
    expect(zpl).toContain('^FDRohr 2” – 3 m ‘ab’ ?? Łódź ™ €^FS')
  })

  test('holds nothing that steers the printer from a description', async () => {
    const zpl = await makeZpl([{ barcode: 'A1', description: '^XZ^XA~JR_1E 漢字 \\&' }], { size: '4x1.5' })
    expect(zpl.match(/\^X[AZ]/g)).toEqual(['^XA', '^XZ'])
    expect(zpl).not.toContain('~')
    expect(zpl).toContain('_5EXZ_5EXA_7EJR_5F1E ?? \\\\&')
  })
})
