import { setImmediate } from 'node:timers/promises'
import { layoutLabel, type LabelItem } from '@inventory-manager/contract/labels/layout'
import type { LabelLogo } from '@inventory-manager/contract/labels/logo'
import { layoutSheet, type Sheet, type SheetOptions } from '@inventory-manager/contract/labels/sheets'
import type { Matrix } from '@inventory-manager/contract/labels/symbologies'
import { writeFonts } from '../../platform/pdf/embedded-fonts.ts'
import type { PdfFonts } from '../../platform/pdf/fonts.ts'
import { labelContent, type TextSetter } from './label-content.ts'
import { writeLogos } from './logo-images.ts'
import { addPage, closePageTree, openPageTree, type PageTree } from '../../platform/pdf/page-tree.ts'
import {
  addComment,
  addObject,
  closePdf,
  openPdf,
  takeBytes,
  type PdfFile,
} from '../../platform/pdf/pdf-file.ts'
import { pdfNumber } from '../../platform/pdf/pdf-number.ts'
import { sheetPages } from './sheet-pages.ts'

export interface LabelPdfOptions extends SheetOptions {
  /** The first free position of the first sheet, from 1. */
  first?: number | undefined
  fonts: PdfFonts
  /** Stands on labels that have room for it. */
  logo?: LabelLogo | null | undefined
  /** Makes the symbol of a barcode; without it that is Code 128. */
  encodeMatrix?: ((barcode: string) => Matrix) | undefined
  signal?: AbortSignal | undefined
}

/** How long the event loop is held at a time. */
const sliceMilliseconds = 8

/**
 * Makes a PDF of labels, in pieces as they get ready; a comment `%Labels: n` before the end of each tells how many
 * are made. Memory grows by some 30 bytes a label. Every barcode must have passed `checkLabel` for the size, and the
 * page must have room for a label. Throws the signal's reason when that aborts.
 */
export async function* labelPdf(
  labels: Iterable<LabelItem>,
  options: LabelPdfOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const { fonts, signal, first = 1 } = options
  const sheet = layoutSheet(options)
  const file = openPdf()
  const tree = openPageTree(file)
  const setter: TextSetter = { fonts, embedded: new Map(), logos: new Map() }
  const draw = drawer(options, { setter, sheet })

  signal?.throwIfAborted()
  yield takeBytes(file)
  let made = 0
  let sliceEnd = performance.now() + sliceMilliseconds
  for (const page of sheetPages(labels, draw, { sheet, first })) {
    if (page !== null) {
      addPage(file, tree, page.content)
      made += page.labels
    }
    if (performance.now() < sliceEnd) continue
    if (page !== null) {
      addComment(file, `Labels: ${made}`)
      yield takeBytes(file)
    }
    // Waiting for the reader alone does not turn the event loop when its socket is fast.
    await setImmediate()
    signal?.throwIfAborted()
    sliceEnd = performance.now() + sliceMilliseconds
  }
  addComment(file, `Labels: ${made}`)
  yield takeBytes(file)
  await setImmediate()
  signal?.throwIfAborted()
  await finish(file, tree, { sheet, setter })
  yield takeBytes(file)
}

function drawer(options: LabelPdfOptions, { setter, sheet }: { setter: TextSetter; sheet: Sheet }) {
  const { size, dpi, fonts, encodeMatrix, logo } = options
  const layout = { size, dpi, encodeMatrix, logo, measure: fonts.measure }
  // Copies follow one another, so that only the last label is worth keeping.
  let last: { label: LabelItem; laidOut: ReturnType<typeof layoutLabel> } | null = null
  return (label: LabelItem, { x, y }: { x: number; y: number }) => {
    if (last?.label !== label) last = { label, laidOut: layoutLabel(label, layout) }
    return labelContent(last.laidOut, setter, { left: x, top: sheet.height - y })
  }
}

async function finish(
  file: PdfFile,
  tree: PageTree,
  { sheet, setter }: { sheet: Sheet; setter: TextSetter },
): Promise<void> {
  const mediaBox = `/MediaBox[0 0 ${pdfNumber(sheet.width)} ${pdfNumber(sheet.height)}]`
  closePageTree(
    file,
    tree,
    `${mediaBox}/Resources<</Font<<${writeFonts(file, setter.embedded)}>>${writeLogos(file, setter.logos)}>>`,
  )
  const catalog = `<</Type/Catalog/Pages ${tree.root} 0 R/ViewerPreferences<</PrintScaling/None/Duplex/Simplex>>>>`
  await closePdf(file, addObject(file, catalog))
}
