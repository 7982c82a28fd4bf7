import { setImmediate } from 'node:timers/promises'
import { layoutLabel, type LabelItem } from '@inventory-manager/contract/labels/layout'
import { labelSizes, pointsPerInch, type LabelSizeKey } from '@inventory-manager/contract/labels/sizes'
import { writeFonts, type EmbeddedFonts } from './embedded-fonts.ts'
import type { LabelFonts } from './fonts.ts'
import { labelContent } from './label-content.ts'
import { addPage, closePageTree, openPageTree } from './page-tree.ts'
import { addObject, closePdf, openPdf, takeBytes } from './pdf-file.ts'
import { rollPages } from './roll-pages.ts'

interface LabelPdfOptions {
  size: LabelSizeKey
  fonts: LabelFonts
  signal?: AbortSignal | undefined
}

/** How long the event loop is held at a time. */
const sliceMilliseconds = 8

/**
 * Makes a PDF of one page for each label, in pieces as they get ready. Memory grows by some 30 bytes a label.
 * Every barcode must have passed `checkLabel` for the size. Throws the signal's reason when that aborts.
 */
export async function* labelPdf(
  labels: Iterable<LabelItem>,
  { size, fonts, signal }: LabelPdfOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const file = openPdf()
  const tree = openPageTree(file)
  const embedded: EmbeddedFonts = new Map()
  const draw = (label: LabelItem) =>
    labelContent(layoutLabel(label, { size, measure: fonts.measure }), { fonts, embedded })

  signal?.throwIfAborted()
  yield takeBytes(file)
  let sliceEnd = performance.now() + sliceMilliseconds
  for (const content of rollPages(labels, draw)) {
    addPage(file, tree, content)
    if (performance.now() < sliceEnd) continue
    yield takeBytes(file)
    // Waiting for the reader alone does not turn the event loop when its socket is fast.
    await setImmediate()
    signal?.throwIfAborted()
    sliceEnd = performance.now() + sliceMilliseconds
  }
  yield takeBytes(file)
  await setImmediate()
  signal?.throwIfAborted()
  closePageTree(file, tree, `${mediaBox(size)}/Resources<</Font<<${writeFonts(file, embedded)}>>>>`)
  const catalog = `<</Type/Catalog/Pages ${tree.root} 0 R/ViewerPreferences<</PrintScaling/None>>>>`
  await closePdf(file, addObject(file, catalog))
  yield takeBytes(file)
}

function mediaBox(size: LabelSizeKey): string {
  const { width, height } = labelSizes[size]
  return `/MediaBox[0 0 ${width * pointsPerInch} ${height * pointsPerInch}]`
}
