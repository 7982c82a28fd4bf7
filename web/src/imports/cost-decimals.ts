import {
  createSignFinder,
  isOpenAmount,
  readUnitCost,
  type DecimalSign,
} from '@inventory-manager/contract/amounts'
import { formatAmount } from '../lib/numbers.ts'
import type { ImportFile } from './import-file.ts'

/**
 * The sign before the decimals of the unit costs in a column of a file, by the whole column (contract/src/amounts.ts). Where that says
 * nothing it is a comma in a file with semicolons, as spreadsheets write where commas stand in numbers, and else a point.
 */
export async function findDecimalSign(
  { pieces }: Pick<ImportFile, 'pieces'>,
  { column, signal }: { column: number; signal: AbortSignal },
): Promise<DecimalSign> {
  const finder = createSignFinder()
  let separator: string | null = null
  for await (const piece of pieces()) {
    signal.throwIfAborted()
    for (const { cells } of piece.rows) finder.add(cells[column] ?? '')
    separator = piece.separator
  }
  return finder.find() ?? (separator === ';' ? ',' : '.')
}

/** How a cost that may be thousands as well as decimals is read, in words. */
export function readAsWords(text: string, sign: DecimalSign): string {
  const cost = readUnitCost(text, sign)
  return `${text} is read as ${typeof cost === 'number' ? formatAmount(cost) : text}`
}

/** A cell of unit costs as the server takes it, to which what may be thousands as well as decimals, such as 1.234, has decimals behind a point. */
export function unitCostCell(text: string, sign: DecimalSign): string {
  const cost = readUnitCost(text, sign)
  return typeof cost === 'number' && isOpenAmount(text) ? String(cost) : text
}
