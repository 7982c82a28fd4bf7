import { findPacks, maxPackLookups } from '@inventory-manager/contract/stock/alias-endpoints'
import type { Pack } from '@inventory-manager/contract/stock/packs'
import { call } from '../api/client.ts'
import { codesMeant } from '../scanning/meant.ts'
import type { ScannerSettings } from '../scanning/settings.ts'
import type { Line } from './several-lines.ts'

/** Whether the amount of a line says itself that it is of packs. */
const saysPacks = ({ cells: [, amount = ''] }: Line) => /x/iu.test(amount)

/** The lines whose amount may be of packs, because their barcode is that of one, in the order of the list. */
export async function findPackLines(
  lines: readonly Line[],
  company: ScannerSettings | undefined,
): Promise<{ line: Line; pack: Pack }[]> {
  const asked = lines
    .filter((line) => !saysPacks(line))
    .map((line) => ({ line, codes: codesMeant(line.cells[0] ?? '', company) }))
  const codes = [...new Set(asked.flatMap((one) => one.codes))]
  const packs = new Map<string, Pack>()
  for (let at = 0; at < codes.length; at += maxPackLookups) {
    const barcodes = codes.slice(at, at + maxPackLookups)
    for (const pack of (await call(findPacks, { body: { barcodes } })).packs) packs.set(pack.barcode, pack)
  }
  return asked.flatMap(({ line, codes: meant }) => {
    const pack = meant.map((code) => packs.get(code)).find((found) => found !== undefined)
    return pack === undefined ? [] : [{ line, pack }]
  })
}
