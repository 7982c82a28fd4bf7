import { withoutInnerFormulas } from '@inventory-manager/contract/exports/formulas'
import type { PreviewRow } from '@inventory-manager/contract/imports/preview-row'

/** As the server writes files: text that a spreadsheet would run gets an apostrophe before it. */
function cellOf(text: string): string {
  const inner = withoutInnerFormulas(text)
  const safe = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(inner) ? `'${inner}` : inner
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

type Refused = Pick<PreviewRow, 'line' | 'barcode' | 'description' | 'fault'>

/** Rows that cannot be taken as CSV, each with its line and why. */
export function refusedCsv(rows: readonly Refused[]): string {
  const lines = rows.map(({ line, barcode, description, fault }) => [
    String(line),
    barcode,
    description,
    fault ?? '',
  ])
  const all = [['Line', 'Barcode', 'Description', 'Reason'], ...lines]
  return `\uFEFF${all.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')}`
}
