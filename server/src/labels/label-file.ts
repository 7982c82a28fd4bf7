import { commandPrefix, commands, type Command } from '@inventory-manager/contract/scanning/commands'
import type { LabelItem } from '@inventory-manager/contract/labels/layout'
import type { LabelLogo } from '@inventory-manager/contract/labels/logo'
import type { SheetOptions } from '@inventory-manager/contract/labels/sheets'
import type { Symbology } from '@inventory-manager/contract/labels/symbologies'
import { planLocations } from '@inventory-manager/contract/plans'
import { placeName } from '@inventory-manager/contract/stock/places'
import { loadMatrixEncoder } from './matrix-symbols.ts'
import type { Actor } from '../platform/http/identity.ts'
import type { PdfFonts } from '../platform/pdf/fonts.ts'
import { labelPdf } from './pdf/label-pdf.ts'
import type { LabelBody } from './service.ts'
import { labelZpl } from './zpl.ts'

/** The ID, where it says more than the barcode. Never the stock: a label that shows it spoils every blind count. */
function footerOf(
  item: { id?: string | null | undefined; barcode: string },
  includeId: boolean,
): string | null {
  return includeId && item.id != null && item.id !== item.barcode ? `ID: ${item.id}` : null
}

/** The labels of a job. */
export function itemsOf({ components, includeId, copies }: LabelBody): LabelItem[] {
  return components.map((item) => ({
    barcode: item.barcode,
    description: item.description,
    footer: footerOf(item, includeId),
    copies: item.copies ?? copies,
  }))
}

/** What a label says beside its symbol and barcode, which are ASCII. */
function textsOf({ description, footer }: LabelItem): string[] {
  return [description ?? '', footer ?? '']
}

/** How the codes of labels become QR codes or Data Matrix; nothing for bars. */
async function loadEncoder(symbology: Symbology) {
  return symbology === 'code128' ? undefined : await loadMatrixEncoder(symbology)
}

type FileOptions = Pick<LabelBody, 'symbology' | 'first' | 'format'> & {
  sheet: SheetOptions
  logo: LabelLogo | null
  fonts: () => Promise<PdfFonts>
  signal: AbortSignal
}

/** Makes a file of labels piece by piece. */
export async function* labelFile(
  items: readonly LabelItem[],
  { symbology, first, format, sheet, logo, fonts, signal }: FileOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const encodeMatrix = await loadEncoder(symbology)
  const opened = await fonts()
  // ZPL is set in the printer's own font, and goes without the logo.
  if (format === 'pdf') await opened.prepare(items.flatMap(textsOf))
  if (format === 'zpl') yield* labelZpl(items, { ...sheet, measure: opened.measure, encodeMatrix, signal })
  else yield* labelPdf(items, { ...sheet, first, logo, fonts: opened, encodeMatrix, signal })
}

const deeds: Record<Command, string> = {
  UNDO: 'Undo the last scan',
  NEXT: 'Next item',
  SUBMIT: 'Submit the count',
  X10: 'Count ten at once',
}

/** Makes the PDF of command barcodes piece by piece. */
export async function* commandFile(
  items: readonly LabelItem[],
  { symbology, ...sheet }: SheetOptions & { first: number; symbology: Symbology; fonts: PdfFonts },
): AsyncGenerator<Buffer, void, undefined> {
  await sheet.fonts.prepare(items.flatMap(textsOf))
  yield* labelPdf(items, { ...sheet, encodeMatrix: await loadEncoder(symbology) })
}

/** The labels of the barcodes that steer the count screens, with the locations of a company's plan by its own names. */
export function commandItems({ plan, locationNames }: Pick<Actor, 'plan' | 'locationNames'>): LabelItem[] {
  return [
    ...commands.map((command) => ({ barcode: `${commandPrefix}${command}`, description: deeds[command] })),
    ...planLocations(plan).map(({ code }) => ({
      barcode: `${commandPrefix}LOC:${code}`,
      description: `Location: ${placeName(code, locationNames)}`,
    })),
  ]
}
