import { stripesOf } from '@inventory-manager/contract/labels/bars'
import { encodeCode128, isPrintableAscii } from '@inventory-manager/contract/labels/code128'
import { howMany } from '@inventory-manager/contract/numbers'
import { binsInWords } from '@inventory-manager/contract/stock/bin-names'
import {
  addParagraph,
  addSignatures,
  addSpace,
  addTable,
  closeDocument,
  openDocument,
  widthOf,
  type DocumentCell,
  type Paper,
} from '../../platform/pdf/document.ts'
import type { PdfFonts } from '../../platform/pdf/fonts.ts'
import type { SheetLine } from './sheet-queries.ts'

/** Everything a count sheet says. */
export type CountSheet = {
  companyName: string
  /** As people read it. */
  place: string
  /** 'Monthly count, November 2026'. */
  count: string
  /** The names of bins that it is of, '' for what has none; empty where it is of all. */
  bins: readonly string[]
  isPendingOnly: boolean
  printedBy: string
  /** When, by the company's clock. */
  printedAt: string
  lines: readonly SheetLine[]
}

const quietModules = 10
/** Points of a module (1/72 in), the widest first: what common scanners read from the paper of an office printer, down to 8.3 mil. */
const moduleWidths = [0.9, 0.75, 0.6]
const barHeight = 20

const noBars: DocumentCell = [{ text: 'Type this code', tone: 'grey' }]

/** A code as bars with their quiet zones in a width; words where they do not fit it, or the code has other signs than Code 128. */
function barsOf(barcode: string, width: number): DocumentCell {
  if (!isPrintableAscii(barcode)) return noBars
  const { modules, widths } = encodeCode128(barcode)
  const module = moduleWidths.find((points) => (modules + 2 * quietModules) * points <= width)
  if (module === undefined) return noBars
  return { bars: stripesOf(widths), module, quiet: quietModules * module, height: barHeight }
}

const shares = [
  { head: 'Bin', share: 0.14 },
  { head: 'Component', share: 0.3 },
  { head: 'Barcode', share: 0.4 },
  { head: 'Counted', share: 0.16 },
] as const

/** The box that a number is written into, in points. */
const numberBox = { box: 22 }

function headLines({ lines, ...sheet }: CountSheet): string[] {
  const components = howMany(lines.length, 'component')
  return [
    `${sheet.companyName}, ${sheet.place}`,
    sheet.count,
    ...(sheet.bins.length === 0 ? [] : [`Only ${binsInWords(sheet.bins)}`]),
    sheet.isPendingOnly ? `${components} not counted before this was printed` : components,
    `Printed ${sheet.printedAt} by ${sheet.printedBy}`,
  ]
}

/** Made one by one as they are set: the bars of thousands take a while. */
function* rowsOf({ lines }: CountSheet, barWidth: number): Generator<DocumentCell[], void, undefined> {
  for (const { bin, barcode, description } of lines) {
    const named: DocumentCell = [{ text: barcode }, { text: description, tone: 'grey' }]
    yield [[{ text: bin }], named, barsOf(barcode, barWidth), numberBox]
  }
}

/** Writes a count sheet as PDF, in pieces as they get ready. */
export async function* sheetPdf(
  sheet: CountSheet,
  { fonts, paper, signal }: { fonts: PdfFonts; paper: Paper; signal: AbortSignal },
): AsyncGenerator<Buffer, void, undefined> {
  const heads = headLines(sheet)
  await fonts.prepare([...heads, ...sheet.lines.flatMap(Object.values<string>)])
  const footer = `Count sheet, ${sheet.place}, ${sheet.printedAt}`
  const document = openDocument({ fonts, paper, footer })
  addParagraph(document, 'Count sheet', { fontSize: 20, bold: true })
  addSpace(document, 6)
  for (const text of heads) addParagraph(document, text, { fontSize: 10 })
  addSpace(document, 10)
  const columns = shares.map(({ head, share }) => ({ head, width: widthOf(document) * share }))
  const barWidth = columns[2]?.width ?? 0
  yield* addTable(document, columns, { rows: rowsOf(sheet, barWidth), signal })
  addSignatures(document, ['Counted: date, name, signature'])
  yield await closeDocument(document)
}
