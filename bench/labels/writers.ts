import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { encodeCode128 } from '@inventory-manager/contract/labels/code128'
import { PDFDocument, StandardFonts, PDFOperator, PDFOperatorNames, PDFNumber } from 'pdf-lib'
import PdfKit from 'pdfkit'
import { loadFonts } from '../../server/src/platform/pdf/fonts.ts'
import { labelPdf } from '../../server/src/labels/pdf/label-pdf.ts'

type Label = { barcode: string; description: string }

/** Makes a PDF of labels of 4 x 1.5 in: bars, the barcode below and the description above them. */
export type Writer = (labels: readonly Label[]) => AsyncIterable<Uint8Array>

const page = { width: 288, height: 108 }
const module = (2 * 72) / 203
const bars = { bottom: 34, height: 48 }

/** Left edges and widths of the bars in points. */
function barsOf(barcode: string): { x: number; width: number }[] {
  const { modules, widths } = encodeCode128(barcode)
  const left = (page.width - modules * module) / 2
  const found: { x: number; width: number }[] = []
  let start = 0
  for (const [place, width] of widths.entries()) {
    if (place % 2 === 0) found.push({ x: left + start * module, width: width * module })
    start += width
  }
  return found
}

const fixed = (value: number) => String(Number(value.toFixed(6)))

function barOperators(barcode: string): string {
  return barsOf(barcode)
    .map(({ x, width }) => `${fixed(x)} ${bars.bottom} ${fixed(width)} ${bars.height} re`)
    .join('\n')
}

/** The program's own. */
async function openOurs(): Promise<Writer> {
  const fonts = await loadFonts(fileURLToPath(new URL('../../server/assets/fonts', import.meta.url)))
  return (labels) => labelPdf(labels, { size: '4x1.5', fonts })
}

/** The least a streaming writer can do: no layout, a font that every reader has, nothing kept but offsets. */
async function* writeBare(labels: readonly Label[]): AsyncGenerator<Uint8Array> {
  const offsets: number[] = []
  let length = 0
  let pieces: Buffer[] = []
  const add = (text: string | Buffer) => {
    const piece = typeof text === 'string' ? Buffer.from(text, 'latin1') : text
    pieces.push(piece)
    length += piece.length
  }
  const open = (number: number) => {
    offsets[number] = length
    add(`${number} 0 obj\n`)
  }
  add('%PDF-1.7\n')
  let sliceEnd = performance.now() + 8
  for (const [place, { barcode, description }] of labels.entries()) {
    const text = `BT /F 11 Tf 90 92 Td (${description}) Tj ET\nBT /F 11 Tf 110 18 Td (${barcode}) Tj ET`
    const content = deflateSync(`${barOperators(barcode)}\nf\n${text}`)
    open(4 + place * 2)
    add(`<</Filter/FlateDecode/Length ${content.length}>>stream\n`)
    add(content)
    add('\nendstream\nendobj\n')
    open(5 + place * 2)
    add(`<</Type/Page/Parent 2 0 R/Contents ${4 + place * 2} 0 R>>\nendobj\n`)
    if (performance.now() < sliceEnd) continue
    yield Buffer.concat(pieces)
    pieces = []
    await setImmediate()
    sliceEnd = performance.now() + 8
  }
  open(1)
  add('<</Type/Catalog/Pages 2 0 R>>\nendobj\n')
  open(2)
  const kids = labels.map((_, place) => `${5 + place * 2} 0 R`).join(' ')
  add(`<</Type/Pages/Count ${labels.length}/MediaBox[0 0 ${page.width} ${page.height}]`)
  add(`/Resources<</Font<</F 3 0 R>>>>/Kids[${kids}]>>\nendobj\n`)
  open(3)
  add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>\nendobj\n')
  const start = length
  const rows = Array.from(
    { length: labels.length * 2 + 3 },
    (_, row) => `${String(offsets[row + 1]).padStart(10, '0')} 00000 n \n`,
  )
  add(`xref\n0 ${rows.length + 1}\n0000000000 65535 f \n${rows.join('')}`)
  add(`trailer<</Size ${rows.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`)
  yield Buffer.concat(pieces)
}

/** pdfkit at its best: bars as raw operators, letting other work in every 20 labels. */
async function* writeWithPdfKit(labels: readonly Label[]): AsyncGenerator<Uint8Array> {
  const document = new PdfKit({ size: [page.width, page.height], margin: 0, autoFirstPage: false })
  const make = async (): Promise<void> => {
    for (const [place, { barcode, description }] of labels.entries()) {
      document.addPage()
      document.addContent(`q 1 0 0 -1 0 ${page.height} cm\n${barOperators(barcode)}\nf Q`)
      document.fontSize(11).text(description, 0, 8, { width: page.width, align: 'center', lineBreak: false })
      document.text(barcode, 0, 80, { width: page.width, align: 'center', lineBreak: false })
      if (place % 20 === 19) await setImmediate()
      if (document.readableLength > 1_000_000) await once(document, 'data')
    }
    document.end()
  }
  const made = make()
  for await (const piece of document) yield piece
  await made
}

/** pdf-lib with raw operators; it gives nothing before the end. */
async function* writeWithPdfLib(labels: readonly Label[]): AsyncGenerator<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (const { barcode, description } of labels) {
    const sheet = document.addPage([page.width, page.height])
    const rectangles = barsOf(barcode).map(({ x, width }) =>
      PDFOperator.of(
        PDFOperatorNames.AppendRectangle,
        [x, bars.bottom, width, bars.height].map((value) => PDFNumber.of(value)),
      ),
    )
    sheet.pushOperators(...rectangles, PDFOperator.of(PDFOperatorNames.FillNonZero))
    sheet.drawText(description, { x: 90, y: 92, size: 11, font })
    sheet.drawText(barcode, { x: 110, y: 18, size: 11, font })
  }
  yield await document.save()
}

export const writers: Record<string, () => Promise<Writer>> = {
  ours: openOurs,
  bare: () => Promise.resolve(writeBare),
  pdfkit: () => Promise.resolve(writeWithPdfKit),
  'pdf-lib': () => Promise.resolve(writeWithPdfLib),
}
