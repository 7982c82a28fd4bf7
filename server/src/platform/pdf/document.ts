import { setImmediate } from 'node:timers/promises'
import { wrapText } from '@inventory-manager/contract/labels/wrap-text'
import { showSigns, writeFonts, type EmbeddedFonts } from './embedded-fonts.ts'
import type { PdfFonts } from './fonts.ts'
import { addPage, closePageTree, openPageTree, type PageTree } from './page-tree.ts'
import { addObject, addStream, closePdf, openPdf, takeBytes, type PdfFile } from './pdf-file.ts'
import { pdfNumber } from './pdf-number.ts'

/** Sizes in points (1/72 in). */
const papers = { a4: { width: 595.28, height: 841.89 }, letter: { width: 612, height: 792 } } as const

export type Paper = keyof typeof papers

const margin = 48
const footerSize = 8
const lineHeight = 1.35
/** No text of a table takes more, so that a row always fits on a page. */
const mostLines = 30

type Tone = 'black' | 'grey'
const tones: Record<Tone, string> = { black: '0 g', grey: '0.35 g' }

/** A document in the making: text flows down its pages, and each page says which it is of how many. */
export type PdfDocument = {
  file: PdfFile
  tree: PageTree
  fonts: PdfFonts
  embedded: EmbeddedFonts
  paper: { width: number; height: number }
  footer: string
  /** Operators of the page that is being filled, and the free height from its lower edge. */
  operators: string[]
  y: number
  pages: number
}

/** Opens a document; `footer` stands at the foot of each page. Texts need `fonts.prepare` before they are drawn. */
export function openDocument(options: { fonts: PdfFonts; paper: Paper; footer: string }): PdfDocument {
  const file = openPdf()
  const paper = papers[options.paper]
  return {
    ...options,
    file,
    tree: openPageTree(file),
    embedded: new Map(),
    paper,
    operators: [],
    y: paper.height - margin,
    pages: 0,
  }
}

/** The width between the margins. */
export function widthOf({ paper }: PdfDocument): number {
  return paper.width - 2 * margin
}

type Line = { text: string; x: number; y: number; fontSize: number; tone?: Tone; bold?: boolean }

function draw(document: PdfDocument, { text, x, y, fontSize, tone = 'black', bold = false }: Line): void {
  const signs = showSigns(document.embedded, document.fonts.signs(text), fontSize)
  // The one weight of the fonts, with an outline, where it is a heading.
  const weight = bold ? `2 Tr ${pdfNumber(fontSize * 0.03)} w 0 G ` : '0 Tr '
  document.operators.push(`BT ${tones[tone]} ${weight}${pdfNumber(margin + x)} ${pdfNumber(y)} Td${signs} ET`)
}

function finishPage(document: PdfDocument): void {
  const { fonts, footer, paper } = document
  document.pages += 1
  const y = margin / 2
  const count = `Page ${document.pages} of `
  const room = fonts.measure('Page 00000 of 00000') * footerSize
  const x = widthOf(document) - room
  draw(document, { text: footer, x: 0, y, fontSize: footerSize, tone: 'grey' })
  draw(document, { text: count, x, y, fontSize: footerSize, tone: 'grey' })
  const after = margin + x + fonts.measure(count) * footerSize
  document.operators.push(`q 1 0 0 1 ${pdfNumber(after)} ${pdfNumber(y)} cm /Total Do Q`)
  addPage(document.file, document.tree, document.operators.join('\n'))
  document.operators = []
  document.y = paper.height - margin
}

/** Begins a new page unless so many points are left on this one; says whether it did. */
function ensureRoom(document: PdfDocument, height: number): boolean {
  if (document.y - height >= margin) return false
  finishPage(document)
  return true
}

export function addSpace(document: PdfDocument, height: number): void {
  document.y -= height
}

type Style = { fontSize: number; tone?: Tone; bold?: boolean }

/** Sets a paragraph over the whole width. */
export function addParagraph(document: PdfDocument, text: string, style: Style): void {
  const { fonts } = document
  const room = {
    width: widthOf(document),
    fontSize: style.fontSize,
    measure: fonts.measure,
    mostLines: 1000,
  }
  for (const line of wrapText(text, room)) {
    ensureRoom(document, style.fontSize * lineHeight)
    document.y -= style.fontSize * lineHeight
    draw(document, { ...style, text: line, x: 0, y: document.y + style.fontSize * 0.3 })
  }
}

type Bars = {
  /** Left edge and width of each, in modules. */
  bars: readonly { start: number; width: number }[]
  /** Points: a module, the quiet zone before the first bar, and all of them. */
  module: number
  quiet: number
  height: number
}

/** Texts one under the other, of which a number stands to the right; bars to scan; or a box of a height to write into. */
export type DocumentCell = { text: string; tone?: Tone }[] | Bars | { box: number }
export type DocumentColumn = { head: string; width: number; numeric?: boolean }

const cellSize = 8
const cellGap = 6
const cellPadding = 3

/** How high what stands in a cell is, and how it is drawn with its upper left corner at a point. */
type SetCell = { height: number; drawAt: (corner: { x: number; top: number }) => void }

type Setting = { column: DocumentColumn; bold: boolean }

function setTexts(
  document: PdfDocument,
  texts: { text: string; tone?: Tone }[],
  { column: { width, numeric = false }, bold }: Setting,
): SetCell {
  const { fonts } = document
  const room = { width: width - cellGap, fontSize: cellSize, measure: fonts.measure, mostLines }
  const lines = texts
    .flatMap(({ text, tone = 'black' }) => wrapText(text, room).map((line) => ({ line, tone })))
    .slice(0, 2 * mostLines)
  return {
    height: lines.length * cellSize * lineHeight,
    drawAt({ x, top }) {
      for (const [row, { line, tone }] of lines.entries()) {
        const indent = numeric ? width - cellGap - fonts.measure(line) * cellSize : 0
        const y = top - (row + 1) * cellSize * lineHeight + cellSize * 0.3
        draw(document, { text: line, x: x + indent, y, fontSize: cellSize, tone, bold })
      }
    },
  }
}

function setBars(document: PdfDocument, { bars, module, quiet, height }: Bars): SetCell {
  return {
    height,
    drawAt({ x, top }) {
      const bottom = pdfNumber(top - height)
      const stripes = bars.map(({ start, width }) => {
        const left = margin + x + quiet + start * module
        return `${pdfNumber(left)} ${bottom} ${pdfNumber(width * module)} ${pdfNumber(height)} re`
      })
      document.operators.push(`0 g ${stripes.join(' ')} f`)
    },
  }
}

function setBox(document: PdfDocument, height: number, width: number): SetCell {
  return {
    height,
    drawAt({ x, top }) {
      const corner = [margin + x, top - height, width, height].map(pdfNumber)
      document.operators.push(`0.4 G 0.75 w ${corner.join(' ')} re S`)
    },
  }
}

function setCell(document: PdfDocument, cell: DocumentCell, setting: Setting): SetCell {
  if (Array.isArray(cell)) return setTexts(document, cell, setting)
  return 'bars' in cell ? setBars(document, cell) : setBox(document, cell.box, setting.column.width)
}

function heightOf(cells: readonly SetCell[]): number {
  return Math.max(cellSize * lineHeight, ...cells.map(({ height }) => height)) + 2 * cellPadding
}

function drawRow(document: PdfDocument, columns: readonly DocumentColumn[], cells: readonly SetCell[]): void {
  const top = document.y - cellPadding
  let x = 0
  for (const [place, { width }] of columns.entries()) {
    cells[place]?.drawAt({ x, top })
    x += width
  }
  document.y -= heightOf(cells)
  const [left, right, y] = [margin, margin + widthOf(document), document.y].map(pdfNumber)
  document.operators.push(`0.8 G 0.5 w ${left} ${y} m ${right} ${y} l S`)
}

function drawHeads(document: PdfDocument, columns: readonly DocumentColumn[]): void {
  const cells = columns.map((column) => setTexts(document, [{ text: column.head }], { column, bold: true }))
  drawRow(document, columns, cells)
}

/** Begins a table: its heads, which come again on each page. */
export function beginTable(document: PdfDocument, columns: readonly DocumentColumn[]): void {
  ensureRoom(document, 6 * cellSize * lineHeight)
  drawHeads(document, columns)
}

/** Adds a row to the table with these columns, on a new page where it does not fit on this one. */
export function addRow(
  document: PdfDocument,
  columns: readonly DocumentColumn[],
  row: readonly DocumentCell[],
): void {
  const cells = columns.map((column, place) => setCell(document, row[place] ?? [], { column, bold: false }))
  if (ensureRoom(document, heightOf(cells))) drawHeads(document, columns)
  drawRow(document, columns, cells)
}

/** How long the event loop is held at a time. */
const sliceMilliseconds = 8

/** Sets a table of any length, and hands out what is ready each time that others have had a turn; `signal` breaks it off. */
export async function* addTable(
  document: PdfDocument,
  columns: readonly DocumentColumn[],
  { rows, signal }: { rows: Iterable<readonly DocumentCell[]>; signal: AbortSignal },
): AsyncGenerator<Buffer, void, undefined> {
  beginTable(document, columns)
  let sliceEnd = performance.now() + sliceMilliseconds
  for (const row of rows) {
    addRow(document, columns, row)
    if (performance.now() < sliceEnd) continue
    yield takeDocumentBytes(document)
    await setImmediate()
    signal.throwIfAborted()
    sliceEnd = performance.now() + sliceMilliseconds
  }
}

/** Lines to sign on, each with what stands under it. */
export function addSignatures(document: PdfDocument, labels: readonly string[]): void {
  ensureRoom(document, 70)
  document.y -= 50
  const width = widthOf(document) / labels.length
  for (const [place, text] of labels.entries()) {
    const x = place * width
    const [left, right, y] = [margin + x, margin + x + width - 16, document.y].map(pdfNumber)
    document.operators.push(`0 G 0.5 w ${left} ${y} m ${right} ${y} l S`)
    draw(document, { text, x, y: document.y - 11, fontSize: cellSize, tone: 'grey' })
  }
  document.y -= 20
}

/** The bytes made since the last call. */
export function takeDocumentBytes({ file }: PdfDocument): Buffer {
  return takeBytes(file)
}

/** Ends the last page and the file. How many pages there are is a picture that all of them show. */
export async function closeDocument(document: PdfDocument): Promise<Buffer> {
  finishPage(document)
  const { file, tree, fonts, embedded, paper } = document
  const total = showSigns(embedded, fonts.signs(String(document.pages)), footerSize)
  const resources = `/Font<<${writeFonts(file, embedded)}>>`
  const picture = addStream(
    file,
    `BT ${tones.grey} 0 0 Td${total} ET`,
    `/Type/XObject/Subtype/Form/BBox[0 -4 60 12]/Resources<<${resources}>>`,
  )
  const mediaBox = `/MediaBox[0 0 ${pdfNumber(paper.width)} ${pdfNumber(paper.height)}]`
  closePageTree(file, tree, `${mediaBox}/Resources<<${resources}/XObject<</Total ${picture} 0 R>>>>`)
  await closePdf(file, addObject(file, `<</Type/Catalog/Pages ${tree.root} 0 R/Lang(en)>>`))
  return takeBytes(file)
}
